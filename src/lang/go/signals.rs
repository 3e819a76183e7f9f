//! Signals in calls: environment variables read, processes started, HTTP routes and requests.

use tree_sitter::Node;

use super::extract::{Context, Walker};
use super::grammar::{Kind, kind};
use super::imports::string_content;
use crate::facts::{ExprId, Signal, SignalKind};

/// String literals of this length or more are no routes or names.
const MAX_LITERAL_BYTES: usize = 200;

impl<'a> Walker<'a> {
    /// Records the signal of a call, if `function` is one of the known methods.
    pub(super) fn record_signal(&mut self, function: Node<'a>, nodes: &[Node<'a>], args: &[ExprId], context: Context) {
        if kind(function) != Kind::SelectorExpression {
            return;
        }
        let Some(method) = self.child(function, self.fields.field).map(|field| self.text_of(field)) else { return };
        if !may_be_signal(method) {
            return;
        }
        let operand = self.child(function, self.fields.operand).map_or("", |operand| self.text_of(operand));
        let package = self.imports.get(operand).copied().unwrap_or_default();
        let literal = |index: usize| nodes.get(index).and_then(|node| self.string_literal(*node));
        let signal = match (package, method) {
            ("os", "Getenv" | "LookupEnv") | ("syscall", "Getenv") => literal(0).map(CallSignal::Env),
            ("os/exec", "Command") => literal(0).map(CallSignal::Process),
            ("os/exec", "CommandContext") => literal(1).map(CallSignal::Process),
            ("net/http", "Get" | "Post" | "Head" | "PostForm") => {
                let verb = http_method(method).unwrap_or("POST");
                literal(0).and_then(url_path).map(|path| request(Some(verb), path))
            }
            ("net/http", "NewRequest") => literal(1).and_then(url_path).map(|path| request(literal(0), path)),
            ("net/http", "NewRequestWithContext") => {
                literal(2).and_then(url_path).map(|path| request(literal(1), path))
            }
            _ => literal(0).filter(|_| nodes.len() > 1).and_then(|path| route(method, path)).map(CallSignal::Route),
        };
        let kind = match signal {
            None => return,
            Some(CallSignal::Env(name)) => SignalKind::ReadsEnv(self.facts.atom(name)),
            Some(CallSignal::Process(name)) => SignalKind::Executes(self.facts.atom(name)),
            Some(CallSignal::Request(path)) => SignalKind::Endpoint(self.facts.atom(&path)),
            Some(CallSignal::Route(route)) => {
                let last = nodes.len() - 1;
                let is_name = matches!(kind(nodes[last]), Kind::Identifier | Kind::SelectorExpression);
                let handler = is_name.then(|| (args[last], context.scope));
                SignalKind::Route { route: self.facts.atom(&route), handler }
            }
        };
        self.facts.signal(Signal { source: context.source, kind, line: function.start_position().row as u32 + 1 });
    }

    /// Returns the content of a string literal, unless it is empty or long.
    fn string_literal(&self, node: Node<'a>) -> Option<&'a str> {
        matches!(kind(node), Kind::InterpretedString | Kind::RawString)
            .then(|| string_content(self.text_of(node)))
            .filter(|content| !content.is_empty() && content.len() < MAX_LITERAL_BYTES)
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

/// Returns the route that `router.Method(path, …)` registers. Since Go 1.22 a pattern may begin with the HTTP method.
fn route(method: &str, path: &str) -> Option<String> {
    let verb = http_method(method)?;
    if path.starts_with('/') {
        return Some(if verb.is_empty() { path.to_owned() } else { format!("{verb} {path}") });
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
