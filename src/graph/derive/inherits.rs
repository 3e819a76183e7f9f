//! inherits: a type and each method that it has from a base and does not override.

use std::collections::HashSet;

use super::hierarchy::Hierarchy;
use super::structural;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType};

/// Most methods that one type is shown to inherit, those of the nearest bases first.
const MAX_INHERITED: usize = 100;

/// Edges from types to inherited methods.
///
/// # Why not for test classes
///
/// Thousands of test classes inherit the same hundred assertions: a third of Django's whole graph, and no reader asks.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy) -> Vec<Edge> {
    let mut edges = Vec::new();
    for position in view.positions() {
        let node = view.node(position);
        if node.is_test || !node.kind.is_type() || hierarchy.bases(position).is_empty() {
            continue;
        }
        let name = |method: u32| view.node(method).name;
        let mut taken: HashSet<&str> = hierarchy.methods(position).iter().map(|&method| name(method)).collect();
        let before = edges.len();
        for (ancestor, _) in hierarchy.ancestors(position) {
            let methods = hierarchy.methods(ancestor);
            edges.extend(
                methods
                    .iter()
                    .filter(|&&method| !taken.contains(name(method)))
                    .map(|&method| structural(position, method, EdgeType::Inherits)),
            );
            taken.extend(methods.iter().map(|&method| name(method)));
        }
        edges.truncate(before + MAX_INHERITED);
    }
    edges
}
