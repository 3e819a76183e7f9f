//! Features of the candidates, one group per file: values from about 0 to 1, whose contributions the scoring model adds.
//!
//! A new feature is one more name in a group and a text in [`texts`]; `knowing-eval fit` learns its shape. Independent
//! of the model.

mod cited;
mod concepts;
mod feedback;
mod groups;
mod history;
mod location;
mod mentions;
mod names;
mod past;
mod neighbors;
mod paths;
mod printed;
mod role;
pub mod shape;
mod siblings;
mod subject;
pub mod texts;
mod words;

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::candidates::{FeedbackByNode, Graph, GroupScores, Groups, Mentioned, PastChange};
use crate::model::{FileId, NodeId};
use crate::query::Keywords;
use crate::rank::bm25f::{QueryTerm, Scores};
use crate::rank::hits::HubAuthority;
use crate::rank::tuning;
use crate::rank::walk::Walk;
use crate::store::ScopedName;

pub use cited::NAME as CITED_FEATURE;
pub use concepts::{NAMES as CONCEPT_FEATURES, OWN_CONCEPT};
pub use feedback::NAMES as FEEDBACK_FEATURES;
pub use groups::NAMES as GROUP_FEATURES;
pub use location::NAME as LOCATION_FEATURE;
pub use mentions::NAMES as MENTION_FEATURES;
pub use names::EXACT as EXACT_FEATURE;
pub use past::NAMES as PAST_FEATURES;
pub use printed::NAME as PRINTED_FEATURE;

/// One feature's values, in the order of the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub name: &'static str,
    pub values: Vec<f64>,
}

/// Inputs of the features.
pub struct FeatureContext<'a> {
    pub graph: &'a Graph,
    pub groups: &'a Groups,
    pub keywords: &'a Keywords,
    pub terms: &'a [QueryTerm],
    pub lexical: &'a Scores,
    /// Scores by the terms of the subject alone; `None` for a task that has no others.
    pub subject: Option<&'a Scores>,
    /// Share of the query's terms in the commit subjects of each file, from 0 to 1.
    pub histories: &'a HashMap<FileId, f64>,
    /// Definitions that comments with the words of a question cite.
    pub cited: &'a HashMap<NodeId, f64>,
    /// Symbols that past commits like the task changed.
    pub past: &'a HashMap<NodeId, PastChange>,
    /// Definitions that print a message of the task, with values from 0 to 1.
    pub printed: &'a HashMap<NodeId, f64>,
    pub group_scores: &'a GroupScores,
    /// Names and lengths of the candidates.
    pub names: &'a HashMap<NodeId, ScopedName>,
    /// Symbols whose name the query contains, with values from 0 to 1.
    pub named: &'a HashMap<NodeId, f64>,
    /// Definitions whose exact name the subject has as code, and that no other definition has.
    pub exact: &'a HashSet<NodeId>,
    /// Definitions at the locations of the task: 1 for the first, less for each next one.
    pub located: &'a HashMap<NodeId, f64>,
    /// Values of the symbols that the task mentions other than by words and locations.
    pub mentioned: &'a Mentioned,
    /// Values of the best hits of built-in concepts, from 0 to 1, and of those of the repository.
    pub concepts: &'a HashMap<NodeId, f64>,
    pub own_concepts: &'a HashMap<NodeId, f64>,
    /// Symbols of strong framework concepts: 1 for the first, less for each next one.
    pub leads: &'a HashMap<NodeId, f64>,
    pub feedback: &'a FeedbackByNode,
    pub walk: &'a Walk,
    pub hits: &'a HashMap<NodeId, HubAuthority>,
    /// Definitions with the best lexical scores, best first.
    pub by_words: &'a [NodeId],
    /// The best lexical score of all symbols; 1 if none has any.
    pub best_score: f64,
    /// Restart weights of the walk's seeds.
    pub seeds: &'a [(NodeId, f64)],
    /// The changed symbols of a request that names changes: 1 with a changed line, less for others of their files.
    pub changed: &'a HashMap<NodeId, f64>,
    /// Factor on the scores of tests.
    pub test_factor: f64,
}

impl FeatureContext<'_> {
    /// Returns a symbol's lexical score, from 0 to 1.
    fn lexical_score(&self, node: NodeId) -> f64 {
        self.lexical.get(node).score / self.best_score
    }

    /// Returns a definition's lexical score, multiplied by the test factor for a test; 0 for other symbols.
    fn definition_score(&self, node: NodeId) -> f64 {
        let is_definition = self.graph.meta(node).is_some_and(|meta| crate::candidates::is_definition(meta.kind));
        if is_definition { self.factor(node) * self.lexical_score(node) } else { 0.0 }
    }

    /// Returns the test factor for a test, and 1 for other symbols.
    fn factor(&self, node: NodeId) -> f64 {
        self.graph.factor(node, self.test_factor)
    }

    /// Returns the candidates' lexical scores times their test factors as shares of the best one.
    fn lexical_shares(&self, candidates: &[NodeId]) -> Vec<f64> {
        let scores: Vec<f64> =
            candidates.iter().map(|node| self.factor(*node) * self.lexical.get(*node).score).collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        scores.into_iter().map(|score| if best > 0.0 { score / best } else { 0.0 }).collect()
    }
}

