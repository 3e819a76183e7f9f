//! Renames and removes database files with their journals.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::lock::sibling_path;
use crate::atomic_file::sync_folder;

/// Returns a path beside the database where no file exists.
pub(super) fn unused_backup_path(path: &Path) -> PathBuf {
    let names = (2..).map(|number| sibling_path(path, &format!("replaced-{number}")));
    let mut names = std::iter::once(sibling_path(path, "replaced")).chain(names);
    names.find(|name| name.symlink_metadata().is_err()).unwrap_or_else(|| sibling_path(path, "replaced"))
}

/// Renames the file at `path` and its journals. Until the new file is renamed there is no database at `path`; if the
/// process is stopped in between, both files remain and the next run rebuilds.
pub(super) fn back_up(path: &Path, backup: &Path) -> Result<(), StoreError> {
    for suffix in ["wal", "journal"] {
        rename_if_exists(&sibling_path(path, suffix), &sibling_path(backup, suffix))?;
    }
    rename_if_exists(path, backup)
}

fn rename_if_exists(from: &Path, to: &Path) -> Result<(), StoreError> {
    match std::fs::rename(from, to) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::from_io("rename", from, error)),
        _ => Ok(()),
    }
}

/// Removes a file if it exists.
pub(super) fn remove_if_exists(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::from_io("remove", path, error)),
        _ => Ok(()),
    }
}

/// A temporary file, removed on drop unless it was renamed.
#[derive(Debug)]
pub(super) struct UnfinishedFile(pub(super) PathBuf);

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        // The next run tries again and reports the failure.
        remove_if_exists(&self.0).unwrap_or_default();
    }
}

/// Renames a finished database to its path, and removes the journals of an earlier file there, which SQLite would
/// otherwise apply to the new one.
pub(super) fn rename_into_place(temporary: &Path, path: &Path) -> Result<(), StoreError> {
    File::open(temporary)
        .and_then(|open| open.sync_all())
        .map_err(|error| StoreError::from_io("sync", temporary, error))?;
    for suffix in ["wal", "shm", "journal"] {
        remove_if_exists(&sibling_path(path, suffix))?;
    }
    std::fs::rename(temporary, path).map_err(|error| StoreError::from_io("rename", temporary, error))?;
    sync_folder(path).map_err(|error| StoreError::from_io("sync", path, error))
}

/// Removes a temporary database and its journals, which an interrupted process left.
pub(super) fn remove_leftovers(temporary: &Path) -> Result<(), StoreError> {
    remove_if_exists(temporary)?;
    ["journal", "wal", "shm"].iter().try_for_each(|suffix| remove_if_exists(&sibling_path(temporary, suffix)))
}
