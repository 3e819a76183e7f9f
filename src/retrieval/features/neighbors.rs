//! Features of a candidate's neighbors in the graph: its type, members, users, callers and tests, and the walk.

use std::collections::HashMap;

use super::{Feature, FeatureContext, feature, mean_of_best};
use crate::candidates::Graph;
use crate::graph::adjacency::Neighbor;
use crate::model::EdgeType::{
    self, AccessesField, Calls, Extends, Implements, Overrides, References, Tests, Throws, TypeHintOf,
};
use crate::model::NodeId;
use crate::rank::tuning;

/// Edge types by which one symbol uses another. The model was fitted with these; [`EdgeType::is_use`] has more.
const USES: [EdgeType; 6] = [Calls, AccessesField, TypeHintOf, References, Throws, Extends];
/// Members of a type at which the `members` feature is 1.
const MANY_MEMBERS: f64 = 54.0;
/// Sum of local uses at which the `local_use` feature is 1.
const MANY_USES: f64 = std::f64::consts::E - 1.0;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 13] = [
    "container",
    "members",
    "subtypes",
    "overriders",
    "users",
    "best_used",
    "best_user",
    "best_caller",
    "tested_by",
    "local_use",
    "popularity",
    "walk",
    "authority",
];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let graph = context.graph;
    let outgoing = |node: NodeId, types: &'static [EdgeType]| by_type(graph.outgoing(node), types);
    let incoming = |node: NodeId, types: &'static [EdgeType]| by_type(graph.incoming(node), types);
    let score = |node: NodeId| context.lexical_score(node);
    let best = |nodes: &mut dyn Iterator<Item = NodeId>| nodes.map(score).fold(0.0, f64::max);
    let local = local_uses(context);
    vec![
        feature("container", candidates, |node| context.graph.container(node).map_or(0.0, score)),
        feature("members", candidates, |node| {
            (context.graph.members(node).count() as f64).ln_1p() / MANY_MEMBERS.ln_1p()
        }),
        feature("subtypes", candidates, |node| mean_of_best(incoming(node, &[Extends, Implements]).map(score), 3)),
        feature("overriders", candidates, |node| mean_of_best(incoming(node, &[Overrides]).map(score), 3)),
        feature("users", candidates, |node| {
            mean_of_best(incoming(node, &USES).map(|user| context.definition_score(user)), 5)
        }),
        feature("best_used", candidates, |node| best(&mut outgoing(node, &USES))),
        feature("best_user", candidates, |node| best(&mut incoming(node, &USES))),
        feature("best_caller", candidates, |node| best(&mut incoming(node, &[Calls]))),
        feature("tested_by", candidates, |node| {
            let weighted = |test: NodeId| score(test) / (outgoing(test, &[Tests]).count().max(1) as f64).sqrt();
            mean_of_best(incoming(node, &[Tests]).map(weighted), 3)
        }),
        feature("local_use", candidates, |node| local.get(&node).copied().unwrap_or(0.0).ln_1p() / MANY_USES.ln_1p()),
        feature("popularity", candidates, |node| popularity(context.graph.popularity(node), tuning::POPULARITY_FULL)),
        feature("walk", candidates, |node| context.walk.score(node)),
        feature("authority", candidates, |node| context.hits.get(&node).map_or(0.0, |scores| scores.authority)),
    ]
}

/// Returns the symbols that a symbol uses, once for each edge.
pub(super) fn uses(graph: &Graph, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    by_type(graph.outgoing(node), &USES)
}

fn by_type<'a>(row: &'a [Neighbor], types: &'static [EdgeType]) -> impl Iterator<Item = NodeId> + 'a {
    row.iter().filter(|neighbor| types.contains(&neighbor.edge_type)).map(|neighbor| neighbor.node)
}

/// Returns the sum of the lexical scores of the best lexical candidates that use each symbol, each divided by the
/// logarithm of the number of its calls.
fn local_uses(context: &FeatureContext<'_>) -> HashMap<NodeId, f64> {
    let graph = context.graph;
    let mut uses: HashMap<NodeId, f64> = HashMap::new();
    for &user in context.by_words {
        let calls = by_type(graph.outgoing(user), &[Calls]).count() as f64;
        let share = context.definition_score(user) / calls.ln_1p().max(1.0);
        let mut used: Vec<NodeId> = by_type(graph.outgoing(user), &USES).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter().for_each(|node| *uses.entry(node).or_default() += share);
    }
    uses
}

/// Returns the logarithm of the number of users, scaled to 1 at `full` users and at most 1.
fn popularity(users: usize, full: f64) -> f64 {
    ((users as f64).ln_1p() / full.ln_1p()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::popularity;

    #[test]
    fn popularity_is_bounded() {
        assert_eq!(popularity(0, 1000.0), 0.0);
        assert_eq!(popularity(1_000_000, 1000.0), 1.0);
    }
}
