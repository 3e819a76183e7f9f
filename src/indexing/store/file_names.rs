//! Names by their hash, with the files that have something to do with each: one table has the names that files use and resolution
//! does not know, another those that files define, mention, or that were looked up for them.
//!
//! # Why
//!
//! A question about a symbol also tells the lines that may mean it, and an update resolves the files that depend on a changed name.
//! The facts of files have the same, but to look for a name in those of every file takes longer than the rest in a large repository.
//!
//! # Format
//!
//! A row has the names whose hash begins with its number: for each the difference of its hash from that before it, the number
//! of files, and for each file the difference of its id from that before it, with the value: small ones in the two low bits. A
//! long list of files follows its length in bytes, so that readers of other names skip it. The number of rows is a power of two that
//! a build chooses by the number of names, as does an update that adds more than the table has; all of them exist, so that a lost
//! one is an error.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::checksum::{seal, unsealed};
use super::error::{DecodeError, StoreError};
use super::read::Reader;
use super::varint::{VarintReader, write_varint};
use super::write::Writer;
use crate::model::FileId;

/// A file mentions a name.
pub const MENTIONED: u32 = 1;
/// Other files can find something that the file defines by a name.
pub const DEFINED: u32 = 2;
/// A name was looked up for a file that does not mention it.
pub const LOOKED_UP: u32 = 4;
/// Number of bits of what a file has to do with a name.
const FLAGS: u32 = 3;

/// A table of names.
struct Table {
    name: &'static str,
    last: &'static str,
    read: &'static str,
    put: &'static str,
    /// Returns the value after a change.
    change: fn(u32, u32) -> u32,
}

/// The names that files use and resolution does not know. The value is the number of uses.
const UNRESOLVED: Table = Table {
    name: "unresolved_names",
    last: sql!("last_unresolved_row"),
    read: sql!("unresolved_row"),
    put: sql!("put_unresolved_row"),
    change: |_, count| count,
};

/// The names that files define, mention or were looked up for them, which are the bits of the value. A change has bits to clear
/// above those to set.
const NAMES: Table = Table {
    name: "file_names",
    last: sql!("last_file_names_row"),
    read: sql!("file_names_row"),
    put: sql!("put_file_names_row"),
    change: |before, change| before & !(change >> FLAGS) | change & ((1 << FLAGS) - 1),
};

/// The rows of a table: the first bits of a hash are the number of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rows {
    bits: u32,
}

/// The least number of rows, by its bits.
const MIN_BITS: u32 = 4;
/// The greatest number of rows, by its bits.
const MAX_BITS: u32 = 16;
/// Bytes of the names of a row, as [`NameLists`] has them. Rows have about as many: several are on a page, which wastes little, and
/// whoever looks for a thousand names in a large repository reads few others.
const ROW_BYTES: usize = 512;
/// The parts in which rows are changed, as a compromise between memory and time.
const PARTS: u32 = 16;
const _: () = assert!(1 << MIN_BITS >= PARTS);

impl Rows {
    /// Returns the rows for names that take this many bytes.
    fn for_bytes(bytes: usize) -> Rows {
        Rows { bits: (bytes / ROW_BYTES).max(1).ilog2().clamp(MIN_BITS, MAX_BITS) }
    }

    /// Returns the rows of a table by the number of its last one; `None` if some are lost.
    fn with_last(last: u32) -> Option<Rows> {
        let count = last.checked_add(1).filter(|count| count.is_power_of_two())?;
        Some(Rows { bits: count.ilog2() }).filter(|rows| (MIN_BITS..=MAX_BITS).contains(&rows.bits))
    }

    fn count(self) -> u32 {
        1 << self.bits
    }

    /// Returns the number of the row that has a name.
    fn row_of(self, hash: u32) -> u32 {
        hash >> (u32::BITS - self.bits)
    }

    /// Returns the key by which a row is sealed: with another number of rows it is not valid.
    fn key(self, row: u32) -> i64 {
        i64::from(self.bits) << u32::BITS | i64::from(row)
    }

    /// Returns the smallest hash of a row.
    fn first(self, row: u32) -> u32 {
        row << (u32::BITS - self.bits)
    }
}

/// Number of rows that are loaded before they are decoded.
const LOADED_ROWS: usize = 1_024;
/// Number of files from which a list is long.
const LONG: u32 = 8;

/// A name that a file has something to do with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileName {
    /// Hash of the name.
    pub hash: u32,
    pub file: FileId,
    /// The number of uses, or what the file has to do with the name; not 0.
    pub value: u32,
}

