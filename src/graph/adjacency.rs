//! The graph in memory: compressed sparse rows in both directions, for walks without a query in the loop.

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

/// Every node's neighbours, those that its edges lead to and those whose edges lead to it, each list by number, then
/// type. Takes 20 bytes an edge and direction; built in time linear in nodes and edges where the edges come in order.
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    outgoing: Lists,
    incoming: Lists,
    /// Sum of the walk weights of each node's neighbours.
    flows: Vec<f64>,
}

/// One list of neighbours for each node.
#[derive(Debug, Clone, Default)]
struct Lists {
    starts: Vec<u32>,
    neighbours: Vec<Neighbour>,
    /// The neighbours once more, as a walk reads them: number and walk weight, in less memory.
    links: Vec<(u32, f32)>,
}

impl Lists {
    /// The lists over `nodes` nodes, those of targets when `outgoing`, else those of sources.
    fn new(nodes: usize, edges: &[Edge], outgoing: bool) -> Lists {
        let inside = |edge: &&Edge| (edge.source as usize) < nodes && (edge.target as usize) < nodes;
        let ends = |edge: &Edge| if outgoing { (edge.source, edge.target) } else { (edge.target, edge.source) };
        let mut starts = vec![0u32; nodes + 1];
        for edge in edges.iter().filter(inside) {
            starts[ends(edge).0 as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let blank = Neighbour {
            node: 0,
            edge_type: EdgeType::Calls,
            provenance: Provenance::Structural,
            confidence: 0.0,
            outgoing,
        };
        let mut neighbours = vec![blank; starts[nodes] as usize];
        let mut next = starts.clone();
        for edge in edges.iter().filter(inside) {
            let (row, node) = ends(edge);
            let Edge { edge_type, provenance, confidence, .. } = *edge;
            neighbours[next[row as usize] as usize] = Neighbour { node, edge_type, provenance, confidence, outgoing };
            next[row as usize] += 1;
        }
        let key = |neighbour: &Neighbour| (neighbour.node, neighbour.edge_type);
        for node in 0..nodes {
            let list = &mut neighbours[starts[node] as usize..starts[node + 1] as usize];
            if !list.is_sorted_by_key(key) {
                // Lists are made of few sorted runs, which a stable sort only merges.
                list.sort_by_key(key);
            }
        }
        let links = neighbours.iter().map(|neighbour| (neighbour.node, neighbour.walk_weight() as f32)).collect();
        Lists { starts, neighbours, links }
    }

    fn range(&self, node: u32) -> std::ops::Range<usize> {
        match self.starts.get(node as usize..node as usize + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }
}

impl Adjacency {
    /// The graph over `nodes` nodes numbered from 0. Edges with an end outside are left out.
    pub fn new(nodes: usize, edges: &[Edge]) -> Adjacency {
        let (outgoing, incoming) = rayon::join(|| Lists::new(nodes, edges, true), || Lists::new(nodes, edges, false));
        let mut graph = Adjacency { outgoing, incoming, flows: Vec::new() };
        let flow = |node| graph.links(node).into_iter().flatten().map(|(_, weight)| f64::from(*weight)).sum();
        graph.flows = (0..nodes as u32).map(flow).collect();
        graph
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.flows.len()
    }

    /// A node's neighbours, each with its walk weight: those that its edges lead to, those whose edges lead to it. Both
    /// are sorted by number, and empty for a node outside the graph.
    pub fn links(&self, node: u32) -> [&[(u32, f32)]; 2] {
        [&self.outgoing.links[self.outgoing.range(node)], &self.incoming.links[self.incoming.range(node)]]
    }

    /// Sum of the walk weights of a node's neighbours; zero for a dead end.
    pub fn flow(&self, node: u32) -> f64 {
        self.flows.get(node as usize).copied().unwrap_or(0.0)
    }

    /// A node's neighbours: those that its edges lead to, then those whose edges lead to it.
    pub fn neighbours(&self, node: u32) -> impl Iterator<Item = &Neighbour> {
        self.outgoing(node).iter().chain(self.incoming(node))
    }

    /// The neighbours that a node's edges lead to.
    pub fn outgoing(&self, node: u32) -> &[Neighbour] {
        &self.outgoing.neighbours[self.outgoing.range(node)]
    }

    /// The neighbours whose edges lead to a node.
    pub fn incoming(&self, node: u32) -> &[Neighbour] {
        &self.incoming.neighbours[self.incoming.range(node)]
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
        let again = Adjacency::new(3, &reversed);
        assert_eq!((graph.outgoing(0), graph.incoming(0)), (again.outgoing(0), again.incoming(0)));
        assert_eq!(graph.outgoing(0).iter().map(|neighbour| neighbour.node).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(graph.incoming(0).iter().map(|neighbour| neighbour.node).collect::<Vec<_>>(), [1]);
        assert!(graph.outgoing(9).is_empty() && graph.incoming(u32::MAX).is_empty());
    }

    #[test]
    fn edges_that_dangle_are_left_out() {
        let graph = Adjacency::new(1, &[edge(0, 5, EdgeType::Calls)]);
        assert!(graph.outgoing(0).is_empty() && graph.incoming(0).is_empty());
    }
}
