//! The head of every symbol: what ranking holds in memory for all of them, packed by file.
//!
//! Everything here is also in `nodes` and in the search index, where reading it for all symbols takes many times as
//! long. A [`Writer`] keeps the two alike: it packs again what a run touched before it commits.

use rusqlite::Row;

use super::error::StoreError;
use super::read::{Reader, bad_column};
use super::rows::SEARCH_COLUMNS;
use super::symbols::{MOST_NODES, read_kind};
use super::varint::{Numbers, put, put_step};
use super::write::Writer;
use crate::model::SymbolKind;

/// The part of a symbol that ranking reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadRow {
    pub node: u32,
    /// Id of its file; `None` for externals and the like.
    pub file: Option<u32>,
    pub kind: SymbolKind,
    pub is_test: bool,
    /// First bytes of its identity.
    pub tie: u64,
    /// How many terms each column of its search text has.
    pub lengths: [u32; SEARCH_COLUMNS],
}

/// The heads of one file's symbols as they are stored; file 0 stands for symbols without a file.
struct PackedHeads {
    file: u32,
    bytes: Vec<u8>,
}

const IS_TEST: u8 = 0x80;

fn pack(heads: &[HeadRow]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(heads.len() * 16);
    let mut before = 0;
    for head in heads {
        put_step(&mut bytes, before, head.node);
        before = head.node;
        bytes.push(head.kind as u8 | if head.is_test { IS_TEST } else { 0 });
        bytes.extend(head.tie.to_be_bytes());
        let present = (0..SEARCH_COLUMNS).filter(|&column| head.lengths[column] > 0);
        bytes.push(present.clone().fold(0, |mask, column| mask | 1 << column));
        present.for_each(|column| put(&mut bytes, head.lengths[column]));
    }
    bytes
}

/// Gives each head to `take`.
fn unpack(packed: &PackedHeads, mut take: impl FnMut(HeadRow)) -> Result<(), &'static str> {
    let mut numbers = Numbers::new(&packed.bytes);
    let file = (packed.file != 0).then_some(packed.file);
    let mut node = 0;
    while !numbers.is_empty() {
        node = numbers.step(node)?;
        if node >= MOST_NODES {
            return Err("the number of a symbol is out of range");
        }
        let byte = numbers.byte()?;
        let kind = SymbolKind::from_number(byte & !IS_TEST).ok_or("an unknown kind of symbol")?;
        let tie = u64::from_be_bytes(numbers.bytes()?);
        let mask = numbers.byte()?;
        let mut lengths = [0; SEARCH_COLUMNS];
        for (column, length) in lengths.iter_mut().enumerate() {
            if mask & 1 << column != 0 {
                *length = numbers.number()?;
            }
        }
        take(HeadRow { node, file, kind, is_test: byte & IS_TEST != 0, tie, lengths });
    }
    Ok(())
}

impl Reader {
    /// Gives the head of every symbol to `take`, those of one file together.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn each_head(&self, mut take: impl FnMut(HeadRow)) -> Result<(), StoreError> {
        let packed =
            self.rows(sql!("packed_heads"), [], |row| Ok(PackedHeads { file: row.get(0)?, bytes: row.get(1)? }))?;
        packed.iter().try_for_each(|packed| {
            let refused = |detail: &str| StoreError::Facts { path: self.path().to_owned(), detail: detail.to_owned() };
            unpack(packed, &mut take).map_err(refused)
        })
    }

    /// What is wrong with the packed heads, compared with the rows that they were made from.
    pub(super) fn check_heads(&self) -> Result<Vec<String>, StoreError> {
        let mut packed = Vec::new();
        self.each_head(|head| packed.push(head))?;
        let mut rows = self.rows(sql!("head_rows"), [], read_head)?;
        packed.sort_unstable_by_key(|head| head.node);
        rows.sort_unstable_by_key(|head| head.node);
        let count = (packed.len() != rows.len())
            .then(|| format!("{} symbols have a packed head, {} a row", packed.len(), rows.len()));
        let differing = packed.iter().zip(&rows).filter(|(packed, row)| packed != row);
        Ok(count
            .into_iter()
            .chain(differing.map(|(_, row)| format!("the head of symbol {} is another", row.node)))
            .collect())
    }
}

impl Writer {
    /// Packs the heads of every symbol, or of those in the files that this run touched.
    pub(super) fn pack_heads(&mut self, touched: Option<&[u32]>) -> Result<(), StoreError> {
        let Some(files) = touched else {
            let rows = self.reader().rows(sql!("head_rows"), [], read_head)?;
            return rows.chunk_by(|one, two| one.file == two.file).try_for_each(|heads| {
                let file = heads.first().and_then(|head| head.file).unwrap_or(0);
                self.put_heads(file, heads)
            });
        };
        for &file in files {
            let heads = match file {
                0 => self.reader().rows(sql!("head_rows_outside"), [], read_head)?,
                file => self.reader().rows(sql!("head_rows_of"), [file], read_head)?,
            };
            self.put_heads(file, &heads)?;
        }
        Ok(())
    }

    fn put_heads(&self, file: u32, heads: &[HeadRow]) -> Result<(), StoreError> {
        match heads {
            [] => self.run(sql!("delete_heads"), [file]),
            heads => self.run(sql!("put_heads"), (file, pack(heads))),
        }
    }
}

fn read_head(row: &Row<'_>) -> rusqlite::Result<HeadRow> {
    let identity: [u8; 16] = row.get(4)?;
    let sizes = row.get_ref(5)?.as_blob_or_null().map_err(|_| bad_column(5, "sizes of fields"))?;
    Ok(HeadRow {
        file: row.get(0)?,
        node: row.get(1)?,
        kind: read_kind(row, 2)?,
        is_test: row.get(3)?,
        tie: identity[..8].iter().fold(0, |tie, byte| tie << 8 | u64::from(*byte)),
        lengths: sizes.map_or([0; SEARCH_COLUMNS], field_lengths),
    })
}

/// Decodes the variable-length integers of FTS5's `docsize` table: seven bits a byte, most significant first, the high
/// bit set where more follow.
fn field_lengths(bytes: &[u8]) -> [u32; SEARCH_COLUMNS] {
    let mut values = [0; SEARCH_COLUMNS];
    let mut rest = bytes.iter();
    for value in &mut values {
        for byte in rest.by_ref() {
            *value = (*value << 7) | u32::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                break;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lengths_take_several_bytes() {
        assert_eq!(field_lengths(&[3, 0x81, 0x00, 7]), [3, 128, 7, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn heads_round_trip() {
        let head =
            |node, kind, is_test, lengths| HeadRow { node, file: Some(4), kind, is_test, tie: u64::MAX - 1, lengths };
        let heads = [
            head(9, SymbolKind::File, false, [0; SEARCH_COLUMNS]),
            head(2, SymbolKind::Macro, true, [1, 0, 300, 0, 0, 0, 70_000, 2]),
        ];
        let packed = PackedHeads { file: 4, bytes: pack(&heads) };
        let mut found = Vec::new();
        unpack(&packed, |head| found.push(head)).unwrap();
        assert_eq!(found, heads);
        let cut = PackedHeads { file: 4, bytes: packed.bytes[..packed.bytes.len() - 1].to_vec() };
        assert!(unpack(&cut, |_| ()).is_err());
    }
}
