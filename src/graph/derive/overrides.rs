//! overrides: a method over the nearest base's method of that name, or over the interface's method that it stands for.

use super::hierarchy::Hierarchy;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, Provenance};

/// Edges from methods to the methods of bases and interfaces; `satisfied` are the derived implements edges.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy, satisfied: &[Edge]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for position in view.positions().filter(|&position| view.node(position).kind.is_type()) {
        let ancestors = if hierarchy.bases(position).is_empty() { Vec::new() } else { hierarchy.ancestors(position) };
        for &method in hierarchy.methods(position) {
            overridden(hierarchy, &ancestors, method, &mut edges);
        }
        for &interface in hierarchy.interfaces(position) {
            stand_for(hierarchy, (position, interface), Provenance::AstResolved.confidence(), &mut edges);
        }
    }
    for edge in satisfied {
        stand_for(hierarchy, (edge.source, edge.target), edge.confidence, &mut edges);
    }
    edges
}

/// The methods of that name at the least distance: with several bases there may be more than one.
fn overridden(hierarchy: &Hierarchy, ancestors: &[(u32, usize)], method: u32, edges: &mut Vec<Edge>) {
    let mut nearest = usize::MAX;
    for &(ancestor, distance) in ancestors {
        if distance > nearest {
            break;
        }
        for &base_method in hierarchy.methods(ancestor) {
            if hierarchy.name(base_method) == hierarchy.name(method) {
                nearest = distance;
                edges.push(between(method, base_method, Provenance::AstResolved.confidence()));
            }
        }
    }
}

/// A type's own methods that an interface asks for.
fn stand_for(hierarchy: &Hierarchy, (implementor, interface): (u32, u32), confidence: f32, edges: &mut Vec<Edge>) {
    for &method in hierarchy.methods(implementor) {
        for &wanted in hierarchy.methods(interface) {
            if hierarchy.name(method) == hierarchy.name(wanted) {
                edges.push(between(method, wanted, confidence));
            }
        }
    }
}

fn between(source: u32, target: u32, confidence: f32) -> Edge {
    Edge { source, target, edge_type: EdgeType::Overrides, provenance: Provenance::AstResolved, confidence }
}
