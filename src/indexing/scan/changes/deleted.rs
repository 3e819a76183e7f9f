//! Files of the base that the working tree no longer has.

use std::fs;
use std::path::Path;

use git2::{ObjectType, Oid};

use super::{ChangesError, MAX_OBJECT_BYTES, branching_tree, open};

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
/// or not.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn deleted_files(root: &Path, base: &str) -> Result<DeletedFiles, ChangesError> {
    let repository = open(root)?;
    let objects = repository.odb()?;
    let is_small = |id: Oid| objects.read_header(id).is_ok_and(|(bytes, _)| bytes <= MAX_OBJECT_BYTES);
    let mut deleted = DeletedFiles::default();
    let mut left = MAX_ENTRIES;
    let mut folders = vec![(String::new(), branching_tree(&repository, base)?)];
    while let Some((folder, tree)) = folders.pop() {
        if !is_small(tree) {
            continue;
        }
        for entry in &repository.find_tree(tree)? {
            let Some(rest) = left.checked_sub(1) else {
                deleted.is_cut = true;
                deleted.paths.sort();
                return Ok(deleted);
            };
            left = rest;
            let path = format!("{folder}{}", String::from_utf8_lossy(entry.name_bytes()));
            match entry.kind() {
                Some(ObjectType::Tree) => folders.push((format!("{path}/"), entry.id())),
                Some(ObjectType::Blob) if fs::symlink_metadata(root.join(&path)).is_err() => deleted.paths.push(path),
                _ => {}
            }
        }
    }
    deleted.paths.sort();
    Ok(deleted)
}
