//! The graph in memory: compressed sparse rows in both directions, for walks without a query in the loop.

use smallvec::SmallVec;

use crate::model::{Edge, EdgeType, NodeId, Provenance};

/// A neighbor of a node, in eight bytes: a walk reads most of a graph, and what it reads should be little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbor {
    pub node: NodeId,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    /// Confidence in ten-thousandths, and [`OUTGOING`].
    rest: u16,
}

/// Set where the edge leads from the row's node to the neighbor. Confidence takes 14 bits.
const OUTGOING: u16 = 1 << 15;
const UNIT: f32 = 10_000.0;

impl Neighbor {
    #[inline]
    fn new(node: NodeId, edge: &Edge, is_outgoing: bool) -> Neighbor {
        let Edge { edge_type, provenance, confidence, .. } = *edge;
        // A call to round would cost more than all the rest.
        let confidence = (confidence.clamp(0.0, 1.0) * UNIT + 0.5) as u16;
        Neighbor { node, edge_type, provenance, rest: confidence | if is_outgoing { OUTGOING } else { 0 } }
    }

    /// Between 0 and 1.
    #[inline]
    pub fn confidence(&self) -> f32 {
        f32::from(self.rest & !OUTGOING) / UNIT
    }

    /// True when the edge leads from the row's node to `node`.
    #[inline]
    pub fn is_outgoing(&self) -> bool {
        self.rest & OUTGOING != 0
    }

    /// The same edge in the row of its other end, which is `row` here.
    #[inline]
    pub fn reversed(&self, row: NodeId) -> Neighbor {
        Neighbor { node: row, rest: self.rest ^ OUTGOING, ..*self }
    }

    /// How much of a walker's flow takes this edge, relative to a sure call (SPEC §6.4).
    #[inline]
    pub fn walk_weight(&self) -> f64 {
        self.edge_type.walk_weight()
    }

    /// The same in single precision, as a walk reads it.
    #[inline]
    pub fn link_weight(&self) -> f32 {
        LINK_WEIGHTS[self.edge_type as usize]
    }
}

/// The walk weight of every type and provenance.
static LINK_WEIGHTS: [f32; EdgeType::ALL.len()] = {
    let mut weights = [0.0; EdgeType::ALL.len()];
    let mut edge_type = 0;
    while edge_type < EdgeType::ALL.len() {
        weights[edge_type] = EdgeType::ALL[edge_type].walk_weight() as f32;
        edge_type += 1;
    }
    weights
};

/// Every node's neighbors, those that its edges lead to and those whose edges lead to it, each list by number, then
/// type. Takes 16 bytes an edge; built in time linear in nodes and edges where the edges come in order.
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    outgoing: Lists,
    incoming: Lists,
    /// Sum of the walk weights of each node's neighbors.
    weighted_degrees: Vec<f64>,
}

/// One list of neighbors for each node.
#[derive(Debug, Clone, Default)]
struct Lists {
    /// Where each node's list begins and ends.
    ranges: Vec<(u32, u32)>,
    neighbors: Vec<Neighbor>,
}

impl Lists {
    #[inline]
    fn row(&self, node: NodeId) -> &[Neighbor] {
        let (start, end) = self.ranges.get(node as usize).copied().unwrap_or_default();
        &self.neighbors[start as usize..end as usize]
    }

    /// Every edge once more, in the row of the node that it leads to; and the sum of the walk weights of each node's
    /// neighbors in both. These sums are exact, and so the same in any order: a weight has 24 bits, of which the last
    /// stands for more than 2^-29.
    fn reversed(&self) -> (Lists, Vec<f64>) {
        let mut ranges = vec![(0u32, 0u32); self.ranges.len()];
        for neighbor in &self.neighbors {
            ranges[neighbor.node as usize].1 += 1;
        }
        let mut next = 0;
        for range in &mut ranges {
            let count = range.1;
            *range = (next, next);
            next += count;
        }
        let blank = Neighbor { node: 0, edge_type: EdgeType::Calls, provenance: Provenance::Structural, rest: 0 };
        let mut neighbors = vec![blank; self.neighbors.len()];
        let mut weighted_degrees = vec![0.0; self.ranges.len()];
        // By the number of the source, so that each list comes to be in order.
        for (source, &(start, end)) in (0_u32..).zip(&self.ranges) {
            let mut weight_sum = 0.0;
            for neighbor in &self.neighbors[start as usize..end as usize] {
                let end = &mut ranges[neighbor.node as usize].1;
                neighbors[*end as usize] = neighbor.reversed(source);
                *end += 1;
                let weight = f64::from(neighbor.link_weight());
                weighted_degrees[neighbor.node as usize] += weight;
                weight_sum += weight;
            }
            weighted_degrees[source as usize] += weight_sum;
        }
        (Lists { ranges, neighbors }, weighted_degrees)
    }
}

/// More runs than this are sorted before they are taken in.
const MAX_RUNS: usize = 4;

/// By source, target and type.
fn sort_key(edge: &Edge) -> (NodeId, NodeId, EdgeType) {
    (edge.source, edge.target, edge.edge_type)
}

/// Takes in the edges of some sources at a time.
pub struct AdjacencyBuilder {
    outgoing: Lists,
}

impl AdjacencyBuilder {
    /// A graph over `nodes` nodes numbered from 0, with room for so many edges.
    pub fn new(nodes: usize, edges: usize) -> AdjacencyBuilder {
        AdjacencyBuilder { outgoing: Lists { ranges: vec![(0, 0); nodes], neighbors: Vec::with_capacity(edges) } }
    }