impl Rows {
    /// Encodes the names of a row, sorted by hash and file.
    fn encode(self, row: u32, names: &[FileName]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(names.len() * 3);
        let mut last_hash = self.first(row);
        for files in names.chunk_by(|one, two| one.hash == two.hash) {
            write_varint(&mut bytes, files[0].hash - last_hash);
            write_varint(&mut bytes, files.len() as u32);
            last_hash = files[0].hash;
            let list = encoded_files(files);
            if files.len() as u32 >= LONG {
                write_varint(&mut bytes, list.len() as u32);
            }
            bytes.extend(list);
        }
        bytes
    }

    /// Calls `visit` with the names of a row for whose hash `is_wanted` returns true, sorted by hash and file. `is_wanted` is called
    /// with each hash once, in order.
    fn decode(
        self,
        row: u32,
        bytes: &[u8],
        mut is_wanted: impl FnMut(u32) -> bool,
        mut visit: impl FnMut(FileName),
    ) -> Result<(), DecodeError> {
        let mut reader = VarintReader::new(bytes);
        let (mut hash, mut is_first) = (self.first(row), true);
        while !reader.is_empty() {
            let before = std::mem::replace(&mut hash, 0);
            hash = before.checked_add(reader.varint()?).ok_or(DecodeError::NameHash)?;
            let is_sorted = std::mem::take(&mut is_first) || hash > before;
            if self.row_of(hash) != row || !is_sorted {
                return Err(DecodeError::NameHash);
            }
            let files = reader.varint()?;
            let length = if files >= LONG { reader.varint()? } else { 0 };
            let is_wanted = is_wanted(hash);
            if !is_wanted && files >= LONG {
                reader.take(length as usize)?;
                continue;
            }
            let mut file = 0_u32;
            for number in 0..files {
                let packed = reader.varint()?;
                if number > 0 && packed >> 2 == 0 {
                    return Err(DecodeError::FileId);
                }
                file = file.checked_add(packed >> 2).ok_or(DecodeError::FileId)?;
                let more = if packed & 3 == 3 { reader.varint()? } else { 0 };
                let value = (1 + (packed & 3)).saturating_add(more);
                if is_wanted {
                    visit(FileName { hash, file: FileId::new(file), value });
                }
            }
        }
        Ok(())
    }

    /// Decodes a row as a table stores it, as [`Rows::decode`] does.
    fn open(
        self,
        (table, row): (&Table, u32),
        sealed: &[u8],
        is_wanted: impl FnMut(u32) -> bool,
        visit: impl FnMut(FileName),
    ) -> Result<(), DecodeError> {
        let bytes = unsealed(table.name, self.key(row), sealed).ok_or(DecodeError::Checksum)?;
        self.decode(row, bytes, is_wanted, visit)
    }
}

/// Encodes the files of a name, which are sorted.
fn encoded_files(files: &[FileName]) -> Vec<u8> {
    let (mut bytes, mut last_file) = (Vec::with_capacity(files.len() * 2), 0);
    for name in files {
        let small = (name.value - 1).min(3);
        write_varint(&mut bytes, (name.file.get() - last_file) << 2 | small);
        if small == 3 {
            write_varint(&mut bytes, name.value - 4);
        }
        last_file = name.file.get();
    }
    bytes
}

impl Reader {
    /// Returns the files that use a name of this hash which resolution does not know, sorted.
    ///
    /// # Errors
    /// When a row is missing, or the database can't be read, as for every function of this file.
    pub fn files_with_unresolved(&self, hash: u32) -> Result<Vec<FileId>, StoreError> {
        let rows = self.rows_of(&UNRESOLVED)?;
        let row = (&UNRESOLVED, rows.row_of(hash));
        let mut files = Vec::new();
        rows.open(row, &self.sealed_row(row)?, |other| other == hash, |name| files.push(name.file))
            .map_err(|error| StoreError::from_decode(self.path(), error))?;
        Ok(files)
    }

    /// Returns every name that files use and resolution does not know, sorted by hash and file.
    pub fn unresolved_names(&self) -> Result<Vec<FileName>, StoreError> {
        self.names_of(&UNRESOLVED)
    }

