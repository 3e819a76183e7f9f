//! The newest commits and the source files that each touched.

use std::collections::HashSet;
use std::path::Path;

use git2::{Oid, Repository, Sort};
use rayon::prelude::*;

use super::tree::changed_files;
use super::{HistoryError, open};
use crate::lang;

/// No more than this many of the newest commits are read: about two years of a busy project.
pub const MAX_COMMITS: usize = 5_000;
/// Of one file, the subjects of this many of its newest commits count (SPEC §4).
pub const MAX_FILE_SUBJECTS: usize = 200;
/// A commit that touches more files says nothing about any of them (SPEC §4).
const MAX_FILES: usize = 30;
/// Longer subjects and authors are cut.
const MAX_SUBJECT_CHARS: usize = 300;
const MAX_AUTHOR_CHARS: usize = 100;
/// Commits compared by one thread at a time; each such batch opens the repository anew.
const BATCH: usize = 256;

/// A commit's name: its SHA-1.
pub type CommitId = [u8; 20];

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: CommitId,
    /// Seconds since 1970 in UTC, by the committer's clock.
    pub time: i64,
    pub author: String,
    /// First line of the message.
    pub subject: String,
    /// Source files that it touched, sorted; none for a merge and for a commit over 30 files of any kind.
    pub paths: Vec<String>,
}

/// The newest commits of the current branch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitLog {
    /// The commit that is checked out; nothing without git or before the first commit.
    pub head: Option<CommitId>,
    /// Every commit that counts, the newest first. A known commit that is not in it (another branch's, or too old by now)
    /// must be forgotten, so that the outcome does not depend on what was indexed before.
    pub order: Vec<CommitId>,
    /// Those of them that were not known.
    pub new: Vec<Commit>,
}

/// The commit that is checked out.
///
/// # Errors
/// When there is a `.git` that can't be read.
pub fn head(root: &Path) -> Result<Option<CommitId>, HistoryError> {
    Ok(open(root)?.as_ref().and_then(head_of).map(bytes))
}

/// Reads the commits that are not among `known`.
///
/// # Errors
/// When there is a `.git` that can't be read.
pub fn read_log(root: &Path, known: &HashSet<CommitId>) -> Result<CommitLog, HistoryError> {
    let Some(repository) = open(root)? else { return Ok(CommitLog::default()) };
    let Some(head) = head_of(&repository) else { return Ok(CommitLog::default()) };
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TIME)?;
    walk.push(head)?;
    // In a shallow clone the walk ends with an error where the history was cut: what came before counts.
    let order: Vec<Oid> = walk.map_while(Result::ok).take(MAX_COMMITS).collect();
    let unknown: Vec<Oid> = order.iter().copied().filter(|id| !known.contains(&bytes(*id))).collect();
    let batches: Vec<Vec<Commit>> =
        unknown.par_chunks(BATCH).map(|batch| read_commits(root, batch)).collect::<Result<_, HistoryError>>()?;
    Ok(CommitLog {
        head: Some(bytes(head)),
        order: order.into_iter().map(bytes).collect(),
        new: batches.into_iter().flatten().collect(),
    })
}

fn head_of(repository: &Repository) -> Option<Oid> {
    // An error here means that there is no commit yet.
    repository.head().ok()?.peel_to_commit().ok().map(|commit| commit.id())
}

fn read_commits(root: &Path, ids: &[Oid]) -> Result<Vec<Commit>, HistoryError> {
    let Some(repository) = open(root)? else { return Ok(Vec::new()) };
    Ok(ids.iter().map(|&id| read_commit(&repository, id)).collect::<Result<_, git2::Error>>()?)
}

fn read_commit(repository: &Repository, id: Oid) -> Result<Commit, git2::Error> {
    let commit = repository.find_commit(id)?;
    let text = |bytes: &[u8], limit: usize| String::from_utf8_lossy(bytes).trim().chars().take(limit).collect();
    let subject = commit.message_bytes().split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let mut paths = match commit.parent_count() {
        0 => changed_files(repository, None, &commit.tree()?, MAX_FILES)?,
        // A parent that a shallow clone lacks leaves nothing to compare with.
        1 => match commit.parent(0).and_then(|parent| parent.tree()) {
            Ok(before) => changed_files(repository, Some(&before), &commit.tree()?, MAX_FILES)?,
            Err(_) => None,
        },
        _ => None,
    }
    .unwrap_or_default();
    paths.retain(|path| lang::language_of(path).is_some());
    Ok(Commit {
        id: bytes(id),
        time: commit.time().seconds(),
        author: text(commit.author().name_bytes(), MAX_AUTHOR_CHARS),
        subject: text(subject.unwrap_or_default(), MAX_SUBJECT_CHARS),
        paths,
    })
}

fn bytes(id: Oid) -> CommitId {
    let mut bytes = [0; 20];
    bytes.copy_from_slice(&id.as_bytes()[..20]);
    bytes
}
