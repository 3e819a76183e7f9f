//! The ego graph of a node as a tree in which each node is a child of the neighbor that a walk most probably came from.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::model::{EdgeType, NodeId};
use crate::rank::walk::Walk;

/// Limit of a node's children, by its hops from the root; the last one applies to all greater distances.
const WIDTHS: [usize; 3] = [10, 4, 2];

/// The extent of an ego graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgoRequest {
    pub root: NodeId,
    /// Distance from the root below which nodes have children.
    pub hops: u32,
    /// Nodes with children at any distance, with the limit of their children.
    pub wider: Vec<(NodeId, usize)>,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EgoNode {
    pub node: NodeId,
    /// Hops from the root along the tree.
    pub hops: u32,
    /// Index of the parent, and the heaviest edge from it to this node; `None` for the root.
    pub parent: Option<(usize, Neighbor)>,
    /// Mass of the walk; see [`ego`].
    pub mass: f64,
    /// Number of neighbors outside the tree.
    pub hidden: usize,
}

/// Returns the tree around `request.root`, parents before children and heavier children before lighter ones; what is only
/// alike comes after what is used or uses. `place` says whether a symbol comes after all others, as those from outside
/// the repository do, and breaks ties.
///
/// With a walk that reached the root, the mass of a node is its score in that walk. Otherwise it is the probability
/// that a walk from the root follows the edges of the tree down to the node. Each node occurs once, as a child of the
/// heaviest of its neighbors nearest to the root. Edges without walk weight are ignored. Linear in the edges of the
/// nodes in the tree. Empty for a root outside the graph.
pub fn ego(
    graph: &impl Neighborhoods,
    walk: Option<&Walk>,
    request: &EgoRequest,
    place: impl Fn(NodeId) -> (bool, u64),
) -> Vec<EgoNode> {
    if request.root.index() >= graph.nodes() {
        return Vec::new();
    }
    let walk = walk.filter(|walk| walk.distance(graph, request.root).is_some());
    let reached = |node: NodeId| walk.map(|walk| walk.score(node));
    let root =
        EgoNode { node: request.root, hops: 0, parent: None, mass: reached(request.root).unwrap_or(1.0), hidden: 0 };
    let mut nodes = vec![root];
    let mut seen = HashSet::from([request.root]);
    let mut level = 0..1;
    while !level.is_empty() {
        // The heaviest node of a level has the first choice of children.
        let mut order: Vec<usize> = level.clone().collect();
        order.sort_by(|one, two| heavier((nodes[*one].mass, 0.0), (nodes[*two].mass, 0.0)));
        for index in order {
            let parent = nodes[index];
            let width = width(request, &parent);
            let mut children = children(graph, parent.node, &seen);
            let flow = graph.weighted_degree(parent.node);
            let mass = |edge: &Neighbor| reached(edge.node).unwrap_or(parent.mass * edge.walk_weight() / flow);
            children.sort_by(|one, two| {
                let (first, second) = (place(one.node), place(two.node));
                (first.0.cmp(&second.0))
                    .then(is_alike(one).cmp(&is_alike(two)))
                    .then_with(|| heavier((mass(one), one.walk_weight()), (mass(two), two.walk_weight())))
                    .then(first.1.cmp(&second.1))
            });
            for edge in children.iter().take(width) {
                seen.insert(edge.node);
                let (hops, parent) = (parent.hops + 1, Some((index, *edge)));
                nodes.push(EgoNode { node: edge.node, hops, parent, mass: mass(edge), hidden: 0 });
            }
        }
        level = level.end..nodes.len();
    }
    for node in &mut nodes {
        node.hidden = children(graph, node.node, &seen).len();
    }
    nodes
}

/// Returns whether an edge says that two symbols are alike, not that one uses the other.
fn is_alike(edge: &Neighbor) -> bool {
    matches!(edge.edge_type, EdgeType::CoTestedWith | EdgeType::SimilarTo)
}

/// Returns the limit of a node's children.
fn width(request: &EgoRequest, node: &EgoNode) -> usize {
    let requested = request.wider.iter().find(|(wide, _)| *wide == node.node).map(|(_, width)| *width);
    let default = if node.hops < request.hops { WIDTHS[(node.hops as usize).min(WIDTHS.len() - 1)] } else { 0 };
    requested.unwrap_or(default)
}

/// Returns the heaviest edge to each neighbor that is not `seen`.
fn children(graph: &impl Neighborhoods, node: NodeId, seen: &HashSet<NodeId>) -> Vec<Neighbor> {
    let mut edges: Vec<Neighbor> =
        graph.neighbors(node).filter(|edge| edge.walk_weight() > 0.0 && !seen.contains(&edge.node)).copied().collect();
    edges.sort_by(|one, two| {
        one.node.cmp(&two.node).then_with(|| two.walk_weight().total_cmp(&one.walk_weight())).then_with(|| {
            // Of two edges of equal weight the outgoing one is shown.
            two.is_outgoing().cmp(&one.is_outgoing())
        })
    });
    edges.dedup_by_key(|edge| edge.node);
    edges
}

