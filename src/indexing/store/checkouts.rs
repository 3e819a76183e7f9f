//! The folders of checkouts as a list: their sizes, and the removal of those whose checkout is gone.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::error::StoreError;
use super::journal::Journal;
use super::location::{CheckoutFolder, DATABASE};
use super::read::Reader;
use crate::feedback::{FeedbackEvent, event_line, term_line};

impl CheckoutFolder {
    /// Returns the path of the database, which may not exist.
    pub fn database(&self) -> PathBuf {
        self.folder.join(DATABASE)
    }

    /// Returns the repository's id; `None` if there is no index that can be read.
    pub fn repository(&self) -> Option<String> {
        Some(Reader::open(&self.database()).ok()?.repository().to_owned())
    }

    /// Returns the size of all files, in bytes.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        bytes_in(&self.folder).map_err(|error| StoreError::from_io("list", &self.folder, error))
    }

    /// Returns when the index was written last, in seconds since 1970; 0 without one.
    pub fn used(&self) -> u64 {
        let modified = fs::metadata(self.database()).and_then(|metadata| metadata.modified()).ok();
        modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default().as_secs()
    }

    /// Removes the folder. Votes and learned terms that are not undone are written to files in `kept` first; returns these
    /// files.
    ///
    /// # Errors
    /// When the journal can't be read or written to a file; then nothing is removed.
    pub fn remove(&self, kept: &Path) -> Result<Vec<PathBuf>, StoreError> {
        let database = self.database();
        let events = if database.exists() { Journal::open(&database)?.events()? } else { Vec::new() };
        let events: Vec<FeedbackEvent> = events.into_iter().filter(|event| !event.undone).collect();
        let votes: Vec<String> = events.iter().filter_map(event_line).collect();
        let terms = events.iter().flat_map(|event| &event.terms).filter(|term| term.observations > 0);
        let terms: Vec<String> = terms.map(term_line).collect();
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let mut files = Vec::new();
        for (lines, ending) in [(votes, "jsonl"), (terms, "terms.jsonl")] {
            if !lines.is_empty() {
                let file = kept.join(format!("{name}.{ending}"));
                append(&file, &lines).map_err(|error| StoreError::from_io("write", &file, error))?;
                files.push(file);
            }
        }
        fs::remove_dir_all(&self.folder).map_err(|error| StoreError::from_io("remove", &self.folder, error))?;
        Ok(files)
    }
}

/// Appends lines to a file: one of an earlier checkout at the same path stays, and importing skips what is known.
fn append(file: &Path, lines: &[String]) -> std::io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(file)?;
    file.write_all((lines.join("\n") + "\n").as_bytes())?;
    file.sync_all()
}

fn bytes_in(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => bytes += bytes_in(&entry.path())?,
            Ok(metadata) => bytes += metadata.len(),
            // A file of a running process, such as the write-ahead log.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}