    /// Adds edges, fastest where they come in few runs that are each sorted by source, target and type. All edges of a source
    /// have to come at once; those with an end outside are left out.
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

    /// Takes the edges of one source off the runs.
    fn add_row(&mut self, source: NodeId, runs: &mut [&[Edge]]) {
        let Lists { ranges, neighbors } = &mut self.outgoing;
        let (start, nodes) = (neighbors.len(), ranges.len());
        let (mut run_count, mut has_dangling) = (0, false);
        for run in runs {
            let (row, rest) = run.split_at(run.iter().take_while(|edge| edge.source == source).count());
            *run = rest;
            run_count += usize::from(!row.is_empty());
            neighbors.extend(row.iter().map(|edge| Neighbor::new(edge.target, edge, true)));
            has_dangling |= row.iter().any(|edge| edge.target as usize >= nodes);
        }
        if run_count > 1 {
            neighbors[start..].sort_by_key(|neighbor| (neighbor.node, neighbor.edge_type));
        }
        if has_dangling {
            let inside: Vec<Neighbor> =
                neighbors.drain(start..).filter(|neighbor| (neighbor.node as usize) < nodes).collect();
            neighbors.extend(inside);
        }
        match ranges.get_mut(source as usize) {
            Some(range) => *range = (start as u32, neighbors.len() as u32),
            None => neighbors.truncate(start),
        }
    }

    /// The graph.
    pub fn build(self) -> Adjacency {
        let AdjacencyBuilder { outgoing } = self;
        let (incoming, weighted_degrees) = outgoing.reversed();
        Adjacency { outgoing, incoming, weighted_degrees }
    }
}

impl Adjacency {
    /// The graph over `nodes` nodes numbered from 0. Edges with an end outside are left out.
    pub fn new(nodes: usize, edges: &[Edge]) -> Adjacency {
        let mut builder = AdjacencyBuilder::new(nodes, edges.len());
        builder.add(edges);
        builder.build()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.weighted_degrees.len()
    }

    /// A node's neighbors: those that its edges lead to, those whose edges lead to it. Both are sorted by number, and
    /// empty for a node outside the graph.
    #[inline]
    pub fn rows(&self, node: NodeId) -> [&[Neighbor]; 2] {
        [self.outgoing(node), self.incoming(node)]
    }

    /// Sum of the walk weights of a node's neighbors; zero for a dead end.
    #[inline]
    pub fn weighted_degree(&self, node: NodeId) -> f64 {
        self.weighted_degrees.get(node as usize).copied().unwrap_or(0.0)
    }

    /// A node's neighbors: those that its edges lead to, then those whose edges lead to it.
    pub fn neighbors(&self, node: NodeId) -> impl Iterator<Item = &Neighbor> {
        self.outgoing(node).iter().chain(self.incoming(node))
    }

    /// The neighbors that a node's edges lead to.
    #[inline]
    pub fn outgoing(&self, node: NodeId) -> &[Neighbor] {
        self.outgoing.row(node)
    }

    /// The neighbors whose edges lead to a node.
    #[inline]
    pub fn incoming(&self, node: NodeId) -> &[Neighbor] {
        self.incoming.row(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: NodeId, target: u32, edge_type: EdgeType) -> Edge {
        Edge { source, target, edge_type, provenance: Provenance::AstResolved, confidence: 0.9 }
    }

    #[test]
    fn rows_hold_both_directions_in_a_fixed_order() {
        let edges = [edge(0, 2, EdgeType::Calls), edge(0, 1, EdgeType::Contains), edge(1, 0, EdgeType::MemberOf)];
        let graph = Adjacency::new(3, &edges);
        let reversed: Vec<Edge> = edges.iter().rev().copied().collect();
        let again = Adjacency::new(3, &reversed);
        assert_eq!((graph.outgoing(0), graph.incoming(0)), (again.outgoing(0), again.incoming(0)));
        assert_eq!(graph.outgoing(0).iter().map(|neighbor| neighbor.node).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(graph.incoming(0).iter().map(|neighbor| neighbor.node).collect::<Vec<_>>(), [1]);
        assert!(graph.outgoing(9).is_empty() && graph.incoming(u32::MAX).is_empty());
    }

    #[test]
    fn runs_give_what_sorted_edges_give() {
        let edges: Vec<Edge> =
            (0..300_u32).map(|place| edge(place * 7 % 11, place * 5 % 13, EdgeType::ALL[place as usize % 3])).collect();
        let mut halves = edges.clone();
        halves[..150].sort_by_key(sort_key);
        halves[150..].sort_by_key(sort_key);
        let mut sorted = edges.clone();
        sorted.sort_by_key(sort_key);
        let graphs = [edges, halves, sorted].map(|edges| Adjacency::new(12, &edges));
        for node in 0..12 {
            assert_eq!(graphs[0].rows(node), graphs[1].rows(node));
            assert_eq!(graphs[0].rows(node), graphs[2].rows(node));
            assert_eq!(graphs[0].weighted_degree(node).to_bits(), graphs[1].weighted_degree(node).to_bits());
        }
    }

    #[test]
    fn edges_that_dangle_are_left_out() {
        let graph = Adjacency::new(1, &[edge(0, 5, EdgeType::Calls)]);
        assert!(graph.outgoing(0).is_empty() && graph.incoming(0).is_empty());
    }
}
