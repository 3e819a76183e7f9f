//! Why an index could not be made.

use std::path::PathBuf;

use thiserror::Error;

use crate::store::StoreError;

/// An index was not made; the last complete one is still in place.
#[derive(Debug, Error)]
pub enum IndexError {
    /// There is nothing to index.
    #[error("can't index {path}: {cause}; name the folder of a repository")]
    Root { path: PathBuf, cause: std::io::Error },
    /// Threads could not be started.
    #[error("can't start threads: {0}; try `--jobs 1`")]
    Threads(String),
    /// The resolver stopped in a way that is a defect of this program.
    #[error("resolution stopped unexpectedly; please report it")]
    Resolution,
    /// The database can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
