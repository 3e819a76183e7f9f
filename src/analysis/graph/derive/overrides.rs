//! overrides: from a method to the nearest base method of the same name, or to the interface method that it implements.

use std::collections::HashMap;

use super::hierarchy::Hierarchy;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId, Provenance};

/// Returns edges from methods to methods of bases and interfaces; `satisfied` are the derived implements edges.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy, satisfied: &[Edge]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for position in view.positions().filter(|&position| view.node(position).kind.is_type()) {
        overridden(hierarchy, position, &mut edges);
        for &interface in hierarchy.interfaces(position) {
            implemented_methods(hierarchy, (position, interface), Provenance::AstResolved.confidence(), &mut edges);
        }
    }
    for edge in satisfied {
        implemented_methods(hierarchy, (edge.source, edge.target), edge.confidence, &mut edges);
    }
    edges
}

/// Adds edges to the methods of the same name at the least distance. With several bases there can be more than one.
fn overridden(hierarchy: &Hierarchy, ty: NodeId, edges: &mut Vec<Edge>) {
    if hierarchy.bases(ty).is_empty() {
        return;
    }
    let mut nearest: HashMap<NodeId, usize> = HashMap::new();
    for (ancestor, distance) in hierarchy.ancestors(ty) {
        hierarchy.same_name_methods(ty, ancestor, |method, base_method| {
            if *nearest.entry(method).or_insert(distance) == distance {
                edges.push(between(method, base_method, Provenance::AstResolved.confidence()));
            }
        });
    }
}

/// Adds edges from a type's own methods to those of an interface.
fn implemented_methods(
    hierarchy: &Hierarchy,
    (implementor, interface): (NodeId, NodeId),
    confidence: f32,
    edges: &mut Vec<Edge>,
) {
    hierarchy
        .same_name_methods(implementor, interface, |method, wanted| edges.push(between(method, wanted, confidence)));
}

fn between(source: NodeId, target: NodeId, confidence: f32) -> Edge {
    Edge { source, target, edge_type: EdgeType::Overrides, provenance: Provenance::AstResolved, confidence }
}
