//! The paths of everything that changed, of files that are not indexed, too.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::commit::{Past, paths_of};
use super::{ChangesError, Comparison, branching_tree, open};
use crate::scan::git::{Git, GitError};
use crate::scan::history::touched_files;
use crate::scan::read::MAX_FILE_BYTES;

/// Limit of the files that commits changed.
const MAX_FILES: usize = 5_000;

/// Returns the paths, sorted, of the files that differ between the working tree and the commit at which it branched off
/// `base`, and that are in the working tree; of a part of the history those that it changed. A file that git does not track is
/// not among them.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn changed_paths(root: &Path, base: &str) -> Result<Vec<String>, ChangesError> {
    let git = open(root)?;
    if let Some(past) = Past::of(base) {
        return paths_of(&git, root, &past);
    }
    let tree = branching_tree(&git, root, base)?;
    let mut comparison = Comparison::new(&git, root, tree)?;
    let mut paths = uncommitted(&mut comparison)?;
    paths.extend(committed(&git, tree)?);
    let mut changed = Vec::new();
    for path in paths {
        let Ok(metadata) = fs::symlink_metadata(root.join(&path)) else { continue };
        let is_large = metadata.len() > MAX_FILE_BYTES;
        if metadata.is_file() && (is_large || comparison.changed(&path)?.is_some()) {
            changed.push(path);
        }
    }
    Ok(changed)
}

/// Returns those of some files that differ between the working tree and the commit at which it branched off `base`; of a part
/// of the history those that it changed. They may be files that no index has.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn changed_among(root: &Path, base: &str, mut paths: Vec<String>) -> Result<Vec<String>, ChangesError> {
    let git = open(root)?;
    if let Some(past) = Past::of(base) {
        let changed: HashSet<String> = paths_of(&git, root, &past)?.into_iter().collect();
        paths.retain(|path| changed.contains(path));
        return Ok(paths);
    }
    let mut comparison = Comparison::new(&git, root, branching_tree(&git, root, base)?)?;
    let mut changed = Vec::new();
    for path in paths {
        let is_large = fs::symlink_metadata(root.join(&path)).is_ok_and(|metadata| metadata.len() > MAX_FILE_BYTES);
        if is_large || comparison.changed(&path)?.is_some() {
            changed.push(path);
        }
    }
    Ok(changed)
}

/// Returns the files that the commits since a tree changed.
fn committed(git: &Git, tree: gix::ObjectId) -> Result<Vec<String>, ChangesError> {
    let Some(head) = git.head()? else { return Ok(Vec::new()) };
    let now = git.commit(head)?.tree().map_err(GitError::from)?;
    let before = git.tree(tree)?;
    Ok(touched_files(&git.repository, before.as_ref(), &now, MAX_FILES).map_err(GitError::from)?)
}

/// Returns the tracked files of which git does not know that they are as in its index, and those that its index has otherwise
/// than the base: new ones are there before they are committed.
fn uncommitted(comparison: &mut Comparison<'_>) -> Result<BTreeSet<String>, ChangesError> {
    let Some(index) = &comparison.index else { return Ok(BTreeSet::new()) };
    let entries = index.entries().iter().filter(|entry| !entry.mode.is_sparse() && !entry.mode.is_submodule());
    let entries = entries.filter_map(|entry| Some((entry.path(index).to_str().ok()?.to_owned(), entry.id)));
    let entries: Vec<(String, ObjectId)> = entries.collect();
    let mut files_of: HashMap<String, HashMap<Vec<u8>, ObjectId>> = HashMap::new();
    let mut found = BTreeSet::new();
    for (path, id) in entries {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if !files_of.contains_key(folder) {
            files_of.insert(folder.to_owned(), comparison.files_of(folder, &path)?);
        }
        let is_staged = files_of.get(folder).and_then(|files| files.get(name.as_bytes())) != Some(&id);
        if is_staged || !comparison.is_known_unchanged(&path, id) {
            found.insert(path);
        }
    }
    Ok(found)
}
