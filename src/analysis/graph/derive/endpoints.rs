//! consumes_endpoint: from the code that requests an address to the route that serves it, and from an operation that a file
//! describes, such as OpenAPI's, to its route, or else to the function of its name.
//!
//! Resolution of one file finds the address only; the routes of all files are known here.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::graph::view::GraphView;
use crate::lang::language_named;
use crate::model::{Edge, EdgeType, FileIndex, NodeId, Provenance, SymbolKind};
use crate::text::{common_folders, file_name, route_form};

/// An address that matches more routes than this is ambiguous and has no edges.
const MAX_ROUTES: usize = 5;

/// Meanings of addresses: the method and the symbol, by the path.
type ByPath<'a> = HashMap<String, Vec<(&'a str, NodeId)>>;

/// Returns edges to the routes of the same path, and of the same method if both have one. What no route serves is requested of
/// the operation that a file describes.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let mut routes = ByPath::new();
    for position in view.positions().filter(|position| view.node(*position).kind == SymbolKind::RouteHandler) {
        let (method, path) = method_and_path(view.name(position));
        routes.entry(route_form(path)).or_default().push((method, position));
    }
    let requests = view.edges.iter().filter(|edge| edge.edge_type == EdgeType::ConsumesEndpoint);
    let requests = requests.filter(|edge| view.node(edge.target).kind == SymbolKind::External);
    let (described, requests): (Vec<&Edge>, Vec<&Edge>) =
        requests.partition(|edge| language_named(view.language(edge.source)).is_some_and(|one| !one.is_program));
    let mut operations = ByPath::new();
    for edge in &described {
        let (method, path) = method_and_path(view.name(edge.target));
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
        let (method, path) = method_and_path(view.name(request.target));
        let served = fitting(view, &routes, request, (method, &route_form(path)));
        add(
            request,
            if served.is_empty() { fitting(view, &operations, request, (method, &route_form(path))) } else { served },
        );
    }
    let served: Vec<Vec<NodeId>> =
        described.iter().map(|operation| served_by_route(view, &routes, operation)).collect();
    let unserved =
        described.iter().zip(&served).filter(|(_, served)| served.is_empty()).map(|(operation, _)| *operation);
    let by_names = named_by_operations(view, unserved, &functions);
    for (operation, mut served) in described.into_iter().zip(served) {
        if served.is_empty() && by_names.contains(&view.node(operation.source).file) {
            served.extend(handler(view, &functions, operation.source));
        }
        add(operation, served);
    }
    edges
}

/// Returns the routes of an operation.
fn served_by_route(view: &GraphView<'_>, routes: &ByPath<'_>, operation: &Edge) -> Vec<NodeId> {
    let (method, path) = method_and_path(view.name(operation.target));
    let served = fitting(view, routes, operation, (method, &route_form(path)));
    if served.is_empty() { mounted(view, routes, method, &route_form(path)) } else { served }
}

/// Returns the files of operations whose handlers have their names: at least half of them have one. A single function with
/// the name of an operation is likely to be something else.
fn named_by_operations<'e>(
    view: &GraphView<'_>,
    operations: impl Iterator<Item = &'e Edge>,
    functions: &HashMap<String, Vec<NodeId>>,
) -> HashSet<FileIndex> {
    let mut counts: HashMap<FileIndex, (usize, usize)> = HashMap::new();
    for operation in operations.filter(|operation| !view.name(operation.source).contains(' ')) {
        let count = counts.entry(view.node(operation.source).file).or_default();
        count.0 += 1;
        count.1 += usize::from(handler(view, functions, operation.source).is_some());
    }
    counts.into_iter().filter(|(_, (all, found))| found * 2 >= *all).map(|(file, _)| file).collect()
}

/// Returns the function that has the name of an operation: of several the nearest one, whose file has the name of the module
/// if the operation has one (`app.get_user`).
fn handler(view: &GraphView<'_>, functions: &HashMap<String, Vec<NodeId>>, operation: NodeId) -> Option<NodeId> {
    let name = view.name(operation);
    // An operation without a name has that of its route.
    if name.contains(' ') {
        return None;
    }
    let path = |position: NodeId| view.files.get(view.node(position).file.index()).map_or("", |file| file.path);
    let module = name.rsplit('.').nth(1);
    let is_of_module =
        |position: &NodeId| module.is_none_or(|module| file_name(path(*position)).split('.').next() == Some(module));
    let found = functions.get(&*identifier(name))?;
    if let [only] = found[..] {
        return Some(only);
    }
    let near = |position: NodeId| common_folders(path(position), path(operation));
    let fitting: Vec<NodeId> = found.iter().copied().filter(is_of_module).collect();
    let best = fitting.iter().map(|position| near(*position)).max()?;
    let mut nearest = fitting.into_iter().filter(|position| near(*position) == best);
    nearest.next().filter(|_| nearest.next().is_none())
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
        functions.entry(identifier(view.name(position)).into_owned()).or_default().push(position);
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
