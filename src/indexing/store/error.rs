//! Errors of the store. Messages name the file and the remedy.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

use crate::text::display;
use crate::user_dirs::NoDataFolder;

/// Maximum length of a message of SQLite that is passed on.
const MAX_DETAIL_LETTERS: usize = 200;

/// An error of opening, reading or writing a store.
#[derive(Debug, Error)]
pub enum StoreError {
    /// No index exists yet.
    #[error("there is no index at {path}; make one with `knowing index`")]
    Missing { path: PathBuf },
    /// The file is not a SQLite database, or another program's.
    #[error("{path} was not made by knowing ({detail}); move it away, or replace it with `knowing index --force`")]
    Foreign { path: PathBuf, detail: String },
    /// The file is truncated or corrupt.
    #[error(
        "{path} is damaged ({detail}); `knowing index --force` rebuilds it and keeps the feedback that can still be read"
    )]
    Damaged { path: PathBuf, detail: String },
    /// A later version of knowing wrote the file.
    #[error(
        "{path} has schema version {found}, this program supports up to {supported}; update knowing, or rebuild with `knowing index --force`"
    )]
    Newer { path: PathBuf, found: i64, supported: i64 },
    /// An earlier version of knowing wrote the file.
    #[error("{path} has schema version {found}, this program needs {supported}; `knowing index` brings it up to date")]
    Older { path: PathBuf, found: i64, supported: i64 },
    /// Another process is writing.
    #[error("another process is indexing {path}; wait until it has finished and try again")]
    Busy { path: PathBuf },
    /// The file or its folder can't be written.
    #[error(
        "{path} can't be written ({detail}); make its folder writable, or choose another one with KNOWING_HOME or `--db FILE`"
    )]
    ReadOnly { path: PathBuf, detail: String },
    /// The disk is full.
    #[error("no space left for {path}, so nothing was recorded or changed; free some, then run the command again")]
    DiskFull { path: PathBuf },
    /// A file system operation failed.
    #[error(
        "can't {action} {path}: {cause}; check the folder's permissions, or choose another one with KNOWING_HOME or `--db FILE`"
    )]
    Io { action: &'static str, path: PathBuf, cause: std::io::Error },
    /// Reading or writing the file failed. A full disk is reported like this when a reader needs a shared memory file.
    #[error(
        "can't read or write {path} ({detail}); free some space if the disk is full, otherwise check the disk, then run `knowing index` again"
    )]
    Device { path: PathBuf, detail: String },
    /// Stored facts can't be decoded.
    #[error("{path} has facts that can't be decoded ({detail}); rebuild it with `knowing index --force`")]
    Facts { path: PathBuf, detail: String },
    /// Rows written by this program violate a constraint: rows of the file are damaged, or the program is wrong.
    #[error(
        "rows of {path} contradict those to be written ({detail}); rebuild it with `knowing index --force`, and report it if that fails too"
    )]
    Constraint { path: PathBuf, detail: String },
    /// There is no folder for the user's data.
    #[error(transparent)]
    NoDataFolder(#[from] NoDataFolder),
    /// The root of a checkout can't be opened.
    #[error("{path} does not exist any more, or can't be opened ({cause})")]
    Checkout { path: PathBuf, cause: std::io::Error },
    /// A database from elsewhere is not what it should be.
    #[error("{path} is not imported: it is not an intact database of this version of knowing ({detail})")]
    Untrusted { path: PathBuf, detail: String },
    /// The record of a checkout's folder is not from this program.
    #[error("{path} is not the record of a checkout ({detail}); remove it")]
    Record { path: PathBuf, detail: String },
    /// Any other SQLite error.
    #[error("SQLite error in {path}: {cause}; if it happens again, rebuild with `knowing index --force`")]
    Sql { path: PathBuf, cause: rusqlite::Error },
}

impl StoreError {
    /// Classifies a SQLite error of the database at `path`.
    pub(super) fn from_sql(path: &Path, source: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        let detail = detail(&source);
        if is_bad_value(&source) {
            return StoreError::Damaged { path, detail };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign { path, detail },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, detail },
            Some(ErrorCode::OperationInterrupted) => {
                StoreError::Damaged { path, detail: "reading it takes too long".to_owned() }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::ConstraintViolation) => StoreError::Constraint { path, detail },
            Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
            Some(ErrorCode::SystemIoFailure) if is_short_read(&source) => {
                StoreError::Damaged { path, detail: "the file ends within a page".to_owned() }
            }
            Some(ErrorCode::SystemIoFailure) => StoreError::Device { path, detail },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                StoreError::ReadOnly { path, detail }
            }
            // The statements are constant, so the schema is another.
            _ if matches!(source, rusqlite::Error::SqlInputError { .. }) => StoreError::Damaged { path, detail },
            _ => StoreError::Sql { path, cause: source },
        }
    }

    /// Wraps a failure to decode packed rows of the database at `path`.
    pub(super) fn from_decode(path: &Path, error: DecodeError) -> StoreError {
        StoreError::Facts { path: path.to_owned(), detail: error.to_string() }
    }

    /// Classifies a file system error.
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

    /// Returns what is wrong, without the path and the remedy.
    pub(super) fn detail(&self) -> String {
        match self {
            StoreError::Damaged { detail, .. } | StoreError::Facts { detail, .. } => detail.clone(),
            error => error.to_string(),
        }
    }

    /// Returns whether a rebuild with `--force` would help.
    pub fn rebuild_helps(&self) -> bool {
        matches!(
            self,
            StoreError::Foreign { .. }
                | StoreError::Damaged { .. }
                | StoreError::Newer { .. }
                | StoreError::Facts { .. }
                | StoreError::Constraint { .. }
                | StoreError::Sql { .. }
        )
    }
}

