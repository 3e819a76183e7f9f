//! One writer at a time: an advisory lock on a file beside the database.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StoreError;

/// Held while an index is written. The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct WriterLock {
    _file: File,
}

/// How often, and how long apart, a held lock is tried again. A process that starts another (an editor, a test) shares
/// its open files with it for a moment, so a lock can outlive its holder by that moment.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);

impl WriterLock {
    /// Takes the lock, or says that another process has it.
    pub(super) fn take(database: &Path) -> Result<WriterLock, StoreError> {
        let path = beside(database, "lock");
        // To open a pipe is to wait for its other end.
        if std::fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let refused = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is no plain file");
            return Err(StoreError::from_io("open", &path, refused));
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| StoreError::from_io("open", &path, error))?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                // Some network file systems have no locks; SQLite's own still keep the database whole there.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(WriterLock { _file: file }),
            }
        }
        Err(StoreError::Busy { path: database.to_owned() })
    }
}

/// A file beside the database: `graph.db` and `wal` give `graph.db-wal`.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-");
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_free_again() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let first = WriterLock::take(&database).unwrap();
        assert!(matches!(WriterLock::take(&database), Err(StoreError::Busy { .. })));
        drop(first);
        assert!(WriterLock::take(&database).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_no_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let _socket = std::os::unix::net::UnixListener::bind(beside(&database, "lock")).unwrap();
        let message = WriterLock::take(&database).unwrap_err().to_string();
        assert!(message.contains("no plain file"), "{message}");
    }
}
