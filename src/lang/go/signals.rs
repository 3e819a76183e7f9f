//! What calls say about the world outside: environment variables, processes, HTTP routes and requests.

use tree_sitter::Node;

use super::extract::{At, Walker};
use super::imports::string_content;
use super::kinds::{Kind, kind};
use crate::facts::{ExprId, Signal, SignalKind};

impl<'a> Walker<'a> {
    /// Notes what a call of `function` says by its form.
    pub(super) fn signals(&mut self, function: Node<'a>, nodes: &[Node<'a>], args: &[ExprId], at: At) {
        if kind(function) != Kind::SelectorExpression {
            return;
        }
        let Some(method) = self.child(function, self.fields.field).map(|field| self.source(field)) else { return };
        if !is_interesting(method) {
            return;
        }
        let operand = self.child(function, self.fields.operand).map_or("", |operand| self.source(operand));
        let package = self.imports.get(operand).copied().unwrap_or_default();
        let literal = |index: usize| nodes.get(index).and_then(|node| self.literal(*node));
        let found = match (package, method) {
            ("os", "Getenv" | "LookupEnv") | ("syscall", "Getenv") => literal(0).map(Found::Env),
            ("os/exec", "Command") => literal(0).map(Found::Process),
            ("os/exec", "CommandContext") => literal(1).map(Found::Process),
            ("net/http", "Get" | "Post" | "Head" | "PostForm") => {
                let verb = verb(method).unwrap_or("POST");
                literal(0).and_then(url_path).map(|path| request(Some(verb), path))
            }
            ("net/http", "NewRequest") => literal(1).and_then(url_path).map(|path| request(literal(0), path)),
            ("net/http", "NewRequestWithContext") => {
                literal(2).and_then(url_path).map(|path| request(literal(1), path))
            }
            _ => literal(0).filter(|_| nodes.len() > 1).and_then(|path| route(method, path)).map(Found::Route),
        };
        let Some(found) = found else { return };
        let kind = match found {
            Found::Env(name) => SignalKind::ReadsEnv(self.facts.atom(name)),
            Found::Process(name) => SignalKind::Executes(self.facts.atom(name)),
            Found::Request(path) => SignalKind::Endpoint(self.facts.atom(&path)),
            Found::Route(route) => {
                let last = nodes.len() - 1;
                let is_name = matches!(kind(nodes[last]), Kind::Identifier | Kind::SelectorExpression);
                let handler = is_name.then(|| (args[last], at.scope));
                SignalKind::Route { route: self.facts.atom(&route), handler }
            }
        };
        self.facts.signal(Signal { source: at.source, kind, line: function.start_position().row as u32 + 1 });
    }

    /// The content of a string literal.
    fn literal(&self, node: Node<'a>) -> Option<&'a str> {
        matches!(kind(node), Kind::InterpretedString | Kind::RawString)
            .then(|| string_content(self.source(node)))
            .filter(|content| !content.is_empty() && content.len() < 200)
    }
}

enum Found<'a> {
    Env(&'a str),
    Process(&'a str),
    Request(String),
    Route(String),
}

/// A request of a path, with the method where that is known.
fn request<'a>(method: Option<&str>, path: &str) -> Found<'a> {
    Found::Request(method.map_or_else(|| path.to_owned(), |method| format!("{method} {path}")))
}

/// Names of functions and methods that may give a signal: all others are passed over at once.
fn is_interesting(method: &str) -> bool {
    matches!(
        method,
        "Getenv" | "LookupEnv" | "Command" | "CommandContext" | "NewRequest" | "NewRequestWithContext" | "PostForm"
    ) || verb(method).is_some()
}

/// The HTTP method that a router's method stands for; empty when any will do.
fn verb(method: &str) -> Option<&'static str> {
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

/// The route that `router.Method(path, …)` binds. A pattern may begin with the HTTP method itself.
fn route(method: &str, path: &str) -> Option<String> {
    let verb = verb(method)?;
    if path.starts_with('/') {
        return Some(if verb.is_empty() { path.to_owned() } else { format!("{verb} {path}") });
    }
    let (first, rest) = path.split_once(' ')?;
    let is_verb = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_uppercase());
    (verb.is_empty() && is_verb && rest.trim_start().starts_with('/')).then(|| path.to_owned())
}

/// The path of a URL.
fn url_path(url: &str) -> Option<&str> {
    if url.starts_with('/') {
        return Some(url);
    }
    let (_, rest) = url.split_once("://")?;
    rest.find('/').map(|at| &rest[at..])
}
