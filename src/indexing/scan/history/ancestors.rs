//! Finds the checked-out commit, its nearest ancestor among other commits, and the authors of commits.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::HistoryError;
use super::log::author_of;
use crate::model::CommitId;
use crate::scan::git::{GitError, full, open, short};

/// Maximum number of ancestors that are compared.
const MAX_ANCESTORS: usize = 20_000;

/// The checked-out commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tip {
    pub commit: CommitId,
    /// Hash of its tree. Commits with equal files have equal trees.
    pub tree: CommitId,
}

/// Returns the checked-out commit; `None` without git or before the first commit.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn tip(root: &Path) -> Result<Option<Tip>, HistoryError> {
    let Some(git) = open(root)? else { return Ok(None) };
    let Some(head) = git.head()? else { return Ok(None) };
    let tree = git.commit(head)?.tree_id().map_err(GitError::from)?;
    Ok(Some(Tip { commit: short(&head), tree: short(&tree) }))
}

/// Returns the first of `commits` that a walk from the checked-out commit into its history meets, and the number of
/// commits before it.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn nearest_ancestor(root: &Path, commits: &HashSet<CommitId>) -> Result<Option<(CommitId, usize)>, HistoryError> {
    let Some(git) = open(root)? else { return Ok(None) };
    let Some(head) = git.head()? else { return Ok(None) };
    for (distance, id) in git.walk(head)?.take(MAX_ANCESTORS).enumerate() {
        let id = short(&id?);
        if commits.contains(&id) {
            return Ok(Some((id, distance)));
        }
    }
    Ok(None)
}

/// Returns the checked-out commit and the commits before it, at most `limit`, the latest first.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn ancestors(root: &Path, limit: usize) -> Result<Vec<Tip>, HistoryError> {
    let Some(git) = open(root)? else { return Ok(Vec::new()) };
    let Some(head) = git.head()? else { return Ok(Vec::new()) };
    let found = git.walk(head)?.take(limit).map(|id| {
        let id = id?;
        let tree = git.commit(id)?.tree_id().map_err(GitError::from)?;
        Ok(Tip { commit: short(&id), tree: short(&tree) })
    });
    found.collect()
}

/// Returns the authors of those commits that the repository has.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn authors(root: &Path, commits: &[CommitId]) -> Result<HashMap<CommitId, String>, HistoryError> {
    let Some(git) = open(root)? else { return Ok(HashMap::new()) };
    let author = |id: &CommitId| {
        let commit = git.repository.find_commit(full(&git.repository, id)?).ok()?;
        Some((*id, author_of(&commit)))
    };
    Ok(commits.iter().filter_map(author).collect())
}
