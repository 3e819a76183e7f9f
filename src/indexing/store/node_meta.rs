//! Node metadata: the part of each symbol that ranking holds in memory, packed by file.
//!
//! It duplicates columns of `symbols`, which take many times as long to load for all symbols, and has the lengths of the search
//! texts. A [`Writer`] repacks the files that a run changed before it commits.

use std::collections::{BTreeSet, HashMap};

use super::checksum::{RowHasher, hash_sealed, seal, unsealed};
use super::digest::Tally;
use super::error::{DecodeError, SqlContext, StoreError};
use super::read::Reader;
use super::rows::{SEARCH_COLUMNS, SearchColumn, has_name_apart};
use super::search_text::ColumnLengths;
use super::symbol_blocks::{BLOCK, Head, block_of};
use super::symbols::{Locations, MAX_NODES};
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
    /// Whether the name's terms count in the signature, which is stored without them.
    pub is_in_signature: bool,
    /// Number of terms in each column of the search text, with those that are stored elsewhere.
    pub lengths: ColumnLengths,
}

impl NodeMetaRow {
    /// Adds the terms of the name to the columns that have them without storing them, or takes them away.
    fn count_name(&mut self, count: impl Fn(u32, u32) -> u32) {
        let name = self.lengths[SearchColumn::SymbolName as usize];
        let in_signature = if self.is_in_signature { name } else { 0 };
        for (column, more) in [(SearchColumn::QualifiedName, name), (SearchColumn::Signature, in_signature)] {
            let length = &mut self.lengths[column as usize];
            *length = count(*length, more);
        }
    }
}

/// Lengths of the search texts that a run wrote, by block of nodes: eight bytes each, since most are small.
#[derive(Debug, Default)]
pub(super) struct WrittenLengths {
    blocks: HashMap<u32, Box<[[u8; SEARCH_COLUMNS]; BLOCK as usize]>>,
    /// Those that [`ELSEWHERE`] stands for.
    large: HashMap<NodeId, ColumnLengths>,
}

/// Stands for lengths of which one is larger than a byte, and for none.
const ELSEWHERE: [u8; SEARCH_COLUMNS] = [u8::MAX; SEARCH_COLUMNS];

impl WrittenLengths {
    /// Sets the lengths of a symbol's search text.
    pub(super) fn set(&mut self, node: NodeId, lengths: ColumnLengths) {
        let block = self.blocks.entry(block_of(node)).or_insert_with(|| Box::new([ELSEWHERE; BLOCK as usize]));
        let small = &mut block[(node.get() % BLOCK) as usize];
        if lengths.iter().all(|length| *length < u32::from(u8::MAX)) {
            *small = lengths.map(|length| length as u8);
        } else {
            *small = ELSEWHERE;
            self.large.insert(node, lengths);
        }
    }

    /// Returns the lengths of a symbol's search text; `None` if the run wrote none.
    fn get(&self, node: NodeId) -> Option<ColumnLengths> {
        match self.blocks.get(&block_of(node))?[(node.get() % BLOCK) as usize] {
            ELSEWHERE => self.large.get(&node).copied(),
            small => Some(small.map(u32::from)),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = WrittenLengths::default();
    }
}

/// Name of the table.
const NODE_META: &str = "node_meta";

const IS_TEST: u8 = 0x80;
const IS_IN_SIGNATURE: u8 = 0x40;

/// The metadata of a file's symbols.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileMeta {
    /// The layers in which the file has edges, as bits.
    pub layers: u8,
    /// By node.
    pub rows: Vec<NodeMetaRow>,
}

/// Encodes metadata: the layers, then the rows.
fn pack(layers: u8, rows: &[NodeMetaRow]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + rows.len() * 16);
    bytes.push(layers);
    let mut last_node = 0;
    for row in rows {
        write_delta(&mut bytes, last_node, row.node.get());
        last_node = row.node.get();
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        bytes.push(row.kind as u8 | flag(row.is_test, IS_TEST) | flag(row.is_in_signature, IS_IN_SIGNATURE));
        bytes.extend(row.id_prefix.to_be_bytes());
        let present = (0..SEARCH_COLUMNS).filter(|&column| row.lengths[column] > 0);
        bytes.push(present.clone().fold(0, |mask, column| mask | 1 << column));
        present.for_each(|column| write_varint(&mut bytes, row.lengths[column]));
    }
    bytes
}

