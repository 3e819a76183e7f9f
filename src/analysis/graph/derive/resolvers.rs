//! implements_rpc of GraphQL: from the function of an object of resolvers (`Query: { user() {} }`) to the field of the schema
//! that it resolves.

use std::collections::HashMap;

use crate::graph::view::GraphView;
use crate::lang::language_named;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};
use crate::text::common_folders;

/// The language of schemas.
pub(super) const SCHEMAS: &str = "graphql";

/// Returns edges from the functions that have the names of a type and one of its fields, but are members of no type of their
/// own language. Of several fields the nearest is meant.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut fields: HashMap<(&str, &str), Vec<NodeId>> = HashMap::new();
    let is_field =
        |position: &NodeId| view.node(*position).kind == SymbolKind::Field && view.language(*position) == SCHEMAS;
    for field in view.positions().filter(is_field) {
        if let Some(owner) = owner(view, field) {
            fields.entry((owner, view.name(field))).or_default().push(field);
        }
    }
    if fields.is_empty() {
        return Vec::new();
    }
    let path = |position: NodeId| view.files[view.node(position).file.index()].path;
    let is_resolver = |position: &NodeId| {
        let node = view.node(*position);
        let is_member = node.container.is_some_and(|container| view.node(container).kind.is_type());
        node.kind.is_callable()
            && !is_member
            && language_named(view.language(*position)).is_some_and(|language| language.is_program)
    };
    let mut edges = Vec::new();
    for function in view.positions().filter(is_resolver) {
        let named = owner(view, function).and_then(|owner| fields.get(&(owner, view.name(function))));
        let Some(found) = named else { continue };
        let nearest = found.iter().max_by_key(|field| common_folders(path(**field), path(function)));
        edges.extend(nearest.map(|field| {
            let (provenance, edge_type) = (Provenance::AstInferred, EdgeType::ImplementsRpc);
            Edge { source: function, target: *field, edge_type, provenance, confidence: provenance.confidence() }
        }));
    }
    edges
}

/// Returns the name of what a definition is directly in.
fn owner<'a>(view: &GraphView<'a>, position: NodeId) -> Option<&'a str> {
    match view.defined(position) {
        Some((outline, definition)) => definition.scope_names.last().map(|name| outline.names.get(*name)),
        None => view.node(position).container.map(|container| view.name(container)),
    }
}
