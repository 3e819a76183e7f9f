//! What the earlier system went by: how central a symbol is to the walk, how sure what leads to it, how near and how fresh.

use std::collections::HashMap;

use super::{Column, Sources, column};
use crate::model::EdgeType;

pub(super) const NAMES: [&str; 8] = [
    "blast_radius",
    "confidence",
    "recency",
    "distance",
    "seed_authority",
    "other_authority",
    "seed_hub",
    "commit_recency",
];

/// A symbol that no trace of a running program has seen. There are no traces here, so this is every symbol's.
const UNOBSERVED: f64 = 0.3;
/// Above these, authority and hub say something.
const SEED_AUTHORITY: f64 = 0.05;
const OTHER_AUTHORITY: f64 = 0.2;
const SEED_HUB: f64 = 0.1;

const DAY: i64 = 24 * 60 * 60;
/// How fresh a symbol is by the age of its last commit: up to so many days, this much.
const FRESH: [(i64, f64); 3] = [(1, 1.0), (7, 0.8), (30, 0.5)];
const STALE: f64 = 0.2;

pub(super) fn columns(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let seeds: HashMap<u32, f64> = sources.seeds.iter().copied().collect();
    let is_seed = |node: u32| seeds.contains_key(&node);
    let hits = |node: u32| sources.hits.get(&node).copied().unwrap_or_default();
    let above = |value: f64, least: f64| if value > least { value } else { 0.0 };
    let confidence = |node: u32| {
        let sure = sources.graph.adjacency.incoming(node).iter().map(|neighbor| f64::from(neighbor.confidence()));
        sure.fold(0.0, f64::max)
    };
    vec![
        blast_radius(sources, candidates),
        column("confidence", candidates, confidence),
        column("recency", candidates, |_| UNOBSERVED),
        column("distance", candidates, |node| {
            sources.walk.get(node).map_or(0.0, |walked| 1.0 / (1.0 + f64::from(walked.distance)))
        }),
        column("seed_authority", candidates, |node| {
            if is_seed(node) { above(hits(node).authority, SEED_AUTHORITY) } else { 0.0 }
        }),
        column("other_authority", candidates, |node| {
            if is_seed(node) { 0.0 } else { above(hits(node).authority, OTHER_AUTHORITY) }
        }),
        column("seed_hub", candidates, |node| if is_seed(node) { above(hits(node).hub, SEED_HUB) } else { 0.0 }),
        column("commit_recency", candidates, |node| sources.ages.get(&node).map_or(0.0, |age| freshness(*age))),
    ]
}

/// The walk's share, or for changed files the number of callers, each by the largest among the candidates.
fn blast_radius(sources: &Sources<'_>, candidates: &[u32]) -> Column {
    let calls = |node: u32| {
        let incoming = sources.graph.adjacency.incoming(node).iter();
        incoming.filter(|neighbor| neighbor.edge_type == EdgeType::Calls).count() as f64
    };
    let walked = |node: u32| sources.walk.get(node).map_or(0.0, |walked| walked.score);
    let reach = |node: u32| if sources.counts_callers { calls(node) } else { walked(node) };
    let largest = candidates.iter().map(|node| reach(*node)).fold(0.0, f64::max);
    column("blast_radius", candidates, |node| if largest > 0.0 { reach(node) / largest } else { 0.0 })
}

/// How fresh a symbol is that was changed so many seconds before the newest commit.
fn freshness(age: i64) -> f64 {
    FRESH.iter().find(|(days, _)| age <= days * DAY).map_or(STALE, |(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freshness_fades_in_steps() {
        assert_eq!([0, DAY, DAY + 1, 30 * DAY, 31 * DAY].map(freshness), [1.0, 1.0, 0.8, 0.5, 0.2]);
    }
}
