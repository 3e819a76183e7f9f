//! Git history, read through libgit2: nothing of the repository is executed, and nothing is written.
//!
//! [`mod@ancestors`] compares the checked-out commit with others; [`log`] lists commits with the files they touched; [`mod@trace`] attributes commits to symbols.

pub mod ancestors;
pub mod log;
pub mod trace;
mod tree;

pub use ancestors::{Tip, ancestors, authors, nearest_ancestor, tip};
pub(super) use log::head_of;
pub use log::{Commit, CommitLog, MAX_COMMITS, MAX_FILE_SUBJECTS, boundary, head, read_log};
pub use trace::{SymbolTrace, TracedFile, trace};

use super::repository::git_folder;

/// The history cannot be read, because `.git` is damaged or has an unknown format. Indexing continues without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the git history: {0}")]
pub struct HistoryError(String);

impl From<git2::Error> for HistoryError {
    fn from(error: git2::Error) -> HistoryError {
        HistoryError(error.message().to_owned())
    }
}

/// Opens the repository in this folder; `None` if there is none, or if `.git` is a link out of it.
pub(super) fn open(root: &std::path::Path) -> Result<Option<git2::Repository>, git2::Error> {
    if git_folder(root).is_none() {
        return Ok(None);
    }
    let flags = git2::RepositoryOpenFlags::NO_SEARCH;
    // Hashing every object again takes an eighth of a small repository's indexing. A damaged object still fails to unpack
    // or to parse, and only paths, times and subjects are read from it.
    git2::opts::strict_hash_verification(false);
    match git2::Repository::open_ext(root, flags, std::iter::empty::<&std::ffi::OsStr>()) {
        Ok(repository) => Ok(Some(repository)),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
