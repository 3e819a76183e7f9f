//! Workspaces: several repositories that are indexed, ranked and asked as one.
//!
//! A [`Workspace`] has one [`Engine`] for each repository, its members, and no index of its own. A member that can't be
//! used is a note, and the others answer. Scores of different members are compared by the rules of [`merge`].

mod across;
mod answers;
mod cross_edges;
mod file;
mod indexing;
mod labels;
mod likelihood;
mod loading;
pub mod merge;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use across::alternating;
pub use answers::Counterfactual;
pub use cross_edges::edges_between;
use file::MAX_MEMBERS;
pub use file::{FILE_NAME, find_file};
pub use indexing::MemberReport;
pub use merge::{MemberShare, WorkspaceRanking};

use crate::atomic_file;
use crate::engine::inspect::NameError;
use crate::engine::{Engine, EngineError, Questions, Ranker, Ranking, path_below};
use crate::model::{MemberNode, Question, Repositories, RepositoryName, Request, Symbol, Task, below_root};
use crate::query;
use crate::scan::Repository;
use crate::scan::repository::is_checkout;
use cross_edges::CrossEdges;
use labels::labels;

/// A repository of a workspace, as a user names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberSource {
    pub folder: PathBuf,
    /// Its label; `None` for a part of the repository's id.
    pub label: Option<String>,
    /// Its database, if not the default one.
    pub database: Option<PathBuf>,
    /// The file and line that name it; `None` for the command line.
    pub origin: Option<(PathBuf, usize)>,
}

/// An error that prevents a workspace from being opened.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("a workspace needs at least one repository")]
    Empty,
    #[error("{path} can't be read: {cause}")]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("{path}:{line}: {text}")]
    File { path: PathBuf, line: usize, text: String },
    #[error("{0}")]
    Member(String),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// One repository of a workspace.
pub struct Member {
    label: String,
    /// The folder by which the user named it, if that is its root.
    shown_folder: PathBuf,
    /// Its position in the workspace.
    position: usize,
    engine: Engine,
    ranker: Option<Ranker>,
    /// A ranking that was computed while the index was updated, and its request.
    prefetched: Option<(Ranking, Task)>,
    problem: Option<String>,
}

/// Several repositories that are ranked and asked as one.
pub struct Workspace {
    members: Vec<Member>,
    /// The edges between members; `None` before they are needed.
    cross_edges: Option<Arc<CrossEdges>>,
    /// The folder below the root of a single repository from which people read and name paths.
    folder: String,
    /// Sentences on the folders that are named and do not exist.
    missing: Vec<String>,
}

impl Member {
    /// Returns the short name, unique in the workspace, such as `flask`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the engine of the repository.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the path below the root of a file that a user names; `None` if it is of another repository. Of several
    /// repositories, whose names are given, a path begins with a label, is absolute, or is that of a file in each of them that
    /// has it.
    pub fn own_path(&self, names: &Repositories, file: &str) -> Option<String> {
        match names.split_label(file) {
            Some((owner, rest)) => (owner == self.engine.repository()).then(|| rest.to_owned()),
            None if names.is_empty() => Some(path_below(self.root(), file)),
            None if Path::new(file).is_absolute() => Some(path_below(self.root(), file)).filter(|below| below != file),
            None => below_root("", file).filter(|below| self.root().join(below).is_file()),
        }
    }

    /// Returns the root of the repository.
    pub fn root(&self) -> &Path {
        self.engine.root()
    }

    /// Returns the position in the workspace.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the loaded index; `None` before it is loaded, and if it can't be used.
    pub fn ranker(&self) -> Option<&Ranker> {
        self.ranker.as_ref()
    }

