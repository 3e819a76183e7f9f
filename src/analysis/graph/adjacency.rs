//! The graph in memory: compressed sparse rows (CSR) in both directions, of all nodes ([`Adjacency`]) or of some
//! ([`Rows`]).

use std::ops::Range;

use smallvec::SmallVec;

use crate::model::{Edge, EdgeType, NodeId, Provenance};

/// A neighbor of a node. Eight bytes, because a walk reads most of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbor {
    pub node: NodeId,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    /// Confidence in ten-thousandths, and [`OUTGOING`].
    rest: u16,
}

/// Flag of edges from the row's node to the neighbor. Confidence needs 14 bits.
const OUTGOING: u16 = 1 << 15;
const UNIT: f32 = 10_000.0;

impl Neighbor {
    #[inline]
    fn new(node: NodeId, edge: &Edge, is_outgoing: bool) -> Neighbor {
        let Edge { edge_type, provenance, confidence, .. } = *edge;
        // Adding 0.5 is cheaper than a call of `round`.
        let confidence = (confidence.clamp(0.0, 1.0) * UNIT + 0.5) as u16;
        Neighbor { node, edge_type, provenance, rest: confidence | if is_outgoing { OUTGOING } else { 0 } }
    }

    /// Between 0 and 1.
    #[inline]
    pub fn confidence(&self) -> f32 {
        f32::from(self.rest & !OUTGOING) / UNIT
    }

    /// Returns whether the edge leads from the row's node to `node`.
    #[inline]
    pub fn is_outgoing(&self) -> bool {
        self.rest & OUTGOING != 0
    }

    /// Returns an edge as an entry in the row of its source.
    pub fn of_source(edge: &Edge) -> Neighbor {
        Neighbor::new(edge.target, edge, true)
    }

    /// Returns an edge as an entry in the row of its target.
    pub fn of_target(edge: &Edge) -> Neighbor {
        Neighbor::new(edge.source, edge, false)
    }

    /// Returns the same edge as an entry in the neighbor's own row. `row` is the node in whose row `self` is.
    #[inline]
    pub fn reversed(&self, row: NodeId) -> Neighbor {
        Neighbor { node: row, rest: self.rest ^ OUTGOING, ..*self }
    }

    /// Returns the edge's weight in a random walk, relative to a certain call.
    #[inline]
    pub fn walk_weight(&self) -> f64 {
        self.edge_type.walk_weight()
    }

    /// Returns the walk weight in single precision.
    #[inline]
    pub fn link_weight(&self) -> f32 {
        LINK_WEIGHTS[self.edge_type as usize]
    }
}

/// The walk weight of every type.
static LINK_WEIGHTS: [f32; EdgeType::ALL.len()] = {
    let mut weights = [0.0; EdgeType::ALL.len()];
    let mut edge_type = 0;
    while edge_type < EdgeType::ALL.len() {
        weights[edge_type] = EdgeType::ALL[edge_type].walk_weight() as f32;
        edge_type += 1;
    }
    weights
};

/// A graph whose rows can be read by node.
pub trait Neighborhoods {
    /// Returns the number of nodes.
    fn nodes(&self) -> usize;

    /// Returns the targets of a node's edges, sorted by number, then type; empty for a node outside the graph.
    fn outgoing(&self, node: NodeId) -> &[Neighbor];

    /// Returns the sources of the edges to a node, in the same order.
    fn incoming(&self, node: NodeId) -> &[Neighbor];

    /// Returns the outgoing neighbors of a node, then the incoming ones.
    fn neighbors(&self, node: NodeId) -> impl Iterator<Item = &Neighbor> {
        self.outgoing(node).iter().chain(self.incoming(node))
    }

    /// Returns the sum of the walk weights of a node's neighbors; zero for a dead end. The sum is exact and so independent of
    /// the order of the edges: a weight has 24 bits, and the last one is worth more than 2^-29.
    fn weighted_degree(&self, node: NodeId) -> f64 {
        self.neighbors(node).map(|neighbor| f64::from(neighbor.link_weight())).sum()
    }

