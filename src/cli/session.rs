//! The global options of an invocation, and functions that open the engine with an up-to-date index.

use std::path::{Path, PathBuf};

use super::arguments::GlobalArguments;
use super::consent;
use super::exit::CliError;
use super::output::{Colors, DIM, note, styled};
use super::progress::Progress;
use crate::engine::concepts::Vocabulary;
use crate::engine::{
    Cache, ChangesError, Engine, EngineError, Experience, IndexError, Prefetch, Prefetched, Ranker, Reader, StoreError,
    configured_share, reason_without_files, unread_code,
};
use crate::model::Task;

/// The global options of one invocation.
pub struct Session {
    pub colors: Colors,
    /// Whether questions are answered with yes.
    pub yes: bool,
    db: Option<PathBuf>,
    repos: Vec<PathBuf>,
    workspace: Option<PathBuf>,
}

impl Session {
    /// Reads the global options.
    pub fn new(arguments: &GlobalArguments) -> Session {
        let GlobalArguments { db, repo: repos, workspace, .. } = arguments;
        let (db, repos, workspace) = (db.clone(), repos.clone(), workspace.clone());
        Session { colors: Colors::new(arguments.color), yes: arguments.yes, db, repos, workspace }
    }

    /// Returns the folder to work in: the command's argument, else `--repo`, else the current folder.
    ///
    /// # Errors
    /// When it is no folder.
    pub fn folder(&self, argument: Option<&Path>) -> Result<PathBuf, CliError> {
        let folder = argument.or(self.repos.first().map(PathBuf::as_path)).unwrap_or(Path::new("."));
        if folder.is_dir() {
            return Ok(folder.to_owned());
        }
        let problem = if folder.exists() { "is not a folder" } else { "does not exist" };
        Err(CliError::Unusable(anyhow::anyhow!("{} {problem}", folder.display())))
    }

    /// Returns the folders of `--repo`.
    pub fn repos(&self) -> &[PathBuf] {
        &self.repos
    }

    /// Returns the value of `--workspace`.
    pub fn workspace(&self) -> Option<&Path> {
        self.workspace.as_deref()
    }

    /// Returns whether the command is about several repositories.
    pub fn has_workspace(&self) -> bool {
        self.workspace.is_some() || self.repos.len() > 1
    }

    /// Returns the value of `--db`.
    pub fn db(&self) -> Option<&Path> {
        self.db.as_deref()
    }

    /// Opens the engine without reading or writing its index.
    ///
    /// # Errors
    /// When the folder or the store can't be used.
    pub fn engine(&self, argument: Option<&Path>) -> Result<Engine, CliError> {
        Ok(prepared(Engine::open(&self.folder(argument)?, self.db.as_deref())?))
    }

    /// Opens the engine and builds or updates its index.
    ///
    /// # Errors
    /// When the folder or the store can't be used.
    pub fn indexed(&self) -> Result<Engine, CliError> {
        self.refreshed(self.engine(None)?)
    }

    /// Opens the engine like [`Session::indexed`] and loads the index for ranking.
    ///
    /// # Errors
    /// When the folder or the store can't be used.
    pub fn ranker(&self) -> Result<(Engine, Ranker), CliError> {
        let (engine, Prefetched { ranker, .. }) = self.loaded(None)?;
        Ok((engine, ranker))
    }

    /// Opens the engine and loads the index like [`Session::ranker`], with the ranking of `task` if it could be
    /// computed while the index was updated.
    ///
    /// # Errors
    /// Those of [`Session::ranker`].
    pub fn ranked(&self, task: &Task) -> Result<(Engine, Prefetched), CliError> {
        self.loaded(Some(task))
    }

    fn loaded(&self, task: Option<&Task>) -> Result<(Engine, Prefetched), CliError> {
        let engine = self.engine(None)?;
        let prefetch = Prefetch::start(&engine, task);
        let engine = self.refreshed(engine)?;
        let loaded = prefetch.finish(&engine)?;
        Ok((engine, loaded))
    }

    /// Updates the engine's index. An index that can be read but not written is used as it is, with a note.
    ///
    /// # Errors
    /// When the store can't be used, or the user does not agree to index the folder.
    pub fn refreshed(&self, mut engine: Engine) -> Result<Engine, CliError> {
        consent::require(self, &engine)?;
        consent::ask_for_scip(self, &engine);
        let progress = Progress::new(self.colors.stderr);
        let refreshed = engine.index(false, None, &|step| progress.show(step));
        progress.finish();
        match refreshed {
            Ok(report) => report.notes.iter().for_each(|note| self.note(note)),
            Err(EngineError::Index(IndexError::Store(error))) if is_write_error(&error) && engine.reader().is_ok() => {
                self.note(&format!("the index may be out of date: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(engine)
    }

    /// Prints notes on unusable entries in the seed files of the user and of the repository.
    pub fn note_seeds(&self, vocabulary: &Vocabulary) {
        vocabulary.problems().iter().for_each(|problem| self.note(&format!("seeds: {problem}")));
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

/// Sets the share, the cache and the other people's votes that the user's settings name.
pub fn prepared(mut engine: Engine) -> Engine {
    engine.set_share(configured_share());
    engine.set_cache(Cache::of_user());
    engine.set_experience(Experience::of_user(engine.repository()));
    engine
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
            | EngineError::UnknownFile { .. }
            | EngineError::Component(_)
            | EngineError::Changes(ChangesError::UnknownBase { .. } | ChangesError::NoCommit { .. }) => CliError::Usage(error.to_string()),
            error => CliError::Unusable(error.into()),
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::Unusable(error.into())
    }
}
