//! Reach: breadth-first search over the adjacency, by a rule that decides which edges it follows.
//!
//! A rule can also pass *through* an edge at no distance: a call of a method may run each method that overrides it. A
//! node that was passed through is a transit, not a result, and may become a result later.

use std::collections::{HashMap, HashSet};

use super::adjacency::{Neighbor, Neighborhoods};
use crate::model::{NodeId, Provenance};

/// Maximum number of origins from which a node is passed through one by one; for more, they are not told apart.
const MAX_ORIGINS: u32 = 64;

/// The decision of a search about an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Nothing.
    No,
    /// The neighbor is one step further.
    Step,
    /// The neighbor is one step further, and the search does not go on from it.
    Last,
    /// The neighbor is at the same distance: as a result, or as a transit.
    Same { is_result: bool, is_certain: bool },
}

/// A role in which a node is reached; a node can have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Result,
    /// A result from which the search does not go on.
    Last,
    /// From this node, without certainty.
    Transit(Option<NodeId>),
}

/// A node that a search reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    pub node: NodeId,
    /// Number of steps from the nearest root.
    pub distance: u32,
    /// Whether it was only passed through.
    pub is_transit: bool,
    /// Whether the search did not go on from it.
    pub is_last: bool,
    /// Index of the node before it, and the edge in the row of that node; `None` for a root.
    pub parent: Option<(usize, Neighbor)>,
    /// The least confidence of the edges from the root.
    pub confidence: f32,
    /// Whether an edge of the path was inferred or passed through.
    pub is_uncertain: bool,
    /// The node before it from which edges were passed through without certainty, since the last step.
    pub origin: Option<NodeId>,
}

impl Reached {
    /// Returns the role in which two ways lead to the same node.
    fn role_of_search(&self) -> Role {
        if self.is_transit { self.role() } else { Role::Result }
    }

    fn role(&self) -> Role {
        match (self.is_transit, self.is_last) {
            (true, _) => Role::Transit(self.origin),
            (false, true) => Role::Last,
            (false, false) => Role::Result,
        }
    }
}

/// Returns the nodes that a search from `roots` reaches within `depth` steps: the roots in their order, then by
/// distance. A node can occur once in each role. `rule` decides about each edge in the row of a reached node. Of several paths of one length the most
/// certain is kept; `tie_break` orders equal ones. Linear in the edges of the reached nodes.
pub fn reach(
    graph: &impl Neighborhoods,
    roots: &[NodeId],
    depth: u32,
    rule: impl Fn(&Reached, &Neighbor) -> Follow,
    tie_break: impl Fn(NodeId) -> u64,
) -> Vec<Reached> {
    reach_until(graph, roots, depth, rule, tie_break, |_| false)
}

/// Returns the nodes that [`reach`] returns, as far as the first distance at which `stop` accepts a node.
pub fn reach_until(
    graph: &impl Neighborhoods,
    roots: &[NodeId],
    depth: u32,
    rule: impl Fn(&Reached, &Neighbor) -> Follow,
    tie_break: impl Fn(NodeId) -> u64,
    mut stop: impl FnMut(&Reached) -> bool,
) -> Vec<Reached> {
    let mut search =
        Search { graph, rule, tie_break, reached: Vec::new(), known: HashSet::new(), origins: HashMap::new() };
    let mut level = Vec::new();
    for &node in roots {
        let root = Reached {
            node,
            distance: 0,
            is_transit: false,
            is_last: false,
            parent: None,
            confidence: 1.0,
            is_uncertain: false,
            origin: None,
        };
        level.extend(search.add(root));
    }
    for distance in 0.. {
        // Transits of a level can have transits of their own.
        let mut begin = level.clone();
        while !begin.is_empty() {
            begin = search.expand(&begin, false);
            level.extend(&begin);
        }
        let is_stopped = level.iter().any(|index| stop(&search.reached[*index]));
        if distance == depth || level.is_empty() || is_stopped {
            break;
        }
        level = search.expand(&level, true);
    }
    search.reached
}

