//! The changes of a part of the history, a commit or a range of them, with the lines as they are now.

use std::path::Path;

use gix::ObjectId;

use super::deleted::{DeletedBlob, OutsideSparse, texts};
use super::{
    ChangedFile, ChangesError, Difference, Hunk, MAX_REMOVED_BYTES, is_binary, merge_base, open, renames, text_of,
    unknown_base, with_line_feeds,
};
use crate::lang;
use crate::scan::diff;
use crate::scan::git::{Git, GitError, MAX_OBJECT_BYTES};
use crate::scan::history::{Moved, present_changes, touched_files};
use crate::scan::read::{MAX_FILE_BYTES, read_inside};

/// The end of a revision that stands for a commit alone, without those before it, as git writes it.
const ALONE: &str = "^!";
/// The sign between the revisions of a range.
const RANGE: &str = "..";
/// Limit of the files that are compared.
const MAX_FILES: usize = 1_000;

/// A part of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Past<'a> {
    /// A commit alone, written `4f1c2ab^!`.
    Commit(&'a str),
    /// The changes of the second revision since it branched off the first, written `a..b` or `a...b`.
    Range(&'a str, &'a str),
}

impl<'a> Past<'a> {
    /// Returns the part of the history that a revision stands for; `None` for one with which the working tree is compared.
    pub(super) fn of(revision: &'a str) -> Option<Past<'a>> {
        if let Some(commit) = revision.strip_suffix(ALONE) {
            return Some(Past::Commit(commit));
        }
        let (from, to) = revision.split_once(RANGE)?;
        let end = |name: &'a str| if name.is_empty() { "HEAD" } else { name };
        Some(Past::Range(end(from), end(to.strip_prefix('.').unwrap_or(to))))
    }
}

/// Returns the revision that stands for the changes of a commit alone.
pub fn changes_of_commit(commit: &str) -> String {
    format!("{commit}{ALONE}")
}

/// The versions of a file before and after a commit.
struct Versions {
    path: String,
    /// Its path before, if it was renamed.
    renamed_from: Option<String>,
    before: Option<ObjectId>,
    after: Option<ObjectId>,
}

/// Returns the files that a part of the history changed: those that the working tree has, and those that it does not have, as
/// they were deleted, or another branch is checked out. Lines that were rewritten later lead to what replaced them.
pub(super) fn difference_of(root: &Path, past: &Past<'_>) -> Result<Difference, ChangesError> {
    let git = open(root)?;
    let mut removed_bytes_left = MAX_REMOVED_BYTES;
    let (mut changed, mut absent) = (Vec::new(), Vec::new());
    let outside = OutsideSparse::of(&git);
    for Versions { path, renamed_from, before, after } in versions(&git, root, past)? {
        if std::fs::symlink_metadata(root.join(&path)).is_err() {
            let absent_blob = before.or(after).filter(|_| !outside.has(&path));
            absent.extend(absent_blob.map(|blob| DeletedBlob { path, blob }));
            continue;
        }
        if lang::language_of(&path).is_none() {
            continue;
        }
        let Ok(now) = read_inside(root, &path, MAX_FILE_BYTES) else { continue };
        let blob = |id: Option<ObjectId>| -> Result<Vec<u8>, GitError> {
            let bytes = id.map(|id| git.blob(id, MAX_OBJECT_BYTES)).transpose()?.flatten();
            Ok(with_line_feeds(text_of(bytes.unwrap_or_default())))
        };
        let (before, after, now) = (blob(before)?, blob(after)?, with_line_feeds(text_of(now)));
        if [&before, &after, &now].into_iter().any(|content| is_binary(content)) {
            changed.push(ChangedFile { path, renamed_from, ..ChangedFile::default() });
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
        changed.push(ChangedFile { path, renamed_from, hunks: hunks.collect(), has_conflicts: false });
    }
    Ok(Difference { changed, deleted: texts(&git, absent)?, ..Difference::default() })
}

/// Returns the paths, sorted, of the files that a part of the history changed.
pub(super) fn paths_of(git: &Git, root: &Path, past: &Past<'_>) -> Result<Vec<String>, ChangesError> {
    Ok(versions(git, root, past)?.into_iter().map(|one| one.path).collect())
}

/// Returns the trees before and after a part of the history; a commit is compared with its first parent.
fn ends<'r>(
    git: &'r Git,
    root: &Path,
    past: &Past<'_>,
) -> Result<(Option<gix::Tree<'r>>, gix::Tree<'r>), ChangesError> {
    let resolve = |revision: &str| match git.resolve(revision) {
        Some(id) => Ok(id),
        None => Err(unknown_base(git, root, revision)?),
    };
    let (before, after) = match *past {
        Past::Commit(commit) => {
            let commit = git.commit(resolve(commit)?)?;
            (commit.parent_ids().next().map(|parent| parent.detach()), commit.id)
        }
        Past::Range(from, to) => {
            let (from, to) = (resolve(from)?, resolve(to)?);
            (Some(merge_base(&git.repository, from, to).unwrap_or(from)), to)
        }
    };
    let tree =
        |id: ObjectId| -> Result<gix::Tree<'r>, ChangesError> { Ok(git.commit(id)?.tree().map_err(GitError::from)?) };
    Ok((before.map(tree).transpose()?, tree(after)?))
}

/// Returns the files that a part of the history changed, sorted by path.
fn versions(git: &Git, root: &Path, past: &Past<'_>) -> Result<Vec<Versions>, ChangesError> {
    let (before, after) = ends(git, root, past)?;
    let paths = touched_files(&git.repository, before.as_ref(), &after, MAX_FILES).map_err(GitError::from)?;
    let entry = |tree: &gix::Tree<'_>, path: &str| -> Option<ObjectId> {
        let entry = tree.lookup_entry_by_path(path).ok()??;
        entry.mode().is_blob().then(|| entry.object_id())
    };
    let versions = paths.into_iter().map(|path| Versions {
        before: before.as_ref().and_then(|tree| entry(tree, &path)),
        after: entry(&after, &path),
        renamed_from: None,
        path,
    });
    Ok(with_renames(git, versions.collect())?)
}

/// Returns the versions of files with those of the files that they were renamed from.
fn with_renames(git: &Git, mut versions: Vec<Versions>) -> Result<Vec<Versions>, GitError> {
    let gone = |one: &Versions| {
        let blob = one.before.filter(|_| one.after.is_none())?;
        Some(DeletedBlob { path: one.path.clone(), blob })
    };
    let mut deleted: Vec<DeletedBlob> = versions.iter().filter_map(gone).collect();
    let new: Vec<(usize, ObjectId)> = (versions.iter().enumerate())
        .filter_map(|(index, one)| Some((index, one.after.filter(|_| one.before.is_none())?)))
        .collect();
    let paths: Vec<&str> = new.iter().map(|(index, _)| versions[*index].path.as_str()).collect();
    let content = |index: usize| git.blob(new[index].1, MAX_OBJECT_BYTES);
    let renamed = renames::matched(git, &paths, &|index| Ok(Some(new[index].1)), &content, &mut deleted)?;
    let mut sources = std::collections::HashSet::new();
    for (index, old) in renamed {
        let one = &mut versions[new[index].0];
        (one.before, one.renamed_from) = (Some(old.blob), Some(old.path.clone()));
        sources.insert(old.path);
    }
    versions.retain(|one| !sources.contains(&one.path));
    Ok(versions)
}
