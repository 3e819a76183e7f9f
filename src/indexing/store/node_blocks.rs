//! Blocks of nodes: the file of each node, and the edges that lead to it from nodes of other blocks.
//!
//! # Why
//!
//! Edges are stored with the file of their source, so that an edit rewrites no other file's rows. What leads *to* a symbol would
//! need all of them. A block is a row of a few kilobytes that an update rewrites when one of its nodes or of the edges to it
//! changes. Edges within a block are those of the files that have nodes in it, and are not repeated.
//!
//! # Format
//!
//! The [`node_runs`]. Then the edges, encoded like others but by their targets.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use super::checksum::{seal, unsealed};
use super::edge_codec::{pack_edges, unpack_rows};
use super::edges::Slot;
use super::error::{DecodeError, SqlContext, StoreError};
use super::node_runs::{self, Run};
use super::read::Reader;
use super::rows::EdgeRow;
use super::symbol_blocks::BLOCK;
use super::varint::VarintReader;
use super::write::Writer;
use crate::model::{Edge, FileId, NodeId};

/// Name of the table.
const NODE_BLOCKS: &str = "node_blocks";
/// Limit of the edges that are turned around at once, of 16 bytes each.
const MAX_EDGES_AT_ONCE: usize = 4 << 20;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeBlock {
    number: u32,
    runs: Vec<Run>,
    /// Encoded edges.
    edges: Vec<u8>,
}

impl NodeBlock {
    /// Returns the number of the block of a node.
    pub fn number_of(node: NodeId) -> u32 {
        super::symbol_blocks::block_of(node)
    }

    /// Returns the file of a node, 0 for a symbol without one; `None` if there is no such node in the block.
    pub fn file_of(&self, node: NodeId) -> Option<FileId> {
        let before = self.runs.partition_point(|(nodes, _)| nodes.start <= node.get()).checked_sub(1)?;
        let (nodes, file) = &self.runs[before];
        nodes.contains(&node.get()).then_some(*file)
    }

    /// Returns the range of the block's node ids.
    pub fn nodes(&self) -> Range<NodeId> {
        let first = self.number * BLOCK;
        NodeId::new(first)..NodeId::new(first.saturating_add(BLOCK))
    }

    /// Returns the files of the nodes.
    pub fn files(&self) -> BTreeSet<FileId> {
        self.runs.iter().map(|(_, file)| *file).collect()
    }

    fn decode(number: u32, bytes: &[u8]) -> Result<NodeBlock, DecodeError> {
        let mut reader = VarintReader::new(bytes);
        let runs = node_runs::decode(number, &mut reader)?;
        Ok(NodeBlock { number, runs, edges: reader.rest().to_vec() })
    }

    /// Encodes a block from its nodes and their files, by node, and the edges to it, turned around and sorted.
    fn encode(number: u32, nodes: &[(NodeId, FileId)], edges: &[EdgeRow]) -> Result<Vec<u8>, DecodeError> {
        // Rows of a damaged table can be in disorder.
        if !nodes.is_sorted_by(|one, two| one.0 < two.0)
            || nodes.iter().any(|(node, _)| NodeBlock::number_of(*node) != number)
        {
            return Err(DecodeError::NodeId);
        }
        let mut bytes = Vec::with_capacity(edges.len() * 4);
        node_runs::encode(number, nodes.iter().copied(), &mut bytes);
        bytes.extend(pack_edges(edges));
        Ok(bytes)
    }
}

/// Returns the edge with its ends exchanged, as a block has it.
fn turned(edge: EdgeRow) -> EdgeRow {
    EdgeRow { source: edge.target, target: edge.source, layer: 0, ..edge }
}

/// Returns the block that has an edge; `None` if both ends are in one.
fn block_of(edge: &EdgeRow) -> Option<u32> {
    let number = NodeBlock::number_of(edge.target);
    (number != NodeBlock::number_of(edge.source)).then_some(number)
}

fn sort(turned: &mut [EdgeRow]) {
    turned.sort_unstable_by_key(|edge| {
        (edge.source, edge.target, edge.edge_type as u8, edge.provenance as u8, edge.confidence)
    });
}

