//! Node metadata: the part of each symbol that ranking holds in memory, packed by file.
//!
//! It duplicates columns of `nodes` and of the search index, which take many times as long to load for all symbols. A
//! [`Writer`] repacks the files that a run changed before it commits.

use rusqlite::Row;

use super::checksum::{RowHasher, hash_sealed, seal, unseal};
use super::digest::Tally;
use super::error::{DecodeError, StoreError};
use super::read::{Reader, bad_column};
use super::rows::SEARCH_COLUMNS;
use super::symbols::{MAX_NODES, read_kind};
use super::varint::{VarintReader, write_delta, write_varint};
use super::write::Writer;
use crate::model::{FileId, NodeId, SymbolKind};

/// The part of a symbol that ranking reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeMetaRow {
    pub node: NodeId,
    /// `None` for symbols without a file, such as externals.
    pub file: Option<FileId>,
    pub kind: SymbolKind,
    pub is_test: bool,
    /// First eight bytes of the symbol's identity.
    pub id_prefix: u64,
    /// Number of terms in each column of the search text.
    pub lengths: [u32; SEARCH_COLUMNS],
}

/// Packed metadata of one file's symbols. File 0: symbols without a file.
struct PackedNodeMeta {
    file: FileId,
    bytes: Vec<u8>,
}

/// Name of the table.
const NODE_META: &str = "node_meta";

const IS_TEST: u8 = 0x80;

fn pack(rows: &[NodeMetaRow]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.len() * 16);
    let mut last_node = 0;
    for row in rows {
        write_delta(&mut bytes, last_node, row.node.get());
        last_node = row.node.get();
        bytes.push(row.kind as u8 | if row.is_test { IS_TEST } else { 0 });
        bytes.extend(row.id_prefix.to_be_bytes());
        let present = (0..SEARCH_COLUMNS).filter(|&column| row.lengths[column] > 0);
        bytes.push(present.clone().fold(0, |mask, column| mask | 1 << column));
        present.for_each(|column| write_varint(&mut bytes, row.lengths[column]));
    }
    bytes
}

/// Calls `visit` with each row.
fn unpack(packed: &PackedNodeMeta, mut visit: impl FnMut(NodeMetaRow)) -> Result<(), DecodeError> {
    let mut reader = VarintReader::new(&packed.bytes);
    let file = (packed.file != FileId::NONE).then_some(packed.file);
    let mut node = 0;
    while !reader.is_empty() {
        node = reader.delta(node)?;
        if node >= MAX_NODES {
            return Err(DecodeError::NodeId);
        }
        let byte = reader.byte()?;
        let kind = SymbolKind::from_number(byte & !IS_TEST).ok_or(DecodeError::SymbolKind)?;
        let id_prefix = u64::from_be_bytes(reader.bytes()?);
        let mask = reader.byte()?;
        let mut lengths = [0; SEARCH_COLUMNS];
        for (column, length) in lengths.iter_mut().enumerate() {
            if mask & 1 << column != 0 {
                *length = reader.varint()?;
            }
        }
        let (node, is_test) = (NodeId::new(node), byte & IS_TEST != 0);
        visit(NodeMetaRow { node, file, kind, is_test, id_prefix, lengths });
    }
    Ok(())
}

