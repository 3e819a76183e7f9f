//! The feature of a file's commit subjects.

use super::{Feature, FeatureContext};
use crate::model::NodeId;

/// Returns the share of the query's terms in the history of each candidate's file, from 0 to 1.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let share = |node: NodeId| context.histories.get(&context.graph.meta(node)?.file?).copied();
    vec![super::feature("history", candidates, |node| share(node).unwrap_or(0.0))]
}