/// Calls `visit` with each row of a file's symbols; returns the layers. File 0: symbols without a file.
fn unpack(file: FileId, bytes: &[u8], mut visit: impl FnMut(NodeMetaRow)) -> Result<u8, DecodeError> {
    let mut reader = VarintReader::new(bytes);
    let layers = reader.byte()?;
    let file = (file != FileId::NONE).then_some(file);
    let mut node = 0;
    while !reader.is_empty() {
        node = reader.delta(node)?;
        if node >= MAX_NODES {
            return Err(DecodeError::NodeId);
        }
        let byte = reader.byte()?;
        let kind = SymbolKind::from_number(byte & !(IS_TEST | IS_IN_SIGNATURE)).ok_or(DecodeError::SymbolKind)?;
        let id_prefix = u64::from_be_bytes(reader.bytes()?);
        let mask = reader.byte()?;
        let mut lengths = [0; SEARCH_COLUMNS];
        for (column, length) in lengths.iter_mut().enumerate() {
            if mask & 1 << column != 0 {
                *length = reader.varint()?;
            }
        }
        let (is_test, is_in_signature) = (byte & IS_TEST != 0, byte & IS_IN_SIGNATURE != 0);
        let node = NodeId::new(node);
        visit(NodeMetaRow { node, file, kind, is_test, id_prefix, is_in_signature, lengths });
    }
    Ok(layers)
}

impl Reader {
    /// Calls `visit` with the metadata of every symbol. The symbols of a file are consecutive. After an error, what was visited
    /// is not valid.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn for_each_node_meta(&self, mut visit: impl FnMut(NodeMetaRow)) -> Result<(), StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(NODE_META));
        let damaged = |error| StoreError::from_decode(self.path(), error);
        let mut statement = self.connection.prepare_cached(sql!("packed_node_meta")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        while let Some(row) = rows.next().at(&self.path)? {
            let file: FileId = row.get(0).at(&self.path)?;
            let sealed = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
            hash_sealed(&mut hasher, file.get().into(), sealed);
            tally.add(hasher.finish());
            let bytes = unsealed(NODE_META, file.get().into(), sealed).ok_or(DecodeError::Checksum);
            bytes.and_then(|bytes| unpack(file, bytes, &mut visit)).map_err(damaged)?;
        }
        self.check_loaded(NODE_META, tally)
    }

    /// Returns the metadata of a file's symbols. File 0: symbols without a file.
    ///
    /// # Errors
    /// When there is none, or the database can't be read.
    pub fn node_meta_of_file(&self, file: FileId) -> Result<FileMeta, StoreError> {
        self.packed_node_meta_of_file(file, |bytes| {
            let mut rows = Vec::new();
            let layers = unpack(file, bytes, |row| rows.push(row))?;
            Ok(FileMeta { layers, rows })
        })
    }

    /// Returns the layers in which a file has edges, as its metadata says.
    ///
    /// # Errors
    /// Those of [`Reader::node_meta_of_file`].
    pub fn layers_in_meta(&self, file: FileId) -> Result<u8, StoreError> {
        self.packed_node_meta_of_file(file, |bytes| bytes.first().copied().ok_or(DecodeError::Truncated))
    }

    /// Decodes the metadata of a file.
    fn packed_node_meta_of_file<T>(
        &self,
        file: FileId,
        decode: impl FnOnce(&[u8]) -> Result<T, DecodeError>,
    ) -> Result<T, StoreError> {
        let found = self.stored_node_meta(file, decode)?;
        found.ok_or_else(|| self.damaged(format!("table {NODE_META} has no row {file}")))
    }

