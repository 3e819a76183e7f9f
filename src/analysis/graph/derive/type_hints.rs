//! implied_hint: from code with a type hint of an interface to the interface's implementors. Unlike `type_hint_of`, the
//! edge is not written in the source.

use super::hierarchy::Hierarchy;
use crate::graph::derive::rows::Rows;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};

/// Maximum number of implementors of an interface; with more, each single one is unlikely.
const MAX_IMPLEMENTORS: usize = 5;

/// Returns edges from the sources of type hints to the few implementors outside tests.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy, satisfied: &[Edge]) -> Vec<Edge> {
    let declared = view.positions().flat_map(|implementor| {
        hierarchy.interfaces(implementor).iter().map(move |&interface| (interface, implementor))
    });
    let derived = satisfied.iter().map(|edge| (edge.target, edge.source));
    let pairs: Vec<(NodeId, NodeId)> =
        declared.chain(derived).filter(|&(_, implementor)| !view.node(implementor).is_test).collect();
    let by_interface = Rows::new(view.nodes.len(), pairs);
    let mut edges = Vec::new();
    for hint in view.edges.iter().filter(|edge| edge.edge_type == EdgeType::TypeHintOf) {
        let implementors = by_interface.row(hint.target);
        if view.node(hint.target).kind != SymbolKind::Interface || implementors.len() > MAX_IMPLEMENTORS {
            continue;
        }
        let others = implementors.iter().filter(|&&implementor| implementor != hint.source);
        edges.extend(others.map(|&implementor| Edge {
            source: hint.source,
            target: implementor,
            edge_type: EdgeType::ImpliedHint,
            provenance: Provenance::AstInferred,
            confidence: Provenance::AstInferred.confidence() / implementors.len() as f32,
        }));
    }
    edges
}
