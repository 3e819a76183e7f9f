//! Edges, partitioned into slots.

use std::collections::{BTreeSet, HashMap};

use rusqlite::Row;

use super::checksum::{RowHasher, hash_sealed, seal, unseal, unsealed};
use super::digest::Tally;
use super::edge_codec::{unpack_edges, unpack_rows, visit_rows};
use super::error::{DecodeError, SqlContext, StoreError};
use super::node_blocks::NodeBlock;
use super::read::Reader;
use super::rows::{EdgeRow, Layer, read_confidence};
use super::write::Writer;
use crate::model::{Edge, FileId, NodeId};

/// The unit in which edges are stored: those of one layer whose sources belong to one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// 0 for symbols without a file.
    pub file: FileId,
    pub layer: Layer,
}

/// Name of the table.
const EDGES: &str = "edges";

/// Maximum number of layers; part of the slot's number in the database.
const LAYER_COUNT: u32 = 4;

impl Slot {
    fn number(self) -> i64 {
        i64::from(self.file.get()) * i64::from(LAYER_COUNT) + i64::from(self.layer)
    }

    fn from_number(number: u32) -> Slot {
        Slot { file: FileId::new(number / LAYER_COUNT), layer: (number % LAYER_COUNT) as Layer }
    }
}

/// The edges of a slot, encoded by [`super::pack_edges`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedEdges {
    pub slot: Slot,
    pub bytes: Vec<u8>,
}

/// In-degree and out-degree of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Degree {
    pub incoming: u32,
    pub outgoing: u32,
}

