//! HITS, hubs and authorities, over a small set of nodes (Kleinberg, Journal of the ACM 1999).

use std::collections::HashMap;

use crate::graph::adjacency::Neighborhoods;
use crate::model::NodeId;

/// The scores of a node. Over the set, the squares of each sum to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HubAuthority {
    /// High for a node that points to many authorities.
    pub hub: f64,
    /// High for a node that many hubs point to.
    pub authority: f64,
}

/// Computes hubs and authorities among `nodes`, in their order, over the edges between them with a positive walk
/// weight. Complexity: iterations times the edges of those nodes.
pub fn hits(graph: &impl Neighborhoods, nodes: &[NodeId], iterations: usize) -> Vec<HubAuthority> {
    let indexes: HashMap<NodeId, usize> = nodes.iter().enumerate().map(|(index, &node)| (node, index)).collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (index, &node) in nodes.iter().enumerate() {
        for neighbor in graph.outgoing(node).iter().filter(|neighbor| neighbor.walk_weight() > 0.0) {
            if let Some(&target) = indexes.get(&neighbor.node) {
                edges.push((index, target));
            }
        }
    }
    // Makes the order of the floating-point sums independent of node numbers.
    edges.sort_unstable();
    let mut hubs = vec![1.0; nodes.len()];
    let mut authorities = vec![1.0; nodes.len()];
    for _ in 0..iterations {
        authorities = vec![0.0; nodes.len()];
        for &(source, target) in &edges {
            authorities[target] += hubs[source];
        }
        normalize(&mut authorities);
        hubs = vec![0.0; nodes.len()];
        for &(source, target) in &edges {
            hubs[source] += authorities[target];
        }
        normalize(&mut hubs);
    }
    hubs.into_iter().zip(authorities).map(|(hub, authority)| HubAuthority { hub, authority }).collect()
}

fn normalize(values: &mut [f64]) {
    let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|value| *value /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::adjacency::Adjacency;
    use crate::model::{Edge, EdgeType, Provenance};

    #[test]
    fn most_called_node_is_an_authority() {
        let edge = |source, target| Edge {
            source: NodeId::new(source),
            target: NodeId::new(target),
            edge_type: EdgeType::Calls,
            provenance: Provenance::AstResolved,
            confidence: 0.9,
        };
        let graph = Adjacency::new(4, &[edge(0, 3), edge(1, 3), edge(2, 3), edge(0, 1)]);
        let scores = hits(&graph, &[0, 1, 2, 3].map(NodeId::new), 10);
        assert!(scores[3].authority > scores[1].authority);
        assert!(scores[0].hub > scores[1].hub);
        assert_eq!(scores[3].hub, 0.0);
    }

    #[test]
    fn scores_are_zero_without_edges() {
        let graph = Adjacency::new(2, &[]);
        assert_eq!(hits(&graph, &[0, 1].map(NodeId::new), 10), [HubAuthority::default(); 2]);
    }
}
