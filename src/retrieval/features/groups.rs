//! Features of the candidate's file, folder and type as documents.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;

/// Names of the features, in the order of their computation.
pub const NAMES: [&str; 4] = ["file", "folder", "type_text", "owner_text"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let (graph, groups, scores) = (context.graph, context.groups, context.group_scores);
    let is_type = |node: NodeId| graph.meta(node).is_some_and(|meta| meta.kind.is_type());
    vec![
        feature("file", candidates, |node| scores.file(graph, groups, node)),
        feature("folder", candidates, |node| scores.folder(graph, groups, node)),
        feature("type_text", candidates, |node| if is_type(node) { scores.owner(graph, groups, node) } else { 0.0 }),
        feature("owner_text", candidates, |node| if is_type(node) { 0.0 } else { scores.owner(graph, groups, node) }),
    ]
}
