//! Signals in calls: environment variables read, processes started, HTTP routes and requests.

use tree_sitter::Node;

use super::hooks::string_content;
use super::routes;
use crate::facts::{Expr, ExprId, SignalKind};
use crate::lang::common::walker::{Call, Walker};

/// String literals of this length or more are not routes or names.
const MAX_LITERAL_BYTES: usize = 200;

/// Adds the signal of a call, if its function is one of the known methods.
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    let (Some(name), Some(object)) = (call.name, call.object) else { return };
    let method = walker.text_of(name);
    if !may_be_signal(method) {
        return;
    }
    let object = walker.atom_of(object);
    let import = walker.imports.get(&object).map(|import| walker.facts.get_import(*import).path[0]);
    let package = import.map_or("", |path| walker.facts.text(path));
    let literal = |index: usize| call.arguments.get(index).and_then(|node| string_literal(walker, *node));
    let signal = match (package, method) {
        ("os", "Getenv" | "LookupEnv") | ("syscall", "Getenv") => literal(0).map(CallSignal::Env),
        ("os/exec", "Command") => literal(0).map(CallSignal::Process),
        ("os/exec", "CommandContext") => literal(1).map(CallSignal::Process),
        ("net/http", "Get" | "Post" | "Head" | "PostForm") => {
            let verb = http_method(method).unwrap_or("POST");
            literal(0).and_then(url_path).map(|path| request(Some(verb), path))
        }
        ("net/http", "NewRequest") => literal(1).and_then(url_path).map(|path| request(literal(0), path)),
        ("net/http", "NewRequestWithContext") => literal(2).and_then(url_path).map(|path| request(literal(1), path)),
        _ => {
            let first = call.arguments.first().filter(|_| call.arguments.len() > 1);
            let path = first.and_then(|node| short_literal(walker, *node));
            let prefix = path.and(call.object).map_or(String::new(), |router| routes::prefix(walker, router));
            path.and_then(|path| route(method, &prefix, path)).map(CallSignal::Route)
        }
    };
    let kind = match signal {
        None => return,
        Some(CallSignal::Env(name)) => SignalKind::ReadsEnv(walker.facts.atom(name)),
        Some(CallSignal::Process(name)) => SignalKind::Executes(walker.facts.atom(name)),
        Some(CallSignal::Request(path)) => SignalKind::Endpoint(walker.facts.atom(&path)),
        Some(CallSignal::Route(route)) => {
            let last = call.arguments.last().zip(call.values.last());
            let handler = last.and_then(|(node, value)| handler(walker, *node, *value));
            let handler = handler.map(|handler| (handler, walker.context.scope));
            SignalKind::Route { route: walker.facts.atom(&route), handler }
        }
    };
    walker.signal(call.node, kind);
}

/// Returns the content of a string literal, unless it is empty or long.
fn string_literal<'a>(walker: &Walker<'a>, node: Node<'a>) -> Option<&'a str> {
    short_literal(walker, node).filter(|content| !content.is_empty())
}

/// Returns the content of a string literal, unless it is long.
pub fn short_literal<'a>(walker: &Walker<'a>, node: Node<'a>) -> Option<&'a str> {
    matches!(node.kind(), "interpreted_string_literal" | "raw_string_literal")
        .then(|| string_content(walker.text_of(node)))
        .filter(|content| content.len() < MAX_LITERAL_BYTES)
}

/// Returns the handler that the last argument of a route is: a function, or the first of what a call may make one of, which
/// are the functions that are passed to it and itself (`authorized(list)`, `handlers.List()`).
fn handler<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: ExprId) -> Option<ExprId> {
    if matches!(node.kind(), "identifier" | "selector_expression") {
        return Some(value);
    }
    let mut parts = Vec::new();
    if !has_closure(node, MAX_WRAPPERS) {
        add_parts(walker, value, MAX_WRAPPERS, &mut parts);
    }
    (!parts.is_empty()).then(|| walker.facts.expr(Expr::FirstOf(parts)))
}

/// Maximum number of calls around a handler.
const MAX_WRAPPERS: usize = 4;

/// Returns whether a function is written among the arguments of calls in each other: what it calls is of the function around.
fn has_closure(call: Node<'_>, wrappers: usize) -> bool {
    let Some(arguments) = call.child_by_field_name("arguments") else { return false };
    let mut cursor = arguments.walk();
    arguments.named_children(&mut cursor).any(|argument| match argument.kind() {
        "func_literal" => true,
        "call_expression" => wrappers > 0 && has_closure(argument, wrappers - 1),
        _ => false,
    })
}

/// Adds the functions that may be the handler that a call returns: its arguments, also those of calls among them, then its callee.
fn add_parts(walker: &Walker<'_>, value: ExprId, wrappers: usize, parts: &mut Vec<ExprId>) {
    let Expr::Call { callee, args } = walker.facts.get(value) else { return };
    for part in args.iter().rev().chain([callee]).copied() {
        match walker.facts.get(part) {
            Expr::Name(_) | Expr::Member { .. } => parts.push(part),
            Expr::Call { .. } if wrappers > 0 => add_parts(walker, part, wrappers - 1, parts),
            _ => {}
        }
    }
}

/// A signal before its names are interned.
enum CallSignal<'a> {
    Env(&'a str),
    Process(&'a str),
    Request(String),
    Route(String),
}

/// Returns a request of a path, with the HTTP method if it is known.
fn request<'a>(method: Option<&str>, path: &str) -> CallSignal<'a> {
    CallSignal::Request(method.map_or_else(|| path.to_owned(), |method| format!("{method} {path}")))
}

/// Returns whether a function or method name can have a signal; a cheap filter for most calls.
fn may_be_signal(method: &str) -> bool {
    matches!(
        method,
        "Getenv" | "LookupEnv" | "Command" | "CommandContext" | "NewRequest" | "NewRequestWithContext" | "PostForm"
    ) || http_method(method).is_some()
}

/// Returns the HTTP method that a router's or client's method registers or sends; empty for any method.
fn http_method(method: &str) -> Option<&'static str> {
    Some(match method {
        "Get" | "GET" => "GET",
        "Post" | "POST" => "POST",
        "Put" | "PUT" => "PUT",
        "Patch" | "PATCH" => "PATCH",
        "Delete" | "DELETE" => "DELETE",
        "Head" | "HEAD" => "HEAD",
        "Options" | "OPTIONS" => "OPTIONS",
        "Handle" | "HandleFunc" | "Any" => "",
        _ => return None,
    })
}

/// Returns the route that `router.Method(path, …)` registers in a group with a prefix. Since Go 1.22 a pattern may begin
/// with the HTTP method. The path of a group's own route may be empty.
fn route(method: &str, prefix: &str, path: &str) -> Option<String> {
    let verb = http_method(method)?;
    let is_of_group = !prefix.is_empty() && !path.contains(' ');
    if path.starts_with('/') || is_of_group || (path.is_empty() && method == verb) {
        let path = routes::join(prefix, path);
        return Some(if verb.is_empty() { path } else { format!("{verb} {path}") });
    }
    let (first, rest) = path.split_once(' ')?;
    let is_method = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_uppercase());
    (verb.is_empty() && is_method && rest.trim_start().starts_with('/')).then(|| path.to_owned())
}

/// Returns the path of a URL, or the URL itself if it is only a path.
fn url_path(url: &str) -> Option<&str> {
    if url.starts_with('/') {
        return Some(url);
    }
    let (_, rest) = url.split_once("://")?;
    rest.find('/').map(|slash| &rest[slash..])
}
