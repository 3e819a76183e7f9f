//! The ego graph of a node: the part of the graph around it, as a tree in which each node hangs where a walker most
//! likely came from.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::graph::adjacency::{Adjacency, Neighbor};
use crate::rank::walk::Walk;

/// Children shown of a node, by its hops from the root; the last number holds for all that are farther.
const WIDTHS: [usize; 3] = [10, 4, 2];

/// What part of the graph is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgoRequest {
    pub root: u32,
    /// Nodes nearer to the root than this have their children shown.
    pub hops: u32,
    /// Nodes whose children are shown however far they are, and how many at most.
    pub wider: Vec<(u32, usize)>,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EgoNode {
    pub node: u32,
    /// Hops from the root along the tree.
    pub hops: u32,
    /// Place of the parent in the list, and the heaviest edge that leads from it to this node, as its row has it; none
    /// for the root.
    pub parent: Option<(usize, Neighbor)>,
    /// How much of the walk is here; see [`ego`].
    pub mass: f64,
    /// Neighbors that stand nowhere in the tree.
    pub hidden: usize,
}

/// The tree around `request.root`, parents before children and heavier children before lighter ones.
///
/// With a walk that reached the root, a node's mass is what that walk left on it, 1 for the walk's best node. Without
/// one it is the chance that a walker who starts at the root and never turns back comes along the tree's edges. Each
/// node stands once, under the heaviest of its neighbors that are nearest to the root. Edges without walk weight do
/// not count. Cost: the edges of the nodes in the tree. Empty for a root outside the graph.
pub fn ego(graph: &Adjacency, walk: Option<&Walk>, request: &EgoRequest, tie: impl Fn(u32) -> u64) -> Vec<EgoNode> {
    if request.root as usize >= graph.nodes() {
        return Vec::new();
    }
    let walk = walk.filter(|walk| walk.get(request.root).is_some());
    let reached = |node: u32| walk.map(|walk| walk.get(node).map_or(0.0, |walked| walked.score));
    let root =
        EgoNode { node: request.root, hops: 0, parent: None, mass: reached(request.root).unwrap_or(1.0), hidden: 0 };
    let mut nodes = vec![root];
    let mut seen = HashSet::from([request.root]);
    let mut level = 0..1;
    while !level.is_empty() {
        // The heaviest of a level chooses its children first.
        let mut order: Vec<usize> = level.clone().collect();
        order.sort_by(|one, two| heavier((nodes[*one].mass, 0.0), (nodes[*two].mass, 0.0)));
        for place in order {
            let parent = nodes[place];
            let width = width(request, &parent);
            let mut children = children(graph, parent.node, &seen);
            let flow = graph.weighted_degree(parent.node);
            let mass = |edge: &Neighbor| reached(edge.node).unwrap_or(parent.mass * edge.walk_weight() / flow);
            children.sort_by(|one, two| {
                heavier((mass(one), one.walk_weight()), (mass(two), two.walk_weight()))
                    .then_with(|| tie(one.node).cmp(&tie(two.node)))
            });
            for edge in children.iter().take(width) {
                seen.insert(edge.node);
                let (hops, parent) = (parent.hops + 1, Some((place, *edge)));
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

/// How many children of a node are shown.
fn width(request: &EgoRequest, node: &EgoNode) -> usize {
    let asked = request.wider.iter().find(|(wide, _)| *wide == node.node).map(|(_, width)| *width);
    let usual = if node.hops < request.hops { WIDTHS[(node.hops as usize).min(WIDTHS.len() - 1)] } else { 0 };
    asked.unwrap_or(usual)
}

/// The heaviest edge to each neighbor that is not `seen`.
fn children(graph: &Adjacency, node: u32, seen: &HashSet<u32>) -> Vec<Neighbor> {
    let mut edges: Vec<Neighbor> =
        graph.neighbors(node).filter(|edge| edge.walk_weight() > 0.0 && !seen.contains(&edge.node)).copied().collect();
    edges.sort_by(|one, two| {
        one.node.cmp(&two.node).then_with(|| two.walk_weight().total_cmp(&one.walk_weight())).then_with(|| {
            // Of two edges that weigh the same, the one that leads away is the one to tell of.
            two.is_outgoing().cmp(&one.is_outgoing())
        })
    });
    edges.dedup_by_key(|edge| edge.node);
    edges
}

/// More mass first, then more weight.
fn heavier(one: (f64, f64), two: (f64, f64)) -> Ordering {
    two.0.total_cmp(&one.0).then(two.1.total_cmp(&one.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edge, EdgeType, Provenance};
    use crate::rank::walk::{WalkConfig, random_walk};

    fn edge(source: u32, target: u32, edge_type: EdgeType) -> Edge {
        Edge { source, target, edge_type, provenance: Provenance::AstResolved, confidence: 0.9 }
    }

    fn request(root: u32, hops: u32) -> EgoRequest {
        EgoRequest { root, hops, wider: Vec::new() }
    }

    /// 0 calls 1 and 2; 3 calls 0; 1 calls 4 and so does 2; 5 owns 0, which is no way for a walker.
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

    fn told(nodes: &[EgoNode]) -> Vec<(u32, u32, Option<u32>)> {
        nodes.iter().map(|node| (node.node, node.hops, node.parent.map(|(place, _)| nodes[place].node))).collect()
    }

    #[test]
    fn without_a_walk_the_chance_of_the_next_step_decides() {
        let nodes = ego(&graph(), None, &request(0, 2), u64::from);
        assert_eq!(told(&nodes), [(0, 0, None), (1, 1, Some(0)), (3, 1, Some(0)), (2, 1, Some(0)), (4, 2, Some(1))]);
        // 1.0 + 0.4 + 0.5 leave the root.
        assert!((nodes[1].mass - 1.0 / 1.9).abs() < 1e-6 && (nodes[4].mass - 0.5 / 1.9).abs() < 1e-6, "{nodes:?}");
        let directions: Vec<bool> = nodes.iter().filter_map(|node| Some(node.parent?.1.is_outgoing())).collect();
        assert_eq!(directions, [true, false, true, true]);
    }

    #[test]
    fn the_walk_of_a_task_decides_where_it_reached() {
        let config = WalkConfig {
            restart: 0.2,
            most_iterations: 20,
            convergence: 1e-3,
            stable_top: 0,
            most_hops: 4,
            least_flow: 0.0,
        };
        let graph = graph();
        let walk = random_walk(&graph, &[(2, 1.0)], &config);
        let nodes = ego(&graph, Some(&walk), &request(0, 1), u64::from);
        assert_eq!(told(&nodes)[1], (2, 1, Some(0)), "nearest to the seed");
        assert!(nodes.iter().all(|node| node.mass == walk.get(node.node).unwrap().score));
        let elsewhere = random_walk(&graph, &[(5, 1.0)], &config);
        assert_eq!(ego(&graph, Some(&elsewhere), &request(0, 1), u64::from)[0].mass, 1.0, "a walk that never came");
    }

    #[test]
    fn what_lies_beyond_is_counted_and_shown_when_asked_for() {
        let nodes = ego(&graph(), None, &request(0, 1), u64::from);
        assert_eq!(nodes.iter().map(|node| node.hidden).collect::<Vec<_>>(), [0, 1, 0, 1]);
        let wider = EgoRequest { wider: vec![(0, 1), (1, 5)], ..request(0, 1) };
        let nodes = ego(&graph(), None, &wider, u64::from);
        assert_eq!(told(&nodes), [(0, 0, None), (1, 1, Some(0)), (4, 2, Some(1))]);
        assert_eq!(nodes[0].hidden, 2);
        assert_eq!(ego(&graph(), None, &request(9, 1), u64::from), []);
    }
}