    /// Returns the files that have something to do with names of these hashes, which are sorted. Runs on the threads of the pool.
    pub fn files_with_names(&self, hashes: &[u32]) -> Result<Vec<FileName>, StoreError> {
        let rows = self.rows_of(&NAMES)?;
        let by_row: Vec<&[u32]> = hashes.chunk_by(|one, two| rows.row_of(*one) == rows.row_of(*two)).collect();
        let mut found = Vec::new();
        for part in by_row.chunks(LOADED_ROWS) {
            let sealed = |of_row: &&[u32]| self.sealed_row((&NAMES, rows.row_of(of_row[0])));
            let sealed: Vec<Vec<u8>> = part.iter().map(sealed).collect::<Result<_, StoreError>>()?;
            let named = |(of_row, sealed): (&&[u32], &Vec<u8>)| {
                let (mut wanted, mut names) = (of_row.iter().peekable(), Vec::new());
                let is_wanted = |hash: u32| {
                    while wanted.next_if(|wanted| **wanted < hash).is_some() {}
                    wanted.peek() == Some(&&hash)
                };
                let row = (&NAMES, rows.row_of(of_row[0]));
                rows.open(row, sealed, is_wanted, |name| names.push(name)).map(|()| names)
            };
            let named: Result<Vec<Vec<FileName>>, DecodeError> = part.par_iter().zip(&sealed).map(named).collect();
            found.extend(named.map_err(|error| StoreError::from_decode(self.path(), error))?.into_iter().flatten());
        }
        Ok(found)
    }

    /// Returns whether the names of files are those of these lists, and no others.
    pub fn has_only_names(&self, lists: NameLists) -> Result<bool, StoreError> {
        let rows = self.rows_of(&NAMES)?;
        let mut is_equal = true;
        lists.for_each_row(rows, |row, changes| {
            let names = changed(&NAMES, &[], &changes);
            is_equal &= self.sealed_row((&NAMES, row))? == seal(NAMES.name, rows.key(row), &rows.encode(row, &names));
            Ok(())
        })?;
        Ok(is_equal)
    }

    /// Returns every name of a table, sorted by hash and file.
    fn names_of(&self, table: &Table) -> Result<Vec<FileName>, StoreError> {
        let rows = self.rows_of(table)?;
        let mut names = Vec::new();
        for row in 0..rows.count() {
            self.visit_row(rows, (table, row), |name| names.push(name))?;
        }
        Ok(names)
    }

    fn rows_of(&self, table: &Table) -> Result<Rows, StoreError> {
        let last: Option<u32> = self.query_one(table.last, [], |row| row.get(0))?;
        last.and_then(Rows::with_last).ok_or_else(|| StoreError::Damaged {
            path: self.path().to_owned(),
            detail: format!("table {} lacks rows", table.name),
        })
    }

    fn sealed_row(&self, (table, row): (&Table, u32)) -> Result<Vec<u8>, StoreError> {
        let stored: Option<Vec<u8>> = self.query_optional(table.read, [row], |row| row.get(0))?;
        stored.ok_or_else(|| StoreError::Damaged {
            path: self.path().to_owned(),
            detail: format!("table {} has no row {row}", table.name),
        })
    }

    /// Calls `visit` with all names of a row, sorted by hash and file.
    fn visit_row(&self, rows: Rows, row: (&Table, u32), visit: impl FnMut(FileName)) -> Result<(), StoreError> {
        let sealed = self.sealed_row(row)?;
        rows.open(row, &sealed, |_| true, visit).map_err(|error| StoreError::from_decode(self.path(), error))
    }
}

/// Names of files, or changes of them, by file. They take about five bytes each.
#[derive(Debug, Default)]
pub struct NameLists(Vec<NameList>);

/// Encoded names of a file, and how far they were read.
#[derive(Debug)]
struct NameList {
    file: FileId,
    /// For each name the difference of its hash from that before it, and the change.
    bytes: Box<[u8]>,
    position: usize,
    last_hash: u32,
}

/// A change of what a file has to do with a name: hash, file, and the change.
type Change = (u32, FileId, u32);

