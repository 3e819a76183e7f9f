//! contains and member_of: a type and its members, a function and what is nested in it, a file and its top level, a
//! package and its files.

use super::structural;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId};

/// Both edges between each symbol and the one that it belongs to.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(view.nodes.len() * 2);
    for position in view.positions() {
        let Some(owner) = owner(view, position) else { continue };
        edges.push(structural(owner, position, EdgeType::Contains));
        edges.push(structural(position, owner, EdgeType::MemberOf));
    }
    edges
}

/// What a symbol belongs to: its type before the definition around it before its file.
fn owner(view: &GraphView<'_>, position: NodeId) -> Option<NodeId> {
    let node = view.node(position);
    let file = view.files.get(node.file as usize).map(|file| file.node);
    node.container.or(node.parent).or(file).filter(|&owner| owner != position)
}
