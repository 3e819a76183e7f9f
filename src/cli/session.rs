//! The global options of an invocation, and functions that open the engine with an up-to-date index.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::Format;
use super::arguments::GlobalArguments;
use super::consent;
use super::exit::{CliError, Status};
use super::list::{List, SHORT_LEN};
use super::output::{BOLD, Colors, DIM, columns, note, stdout, styled};
use super::progress::Progress;
use crate::engine::concepts::Vocabulary;
use crate::engine::{
    Cache, ChangesError, DataFolder, Engine, EngineError, Experience, IndexError, IndexOptions, Progress as Step,
    Reader, StoreError, configured_share, reason_without_files, unread_code,
};
use crate::model::Task;
use crate::text::display::safe;
use crate::workspace::{FILE_NAME, Member, MemberReport, MemberSource, Workspace, WorkspaceError, find_file};

/// The global options of one invocation.
pub struct Session {
    pub colors: Colors,
    /// Whether questions are answered with yes.
    pub yes: bool,
    db: Option<PathBuf>,
    repos: Vec<PathBuf>,
    workspace: Option<PathBuf>,
}

/// Receives the steps of an update, each with the label of its repository.
type MemberListener<'a> = &'a (dyn Fn(&str, Step) + Sync);

impl Session {
    /// Reads the global options.
    pub fn new(arguments: &GlobalArguments) -> Session {
        let GlobalArguments { db, repo: repos, workspace, .. } = arguments;
        let (db, repos, workspace) = (db.clone(), repos.clone(), workspace.clone());
        Session { colors: Colors::new(arguments.color), yes: arguments.yes, db, repos, workspace }
    }

    /// Returns the folder to work in: the command's argument, else `--repo`, else the current folder, or the one around it that
    /// is indexed, if there is no git to tell where a repository begins.
    ///
    /// # Errors
    /// When it is not a folder, both are named and differ, or there is no data folder.
    pub fn folder(&self, argument: Option<&Path>) -> Result<PathBuf, CliError> {
        let option = self.repos.first().map(PathBuf::as_path);
        if let (Some(argument), Some(option)) = (argument, option)
            && argument.canonicalize().ok() != option.canonicalize().ok()
        {
            let (option, argument) = (option.display(), argument.display());
            return Err(CliError::Usage(format!(
                "--repo names {option}, and the argument {argument}; name one of them"
            )));
        }
        let named = argument.or(option);
        let current = Path::new(".");
        let around = match named {
            None if self.db.is_none() && current.is_dir() => {
                DataFolder::of_user().and_then(|data| data.indexed_around(current)).map_err(EngineError::from)?
            }
            _ => None,
        };
        let folder = named.or(around.as_deref()).unwrap_or(current);
        if folder.is_dir() {
            return Ok(folder.to_owned());
        }
        let problem = if folder.exists() { "is not a folder" } else { "does not exist" };
        Err(CliError::Unusable(anyhow::anyhow!("{} {problem}", folder.display())))
    }

    /// Returns whether the command is about several repositories.
    pub fn has_workspace(&self) -> bool {
        self.workspace.is_some() || self.repos.len() > 1
    }

    /// Returns the folder of `--db` if it does not exist: a command that reads does not make one for a misspelled path.
    pub fn missing_folder(&self) -> Option<&Path> {
        let folder = self.db.as_deref()?.parent()?;
        (!folder.as_os_str().is_empty() && !folder.exists()).then_some(folder)
    }

    /// Checks that the folder of `--db` exists.
    fn check_folder(&self) -> Result<(), CliError> {
        let Some(folder) = self.missing_folder() else { return Ok(()) };
        let problem = format!("{} of --db does not exist; `knowing index` makes it", folder.display());
        Err(CliError::Unusable(anyhow::Error::msg(problem)))
    }

    /// Returns the value of `--db`.
    pub fn db(&self) -> Option<&Path> {
        self.db.as_deref()
    }

    /// Opens the engine of a single repository without reading or writing its index.
    ///
    /// # Errors
    /// When several repositories are named, or the folder or the store can't be used.
    pub fn engine(&self, argument: Option<&Path>) -> Result<Engine, CliError> {
        if self.has_workspace() {
            let text = "this command is about one repository; name it with a single --repo";
            return Err(CliError::Usage(text.to_owned()));
        }
        let prepare = self.prepare()?;
        Ok(prepare(Engine::open(&self.folder(argument)?, self.db.as_deref())?))
    }

