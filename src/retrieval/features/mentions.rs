//! Features of the symbols that a task mentions other than by words.

use std::collections::HashMap;

use super::{Feature, FeatureContext, feature};
use crate::model::{FileId, NodeId};

/// Names of the features, in the order of their computation.
pub const NAMES: [&str; 8] =
    ["frame", "frame_rare", "path_mention", "tag", "command", "dotted", "area", "container_named"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let (graph, mentioned) = (context.graph, context.mentioned);
    let of_node = |values: &HashMap<NodeId, f64>, node: NodeId| values.get(&node).copied().unwrap_or(0.0);
    let of_file = |values: &HashMap<FileId, f64>, node: NodeId| {
        graph.meta(node).and_then(|meta| values.get(&meta.file?).copied()).unwrap_or(0.0)
    };
    // A function that everything uses is in every trace.
    let rarity = |node: NodeId| 1.0 / (1.0 + (graph.popularity(node) as f64).ln_1p());
    let named = |node: NodeId| of_node(context.named, node).max(of_node(&mentioned.dotted, node));
    vec![
        feature("frame", candidates, |node| of_node(&mentioned.frames, node)),
        feature("frame_rare", candidates, |node| of_node(&mentioned.frames, node) * rarity(node)),
        feature("path_mention", candidates, |node| of_file(&mentioned.paths, node)),
        feature("tag", candidates, |node| of_file(&mentioned.tags, node)),
        feature("command", candidates, |node| of_node(&mentioned.commands, node)),
        feature("dotted", candidates, |node| of_node(&mentioned.dotted, node)),
        feature("area", candidates, |node| of_file(&mentioned.areas, node)),
        feature("container_named", candidates, |node| graph.container(node).map_or(0.0, named)),
    ]
}