impl NameLists {
    /// Adds what a file has to do with names: their hashes, sorted, and the values.
    pub fn add(&mut self, file: FileId, names: impl IntoIterator<Item = (u32, u32)>) {
        let (mut bytes, mut last_hash) = (Vec::new(), 0);
        for (hash, change) in names {
            write_varint(&mut bytes, hash - last_hash);
            write_varint(&mut bytes, change);
            last_hash = hash;
        }
        if !bytes.is_empty() {
            self.0.push(NameList { file, bytes: bytes.into(), position: 0, last_hash: 0 });
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Calls `visit` with each row, and its changes sorted by hash and file, those of one name and file in the order in which they
    /// were added.
    fn for_each_row(
        mut self,
        rows: Rows,
        mut visit: impl FnMut(u32, Vec<Change>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let length = rows.count() / PARTS;
        for part in (0..rows.count()).step_by(length as usize) {
            let last_row = part + (length - 1);
            let mut changes: Vec<Change> = Vec::new();
            for list in &mut self.0 {
                list.take_until(|hash| rows.row_of(hash) > last_row, &mut changes);
            }
            changes.sort_by_key(|(hash, file, _)| (*hash, *file));
            let mut rest = changes.into_iter().peekable();
            for row in part..=last_row {
                let of_row = std::iter::from_fn(|| rest.next_if(|(hash, ..)| rows.row_of(*hash) == row)).collect();
                visit(row, of_row)?;
            }
        }
        Ok(())
    }
}

impl NameList {
    /// Moves the changes before the first one for whose hash `is_end` returns true to `changes`.
    fn take_until(&mut self, is_end: impl Fn(u32) -> bool, changes: &mut Vec<Change>) {
        while self.position < self.bytes.len() {
            let mut reader = VarintReader::new(&self.bytes[self.position..]);
            let (Ok(difference), Ok(change)) = (reader.varint(), reader.varint()) else {
                unreachable!("what `add` wrote is complete");
            };
            let hash = self.last_hash + difference;
            if is_end(hash) {
                return;
            }
            changes.push((hash, self.file, change));
            self.last_hash = hash;
            self.position = self.bytes.len() - reader.rest().len();
        }
    }
}

/// Returns the names of a row after changes; both are sorted by hash and file.
fn changed(table: &Table, before: &[FileName], changes: &[Change]) -> Vec<FileName> {
    let mut after = Vec::with_capacity(before.len() + changes.len());
    let mut before = before.iter().copied().peekable();
    for of_name in changes.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        let (hash, file, _) = of_name[0];
        after.extend(std::iter::from_fn(|| before.next_if(|name| (name.hash, name.file) < (hash, file))));
        let stored = before.next_if(|name| (name.hash, name.file) == (hash, file));
        let value = stored.map_or(0, |name| name.value);
        let value = of_name.iter().fold(value, |value, (.., change)| (table.change)(value, *change));
        after.extend((value > 0).then_some(FileName { hash, file, value }));
    }
    after.extend(before);
    after
}

impl Writer {
    /// Replaces the names that a file uses and resolution does not know, each with its count.
    pub fn change_unresolved_names(&mut self, file: FileId, before: &BTreeMap<u32, u32>, after: &BTreeMap<u32, u32>) {
        let mut changes: BTreeMap<u32, u32> = before.keys().map(|hash| (*hash, 0)).collect();
        changes.extend(after);
        changes.retain(|hash, count| before.get(hash) != Some(count));
        self.changed_unresolved.add(file, changes);
    }

    /// Replaces some of what a file has to do with names: the bits `before` by those `after`, by the hash of the name.
    pub fn change_names(&mut self, file: FileId, before: &BTreeMap<u32, u32>, after: &BTreeMap<u32, u32>) {
        let mut changes: BTreeMap<u32, u32> = before.iter().map(|(hash, bits)| (*hash, bits << FLAGS)).collect();
        after.iter().for_each(|(hash, bits)| *changes.entry(*hash).or_insert(0) |= bits);
        changes.retain(|hash, _| before.get(hash) != after.get(hash));
        self.changed_names.add(file, changes);
    }

    /// Packs the rows whose names changed since the transaction began; all when the index was cleared.
    pub(super) fn pack_changed_names(&mut self) -> Result<(), StoreError> {
        let unresolved = std::mem::take(&mut self.changed_unresolved);
        self.pack_names(&UNRESOLVED, unresolved)?;
        let names = std::mem::take(&mut self.changed_names);
        self.pack_names(&NAMES, names)
    }

    fn pack_names(&self, table: &Table, changes: NameLists) -> Result<(), StoreError> {
        if changes.0.is_empty() && !self.is_bulk {
            return Ok(());
        }
        let wanted = Rows::for_bytes(changes.0.iter().map(|list| list.bytes.len()).sum());
        // All names before, where every row is written.
        let (rows, all) = if self.is_bulk {
            (wanted, Some(Vec::new()))
        } else {
            let rows = self.reader().rows_of(table)?;
            let has_more_rows = wanted.bits > rows.bits;
            (
                if has_more_rows { wanted } else { rows },
                has_more_rows.then(|| self.reader().names_of(table)).transpose()?,
            )
        };
        let mut all = all.map(|names| names.into_iter().peekable());
        changes.for_each_row(rows, |row, changes| {
            let mut before = Vec::new();
            match &mut all {
                Some(names) => {
                    before.extend(std::iter::from_fn(|| names.next_if(|name| rows.row_of(name.hash) == row)))
                }
                None if changes.is_empty() => return Ok(()),
                None => self.reader().visit_row(rows, (table, row), |name| before.push(name))?,
            }
            let bytes = rows.encode(row, &changed(table, &before, &changes));
            self.run(table.put, (row, seal(table.name, rows.key(row), &bytes)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: Rows = Rows { bits: 8 };

    fn decoded(row: u32, bytes: &[u8]) -> Result<Vec<FileName>, DecodeError> {
        let mut names = Vec::new();
        ROWS.decode(row, bytes, |_| true, |name| names.push(name)).map(|()| names)
    }

    fn name(hash: u32, file: u32, value: u32) -> FileName {
        FileName { hash, file: FileId::new(file), value }
    }

    #[test]
    fn names_of_a_row_round_trip() {
        let names = [
            name(0x0700_0000, 1, 1),
            name(0x0700_0000, 9, 300),
            name(0x0700_0001, 2, 3),
            name(0x0700_0001, 3, 4),
            name(0x07ff_ffff, u32::MAX >> 2, u32::MAX),
        ];
        let bytes = ROWS.encode(7, &names);
        assert_eq!(decoded(7, &bytes), Ok(names.to_vec()));
        assert_eq!(decoded(7, &[]), Ok(Vec::new()));
        assert!(decoded(7, &bytes[..bytes.len() - 1]).is_err());
        assert_eq!(decoded(7, &[0xff, 0xff, 0xff, 0xff, 0x0f]), Err(DecodeError::NameHash));
        assert_eq!(
            decoded(255, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
            Err(DecodeError::NameHash),
            "a sum that is too large"
        );
    }

    #[test]
    fn long_lists_are_skipped() {
        let long: Vec<FileName> = (1..=20).map(|file| name(0x0700_0000, file, 1)).collect();
        let names = [&long[..], &[name(0x0700_0001, 2, 300), name(0x0700_0009, 3, 4)]].concat();
        let bytes = ROWS.encode(7, &names);
        for wanted in [0x0700_0000, 0x0700_0001, 0x0700_0005, 0x0700_0009] {
            let mut found = Vec::new();
            ROWS.decode(7, &bytes, |hash| hash == wanted, |name| found.push(name)).unwrap();
            assert_eq!(found, names.iter().copied().filter(|name| name.hash == wanted).collect::<Vec<_>>());
        }
        assert_eq!(decoded(7, &bytes), Ok(names));
        assert!(ROWS.decode(7, &bytes[..8], |_| false, |_| ()).is_err(), "a list that ends too early");
    }

    #[test]
    fn the_number_of_rows_is_a_power_of_two() {
        assert_eq!((Rows::for_bytes(0).count(), Rows::for_bytes(usize::MAX).count()), (16, 65_536));
        assert_eq!(Rows::for_bytes(100 * ROW_BYTES).count(), 64);
        assert_eq!(Rows::with_last(63), Some(Rows { bits: 6 }));
        assert_eq!([62, 64, 7, u32::MAX].map(Rows::with_last), [None; 4]);
    }

    #[test]
    fn lists_are_changes_by_row() {
        let mut lists = NameLists::default();
        lists.add(FileId::new(2), [(1, MENTIONED), (u32::MAX, DEFINED)]);
        lists.add(FileId::new(1), [(1, LOOKED_UP)]);
        lists.add(FileId::new(2), [(1, MENTIONED << FLAGS | DEFINED)]);
        lists.add(FileId::new(3), []);
        let mut rows = Vec::new();
        let visit = |row, changes: Vec<Change>| {
            rows.extend((!changes.is_empty()).then(|| (row, changed(&NAMES, &[name(1, 2, LOOKED_UP)], &changes))));
            Ok(())
        };
        lists.for_each_row(ROWS, visit).unwrap();
        let first = vec![name(1, 1, LOOKED_UP), name(1, 2, LOOKED_UP | DEFINED)];
        let last = vec![name(1, 2, LOOKED_UP), name(u32::MAX, 2, DEFINED)];
        assert_eq!(rows, [(0, first), (ROWS.count() - 1, last)]);
        let gone = [(1, FileId::new(2), LOOKED_UP << FLAGS)];
        assert_eq!(changed(&NAMES, &[name(1, 2, LOOKED_UP), name(1, 3, 1)], &gone), [name(1, 3, 1)]);
    }
}