/// Features that are computed together, and their names.
#[derive(Debug)]
pub struct FeatureGroup {
    pub names: &'static [&'static str],
    pub compute: fn(&FeatureContext<'_>, &[NodeId]) -> Vec<Feature>,
}

/// The groups of features, in the order of their computation.
pub const FEATURE_GROUPS: [FeatureGroup; 18] = [
    FeatureGroup { names: &words::NAMES, compute: words::features },
    FeatureGroup { names: &names::NAMES, compute: names::features },
    FeatureGroup { names: &neighbors::NAMES, compute: neighbors::features },
    FeatureGroup { names: &groups::NAMES, compute: groups::features },
    FeatureGroup { names: &[location::NAME], compute: location::features },
    FeatureGroup { names: &mentions::NAMES, compute: mentions::features },
    FeatureGroup { names: &["history"], compute: history::features },
    FeatureGroup { names: &[cited::NAME], compute: cited::features },
    FeatureGroup { names: &past::NAMES, compute: past::features },
    FeatureGroup { names: &[printed::NAME], compute: printed::features },
    FeatureGroup { names: &concepts::NAMES, compute: concepts::features },
    FeatureGroup { names: &feedback::NAMES, compute: feedback::features },
    FeatureGroup { names: &shape::NAMES, compute: shape::features },
    FeatureGroup { names: &role::NAMES, compute: role::features },
    FeatureGroup { names: &paths::NAMES, compute: paths::features },
    FeatureGroup { names: &siblings::NAMES, compute: siblings::features },
    FeatureGroup { names: &subject::NAMES, compute: subject::features },
    FeatureGroup {
        names: &["changed"],
        compute: |context, candidates| {
            vec![feature("changed", candidates, |node| context.changed.get(&node).copied().unwrap_or(0.0))]
        },
    },
];

/// Computes the features of [`FEATURE_GROUPS`] that `is_used` accepts.
pub fn features(context: &FeatureContext<'_>, candidates: &[NodeId], is_used: &dyn Fn(&str) -> bool) -> Vec<Feature> {
    let used = FEATURE_GROUPS.iter().filter(|group| group.names.iter().any(|name| is_used(name)));
    let used: Vec<&FeatureGroup> = used.collect();
    let computed: Vec<Vec<Feature>> = used.par_iter().map(|group| (group.compute)(context, candidates)).collect();
    computed.into_iter().flatten().filter(|feature| is_used(feature.name)).collect()
}

/// Computes a feature candidate by candidate.
pub fn feature(name: &'static str, candidates: &[NodeId], value: impl Fn(NodeId) -> f64) -> Feature {
    Feature { name, values: candidates.iter().map(|node| value(*node)).collect() }
}

/// Returns the reciprocal rank `k / (k + rank)` of each value with `k` = [`tuning::RECIPROCAL_RANK_K`] and 0-based
/// ranks; equal values share a rank, and 0 remains 0. Unlike the values, it separates the first ranks however close the
/// values are.
fn reciprocal_ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|one, two| two.total_cmp(one));
    let rank = |value: f64| sorted.partition_point(|other| *other > value) as f64;
    let reciprocal = |value: f64| tuning::RECIPROCAL_RANK_K / (tuning::RECIPROCAL_RANK_K + rank(value));
    values.iter().map(|value| if *value > 0.0 { reciprocal(*value) } else { 0.0 }).collect()
}

/// Returns the mean of the `count` largest values; missing values count as 0.
fn mean_of_best(values: impl Iterator<Item = f64>, count: usize) -> f64 {
    let mut best: Vec<f64> = Vec::with_capacity(count + 1);
    for value in values.filter(|value| *value > 0.0) {
        let index = best.partition_point(|other| *other >= value);
        if index < count {
            best.insert(index, value);
            best.truncate(count);
        }
    }
    best.iter().sum::<f64>() / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_reciprocal_rank() {
        assert_eq!(tuning::RECIPROCAL_RANK_K, 5.0);
        assert_eq!(reciprocal_ranks(&[0.2, 0.9, 0.0, 0.2]), [5.0 / 6.0, 1.0, 0.0, 5.0 / 6.0]);
        assert!(reciprocal_ranks(&[]).is_empty());
    }

    #[test]
    fn missing_values_count_as_zero() {
        assert_eq!(mean_of_best([0.9].into_iter(), 3), 0.3);
        assert_eq!(mean_of_best([0.1, 0.4, 0.2, 0.3].into_iter(), 2), 0.35);
        assert_eq!(mean_of_best(std::iter::empty(), 3), 0.0);
    }
}
