//! consumes_endpoint, from who requests an address to the route that the repository binds to it.
//!
//! Resolution of one file knows the address only; whether some file serves it shows in the whole graph.

use std::collections::HashMap;

use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};

/// An address that more routes than this fit says nothing about which is meant.
const MAX_ROUTES: usize = 5;

/// Edges to the routes of the same path, and of the same method where both name one.
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
        // What a file of tests serves is there for its own tests.
        let own = view.node(request.source).file;
        let (near, far): (Vec<NodeId>, Vec<NodeId>) = fitting.partition(|route| view.node(*route).file == own);
        let is_product = |route: &u32| {
            let file = view.files.get(view.node(*route).file as usize);
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

/// `GET /users/` is `GET` and `/users`; without a method, that is empty.
fn method_and_path(route: &str) -> (&str, &str) {
    let (method, path) = route.split_once(' ').unwrap_or(("", route));
    match path.trim_end_matches('/') {
        "" => (method, "/"),
        path => (method, path),
    }
}