    /// Returns why the member does not answer, or why its answers may be out of date.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

impl Workspace {
    /// Opens the repositories without reading their indexes. `prepare` sets options of each engine, such as its share.
    ///
    /// # Errors
    /// When a folder can't be opened, or two of the repositories are the same or one is in another. Of several folders, those that
    /// do not exist are left out; see [`Workspace::missing`].
    pub fn open(sources: &[MemberSource], prepare: &dyn Fn(Engine) -> Engine) -> Result<Workspace, WorkspaceError> {
        let mut members: Vec<Member> = Vec::new();
        let (present, absent): (Vec<&MemberSource>, Vec<&MemberSource>) =
            sources.iter().partition(|source| source.folder.exists());
        let missing = match present.is_empty() {
            true => Vec::new(),
            false => absent.into_iter().filter_map(|source| Some(open_engine(source).err()?.to_string())).collect(),
        };
        let sources: Vec<&MemberSource> = if present.is_empty() { sources.iter().collect() } else { present };
        for (position, source) in sources.iter().copied().enumerate() {
            let engine = open_engine(source)?;
            if let Some(text) =
                members.iter().zip(&sources).find_map(|(other, name)| conflict(&engine, source, other, name))
            {
                return Err(problem(source, text));
            }
            let is_root = source.folder.canonicalize().is_ok_and(|folder| folder == engine.root());
            let shown_folder = if is_root { source.folder.clone() } else { engine.root().to_owned() };
            let engine = prepare(engine);
            members.push(Member {
                label: String::new(),
                shown_folder,
                position,
                engine,
                ranker: None,
                prefetched: None,
                problem: None,
            });
        }
        match members.len() {
            0 => return Err(WorkspaceError::Empty),
            1..=MAX_MEMBERS => {}
            _ => return Err(WorkspaceError::Member(format!("more than {MAX_MEMBERS} repositories"))),
        }
        let named: Vec<(&str, Option<&str>)> = (members.iter().zip(&sources))
            .map(|(member, source)| (member.engine.repository(), source.label.as_deref()))
            .collect();
        let labels = labels(&named).map_err(|(position, text)| problem(sources[position], text))?;
        for (member, label) in members.iter_mut().zip(labels) {
            member.label = label;
        }
        Ok(Workspace { members, cross_edges: None, folder: String::new(), missing })
    }

    /// Returns the workspace of one repository, without reading its index.
    pub fn single(engine: Engine) -> Workspace {
        let member = Member {
            label: String::new(),
            shown_folder: engine.root().to_owned(),
            position: 0,
            engine,
            ranker: None,
            prefetched: None,
            problem: None,
        };
        Workspace { members: vec![member], cross_edges: None, folder: String::new(), missing: Vec::new() }
    }

    /// Sets the loaded index of a member.
    pub fn set_ranker(&mut self, position: usize, ranker: Ranker) {
        if let Some(member) = self.members.get_mut(position) {
            member.ranker = Some(ranker);
        }
    }

    /// Takes the loaded index of a member.
    pub fn take_ranker(&mut self, position: usize) -> Option<Ranker> {
        self.members.get_mut(position)?.ranker.take()
    }

    /// Returns the same repositories with these engines, in their order, and without loaded indexes.
    pub fn with_engines(&self, engines: impl IntoIterator<Item = Engine>) -> Workspace {
        let member = |(member, engine): (&Member, Engine)| Member {
            label: member.label.clone(),
            shown_folder: member.shown_folder.clone(),
            position: member.position,
            engine,
            ranker: None,
            prefetched: None,
            problem: None,
        };
        let members = self.members.iter().zip(engines).map(member).collect();
        Workspace { members, cross_edges: self.cross_edges.clone(), folder: self.folder.clone(), missing: Vec::new() }
    }

    /// Returns the repositories with what can be read before their first indexes are built: of each large one without an index
    /// the files that a request seems to be about, and the indexes of others that have one. Returns a sentence about what was
    /// read; `None` if no repository needs it.
    ///
    /// # Errors
    /// When an index can't be read, or a temporary one can't be written.
    pub fn first_look(&self, request: &Request) -> Result<Option<(Workspace, String)>, EngineError> {
        let is_single = self.is_single();
        let mut looking = self.with_engines(self.members.iter().map(|member| member.engine.clone()));
        let (indexed, new): (Vec<_>, Vec<_>) =
            looking.members.iter_mut().partition(|member| member.engine.reader().is_ok());
        let mut notices = Vec::new();
        for member in new {
            let survey = member.engine.survey();
            if survey.is_large() {
                let look = survey.first_look(request)?;
                let label = if is_single { String::new() } else { format!("{}: ", member.label) };
                notices.push(format!("{label}{}", look.notice()));
                member.ranker = Some(look.ranker);
            }
        }
        if notices.is_empty() {
            return Ok(None);
        }
        for member in indexed {
            member.ranker = Some(member.engine.ranker()?);
        }
        Ok(Some((looking, notices.join("; "))))
    }

    /// Takes over the edges between the same repositories that another workspace has found. They are used while the indexes
    /// are the same.
    pub fn keep_cross_edges(&mut self, other: &Workspace) {
        self.cross_edges = other.cross_edges.clone();
    }

