//! The changes of a single commit, with the lines as they are now.

use std::path::Path;

use gix::ObjectId;

use super::{ChangedFile, ChangesError, Hunk, MAX_REMOVED_BYTES, is_binary, open, text_of, with_line_feeds};
use crate::lang;
use crate::scan::diff;
use crate::scan::git::{Git, GitError, MAX_OBJECT_BYTES};
use crate::scan::history::{Moved, present_changes, touched_files};
use crate::scan::read::{MAX_FILE_BYTES, read_inside};

/// The end of a revision that stands for a commit alone, without those before it, as git writes it.
const ALONE: &str = "^!";
/// Limit of the files of a commit that are compared.
const MAX_FILES: usize = 1_000;

/// Returns the commit of a revision that stands for a commit alone: `4f1c2ab` of `4f1c2ab^!`.
pub(super) fn commit_alone(revision: &str) -> Option<&str> {
    revision.strip_suffix(ALONE)
}

/// Returns the revision that stands for the changes of a commit alone.
pub fn changes_of_commit(commit: &str) -> String {
    format!("{commit}{ALONE}")
}

/// The versions of a file before and after a commit.
struct Versions {
    path: String,
    before: Option<ObjectId>,
    after: Option<ObjectId>,
}

/// Returns the files that a commit changed and that the working tree has. Lines that were rewritten later lead to what
/// replaced them.
pub(super) fn changed_by(root: &Path, commit: &str) -> Result<Vec<ChangedFile>, ChangesError> {
    let git = open(root)?;
    let mut removed_bytes_left = MAX_REMOVED_BYTES;
    let mut changed = Vec::new();
    for Versions { path, before, after } in versions(&git, root, commit)? {
        let Ok(now) = read_inside(root, &path, MAX_FILE_BYTES) else { continue };
        let blob = |id: Option<ObjectId>| -> Result<Vec<u8>, GitError> {
            let bytes = id.map(|id| git.blob(id, MAX_OBJECT_BYTES)).transpose()?.flatten();
            Ok(with_line_feeds(text_of(bytes.unwrap_or_default())))
        };
        let (before, after, now) = (blob(before)?, blob(after)?, with_line_feeds(text_of(now)));
        if [&before, &after, &now].into_iter().any(|content| is_binary(content)) {
            changed.push(ChangedFile { path, hunks: Vec::new() });
            continue;
        }
        let lines: Vec<&[u8]> = diff::lines(&before).collect();
        let hunks = present_changes(&before, after, now).into_iter().map(|Moved { before, now }| {
            let removed = lines.get(before).unwrap_or_default();
            let bytes = removed.iter().map(|line| line.len()).sum();
            let kept = removed_bytes_left.checked_sub(bytes);
            removed_bytes_left = kept.unwrap_or(removed_bytes_left);
            let text = |line: &&[u8]| String::from_utf8_lossy(line).trim_end_matches('\n').to_owned();
            Hunk {
                start: now.start + 1,
                lines: now.end - now.start,
                removed: kept.map_or(Vec::new(), |_| removed.iter().map(text).collect()),
            }
        });
        changed.push(ChangedFile { path, hunks: hunks.collect() });
    }
    Ok(changed)
}

/// Returns the files that a commit removed and that the working tree does not have.
pub(super) fn deleted_by(root: &Path, commit: &str) -> Result<Vec<String>, ChangesError> {
    let git = open(root)?;
    let is_absent = |path: &str| std::fs::symlink_metadata(root.join(path)).is_err();
    let deleted = versions(&git, root, commit)?.into_iter().filter(|one| one.after.is_none() && is_absent(&one.path));
    Ok(deleted.map(|one| one.path).collect())
}

/// Returns the source files that a commit changed, compared with its first parent, sorted by path.
fn versions(git: &Git, root: &Path, commit: &str) -> Result<Vec<Versions>, ChangesError> {
    let Some(id) = git.resolve(commit) else {
        return Err(match git.head()? {
            Some(_) => ChangesError::UnknownBase { base: commit.to_owned() },
            None => ChangesError::NoCommit { path: root.display().to_string() },
        });
    };
    let commit = git.commit(id)?;
    let after = commit.tree().map_err(GitError::from)?;
    let parent = commit.parent_ids().next().map(|parent| git.commit(parent.detach())).transpose()?;
    let before = parent.map(|parent| parent.tree()).transpose().map_err(GitError::from)?;
    let mut paths = touched_files(&git.repository, before.as_ref(), &after, MAX_FILES).map_err(GitError::from)?;
    paths.retain(|path| lang::language_of(path).is_some());
    let entry = |tree: &gix::Tree<'_>, path: &str| -> Option<ObjectId> {
        let entry = tree.lookup_entry_by_path(path).ok()??;
        entry.mode().is_blob().then(|| entry.object_id())
    };
    let versions = paths.into_iter().map(|path| Versions {
        before: before.as_ref().and_then(|tree| entry(tree, &path)),
        after: entry(&after, &path),
        path,
    });
    Ok(versions.collect())
}
