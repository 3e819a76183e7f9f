//! Reads the latest commits and the source files that each touched.

use std::collections::HashSet;
use std::path::Path;

use git2::{ErrorCode, Oid, Repository, Sort};
use rayon::prelude::*;

use super::tree::changed_files;
use super::{HistoryError, open};
use crate::lang;
use crate::model::CommitId;
use crate::scan::read::read_small;
use crate::scan::repository::{common_folder, git_folder};
use crate::scan::skip::SkipReason;

/// Maximum number of commits: about two years of a busy project.
pub const MAX_COMMITS: usize = 5_000;
/// Maximum number of commits per file whose subjects are used.
pub const MAX_FILE_SUBJECTS: usize = 200;
/// Commits that touch more files are bulk changes, which are not significant for any of them.
const MAX_FILES: usize = 30;
/// Longer subjects and authors are truncated.
const MAX_SUBJECT_CHARS: usize = 300;
const MAX_AUTHOR_CHARS: usize = 100;
/// Maximum size of the list of commits at which a shallow clone is cut.
const MAX_BOUNDARY_BYTES: u64 = 16 << 20;
/// Number of commits that one thread compares; each batch opens the repository anew.
const BATCH: usize = 256;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: CommitId,
    /// Seconds since 1970 in UTC, by the committer's clock.
    pub time: i64,
    pub author: String,
    /// First line of the message.
    pub subject: String,
    /// Source files that it touched, sorted. Empty for a merge and for a commit of more than 30 files of any kind.
    pub paths: Vec<String>,
}

/// The latest commits of the current branch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitLog {
    /// The checked-out commit; `None` without git or before the first commit.
    pub head: Option<CommitId>,
    /// All relevant commits, latest first. A known commit that is not listed (of another branch, or too old) must be
    /// forgotten, so that the result does not depend on earlier runs.
    pub order: Vec<CommitId>,
    /// The readable commits among them that were not known.
    pub new: Vec<Commit>,
    /// Number of unknown commits that cannot be read in full: a treeless clone has only their messages.
    pub unread: usize,
}

/// Returns the checked-out commit.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn head(root: &Path) -> Result<Option<CommitId>, HistoryError> {
    let head = open(root)?.map(|repository| head_of(&repository)).transpose()?;
    Ok(head.flatten().map(bytes))
}

/// Reads the commits that are not among `known`.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn read_log(root: &Path, known: &HashSet<CommitId>) -> Result<CommitLog, HistoryError> {
    let Some(repository) = open(root)? else { return Ok(CommitLog::default()) };
    let Some(head) = head_of(&repository)? else { return Ok(CommitLog::default()) };
    let boundary: HashSet<CommitId> = boundary(root)?.into_iter().collect();
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::TIME)?;
    walk.push(head)?;
    let mut order: Vec<Oid> = walk.take(MAX_COMMITS).collect::<Result<_, git2::Error>>()?;
    // At the boundary of a shallow clone commits have no parent to compare with; they are included once the clone is
    // deepened.
    order.retain(|id| !boundary.contains(&bytes(*id)));
    let unknown: Vec<Oid> = order.iter().copied().filter(|id| !known.contains(&bytes(*id))).collect();
    let batches: Vec<Vec<Commit>> =
        unknown.par_chunks(BATCH).map(|batch| read_commits(root, batch)).collect::<Result<_, HistoryError>>()?;
    let new: Vec<Commit> = batches.into_iter().flatten().collect();
    let unread = unknown.len() - new.len();
    Ok(CommitLog { head: Some(bytes(head)), order: order.into_iter().map(bytes).collect(), new, unread })
}

/// Returns the boundary commits of a shallow clone, sorted; empty for a full one.
///
/// # Errors
/// When the list exists but cannot be read.
pub fn boundary(root: &Path) -> Result<Vec<CommitId>, HistoryError> {
    let Some(folder) = git_folder(root) else { return Ok(Vec::new()) };
    let path = common_folder(&folder).join("shallow");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let unreadable = |reason: SkipReason| HistoryError(format!("{} was skipped: {}", path.display(), reason.name()));
    let text = read_small(&path, MAX_BOUNDARY_BYTES).map_err(unreadable)?;
    let text = String::from_utf8_lossy(&text);
    let ids = text.lines().map(|line| Oid::from_str(line.trim()).map(bytes));
    let mut ids: Vec<CommitId> = ids.collect::<Result<_, git2::Error>>()?;
    ids.sort_unstable();
    Ok(ids)
}

pub(in crate::scan) fn head_of(repository: &Repository) -> Result<Option<Oid>, git2::Error> {
    match repository.head() {
        Ok(head) => head.peel_to_commit().map(|commit| Some(commit.id())),
        // There is no commit yet.
        Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the commits that are readable.
fn read_commits(root: &Path, ids: &[Oid]) -> Result<Vec<Commit>, HistoryError> {
    let Some(repository) = open(root)? else { return Ok(Vec::new()) };
    Ok(ids.iter().filter_map(|&id| read_commit(&repository, id).ok()).collect())
}

fn read_commit(repository: &Repository, id: Oid) -> Result<Commit, git2::Error> {
    let commit = repository.find_commit(id)?;
    let subject = commit.message_bytes().split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let mut paths = match commit.parent_count() {
        0 => changed_files(repository, None, &commit.tree()?, MAX_FILES)?,
        1 => changed_files(repository, Some(&commit.parent(0)?.tree()?), &commit.tree()?, MAX_FILES)?,
        _ => None,
    }
    .unwrap_or_default();
    paths.retain(|path| lang::language_of(path).is_some());
    Ok(Commit {
        id: bytes(id),
        time: commit.time().seconds(),
        author: author_of(&commit),
        subject: text(subject.unwrap_or_default(), MAX_SUBJECT_CHARS),
        paths,
    })
}

/// Returns the name of a commit's author.
pub(super) fn author_of(commit: &git2::Commit<'_>) -> String {
    text(commit.author().name_bytes(), MAX_AUTHOR_CHARS)
}

/// Returns the first characters of a text.
fn text(bytes: &[u8], limit: usize) -> String {
    String::from_utf8_lossy(bytes).trim().chars().take(limit).collect()
}

pub(super) fn bytes(id: Oid) -> CommitId {
    let mut bytes = [0; 20];
    bytes.copy_from_slice(&id.as_bytes()[..20]);
    bytes
}
