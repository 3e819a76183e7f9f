//! The graph in memory: compressed sparse rows, both directions, for walks without a query in the loop.

use crate::model::{Edge, EdgeType, Provenance};

/// A neighbour of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    pub node: u32,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    /// Between 0 and 1.
    pub confidence: f32,
    /// True when the edge leads from the row's node to `node`.
    pub outgoing: bool,
}

impl Neighbour {
    /// How much of a walker's flow takes this edge, relative to a sure call (SPEC §6.4).
    pub fn walk_weight(&self) -> f64 {
        self.edge_type.walk_weight() * self.provenance.walk_factor()
    }
}

/// Every node's neighbours in one array: a row's outgoing edges first, then its incoming ones, each by target, then
/// type. Takes 24 bytes an edge and direction; built in time linear in nodes and edges (plus sorting the rows).
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    starts: Vec<u32>,
    neighbours: Vec<Neighbour>,
    out_degrees: Vec<u32>,
    /// The neighbours once more, as a walk reads them: number and walk weight, in half the memory.
    links: Vec<(u32, f32)>,
    /// Sum of each row's walk weights.
    flows: Vec<f64>,
}

impl Adjacency {
    /// The graph over `nodes` nodes numbered from 0. Edges with an end outside are left out.
    pub fn new(nodes: usize, edges: &[Edge]) -> Adjacency {
        let inside = |edge: &&Edge| (edge.source as usize) < nodes && (edge.target as usize) < nodes;
        let mut starts = vec![0u32; nodes + 1];
        let mut out_degrees = vec![0u32; nodes];
        for edge in edges.iter().filter(inside) {
            starts[edge.source as usize + 1] += 1;
            starts[edge.target as usize + 1] += 1;
            out_degrees[edge.source as usize] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let blank = Neighbour {
            node: 0,
            edge_type: EdgeType::Calls,
            provenance: Provenance::Structural,
            confidence: 0.0,
            outgoing: true,
        };
        let mut neighbours = vec![blank; starts[nodes] as usize];
        let mut next = starts.clone();
        for edge in edges.iter().filter(inside) {
            for (row, node, outgoing) in [(edge.source, edge.target, true), (edge.target, edge.source, false)] {
                let Edge { edge_type, provenance, confidence, .. } = *edge;
                neighbours[next[row as usize] as usize] =
                    Neighbour { node, edge_type, provenance, confidence, outgoing };
                next[row as usize] += 1;
            }
        }
        for node in 0..nodes {
            neighbours[starts[node] as usize..starts[node + 1] as usize]
                .sort_unstable_by_key(|neighbour| (!neighbour.outgoing, neighbour.node, neighbour.edge_type));
        }
        let links: Vec<(u32, f32)> =
            neighbours.iter().map(|neighbour| (neighbour.node, neighbour.walk_weight() as f32)).collect();
        let row = |node: usize| &links[starts[node] as usize..starts[node + 1] as usize];
        let flows = (0..nodes).map(|node| row(node).iter().map(|(_, weight)| f64::from(*weight)).sum()).collect();
        Adjacency { starts, neighbours, out_degrees, links, flows }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.out_degrees.len()
    }

    /// A node's neighbours in both directions; empty for a node outside the graph.
    pub fn neighbours(&self, node: u32) -> &[Neighbour] {
        let node = node as usize;
        if node >= self.nodes() {
            return &[];
        }
        &self.neighbours[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// A node's neighbours in both directions, each with its walk weight.
    pub fn links(&self, node: u32) -> &[(u32, f32)] {
        let node = node as usize;
        if node >= self.nodes() {
            return &[];
        }
        &self.links[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Sum of the walk weights of a node's neighbours; zero for a dead end.
    pub fn flow(&self, node: u32) -> f64 {
        self.flows.get(node as usize).copied().unwrap_or(0.0)
    }

    /// The neighbours that a node's edges lead to.
    pub fn outgoing(&self, node: u32) -> &[Neighbour] {
        let row = self.neighbours(node);
        &row[..self.out_degrees.get(node as usize).map_or(0, |&degree| degree as usize)]
    }

    /// The neighbours whose edges lead to a node.
    pub fn incoming(&self, node: u32) -> &[Neighbour] {
        let row = self.neighbours(node);
        &row[self.out_degrees.get(node as usize).map_or(0, |&degree| degree as usize)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: u32, target: u32, edge_type: EdgeType) -> Edge {
        Edge { source, target, edge_type, provenance: Provenance::AstResolved, confidence: 0.9 }
    }

    #[test]
    fn rows_hold_both_directions_in_a_fixed_order() {
        let edges = [edge(0, 2, EdgeType::Calls), edge(0, 1, EdgeType::Contains), edge(1, 0, EdgeType::MemberOf)];
        let graph = Adjacency::new(3, &edges);
        let reversed: Vec<Edge> = edges.iter().rev().copied().collect();
        assert_eq!(graph.neighbours(0), Adjacency::new(3, &reversed).neighbours(0));
        assert_eq!(graph.outgoing(0).iter().map(|neighbour| neighbour.node).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(graph.incoming(0).iter().map(|neighbour| neighbour.node).collect::<Vec<_>>(), [1]);
        assert!(graph.neighbours(9).is_empty());
    }

    #[test]
    fn edges_that_dangle_are_left_out() {
        let graph = Adjacency::new(1, &[edge(0, 5, EdgeType::Calls)]);
        assert!(graph.neighbours(0).is_empty());
    }
}
