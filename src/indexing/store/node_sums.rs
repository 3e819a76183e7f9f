//! Sums over the edges of each node, and what nodes are members and declarations of, by blocks of nodes.
//!
//! # Why
//!
//! A ranking asks this about all nodes. Of a graph with twenty million edges, only few others are needed for an answer, and reading
//! all of them took longer than the rest.
//!
//! # Format
//!
//! The number of nodes from the block's first to the last that has edges, and for each the sum of the weights and the number of
//! uses. Then two lists of edges, to what nodes are members of and to what they declare: the length, and for each edge the
//! differences of its source from that of the edge before, and of its target from its source.

use std::collections::BTreeMap;

use super::checksum::{RowHasher, hash_sealed, seal, unsealed};
use super::digest::Tally;
use super::error::{DecodeError, SqlContext, StoreError};
use super::read::Reader;
use super::rows::EdgeRow;
use super::symbol_blocks::{BLOCK, block_of};
use super::varint::{VarintReader, write_delta, write_varint};
use super::write::Writer;
use crate::model::{EdgeType, NodeId};

/// Name of the table.
const NODE_SUMS: &str = "node_sums";

/// Units of a weight of 1 in [`Sums::weight`].
pub const WEIGHT_UNITS: f64 = 1_024.0;

/// The weight of each edge type in units.
const WEIGHTS: [u32; EdgeType::ALL.len()] = {
    let mut weights = [0; EdgeType::ALL.len()];
    let mut number = 0;
    while number < weights.len() {
        weights[number] = (EdgeType::ALL[number].walk_weight() * WEIGHT_UNITS) as u32;
        number += 1;
    }
    weights
};

/// The sums over the edges of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums {
    /// Walk weights of its edges in units of 1 / [`WEIGHT_UNITS`], each rounded down, modulo 2³².
    pub weight: u32,
    /// Number of its uses: edges to it of a type that [counts in popularity](EdgeType::adds_popularity).
    pub uses: u32,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SumsBlock {
    number: u32,
    /// By node, from the first of the block.
    sums: Vec<Sums>,
    /// Each member with what has it, sorted.
    members: Vec<(NodeId, NodeId)>,
    /// Each declaration with what it declares, sorted.
    declarations: Vec<(NodeId, NodeId)>,
}

impl SumsBlock {
    fn new(number: u32) -> SumsBlock {
        SumsBlock { number, ..SumsBlock::default() }
    }

    /// Returns the sums of the nodes, up to the last one with edges.
    pub fn sums(&self) -> impl Iterator<Item = (NodeId, Sums)> {
        let first = self.number * BLOCK;
        (first..).map(NodeId::new).zip(self.sums.iter().copied())
    }

    /// Returns the edges from the nodes to what they are members of, sorted.
    pub fn members(&self) -> &[(NodeId, NodeId)] {
        &self.members
    }

    /// Returns the edges from the nodes to what they declare, sorted.
    pub fn declarations(&self) -> &[(NodeId, NodeId)] {
        &self.declarations
    }

    /// Adds an edge with an end in the block, or takes it away.
    fn change(&mut self, edge: &EdgeRow, is_new: bool) {
        let &EdgeRow { source, target, edge_type, .. } = edge;
        let step = if is_new { u32::wrapping_add } else { u32::wrapping_sub };
        for node in [source, target] {
            self.change_sums(node, |sums| sums.weight = step(sums.weight, WEIGHTS[edge_type as usize]));
        }
        if edge_type.adds_popularity() {
            self.change_sums(target, |sums| sums.uses = step(sums.uses, 1));
        }
        let edges = match edge_type {
            EdgeType::MemberOf => &mut self.members,
            EdgeType::Declares => &mut self.declarations,
            _ => return,
        };
        if block_of(source) != self.number {
            return;
        }
        match edges.binary_search(&(source, target)) {
            Ok(index) if !is_new => drop(edges.remove(index)),
            Ok(index) | Err(index) if is_new => edges.insert(index, (source, target)),
            _ => (),
        }
    }

    /// Changes the sums of a node, if it is in the block.
    fn change_sums(&mut self, node: NodeId, change: impl FnOnce(&mut Sums)) {
        if block_of(node) == self.number {
            let offset = (node.get() % BLOCK) as usize;
            if self.sums.len() <= offset {
                self.sums.resize(offset + 1, Sums::default());
            }
            change(&mut self.sums[offset]);
        }
    }

