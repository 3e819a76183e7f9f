//! Features of past commits with messages like the task.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;
use crate::rank::tuning::PAST_OF_SYMBOL;

/// Names of the features, in the order of their computation.
pub const NAMES: [&str; 2] = ["past", "past_commits"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let past = |node: NodeId| context.past.get(&node).copied().unwrap_or_default();
    vec![
        feature("past", candidates, |node| past(node).value),
        feature("past_commits", candidates, |node| past(node).commits as f64 / PAST_OF_SYMBOL as f64),
    ]
}
