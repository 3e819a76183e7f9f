//! Derived edges: everything that follows from the resolved edges without reading source. One file is one pass.
//!
//! Every pass reads the whole graph and is linear in nodes and edges, up to small bounded factors. Order and content of
//! its edges depend on the canonical order of the nodes only. [`similar_to`] works on one package at a time, because it
//! needs the words of bodies.

pub mod co_tested_with;
pub mod depends_on;
pub mod endpoints;
pub mod hierarchy;
pub mod implements;
pub mod inherits;
pub mod membership;
pub mod overrides;
pub mod owned_by;
mod rows;
pub mod resolvers;
pub mod rpc;
pub mod similar_to;
pub mod tests_of;
pub mod type_hints;
pub mod typings;

use rayon::prelude::*;

use super::view::GraphView;
use crate::facts::{Container, Definition};
use crate::lang::Language;
use crate::lang::packages::has_services;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};
use hierarchy::Hierarchy;

/// Returns all derived edges except similarity and ownership, sorted by source, target and type, without duplicates and
/// without resolved edges.
pub fn derive(view: &GraphView<'_>) -> Vec<Edge> {
    let hierarchy = Hierarchy::new(view);
    let satisfied = implements::edges(view, &hierarchy);
    let (mut edges, ((inherited, overridden), (hinted, tested, remote))) = rayon::join(
        || membership::edges(view),
        || {
            rayon::join(
                || (inherits::edges(view, &hierarchy), overrides::edges(view, &hierarchy, &satisfied)),
                || {
                    (
                        type_hints::edges(view, &hierarchy, &satisfied),
                        tests_of::edges(view),
                        rpc::edges(view, &hierarchy, &satisfied),
                    )
                },
            )
        },
    );
    let others = [
        satisfied,
        inherited,
        overridden,
        hinted,
        tested,
        remote,
        co_tested_with::edges(view),
        endpoints::edges(view),
        resolvers::edges(view),
        typings::edges(view),
    ];
    // The first list has two edges for each symbol, so growing it must not double it.
    edges.reserve_exact(others.iter().map(Vec::len).sum());
    others.into_iter().for_each(|list| edges.extend(list));
    dedup(view, edges)
}

/// Returns whether any pass reads resolved edges of this type. `from_test` is whether the edge's source is a test or in a test
/// file, `to_interface` whether its target is an interface.
///
/// Every pass must respect this: if no such edge changes, and only symbols for which [`is_only_a_member`] returns true come or
/// go, then the edges between these and their owners are the only derived ones that change.
pub fn is_input(edge_type: EdgeType, from_test: bool, to_interface: bool) -> bool {
    use EdgeType::{
        Calls, CoTestedWith, ConsumesEndpoint, ConsumesRpc, Contains, Extends, Implements, ImplementsRpc, ImpliedHint,
        Inherits, MemberOf, Overrides, TestedBy, Tests, TypeHintOf,
    };
    match edge_type {
        Calls => from_test,
        TypeHintOf => to_interface,
        Extends | Implements | ConsumesEndpoint => true,
        // Resolved edges of these types suppress derived ones.
        ConsumesRpc | ImplementsRpc | Contains | MemberOf | Inherits | Overrides | ImpliedHint | Tests | TestedBy
        | CoTestedWith => true,
        _ => false,
    }
}

/// Returns whether [`membership`] is the only pass that reads this symbol. That holds for functions and variables outside of
/// types, and in C for types and their fields: there neither sets of methods ([`implements`]) nor declarations of the same
/// names ([`typings`]) are compared.
///
/// It does not hold for tests and symbols of test files, nor where a file has a language for which [`compares_names`] returns
/// true; the caller excludes these.
pub fn is_only_a_member(definition: &Definition, language: &Language) -> bool {
    use SymbolKind::{Const, Field, Function, Macro, Type, Var};
    match definition.container {
        Container::Module if matches!(definition.kind, Const | Function | Macro | Var) => true,
        Container::Module | Container::Definition(_) => {
            language.rules.traits().includes_texts && matches!(definition.kind, Const | Field | Type | Var)
        }
        Container::Extension(_) => false,
    }
}

/// Returns whether files of this language describe schemas or services, whose names passes compare with those of symbols in all
/// files.
pub fn compares_names(language: &str) -> bool {
    language == resolvers::SCHEMAS || has_services(language)
}

/// Sorts edges, keeps the one of highest confidence among duplicates, and drops those that are resolved edges.
fn dedup(view: &GraphView<'_>, mut edges: Vec<Edge>) -> Vec<Edge> {
    let key = |edge: &Edge| (edge.source, edge.target, edge.edge_type);
    edges.par_sort_unstable_by(|one, two| {
        key(one)
            .cmp(&key(two))
            .then(two.confidence.total_cmp(&one.confidence))
            .then(one.provenance.cmp(&two.provenance))
    });
    edges.dedup_by_key(|edge| key(edge));
    let mut resolved = view.edges.iter().map(key).peekable();
    edges.retain(|edge| {
        while resolved.next_if(|known| *known < key(edge)).is_some() {}
        resolved.peek() != Some(&key(edge))
    });
    edges
}

fn structural(source: NodeId, target: NodeId, edge_type: EdgeType) -> Edge {
    let provenance = Provenance::Structural;
    Edge { source, target, edge_type, provenance, confidence: provenance.confidence() }
}

#[cfg(test)]
mod tests;