    /// Returns a lower bound of [`Neighborhoods::weighted_degree`] that is known without the node's rows.
    fn least_degree(&self, _node: NodeId) -> f64 {
        0.0
    }
}

/// The neighbors of some nodes in one direction.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Sorted.
    nodes: Vec<NodeId>,
    /// End of each node's row in `neighbors`.
    ends: Vec<u32>,
    neighbors: Vec<Neighbor>,
}

impl Rows {
    /// Returns the rows of these entries, each with the node in whose row it is. Entries of equal node, neighbor and type keep
    /// their order.
    pub fn new(mut entries: Vec<(NodeId, Neighbor)>) -> Rows {
        // One number, which is compared faster than a pair.
        entries.sort_by_key(|(node, neighbor)| u128::from(node.get()) << 64 | u128::from(row_key(neighbor)));
        let mut rows = Rows::default();
        for row in entries.chunk_by(|one, two| one.0 == two.0) {
            rows.nodes.extend(row.first().map(|(node, _)| *node));
            rows.neighbors.extend(row.iter().map(|(_, neighbor)| *neighbor));
            rows.ends.push(rows.neighbors.len() as u32);
        }
        rows
    }

    /// Returns the row of a node.
    pub fn row(&self, node: NodeId) -> &[Neighbor] {
        self.nodes.binary_search(&node).map_or(&[], |index| self.at(index))
    }

    fn at(&self, index: usize) -> &[Neighbor] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.neighbors[start as usize..self.ends[index] as usize]
    }

    /// Returns each entry of the rows of some nodes with the node in whose row it is.
    pub fn entries(&self, nodes: Range<NodeId>) -> impl Iterator<Item = (NodeId, &Neighbor)> {
        let first = self.nodes.partition_point(|node| *node < nodes.start);
        let rows = self.nodes[first..].iter().take_while(move |node| **node < nodes.end);
        (first..).zip(rows).flat_map(|(index, node)| self.at(index).iter().map(|neighbor| (*node, neighbor)))
    }
}

/// The outgoing and incoming neighbors of every node, each row sorted by number, then type. Uses 16 bytes an edge.
/// Built in time linear in nodes and edges if the edges are sorted.
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    outgoing: Lists,
    incoming: Reversed,
}

/// One row of neighbors for each node.
#[derive(Debug, Clone, Default)]
struct Lists {
    /// Start and end of each node's row in `neighbors`.
    ranges: Vec<(u32, u32)>,
    neighbors: Vec<Neighbor>,
}

impl Lists {
    #[inline]
    fn row(&self, node: NodeId) -> &[Neighbor] {
        let (start, end) = self.ranges.get(node.index()).copied().unwrap_or_default();
        &self.neighbors[start as usize..end as usize]
    }

