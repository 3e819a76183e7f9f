//! The feature of the messages in a task.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;

/// Name of the feature.
pub const NAME: &str = "printed";

/// Returns how sure it is that the definition prints a message of the task, and how telling that is.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    vec![feature(NAME, candidates, |node| context.printed.get(&node).copied().unwrap_or(0.0))]
}
