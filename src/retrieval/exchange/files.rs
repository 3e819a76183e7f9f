//! Private files of the user: links and special files are refused, reads are bounded, writes are atomic.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Exchange, ExchangeError};
use crate::atomic_file::{self, PRIVATE};
use crate::file_lock::{self, FileLock};
use crate::scan::read::open_regular;

/// File that is locked while another one is changed.
const LOCK: &str = "lock";
/// The time for which a held lock is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

impl Exchange {
    /// Creates the folder for the current user only. The folder of the database must exist.
    pub(super) fn prepare(&self) -> Result<(), ExchangeError> {
        if !self.folder.parent().is_some_and(Path::is_dir) {
            return Err(ExchangeError::NoIndex);
        }
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&self.folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                Err(ExchangeError::io("make", &self.folder, error))
            }
            _ => self.check_folder(),
        }
    }

    fn check_folder(&self) -> Result<(), ExchangeError> {
        match fs::symlink_metadata(&self.folder) {
            Ok(metadata) if !metadata.is_dir() => Err(ExchangeError::Untrusted { path: self.folder.clone() }),
            Ok(_) => Ok(()),
            Err(error) => Err(ExchangeError::io("open", &self.folder, error)),
        }
    }

    /// Returns the path of a file of the exchange.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Acquires the lock of the exchange.
    pub(super) fn lock(&self) -> Result<FileLock, ExchangeError> {
        let path = self.file(LOCK);
        let lock = file_lock::acquire(&path, PRIVATE, PATIENCE).map_err(|error| opening(&path, error))?;
        lock.ok_or(ExchangeError::Locked { path })
    }

    /// Reads a file; `None` if there is none.
    pub(super) fn read(&self, name: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, ExchangeError> {
        let path = self.file(name);
        if self.is_missing(&path)? {
            return Ok(None);
        }
        let file = match open(&path, OpenOptions::new().read(true)) {
            Err(ExchangeError::Io { cause, .. }) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        // Beside a database of the user's choice there may be a file of a repository; checked out, others can read it.
        if !is_private(&file).map_err(|error| ExchangeError::io("read", &path, error))? {
            return Err(ExchangeError::Untrusted { path });
        }
        let mut bytes = Vec::new();
        file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| ExchangeError::io("read", &path, error))?;
        if bytes.len() as u64 > max_bytes {
            return Err(ExchangeError::Malformed { path, reason: format!("it has more than {max_bytes} bytes") });
        }
        Ok(Some(bytes))
    }

    /// Returns whether a file does not exist. An existing folder must be trusted.
    pub(super) fn is_missing(&self, path: &Path) -> Result<bool, ExchangeError> {
        match self.check_folder() {
            Err(ExchangeError::Io { cause, .. }) if cause.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error),
            Ok(()) => Ok(fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)),
        }
    }

    /// Replaces a file as a whole.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), ExchangeError> {
        let path = self.file(name);
        atomic_file::replace(&path, bytes, PRIVATE).map_err(|error| ExchangeError::io("write", &path, error))
    }
}

/// Opens a regular file, created for the current user only.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> Result<File, ExchangeError> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    open_regular(path, options).map_err(|error| opening(path, error))
}

/// Returns the error of opening a file; links and special files are not trusted.
fn opening(path: &Path, error: std::io::Error) -> ExchangeError {
    match error.kind() {
        ErrorKind::InvalidInput => ExchangeError::Untrusted { path: path.to_owned() },
        _ => ExchangeError::io("open", path, error),
    }
}

/// Returns whether only the current user can read or write a file.
fn is_private(file: &File) -> std::io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = file.metadata()?;
        Ok(metadata.mode() & 0o077 == 0 && metadata.uid() == rustix::process::getuid().as_raw())
    }
    #[cfg(not(unix))]
    Ok(file.metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_created_without_an_index() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("none/graph.db"));
        assert!(matches!(exchange.prepare(), Err(ExchangeError::NoIndex)));
        assert_eq!(exchange.read("steering.json", 10).unwrap(), None);
        assert!(!root.path().join("none").exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_and_files_are_private() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        symlink(outside.path(), exchange.folder()).unwrap();
        assert!(matches!(exchange.prepare(), Err(ExchangeError::Untrusted { .. })));
        assert!(matches!(exchange.read("sent.json", 10), Err(ExchangeError::Untrusted { .. })));
        fs::remove_file(exchange.folder()).unwrap();

        exchange.prepare().unwrap();
        symlink(outside.path().join("victim"), exchange.file("lock")).unwrap();
        assert!(exchange.lock().is_err());
        fs::remove_file(exchange.file("lock")).unwrap();
        assert!(!outside.path().join("victim").exists());

        exchange.replace("sent.json", b"x").unwrap();
        let _lock = exchange.lock().unwrap();
        for name in ["sent.json", "lock"] {
            assert_eq!(fs::metadata(exchange.file(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        }
        assert_eq!(fs::metadata(exchange.folder()).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(matches!(exchange.read("sent.json", 0), Err(ExchangeError::Malformed { .. })));
    }
}
