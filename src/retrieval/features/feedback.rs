//! Features of votes, learned terms and recent use.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;

/// Names of the features, in the order of their computation.
pub const NAMES: [&str; 3] = ["feedback", "learned", "session"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    vec![
        feature("feedback", candidates, |node| context.feedback.value(node, |symbol| symbol.feedback)),
        feature("learned", candidates, |node| context.feedback.value(node, |symbol| symbol.learned)),
        feature("session", candidates, |node| context.feedback.value(node, |symbol| symbol.session)),
    ]
}
