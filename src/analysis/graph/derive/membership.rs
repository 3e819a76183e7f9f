//! contains and member_of: between types and members, functions and nested definitions, files and top-level
//! definitions, packages and files.

use super::structural;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId};

/// Returns both edges between each symbol and its owner.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(view.nodes.len() * 2);
    for position in view.positions() {
        let Some(owner) = owner(view, position) else { continue };
        edges.extend(between(owner, position));
    }
    edges
}

/// Returns the edges between a symbol and its owner.
pub fn between(owner: NodeId, member: NodeId) -> [Edge; 2] {
    [structural(owner, member, EdgeType::Contains), structural(member, owner, EdgeType::MemberOf)]
}

/// Returns a symbol's owner: its type, otherwise the enclosing definition, otherwise its file.
fn owner(view: &GraphView<'_>, position: NodeId) -> Option<NodeId> {
    let node = view.node(position);
    let file = view.files.get(node.file.index()).map(|file| file.node);
    node.container.or(node.parent).or(file).filter(|&owner| owner != position)
}