    /// Returns the position of the member that a path in output is of, and the path within it. Where there are several
    /// repositories, paths begin with a label.
    pub fn split_path<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        if self.is_single() {
            return Some((0, path));
        }
        let own = |member: &Member| path.strip_prefix(member.label.as_str())?.strip_prefix('/');
        self.members.iter().find_map(|member| Some((member.position, own(member)?)))
    }

    /// Returns a path of a member as in output.
    pub fn shown_path(&self, position: usize, path: &str) -> String {
        if self.is_single() { path.to_owned() } else { format!("{}/{path}", self.members[position].label) }
    }

    /// Returns whether it is a single repository, whose label output omits.
    pub fn is_single(&self) -> bool {
        self.members.len() == 1
    }

    /// Returns the column of each symbol's name, in bytes from 1; 1 where the file has changed.
    ///
    /// # Errors
    /// When an index can't be read.
    pub fn columns(&self, symbols: &[&Symbol]) -> Result<Vec<u32>, EngineError> {
        let mut columns = vec![1; symbols.len()];
        for member in &self.members {
            let is_own = |symbol: &Symbol| self.is_single() || symbol.repository() == member.engine.repository();
            let own: Vec<usize> = (0..symbols.len()).filter(|index| is_own(symbols[*index])).collect();
            if !own.is_empty() {
                let of_member: Vec<&Symbol> = own.iter().map(|index| symbols[*index]).collect();
                own.into_iter().zip(member.engine.columns(&of_member)?).for_each(|(index, one)| columns[index] = one);
            }
        }
        Ok(columns)
    }

