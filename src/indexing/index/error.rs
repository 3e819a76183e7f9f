//! Errors of indexing.

use std::path::PathBuf;

use thiserror::Error;

use crate::store::StoreError;

/// An error of an index run. The last complete index is unchanged.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The path is not a folder that can be indexed.
    #[error("can't index {path}: {cause}; name the folder of a repository")]
    Root { path: PathBuf, cause: std::io::Error },
    /// Threads could not be started.
    #[error("can't start threads: {0}; raise the limit of processes (`ulimit -u`)")]
    Threads(String),
    /// The resolver panicked.
    #[error("resolution stopped unexpectedly; please report it")]
    Resolution,
    /// A SCIP index can't be used.
    #[error("{path}: {cause}")]
    Scip { path: PathBuf, cause: String },
    /// The database can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
