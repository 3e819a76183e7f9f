//! Signals: reads of environment variables, started processes, HTTP routes and requests.

use tree_sitter::Node;

use super::state::Ts;
use crate::facts::SignalKind;

/// Functions of `child_process` and similar packages that start a program.
const SPAWN_FUNCTIONS: [&str; 9] =
    ["exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "fork", "execa", "execaSync"];
const HTTP_METHODS: [&str; 8] = ["get", "post", "put", "delete", "patch", "head", "options", "all"];
/// Parts of the names of objects that register routes.
const ROUTER_NAMES: [&str; 8] = ["app", "router", "server", "route", "fastify", "express", "koa", "hono"];
/// Parts of the names of objects that send requests.
const CLIENT_NAMES: [&str; 8] = ["axios", "http", "client", "api", "request", "ky", "got", "agent"];

impl<'a> Ts<'_, 'a> {
    /// Adds the signal of `process.env.NAME` or `process.env['NAME']`.
    pub fn environment_signal(&mut self, object: Node<'a>, key: Node<'a>) {
        let length = object.end_byte() - object.start_byte();
        if !matches!(length, 11 | 15) || !matches!(self.text_of(object), "process.env" | "import.meta.env") {
            return;
        }
        let name = match key.kind() {
            "string" => self.string_value(key).unwrap_or(""),
            _ => self.text_of(key),
        };
        if !name.is_empty() {
            let name = self.facts.atom(name);
            self.signal(key, SignalKind::ReadsEnv(name));
        }
    }

    /// Adds the signals of `const { NAME } = process.env`.
    pub fn environment_pattern_signals(&mut self, pattern: Node<'a>, declarator: Node<'a>) {
        let value = self.field(declarator, "value").map_or("", |value| self.text_of(value));
        if !matches!(value, "process.env" | "import.meta.env") {
            return;
        }
        for child in self.children(pattern) {
            let key = match child.kind() {
                "pair_pattern" => self.field(child, "key"),
                "object_assignment_pattern" => self.field(child, "left"),
                _ => Some(child),
            };
            if let Some(key) = key {
                let name = self.atom_of(key);
                self.signal(key, SignalKind::ReadsEnv(name));
            }
        }
    }

    /// Adds the signal of a call, by its callee and its first argument.
    pub fn call_signals(&mut self, node: Node<'a>, callee: Node<'a>, arguments: Node<'a>) {
        let (object, name) = match callee.kind() {
            "identifier" => ("", self.text_of(callee)),
            "member_expression" => {
                let object = self.field(callee, "object").map_or("", |object| self.text_of(object));
                let name = self.field(callee, "property").map_or("", |property| self.text_of(property));
                (object, name)
            }
            _ => return,
        };
        let is_spawn =
            SPAWN_FUNCTIONS.contains(&name) && matches!(object, "" | "child_process" | "cp" | "childProcess");
        let is_http_method = HTTP_METHODS.contains(&name) && !object.is_empty();
        if !is_spawn && !is_http_method && name != "fetch" {
            return;
        }
        let args = self.children(arguments);
        let literal = args.first().copied().filter(|first| first.kind() == "string");
        let Some(text) = literal.and_then(|literal| self.string_value(literal)) else { return };
        if is_spawn {
            let program = text.split_whitespace().next().unwrap_or("");
            if !program.is_empty() {
                let program = self.facts.atom(program);
                self.signal(node, SignalKind::Executes(program));
            }
        } else if text.starts_with('/') {
            self.request_or_route(node, object, name, text, &args);
        }
    }

    fn request_or_route(&mut self, node: Node<'a>, object: &str, name: &str, path: &str, args: &[Node<'a>]) {
        let receiver = object.rsplit('.').next().unwrap_or(object).to_lowercase();
        let is_one_of = |words: &[&str]| words.iter().any(|word| receiver.contains(word));
        if name == "fetch" {
            let path = self.facts.atom(path);
            return self.signal(node, SignalKind::Endpoint(path));
        }
        if args.len() > 1 && is_one_of(&ROUTER_NAMES) {
            let route = self.facts.atom(&format!("{} {path}", name.to_uppercase()));
            // The route runs each of them, the handler last.
            let is_named = |one: &Node<'a>| matches!(one.kind(), "identifier" | "member_expression");
            let handlers: Vec<Node<'a>> = args[1..].iter().copied().filter(is_named).collect();
            if !args.last().is_some_and(is_named) {
                self.signal(node, SignalKind::Route { route, handler: None });
            }
            for handler in handlers {
                let handler = Some((self.path(handler), self.context.scope));
                self.signal(node, SignalKind::Route { route, handler });
            }
            return;
        }
        if is_one_of(&CLIENT_NAMES) {
            let path = self.facts.atom(&format!("{} {path}", name.to_uppercase()));
            self.signal(node, SignalKind::Endpoint(path));
        }
    }

    /// Returns the route prefix that `@Controller('users')` declares.
    pub fn controller_prefix(&mut self, node: Node<'a>, outer: Node<'a>) -> String {
        let mut prefix = String::new();
        let decorators = self.children(outer).into_iter().chain(self.children(node)).collect::<Vec<_>>();
        for decorator in decorators {
            if decorator.kind() != "decorator" {
                continue;
            }
            let Some(call) = self.children(decorator).first().copied().filter(|call| call.kind() == "call_expression")
            else {
                continue;
            };
            let callee = self.field(call, "function").map_or("", |callee| self.text_of(callee));
            if callee == "Controller" {
                prefix = self.first_string(call).unwrap_or("").trim_matches('/').to_owned();
            }
        }
        prefix
    }

    fn first_string(&mut self, call: Node<'a>) -> Option<&'a str> {
        let arguments = self.field(call, "arguments")?;
        let first = self.children(arguments).first().copied().filter(|first| first.kind() == "string")?;
        self.string_value(first)
    }

    /// Adds the route that `@Get('path')` on a controller's method declares.
    pub fn decorator_route(&mut self, callee: Node<'a>, call: Node<'a>) {
        let method = self.text_of(callee);
        let is_http_method = ["Get", "Post", "Put", "Delete", "Patch", "Head", "Options", "All"].contains(&method);
        if !is_http_method || self.context.source.is_none() {
            return;
        }
        let own = self.first_string(call).unwrap_or("").trim_matches('/');
        let path: Vec<&str> =
            [self.state().route_prefix.as_str(), own].into_iter().filter(|part| !part.is_empty()).collect();
        let route = format!("{} /{}", method.to_uppercase(), path.join("/"));
        let route = self.facts.atom(&route);
        self.signal(call, SignalKind::Route { route, handler: None });
    }
}
