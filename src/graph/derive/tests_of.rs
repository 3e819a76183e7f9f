//! tests and tested_by: a test and the symbols outside tests that it calls.
//!
//! A test is a function, or a file of tests: what Jest, Vitest and Mocha run are callbacks without names, so their calls
//! are their file's.

use crate::graph::view::{GraphView, NONE};
use crate::model::{Edge, EdgeType, SymbolKind};

/// Both edges for every call from a test to what it tests, as sure as the call.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for call in tested(view) {
        edges.push(Edge { edge_type: EdgeType::Tests, ..*call });
        edges.push(Edge { source: call.target, target: call.source, edge_type: EdgeType::TestedBy, ..*call });
    }
    edges
}

/// The calls from test functions and test files to symbols of the repository that are no tests.
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