    /// Encodes the block; empty if no node has edges.
    fn encode(&self) -> Vec<u8> {
        let sums =
            self.sums.iter().rposition(|sums| *sums != Sums::default()).map_or(&[][..], |last| &self.sums[..=last]);
        let mut bytes = Vec::new();
        if sums.is_empty() && self.members.is_empty() && self.declarations.is_empty() {
            return bytes;
        }
        write_varint(&mut bytes, sums.len() as u32);
        for Sums { weight, uses } in sums {
            write_varint(&mut bytes, *weight);
            write_varint(&mut bytes, *uses);
        }
        for edges in [&self.members, &self.declarations] {
            write_varint(&mut bytes, edges.len() as u32);
            let mut last = self.number * BLOCK;
            for (source, target) in edges {
                write_varint(&mut bytes, source.get() - last);
                write_delta(&mut bytes, source.get(), target.get());
                last = source.get();
            }
        }
        bytes
    }

    /// Replaces the block by an encoded one.
    fn decode(&mut self, number: u32, bytes: &[u8]) -> Result<(), DecodeError> {
        let mut reader = VarintReader::new(bytes);
        self.number = number;
        self.sums.clear();
        let nodes = reader.varint()?;
        if nodes > BLOCK {
            return Err(DecodeError::NodeId);
        }
        for _ in 0..nodes {
            self.sums.push(Sums { weight: reader.varint()?, uses: reader.varint()? });
        }
        for edges in [&mut self.members, &mut self.declarations] {
            edges.clear();
            let mut source = number.checked_mul(BLOCK).ok_or(DecodeError::NodeId)?;
            for _ in 0..reader.varint()? {
                source = source.checked_add(reader.varint()?).ok_or(DecodeError::NodeId)?;
                if block_of(NodeId::new(source)) != number {
                    return Err(DecodeError::NodeId);
                }
                edges.push((NodeId::new(source), NodeId::new(reader.delta(source)?)));
            }
        }
        if reader.is_empty() { Ok(()) } else { Err(DecodeError::TrailingBytes) }
    }
}

/// Returns the blocks of the ends of an edge.
fn blocks_of(edge: &EdgeRow) -> impl Iterator<Item = u32> + use<> {
    let (source, target) = (block_of(edge.source), block_of(edge.target));
    [source].into_iter().chain((target != source).then_some(target))
}

/// Edges that a run adds and takes away, each with whether it is new, by the block of either end.
#[derive(Debug, Default)]
pub(super) struct ChangedSums(BTreeMap<u32, Vec<(EdgeRow, bool)>>);

impl ChangedSums {
    pub(super) fn add(&mut self, edge: &EdgeRow, is_new: bool) {
        for number in blocks_of(edge) {
            self.0.entry(number).or_default().push((*edge, is_new));
        }
    }
}

impl Reader {
    /// Calls `visit` with the sums of each block in which a node has edges, in the order of the nodes. After an error, what was
    /// visited is not valid.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn for_each_sums_block(&self, mut visit: impl FnMut(&SumsBlock)) -> Result<(), StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(NODE_SUMS));
        let mut statement = self.connection.prepare_cached(sql!("node_sums")).at(self.path())?;
        let mut rows = statement.query([]).at(self.path())?;
        let mut block = SumsBlock::default();
        while let Some(row) = rows.next().at(self.path())? {
            let number: u32 = row.get(0).at(self.path())?;
            let sealed = row.get_ref(1).at(self.path())?.as_bytes().unwrap_or_default();
            hash_sealed(&mut hasher, number.into(), sealed);
            tally.add(hasher.finish());
            let bytes = unsealed(NODE_SUMS, number.into(), sealed).ok_or(DecodeError::Checksum);
            let decoded = bytes.and_then(|bytes| block.decode(number, bytes));
            decoded.map_err(|error| StoreError::from_decode(self.path(), error))?;
            visit(&block);
        }
        self.check_loaded(NODE_SUMS, tally)
    }

    /// Returns the sums of a block as they are stored.
    fn stored_sums(&self, number: u32) -> Result<SumsBlock, StoreError> {
        let mut block = SumsBlock::new(number);
        let sealed: Option<Vec<u8>> = self.query_optional(sql!("node_sums_of_block"), [number], |row| row.get(0))?;
        if let Some(sealed) = sealed {
            let bytes = unsealed(NODE_SUMS, number.into(), &sealed).ok_or(DecodeError::Checksum);
            let decoded = bytes.and_then(|bytes| block.decode(number, bytes));
            decoded.map_err(|error| StoreError::from_decode(self.path(), error))?;
        }
        Ok(block)
    }

    /// Returns the sums of every block, made from all edges.
    fn sums_made(&self) -> Result<Vec<SumsBlock>, StoreError> {
        let last = block_of(NodeId::new(self.node_capacity()?));
        let mut blocks: Vec<SumsBlock> = (0..=last).map(SumsBlock::new).collect();
        self.for_each_edge_row(|edge| {
            for number in blocks_of(&edge) {
                if let Some(block) = blocks.get_mut(number as usize) {
                    block.change(&edge, true);
                }
            }
        })?;
        Ok(blocks)
    }

    /// Reports blocks whose sums differ from the edges.
    pub(super) fn check_node_sums(&self) -> Result<Vec<String>, StoreError> {
        let mut made: BTreeMap<u32, Vec<u8>> =
            self.sums_made()?.iter().map(|block| (block.number, block.encode())).collect();
        made.retain(|_, bytes| !bytes.is_empty());
        let mut problems = Vec::new();
        self.for_each_sums_block(|block| {
            if made.remove(&block.number) != Some(block.encode()) {
                problems.push(format!("the sums of block {} differ from its edges", block.number));
            }
        })?;
        problems.extend(made.keys().map(|number| format!("block {number} has edges and no sums")));
        Ok(problems)
    }
}

