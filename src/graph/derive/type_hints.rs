//! implied_hint: who hints an interface may well meet its implementors. A type of its own keeps what the source writes
//! (`type_hint_of`) apart from what it only suggests.

use super::hierarchy::Hierarchy;
use crate::graph::derive::rows::Rows;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};

/// With more implementors than this none is likely (SPEC §2 draws the line for guesses there).
const MAX_IMPLEMENTORS: usize = 5;

/// Edges from what hints an interface to the interface's few implementors outside tests.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy, satisfied: &[Edge]) -> Vec<Edge> {
    let declared = view.positions().flat_map(|implementor| {
        hierarchy.interfaces(implementor).iter().map(move |&interface| (interface, implementor))
    });
    let derived = satisfied.iter().map(|edge| (edge.target, edge.source));
    let known: Vec<(NodeId, NodeId)> =
        declared.chain(derived).filter(|&(_, implementor)| !view.node(implementor).is_test).collect();
    let implementors = Rows::new(view.nodes.len(), known);
    let mut edges = Vec::new();
    for hint in view.edges.iter().filter(|edge| edge.edge_type == EdgeType::TypeHintOf) {
        let found = implementors.row(hint.target);
        if view.node(hint.target).kind != SymbolKind::Interface || found.len() > MAX_IMPLEMENTORS {
            continue;
        }
        let others = found.iter().filter(|&&implementor| implementor != hint.source);
        edges.extend(others.map(|&implementor| Edge {
            source: hint.source,
            target: implementor,
            edge_type: EdgeType::ImpliedHint,
            provenance: Provenance::AstInferred,
            confidence: Provenance::AstInferred.confidence() / found.len() as f32,
        }));
    }
    edges
}
