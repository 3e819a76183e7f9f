//! Edges: all of them, or those of one slot.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::Row;

use super::error::StoreError;
use super::packed::{unpack_edges, unpack_rows};
use super::read::Reader;
use super::rows::{EdgeRow, Layer, read_confidence};
use super::write::Writer;
use crate::model::Edge;

/// Where edges are kept together: those of one layer whose sources stand in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// Id of the file; 0 for symbols without one.
    pub file: u32,
    pub layer: Layer,
}

/// How many layers there can be.
const LAYERS: u32 = 4;

impl Slot {
    fn number(self) -> i64 {
        i64::from(self.file) * i64::from(LAYERS) + i64::from(self.layer)
    }

    fn from_number(number: u32) -> Slot {
        Slot { file: number / LAYERS, layer: (number % LAYERS) as Layer }
    }
}

/// The edges of a slot as [`super::pack_edges`] packed them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedEdges {
    pub slot: Slot,
    pub bytes: Vec<u8>,
}

/// How many edges end and begin at a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Degree {
    pub incoming: u32,
    pub outgoing: u32,
}

impl Reader {
    /// Every edge, in no order that means anything.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here.
    pub fn all_edges(&self) -> Result<Vec<Edge>, StoreError> {
        let packed = self.packed_edges()?;
        let mut edges = Vec::with_capacity(most_edges(&packed));
        edges_by_file(&packed, self.path(), |of_file| edges.extend_from_slice(of_file))?;
        Ok(edges)
    }

    /// The edges of every slot, packed, by slot.
    pub fn packed_edges(&self) -> Result<Vec<PackedEdges>, StoreError> {
        self.rows(sql!("packed_edges"), [], read_packed)
    }

    /// The edges of a slot, packed; nothing when it has none.
    pub fn packed_edges_of(&self, slot: Slot) -> Result<Option<PackedEdges>, StoreError> {
        self.maybe(sql!("packed_edges_of"), [slot.number()], |row| Ok(PackedEdges { slot, bytes: row.get(0)? }))
    }

    /// The edges of every slot of a file (0: of symbols without one), packed, by slot.
    pub fn packed_edges_of_file(&self, file: u32) -> Result<Vec<PackedEdges>, StoreError> {
        let (first, last) = (Slot { file, layer: 0 }, Slot { file, layer: LAYERS as Layer - 1 });
        self.rows(sql!("packed_edges_of_file"), [first.number(), last.number()], read_packed)
    }

    /// The edges of a slot, sorted by source, target and type.
    pub fn unpack(&self, packed: &PackedEdges) -> Result<Vec<EdgeRow>, StoreError> {
        let mut rows = Vec::new();
        unpack_rows(&packed.bytes, packed.slot.layer, &mut rows).map_err(|detail| self.bad_edges(detail))?;
        Ok(rows)
    }

    /// How connected each node is, by number. Reads every edge.
    pub fn degrees(&self) -> Result<Vec<Degree>, StoreError> {
        let mut degrees = vec![Degree::default(); self.node_capacity()? as usize];
        for edge in self.all_edges()? {
            if let Some(degree) = degrees.get_mut(edge.source as usize) {
                degree.outgoing += 1;
            }
            if let Some(degree) = degrees.get_mut(edge.target as usize) {
                degree.incoming += 1;
            }
        }
        Ok(degrees)
    }

    /// What is wrong with the edges: ends that do not exist, edges that are kept in another slot than their source's.
    pub(super) fn check_edges(&self) -> Result<Vec<String>, StoreError> {
        let nodes: HashMap<u32, u32> =
            self.node_keys()?.into_iter().map(|key| (key.id, key.file.unwrap_or(0))).collect();
        let mut problems = Vec::new();
        for packed in self.packed_edges()? {
            let rows = self.unpack(&packed)?;
            let key = |edge: &EdgeRow| (edge.source, edge.target, edge.edge_type as u8);
            if !rows.is_sorted_by(|one, two| key(one) < key(two)) {
                problems.push(format!("{:?} is not sorted", packed.slot));
            }
            for EdgeRow { source, target, .. } in rows {
                if !nodes.contains_key(&source) || !nodes.contains_key(&target) {
                    problems.push(format!("edge {source} -> {target} has an end that does not exist"));
                } else if nodes.get(&source) != Some(&packed.slot.file) {
                    problems.push(format!("edge {source} -> {target} is kept with file {}", packed.slot.file));
                }
            }
        }
        Ok(problems)
    }

    fn bad_edges(&self, detail: &str) -> StoreError {
        StoreError::Facts { path: self.path().to_owned(), detail: detail.to_owned() }
    }
}

impl Writer {
    /// Replaces the edges of a slot; without any, the slot goes.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn put_edges(&mut self, packed: &PackedEdges) -> Result<(), StoreError> {
        match packed.bytes.is_empty() {
            true => self.run(sql!("delete_edges"), [packed.slot.number()]),
            false => self.run(sql!("put_edges"), (packed.slot.number(), &packed.bytes)),
        }
    }

    /// Removes the edges of every slot of a file.
    pub(super) fn delete_edges_of(&mut self, file: u32) -> Result<(), StoreError> {
        (0..LAYERS as Layer).try_for_each(|layer| self.run(sql!("delete_edges"), [Slot { file, layer }.number()]))
    }
}

/// How many edges there are at most: each takes at least two bytes, most take four.
pub fn most_edges(packed: &[PackedEdges]) -> usize {
    packed.iter().map(|packed| packed.bytes.len()).sum::<usize>() / 2
}

/// Gives the edges of one file's symbols after the other's to `take`, for which the store need not be at hand: those of each
/// layer sorted by source, target and type, one layer after the other. `packed` comes by slot.
///
/// # Errors
/// When the bytes are not what was once stored at `database`.
pub fn edges_by_file(packed: &[PackedEdges], database: &Path, mut take: impl FnMut(&[Edge])) -> Result<(), StoreError> {
    let mut edges = Vec::new();
    for slots in packed.chunk_by(|one, two| one.slot.file == two.slot.file) {
        edges.clear();
        for slot in slots {
            let refused = |detail: &str| StoreError::Facts { path: database.to_owned(), detail: detail.to_owned() };
            unpack_edges(&slot.bytes, &mut edges).map_err(refused)?;
        }
        take(&edges);
    }
    Ok(())
}

fn read_packed(row: &Row<'_>) -> rusqlite::Result<PackedEdges> {
    Ok(PackedEdges { slot: Slot::from_number(row.get(0)?), bytes: row.get(1)? })
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
