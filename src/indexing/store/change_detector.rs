//! Detects writes of other connections and processes to a store, by SQLite's `data_version`.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::error::{SqlContext, StoreError};
use super::open;
use super::read::{STATE, query_optional};

/// Compares a store with its state at the previous poll. A poll takes a few microseconds.
#[derive(Debug)]
pub struct ChangeDetector {
    connection: Connection,
    path: PathBuf,
    /// A rebuild replaces the file.
    file: Option<FileIdentity>,
    /// SQLite's `data_version`, which changes with commits of other connections.
    version: i64,
}

impl ChangeDetector {
    /// Starts detecting changes of the store at `path`. A reader opened after this call sees no older state.
    ///
    /// # Errors
    /// When it can't be opened.
    pub fn new(path: &Path) -> Result<ChangeDetector, StoreError> {
        let file = identity(path);
        let connection = open::read_only(path)?;
        let version = version(&connection, path)?;
        Ok(ChangeDetector { connection, path: path.to_owned(), file, version })
    }

    /// Returns the change since the previous poll. Votes and cached values count as writes too.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn poll(&mut self) -> Result<StoreChange, StoreError> {
        if identity(&self.path) != self.file {
            return Ok(StoreChange::FileReplaced);
        }
        let version = version(&self.connection, &self.path)?;
        if version == self.version {
            return Ok(StoreChange::Unchanged);
        }
        // The version is read before the state, so a write in between is reported by the next poll.
        self.version = version;
        let state = query_optional(&self.connection, &self.path, sql!("meta_value"), [STATE], |row| row.get(0))?;
        Ok(StoreChange::Written { state })
    }
}

/// A change of a store.
#[derive(Debug, PartialEq, Eq)]
pub enum StoreChange {
    /// No change.
    Unchanged,
    /// A write; `state` is the present value of [`Reader::state`](super::Reader::state).
    Written { state: Option<String> },
    /// The file was replaced by another one.
    FileReplaced,
}

fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0)).at(path)
}

/// Device and inode, or the creation time where there are none.
type FileIdentity = (u64, u64);

fn identity(path: &Path) -> Option<FileIdentity> {
    std::fs::metadata(path).ok().map(|metadata| identity_of(&metadata))
}

#[cfg(unix)]
fn identity_of(metadata: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity_of(metadata: &Metadata) -> FileIdentity {
    let created = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    (0, created.map_or(0, |time| time.as_nanos() as u64))
}
