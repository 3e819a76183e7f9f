//! tests and tested_by: between a test and the symbols outside tests that it calls.
//!
//! A test is a function or a test file. The callbacks of Jest, Vitest and Mocha have no names, so their calls belong to
//! the file.

use crate::graph::view::{GraphView, NONE};
use crate::model::{Edge, EdgeType, SymbolKind};

/// Returns both edges for every call from a test to tested code, with the confidence of the call.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for call in tested(view) {
        edges.push(Edge { edge_type: EdgeType::Tests, ..*call });
        edges.push(Edge { source: call.target, target: call.source, edge_type: EdgeType::TestedBy, ..*call });
    }
    edges
}

/// Returns the calls from test functions and test files to symbols of the repository outside tests.
pub(super) fn tested<'a>(view: &GraphView<'a>) -> impl Iterator<Item = &'a Edge> + use<'a> {
    let view = *view;
    view.edges.iter().filter(move |edge| {
        let (source, target) = (view.node(edge.source), view.node(edge.target));
        edge.edge_type == EdgeType::Calls
            && source.is_test
            && (source.kind.is_callable() || source.kind == SymbolKind::File)
            && !target.is_test
            && target.file != NONE
    })
}