/// Returns the message of SQLite without the statement. It can have text of the file, so it is cut and made safe to
/// print.
fn detail(error: &rusqlite::Error) -> String {
    let message = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        error => error.to_string(),
    };
    display::safe(&message).chars().take(MAX_DETAIL_LETTERS).collect()
}

/// Returns whether SQLite found less of a page than it wanted, which no device causes: the file was cut.
fn is_short_read(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_SHORT_READ)
}

/// Returns whether the error is a column's value that this program never writes.
fn is_bad_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    )
}

/// An error of decoding packed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum DecodeError {
    #[error("packed rows are truncated")]
    Truncated,
    #[error("a varint is longer than five bytes")]
    LongVarint,
    #[error("unknown edge type")]
    EdgeType,
    #[error("unknown provenance")]
    Provenance,
    #[error("a confidence is out of range")]
    Confidence,
    #[error("unknown symbol kind")]
    SymbolKind,
    #[error("unknown search column")]
    SearchColumn,
    #[error("a node id is out of range")]
    NodeId,
    #[error("a file id is out of range")]
    FileId,
    #[error("the hash of a name is out of range")]
    NameHash,
    #[error("a compressed part can't be unpacked")]
    Compression,
    #[error("a text is not UTF-8, or ends too early")]
    Text,
    #[error("packed rows are longer than they say")]
    TrailingBytes,
    #[error("names are in disorder")]
    NameOrder,
    #[error("a checksum does not match")]
    Checksum,
}

/// An error of decoding a blob.
#[derive(Debug, Error)]
pub(super) enum BlobError {
    #[error("a blob has no length")]
    NoLength,
    /// The length in bytes that the blob's header claims.
    #[error("a blob claims {0} bytes")]
    TooLong(usize),
    #[error(transparent)]
    Decompression(std::io::Error),
    #[error(transparent)]
    Postcard(#[from] postcard::Error),
}

/// Adds the database's path to a SQLite error.
pub(super) trait SqlContext<T> {
    /// Converts the error, naming the database.
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

    /// SQLITE_IOERR_SHMSIZE: a full disk has no room for the shared memory file.
    #[test]
    fn an_io_failure_does_not_suggest_a_rebuild() {
        let failure = rusqlite::ffi::Error::new(4874);
        let error = StoreError::from_sql(Path::new("graph.db"), rusqlite::Error::SqliteFailure(failure, None));
        assert!(matches!(error, StoreError::Device { .. }) && !error.rebuild_helps(), "{error:?}");
        assert!(error.to_string().contains("free some space") && !error.to_string().contains("--force"), "{error}");
    }

    #[test]
    fn a_file_that_was_cut_is_damaged() {
        let failure = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR_SHORT_READ);
        let error = StoreError::from_sql(Path::new("graph.db"), rusqlite::Error::SqliteFailure(failure, None));
        assert!(error.rebuild_helps() && error.to_string().contains("ends within a page"), "{error}");
    }

    fn failure(sql: &str) -> StoreError {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE files (id INTEGER PRIMARY KEY); INSERT INTO files VALUES (1)").unwrap();
        let prepared = connection.prepare(sql).and_then(|mut statement| statement.execute([]));
        StoreError::from_sql(Path::new("graph.db"), prepared.unwrap_err())
    }

    #[test]
    fn a_damaged_schema_is_reported_without_sql() {
        for sql in ["SELECT path FROM files", "SELECT id FROM nodes"] {
            let error = failure(sql);
            let text = error.to_string();
            assert!(error.rebuild_helps() && text.contains("graph.db"), "{error:?}");
            assert!(text.contains("`knowing index --force`") && !text.contains("SELECT"), "{text}");
        }
        assert!(matches!(failure("SELECT path FROM files"), StoreError::Damaged { .. }));
    }

    #[test]
    fn a_violated_constraint_names_the_remedy() {
        let error = failure("INSERT INTO files VALUES (1)");
        let text = error.to_string();
        assert!(matches!(error, StoreError::Constraint { .. }) && error.rebuild_helps(), "{error:?}");
        assert!(text.contains("graph.db") && text.contains("`knowing index --force`"), "{text}");
    }

    #[test]
    fn causes_are_printed_once() {
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
