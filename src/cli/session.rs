//! What every command shares: the repository, the database, colors, the index made or refreshed on the way.

use std::path::{Path, PathBuf};

use super::arguments::Arguments;
use super::exit::CliError;
use super::output::{Colors, DIM, note, styled};
use super::progress::Progress;
use crate::engine::classes::Vocabulary;
use crate::engine::{Ahead, ChangesError, Engine, EngineError, IndexError, Loaded, Ranker, StoreError};
use crate::model::Task;

/// The global options of one run.
pub struct Session {
    pub colors: Colors,
    db: Option<PathBuf>,
    repo: Option<PathBuf>,
}

impl Session {
    pub fn new(arguments: &Arguments) -> Session {
        Session { colors: Colors::new(arguments.color), db: arguments.db.clone(), repo: arguments.repo.clone() }
    }

    /// The folder to work in: the one a command names, else `--repo`, else the current one.
    ///
    /// # Errors
    /// When it is no folder.
    pub fn folder(&self, named: Option<&Path>) -> Result<PathBuf, CliError> {
        let folder = named.or(self.repo.as_deref()).unwrap_or(Path::new("."));
        if folder.is_dir() {
            return Ok(folder.to_owned());
        }
        let what = if folder.exists() { "is not a folder" } else { "does not exist" };
        Err(CliError::Unusable(anyhow::anyhow!("{} {what}; name the folder of a repository", folder.display())))
    }

    /// The database that the user chose, if any.
    pub fn db(&self) -> Option<&Path> {
        self.db.as_deref()
    }

    /// The engine with whatever index there is.
    ///
    /// # Errors
    /// When the folder or the store can't be used.
    pub fn engine(&self, named: Option<&Path>) -> Result<Engine, CliError> {
        Ok(Engine::open(&self.folder(named)?, self.db.as_deref())?)
    }

    /// The engine with an index that is up to date: made when there is none, refreshed when files changed.
    ///
    /// # Errors
    /// When the folder or the store can't be used.
    pub fn indexed(&self) -> Result<Engine, CliError> {
        self.refreshed(self.engine(None)?)
    }

    /// The engine with an index that is up to date, like [`Session::indexed`], and that index loaded for ranking.
    ///
    /// # Errors
    /// When the folder or the store can't be used.
    pub fn ranker(&self) -> Result<(Engine, Ranker), CliError> {
        let (engine, Loaded { ranker, .. }) = self.loaded(None)?;
        Ok((engine, ranker))
    }

    /// The same, with the ranking of `task` where it could be made meanwhile.
    ///
    /// # Errors
    /// Those of [`Session::ranker`].
    pub fn ranked(&self, task: &Task) -> Result<(Engine, Loaded), CliError> {
        self.loaded(Some(task))
    }

    fn loaded(&self, task: Option<&Task>) -> Result<(Engine, Loaded), CliError> {
        let engine = self.engine(None)?;
        let ahead = Ahead::start(&engine, task);
        let engine = self.refreshed(engine)?;
        let loaded = ahead.finish(&engine)?;
        Ok((engine, loaded))
    }

    /// The engine with its index brought up to date, like [`Session::indexed`].
    ///
    /// # Errors
    /// When the store can't be used.
    pub fn refreshed(&self, mut engine: Engine) -> Result<Engine, CliError> {
        let progress = Progress::new(self.colors.stderr);
        let refreshed = engine.index(false, None, &|step| progress.show(step));
        progress.finish();
        match refreshed {
            Ok(report) => report.notes.iter().for_each(|remark| self.note(remark)),
            // Where only writing is impossible, an index that is there still answers.
            Err(EngineError::Index(IndexError::Store(error)))
                if only_writing_failed(&error) && engine.reader().is_ok() =>
            {
                self.note(&format!("the index may be out of date: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(engine)
    }

    /// Tells what can't be used of the seeds of the user and of the repository; everything else goes on without it.
    pub fn note_seeds(&self, vocabulary: &Vocabulary) {
        vocabulary.problems().iter().for_each(|problem| self.note(&format!("seeds: {problem}")));
    }

    /// A remark on standard error.
    pub fn note(&self, text: &str) {
        note(&styled(self.colors.stderr, DIM, "note:"), text);
    }
}

fn only_writing_failed(error: &StoreError) -> bool {
    use StoreError::{Busy, Device, DiskFull, ReadOnly};
    matches!(error, Busy { .. } | ReadOnly { .. } | DiskFull { .. } | Device { .. })
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> CliError {
        match error {
            EngineError::Budget(_)
            | EngineError::Line(_)
            | EngineError::Wordless { .. }
            | EngineError::UnknownFile { .. }
            | EngineError::Part(_)
            | EngineError::Changes(ChangesError::UnknownBase { .. }) => CliError::Usage(error.to_string()),
            error => CliError::Unusable(error.into()),
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::Unusable(error.into())
    }
}
