//! The definitions of a task that is nothing but their name.

use std::cmp::Reverse;

use super::Graph;
use super::select::is_candidate;
use crate::model::{NodeId, SymbolKind};
use crate::rank::tuning;
use crate::store::{Reader, StoreError};

/// Returns the definitions of exactly this name, likeliest first: what can be called or is a type before what has a value,
/// and the more used first. Tests are left out if there are others.
///
/// # Errors
/// When the store can't be read.
pub fn named(reader: &Reader, graph: &Graph, name: &str) -> Result<Vec<NodeId>, StoreError> {
    let mut nodes = reader.nodes_named_exactly(name, tuning::SOLE_CAP)?;
    nodes.retain(|node| is_candidate(graph, *node));
    let is_test = |node: &NodeId| graph.meta(*node).is_some_and(|meta| meta.is_test);
    if !nodes.iter().all(is_test) {
        nodes.retain(|node| !is_test(node));
    }
    let has_value = |node: &NodeId| {
        use SymbolKind::{Const, Field, Var};
        graph.meta(*node).is_some_and(|meta| matches!(meta.kind, Const | Field | Var))
    };
    let uses = |node: &NodeId| graph.incoming(*node).iter().filter(|edge| edge.edge_type.is_use()).count();
    nodes.sort_by_cached_key(|node| (has_value(node), Reverse(uses(node)), graph.id_prefix(*node)));
    nodes.truncate(tuning::SOLE_FIRST);
    Ok(nodes)
}