impl Reader {
    /// Calls `visit` with the metadata of every symbol. The symbols of a file are consecutive.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn for_each_node_meta(&self, mut visit: impl FnMut(NodeMetaRow)) -> Result<(), StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(NODE_META));
        let packed: Vec<(FileId, Vec<u8>)> = self.query_all(sql!("packed_node_meta"), [], |row| {
            let (file, sealed): (FileId, Vec<u8>) = (row.get(0)?, row.get(1)?);
            hash_sealed(&mut hasher, file.get().into(), &sealed);
            tally.add(hasher.finish());
            Ok((file, sealed))
        })?;
        self.check_loaded(NODE_META, tally)?;
        packed.into_iter().try_for_each(|(file, sealed)| {
            let bytes = unseal(NODE_META, file.get().into(), sealed).ok_or(DecodeError::Checksum);
            let unpacked = bytes.and_then(|bytes| unpack(&PackedNodeMeta { file, bytes }, &mut visit));
            unpacked.map_err(|error| StoreError::from_decode(self.path(), error))
        })
    }

    /// Reports packed rows that differ from the rows they were made from.
    pub(super) fn check_node_meta(&self) -> Result<Vec<String>, StoreError> {
        let mut packed = Vec::new();
        self.for_each_node_meta(|row| packed.push(row))?;
        let mut rows = self.query_all(sql!("node_meta_rows"), [], read_node_meta)?;
        packed.sort_unstable_by_key(|row| row.node);
        rows.sort_unstable_by_key(|row| row.node);
        let count = (packed.len() != rows.len())
            .then(|| format!("{} symbols have packed metadata, {} have a row", packed.len(), rows.len()));
        let differing = packed.iter().zip(&rows).filter(|(packed, row)| packed != row);
        Ok(count
            .into_iter()
            .chain(differing.map(|(_, row)| format!("the packed metadata of symbol {} differs from its row", row.node)))
            .collect())
    }
}

impl Writer {
    /// Packs the metadata of every symbol, or of the symbols in `touched` files.
    pub(super) fn pack_node_meta(&mut self, touched: Option<&[FileId]>) -> Result<(), StoreError> {
        let Some(files) = touched else {
            let rows = self.reader().query_all(sql!("node_meta_rows"), [], read_node_meta)?;
            return rows.chunk_by(|one, two| one.file == two.file).try_for_each(|rows| {
                let file = rows.first().and_then(|row| row.file).unwrap_or(FileId::NONE);
                self.put_node_meta(file, rows)
            });
        };
        for &file in files {
            let rows = match file {
                FileId::NONE => self.reader().query_all(sql!("node_meta_rows_fileless"), [], read_node_meta)?,
                file => self.reader().query_all(sql!("node_meta_rows_of_file"), [file], read_node_meta)?,
            };
            self.put_node_meta(file, &rows)?;
        }
        Ok(())
    }

    fn put_node_meta(&self, file: FileId, rows: &[NodeMetaRow]) -> Result<(), StoreError> {
        match rows {
            [] => self.run(sql!("delete_node_meta"), [file]),
            rows => self.run(sql!("put_node_meta"), (file, seal(NODE_META, file.get().into(), &pack(rows)))),
        }
    }
}

fn read_node_meta(row: &Row<'_>) -> rusqlite::Result<NodeMetaRow> {
    let identity: [u8; 16] = row.get(4)?;
    let sizes = row.get_ref(5)?.as_blob_or_null().map_err(|_| bad_column(5, "sizes of fields"))?;
    Ok(NodeMetaRow {
        file: row.get(0)?,
        node: row.get(1)?,
        kind: read_kind(row, 2)?,
        is_test: row.get(3)?,
        id_prefix: identity[..8].iter().fold(0, |id_prefix, byte| id_prefix << 8 | u64::from(*byte)),
        lengths: sizes.map_or([0; SEARCH_COLUMNS], field_lengths),
    })
}

/// Decodes FTS5's `docsize` varints: seven bits a byte, most significant first, the high bit set on all but the last
/// byte.
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
    fn docsize_varints_are_decoded() {
        assert_eq!(field_lengths(&[3, 0x81, 0x00, 7]), [3, 128, 7, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn packed_rows_round_trip() {
        let row = |node, kind, is_test, lengths| NodeMetaRow {
            node: NodeId::new(node),
            file: Some(FileId::new(4)),
            kind,
            is_test,
            id_prefix: u64::MAX - 1,
            lengths,
        };
        let rows = [
            row(9, SymbolKind::File, false, [0; SEARCH_COLUMNS]),
            row(2, SymbolKind::Macro, true, [1, 0, 300, 0, 0, 0, 70_000, 2]),
        ];
        let packed = PackedNodeMeta { file: FileId::new(4), bytes: pack(&rows) };
        let mut unpacked = Vec::new();
        unpack(&packed, |row| unpacked.push(row)).unwrap();
        assert_eq!(unpacked, rows);
        let truncated = PackedNodeMeta { file: FileId::new(4), bytes: packed.bytes[..packed.bytes.len() - 1].to_vec() };
        assert!(unpack(&truncated, |_| ()).is_err());
    }
}
