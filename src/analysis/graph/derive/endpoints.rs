//! consumes_endpoint: from the code that requests an address to the route that serves it, and from an operation that a file
//! describes, such as OpenAPI's, to its route, or else to the only function of its name.
//!
//! Resolution of one file finds the address only; the routes of all files are known here.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::graph::view::GraphView;
use crate::lang::language_named;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};
use crate::text::route_form;

/// An address that matches more routes than this is ambiguous and has no edges.
const MAX_ROUTES: usize = 5;

/// Meanings of addresses: the method and the symbol, by the path.
type ByPath<'a> = HashMap<String, Vec<(&'a str, NodeId)>>;

/// Returns edges to the routes of the same path, and of the same method if both have one. What no route serves is requested of
/// the operation that a file describes.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut routes = ByPath::new();
    for position in view.positions().filter(|position| view.node(*position).kind == SymbolKind::RouteHandler) {
        let (method, path) = method_and_path(view.node(position).name);
        routes.entry(route_form(path)).or_default().push((method, position));
    }
    let requests = view.edges.iter().filter(|edge| edge.edge_type == EdgeType::ConsumesEndpoint);
    let requests = requests.filter(|edge| view.node(edge.target).kind == SymbolKind::External);
    let (described, requests): (Vec<&Edge>, Vec<&Edge>) =
        requests.partition(|edge| language_named(view.language(edge.source)).is_some_and(|one| !one.is_program));
    let mut operations = ByPath::new();
    for edge in &described {
        let (method, path) = method_and_path(view.node(edge.target).name);
        operations.entry(route_form(path)).or_default().push((method, edge.source));
    }
    let functions = if described.is_empty() { HashMap::new() } else { functions(view) };
    let mut edges = Vec::new();
    let mut add = |request: &Edge, targets: Vec<NodeId>| {
        let provenance = Provenance::AstInferred;
        let confidence = provenance.confidence();
        edges.extend(targets.into_iter().map(|target| Edge { target, provenance, confidence, ..*request }));
    };
    for request in requests {
        let (method, path) = method_and_path(view.node(request.target).name);
        let served = fitting(view, &routes, request, (method, &route_form(path)));
        add(
            request,
            if served.is_empty() { fitting(view, &operations, request, (method, &route_form(path))) } else { served },
        );
    }
    for operation in described {
        let (method, path) = method_and_path(view.node(operation.target).name);
        let mut served = fitting(view, &routes, operation, (method, &route_form(path)));
        if served.is_empty() {
            served = mounted(view, &routes, method, &route_form(path));
        }
        if served.is_empty() {
            let name = identifier(view.node(operation.source).name);
            served = functions.get(&*name).filter(|found| found.len() == 1).cloned().unwrap_or_default();
        }
        add(operation, served);
    }
    edges
}

/// Returns what serves a request, nothing if it is too much.
fn fitting(view: &GraphView<'_>, by_path: &ByPath<'_>, request: &Edge, (method, path): (&str, &str)) -> Vec<NodeId> {
    let fits = |(other, _): &&(&str, NodeId)| method.is_empty() || other.is_empty() || *other == method;
    let fitting = by_path.get(path).into_iter().flatten().filter(fits).map(|(_, position)| *position);
    // Routes in test files serve the tests of the same file.
    let own = view.node(request.source).file;
    let (near, far): (Vec<NodeId>, Vec<NodeId>) = fitting.partition(|route| view.node(*route).file == own);
    let found: Vec<NodeId> =
        if near.is_empty() { far.into_iter().filter(|route| is_product(view, *route)).collect() } else { near };
    if found.len() > MAX_ROUTES { Vec::new() } else { found }
}

/// Returns the only route whose path an operation's ends with, or the other way round: a router is mounted below a path.
fn mounted(view: &GraphView<'_>, routes: &ByPath<'_>, method: &str, path: &str) -> Vec<NodeId> {
    let is_end =
        |long: &str, short: &str| short.contains(|letter: char| letter.is_alphabetic()) && long.ends_with(short);
    let fits = routes.iter().filter(|(route, _)| is_end(route, path) || is_end(path, route));
    let fitting = fits.flat_map(|(_, routes)| routes).filter(|(other, _)| *other == method);
    let found: Vec<NodeId> =
        fitting.map(|(_, position)| *position).filter(|route| is_product(view, *route)).take(2).collect();
    if found.len() == 1 { found } else { Vec::new() }
}

fn is_product(view: &GraphView<'_>, position: NodeId) -> bool {
    view.files.get(view.node(position).file.index()).is_some_and(|file| !view.node(file.node).is_test)
}

/// Returns the functions of programs outside of tests by their [`identifier`].
fn functions(view: &GraphView<'_>) -> HashMap<String, Vec<NodeId>> {
    let mut functions: HashMap<String, Vec<NodeId>> = HashMap::new();
    let is_program = |position: &NodeId| {
        view.node(*position).kind.is_callable()
            && is_product(view, *position)
            && language_named(view.language(*position)).is_some_and(|language| language.is_program)
    };
    for position in view.positions().filter(is_program) {
        functions.entry(identifier(view.node(position).name).into_owned()).or_default().push(position);
    }
    functions
}

/// Returns the last name of a path in the form that names of all styles share: `getuser` for `app.api.get_user`.
fn identifier(name: &str) -> Cow<'_, str> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    match last.bytes().all(is_plain) {
        true => Cow::Borrowed(last),
        false => last.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect(),
    }
}

/// Splits a route: `GET /users/` into `GET` and `/users`. The method can be empty.
fn method_and_path(route: &str) -> (&str, &str) {
    let (method, path) = route.split_once(' ').unwrap_or(("", route));
    match path.trim_end_matches('/') {
        "" => (method, "/"),
        path => (method, path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_styles_are_alike() {
        for name in ["app.api.get_user", "getUser", "GetUser", "get-user"] {
            assert_eq!(identifier(name), "getuser");
        }
    }
}
