//! The writer lock: an advisory lock on a file beside the database.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StoreError;
use crate::scan::read::open_regular;

/// Held while an index is written. The operating system releases it when the process ends.
#[derive(Debug)]
pub(super) struct WriterLock {
    _file: File,
}

/// Attempts to take a held lock, and the pause between them: a second. An update after an edit takes less, and a command that
/// comes meanwhile waits for it, as otherwise it would answer from the index before it.
const MAX_ATTEMPTS: u32 = 50;
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

impl WriterLock {
    /// Acquires the lock. Fails when another process holds it for longer than a second.
    pub(super) fn acquire(database: &Path) -> Result<WriterLock, StoreError> {
        let path = sibling_path(database, "lock");
        let file = open_regular(&path, OpenOptions::new().create(true).truncate(false).write(true))
            .map_err(|error| StoreError::from_io("open", &path, error))?;
        for _ in 0..MAX_ATTEMPTS {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY_INTERVAL),
                // Some network file systems have no locks. SQLite's own locks still prevent corruption there.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(WriterLock { _file: file }),
            }
        }
        Err(StoreError::Busy { path: database.to_owned() })
    }
}

/// Returns whether another process writes an index at the path of `database`, perhaps the first one.
pub fn is_being_written(database: &Path) -> bool {
    let lock = open_regular(&sibling_path(database, "lock"), OpenOptions::new().read(true));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
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
    fn a_lock_is_exclusive_and_released_on_drop() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let first = WriterLock::acquire(&database).unwrap();
        assert!(matches!(WriterLock::acquire(&database), Err(StoreError::Busy { .. })) && is_being_written(&database));
        drop(first);
        assert!(!is_being_written(&database));
        assert!(WriterLock::acquire(&database).is_ok());
    }

    #[test]
    fn a_short_update_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let held = WriterLock::acquire(&database).unwrap();
        let holder = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(400));
            drop(held);
        });
        assert!(WriterLock::acquire(&database).is_ok());
        holder.join().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_not_a_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let _socket = std::os::unix::net::UnixListener::bind(sibling_path(&database, "lock")).unwrap();
        let message = WriterLock::acquire(&database).unwrap_err().to_string();
        assert!(message.contains("not a regular file"), "{message}");
    }
}
