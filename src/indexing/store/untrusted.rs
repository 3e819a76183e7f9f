//! The journal of a database that can be from anyone, such as one that was committed with a repository.

use std::fs;
use std::io::{Error, ErrorKind};
use std::path::Path;

use super::error::StoreError;
use super::journal::Journal;
use super::lock::sibling_path;
use super::open::MAX_BYTES;
use crate::feedback::FeedbackEvent;

/// First bytes of a SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Returns whether a regular file begins like a SQLite database. Nothing else is opened.
///
/// # Errors
/// When it can't be read.
pub fn is_database(file: &Path) -> std::io::Result<bool> {
    use std::io::Read;
    if !fs::metadata(file)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    fs::File::open(file)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// Reads the journal of a database. What is read is a copy in `folder`, which must have the tables of this version and
/// nothing else; each row has a checksum. The database itself is not opened with SQLite, and nothing is written beside it.
///
/// # Errors
/// When it is not an intact database of this version.
pub fn untrusted_events(database: &Path, folder: &Path) -> Result<Vec<FeedbackEvent>, StoreError> {
    let refused = |detail: String| StoreError::Untrusted { path: database.to_owned(), detail };
    let copies = tempfile::Builder::new().prefix("import-").tempdir_in(folder);
    let copies = copies.map_err(|error| StoreError::from_io("write into", folder, error))?;
    let copy = copies.path().join("graph.db");
    copy_file(database, &copy).map_err(|error| StoreError::from_io("copy", database, error))?;
    // It has the last votes of a process that was killed.
    let log = sibling_path(database, "wal");
    if log.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        copy_file(&log, &sibling_path(&copy, "wal")).map_err(|error| StoreError::from_io("copy", &log, error))?;
    }
    Journal::open(&copy).and_then(|journal| journal.events()).map_err(|error| refused(error.detail()))
}

fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    let metadata = fs::metadata(from)?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(Error::new(ErrorKind::InvalidInput, "it is not a file, or is too large"));
    }
    fs::copy(from, to).map(drop)
}