/// Orders by mass, then by weight, descending.
fn heavier(one: (f64, f64), two: (f64, f64)) -> Ordering {
    two.0.total_cmp(&one.0).then(two.1.total_cmp(&one.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::adjacency::Adjacency;
    use crate::model::{Edge, EdgeType, Provenance};
    use crate::rank::walk::{WalkConfig, random_walk};

    fn edge(source: u32, target: u32, edge_type: EdgeType) -> Edge {
        let (source, target) = (NodeId::new(source), NodeId::new(target));
        Edge { source, target, edge_type, provenance: Provenance::AstResolved, confidence: 0.9 }
    }

    fn request(root: u32, hops: u32) -> EgoRequest {
        EgoRequest { root: NodeId::new(root), hops, wider: Vec::new() }
    }

    fn number(node: NodeId) -> (bool, u64) {
        (false, node.get().into())
    }

    /// 0 calls 1 and references 2; 3 imports 0; 1 and 2 call 4; 5 is owned by 0, which the walk ignores.
    fn graph() -> Adjacency {
        let edges = [
            edge(0, 1, EdgeType::Calls),
            edge(0, 2, EdgeType::References),
            edge(1, 4, EdgeType::Calls),
            edge(2, 4, EdgeType::Calls),
            edge(3, 0, EdgeType::Imports),
            edge(5, 0, EdgeType::OwnedBy),
        ];
        Adjacency::new(6, &edges)
    }

    fn summary(nodes: &[EgoNode]) -> Vec<(u32, u32, Option<u32>)> {
        let parent = |node: &EgoNode| node.parent.map(|(index, _)| nodes[index].node.get());
        nodes.iter().map(|node| (node.node.get(), node.hops, parent(node))).collect()
    }

    #[test]
    fn symbols_from_outside_come_last() {
        let outside = |node: NodeId| (node.get() == 1, node.get().into());
        let nodes = ego(&graph(), None, &request(0, 1), outside);
        assert_eq!(nodes.iter().map(|node| node.node.get()).collect::<Vec<_>>(), [0, 3, 2, 1]);
        let narrow = EgoRequest { wider: vec![(NodeId::new(0), 2)], ..request(0, 1) };
        assert!(ego(&graph(), None, &narrow, outside).iter().all(|node| node.node.get() != 1), "they take no place");
    }

    #[test]
    fn mass_without_a_walk_is_a_probability() {
        let nodes = ego(&graph(), None, &request(0, 2), number);
        assert_eq!(summary(&nodes), [(0, 0, None), (1, 1, Some(0)), (3, 1, Some(0)), (2, 1, Some(0)), (4, 2, Some(1))]);
        // 1.0 + 0.4 + 0.5 leave the root.
        assert!((nodes[1].mass - 1.0 / 1.9).abs() < 1e-6 && (nodes[4].mass - 0.5 / 1.9).abs() < 1e-6, "{nodes:?}");
        let directions: Vec<bool> = nodes.iter().filter_map(|node| Some(node.parent?.1.is_outgoing())).collect();
        assert_eq!(directions, [true, false, true, true]);
    }

    #[test]
    fn mass_is_the_score_of_the_walk() {
        let config = WalkConfig {
            restart: 0.2,
            max_iterations: 20,
            convergence: 1e-3,
            stable_top: 0,
            max_hops: 4,
            push_threshold: 0.0,
        };
        let graph = graph();
        let walk = random_walk(&graph, &[(NodeId::new(2), 1.0)], &config);
        let nodes = ego(&graph, Some(&walk), &request(0, 1), number);
        assert_eq!(summary(&nodes)[1], (2, 1, Some(0)), "nearest to the seed");
        assert!(nodes.iter().all(|node| node.mass == walk.score(node.node)));
        let elsewhere = random_walk(&graph, &[(NodeId::new(5), 1.0)], &config);
        assert_eq!(ego(&graph, Some(&elsewhere), &request(0, 1), number)[0].mass, 1.0, "a walk that never came");
    }

    #[test]
    fn hidden_neighbors_are_counted() {
        let nodes = ego(&graph(), None, &request(0, 1), number);
        assert_eq!(nodes.iter().map(|node| node.hidden).collect::<Vec<_>>(), [0, 1, 0, 1]);
        let wider = EgoRequest { wider: vec![(NodeId::new(0), 1), (NodeId::new(1), 5)], ..request(0, 1) };
        let nodes = ego(&graph(), None, &wider, number);
        assert_eq!(summary(&nodes), [(0, 0, None), (1, 1, Some(0)), (4, 2, Some(1))]);
        assert_eq!(nodes[0].hidden, 2);
        assert_eq!(ego(&graph(), None, &request(9, 1), number), []);
    }
}
