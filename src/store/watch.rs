//! Notices that another connection or process wrote to a store.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::error::{SqlContext, StoreError};
use super::open;
use super::read::{STATE, maybe};

/// Remembers how a store was when this was made. Asking whether it still is so takes some microseconds.
#[derive(Debug)]
pub struct Watch {
    connection: Connection,
    path: PathBuf,
    /// A build from nothing puts another file in place.
    file: Option<FileIdentity>,
    /// SQLite counts the commits of others.
    version: i64,
}

impl Watch {
    /// Watches the store at `path` from now on. Whoever reads the store later than this sees no older state.
    ///
    /// # Errors
    /// When it can't be opened.
    pub fn new(path: &Path) -> Result<Watch, StoreError> {
        let file = identity(path);
        let connection = open::read_only(path)?;
        let version = version(&connection, path)?;
        Ok(Watch { connection, path: path.to_owned(), file, version })
    }

    /// Looks whether something was written since it was last looked, be it by an indexer or a vote.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn look(&mut self) -> Result<Seen, StoreError> {
        if identity(&self.path) != self.file {
            return Ok(Seen::AnotherFile);
        }
        let version = version(&self.connection, &self.path)?;
        if version == self.version {
            return Ok(Seen::Nothing);
        }
        // The version was read first: what is written from here on is seen the next time.
        self.version = version;
        let state = maybe(&self.connection, &self.path, sql!("meta_value"), [STATE], |row| row.get(0))?;
        Ok(Seen::Written { state })
    }
}

/// What was seen of a store.
#[derive(Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is as it was.
    Nothing,
    /// Something was written; the index is in this state now, as [`Reader::state`](super::Reader::state) names it.
    Written { state: Option<String> },
    /// Another file stands in its place.
    AnotherFile,
}

fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0)).at(path)
}

/// What tells a file from one that took its place.
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
