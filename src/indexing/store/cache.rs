//! A cache in the database: values that may be lost, by kind and key.
//!
//! The cache is not part of an index. Writing to it takes no indexer lock, and fails at once while another process
//! writes.

use std::path::Path;

use rusqlite::TransactionBehavior;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::blob::{decode, encode};
use super::checksum::{seal, unseal};
use super::error::{SqlContext, StoreError};
use super::open;
use super::read::Reader;
use super::write::Writer;

impl Reader {
    /// Returns the cached value of this kind and key. A value that can't be decoded counts as missing.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn cache_get<T: DeserializeOwned>(&self, kind: &str, key: &str) -> Result<Option<T>, StoreError> {
        let bytes: Option<Vec<u8>> =
            self.query_optional(sql!("cache_get"), (key.as_bytes(), kind), |row| row.get(0))?;
        let bytes = bytes.and_then(|bytes| unseal(kind, key_hash(key), bytes));
        Ok(bytes.and_then(|bytes| decode(&bytes).ok()))
    }
}

impl Writer {
    /// Deletes the cached values of a kind.
    ///
    /// # Errors
    /// When the store can't be written.
    pub fn clear_cached(&mut self, kind: &str) -> Result<(), StoreError> {
        self.run(sql!("cache_clear"), [kind])
    }
}

/// Caches `value` in the store at `path` and removes all but the `max_entries` newest entries of its kind.
///
/// # Errors
/// When the store can't be written, or another process is writing.
pub fn cache_put<T: Serialize>(
    path: &Path,
    kind: &str,
    key: &str,
    value: &T,
    max_entries: usize,
) -> Result<(), StoreError> {
    let mut connection = open::open_nowait(path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).at(path)?;
    transaction
        .execute(sql!("cache_put"), (key.as_bytes(), kind, seal(kind, key_hash(key), &encode(value))))
        .at(path)?;
    transaction.execute(sql!("cache_prune"), (kind, max_entries as i64)).at(path)?;
    transaction.commit().at(path)
}

fn key_hash(key: &str) -> i64 {
    xxhash_rust::xxh3::xxh3_64(key.as_bytes()) as i64
}