impl Reader {
    /// Returns every edge, in unspecified order.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn all_edges(&self) -> Result<Vec<Edge>, StoreError> {
        let mut edges = Vec::new();
        self.for_each_file_edges(|file_edges| edges.extend_from_slice(file_edges))?;
        Ok(edges)
    }

    /// Calls `visit` with the edges of each file. Those of a layer are sorted by source, target and type; layers follow one
    /// another. After an error, what was visited is not valid.
    pub fn for_each_file_edges(&self, mut visit: impl FnMut(&[Edge])) -> Result<(), StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(EDGES));
        let damaged = |error| StoreError::from_decode(self.path(), error);
        let mut statement = self.connection.prepare_cached(sql!("packed_edges")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let (mut file, mut edges) = (FileId::NONE, Vec::new());
        while let Some(row) = rows.next().at(&self.path)? {
            let number: i64 = row.get(0).at(&self.path)?;
            let sealed = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
            hash_sealed(&mut hasher, number, sealed);
            tally.add(hasher.finish());
            let slot = u32::try_from(number).ok().map(Slot::from_number);
            let (slot, bytes) =
                slot.zip(unsealed(EDGES, number, sealed)).ok_or_else(|| damaged(DecodeError::Checksum))?;
            if slot.file != file {
                visit(&edges);
                edges.clear();
                file = slot.file;
            }
            unpack_edges(bytes, &mut edges).map_err(damaged)?;
        }
        visit(&edges);
        self.check_loaded(EDGES, tally)
    }

    /// Calls `visit` with every edge, as far as the run has written them.
    pub(super) fn for_each_edge_row(&self, mut visit: impl FnMut(EdgeRow)) -> Result<(), StoreError> {
        let damaged = |error| StoreError::from_decode(self.path(), error);
        let mut statement = self.connection.prepare_cached(sql!("packed_edges")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        while let Some(row) = rows.next().at(&self.path)? {
            let number: i64 = row.get(0).at(&self.path)?;
            let sealed = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
            let bytes = unsealed(EDGES, number, sealed).ok_or_else(|| damaged(DecodeError::Checksum))?;
            visit_rows(bytes, &mut visit).map_err(damaged)?;
        }
        Ok(())
    }

    /// Returns the layers in which a file has edges, as bits.
    pub(super) fn layers_of_file(&self, file: FileId) -> Result<u8, StoreError> {
        let (first, last) = (Slot { file, layer: 0 }, Slot { file, layer: LAYER_COUNT as Layer - 1 });
        let numbers = self.query_all(sql!("edge_slots_of_file"), [first.number(), last.number()], |row| row.get(0))?;
        Ok(numbers.into_iter().map(Slot::from_number).fold(0, |layers, slot| layers | 1 << slot.layer))
    }

    /// Returns the layers in which each file has edges, as bits.
    pub(super) fn layers_of_files(&self) -> Result<HashMap<FileId, u8>, StoreError> {
        let mut layers: HashMap<FileId, u8> = HashMap::new();
        for Slot { file, layer } in
            self.query_all(sql!("edge_slots"), [], |row| row.get(0))?.into_iter().map(Slot::from_number)
        {
            *layers.entry(file).or_default() |= 1 << layer;
        }
        Ok(layers)
    }

    /// Returns the edges of a file, which are in these layers. Those of a layer are sorted by source, target and type; layers
    /// follow one another.
    pub fn edges_of_file(&self, file: FileId, layers: u8) -> Result<Vec<Edge>, StoreError> {
        let packed = self.packed_edges_of_file(file)?;
        let found = packed.iter().fold(0, |layers, packed| layers | 1 << packed.slot.layer);
        if found != layers {
            let detail = format!("rows of file {file} in table {EDGES} are missing or too many");
            return Err(StoreError::Damaged { path: self.path().to_owned(), detail });
        }
        let mut edges = Vec::new();
        let unpacked = packed.iter().try_for_each(|packed| unpack_edges(&packed.bytes, &mut edges));
        unpacked.map(|()| edges).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Returns the encoded edges of every slot, sorted by slot.
    pub fn packed_edges(&self) -> Result<Vec<PackedEdges>, StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(EDGES));
        let rows = self.query_all(sql!("packed_edges"), [], |row| {
            let (number, sealed) = read_sealed(row)?;
            hash_sealed(&mut hasher, number, &sealed);
            tally.add(hasher.finish());
            Ok((number, sealed))
        })?;
        self.check_loaded(EDGES, tally)?;
        rows.into_iter().map(|row| self.packed(row)).collect()
    }

    /// Returns the encoded edges of a slot, `None` when it has no edges.
    pub fn packed_edges_of_slot(&self, slot: Slot) -> Result<Option<PackedEdges>, StoreError> {
        let number = slot.number();
        let sealed = self.query_optional(sql!("packed_edges_of_slot"), [number], |row| Ok((number, row.get(0)?)))?;
        sealed.map(|row| self.packed(row)).transpose()
    }

    /// Returns the encoded edges of every slot of a file, sorted by slot. File 0: symbols without a file.
    pub fn packed_edges_of_file(&self, file: FileId) -> Result<Vec<PackedEdges>, StoreError> {
        let (first, last) = (Slot { file, layer: 0 }, Slot { file, layer: LAYER_COUNT as Layer - 1 });
        let rows = self.query_all(sql!("packed_edges_of_file"), [first.number(), last.number()], read_sealed)?;
        rows.into_iter().map(|row| self.packed(row)).collect()
    }

    /// Verifies the checksum of a slot's row.
    fn packed(&self, (number, sealed): (i64, Vec<u8>)) -> Result<PackedEdges, StoreError> {
        let slot = u32::try_from(number).map(Slot::from_number);
        match slot.ok().zip(unseal(EDGES, number, sealed)) {
            Some((slot, bytes)) => Ok(PackedEdges { slot, bytes }),
            None => Err(StoreError::from_decode(self.path(), DecodeError::Checksum)),
        }
    }

    /// Decodes the edges of a slot, which are sorted by source, target and type.
    pub fn unpack(&self, packed: &PackedEdges) -> Result<Vec<EdgeRow>, StoreError> {
        let mut rows = Vec::new();
        unpack_rows(&packed.bytes, packed.slot.layer, &mut rows)
            .map_err(|error| StoreError::from_decode(self.path(), error))?;
        Ok(rows)
    }

    /// Returns the degree of each node, indexed by node id. Reads every edge.
    pub fn degrees(&self) -> Result<Vec<Degree>, StoreError> {
        let mut degrees = vec![Degree::default(); self.node_capacity()? as usize];
        for edge in self.all_edges()? {
            if let Some(degree) = degrees.get_mut(edge.source.index()) {
                degree.outgoing += 1;
            }
            if let Some(degree) = degrees.get_mut(edge.target.index()) {
                degree.incoming += 1;
            }
        }
        Ok(degrees)
    }

    /// Returns the degrees of nodes. Reads their blocks and the files in these, each once.
    pub fn degrees_of(&self, nodes: &[NodeId]) -> Result<HashMap<NodeId, Degree>, StoreError> {
        let mut degrees: HashMap<NodeId, Degree> = nodes.iter().map(|node| (*node, Degree::default())).collect();
        let numbers: BTreeSet<u32> = nodes.iter().map(|node| NodeBlock::number_of(*node)).collect();
        for number in numbers {
            let block = self.node_block(number)?;
            for edge in self.edges_to(&block)? {
                degrees.entry(edge.target).and_modify(|degree| degree.incoming += 1);
            }
            for file in block.files() {
                for edge in self.edges_of_file(file, self.node_meta_of_file(file)?.layers)? {
                    degrees.entry(edge.source).and_modify(|degree| degree.outgoing += 1);
                    if NodeBlock::number_of(edge.source) == number {
                        degrees.entry(edge.target).and_modify(|degree| degree.incoming += 1);
                    }
                }
            }
        }
        Ok(degrees)
    }

    /// Reports edges with missing endpoints, edges in the wrong slot and unsorted slots.
    pub(super) fn check_edges(&self) -> Result<Vec<String>, StoreError> {
        let mut nodes: HashMap<NodeId, FileId> = HashMap::new();
        self.for_each_head(|head| nodes.extend([(head.node, head.file)]))?;
        let mut problems = Vec::new();
        for packed in self.packed_edges()? {
            let rows = self.unpack(&packed)?;
            let key = |edge: &EdgeRow| (edge.source, edge.target, edge.edge_type as u8);
            if !rows.is_sorted_by(|one, two| key(one) < key(two)) {
                let Slot { file, layer } = packed.slot;
                problems.push(format!("the edges of file {file} in layer {layer} are not sorted"));
            }
            for EdgeRow { source, target, .. } in rows {
                if !nodes.contains_key(&source) || !nodes.contains_key(&target) {
                    problems.push(format!("edge {source} -> {target} has an endpoint that does not exist"));
                } else if nodes.get(&source) != Some(&packed.slot.file) {
                    problems.push(format!("edge {source} -> {target} is stored with file {}", packed.slot.file));
                }
            }
        }
        Ok(problems)
    }
}

