//! Advisory locks on files, which the operating system releases when a process ends.
//!
//! Some network file systems have no locks. Whoever wants one there goes on without it: the files are written as a whole, and
//! SQLite has locks of its own. Nobody can tell there that a lock is free.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::scan::read::open_regular;

/// The first and the longest pause between two attempts to take a held lock.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];

/// A held lock.
#[must_use = "a lock is released when it is dropped"]
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

/// The state of the lock on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockState {
    Free,
    Held,
    /// There is no such file, or it can't be locked.
    Unknown,
}

/// Acquires the lock on a file of its own, which is created with this mode. Returns `None` if another one holds it for longer than
/// `patience`.
///
/// # Errors
/// When the file can't be opened, or is a link or no regular file.
pub fn acquire(path: &Path, mode: u32, patience: Duration) -> io::Result<Option<FileLock>> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let file = open_regular(path, &mut options)?;
    Ok(lock(&file, patience).then_some(FileLock { _file: file }))
}

/// Locks an open file until it is closed. Returns false if another one holds the lock for longer than `patience`.
pub fn lock(file: &File, patience: Duration) -> bool {
    let (started, [mut pause, longest]) = (Instant::now(), PAUSES);
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if started.elapsed() >= patience {
            return false;
        }
        std::thread::sleep(pause);
        pause = longest.min(2 * pause);
    }
    true
}

/// Returns whether somebody holds the lock on a file.
pub fn state(path: &Path) -> LockState {
    let Ok(file) = open_regular(path, OpenOptions::new().read(true)) else { return LockState::Unknown };
    match file.try_lock_shared() {
        Ok(()) => LockState::Free,
        Err(TryLockError::WouldBlock) => LockState::Held,
        Err(TryLockError::Error(_)) => LockState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic_file::PRIVATE;

    const SHORT: Duration = Duration::from_millis(50);

    #[test]
    fn a_lock_is_exclusive_and_released_on_drop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        assert_eq!(state(&path), LockState::Unknown);
        let first = acquire(&path, PRIVATE, SHORT).unwrap().unwrap();
        assert!(acquire(&path, PRIVATE, SHORT).unwrap().is_none());
        assert_eq!(state(&path), LockState::Held);
        drop(first);
        assert_eq!(state(&path), LockState::Free);
        assert!(acquire(&path, PRIVATE, Duration::ZERO).unwrap().is_some());
    }

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = acquire(&path, PRIVATE, SHORT).unwrap().unwrap();
        let holder = std::thread::spawn(move || {
            std::thread::sleep(4 * SHORT);
            drop(held);
        });
        assert!(acquire(&path, PRIVATE, Duration::from_secs(60)).unwrap().is_some());
        holder.join().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_is_a_file_of_this_mode_and_no_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("lock"), folder.path().join("link"));
        let _held = acquire(&path, PRIVATE, SHORT).unwrap().unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        symlink(folder.path().join("victim"), &link).unwrap();
        assert!(acquire(&link, PRIVATE, SHORT).is_err());
        let socket = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let message = acquire(&socket, PRIVATE, SHORT).unwrap_err().to_string();
        assert!(message.contains("not a regular file"), "{message}");
        assert!(!folder.path().join("victim").exists());
    }
}
