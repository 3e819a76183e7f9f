//! Git history, read through a library: nothing of the repository is executed, and nothing is written.
//!
//! [`log`] lists commits with the files they touched; [`trace`] finds each symbol's own commits among those.

pub mod log;
pub mod trace;
mod tree;

pub use log::{Commit, CommitId, CommitLog, MAX_COMMITS, MAX_FILE_SUBJECTS, boundary, head, read_log};
pub use trace::{SymbolTrace, TracedFile, trace};

use super::repository::git_folder;

/// History can't be read: a damaged or foreign `.git`. Indexing goes on without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the git history can't be read: {0}")]
pub struct HistoryError(String);

impl From<git2::Error> for HistoryError {
    fn from(error: git2::Error) -> HistoryError {
        HistoryError(error.message().to_owned())
    }
}

/// Opens the repository in this very folder; nothing when there is none, or when `.git` is a link out of it.
fn open(root: &std::path::Path) -> Result<Option<git2::Repository>, git2::Error> {
    if git_folder(root).is_none() {
        return Ok(None);
    }
    let flags = git2::RepositoryOpenFlags::NO_SEARCH;
    match git2::Repository::open_ext(root, flags, std::iter::empty::<&std::ffi::OsStr>()) {
        Ok(repository) => Ok(Some(repository)),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
