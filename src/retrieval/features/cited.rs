//! The feature of the comments that cite a candidate and have the words of a question.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;

/// Name of the feature.
pub const NAME: &str = "cited";

/// Returns for each candidate the score of the best comment that cites it, as a share of the best comment's.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    vec![feature(NAME, candidates, |node| context.cited.get(&node).copied().unwrap_or(0.0))]
}
