//! Features of the other candidates in a candidate's file and type: several good matches there make each more likely, and
//! the best of them most.

use std::collections::HashMap;

use super::{Feature, FeatureContext, mean_of_best};
use crate::model::{FileId, NodeId};

/// Candidates of a file whose lexical scores are averaged.
const AVERAGED: usize = 5;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 4] = ["file_matches", "best_sibling", "rank_in_file", "rank_in_type"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let scores = context.lexical_shares(candidates);
    let files: Vec<Option<FileId>> =
        candidates.iter().map(|node| context.graph.meta(*node).and_then(|meta| meta.file)).collect();
    let owner = |node: NodeId| {
        let is_type = context.graph.meta(node).is_some_and(|meta| meta.kind.is_type());
        context.graph.container(node).or(is_type.then_some(node))
    };
    let owners: Vec<Option<NodeId>> = candidates.iter().map(|node| owner(*node)).collect();
    let (by_file, by_owner) = (sorted_scores(&files, &scores), sorted_scores(&owners, &scores));
    let of_file = |value: &dyn Fn(&[f64], f64) -> f64| of_group(&files, &by_file, &scores, value);
    vec![
        Feature { name: "file_matches", values: of_file(&|group, _| mean_of_best(group.iter().copied(), AVERAGED)) },
        Feature { name: "best_sibling", values: of_file(&best_other) },
        Feature { name: "rank_in_file", values: of_file(&reciprocal_rank) },
        Feature { name: "rank_in_type", values: of_group(&owners, &by_owner, &scores, &reciprocal_rank) },
    ]
}

/// Returns the scores of each group, best first.
fn sorted_scores<K: Copy + Eq + std::hash::Hash>(groups: &[Option<K>], scores: &[f64]) -> HashMap<K, Vec<f64>> {
    let mut sorted: HashMap<K, Vec<f64>> = HashMap::new();
    for (group, score) in groups.iter().zip(scores) {
        if let Some(group) = group {
            sorted.entry(*group).or_default().push(*score);
        }
    }
    sorted.values_mut().for_each(|scores| scores.sort_unstable_by(|one, two| two.total_cmp(one)));
    sorted
}

/// Returns for each candidate the value of its group's scores and its own; 0 without a group.
fn of_group<K: Copy + Eq + std::hash::Hash>(
    groups: &[Option<K>],
    sorted: &HashMap<K, Vec<f64>>,
    scores: &[f64],
    value: &dyn Fn(&[f64], f64) -> f64,
) -> Vec<f64> {
    let group = |group: &Option<K>| group.and_then(|group| sorted.get(&group));
    groups.iter().zip(scores).map(|(key, score)| group(key).map_or(0.0, |group| value(group, *score))).collect()
}

/// Returns the best score of the others in a group.
fn best_other(group: &[f64], own: f64) -> f64 {
    let best = group[0];
    if own < best { best } else { group.get(1).copied().unwrap_or(0.0) }
}

/// Returns one divided by the 1-based rank of a score in its group.
fn reciprocal_rank(group: &[f64], own: f64) -> f64 {
    1.0 / (1.0 + group.partition_point(|other| *other > own) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_ranked_within_their_group() {
        let (groups, scores) = ([Some(1), Some(1), None, Some(1), Some(2)], [0.4, 1.0, 0.9, 0.4, 0.2]);
        let sorted = sorted_scores(&groups, &scores);
        let values = |value| of_group(&groups, &sorted, &scores, value);
        assert_eq!(values(&best_other), [1.0, 0.4, 0.0, 1.0, 0.0]);
        assert_eq!(values(&reciprocal_rank), [0.5, 1.0, 0.0, 0.5, 1.0]);
    }
}
