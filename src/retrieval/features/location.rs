//! The feature of the locations in a task.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;

/// Name of the feature.
pub const NAME: &str = "location";

/// Returns 1 for the definition at the first location of the task, and less for those at the next ones.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    vec![feature(NAME, candidates, |node| context.located.get(&node).copied().unwrap_or(0.0))]
}
