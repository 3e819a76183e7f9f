//! consumes_endpoint: from the code that requests an address to the route that serves it.
//!
//! Resolution of one file finds the address only; the routes of all files are known here.

use std::collections::HashMap;

use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};

/// An address that matches more routes than this is ambiguous and has no edges.
const MAX_ROUTES: usize = 5;

/// Returns edges to the routes of the same path, and of the same method if both have one.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut routes: HashMap<&str, Vec<(&str, NodeId)>> = HashMap::new();
    for position in view.positions().filter(|position| view.node(*position).kind == SymbolKind::RouteHandler) {
        let (method, path) = method_and_path(view.node(position).name);
        routes.entry(path).or_default().push((method, position));
    }
    let mut edges = Vec::new();
    let requests = view.edges.iter().filter(|edge| edge.edge_type == EdgeType::ConsumesEndpoint);
    for request in requests.filter(|edge| view.node(edge.target).kind == SymbolKind::External) {
        let (method, path) = method_and_path(view.node(request.target).name);
        let fits = |(other, _): &&(&str, NodeId)| method.is_empty() || other.is_empty() || *other == method;
        let fitting = routes.get(path).into_iter().flatten().filter(fits).map(|(_, position)| *position);
        // Routes in test files serve the tests of the same file.
        let own = view.node(request.source).file;
        let (near, far): (Vec<NodeId>, Vec<NodeId>) = fitting.partition(|route| view.node(*route).file == own);
        let is_product = |route: &NodeId| {
            let file = view.files.get(view.node(*route).file.index());
            file.is_some_and(|file| !view.node(file.node).is_test)
        };
        let fitting: Vec<NodeId> = if near.is_empty() { far.into_iter().filter(is_product).collect() } else { near };
        if fitting.len() > MAX_ROUTES {
            continue;
        }
        let provenance = Provenance::AstInferred;
        let confidence = provenance.confidence();
        edges.extend(fitting.into_iter().map(|target| Edge { target, provenance, confidence, ..*request }));
    }
    edges
}

/// Splits a route: `GET /users/` into `GET` and `/users`. The method can be empty.
fn method_and_path(route: &str) -> (&str, &str) {
    let (method, path) = route.split_once(' ').unwrap_or(("", route));
    match path.trim_end_matches('/') {
        "" => (method, "/"),
        path => (method, path),
    }
}
