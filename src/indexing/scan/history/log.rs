//! Reads the latest commits and the source files that each touched.

use std::collections::HashSet;
use std::path::Path;

use gix::ObjectId;
use rayon::prelude::*;

use super::HistoryError;
use super::tree::changed_files;
use crate::lang;
use crate::model::CommitId;
use crate::scan::git::{self, GitError, common_folder, open, short};
use crate::scan::read::read_small;
use crate::scan::repository::git_folder;
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
/// Number of commits that one thread compares; each batch has its own caches.
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
    let Some(git) = open(root)? else { return Ok(None) };
    Ok(git.head()?.map(|head| short(&head)))
}

/// Reads the commits that are not among `known`.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn read_log(root: &Path, known: &HashSet<CommitId>) -> Result<CommitLog, HistoryError> {
    let Some(git) = open(root)? else { return Ok(CommitLog::default()) };
    let Some(head) = git.head()? else { return Ok(CommitLog::default()) };
    let boundary: HashSet<CommitId> = boundary(root)?.into_iter().collect();
    let mut order: Vec<ObjectId> = git.walk(head)?.take(MAX_COMMITS).collect::<Result<_, GitError>>()?;
    // At the boundary of a shallow clone commits have no parent to compare with; they are included once the clone is
    // deepened.
    order.retain(|id| !boundary.contains(&short(id)));
    let unknown: Vec<ObjectId> = order.iter().copied().filter(|id| !known.contains(&short(id))).collect();
    let shared = git.shared();
    let batches = unknown.par_chunks(BATCH).map(|batch| {
        let repository = git::local(&shared);
        // Those that are not readable are left out.
        batch.iter().filter_map(|id| read_commit(&repository, *id).ok()).collect()
    });
    let batches: Vec<Vec<Commit>> = batches.collect();
    let new: Vec<Commit> = batches.into_iter().flatten().collect();
    let unread = unknown.len() - new.len();
    Ok(CommitLog { head: Some(short(&head)), order: order.iter().map(|id| short(id)).collect(), new, unread })
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
    let ids = text.lines().map(|line| ObjectId::from_hex(line.trim().as_bytes()).map(|id| short(&id)));
    let mut ids: Vec<CommitId> = ids.collect::<Result<_, gix::Error>>().map_err(GitError::from)?;
    ids.sort_unstable();
    Ok(ids)
}

fn read_commit(repository: &gix::Repository, id: ObjectId) -> Result<Commit, gix::Error> {
    let commit = repository.find_commit(id)?;
    let parents: Vec<gix::Id<'_>> = commit.parent_ids().take(2).collect();
    let mut paths = match parents[..] {
        [] => changed_files(repository, None, &commit.tree()?, MAX_FILES)?,
        [parent] => {
            let before = repository.find_commit(parent)?.tree()?;
            changed_files(repository, Some(&before), &commit.tree()?, MAX_FILES)?
        }
        _ => None,
    }
    .unwrap_or_default();
    paths.retain(|path| lang::language_of(path).is_some());
    let subject = cut(&git::subject(&commit), MAX_SUBJECT_CHARS);
    Ok(Commit { id: short(&id), time: commit.time()?.seconds, author: author_of(&commit), subject, paths })
}

/// Returns the name of a commit's author.
pub(super) fn author_of(commit: &gix::Commit<'_>) -> String {
    let name = commit.author().map(|author| String::from_utf8_lossy(author.name).into_owned());
    cut(&name.unwrap_or_default(), MAX_AUTHOR_CHARS)
}

/// Returns the day of a time in UTC, such as `2026-11-25`.
pub fn day(seconds: i64) -> String {
    gix::date::Time::new(seconds, 0).format_or_unix(gix::date::time::format::SHORT)
}

/// Returns the first characters of a text.
fn cut(text: &str, limit: usize) -> String {
    text.trim().chars().take(limit).collect()
}
