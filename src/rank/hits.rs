//! Hubs and authorities (Kleinberg, Journal of the ACM 1999) over a small set of nodes.

use std::collections::HashMap;

use crate::graph::adjacency::Adjacency;

/// A node's two scores; each kind's squares sum to one over the set.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HubAuthority {
    /// Points to many authorities.
    pub hub: f64,
    /// Is pointed to by many hubs.
    pub authority: f64,
}

/// Hubs and authorities among `nodes`, looking only at edges between them that weigh something. Cost: iterations times
/// the edges of those nodes. The result follows the order of `nodes`.
pub fn hits(graph: &Adjacency, nodes: &[u32], iterations: usize) -> Vec<HubAuthority> {
    let index: HashMap<u32, usize> = nodes.iter().enumerate().map(|(place, &node)| (node, place)).collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (place, &node) in nodes.iter().enumerate() {
        for neighbor in graph.outgoing(node).iter().filter(|neighbor| neighbor.walk_weight() > 0.0) {
            if let Some(&target) = index.get(&neighbor.node) {
                edges.push((place, target));
            }
        }
    }
    // Sums take their parts in the order of `nodes`, not in that of node numbers.
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
    use crate::model::{Edge, EdgeType, Provenance};

    #[test]
    fn what_everyone_calls_is_an_authority() {
        let edge = |source, target| Edge {
            source,
            target,
            edge_type: EdgeType::Calls,
            provenance: Provenance::AstResolved,
            confidence: 0.9,
        };
        let graph = Adjacency::new(4, &[edge(0, 3), edge(1, 3), edge(2, 3), edge(0, 1)]);
        let scores = hits(&graph, &[0, 1, 2, 3], 10);
        assert!(scores[3].authority > scores[1].authority);
        assert!(scores[0].hub > scores[1].hub);
        assert_eq!(scores[3].hub, 0.0);
    }

    #[test]
    fn no_edges_no_scores() {
        let graph = Adjacency::new(2, &[]);
        assert_eq!(hits(&graph, &[0, 1], 10), [HubAuthority::default(); 2]);
    }
}
