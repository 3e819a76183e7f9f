//! Finds the checked-out commit, its nearest ancestor among other commits, and the authors of commits.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use git2::{Oid, Sort};

use super::log::{author_of, bytes, head_of};
use super::{HistoryError, open};
use crate::model::CommitId;

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
    let Some(repository) = open(root)? else { return Ok(None) };
    let Some(head) = head_of(&repository)? else { return Ok(None) };
    let tree = repository.find_commit(head)?.tree_id();
    Ok(Some(Tip { commit: bytes(head), tree: bytes(tree) }))
}

/// Returns the first of `commits` that a walk from the checked-out commit into its history meets, and the number of
/// commits before it.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn nearest_ancestor(root: &Path, commits: &HashSet<CommitId>) -> Result<Option<(CommitId, usize)>, HistoryError> {
    let Some(repository) = open(root)? else { return Ok(None) };
    let Some(head) = head_of(&repository)? else { return Ok(None) };
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TIME)?;
    walk.push(head)?;
    for (distance, id) in walk.take(MAX_ANCESTORS).enumerate() {
        let id = bytes(id?);
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
    let Some(repository) = open(root)? else { return Ok(Vec::new()) };
    let Some(head) = head_of(&repository)? else { return Ok(Vec::new()) };
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TIME)?;
    walk.push(head)?;
    let found = walk.take(limit).map(|id| {
        let id = id?;
        Ok(Tip { commit: bytes(id), tree: bytes(repository.find_commit(id)?.tree_id()) })
    });
    found.collect()
}

/// Returns the authors of those commits that the repository has.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn authors(root: &Path, commits: &[CommitId]) -> Result<HashMap<CommitId, String>, HistoryError> {
    let Some(repository) = open(root)? else { return Ok(HashMap::new()) };
    let author = |id: &CommitId| {
        let commit = repository.find_commit(Oid::from_bytes(id).ok()?).ok()?;
        Some((*id, author_of(&commit)))
    };
    Ok(commits.iter().filter_map(author).collect())
}
