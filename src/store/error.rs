//! What can go wrong with a store, each with the file it concerns and the way out.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why a store can't be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no index yet.
    #[error("there is no index at {path}; make one with `knowing index`")]
    Missing { path: PathBuf },
    /// The file is not a SQLite database, or one of another program.
    #[error("{path} was not made by knowing ({detail}); move it away, or replace it with `knowing index --force`")]
    Foreign { path: PathBuf, detail: String },
    /// The file is truncated or its pages contradict each other.
    #[error(
        "{path} is damaged ({detail}); `knowing index --force` rebuilds it and keeps what you taught, where it can still be read"
    )]
    Damaged { path: PathBuf, detail: String },
    /// A later version of knowing wrote the file.
    #[error(
        "{path} has schema version {found}, this program knows up to {known}; update knowing, or rebuild with `knowing index --force`"
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// An earlier version of knowing wrote the file.
    #[error("{path} has schema version {found}, this program needs {known}; `knowing index` brings it up to date")]
    Older { path: PathBuf, found: i64, known: i64 },
    /// Another process is writing.
    #[error("another indexer is at work on {path}; wait for it, or stop it, and try again")]
    Busy { path: PathBuf },
    /// The place can't be written.
    #[error("{path} can't be written ({detail}); make its folder writable or choose another place with `--db FILE`")]
    ReadOnly { path: PathBuf, detail: String },
    /// The disk is full.
    #[error(
        "no space left for {path}; free some and run `knowing index` again (an index that was complete before is still in place)"
    )]
    DiskFull { path: PathBuf },
    /// The file system refused.
    #[error("can't {action} {path}: {cause}; check the folder's permissions or choose another place with `--db FILE`")]
    Io { action: &'static str, path: PathBuf, cause: std::io::Error },
    /// The system failed to read or write the file. A full disk looks like this when a reader needs a little room.
    #[error(
        "the system failed on {path} ({detail}); if the disk is full, free some space; if not, look after the disk, and run `knowing index` again"
    )]
    Device { path: PathBuf, detail: String },
    /// Stored facts can't be read back.
    #[error("{path} holds facts that can't be read ({detail}); rebuild it with `knowing index --force`")]
    Facts { path: PathBuf, detail: String },
    /// Rows that this program wants to write contradict each other.
    #[error(
        "can't write {path}: its rows would contradict each other ({detail}); this is a defect of knowing, please report it"
    )]
    Contradiction { path: PathBuf, detail: String },
    /// Anything else that SQLite says.
    #[error("SQLite failed on {path}: {cause}; if it happens again, rebuild with `knowing index --force`")]
    Sql { path: PathBuf, cause: rusqlite::Error },
}

impl StoreError {
    /// The error for what SQLite said about the database at `path`.
    pub(super) fn from_sql(path: &Path, source: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        let detail = source.to_string();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign { path, detail },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, detail },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::ConstraintViolation) => StoreError::Contradiction { path, detail },
            Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
            Some(ErrorCode::SystemIoFailure) => StoreError::Device { path, detail },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                StoreError::ReadOnly { path, detail }
            }
            _ => StoreError::Sql { path, cause: source },
        }
    }

    /// The error for what the file system said.
    pub(super) fn from_io(action: &'static str, path: &Path, source: std::io::Error) -> StoreError {
        let path = path.to_owned();
        match source.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => StoreError::DiskFull { path },
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path, detail: source.to_string() }
            }
            _ => StoreError::Io { action, path, cause: source },
        }
    }

    /// True when a rebuild with `--force` would help.
    pub fn rebuild_helps(&self) -> bool {
        matches!(
            self,
            StoreError::Foreign { .. }
                | StoreError::Damaged { .. }
                | StoreError::Newer { .. }
                | StoreError::Facts { .. }
                | StoreError::Sql { .. }
        )
    }
}

/// Adds the database's path to what SQLite says.
pub(super) trait SqlContext<T> {
    /// Names the database in the error.
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> SqlContext<T> for rusqlite::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::from_sql(path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What SQLite says of a shared memory file for which a full disk has no room (SQLITE_IOERR_SHMSIZE).
    #[test]
    fn a_failing_disk_is_no_reason_for_a_rebuild() {
        let failure = rusqlite::ffi::Error::new(4874);
        let error = StoreError::from_sql(Path::new("graph.db"), rusqlite::Error::SqliteFailure(failure, None));
        assert!(matches!(error, StoreError::Device { .. }) && !error.rebuild_helps(), "{error:?}");
        assert!(error.to_string().contains("free some space") && !error.to_string().contains("--force"), "{error}");
    }

    #[test]
    fn causes_are_told_once() {
        let failure = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_MISUSE);
        let sql =
            StoreError::from_sql(Path::new("graph.db"), rusqlite::Error::SqliteFailure(failure, Some("odd".into())));
        let io = StoreError::from_io("open", Path::new("graph.db"), std::io::Error::other("odd"));
        for error in [sql, io] {
            let text = format!("{:#}", anyhow::Error::from(error));
            assert_eq!(text.matches("odd").count(), 1, "{text}");
        }
    }
}