    /// Returns the reverse of every edge.
    fn reversed(&self) -> Reversed {
        // The number of edges to each node, then the start of its row, then, as the row is filled, its end.
        let mut ends = vec![0_u32; self.ranges.len()];
        for neighbor in &self.neighbors {
            ends[neighbor.node.index()] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        let blank = Neighbor {
            node: NodeId::default(),
            edge_type: EdgeType::Calls,
            provenance: Provenance::Structural,
            rest: 0,
        };
        let mut neighbors = vec![blank; self.neighbors.len()];
        // In the order of the sources, so that each row is sorted.
        for (source, &(start, end)) in NodeId::sequence().zip(&self.ranges) {
            for neighbor in &self.neighbors[start as usize..end as usize] {
                let end = &mut ends[neighbor.node.index()];
                neighbors[*end as usize] = neighbor.reversed(source);
                *end += 1;
            }
        }
        Reversed { ends, neighbors }
    }
}

/// One row of neighbors for each node, in the order of the nodes.
#[derive(Debug, Clone, Default)]
struct Reversed {
    /// End of each node's row in `neighbors`.
    ends: Vec<u32>,
    neighbors: Vec<Neighbor>,
}

impl Reversed {
    #[inline]
    fn row(&self, node: NodeId) -> &[Neighbor] {
        let Some(end) = self.ends.get(node.index()) else { return &[] };
        let start = node.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.neighbors[start as usize..*end as usize]
    }
}

/// Maximum number of sorted runs that are merged; more are sorted first.
const MAX_RUNS: usize = 4;

/// Returns the sort key of edges: source, target and type.
fn sort_key(edge: &Edge) -> (u64, u8) {
    (u64::from(edge.source.get()) << 32 | u64::from(edge.target.get()), edge.edge_type as u8)
}

/// Returns the sort key of the neighbors in a row: number and type.
fn row_key(neighbor: &Neighbor) -> u64 {
    u64::from(neighbor.node.get()) << 8 | u64::from(neighbor.edge_type as u8)
}

/// Builds an [`Adjacency`] from batches of edges.
pub struct AdjacencyBuilder {
    outgoing: Lists,
}

impl AdjacencyBuilder {
    /// Returns a builder for `nodes` nodes numbered from 0.
    pub fn new(nodes: usize) -> AdjacencyBuilder {
        AdjacencyBuilder { outgoing: Lists { ranges: vec![(0, 0); nodes], neighbors: Vec::new() } }
    }

    /// Adds edges. Fastest for few runs that are each sorted by source, target and type. All edges of a source must be
    /// in the same batch. Edges with an endpoint outside the graph are dropped.
    pub fn add(&mut self, edges: &[Edge]) {
        let mut runs: SmallVec<[&[Edge]; MAX_RUNS]> =
            edges.chunk_by(|one, two| sort_key(one) <= sort_key(two)).collect();
        if runs.len() > MAX_RUNS {
            let mut sorted = edges.to_vec();
            sorted.sort_by_key(sort_key);
            return self.add(&sorted);
        }
        while let Some(source) = runs.iter().filter_map(|run| run.first()).map(|edge| edge.source).min() {
            self.add_row(source, &mut runs);
        }
    }

    /// Moves the edges of one source from the runs to its row.
    fn add_row(&mut self, source: NodeId, runs: &mut [&[Edge]]) {
        let Lists { ranges, neighbors } = &mut self.outgoing;
        let (start, nodes) = (neighbors.len(), ranges.len());
        let (mut run_count, mut has_dangling) = (0, false);
        for run in runs {
            let (row, rest) = run.split_at(run.iter().take_while(|edge| edge.source == source).count());
            *run = rest;
            run_count += usize::from(!row.is_empty());
            neighbors.extend(row.iter().map(|edge| Neighbor::new(edge.target, edge, true)));
            has_dangling |= row.iter().any(|edge| edge.target.index() >= nodes);
        }
        if run_count > 1 {
            neighbors[start..].sort_by_key(row_key);
        }
        if has_dangling {
            let inside: Vec<Neighbor> =
                neighbors.drain(start..).filter(|neighbor| neighbor.node.index() < nodes).collect();
            neighbors.extend(inside);
        }
        match ranges.get_mut(source.index()) {
            Some(range) => *range = (start as u32, neighbors.len() as u32),
            None => neighbors.truncate(start),
        }
    }

    /// Returns the graph.
    pub fn build(self) -> Adjacency {
        let AdjacencyBuilder { outgoing } = self;
        let incoming = outgoing.reversed();
        Adjacency { outgoing, incoming }
    }
}

impl Adjacency {
    /// Returns the graph over `nodes` nodes numbered from 0. Edges with an endpoint outside are dropped.
    pub fn new(nodes: usize, edges: &[Edge]) -> Adjacency {
        let mut builder = AdjacencyBuilder::new(nodes);
        builder.add(edges);
        builder.build()
    }