    /// Opens the repositories of `--workspace`, of `--repo` and of these folders, or else that of the current folder,
    /// without reading or writing their indexes.
    ///
    /// # Errors
    /// When one can't be opened, or they can't be in one workspace.
    pub fn workspace(&self, folders: &[PathBuf]) -> Result<Workspace, CliError> {
        self.workspace_with(folders, &self.prepare()?)
    }

    /// Returns what sets the cache of an engine, and the share and the other people's votes that the user's settings name.
    ///
    /// # Errors
    /// When there is no folder for the cache.
    pub fn prepare(&self) -> Result<impl Fn(Engine) -> Engine + Send + Sync + use<>, CliError> {
        let cache = Cache::of_user()?;
        let share = configured_share().unwrap_or_else(|error| {
            self.note(&format!("no share is used: {error}"));
            None
        });
        Ok(move |mut engine: Engine| {
            engine.set_share(share.clone());
            engine.set_cache(cache.clone());
            engine.set_experience(Experience::of_user(engine.repository()));
            engine
        })
    }

    /// Opens the repositories like [`Session::workspace`]. `prepare` sets options of each engine.
    ///
    /// # Errors
    /// Those of [`Session::workspace`].
    pub fn workspace_with(
        &self,
        folders: &[PathBuf],
        prepare: &dyn Fn(Engine) -> Engine,
    ) -> Result<Workspace, CliError> {
        let mut named: Vec<PathBuf> = self.repos.iter().chain(folders).cloned().collect();
        if self.workspace.is_none() && named.len() < 2 {
            self.check_folder()?;
            let folder = self.folder(named.pop().as_deref())?;
            let source = MemberSource { folder, database: self.db.clone(), ..MemberSource::default() };
            let mut workspace = Workspace::open(&[source], prepare)?;
            // Without a current folder, paths begin at the root.
            if let Ok(folder) = std::env::current_dir() {
                workspace.set_folder(&folder);
            }
            return Ok(workspace);
        }
        if self.db.is_some() {
            let text = "--db is one database; in a workspace.toml each repository may have a db";
            return Err(CliError::Usage(text.to_owned()));
        }
        let mut sources = match &self.workspace {
            Some(path) => MemberSource::read_file(&workspace_file(path)?)?,
            None => Vec::new(),
        };
        sources.extend(named.into_iter().map(|folder| MemberSource { folder, ..MemberSource::default() }));
        let workspace = Workspace::open(&sources, prepare)?;
        workspace.missing().iter().for_each(|missing| self.note(missing));
        Ok(workspace)
    }

    /// Opens the repositories, and builds or updates their indexes.
    ///
    /// # Errors
    /// When they can't be opened, the user does not agree to index one, or the store of a single one can't be used.
    pub fn indexed(&self) -> Result<Workspace, CliError> {
        let mut workspace = self.workspace(&[])?;
        let reports =
            self.update(&mut workspace, &|workspace, listener| workspace.index(&IndexOptions::default(), listener))?;
        self.note_reports(&workspace, reports)?;
        Ok(workspace)
    }

    /// Opens the repositories like [`Session::indexed`] and loads their indexes; ranks `task` meanwhile.
    ///
    /// # Errors
    /// Those of [`Session::indexed`].
    pub fn loaded(&self, task: Option<&Task>) -> Result<Workspace, CliError> {
        let mut workspace = self.workspace(&[])?;
        let reports = self.update(&mut workspace, &|workspace, listener| {
            workspace.refresh(&IndexOptions::default(), task, listener)
        })?;
        self.note_reports(&workspace, reports)?;
        Ok(workspace)
    }

    /// Loads the indexes of open repositories like [`Session::loaded`]. On a terminal, what a first look at large ones without an
    /// index finds is listed before.
    ///
    /// # Errors
    /// Those of [`Session::indexed`].
    pub fn load(&self, workspace: &mut Workspace, task: &Task) -> Result<(), CliError> {
        let reports = self.update(workspace, &|workspace, listener| {
            if std::io::stderr().is_terminal() {
                self.show_first_look(workspace, task)?;
            }
            Ok::<_, CliError>(workspace.refresh(&IndexOptions::default(), Some(task), listener))
        })??;
        self.note_reports(workspace, reports)
    }

