//! What the symbols around a candidate say: a base speaks for what derives from it, a definition for what it calls, a
//! widely used thing for its users.

use std::collections::HashMap;

use super::{Column, Sources, column, mean_of_best};
use crate::graph::adjacency::Neighbor;
use crate::model::EdgeType::{
    self, AccessesField, Calls, Extends, Implements, Overrides, References, Tests, Throws, TypeHintOf,
};
use crate::rank::score;
use crate::retrieve::tuning;

/// Edges by which one symbol uses another.
const USES: [EdgeType; 6] = [Calls, AccessesField, TypeHintOf, References, Throws, Extends];
/// Members of a type, and users, at which the logarithm counts in full.
const MANY_MEMBERS: f64 = 54.0;
/// Sum of local uses at which the logarithm counts as 1.
const MANY_USES: f64 = std::f64::consts::E - 1.0;

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

pub(super) fn columns(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let adjacency = &sources.graph.adjacency;
    let outgoing = |node: u32, types: &'static [EdgeType]| over(adjacency.outgoing(node), types);
    let incoming = |node: u32, types: &'static [EdgeType]| over(adjacency.incoming(node), types);
    let own = |node: u32| sources.own(node);
    let best = |nodes: &mut dyn Iterator<Item = u32>| nodes.map(own).fold(0.0, f64::max);
    let local = local_uses(sources);
    vec![
        column("container", candidates, |node| sources.graph.container(node).map_or(0.0, own)),
        column("members", candidates, |node| {
            (sources.graph.members(node).count() as f64).ln_1p() / MANY_MEMBERS.ln_1p()
        }),
        column("subtypes", candidates, |node| mean_of_best(incoming(node, &[Extends, Implements]).map(own), 3)),
        column("overriders", candidates, |node| mean_of_best(incoming(node, &[Overrides]).map(own), 3)),
        column("users", candidates, |node| mean_of_best(incoming(node, &USES).map(|user| sources.fair(user)), 5)),
        column("best_used", candidates, |node| best(&mut outgoing(node, &USES))),
        column("best_user", candidates, |node| best(&mut incoming(node, &USES))),
        column("best_caller", candidates, |node| best(&mut incoming(node, &[Calls]))),
        column("tested_by", candidates, |node| {
            let weighed = |test: u32| own(test) / (outgoing(test, &[Tests]).count().max(1) as f64).sqrt();
            mean_of_best(incoming(node, &[Tests]).map(weighed), 3)
        }),
        column("local_use", candidates, |node| local.get(&node).copied().unwrap_or(0.0).ln_1p() / MANY_USES.ln_1p()),
        column("popularity", candidates, |node| {
            score::popularity(sources.graph.popularity(node), tuning::POPULARITY_FULL)
        }),
        column("walk", candidates, |node| sources.walk.get(node).map_or(0.0, |walked| walked.score)),
        column("authority", candidates, |node| sources.hits.get(&node).map_or(0.0, |scores| scores.authority)),
    ]
}

fn over<'a>(row: &'a [Neighbor], types: &'static [EdgeType]) -> impl Iterator<Item = u32> + 'a {
    row.iter().filter(|neighbor| types.contains(&neighbor.edge_type)).map(|neighbor| neighbor.node)
}

/// How much the best matches use each symbol; one that uses everything says little about each.
fn local_uses(sources: &Sources<'_>) -> HashMap<u32, f64> {
    let adjacency = &sources.graph.adjacency;
    let mut uses: HashMap<u32, f64> = HashMap::new();
    for &user in sources.by_words {
        let calls = over(adjacency.outgoing(user), &[Calls]).count() as f64;
        let share = sources.fair(user) / calls.ln_1p().max(1.0);
        let mut used: Vec<u32> = over(adjacency.outgoing(user), &USES).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter().for_each(|node| *uses.entry(node).or_default() += share);
    }
    uses
}
