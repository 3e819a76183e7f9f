//! Names that files use and resolution does not know: by the hash of the name, the files, and the number of uses in each.
//!
//! # Why
//!
//! A question about a symbol also tells the lines that may mean it. What is not resolved is stored by file, and to look for a name
//! in every file takes longer than the rest of the question in a large repository.
//!
//! # Format
//!
//! A row has the names whose hash begins with its number: for each the difference of its hash from that before it, the number
//! of files, and for each file the difference of its id from that before it, and the count. All rows always exist, so that a lost one
//! is an error.

use std::collections::BTreeMap;

use super::checksum::{seal, unsealed};
use super::error::{DecodeError, StoreError};
use super::read::Reader;
use super::varint::{VarintReader, write_varint};
use super::write::Writer;
use crate::model::FileId;

/// Name of the table.
const UNRESOLVED_NAMES: &str = "unresolved_names";
/// Number of rows.
const BUCKETS: u32 = 256;

/// A name that a file uses and resolution does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnresolvedName {
    /// Hash of the name.
    pub hash: u32,
    pub file: FileId,
    /// Number of uses in the file.
    pub count: u32,
}

/// Returns the number of the row that has a name.
fn bucket_of(hash: u32) -> u32 {
    hash >> (u32::BITS - BUCKETS.ilog2())
}

/// Encodes names of one bucket, sorted by hash and file.
fn encode(names: &[UnresolvedName]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(names.len() * 3);
    let mut last_hash = names.first().map_or(0, |name| bucket_of(name.hash) << (u32::BITS - BUCKETS.ilog2()));
    for files in names.chunk_by(|one, two| one.hash == two.hash) {
        write_varint(&mut bytes, files[0].hash - last_hash);
        write_varint(&mut bytes, files.len() as u32);
        last_hash = files[0].hash;
        let mut last_file = 0;
        for name in files {
            write_varint(&mut bytes, name.file.get() - last_file);
            write_varint(&mut bytes, name.count);
            last_file = name.file.get();
        }
    }
    bytes
}

/// Decodes the names of a bucket.
fn decode(bucket: u32, bytes: &[u8]) -> Result<Vec<UnresolvedName>, DecodeError> {
    let mut reader = VarintReader::new(bytes);
    let mut names = Vec::new();
    let mut hash = bucket << (u32::BITS - BUCKETS.ilog2());
    while !reader.is_empty() {
        hash = hash.checked_add(reader.varint()?).ok_or(DecodeError::NameHash)?;
        if bucket_of(hash) != bucket {
            return Err(DecodeError::NameHash);
        }
        let mut file = 0_u32;
        for _ in 0..reader.varint()? {
            file = file.checked_add(reader.varint()?).ok_or(DecodeError::FileId)?;
            names.push(UnresolvedName { hash, file: FileId::new(file), count: reader.varint()? });
        }
    }
    Ok(names)
}

impl Reader {
    /// Returns the files that use a name of this hash, sorted.
    ///
    /// # Errors
    /// When a row is missing, or the database can't be read, as for every function of this file.
    pub fn files_with_unresolved(&self, hash: u32) -> Result<Vec<FileId>, StoreError> {
        let names = self.unresolved_bucket(bucket_of(hash))?;
        let start = names.partition_point(|name| name.hash < hash);
        Ok(names[start..].iter().take_while(|name| name.hash == hash).map(|name| name.file).collect())
    }

    /// Returns every name, sorted by hash and file.
    pub fn unresolved_names(&self) -> Result<Vec<UnresolvedName>, StoreError> {
        let mut names = Vec::new();
        for bucket in 0..BUCKETS {
            names.extend(self.unresolved_bucket(bucket)?);
        }
        Ok(names)
    }

    fn unresolved_bucket(&self, bucket: u32) -> Result<Vec<UnresolvedName>, StoreError> {
        let stored: Option<Vec<u8>> = self.query_optional(sql!("unresolved_bucket"), [bucket], |row| row.get(0))?;
        let sealed = stored.ok_or_else(|| StoreError::Damaged {
            path: self.path().to_owned(),
            detail: format!("table {UNRESOLVED_NAMES} has no row {bucket}"),
        })?;
        let bytes = unsealed(UNRESOLVED_NAMES, bucket.into(), &sealed).ok_or(DecodeError::Checksum);
        bytes.and_then(|bytes| decode(bucket, bytes)).map_err(|error| StoreError::from_decode(self.path(), error))
    }
}

/// Names that changed in a run: the count by hash and file, 0 for those that are no longer used.
pub(super) type ChangedNames = BTreeMap<(u32, FileId), u32>;

impl Writer {
    /// Replaces the names that a file uses and resolution does not know, each with its count.
    pub fn change_unresolved_names(&mut self, file: FileId, before: &BTreeMap<u32, u32>, after: &BTreeMap<u32, u32>) {
        let removed = before.keys().filter(|hash| !after.contains_key(hash)).map(|hash| (*hash, 0));
        let added = after.iter().filter(|(hash, count)| before.get(hash) != Some(count));
        let changes = removed.chain(added.map(|(hash, count)| (*hash, *count)));
        self.changed_names.extend(changes.map(|(hash, count)| ((hash, file), count)));
    }

    /// Packs the rows whose names changed since the transaction began; all when the index was cleared.
    pub(super) fn pack_changed_names(&mut self) -> Result<(), StoreError> {
        let mut changes = std::mem::take(&mut self.changed_names);
        for bucket in 0..BUCKETS {
            let of_bucket = match bucket.checked_add(1).filter(|next| *next < BUCKETS) {
                Some(next) => {
                    let rest = changes.split_off(&(next << (u32::BITS - BUCKETS.ilog2()), FileId::new(0)));
                    std::mem::replace(&mut changes, rest)
                }
                None => std::mem::take(&mut changes),
            };
            if of_bucket.is_empty() && !self.is_bulk {
                continue;
            }
            let mut names = if self.is_bulk { Vec::new() } else { self.reader().unresolved_bucket(bucket)? };
            names.retain(|name| !of_bucket.contains_key(&(name.hash, name.file)));
            let added = of_bucket.into_iter().filter(|(_, count)| *count > 0);
            names.extend(added.map(|((hash, file), count)| UnresolvedName { hash, file, count }));
            names.sort_unstable();
            let sealed = seal(UNRESOLVED_NAMES, bucket.into(), &encode(&names));
            self.run(sql!("put_unresolved_bucket"), (bucket, sealed))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_bucket_round_trip() {
        let name = |hash, file, count| UnresolvedName { hash, file: FileId::new(file), count };
        let names = [
            name(0x0700_0000, 1, 1),
            name(0x0700_0000, 9, 300),
            name(0x0700_0001, 2, 1),
            name(0x07ff_ffff, u32::MAX, u32::MAX),
        ];
        let bytes = encode(&names);
        assert_eq!(decode(7, &bytes), Ok(names.to_vec()));
        assert_eq!(decode(7, &[]), Ok(Vec::new()));
        assert!(decode(7, &bytes[..bytes.len() - 1]).is_err());
        assert_eq!(decode(7, &[0xff, 0xff, 0xff, 0xff, 0x0f]), Err(DecodeError::NameHash));
        assert_eq!(decode(255, &[0xff, 0xff, 0xff, 0xff, 0x0f]), Err(DecodeError::NameHash), "a sum that is too large");
    }
}