    /// Returns the outgoing and the incoming neighbors of a node.
    #[inline]
    pub fn rows(&self, node: NodeId) -> [&[Neighbor]; 2] {
        [self.outgoing.row(node), self.incoming.row(node)]
    }
}

impl Neighborhoods for Adjacency {
    fn nodes(&self) -> usize {
        self.outgoing.ranges.len()
    }

    #[inline]
    fn outgoing(&self, node: NodeId) -> &[Neighbor] {
        self.outgoing.row(node)
    }

    #[inline]
    fn incoming(&self, node: NodeId) -> &[Neighbor] {
        self.incoming.row(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: u32, target: u32, edge_type: EdgeType) -> Edge {
        let (source, target) = (NodeId::new(source), NodeId::new(target));
        Edge { source, target, edge_type, provenance: Provenance::AstResolved, confidence: 0.9 }
    }

    #[test]
    fn rows_are_sorted_in_both_directions() {
        let edges = [edge(0, 2, EdgeType::Calls), edge(0, 1, EdgeType::Contains), edge(1, 0, EdgeType::MemberOf)];
        let graph = Adjacency::new(3, &edges);
        let reversed: Vec<Edge> = edges.iter().rev().copied().collect();
        let again = Adjacency::new(3, &reversed);
        let node = NodeId::new(0);
        assert_eq!(graph.rows(node), again.rows(node));
        let numbers = |row: &[Neighbor]| row.iter().map(|neighbor| neighbor.node.get()).collect::<Vec<_>>();
        assert_eq!((numbers(graph.outgoing(node)), numbers(graph.incoming(node))), (vec![1, 2], vec![1]));
        assert!(graph.outgoing(NodeId::new(9)).is_empty() && graph.incoming(NodeId::MAX).is_empty());
    }

    #[test]
    fn runs_and_sorted_edges_build_equal_graphs() {
        let edges: Vec<Edge> =
            (0..300_u32).map(|index| edge(index * 7 % 11, index * 5 % 13, EdgeType::ALL[index as usize % 3])).collect();
        let mut halves = edges.clone();
        halves[..150].sort_by_key(sort_key);
        halves[150..].sort_by_key(sort_key);
        let mut sorted = edges.clone();
        sorted.sort_by_key(sort_key);
        let graphs = [edges, halves, sorted].map(|edges| Adjacency::new(12, &edges));
        for node in (0..12).map(NodeId::new) {
            assert_eq!(graphs[0].rows(node), graphs[1].rows(node));
            assert_eq!(graphs[0].rows(node), graphs[2].rows(node));
            assert_eq!(graphs[0].weighted_degree(node).to_bits(), graphs[1].weighted_degree(node).to_bits());
        }
    }

    #[test]
    fn rows_of_some_nodes_equal_those_of_the_whole_graph() {
        let edges: Vec<Edge> =
            (0..300_u32).map(|index| edge(index * 7 % 11, index * 5 % 13, EdgeType::ALL[index as usize % 3])).collect();
        let graph = Adjacency::new(13, &edges);
        let outgoing = Rows::new(edges.iter().map(|edge| (edge.source, Neighbor::of_source(edge))).collect());
        let incoming = Rows::new(edges.iter().map(|edge| (edge.target, Neighbor::of_target(edge))).collect());
        for node in (0..14).map(NodeId::new) {
            assert_eq!(graph.rows(node), [outgoing.row(node), incoming.row(node)]);
        }
        assert_eq!(
            (outgoing.entries(NodeId::new(0)..NodeId::MAX).count(), Rows::default().row(NodeId::MAX).len()),
            (300, 0)
        );
        let within = outgoing.entries(NodeId::new(3)..NodeId::new(5));
        assert_eq!(within.count(), [3, 4].iter().map(|node| outgoing.row(NodeId::new(*node)).len()).sum::<usize>());
    }

    #[test]
    fn dangling_edges_are_dropped() {
        let graph = Adjacency::new(1, &[edge(0, 5, EdgeType::Calls)]);
        assert_eq!(graph.rows(NodeId::new(0)), [[]; 2]);
    }
}
