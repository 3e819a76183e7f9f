//! Files of the base that the working tree no longer has.

use std::fs;
use std::path::Path;

use super::commit::{Past, absent_of};
use super::{ChangesError, branching_tree, open};
use crate::scan::git::GitError;

/// Limit of the entries of trees that are read: a few tree objects can contain each other many times.
const MAX_ENTRIES: usize = 200_000;

/// The deleted files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletedFiles {
    /// Sorted by path.
    pub paths: Vec<String>,
    /// Whether the base has so many entries that the others were not read.
    pub is_cut: bool,
}

/// Returns the files that were deleted or renamed since the working tree branched off `base`, whether committed, staged
/// or not; of a part of the history those of its files that the working tree does not have.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn deleted_files(root: &Path, base: &str) -> Result<DeletedFiles, ChangesError> {
    if let Some(past) = Past::of(base) {
        return Ok(DeletedFiles { paths: absent_of(root, &past)?, is_cut: false });
    }
    let git = open(root)?;
    let mut deleted = DeletedFiles::default();
    let mut left = MAX_ENTRIES;
    let mut folders = vec![(String::new(), branching_tree(&git, root, base)?)];
    while let Some((folder, tree)) = folders.pop() {
        // A tree that is too large to be read is not one of a real repository.
        let Some(tree) = git.tree(tree)? else { continue };
        for entry in tree.iter() {
            let entry = entry.map_err(GitError::from)?;
            let Some(rest) = left.checked_sub(1) else {
                deleted.is_cut = true;
                deleted.paths.sort();
                return Ok(deleted);
            };
            left = rest;
            let path = format!("{folder}{}", String::from_utf8_lossy(entry.filename()));
            match entry.mode() {
                mode if mode.is_tree() => folders.push((format!("{path}/"), entry.object_id())),
                mode if mode.is_commit() => {}
                _ if fs::symlink_metadata(root.join(&path)).is_err() => deleted.paths.push(path),
                _ => {}
            }
        }
    }
    deleted.paths.sort();
    Ok(deleted)
}
