//! Signals: reads of environment variables, started processes, HTTP routes and requests.

use tree_sitter::Node;

use super::grammar::{Kind, kind};
use super::paths::is_capital;
use super::walker::{Walker, children};
use crate::facts::{DefId, Expr, ExprId, Signal, SignalKind};

impl Walker {
    /// Adds the signal of `env!` or `option_env!`.
    pub fn macro_signals(&mut self, name: &str, tokens: Node<'_>) {
        if !matches!(name, "env" | "option_env") {
            return;
        }
        let variable = self.text_of(tokens).split('"').nth(1).unwrap_or("").to_owned();
        if is_capital(&variable) {
            let kind = SignalKind::ReadsEnv(self.builder.atom(&variable));
            let line = self.line(tokens);
            self.builder.signal(Signal { source: self.context.source, kind, line });
        }
    }

    /// Adds the signal of a call such as `env::var("X")`, `Command::new("x")` or `.route("/x", get(f))`.
    pub fn call_signals(&mut self, function: Node<'_>, nodes: &[Node<'_>], args: &[ExprId]) {
        let Some(first) = nodes.first().filter(|first| kind(**first) == Kind::String) else { return };
        let literal = self.text_of(*first).trim_matches('"').to_owned();
        let callee_text = match kind(function) {
            Kind::ScopedIdentifier => self.text_of(function).to_owned(),
            Kind::Field => match self.child(function, self.fields.field) {
                Some(field) => format!(".{}", self.text_of(field)),
                None => return,
            },
            _ => return,
        };
        let mut segments = callee_text.rsplit("::");
        let signal_kind = match (segments.next().unwrap_or(""), segments.next().unwrap_or("")) {
            ("var" | "var_os", "env") => SignalKind::ReadsEnv(self.builder.atom(&literal)),
            ("new", "Command") => SignalKind::Executes(self.builder.atom(&literal)),
            ("get", "reqwest") => {
                let rest = literal.split_once("://").map_or(&*literal, |(_, rest)| rest);
                let Some(path) = rest.find('/').map(|at| &rest[at..]) else { return };
                SignalKind::Endpoint(self.builder.atom(&format!("GET {path}")))
            }
            (".route", "") if literal.starts_with('/') && nodes.len() > 1 => {
                let (method, handler) = self.route_handler(nodes[1], args.get(1).copied());
                let route = self.builder.atom(format!("{method} {literal}").trim());
                SignalKind::Route { route, handler: handler.map(|handler| (handler, self.context.scope)) }
            }
            _ => return,
        };
        let line = self.line(function);
        self.builder.signal(Signal { source: self.context.source, kind: signal_kind, line });
    }

    /// Returns the HTTP method and the handler in `get(handler)`.
    fn route_handler(&mut self, node: Node<'_>, value: Option<ExprId>) -> (String, Option<ExprId>) {
        let method = self.child(node, self.fields.function).map(|name| self.text_of(name).to_uppercase());
        let method = method.filter(|name| name.chars().all(|c| c.is_ascii_alphabetic())).unwrap_or_default();
        let handler = match value.map(|value| self.builder.get(value)) {
            Some(Expr::Call { args, .. }) => args.first().copied(),
            _ => None,
        };
        (method, handler.filter(|handler| *handler != self.unknown))
    }

    /// Adds the route that `#[get("/path")]` declares.
    pub fn route_attribute(&mut self, attribute: Node<'_>, method: &str, definition: DefId) {
        let Some(arguments) = self.child(attribute, self.fields.arguments) else { return };
        let literal = children(arguments).first().copied().filter(|first| kind(*first) == Kind::String);
        let Some(literal) = literal else { return };
        let path = self.text_of(literal).trim_matches('"').to_owned();
        if path.starts_with('/') {
            let route = self.builder.atom(&format!("{} {path}", method.to_uppercase()));
            let kind = SignalKind::Route { route, handler: None };
            let line = self.line(attribute);
            self.builder.signal(Signal { source: Some(definition), kind, line });
        }
    }
}
