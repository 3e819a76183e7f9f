//! The origin of an index: the files, or another index that it began from; in a file beside the database, because an index
//! that began from another one equals one that was built.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{Engine, EngineError};
use crate::store::sibling_path;
use crate::text::display::safe;

/// Limit of the file's size in bytes. A longer one is not from this program.
const MAX_BYTES: u64 = 1_000;

/// What is known about an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexOrigin {
    /// A sentence about the index that it began from, and the time; `None` if it was built from the files.
    pub began_from: Option<(String, SystemTime)>,
    /// The commit that was checked out at the last change of the index, in hexadecimal; empty without git.
    pub commit: String,
    /// The time of the last change of the index.
    pub changed_at: Option<SystemTime>,
}

impl Engine {
    /// Returns where the index came from, and its age.
    ///
    /// # Errors
    /// When there is no complete index or it can't be read.
    pub fn origin(&self) -> Result<IndexOrigin, EngineError> {
        let snapshot = self.reader()?.latest_snapshot()?;
        let changed_at = snapshot
            .as_ref()
            .and_then(|row| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(row.created_at).ok()?)));
        let commit = snapshot.map_or_else(String::new, |row| row.commit);
        Ok(IndexOrigin { began_from: self.began_from(), commit, changed_at })
    }

    /// Records the index that this one began from; `None` for one that was built from the files. What can't be written is
    /// not recorded: the origin is information only.
    pub(super) fn record_origin(&self, sentence: Option<&str>) {
        let path = self.origin_path();
        let _unrecorded = match sentence {
            Some(sentence) => fs::write(path, sentence),
            None => fs::remove_file(path),
        };
    }

    fn began_from(&self) -> Option<(String, SystemTime)> {
        let path = self.origin_path();
        // A link or pipe in the folder may be of the repository's author.
        let metadata = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let mut sentence = String::new();
        fs::File::open(path).ok()?.take(MAX_BYTES).read_to_string(&mut sentence).ok()?;
        Some((safe(sentence.trim()).into_owned(), metadata.modified().ok()?))
    }

    fn origin_path(&self) -> PathBuf {
        sibling_path(&self.database, "origin")
    }
}
