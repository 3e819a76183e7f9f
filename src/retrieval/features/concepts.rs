//! Features of the concepts that lead to a candidate.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;

/// Names of the features, in the order of their computation.
pub const NAMES: [&str; 3] = ["concept", "own_concept", "framework"];
/// Name of the feature of the repository's own concepts.
pub const OWN_CONCEPT: &str = NAMES[1];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    vec![
        feature("concept", candidates, |node| context.concepts.get(&node).copied().unwrap_or(0.0)),
        feature(OWN_CONCEPT, candidates, |node| context.own_concepts.get(&node).copied().unwrap_or(0.0)),
        feature("framework", candidates, |node| context.leads.get(&node).copied().unwrap_or(0.0)),
    ]
}
