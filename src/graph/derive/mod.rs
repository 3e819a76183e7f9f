//! Derived edges: what follows from the resolved ones without looking at source again (SPEC §4). One pass, one file.
//!
//! Every pass reads the whole graph, is linear in nodes and edges but for small bounded factors, and gives edges whose
//! order and content depend on the canonical order of the nodes only. Similarity alone works package by package,
//! because it needs the words of bodies; see [`similar_to`].

pub mod co_tested_with;
pub mod endpoints;
pub mod hierarchy;
pub mod implements;
pub mod inherits;
pub mod membership;
pub mod overrides;
pub mod owned_by;
mod rows;
pub mod shape;
pub mod similar_to;
pub mod tests_of;
pub mod type_hints;

use rayon::prelude::*;

use super::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId, Provenance};
use hierarchy::Hierarchy;

/// Every derived edge but similarity and ownership, sorted by source, target and type, none twice and none that is
/// among the resolved ones.
pub fn derive(view: &GraphView<'_>) -> Vec<Edge> {
    let hierarchy = Hierarchy::new(view);
    let satisfied = implements::edges(view, &hierarchy);
    let (mut edges, ((inherited, overridden), (hinted, tested))) = rayon::join(
        || membership::edges(view),
        || {
            rayon::join(
                || (inherits::edges(view, &hierarchy), overrides::edges(view, &hierarchy, &satisfied)),
                || (type_hints::edges(view, &hierarchy, &satisfied), tests_of::edges(view)),
            )
        },
    );
    edges.extend(satisfied);
    for more in [inherited, overridden, hinted, tested, co_tested_with::edges(view), endpoints::edges(view)] {
        edges.extend(more);
    }
    dedup(view, edges)
}

/// True when derivation looks at resolved edges of this type: when none such changes, and no symbol does, then no derived
/// edge changes. Every pass must keep to it. `from_test` tells that the edge's source is a test or stands among tests.
pub fn is_input(edge_type: EdgeType, from_test: bool) -> bool {
    use EdgeType::{
        Calls, CoTestedWith, ConsumesEndpoint, Contains, Extends, Implements, ImpliedHint, Inherits, MemberOf,
        Overrides, TestedBy, Tests, TypeHintOf,
    };
    match edge_type {
        Calls => from_test,
        Extends | Implements | TypeHintOf | ConsumesEndpoint => true,
        // Not derived where resolution has found them.
        Contains | MemberOf | Inherits | Overrides | ImpliedHint | Tests | TestedBy | CoTestedWith => true,
        _ => false,
    }
}

/// Sorts, keeps the surest of equal edges, and drops those that resolution found itself.
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
