//! Notes beside the index: values that may be lost, by key, the newest few of each kind.
//!
//! They are no part of an index, so writing one takes neither the indexer's lock nor its turn: when somebody else is
//! writing, the note is refused after a moment instead of waited for.

use std::path::Path;

use rusqlite::TransactionBehavior;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::blob::{decode, encode};
use super::error::{SqlContext, StoreError};
use super::open;
use super::read::Reader;

impl Reader {
    /// The note of this kind under this key; one that can't be read back is as good as none.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn note<T: DeserializeOwned>(&self, kind: &str, key: &str) -> Result<Option<T>, StoreError> {
        let bytes: Option<Vec<u8>> = self.maybe(sql!("note"), (key.as_bytes(), kind), |row| row.get(0))?;
        Ok(bytes.and_then(|bytes| decode(&bytes).ok()))
    }
}

/// Keeps `value` under this key in the store at `path`, and of its kind only the `most` that were written last.
///
/// # Errors
/// When the store can't be written, or somebody else is writing.
pub fn put_note<T: Serialize>(path: &Path, kind: &str, key: &str, value: &T, most: usize) -> Result<(), StoreError> {
    let mut connection = open::aside(path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).at(path)?;
    transaction.execute(sql!("put_note"), (key.as_bytes(), kind, encode(value))).at(path)?;
    transaction.execute(sql!("prune_notes"), (kind, most as i64)).at(path)?;
    transaction.commit().at(path)
}
