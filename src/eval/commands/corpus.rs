//! The options that select the repositories of task files and their databases.

use std::path::PathBuf;

use clap::Args;

use crate::engine::Engine;
use knowing::cli::exit::CliError;
use knowing::cli::session::Session;

/// The repositories of task files and their databases.
#[derive(Debug, Args)]
pub struct CorpusArguments {
    /// Folder that contains the repositories [default: all tasks are about the repository of --repo]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Folder for the databases [default: one in each repository]
    #[arg(long, value_name = "DIR")]
    pub databases: Option<PathBuf>,
}

impl CorpusArguments {
    /// Checks the options.
    ///
    /// # Errors
    /// When `--db` is given too, or the corpus is not a folder.
    pub fn check(&self, session: &Session) -> Result<(), CliError> {
        if session.db().is_some() && (self.corpus.is_some() || self.databases.is_some()) {
            return Err(CliError::Usage("--db is one database; use --databases for several".to_owned()));
        }
        if let Some(corpus) = self.corpus.as_ref().filter(|corpus| !corpus.is_dir()) {
            let problem = anyhow::anyhow!(
                "{} is not a folder; --corpus takes the folder that contains the repositories",
                corpus.display()
            );
            return Err(CliError::Unusable(problem));
        }
        Ok(())
    }

    /// Returns the folder of a repository.
    ///
    /// # Errors
    /// When there is none.
    pub fn folder(&self, session: &Session, repository: &str) -> Result<PathBuf, CliError> {
        session.folder(self.corpus.as_ref().map(|corpus| corpus.join(repository)).as_deref())
    }

    /// Builds or updates the index of a repository.
    ///
    /// # Errors
    /// When the repository or its database can't be used.
    pub fn engine(&self, session: &Session, repository: &str) -> Result<Engine, CliError> {
        let folder = self.corpus.as_ref().map(|corpus| corpus.join(repository));
        let engine = match &self.databases {
            Some(databases) => {
                let database = databases.join(format!("{repository}.db"));
                Engine::open(&session.folder(folder.as_deref())?, Some(&database))?
            }
            None => session.engine(folder.as_deref())?,
        };
        session.refreshed(engine)
    }
}
