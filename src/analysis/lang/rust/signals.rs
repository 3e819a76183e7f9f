//! Signals: reads of environment variables, started processes, HTTP routes and requests.

use tree_sitter::Node;

use super::paths::is_capital;
use crate::facts::{Expr, ExprId, SignalKind};
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;

/// Adds the signal of `env!` or `option_env!`.
pub fn macro_call<'a>(walker: &mut Walker<'a>, name: &str, tokens: Node<'a>) {
    let variable = walker.text_of(tokens).split('"').nth(1).unwrap_or("");
    if matches!(name, "env" | "option_env") && is_capital(variable) {
        let kind = SignalKind::ReadsEnv(walker.facts.atom(variable));
        walker.signal(tokens, kind);
    }
}

/// Adds the signal of a call such as `env::var("X")`, `Command::new("x")` or `.route("/x", get(f))`.
pub fn call<'a>(walker: &mut Walker<'a>, function: Node<'a>, nodes: &[Node<'a>], args: &[ExprId]) {
    let Some(first) = nodes.first().filter(|first| first.kind() == "string_literal") else { return };
    let literal = walker.text_of(*first).trim_matches('"');
    let name = walker.part_of(function, Part::Name).map_or("", |name| walker.text_of(name));
    let owner = match walker.part_of(function, Part::Object) {
        _ if walker.is(function, Action::Member) => ".",
        Some(path) => walker.text_of(path).rsplit("::").next().unwrap_or(""),
        None => return,
    };
    let kind = match (owner, name) {
        ("env", "var" | "var_os") => SignalKind::ReadsEnv(walker.facts.atom(literal)),
        ("Command", "new") => SignalKind::Executes(walker.facts.atom(literal)),
        ("reqwest", "get") => {
            let rest = literal.split_once("://").map_or(literal, |(_, rest)| rest);
            let Some(path) = rest.find('/').map(|at| &rest[at..]) else { return };
            SignalKind::Endpoint(walker.facts.atom(&format!("GET {path}")))
        }
        (".", "route") if literal.starts_with('/') && nodes.len() > 1 => {
            let (method, handler) = route_handler(walker, nodes[1], args.get(1).copied());
            let route = walker.facts.atom(format!("{method} {literal}").trim());
            SignalKind::Route { route, handler: handler.map(|handler| (handler, walker.context.scope)) }
        }
        _ => return,
    };
    walker.signal(function, kind);
}

/// Returns the HTTP method and the handler in `get(handler)`.
fn route_handler<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: Option<ExprId>) -> (String, Option<ExprId>) {
    let method = walker.part_of(node, Part::Function).map(|name| walker.text_of(name).to_uppercase());
    let method = method.filter(|name| name.chars().all(|c| c.is_ascii_alphabetic())).unwrap_or_default();
    let handler = match value.map(|value| walker.facts.get(value)) {
        Some(Expr::Call { args, .. }) => args.first().copied(),
        _ => None,
    };
    (method, handler.filter(|handler| *handler != walker.unknown))
}

/// Adds the route that `#[get("/path")]` declares for the current definition.
pub fn route_attribute<'a>(walker: &mut Walker<'a>, attribute: Node<'a>, method: &str) {
    let Some(arguments) = walker.field(attribute, "arguments") else { return };
    let Some(&first) = walker.children(arguments).first() else { return };
    let path = walker.text_of(first).trim_matches('"');
    if first.kind() == "string_literal" && path.starts_with('/') {
        let route = walker.facts.atom(&format!("{} {path}", method.to_uppercase()));
        walker.signal(attribute, SignalKind::Route { route, handler: None });
    }
}