impl Writer {
    /// Packs the sums of every block.
    pub(super) fn pack_all_sums(&self) -> Result<(), StoreError> {
        self.reader().sums_made()?.iter().try_for_each(|block| self.put_sums(block))
    }

    /// Packs the sums of the blocks whose edges changed since the transaction began.
    pub(super) fn pack_changed_sums(&mut self) -> Result<(), StoreError> {
        for (number, edges) in std::mem::take(&mut self.changed_sums).0 {
            let mut block = self.reader().stored_sums(number)?;
            edges.iter().for_each(|(edge, is_new)| block.change(edge, *is_new));
            self.put_sums(&block)?;
        }
        Ok(())
    }

    fn put_sums(&self, block: &SumsBlock) -> Result<(), StoreError> {
        match block.encode() {
            bytes if bytes.is_empty() => self.run(sql!("delete_node_sums"), [block.number]),
            bytes => {
                let number = block.number;
                self.run(sql!("put_node_sums"), (number, seal(NODE_SUMS, number.into(), &bytes)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::rows::edge;

    #[test]
    fn what_is_added_can_be_taken_away() {
        let kept = [edge(130, 200, EdgeType::MemberOf), edge(3, 130, EdgeType::Calls), edge(131, 131, EdgeType::Calls)];
        let passing = [
            edge(130, 7, EdgeType::MemberOf),
            edge(255, 9, EdgeType::Declares),
            edge(9, 140, EdgeType::MemberOf),
            edge(255, 3, EdgeType::TypeHintOf),
        ];
        let block = |edges: &[EdgeRow]| {
            let mut block = SumsBlock::new(1);
            edges.iter().for_each(|edge| block.change(edge, true));
            block
        };
        let expected = block(&kept);
        let mut changed = block(&[&passing[..], &kept].concat());
        assert_ne!(changed.encode(), expected.encode());
        passing.iter().for_each(|edge| changed.change(edge, false));
        assert_eq!(changed.encode(), expected.encode(), "trailing nodes without edges are left out");
        kept.iter().for_each(|edge| changed.change(edge, false));
        assert!(changed.encode().is_empty());
        let sums: Vec<(NodeId, Sums)> = expected.sums().filter(|(_, sums)| *sums != Sums::default()).collect();
        let sum = |node, weight, uses| (NodeId::new(node), Sums { weight, uses });
        assert_eq!(sums, [sum(130, 1_024 + 614, 1), sum(131, 2_048, 1), sum(200, 614, 0)]);
    }

    #[test]
    fn blocks_round_trip_and_refuse_other_bytes() {
        let mut block = SumsBlock::new(2);
        for edge in [
            edge(256, 383, EdgeType::MemberOf),
            edge(383, 4_000_000_000, EdgeType::Declares),
            edge(383, 0, EdgeType::Declares),
        ] {
            block.change(&edge, true);
        }
        let bytes = block.encode();
        let mut decoded = SumsBlock::new(9);
        decoded.decode(2, &bytes).unwrap();
        assert_eq!(decoded, block);
        assert_eq!(decoded.declarations(), [0, 4_000_000_000].map(|to| (NodeId::new(383), NodeId::new(to))));
        assert!((0..bytes.len()).all(|length| decoded.decode(2, &bytes[..length]).is_err()));
        assert!(decoded.decode(2, &[&bytes[..], &[0]].concat()).is_err());
        assert!(decoded.decode(2, &[0, 1, 0x80, 1, 0, 0]).is_err(), "a node of another block");
        assert!(decoded.decode(u32::MAX, &[0, 0, 0]).is_err());
    }
}
