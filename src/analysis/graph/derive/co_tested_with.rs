//! co_tested_with: pairs of symbols that one test calls.

use std::cmp::Reverse;

use super::{structural, tests_of};
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId};

/// Maximum number of targets of one test, those called by the fewest tests first.
const MAX_TARGETS: usize = 20;
/// Maximum number of pairs of one test.
const MAX_PAIRS: usize = 20;

/// Returns edges between symbols that are tested together, from the one with the lower number. Walks go in both
/// directions, so the reverse edges would be redundant.
///
/// Targets that few tests call are the most specific; pairs among them come first.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let calls: Vec<(NodeId, NodeId)> = tests_of::tested(view).map(|edge| (edge.source, edge.target)).collect();
    let mut popularity = vec![0u32; view.nodes.len()];
    for &(_, target) in &calls {
        popularity[target.index()] += 1;
    }
    let mut edges = Vec::new();
    // Resolved edges are sorted by source, so the calls of one test are consecutive.
    for calls in calls.chunk_by(|one, two| one.0 == two.0) {
        let mut targets: Vec<NodeId> = calls.iter().map(|&(_, target)| target).collect();
        targets.sort_unstable_by_key(|&target| (popularity[target.index()], target));
        targets.truncate(MAX_TARGETS);
        let mut pairs: Vec<(usize, usize)> =
            (0..targets.len()).flat_map(|second| (0..second).map(move |first| (first, second))).collect();
        pairs.sort_unstable_by_key(|&(first, second)| (first + second, Reverse(first)));
        edges.extend(pairs.into_iter().take(MAX_PAIRS).map(|(first, second)| {
            let (one, two) = (targets[first], targets[second]);
            structural(one.min(two), one.max(two), EdgeType::CoTestedWith)
        }));
    }
    edges
}
