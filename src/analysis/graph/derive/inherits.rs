//! inherits: from a type to each base method that it does not override.

use super::hierarchy::Hierarchy;
use super::structural;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId};

/// Maximum number of inherited methods of one type, those of the nearest bases first.
const MAX_INHERITED: usize = 100;

/// Returns edges from types to inherited methods.
///
/// # Why not for test classes
///
/// Thousands of test classes inherit the same hundred assertions. That would be a third of Django's whole graph,
/// without use.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy) -> Vec<Edge> {
    let mut edges = Vec::new();
    // For each name the last type that has a method of this name.
    let mut last_owner = vec![None; hierarchy.distinct_names()];
    for position in view.positions() {
        let node = view.node(position);
        if node.is_test || !node.kind.is_type() || hierarchy.bases(position).is_empty() {
            continue;
        }
        let mut claim = |method: NodeId| last_owner[hierarchy.name(method) as usize].replace(position);
        hierarchy.methods(position).iter().for_each(|&method| {
            claim(method);
        });
        let before = edges.len();
        for (ancestor, _) in hierarchy.ancestors(position) {
            let methods = hierarchy.methods(ancestor).iter().filter(|&&method| claim(method) != Some(position));
            edges.extend(methods.map(|&method| structural(position, method, EdgeType::Inherits)));
        }
        edges.truncate(before + MAX_INHERITED);
    }
    edges
}
