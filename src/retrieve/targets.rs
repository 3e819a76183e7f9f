//! From a class's targets to the symbols that they name here.

use crate::model::EdgeType;
use crate::retrieve::graph::Graph;
use crate::store::{Reader, StoreError};
use crate::text::split_identifier;
use crate::vocab::class::{Class, is_generic};

/// Namesakes beyond this are not looked at.
const MOST_DEFINITIONS: usize = 500;

/// The symbols that a class's target names: `Name`, or `Type.member` through the type or what it inherits. A target that
/// means nothing in particular names none. The most likely come first: product before tests, types before functions before
/// the rest, then by how widely they are used. Fields and variables count where no type or function has the name.
///
/// # Errors
/// When the store can't be read.
pub fn definitions(reader: &Reader, graph: &Graph, class: &Class, target: &str) -> Result<Vec<u32>, StoreError> {
    if is_generic(target) {
        return Ok(Vec::new());
    }
    let mut nodes = match target.split_once('.') {
        Some((container, member)) => members(reader, graph, container, member)?,
        None if class.layer.any_spelling() => in_any_spelling(reader, target)?,
        None => reader.nodes_named_exactly(target, MOST_DEFINITIONS)?,
    };
    let kind = |node: u32| {
        graph.head(node).map_or(u8::MAX, |head| match () {
            () if head.kind.is_type() => 0,
            () if head.kind.is_callable() => 1,
            () => 2,
        })
    };
    // A field, often an embedded one, bears its type's name; the type is meant.
    if nodes.iter().any(|node| kind(*node) < 2) {
        nodes.retain(|node| kind(*node) < 2);
    }
    nodes.sort_by_cached_key(|node| {
        let is_test = graph.head(*node).is_none_or(|head| head.is_test);
        (is_test, kind(*node), std::cmp::Reverse(graph.popularity(*node)), graph.tie(*node))
    });
    nodes.dedup();
    Ok(nodes)
}

/// The members of a name that types of a name define; when they define none, those that they inherit.
fn members(reader: &Reader, graph: &Graph, container: &str, member: &str) -> Result<Vec<u32>, StoreError> {
    let own = reader.members_named(container, member, MOST_DEFINITIONS)?;
    if !own.is_empty() {
        return Ok(own);
    }
    let namesakes = reader.nodes_named_exactly(member, MOST_DEFINITIONS)?;
    let types = reader.nodes_named_exactly(container, MOST_DEFINITIONS)?;
    let outgoing = types.into_iter().flat_map(|node| graph.adjacency.outgoing(node));
    let inherited = outgoing.filter(|neighbor| neighbor.edge_type == EdgeType::Inherits);
    Ok(inherited.map(|neighbor| neighbor.node).filter(|node| namesakes.contains(node)).collect())
}

/// Symbols whose name is the target in any convention: `ErrorHandler`, `errorHandler`, `error_handler`.
fn in_any_spelling(reader: &Reader, target: &str) -> Result<Vec<u32>, StoreError> {
    let words = split_identifier(target);
    let mut nodes = reader.nodes_named(&words.concat(), MOST_DEFINITIONS)?;
    if words.len() > 1 {
        nodes.extend(reader.nodes_named(&words.join("_"), MOST_DEFINITIONS)?);
    }
    Ok(nodes)
}