    /// Lists what a first look at large repositories without an index finds, on standard error: the answer itself follows.
    fn show_first_look(&self, workspace: &Workspace, task: &Task) -> Result<(), CliError> {
        let Some((mut looking, notice)) = workspace.first_look(&task.request)? else { return Ok(()) };
        let ranking = looking.rank(task, &|| false)?.unwrap_or_default();
        let mut pack = looking.pack(task, &ranking, &List, false)?;
        (pack.also, pack.documents) = Default::default();
        let colored = self.colors.stderr;
        let heading = styled(colored, BOLD, &safe(&format!("First answer, {notice}:")));
        let text = format!("{heading}\n{}\n", List::shown(&pack, SHORT_LEN, colored, columns()));
        // Like a note, it is not what was asked for.
        std::io::stderr().lock().write_all(text.as_bytes()).unwrap_or_default();
        Ok(())
    }

    /// Calls `index` with a listener that shows progress, if the user agrees to index the repositories.
    ///
    /// # Errors
    /// When the user does not agree.
    pub fn update<T>(
        &self,
        workspace: &mut Workspace,
        index: &dyn Fn(&mut Workspace, MemberListener<'_>) -> T,
    ) -> Result<T, CliError> {
        workspace.members().iter().try_for_each(|member| consent::require(self, member.engine()))?;
        workspace.members().iter().for_each(|member| consent::ask_for_scip(self, member.engine()));
        let progress = Progress::new(self.colors.stderr);
        let is_single = workspace.is_single();
        let reports = index(workspace, &|label, step| progress.show_member(if is_single { "" } else { label }, step));
        progress.finish();
        Ok(reports)
    }

    /// Prints what updates reported. An index that can be read but not written is used as it is, with a note; of several
    /// repositories one that fails is a note.
    fn note_reports(&self, workspace: &Workspace, reports: Vec<MemberReport>) -> Result<(), CliError> {
        for MemberReport { label, report } in reports {
            match report {
                Ok(report) if workspace.is_single() => report.notes.iter().for_each(|note| self.note(note)),
                Ok(report) => report.notes.iter().for_each(|note| self.note(&format!("{label}: {note}"))),
                Err(error) => {
                    if let [only] = workspace.members() {
                        self.note_unwritten(only.engine(), error)?;
                    }
                }
            }
        }
        if !workspace.is_single() {
            workspace.notes().iter().for_each(|note| self.note(note));
        }
        Ok(())
    }

    fn note_unwritten(&self, engine: &Engine, error: EngineError) -> Result<(), CliError> {
        match error {
            EngineError::Index(IndexError::Store(error)) if is_write_error(&error) && engine.reader().is_ok() => {
                self.note(&format!("the index may be out of date: {error}"));
                Ok(())
            }
            error => Err(error.into()),
        }
    }

    /// Calls a function for each repository, which writes to the given output. Of several repositories, the text of each
    /// begins with its label, the JSON of each is a line `{"repository": …, "result": …}`, and one that fails is a note.
    ///
    /// # Errors
    /// When the function fails for a single repository, or the output can't be written.
    pub fn each(
        &self,
        workspace: &Workspace,
        format: Format,
        mut call: impl FnMut(&Member, &mut dyn Write) -> Result<Status, CliError>,
    ) -> Result<Vec<Status>, CliError> {
        let mut out = stdout();
        let mut statuses = Vec::new();
        for member in workspace.members() {
            if workspace.is_single() {
                statuses.push(call(member, &mut out)?);
                continue;
            }
            let mut body = Vec::new();
            let status = match call(member, &mut body) {
                Ok(status) => status,
                Err(error) => {
                    self.note(&format!("{}: {error}", member.label()));
                    statuses.push(Status::NothingFound);
                    continue;
                }
            };
            if format == Format::Json {
                let label = serde_json::Value::from(member.label());
                // Lists have a line for each entry.
                let result: String = String::from_utf8_lossy(&body).lines().collect();
                writeln!(out, "{{\"repository\":{label},\"result\":{result}}}")?;
            } else {
                let separator = if statuses.is_empty() { "" } else { "\n" };
                let label = styled(self.colors.stdout, BOLD, &safe(member.label()));
                writeln!(out, "{separator}{label}")?;
                out.write_all(&body)?;
            }
            statuses.push(status);
        }
        out.flush()?;
        Ok(statuses)
    }

    /// Updates the index of a single repository. An index that can be read but not written is used as it is, with a
    /// note.
    ///
    /// # Errors
    /// When the store can't be used, or the user does not agree to index the folder.
    pub fn refreshed(&self, mut engine: Engine) -> Result<Engine, CliError> {
        self.check_folder()?;
        consent::require(self, &engine)?;
        let progress = Progress::new(self.colors.stderr);
        let refreshed = engine.index(false, None, &|step| progress.show(step));
        progress.finish();
        match refreshed {
            Ok(report) => report.notes.iter().for_each(|note| self.note(note)),
            Err(error) => self.note_unwritten(&engine, error)?,
        }
        Ok(engine)
    }

    /// Prints notes on unusable entries in the seed files of the user and of the repositories, each once.
    pub fn note_seeds<'a>(&self, vocabularies: impl IntoIterator<Item = &'a Vocabulary>) {
        let mut noted = BTreeSet::new();
        for problem in vocabularies.into_iter().flat_map(|vocabulary| vocabulary.problems()) {
            let text = format!("seeds: {problem}");
            if noted.insert(text.clone()) {
                self.note(&text);
            }
        }
    }

