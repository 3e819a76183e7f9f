//! Resolution of a concept's targets to the symbols of an index.

use std::cmp::Reverse;

use super::Graph;
use crate::concepts::{Concept, is_generic};
use crate::model::{EdgeType, NodeId};
use crate::store::{Reader, StoreError};
use crate::text::split_identifier;

/// Limit of the symbols of one name that are read.
const MAX_DEFINITIONS: usize = 500;

/// Returns the symbols that a target names: `Name`, or `Type.member` of the type or its bases; none for a generic
/// target. Tests come last; within that order, types come before functions before the rest, then the most used first.
/// Fields and variables are included only if no type or function has the name.
///
/// # Errors
/// When the store can't be read.
pub fn definitions(reader: &Reader, graph: &Graph, concept: &Concept, target: &str) -> Result<Vec<NodeId>, StoreError> {
    if is_generic(target) {
        return Ok(Vec::new());
    }
    let mut nodes = match target.split_once('.') {
        Some((container, member)) => members(reader, graph, container, member)?,
        None if concept.layer.any_spelling() => in_any_spelling(reader, target)?,
        None => reader.nodes_named_exactly(target, MAX_DEFINITIONS)?,
    };
    let kind = |node: NodeId| {
        graph.meta(node).map_or(u8::MAX, |meta| match () {
            () if meta.kind.is_type() => 0,
            () if meta.kind.is_callable() => 1,
            () => 2,
        })
    };
    // An embedded field has the name of its type, and the target refers to the type.
    if nodes.iter().any(|node| kind(*node) < 2) {
        nodes.retain(|node| kind(*node) < 2);
    }
    nodes.sort_by_cached_key(|node| {
        let is_test = graph.meta(*node).is_none_or(|meta| meta.is_test);
        (is_test, kind(*node), Reverse(graph.popularity(*node)), graph.id_prefix(*node))
    });
    nodes.dedup();
    Ok(nodes)
}

/// Returns the members of this name that types of the container's name define, or else inherit.
fn members(reader: &Reader, graph: &Graph, container: &str, member: &str) -> Result<Vec<NodeId>, StoreError> {
    let own = reader.members_named(container, member, MAX_DEFINITIONS)?;
    if !own.is_empty() {
        return Ok(own);
    }
    let namesakes = reader.nodes_named_exactly(member, MAX_DEFINITIONS)?;
    let types = reader.nodes_named_exactly(container, MAX_DEFINITIONS)?;
    let outgoing = types.into_iter().flat_map(|node| graph.outgoing(node));
    let inherited = outgoing.filter(|neighbor| neighbor.edge_type == EdgeType::Inherits);
    Ok(inherited.map(|neighbor| neighbor.node).filter(|node| namesakes.contains(node)).collect())
}

/// Returns the symbols whose name is the target in any convention: `ErrorHandler`, `errorHandler`, `error_handler`.
fn in_any_spelling(reader: &Reader, target: &str) -> Result<Vec<NodeId>, StoreError> {
    let words = split_identifier(target);
    let mut nodes = reader.nodes_named(&words.concat(), MAX_DEFINITIONS)?;
    if words.len() > 1 {
        nodes.extend(reader.nodes_named(&words.join("_"), MAX_DEFINITIONS)?);
    }
    Ok(nodes)
}
