//! Commands over several repositories: `--repo` more than once, or `--workspace`.

mod answer;
mod context;
mod export;
mod feedback;
mod tables;

use std::path::{Path, PathBuf};

pub use answer::answer;
pub use context::context;
pub use export::export;
pub use feedback::feedback;
pub use tables::{index, query, stats};

use super::arguments::{Arguments, Command};
use super::consent;
use super::exit::CliError;
use super::progress::Progress;
use super::session::{Session, prepared};
use crate::engine::{Engine, IndexOptions};
use crate::workspace::{FILE_NAME, MemberSource, Workspace, WorkspaceError, find_file};

/// Checks that the command can be about several repositories, if it is.
///
/// # Errors
/// When it can't.
pub fn check(session: &Session, arguments: &Arguments) -> Result<(), CliError> {
    if !session.has_workspace() {
        return Ok(());
    }
    if session.db().is_some() {
        return Err(one_database());
    }
    match &arguments.command {
        None | Some(Command::Tui(_) | Command::Completions(_) | Command::Man(_)) => Ok(()),
        Some(Command::Context(_) | Command::Query(_) | Command::Index(_) | Command::Stats(_)) => Ok(()),
        Some(Command::Callers(_) | Command::Callees(_) | Command::Impact(_)) => Ok(()),
        Some(Command::Export(_) | Command::Feedback(_)) => Ok(()),
        Some(_) => {
            let commands = "context, callers, callees, impact, query, export, feedback, index and stats";
            Err(CliError::Usage(format!("this command is about one repository; {commands} can be about several")))
        }
    }
}

/// Returns the error for `--db` with several repositories.
pub fn one_database() -> CliError {
    CliError::Usage("--db is one database; in a workspace.toml each repository may have a db".to_owned())
}

/// Opens the repositories of `--workspace`, of `--repo` and of these folders.
///
/// # Errors
/// When one can't be opened, or they can't be in one workspace.
pub fn open(session: &Session, folders: &[PathBuf]) -> Result<Workspace, CliError> {
    open_with(session, folders, &prepared)
}

fn open_with(
    session: &Session,
    folders: &[PathBuf],
    prepare: &dyn Fn(Engine) -> Engine,
) -> Result<Workspace, CliError> {
    let mut sources = match session.workspace() {
        Some(path) => MemberSource::read_file(&workspace_file(path)?)?,
        None => Vec::new(),
    };
    let named = session.repos().iter().chain(folders);
    sources.extend(named.map(|folder| MemberSource { folder: folder.clone(), ..MemberSource::default() }));
    Ok(Workspace::open(&sources, prepare)?)
}

/// Sets the options of an engine, with a share in place of the configured one.
fn with_share(engine: Engine, url: &str) -> Engine {
    let mut engine = prepared(engine);
    engine.set_share(Some(url.to_owned()));
    engine
}

/// Returns the file of `--workspace`, which may be a folder with one in it or above it.
fn workspace_file(path: &Path) -> Result<PathBuf, CliError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    find_file(path).ok_or_else(|| CliError::Usage(format!("no {FILE_NAME} in {} or above it", path.display())))
}

/// Opens the repositories, and builds or updates their indexes.
///
/// # Errors
/// When they can't be opened, or the user does not agree to index one.
pub fn indexed(session: &Session) -> Result<Workspace, CliError> {
    let mut workspace = open(session, &[])?;
    update(session, &mut workspace, &IndexOptions::default())?;
    workspace.load();
    workspace.notes().iter().for_each(|note| session.note(note));
    Ok(workspace)
}

/// Builds or updates the indexes. A repository that fails is a note, which [`Workspace::notes`] returns.
fn update(session: &Session, workspace: &mut Workspace, options: &IndexOptions) -> Result<(), CliError> {
    workspace.members().iter().try_for_each(|member| consent::require(session, member.engine()))?;
    workspace.members().iter().for_each(|member| consent::ask_for_scip(session, member.engine()));
    let progress = Progress::new(session.colors.stderr);
    let reports = workspace.index(options, &|label, step| progress.show_member(label, step));
    progress.finish();
    for report in &reports {
        let notes = report.report.iter().flat_map(|report| &report.notes);
        notes.for_each(|note| session.note(&format!("{}: {note}", report.label)));
    }
    Ok(())
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