    /// Decodes the metadata of a file; `None` if it has none.
    fn stored_node_meta<T>(
        &self,
        file: FileId,
        decode: impl FnOnce(&[u8]) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("packed_node_meta_of_file")).at(&self.path)?;
        let mut rows = statement.query([file]).at(&self.path)?;
        let Some(row) = rows.next().at(&self.path)? else { return Ok(None) };
        let sealed = row.get_ref(0).at(&self.path)?.as_bytes().unwrap_or_default();
        let bytes = unsealed(NODE_META, file.get().into(), sealed).ok_or(DecodeError::Checksum);
        bytes.and_then(decode).map(Some).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Adds the lengths of a file's search texts as its metadata has them.
    fn add_stored_lengths(&self, file: FileId, lengths: &mut HashMap<NodeId, ColumnLengths>) -> Result<(), StoreError> {
        let unpacked = self.stored_node_meta(file, |bytes| {
            unpack(file, bytes, |mut row| {
                row.count_name(u32::saturating_sub);
                lengths.insert(row.node, row.lengths);
            })
        });
        unpacked.map(drop)
    }

    /// Returns the metadata of symbols of one file, in the order of `nodes`. `lengths` returns the numbers of terms in the
    /// columns of a symbol's search text.
    fn make_node_meta(
        &self,
        nodes: &[NodeId],
        locations: &mut Locations<'_>,
        lengths: impl Fn(NodeId) -> Option<ColumnLengths>,
    ) -> Result<Vec<NodeMetaRow>, StoreError> {
        let mut rows = Vec::with_capacity(nodes.len());
        self.for_each_row_of(nodes, |block, row| {
            let Head { node, kind, is_test, .. } = row.head;
            let is_in_signature = has_name_apart(self.details_of(block, node)?.0);
            let id_prefix = locations.identity(&row)?.id_prefix();
            let (file, lengths) = (row.head.file(), lengths(node).unwrap_or_default());
            let mut row = NodeMetaRow { node, file, kind, is_test, id_prefix, is_in_signature, lengths };
            row.count_name(u32::saturating_add);
            rows.push(row);
            Ok(())
        })?;
        add_path_terms(&mut rows);
        Ok(rows)
    }

    /// Calls `visit` with each file and its nodes, in ascending order. File 0: symbols without a file.
    fn for_each_file_with_nodes(
        &self,
        mut visit: impl FnMut(FileId, &[NodeId]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut runs: Vec<(FileId, u32, u32)> = Vec::new();
        self.for_each_head(|head| {
            let node = head.node.get();
            match runs.last_mut().filter(|(file, _, next)| (*file, *next) == (head.file, node)) {
                Some((.., next)) => *next += 1,
                None => runs.push((head.file, node, node + 1)),
            }
        })?;
        runs.sort_unstable();
        for of_file in runs.chunk_by(|one, two| one.0 == two.0) {
            let nodes: Vec<NodeId> =
                of_file.iter().flat_map(|(_, first, next)| (*first..*next).map(NodeId::new)).collect();
            visit(of_file[0].0, &nodes)?;
        }
        Ok(())
    }

    /// Reports packed rows that differ from the rows they were made from.
    pub(super) fn check_node_meta(&self) -> Result<Vec<String>, StoreError> {
        let (mut problems, mut packed, mut made) = (Vec::new(), 0, 0);
        self.for_each_node_meta(|_| packed += 1)?;
        let mut locations = Locations::of_all(self)?;
        self.for_each_file_with_nodes(|file, nodes| {
            // The lengths are nowhere else.
            let mut lengths = HashMap::new();
            self.add_stored_lengths(file, &mut lengths)?;
            let rows = self.make_node_meta(nodes, &mut locations, |node| lengths.get(&node).copied())?;
            made += rows.len();
            let mut stored = self.node_meta_of_file(file)?.rows;
            stored.sort_unstable_by_key(|row| row.node);
            if stored != rows {
                problems.push(format!("the packed metadata of file {file} differs from its symbols"));
            }
            Ok(())
        })?;
        if packed != made {
            problems.push(format!("{packed} symbols have packed metadata, {made} have a row"));
        }
        for (file, layers) in self.layers_of_files()? {
            if self.node_meta_of_file(file)?.layers != layers {
                problems.push(format!("the packed metadata of file {file} has other layers of edges"));
            }
        }
        Ok(problems)
    }
}

impl Writer {
    /// Packs the metadata of every symbol.
    pub(super) fn pack_all_node_meta(&mut self) -> Result<(), StoreError> {
        let reader = self.reader();
        let (layers, mut locations) = (reader.layers_of_files()?, Locations::of_all(reader)?);
        reader.for_each_file_with_nodes(|file, nodes| {
            let rows = reader.make_node_meta(nodes, &mut locations, |node| self.lengths.get(node))?;
            self.put_node_meta(file, layers.get(&file).copied().unwrap_or_default(), &rows)
        })
    }