    /// Returns the members in the order in which they were named.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the member with this label.
    pub fn member(&self, label: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.label == label)
    }

    /// Returns the member whose repository defines a symbol.
    pub fn member_of(&self, symbol: &Symbol) -> Option<&Member> {
        self.members.iter().find(|member| self.is_single() || member.engine.repository() == symbol.repository())
    }

    /// Returns a symbol of a loaded member; `None` if there is none, or its store can't be read.
    pub fn symbol(&self, node: MemberNode) -> Option<Symbol> {
        self.members.get(node.position())?.ranker.as_ref()?.reader().symbol(node.node).ok()?
    }

    /// Reads and names paths from this folder, if it is in the repository of a workspace of one.
    pub fn set_folder(&mut self, folder: &Path) {
        let [member] = self.members.as_slice() else { return };
        let (Ok(root), Ok(folder)) = (member.root().canonicalize(), folder.canonicalize()) else { return };
        let below = folder.strip_prefix(&root).map(Path::to_owned).unwrap_or_default();
        self.folder = below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    }

    /// Returns the folder of [`Workspace::set_folder`] as a path below the root; empty at the root.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns a path, or a name or location that begins with one, as it is from the root: people name `app.py:12` in the
    /// folder of `app.py`. What is no file there stays as it is.
    pub fn from_root(&self, name: &str) -> String {
        let colon = name.find(':').filter(|at| !name[at + 1..].starts_with(':'));
        let (path, rest) = name.split_at(colon.or_else(|| name.find("#L")).unwrap_or(name.len()));
        // A bare name is that of a symbol first.
        let is_path = path.contains(['/', '.']) || !rest.is_empty();
        let found = self
            .members
            .first()
            .filter(|_| is_path && !self.folder.is_empty())
            .map(|member| (member, path_below(member.root(), &format!("{}/{path}", self.folder))))
            .filter(|(member, below)| !path.starts_with('/') && member.root().join(below).is_file());
        found.map_or_else(|| name.to_owned(), |(_, below)| format!("{below}{rest}"))
    }

    /// Returns the names of the repositories in output; empty for a workspace of one.
    pub fn repositories(&self) -> Repositories {
        if self.is_single() {
            return Repositories::seen_from(&self.folder);
        }
        Repositories::new(self.members.iter().map(|member| {
            let folder = member.shown_folder.to_string_lossy().into_owned();
            (member.engine.repository().to_owned(), RepositoryName { label: member.label.clone(), folder })
        }))
    }

    /// Joins the loaded indexes for questions.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn questions(&mut self) -> Result<Questions<'_>, EngineError> {
        self.cross_edges()?;
        let rankers: Vec<Option<&Ranker>> = self.members.iter().map(Member::ranker).collect();
        let several = self.cross_edges.as_ref().filter(|_| !self.is_single());
        let joined = several.map(|known| known.joined(&rankers)).transpose()?;
        Questions::new(&rankers, joined, self.repositories())
    }

    /// Returns the question that a task is, for each symbol of a name in it that at most `limit` symbols have; none if the task is
    /// no question, or a name in it is unknown.
    ///
    /// # Errors
    /// When more symbols have a name in it, or a store can't be read.
    pub fn questions_of(&mut self, task: &str, limit: usize) -> Result<Vec<Question>, EngineError> {
        // Most tasks are none, and the questions of several repositories need the graph of all.
        for question in query::readings(task) {
            let meant = self.questions()?.meant(&question, limit)?;
            if !meant.is_empty() {
                return Ok(meant);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the name of a question about users that no symbol has, if it is written as code and not as a word of a sentence: that
    /// of a flag, or of code outside.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn unknown_name(&mut self, task: &str) -> Result<Option<Box<NameError>>, EngineError> {
        let is_sign = |letter: char| letter.is_uppercase() || matches!(letter, '_' | '-' | '.' | ':' | '/');
        let asked = query::question(task);
        let name = asked.as_ref().and_then(Question::used).filter(|name| name.chars().skip(1).any(is_sign));
        let Some(name) = name else { return Ok(None) };
        match self.questions()?.named(name) {
            Err(EngineError::Name(error)) if error.may_be_text() => Ok(Some(error)),
            Err(EngineError::Name(_)) | Ok(_) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns a sentence about each folder that was named and does not exist.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns a sentence about each member that does not answer, or whose answers may be out of date.
    pub fn notes(&self) -> Vec<String> {
        let note = |member: &Member| Some(format!("{}: {}", member.label, member.problem.as_ref()?));
        self.members.iter().filter_map(note).collect()
    }
}

/// Opens the engine of a source.
fn open_engine(source: &MemberSource) -> Result<Engine, WorkspaceError> {
    let folder = &source.folder;
    if !folder.is_dir() {
        let reason = if folder.exists() { "is not a folder" } else { "does not exist" };
        return Err(problem(source, format!("{} {reason}", folder.display())));
    }
    let engine = Engine::open(folder, source.database.as_deref())?;
    let file = source.origin.as_ref().filter(|_| source.database.is_some());
    if file.is_some_and(|(file, _)| is_in_repository(&engine, file)) {
        let database = engine.database().display();
        let text =
            format!("{database} is in a repository, so it can be from anyone; leave out db, or name a file elsewhere");
        return Err(problem(source, text));
    }
    Ok(engine)
}

/// Returns whether the database of a member is in its repository or in that of the file which names it.
fn is_in_repository(engine: &Engine, file: &Path) -> bool {
    let of_file = Repository::find(atomic_file::folder(file)).ok().map(|repository| repository.root);
    let of_file = of_file.filter(|root| is_checkout(root));
    let folder = atomic_file::folder(engine.database()).canonicalize().ok();
    folder.is_some_and(|folder| {
        of_file.iter().map(PathBuf::as_path).chain([engine.root()]).any(|root| folder.starts_with(root))
    })
}

/// Returns why a repository can't be in one workspace with another.
fn conflict(engine: &Engine, source: &MemberSource, other: &Member, other_source: &MemberSource) -> Option<String> {
    let [one, two] = [source, other_source].map(|source| source.folder.display().to_string());
    let [root, known] = [engine.root(), other.engine.root()];
    if root == known && one == two {
        Some(format!("{one} is named twice"))
    } else if root == known {
        Some(format!("{one} and {two} are the same repository, {}", root.display()))
    } else if root.starts_with(known) {
        Some(format!("{one} is inside {two}, which has its files already"))
    } else if known.starts_with(root) {
        Some(format!("{two} is inside {one}, which has its files already"))
    } else if engine.database() == other.engine.database() {
        Some(format!("{one} and {two} have the same db, {}", engine.database().display()))
    } else if engine.repository() == other.engine.repository() {
        let id = engine.repository();
        Some(format!(
            "{one} and {two} have the same id, {id}; the id is the git remote, or without one the folder's name"
        ))
    } else {
        None
    }
}

fn problem(source: &MemberSource, text: String) -> WorkspaceError {
    match &source.origin {
        Some((path, line)) => WorkspaceError::File { path: path.clone(), line: *line, text },
        None => WorkspaceError::Member(text),
    }
}
