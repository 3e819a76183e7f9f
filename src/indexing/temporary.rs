//! Folders in the system's temporary folder, removed with their value. What a killed process left there is removed when the next
//! folder is made: a process holds a lock on each of its own.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::atomic_file::PRIVATE;
use crate::file_lock::{self, FileLock, LockState};

/// Beginning of the names of the folders.
const PREFIX: &str = "knowing-";
/// Name of the file in each that is locked.
const LOCK: &str = ".knowing-lock";
/// Limit of the entries of the temporary folder that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// A folder of this process.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _lock: FileLock,
}

impl TemporaryFolder {
    /// Creates a folder that only the current user can read; `purpose` is in its name.
    ///
    /// # Errors
    /// When the temporary folder can't be written.
    pub fn new(purpose: &str) -> io::Result<TemporaryFolder> {
        // Systems report paths without links.
        TemporaryFolder::new_in(&std::env::temp_dir().canonicalize()?, purpose)
    }

    fn new_in(parent: &Path, purpose: &str) -> io::Result<TemporaryFolder> {
        remove_abandoned(parent);
        let folder = tempfile::Builder::new().prefix(&format!("{PREFIX}{purpose}-")).tempdir_in(parent)?;
        // Nobody else finds it before it is locked.
        let unlocked = folder.path().join("new-lock");
        let lock = file_lock::acquire(&unlocked, PRIVATE, Duration::ZERO)?;
        let lock = lock.ok_or_else(|| io::Error::from(io::ErrorKind::ResourceBusy))?;
        fs::rename(unlocked, folder.path().join(LOCK))?;
        Ok(TemporaryFolder { folder, _lock: lock })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders whose lock nobody holds. One that can't be removed is another user's, or tried again later.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().take(MAX_ENTRIES).flatten() {
        if !entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        if file_lock::state(&entry.path().join(LOCK)) == LockState::Free {
            fs::remove_dir_all(entry.path()).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_processes_are_removed_and_others_stay() {
        let parent = tempfile::tempdir().unwrap();
        let abandoned = parent.path().join("knowing-watch-1");
        fs::create_dir(&abandoned).unwrap();
        fs::write(abandoned.join("marker"), "").unwrap();
        let used = TemporaryFolder::new_in(parent.path(), "watch").unwrap();
        assert!(abandoned.exists(), "it has no lock yet");
        fs::write(abandoned.join(LOCK), "").unwrap();
        let other = TemporaryFolder::new_in(parent.path(), "first-look").unwrap();
        assert!(!abandoned.exists() && used.path().exists() && other.path().exists());
        drop(used);
        drop(other);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
