//! The most probable shortest path of a walk to a node, for explanation.

use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::model::NodeId;
use crate::rank::walk::Walk;

/// One edge of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The node that the step leaves.
    pub from: NodeId,
    /// The edge in the row of `from`: the reached node, the type and the direction.
    pub edge: Neighbor,
}

/// Returns a shortest path from a seed to `node`; empty for a seed and for a node that the walk did not reach. The path
/// is traced backwards, by the edge with the most flow at each hop; `tie_break` orders nodes of equal flow. Linear in
/// the edges of the nodes on the path.
pub fn best_path(
    graph: &impl Neighborhoods,
    walk: &Walk,
    node: NodeId,
    tie_break: impl Fn(NodeId) -> u64,
) -> Vec<Step> {
    let mut steps = Vec::new();
    let Some(distance) = walk.distance(graph, node) else { return steps };
    let mut reached = node;
    for before in (0..distance).rev() {
        let flow_of = |edge: &Neighbor| {
            let weight = edge.walk_weight();
            let is_nearer = weight > 0.0 && walk.is_at(graph, edge.node, before);
            let flow = if is_nearer { graph.weighted_degree(edge.node) } else { 0.0 };
            (flow > 0.0).then(|| walk.score(edge.node) * weight / flow)
        };
        let nearer = graph.neighbors(reached).filter_map(|edge| Some((flow_of(edge)?, edge)));
        let best = nearer.max_by(|(one, first), (two, second)| {
            one.total_cmp(two)
                .then_with(|| (tie_break(second.node), second.edge_type).cmp(&(tie_break(first.node), first.edge_type)))
        });
        let Some((_, edge)) = best else { break };
        steps.push(Step { from: edge.node, edge: edge.reversed(reached) });
        reached = edge.node;
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::adjacency::Adjacency;
    use crate::model::{Edge, EdgeType, Provenance};
    use crate::rank::walk::{WalkConfig, random_walk};

    const CONFIG: WalkConfig = WalkConfig {
        restart: 0.2,
        max_iterations: 20,
        convergence: 1e-3,
        stable_top: 0,
        max_hops: 4,
        push_threshold: 0.0,
    };

    fn edge(source: u32, target: u32, edge_type: EdgeType) -> Edge {
        let (source, target) = (NodeId::new(source), NodeId::new(target));
        Edge { source, target, edge_type, provenance: Provenance::AstResolved, confidence: 0.9 }
    }

    #[test]
    fn path_with_more_flow_is_chosen() {
        // Two ways of two hops lead from 0 to 3: by calls through 1, by weaker imports through 2.
        let edges = [
            edge(0, 1, EdgeType::Calls),
            edge(3, 1, EdgeType::Calls),
            edge(0, 2, EdgeType::Imports),
            edge(2, 3, EdgeType::Imports),
        ];
        let graph = Adjacency::new(5, &edges);
        let walk = random_walk(&graph, &[(NodeId::new(0), 1.0)], &CONFIG);
        let best_path = |target| best_path(&graph, &walk, NodeId::new(target), |node| node.get().into());
        let path = best_path(3);
        let steps: Vec<(u32, u32, bool)> =
            path.iter().map(|step| (step.from.get(), step.edge.node.get(), step.edge.is_outgoing())).collect();
        assert_eq!(steps, [(0, 1, true), (1, 3, false)]);
        assert!(path.iter().all(|step| step.edge.edge_type == EdgeType::Calls));
        assert_eq!(best_path(0), [], "a seed");
        assert_eq!(best_path(4), [], "out of reach");
    }
}