    /// Packs the metadata of the symbols in these files.
    pub(super) fn pack_node_meta_of(&mut self, files: &BTreeSet<FileId>) -> Result<(), StoreError> {
        let reader = self.reader();
        // A symbol can have moved between two of them.
        let mut stored = HashMap::new();
        files.iter().try_for_each(|file| reader.add_stored_lengths(*file, &mut stored))?;
        let lengths = |node: NodeId| self.lengths.get(node).or_else(|| stored.get(&node).copied());
        for &file in files {
            let nodes = reader.nodes_of_file(file)?;
            let rows = reader.make_node_meta(&nodes, &mut Locations::new(reader), lengths)?;
            self.put_node_meta(file, reader.layers_of_file(file)?, &rows)?;
        }
        Ok(())
    }

    fn put_node_meta(&self, file: FileId, layers: u8, rows: &[NodeMetaRow]) -> Result<(), StoreError> {
        match rows {
            [] => self.run(sql!("delete_node_meta"), [file]),
            rows => self.run(sql!("put_node_meta"), (file, seal(NODE_META, file.get().into(), &pack(layers, rows)))),
        }
    }
}

/// Adds the number of the path's terms, which the search text of the file's own symbol has, to all symbols of a file.
fn add_path_terms(rows: &mut [NodeMetaRow]) {
    let own = rows.iter().find(|row| row.file.is_some() && row.kind == SymbolKind::File);
    if let Some(count) = own.map(|own| own.lengths[SearchColumn::Concepts as usize]) {
        rows.iter_mut().for_each(|row| row.lengths[SearchColumn::Concepts as usize] = count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_any_size_are_kept() {
        let mut lengths = WrittenLengths::default();
        let rows = [[0, 1, 2, 3, 4, 5, 6, 254], [255, 0, 0, 0, 0, 0, 70_000, 1], [u8::MAX.into(); SEARCH_COLUMNS]];
        for (number, row) in (126..).zip(rows) {
            lengths.set(NodeId::new(number), row);
        }
        let found = [125, 126, 127, 128, 129].map(|number| lengths.get(NodeId::new(number)));
        assert_eq!(found, [None, Some(rows[0]), Some(rows[1]), Some(rows[2]), None]);
        lengths.set(NodeId::new(127), rows[0]);
        assert_eq!(lengths.get(NodeId::new(127)), Some(rows[0]));
    }

    #[test]
    fn packed_rows_round_trip() {
        let row = |node, kind, is_test, lengths| NodeMetaRow {
            node: NodeId::new(node),
            file: Some(FileId::new(4)),
            kind,
            is_test,
            id_prefix: u64::MAX - 1,
            is_in_signature: is_test,
            lengths,
        };
        let rows = [
            row(9, SymbolKind::File, false, [0; SEARCH_COLUMNS]),
            row(2, SymbolKind::Macro, true, [1, 0, 300, 0, 0, 0, 70_000, 2]),
        ];
        let (file, packed) = (FileId::new(4), pack(5, &rows));
        let mut unpacked = Vec::new();
        assert_eq!(unpack(file, &packed, |row| unpacked.push(row)), Ok(5));
        assert_eq!(unpacked, rows);
        assert!(unpack(file, &packed[..packed.len() - 1], |_| ()).is_err());
    }
}
