//! Checksums of rows: XXH3 over a table's name and the values. They detect damage, not forgery.
//!
//! Packed rows end with a checksum of their own ([`seal`]), so that each is verified when it is read. Rows of the
//! journal have a column for it. [`super::digest`] sums them up by table.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Hashes the values of a row. Equal bytes of another type, or divided among columns in another way, hash differently.
pub(super) struct RowHasher {
    bytes: Vec<u8>,
    table_bytes: usize,
}

impl RowHasher {
    /// Returns a hasher for rows of `table`.
    pub(super) fn new(table: &str) -> RowHasher {
        let mut bytes = table.as_bytes().to_vec();
        bytes.push(0);
        let table_bytes = bytes.len();
        RowHasher { bytes, table_bytes }
    }

    /// Adds the value of the next column.
    pub(super) fn add(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.bytes.push(0),
            ValueRef::Integer(number) => {
                self.bytes.push(1);
                self.bytes.extend(number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                self.bytes.push(2);
                self.bytes.extend(number.to_bits().to_le_bytes());
            }
            ValueRef::Text(text) => self.add_bytes(3, text),
            ValueRef::Blob(blob) => self.add_bytes(4, blob),
        }
    }

    /// Adds an integer.
    pub(super) fn add_integer(&mut self, number: impl Into<i64>) {
        self.add(ValueRef::Integer(number.into()));
    }

    fn add_bytes(&mut self, tag: u8, value: &[u8]) {
        /// Longer values are hashed instead of copied.
        const MAX_COPIED_BYTES: usize = 64;
        self.bytes.push(tag);
        self.bytes.extend((value.len() as u64).to_le_bytes());
        match value.len() {
            ..=MAX_COPIED_BYTES => self.bytes.extend(value),
            _ => self.bytes.extend(xxh3_64(value).to_le_bytes()),
        }
    }

    /// Returns the hash of the row, and begins the next row.
    pub(super) fn finish(&mut self) -> u64 {
        let hash = xxh3_64(&self.bytes);
        self.bytes.truncate(self.table_bytes);
        hash
    }

    /// Returns the hash of the row in the form of a column, which takes four bytes, and begins the next row.
    pub(super) fn finish_short(&mut self) -> i64 {
        i64::from(self.finish() as u32 as i32)
    }
}

/// Length of the checksum of a packed row.
const SEAL_BYTES: usize = 4;

/// Returns the bytes of a packed row followed by a checksum of table, key and bytes.
pub(super) fn seal(table: &str, key: i64, data: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::with_capacity(data.len() + SEAL_BYTES);
    sealed.extend(data);
    sealed.extend(seal_of(table, key, data));
    sealed
}

/// Removes the checksum that [`seal`] added; `None` if it does not match, and the row is damaged.
pub(super) fn unseal(table: &str, key: i64, mut sealed: Vec<u8>) -> Option<Vec<u8>> {
    let length = unsealed(table, key, &sealed)?.len();
    sealed.truncate(length);
    Some(sealed)
}

/// Returns the data before the checksum that [`seal`] added; `None` if that does not match.
pub(super) fn unsealed<'a>(table: &str, key: i64, sealed: &'a [u8]) -> Option<&'a [u8]> {
    let (data, checksum) = sealed.split_last_chunk::<SEAL_BYTES>()?;
    (*checksum == seal_of(table, key, data)).then_some(data)
}

/// Adds the key and the checksum of a packed row, which are what its table's digest covers.
pub(super) fn hash_sealed(hasher: &mut RowHasher, key: i64, sealed: &[u8]) {
    hasher.add_integer(key);
    // Like `substr` in SQL: all of a shorter value.
    hasher.add(ValueRef::Blob(&sealed[sealed.len().saturating_sub(SEAL_BYTES)..]));
}

fn seal_of(table: &str, key: i64, data: &[u8]) -> [u8; SEAL_BYTES] {
    let seed = xxh3_64_with_seed(table.as_bytes(), key as u64);
    (xxh3_64_with_seed(data, seed) as u32).to_le_bytes()
}

/// Registers `row_checksum(table, value, …)` in SQL.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("row_checksum", -1, flags, |context| {
        let mut hasher = RowHasher::new(context.get_raw(0).as_str()?);
        (1..context.len()).for_each(|index| hasher.add(context.get_raw(index)));
        Ok(hasher.finish_short())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_covers_table_key_and_bytes() {
        let sealed = seal("edges", 7, b"abc");
        assert_eq!(unseal("edges", 7, sealed.clone()), Some(b"abc".to_vec()));
        assert_eq!(unseal("edges", 8, sealed.clone()), None);
        assert_eq!(unseal("codes", 7, sealed.clone()), None);
        assert_eq!(unseal("edges", 7, sealed[1..].to_vec()), None);
        assert_eq!(unseal("edges", 7, b"abc".to_vec()), None);
    }

    #[test]
    fn rows_hash_by_value_type_and_column() {
        let hash = |values: &[ValueRef<'_>]| {
            let mut hasher = RowHasher::new("nodes");
            values.iter().for_each(|value| hasher.add(*value));
            hasher.finish()
        };
        let (long, other) = ([7; 100], [8; 100]);
        let rows = [
            hash(&[ValueRef::Text(b"ab"), ValueRef::Text(b"c")]),
            hash(&[ValueRef::Text(b"a"), ValueRef::Text(b"bc")]),
            hash(&[ValueRef::Blob(b"ab"), ValueRef::Text(b"c")]),
            hash(&[ValueRef::Integer(0)]),
            hash(&[ValueRef::Null]),
            hash(&[ValueRef::Blob(&long)]),
            hash(&[ValueRef::Blob(&other)]),
        ];
        let distinct: std::collections::BTreeSet<u64> = rows.into_iter().collect();
        assert_eq!(distinct.len(), rows.len());
    }
}
