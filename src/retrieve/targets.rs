//! From a class's targets to the symbols that they name here.

use crate::retrieve::graph::Graph;
use crate::store::{Reader, StoreError};
use crate::text::split_identifier;
use crate::vocab::class::{Class, is_generic};

/// Namesakes beyond this are not looked at.
const MOST_DEFINITIONS: usize = 500;

/// The symbols that a target names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    /// The most likely first: product before tests, types before functions before the rest, then by how widely used.
    pub nodes: Vec<u32>,
}

/// The symbols that a class's target names: `Name`, or `Type.member` through the type or what it inherits. A target that
/// means nothing in particular names none.
///
/// # Errors
/// When the store can't be read.
pub fn definitions(reader: &Reader, graph: &Graph, class: &Class, target: &str) -> Result<Definitions, StoreError> {
    if is_generic(target) {
        return Ok(Definitions::default());
    }
    let mut nodes = match target.split_once('.') {
        Some((container, member)) => reader.members_named(container, member, MOST_DEFINITIONS)?,
        None if class.layer.any_spelling() => in_any_spelling(reader, target)?,
        None => reader.nodes_named_exactly(target, MOST_DEFINITIONS)?,
    };
    nodes.sort_by_cached_key(|node| {
        let head = graph.head(*node);
        let is_test = head.is_none_or(|head| head.is_test);
        let kind = head.map_or(u8::MAX, |head| if head.kind.is_type() { 0 } else { 1 + u8::from(!head.kind.is_code()) });
        (is_test, kind, std::cmp::Reverse(graph.popularity(*node)), graph.tie(*node))
    });
    nodes.dedup();
    Ok(Definitions { nodes })
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
