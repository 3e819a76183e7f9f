//! The writer lock: an advisory lock on a file beside the database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StoreError;
use crate::atomic_file::SHARED;
use crate::file_lock::{self, FileLock, LockState};

/// The time for which a held lock is waited for. An update after an edit takes less, and a command that comes meanwhile waits for
/// it, as otherwise it would answer from the index before it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Acquires the lock under which an index is written.
///
/// # Errors
/// [`StoreError::Busy`] when another process holds it for longer than a second.
pub(super) fn writer_lock(database: &Path) -> Result<FileLock, StoreError> {
    let path = sibling_path(database, "lock");
    let lock =
        file_lock::acquire(&path, SHARED, PATIENCE).map_err(|error| StoreError::from_io("open", &path, error))?;
    lock.ok_or_else(|| StoreError::Busy { path: database.to_owned() })
}

/// Returns whether another process writes an index at the path of `database`, perhaps the first one.
pub fn is_being_written(database: &Path) -> bool {
    file_lock::state(&sibling_path(database, "lock")) == LockState::Held
}

/// Returns the path of a file beside the database, such as `graph.db-wal` for the suffix `wal`.
pub fn sibling_path(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-");
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_writes_and_others_see_it() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let first = writer_lock(&database).unwrap();
        assert!(matches!(writer_lock(&database), Err(StoreError::Busy { .. })) && is_being_written(&database));
        drop(first);
        assert!(!is_being_written(&database));
        assert!(writer_lock(&database).is_ok());
    }
}