    /// Prints a note for each repository in which nothing is indexed, and returns whether that is so in all.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn note_empty(&self, workspace: &Workspace) -> Result<bool, CliError> {
        let mut is_empty = true;
        for member in workspace.members() {
            let reason = match member.ranker() {
                Some(ranker) => reason_without_files(ranker.reader())?,
                None if workspace.is_single() => reason_without_files(&member.engine().reader()?)?,
                None => continue,
            };
            match &reason {
                None => is_empty = false,
                Some(reason) if workspace.is_single() => self.note(reason),
                Some(reason) => self.note(&format!("{}: {reason}", member.label())),
            }
        }
        Ok(is_empty)
    }

    /// Prints a note about code that no grammar reads, where an answer may lack it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn note_unread(&self, reader: &Reader) -> Result<(), CliError> {
        unread_code(reader)?.iter().for_each(|unread| self.note(unread));
        Ok(())
    }

    /// Prints a note if nothing is indexed, and returns whether it did.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn note_without_files(&self, reader: &Reader) -> Result<bool, CliError> {
        let reason = reason_without_files(reader)?;
        reason.iter().for_each(|reason| self.note(reason));
        Ok(reason.is_some())
    }

    /// Prints a note to standard error.
    pub fn note(&self, text: &str) {
        note(&styled(self.colors.stderr, DIM, "note:"), text);
    }
}

/// Returns the file of `--workspace`, which may be a folder with one in it or above it.
fn workspace_file(path: &Path) -> Result<PathBuf, CliError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    find_file(path).ok_or_else(|| CliError::Usage(format!("no {FILE_NAME} in {} or above it", path.display())))
}

/// Returns whether an error prevents writing to the store, but not reading from it.
fn is_write_error(error: &StoreError) -> bool {
    use StoreError::{Busy, Device, DiskFull, ReadOnly};
    matches!(error, Busy { .. } | ReadOnly { .. } | DiskFull { .. } | Device { .. })
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> CliError {
        match error {
            EngineError::Budget(_)
            | EngineError::Line(_)
            | EngineError::NoKeywords { .. }
            | EngineError::Name(_)
            | EngineError::UnknownFile { .. }
            | EngineError::Component(_)
            | EngineError::Changes(ChangesError::UnknownBase { .. }) => CliError::Usage(error.to_string()),
            error => CliError::Unusable(error.into()),
        }
    }
}

impl From<WorkspaceError> for CliError {
    fn from(error: WorkspaceError) -> CliError {
        match error {
            WorkspaceError::Engine(error) => error.into(),
            WorkspaceError::Unreadable { .. } => CliError::Unusable(error.into()),
            WorkspaceError::Empty | WorkspaceError::File { .. } | WorkspaceError::Member(_) => {
                CliError::Usage(error.to_string())
            }
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::Unusable(error.into())
    }
}
