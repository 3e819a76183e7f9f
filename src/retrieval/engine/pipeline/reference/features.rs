//! The features of the reference preset: centrality in the walk, confidence of the edges, distance and age.

use std::collections::HashMap;

use crate::features::{Feature, FeatureContext, feature};
use crate::model::{EdgeType, NodeId};

/// Names of the features, in the order of their computation.
pub const NAMES: [&str; 8] = [
    "blast_radius",
    "confidence",
    "recency",
    "distance",
    "seed_authority",
    "other_authority",
    "seed_hub",
    "commit_recency",
];

/// Value of `recency` for a symbol without execution traces; since traces are not supported, all symbols have it.
const UNOBSERVED: f64 = 0.3;
/// Thresholds below which authority and hub scores count as 0.
const SEED_AUTHORITY: f64 = 0.05;
const OTHER_AUTHORITY: f64 = 0.2;
const SEED_HUB: f64 = 0.1;

/// Seconds per day.
const DAY: i64 = 24 * 60 * 60;
/// Recency of a symbol by the age of its last commit: maximum days, value.
const RECENCY: [(i64, f64); 3] = [(1, 1.0), (7, 0.8), (30, 0.5)];
/// Recency of older symbols.
const OLD: f64 = 0.2;

/// Computes the features of the candidates.
pub fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let seeds: HashMap<NodeId, f64> = context.seeds.iter().copied().collect();
    let is_seed = |node: NodeId| seeds.contains_key(&node);
    let hits = |node: NodeId| context.hits.get(&node).copied().unwrap_or_default();
    let above = |value: f64, threshold: f64| if value > threshold { value } else { 0.0 };
    let confidence = |node: NodeId| {
        let incoming = context.graph.adjacency.incoming(node).iter();
        incoming.map(|neighbor| f64::from(neighbor.confidence())).fold(0.0, f64::max)
    };
    vec![
        blast_radius(context, candidates),
        feature("confidence", candidates, confidence),
        feature("recency", candidates, |_| UNOBSERVED),
        feature("distance", candidates, |node| {
            context.walk.get(node).map_or(0.0, |walked| 1.0 / (1.0 + f64::from(walked.distance)))
        }),
        feature("seed_authority", candidates, |node| {
            if is_seed(node) { above(hits(node).authority, SEED_AUTHORITY) } else { 0.0 }
        }),
        feature("other_authority", candidates, |node| {
            if is_seed(node) { 0.0 } else { above(hits(node).authority, OTHER_AUTHORITY) }
        }),
        feature("seed_hub", candidates, |node| if is_seed(node) { above(hits(node).hub, SEED_HUB) } else { 0.0 }),
        feature("commit_recency", candidates, |node| context.ages.get(&node).map_or(0.0, |age| recency(*age))),
    ]
}

/// Returns the score in the walk, or the number of callers for changed files, divided by the largest of the candidates.
fn blast_radius(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Feature {
    let calls = |node: NodeId| {
        let incoming = context.graph.adjacency.incoming(node).iter();
        incoming.filter(|neighbor| neighbor.edge_type == EdgeType::Calls).count() as f64
    };
    let walked = |node: NodeId| context.walk.get(node).map_or(0.0, |walked| walked.score);
    let reach = |node: NodeId| if context.counts_callers { calls(node) } else { walked(node) };
    let largest = candidates.iter().map(|node| reach(*node)).fold(0.0, f64::max);
    feature("blast_radius", candidates, |node| if largest > 0.0 { reach(node) / largest } else { 0.0 })
}

/// Returns the recency of a symbol last changed `age` seconds before the newest commit.
fn recency(age: i64) -> f64 {
    RECENCY.iter().find(|(days, _)| age <= days * DAY).map_or(OLD, |(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recency_decreases_in_steps() {
        assert_eq!([0, DAY, DAY + 1, 30 * DAY, 31 * DAY].map(recency), [1.0, 1.0, 0.8, 0.5, 0.2]);
    }
}
