//! The origin of an index: the files, or another index that it began from; in a file beside the database, because an index
//! that began from another one equals one that was built.

use std::time::{Duration, SystemTime};

use super::{Engine, EngineError};
use crate::store::{read_origin, write_origin};
use crate::text::display::safe;

/// The age of an index, and the index that it began from.
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
        let began_from = read_origin(&self.database).map(|(sentence, at)| (safe(sentence.trim()).into_owned(), at));
        Ok(IndexOrigin { began_from, commit, changed_at })
    }

    /// Records the index that this one began from; `None` for one that was built from the files. What can't be written is
    /// not recorded: the origin is information only.
    pub(super) fn record_origin(&self, sentence: Option<&str>) {
        let _unrecorded = write_origin(&self.database, sentence);
    }
}