impl Reader {
    /// Returns a block of nodes.
    ///
    /// # Errors
    /// When it has no row, or the database can't be read, as for every function of this file.
    pub fn node_block(&self, number: u32) -> Result<NodeBlock, StoreError> {
        self.stored_block(number)?.ok_or_else(|| StoreError::Damaged {
            path: self.path().to_owned(),
            detail: format!("table {NODE_BLOCKS} has no row {number}"),
        })
    }

    pub(super) fn has_node_block(&self, number: u32) -> Result<bool, StoreError> {
        Ok(self.query_optional(sql!("has_node_block"), [number], |_| Ok(()))?.is_some())
    }

    fn stored_block(&self, number: u32) -> Result<Option<NodeBlock>, StoreError> {
        let sealed: Option<Vec<u8>> = self.query_optional(sql!("node_block"), [number], |row| row.get(0))?;
        let Some(sealed) = sealed else { return Ok(None) };
        let bytes = unsealed(NODE_BLOCKS, number.into(), &sealed).ok_or(DecodeError::Checksum);
        let block = bytes.and_then(|bytes| NodeBlock::decode(number, bytes));
        block.map(Some).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Returns the edges to the nodes of a block from those of other blocks, sorted by target, source and type.
    pub fn edges_to(&self, block: &NodeBlock) -> Result<Vec<Edge>, StoreError> {
        Ok(self.rows_to(block)?.into_iter().map(|edge| Edge::from(turned(edge))).collect())
    }

    fn rows_to(&self, block: &NodeBlock) -> Result<Vec<EdgeRow>, StoreError> {
        let mut rows = Vec::new();
        let unpacked = unpack_rows(&block.edges, 0, &mut rows);
        unpacked.map(|()| rows).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Calls `visit` with the number and the bytes of every block, made from the other tables. `files` has the file of each node.
    fn for_each_block_made(
        &self,
        files: &[(NodeId, FileId)],
        mut visit: impl FnMut(u32, Vec<u8>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let count = NodeBlock::number_of(NodeId::new(self.node_capacity()?)) + 1;
        let mut counts = vec![0_usize; count as usize];
        self.for_each_edge_row(|edge| {
            if let Some(count) = block_of(&edge).and_then(|number| counts.get_mut(number as usize)) {
                *count += 1;
            }
        })?;
        let mut rest = files;
        for blocks in passes(&counts) {
            let mut edges = self.turned_edges(&blocks, &counts)?.into_iter();
            for number in blocks {
                let mut edges: Vec<EdgeRow> = edges.next().unwrap_or_default();
                sort(&mut edges);
                let nodes;
                (nodes, rest) = rest.split_at(rest.partition_point(|(node, _)| NodeBlock::number_of(*node) <= number));
                if !nodes.is_empty() {
                    let bytes = NodeBlock::encode(number, nodes, &edges);
                    visit(number, bytes.map_err(|error| StoreError::from_decode(self.path(), error))?)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the edges to each of these blocks from other blocks, turned around.
    fn turned_edges(&self, blocks: &Range<u32>, counts: &[usize]) -> Result<Vec<Vec<EdgeRow>>, StoreError> {
        let mut edges: Vec<Vec<EdgeRow>> =
            blocks.clone().map(|number| Vec::with_capacity(counts[number as usize])).collect();
        self.for_each_edge_row(|edge| {
            let index = block_of(&edge).and_then(|number| number.checked_sub(blocks.start));
            if let Some(edges) = index.and_then(|index| edges.get_mut(index as usize)) {
                edges.push(turned(edge));
            }
        })?;
        Ok(edges)
    }

    /// Returns the file of every node, by node.
    fn node_files(&self) -> Result<Vec<(NodeId, FileId)>, StoreError> {
        let mut files = Vec::new();
        self.for_each_head(|head| files.push((head.node, head.file)))?;
        Ok(files)
    }

    /// Reports blocks that differ from the rows they were made from.
    pub(super) fn check_node_blocks(&self) -> Result<Vec<String>, StoreError> {
        let mut problems = Vec::new();
        let mut stored: BTreeSet<u32> =
            self.query_all(sql!("node_blocks"), [], |row| row.get(0))?.into_iter().collect();
        self.for_each_block_made(&self.node_files()?, |number, bytes| {
            stored.remove(&number);
            let made =
                NodeBlock::decode(number, &bytes).map_err(|error| StoreError::from_decode(self.path(), error))?;
            if self.stored_block(number)? != Some(made) {
                problems.push(format!("block {number} of symbols differs from their rows"));
            }
            Ok(())
        })?;
        problems.extend(stored.iter().map(|number| format!("block {number} has no symbols")));
        Ok(problems)
    }
}

/// Divides blocks into ranges with at most [`MAX_EDGES_AT_ONCE`] edges each, or one block.
fn passes(counts: &[usize]) -> Vec<Range<u32>> {
    let (mut passes, mut start, mut edges) = (Vec::new(), 0, 0);
    for (number, count) in (0..).zip(counts) {
        if edges + count > MAX_EDGES_AT_ONCE && number > start {
            passes.push(start..number);
            (start, edges) = (number, 0);
        }
        edges += count;
    }
    passes.push(start..counts.len() as u32);
    passes
}

/// Changes of blocks by a run.
#[derive(Debug, Default)]
pub(super) struct ChangedBlocks {
    /// Blocks with a new, changed or deleted node.
    nodes: BTreeSet<u32>,
    /// Edges by block, each with whether it is new.
    edges: BTreeMap<u32, Vec<(EdgeRow, bool)>>,
}

impl ChangedBlocks {
    pub(super) fn add_node(&mut self, node: NodeId) {
        self.nodes.insert(NodeBlock::number_of(node));
    }

    fn add_edge(&mut self, edge: &EdgeRow, is_new: bool) {
        if let Some(number) = block_of(edge) {
            self.edges.entry(number).or_default().push((turned(*edge), is_new));
        }
    }
}

/// Returns the edges of a slot that are taken away or new, each with whether it is new.
fn difference(before: &[EdgeRow], after: &[EdgeRow]) -> Vec<(EdgeRow, bool)> {
    let (old, new): (HashSet<&EdgeRow>, HashSet<&EdgeRow>) = (before.iter().collect(), after.iter().collect());
    let removed = before.iter().filter(|edge| !new.contains(edge)).map(|edge| (*edge, false));
    removed.chain(after.iter().filter(|edge| !old.contains(edge)).map(|edge| (*edge, true))).collect()
}

impl Writer {
    /// Notes that the edges of a slot are replaced by these, encoded ones; returns whether the slot begins or ceases to exist.
    pub(super) fn note_edges(&mut self, slot: Slot, after: &[u8]) -> Result<bool, StoreError> {
        let reader = self.reader();
        let stored = reader.packed_edges_of_slot(slot)?;
        let before = stored.as_ref().map_or_else(|| Ok(Vec::new()), |stored| reader.unpack(stored))?;
        let mut rows = Vec::new();
        let unpacked = unpack_rows(after, slot.layer, &mut rows);
        unpacked.map_err(|error| StoreError::from_decode(reader.path(), error))?;
        for (edge, is_new) in difference(&before, &rows) {
            self.changed_blocks.add_edge(&edge, is_new);
            self.changed_sums.add(&edge, is_new);
        }
        Ok(stored.is_some() == after.is_empty())
    }

    /// Packs every block.
    pub(super) fn pack_all_blocks(&mut self) -> Result<(), StoreError> {
        let reader = self.reader();
        let mut put = reader.connection.prepare(sql!("put_node_block")).at(reader.path())?;
        reader.for_each_block_made(&reader.node_files()?, |number, bytes| {
            put.execute((number, seal(NODE_BLOCKS, number.into(), &bytes))).at(reader.path()).map(drop)
        })
    }

    /// Packs the blocks that changed since the transaction began.
    pub(super) fn pack_changed_blocks(&mut self) -> Result<(), StoreError> {
        let ChangedBlocks { nodes, edges } = std::mem::take(&mut self.changed_blocks);
        let numbers: BTreeSet<u32> = nodes.into_iter().chain(edges.keys().copied()).collect();
        for number in numbers {
            let heads = self.reader().heads_of_block(number)?.into_iter();
            let nodes: Vec<(NodeId, FileId)> = heads.map(|head| (head.node, head.file)).collect();
            if nodes.is_empty() {
                self.run(sql!("delete_node_block"), [number])?;
                continue;
            }
            let stored = self.reader().stored_block(number)?;
            let mut rows = stored.map_or_else(|| Ok(Vec::new()), |stored| self.reader().rows_to(&stored))?;
            change(&mut rows, edges.get(&number).map_or(&[], Vec::as_slice));
            let bytes = NodeBlock::encode(number, &nodes, &rows)
                .map_err(|error| StoreError::from_decode(self.reader().path(), error))?;
            self.run(sql!("put_node_block"), (number, seal(NODE_BLOCKS, number.into(), &bytes)))?;
        }
        Ok(())
    }
}

/// Removes and adds edges of a block.
fn change(rows: &mut Vec<EdgeRow>, changes: &[(EdgeRow, bool)]) {
    let mut removed: Vec<EdgeRow> = changes.iter().filter(|(_, is_new)| !is_new).map(|(edge, _)| *edge).collect();
    sort(&mut removed);
    let order =
        |edge: &EdgeRow| (edge.source, edge.target, edge.edge_type as u8, edge.provenance as u8, edge.confidence);
    let mut removed = removed.into_iter().peekable();
    rows.retain(|row| {
        while removed.next_if(|edge| order(edge) < order(row)).is_some() {}
        removed.next_if(|edge| edge == row).is_none()
    });
    rows.extend(changes.iter().filter(|(_, is_new)| *is_new).map(|(edge, _)| *edge));
    sort(rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EdgeType;
    use crate::store::rows::edge;

    #[test]
    fn nodes_keep_their_files() {
        let nodes: Vec<(NodeId, FileId)> = [(256, 7), (257, 7), (259, 7), (262, 0), (383, 3)]
            .map(|(node, file)| (NodeId::new(node), FileId::new(file)))
            .to_vec();
        let bytes = NodeBlock::encode(2, &nodes, &[edge(257, 3, EdgeType::Calls)]).unwrap();
        let block = NodeBlock::decode(2, &bytes).unwrap();
        for (node, file) in &nodes {
            assert_eq!(block.file_of(*node), Some(*file));
        }
        assert!([258, 260, 263, 382, 384, 0].iter().all(|node| block.file_of(NodeId::new(*node)).is_none()));
        assert_eq!(block.files(), [0, 3, 7].map(FileId::new).into());
        assert!(NodeBlock::decode(2, &bytes[..4]).is_err());
        for disorder in [[256, 384], [257, 256]] {
            let nodes = disorder.map(|node| (NodeId::new(node), FileId::new(1)));
            assert_eq!(NodeBlock::encode(2, &nodes, &[]), Err(DecodeError::NodeId), "{disorder:?}");
        }
        assert_eq!(NodeBlock::decode(2, &[1, 0x80, 1, 1, 2]), Err(DecodeError::NodeId), "an id of another block");
    }

    #[test]
    fn changed_edges_are_those_of_the_block_made_anew() {
        let before = [edge(0, 130, EdgeType::Calls), edge(0, 200, EdgeType::Calls), edge(1, 130, EdgeType::Calls)];
        let after =
            [edge(0, 130, EdgeType::References), edge(0, 200, EdgeType::Calls), edge(130, 131, EdgeType::Calls)];
        let of_block = |edges: &[EdgeRow]| {
            let mut rows: Vec<EdgeRow> =
                edges.iter().filter(|edge| block_of(edge) == Some(1)).map(|edge| turned(*edge)).collect();
            sort(&mut rows);
            rows
        };
        let mut changed = ChangedBlocks::default();
        difference(&before, &after).iter().for_each(|(edge, is_new)| changed.add_edge(edge, *is_new));
        let mut rows = of_block(&before);
        change(&mut rows, &changed.edges[&1]);
        assert_eq!(rows, of_block(&after));
        assert_eq!(
            (changed.edges.len(), changed.edges[&1].len()),
            (1, 3),
            "unchanged edges and those within a block are left out"
        );
    }

    #[test]
    fn passes_cover_every_block_once() {
        let half = MAX_EDGES_AT_ONCE / 2;
        assert_eq!(passes(&[half, half, 1, 3 * half, half]), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(passes(&[0]).first(), Some(&(0..1)));
    }
}