struct Search<'a, Graph, Rule, Tie> {
    graph: &'a Graph,
    rule: Rule,
    tie_break: Tie,
    reached: Vec<Reached>,
    known: HashSet<(NodeId, Role)>,
    /// Number of origins from which each node was passed through.
    origins: HashMap<NodeId, u32>,
}

impl<Graph, Rule, Tie> Search<'_, Graph, Rule, Tie>
where
    Graph: Neighborhoods,
    Rule: Fn(&Reached, &Neighbor) -> Follow,
    Tie: Fn(NodeId) -> u64,
{
    /// Adds a node unless it is known in its role, and returns its index.
    fn add(&mut self, node: Reached) -> Option<usize> {
        self.known.insert((node.node, node.role())).then(|| {
            if node.is_transit && node.origin.is_some() {
                *self.origins.entry(node.node).or_default() += 1;
            }
            self.reached.push(node);
            self.reached.len() - 1
        })
    }

    /// Follows the edges of these nodes that are steps, or those that are none. Returns the indexes of the nodes that
    /// are new.
    fn expand(&mut self, from: &[usize], are_steps: bool) -> Vec<usize> {
        let mut best: HashMap<(NodeId, Role), Reached> = HashMap::new();
        for &index in from {
            let before = self.reached[index];
            if before.is_last {
                continue;
            }
            for edge in self.graph.neighbors(before.node) {
                let (is_step, is_last, is_transit, is_certain) = match (self.rule)(&before, edge) {
                    Follow::No => continue,
                    Follow::Step => (true, false, false, true),
                    Follow::Last => (true, true, false, true),
                    Follow::Same { is_result, is_certain } => (false, false, !is_result, is_certain),
                };
                let is_crowded = self.origins.get(&edge.node).is_some_and(|count| *count >= MAX_ORIGINS);
                let origin = match before.origin {
                    None if is_certain => None,
                    _ if is_step || is_crowded => None,
                    Some(origin) => Some(origin),
                    None => Some(before.node),
                };
                let next = Reached {
                    node: edge.node,
                    origin,
                    distance: before.distance + u32::from(is_step),
                    is_transit,
                    is_last,
                    parent: Some((index, *edge)),
                    confidence: before.confidence.min(edge.confidence()),
                    is_uncertain: before.is_uncertain || !is_certain || edge.provenance == Provenance::AstInferred,
                };
                // The edges of a known result are followed already.
                let is_known = [Role::Result, next.role()].iter().any(|role| self.known.contains(&(edge.node, *role)));
                if is_step == are_steps && !is_known {
                    best.entry((edge.node, next.role_of_search()))
                        .and_modify(|known| keep_better(known, next))
                        .or_insert(next);
                }
            }
        }
        let mut next: Vec<Reached> = best.into_values().collect();
        next.sort_by(|one, other| {
            let order = |node: &Reached| {
                let origin = node.origin.map(|origin| (self.tie_break)(origin));
                (node.is_uncertain, (self.tie_break)(node.node), node.is_transit, origin)
            };
            other.confidence.total_cmp(&one.confidence).then_with(|| order(one).cmp(&order(other)))
        });
        next.into_iter().filter_map(|node| self.add(node)).collect()
    }
}

/// Replaces `known` by `other`, another way to the same node, if that is more certain. Ways that are equal are ordered
/// by the node before and by the edge.
fn keep_better(known: &mut Reached, other: Reached) {
    let order = |node: &Reached| {
        let edge = node.parent.map(|(index, edge)| (index, edge.edge_type, !edge.is_outgoing()));
        (node.is_last, node.is_uncertain, edge)
    };
    let by_confidence = other.confidence.total_cmp(&known.confidence);
    let uncertain = other.is_uncertain.cmp(&known.is_uncertain);
    if uncertain.then(by_confidence.reverse()).then_with(|| order(&other).cmp(&order(known))).is_lt() {
        // The search goes on if any of the edges lets it.
        *known = Reached { is_last: known.is_last && other.is_last, ..other };
    } else {
        known.is_last &= other.is_last;
    }
}

