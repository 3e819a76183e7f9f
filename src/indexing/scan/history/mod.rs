//! Git history, as [`super::git`] reads it.
//!
//! [`mod@ancestors`] compares the checked-out commit with others; [`log`] lists commits with the files they touched; [`mod@trace`] attributes commits to symbols.

pub mod ancestors;
pub mod log;
pub mod trace;
mod tree;

pub use ancestors::{Tip, ancestors, authors, nearest_ancestor, tip};
pub use log::{Commit, CommitLog, MAX_COMMITS, MAX_FILE_SUBJECTS, boundary, day, head, read_log};
pub(super) use trace::{Moved, present_changes};
pub use trace::{SymbolTrace, TracedFile, last_commit, trace};
pub(super) use tree::touched_files;

use super::git::GitError;

/// The history cannot be read, because `.git` is damaged or has an unknown format. Indexing continues without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the git history: {0}")]
pub struct HistoryError(String);

impl From<GitError> for HistoryError {
    fn from(error: GitError) -> HistoryError {
        HistoryError(error.to_string())
    }
}

#[cfg(test)]
mod tests;