impl Writer {
    /// Replaces the edges of a slot; an empty list removes the slot.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn put_edges(&mut self, packed: &PackedEdges) -> Result<(), StoreError> {
        if !self.is_bulk && self.note_edges(packed.slot, &packed.bytes)? {
            self.touched.insert(packed.slot.file);
        }
        match packed.bytes.is_empty() {
            true => self.run(sql!("delete_edges"), [packed.slot.number()]),
            false => {
                let number = packed.slot.number();
                self.run(sql!("put_edges"), (number, seal(EDGES, number, &packed.bytes)))
            }
        }
    }

    /// Removes the edges of every slot of a file.
    pub(super) fn delete_edges_of(&mut self, file: FileId) -> Result<(), StoreError> {
        (0..LAYER_COUNT as Layer)
            .try_for_each(|layer| self.put_edges(&PackedEdges { slot: Slot { file, layer }, bytes: Vec::new() }))
    }
}

/// Reads the number of a slot and its row with the checksum.
fn read_sealed(row: &Row<'_>) -> rusqlite::Result<(i64, Vec<u8>)> {
    Ok((row.get(0)?, row.get(1)?))
}

impl From<EdgeRow> for Edge {
    fn from(row: EdgeRow) -> Edge {
        Edge {
            source: row.source,
            target: row.target,
            edge_type: row.edge_type,
            provenance: row.provenance,
            confidence: read_confidence(row.confidence),
        }
    }
}