/// Returns the indexes of the nodes from a root to the node at `index`, both among them.
pub fn trace(reached: &[Reached], index: usize) -> Vec<usize> {
    let mut indexes = vec![index];
    let mut at = index;
    while let Some((before, _)) = reached[at].parent {
        indexes.push(before);
        at = before;
    }
    indexes.reverse();
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::adjacency::Adjacency;
    use crate::model::{Edge, EdgeType};

    fn edge(source: u32, target: u32, edge_type: EdgeType, provenance: Provenance) -> Edge {
        let (source, target) = (NodeId::new(source), NodeId::new(target));
        Edge { source, target, edge_type, provenance, confidence: provenance.confidence() }
    }

    fn calls(source: u32, target: u32) -> Edge {
        edge(source, target, EdgeType::Calls, Provenance::AstResolved)
    }

    /// Callers, through overridden methods.
    fn rule(_: &Reached, edge: &Neighbor) -> Follow {
        match (edge.edge_type, edge.is_outgoing()) {
            (EdgeType::Calls, false) => Follow::Step,
            (EdgeType::Throws, false) => Follow::Last,
            (EdgeType::Overrides, true) => Follow::Same { is_result: false, is_certain: false },
            _ => Follow::No,
        }
    }

    fn search(edges: &[Edge], root: u32, depth: u32) -> Vec<(u32, u32, bool)> {
        let graph = Adjacency::new(12, edges);
        let found = reach(&graph, &[NodeId::new(root)], depth, rule, |node| node.get().into());
        found.iter().map(|reached| (reached.node.get(), reached.distance, reached.is_uncertain)).collect()
    }

    #[test]
    fn callers_are_found_by_distance_and_cycles_end() {
        let edges = [calls(1, 0), calls(2, 1), calls(0, 2), calls(3, 0), calls(0, 4)];
        assert_eq!(search(&edges, 0, 9), [(0, 0, false), (1, 1, false), (3, 1, false), (2, 2, false)]);
        assert_eq!(search(&edges, 0, 1), [(0, 0, false), (1, 1, false), (3, 1, false)]);
        assert_eq!(search(&edges, 4, 0), [(4, 0, false)]);
    }

    #[test]
    fn callers_of_an_overridden_method_are_as_near_and_uncertain() {
        // 0 overrides 1, which overrides 2; 3 calls 2, and 2 calls 0 itself.
        let overrides = |source, target| edge(source, target, EdgeType::Overrides, Provenance::AstResolved);
        let edges = [overrides(0, 1), overrides(1, 2), calls(3, 2), calls(2, 0)];
        let found = search(&edges, 0, 9);
        assert_eq!(found, [(0, 0, false), (1, 0, true), (2, 0, true), (2, 1, false), (3, 1, true)]);
    }

    #[test]
    fn the_most_certain_of_equally_short_paths_is_kept() {
        let inferred = edge(3, 1, EdgeType::Calls, Provenance::AstInferred);
        let edges = [calls(1, 0), calls(2, 0), calls(3, 2), inferred];
        let graph = Adjacency::new(4, &edges);
        let found = reach(&graph, &[NodeId::new(0)], 9, rule, |node| node.get().into());
        let last = found.iter().position(|reached| reached.node == NodeId::new(3)).unwrap();
        let nodes: Vec<u32> = trace(&found, last).iter().map(|index| found[*index].node.get()).collect();
        assert_eq!(nodes, [0, 2, 3]);
        assert!(!found[last].is_uncertain && (found[last].confidence - 0.9).abs() < 1e-6);
    }

    #[test]
    fn the_search_does_not_go_on_from_a_last_step() {
        let throws = edge(1, 0, EdgeType::Throws, Provenance::AstResolved);
        assert_eq!(search(&[throws, calls(2, 1)], 0, 9).len(), 2);
        assert_eq!(search(&[throws, calls(2, 1), calls(1, 0)], 0, 9).len(), 3, "another edge leads on");
        let later = [throws, calls(2, 1), calls(3, 0), calls(1, 3)];
        let found = search(&later, 0, 9);
        assert_eq!(found, [(0, 0, false), (1, 1, false), (3, 1, false), (1, 2, false), (2, 3, false)]);
    }
}
