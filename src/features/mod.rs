//! Features of the candidates, one group per file: values from about 0 to 1 that the linear model multiplies by
//! weights.
//!
//! A new feature is one more name in a group and one more line in the weights of a preset; a test checks that both
//! exist. Independent of weights and presets: the groups of a single preset are passed in.

mod concepts;
mod feedback;
mod groups;
mod history;
mod location;
mod names;
mod neighbors;
mod shape;
pub mod texts;
mod words;

use std::collections::HashMap;

use crate::candidates::{FeedbackByNode, Graph, GroupScores, Groups, NameParts};
use crate::model::{FileId, NodeId};
use crate::query::Keywords;
use crate::rank::bm25f::{QueryTerm, Scores};
use crate::rank::hits::HubAuthority;
use crate::rank::walk::Walk;

pub use concepts::NAMES as CONCEPT_FEATURES;
pub use feedback::NAMES as FEEDBACK_FEATURES;
pub use groups::NAMES as GROUP_FEATURES;
pub use location::NAME as LOCATION_FEATURE;

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
    /// Share of the query's terms in the commit subjects of each file, from 0 to 1.
    pub histories: &'a HashMap<FileId, f64>,
    pub group_scores: &'a GroupScores,
    /// Names of the candidates.
    pub names: &'a HashMap<NodeId, NameParts>,
    /// Symbols whose name the query contains, with values from 0 to 1.
    pub named: &'a HashMap<NodeId, f64>,
    /// Definitions at the locations of the task: 1 for the first, less for each next one.
    pub located: &'a HashMap<NodeId, f64>,
    /// Values of the best concept hits, from 0 to 1.
    pub concepts: &'a HashMap<NodeId, f64>,
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
    /// Seconds between a symbol's last commit and the newest commit; empty for presets without a weight for it.
    pub ages: &'a HashMap<NodeId, i64>,
    /// Whether `blast_radius` is computed from the number of callers instead of the score in the walk.
    pub counts_callers: bool,
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
        let Some(meta) = self.graph.meta(node).filter(|meta| crate::candidates::is_definition(meta.kind)) else {
            return 0.0;
        };
        let factor = if meta.is_test { self.test_factor } else { 1.0 };
        factor * self.lexical_score(node)
    }
}

/// Features that are computed together, and their names.
#[derive(Debug)]
pub struct FeatureGroup {
    pub names: &'static [&'static str],
    pub compute: fn(&FeatureContext<'_>, &[NodeId]) -> Vec<Feature>,
}

/// The groups of every preset.
pub const FEATURE_GROUPS: [FeatureGroup; 9] = [
    FeatureGroup { names: &words::NAMES, compute: words::features },
    FeatureGroup { names: &names::NAMES, compute: names::features },
    FeatureGroup { names: &neighbors::NAMES, compute: neighbors::features },
    FeatureGroup { names: &groups::NAMES, compute: groups::features },
    FeatureGroup { names: &[location::NAME], compute: location::features },
    FeatureGroup { names: &["history"], compute: history::features },
    FeatureGroup { names: &concepts::NAMES, compute: concepts::features },
    FeatureGroup { names: &feedback::NAMES, compute: feedback::features },
    FeatureGroup { names: &shape::NAMES, compute: shape::features },
];

/// Computes the features of [`FEATURE_GROUPS`] and of a preset's `own_groups` that have a weight.
pub fn features(
    context: &FeatureContext<'_>,
    candidates: &[NodeId],
    own_groups: &[FeatureGroup],
    has_weight: &dyn Fn(&str) -> bool,
) -> Vec<Feature> {
    let groups = FEATURE_GROUPS.iter().chain(own_groups);
    let weighed = groups.filter(|group| group.names.iter().any(|name| has_weight(name)));
    let features = weighed.flat_map(|group| (group.compute)(context, candidates));
    features.filter(|feature| has_weight(feature.name)).collect()
}

/// Computes a feature candidate by candidate.
pub fn feature(name: &'static str, candidates: &[NodeId], value: impl Fn(NodeId) -> f64) -> Feature {
    Feature { name, values: candidates.iter().map(|node| value(*node)).collect() }
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
    fn missing_values_count_as_zero() {
        assert_eq!(mean_of_best([0.9].into_iter(), 3), 0.3);
        assert_eq!(mean_of_best([0.1, 0.4, 0.2, 0.3].into_iter(), 2), 0.35);
        assert_eq!(mean_of_best(std::iter::empty(), 3), 0.0);
    }
}
