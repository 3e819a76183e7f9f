//! What code does with the world outside: environment variables, processes, HTTP routes.

use tree_sitter::Node;

use super::extract::Walker;
use super::syntax::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Signal, SignalKind};

const METHODS: [&str; 8] = ["get", "post", "put", "delete", "patch", "head", "options", "trace"];

impl Walker<'_> {
    fn signal(&mut self, kind: SignalKind, node: Node<'_>) {
        if !self.is_silent {
            let line = node.start_position().row as u32 + 1;
            self.facts.signal(Signal { source: self.at.source, kind, line });
        }
    }

    /// `os.environ["NAME"]`.
    pub(super) fn environment_index(&mut self, node: Node<'_>, value: Node<'_>) {
        if self.last_name(value) != "environ" {
            return;
        }
        if let Some(index) = field(node, FIELDS.subscript) {
            self.environment(index);
        }
    }

    fn environment(&mut self, name: Node<'_>) {
        let Some(text) = self.plain_string(name).filter(|text| !text.is_empty()).map(str::to_owned) else { return };
        let atom = self.facts.atom(&text);
        self.signal(SignalKind::ReadsEnv(atom), name);
    }

    /// Environment reads, process starts, routes and requests among ordinary calls.
    pub(super) fn signals_of_call(&mut self, function: Node<'_>, arguments: &[Node<'_>]) {
        let Some(first) = arguments.first().copied().filter(|_| !self.is_silent) else { return };
        let name = self.last_name(function);
        let object = field(function, FIELDS.object);
        let owner = object.map_or("", |object| self.last_name(object));
        match (owner, name) {
            ("os" | "", "getenv") | ("environ", "get" | "pop" | "setdefault") => self.environment(first),
            ("subprocess", "run" | "Popen" | "call" | "check_call" | "check_output")
            | ("", "Popen" | "check_call" | "check_output")
            | ("os", "system" | "popen" | "execvp" | "execv" | "execlp" | "spawnvp")
            | ("asyncio", "create_subprocess_exec" | "create_subprocess_shell") => self.process(first),
            ("", "path" | "re_path" | "url") => self.url_pattern(first, arguments),
            (_, "add_url_rule" | "add_api_route" | "add_route") => self.added_route(first, arguments),
            (_, method) if METHODS.contains(&method) && is_client(owner) => self.endpoint(method, first),
            _ => {}
        }
    }

    fn process(&mut self, command: Node<'_>) {
        let word = match kind(command) {
            Kind::List | Kind::Tuple => first_child(command),
            _ => Some(command),
        };
        let Some(text) = word.and_then(|word| self.plain_string(word)) else { return };
        let Some(program) = text.split_whitespace().next().map(str::to_owned) else { return };
        let atom = self.facts.atom(&program);
        self.signal(SignalKind::Executes(atom), command);
    }

    fn endpoint(&mut self, method: &str, url: Node<'_>) {
        let Some(text) = self.plain_string(url) else { return };
        let path = match text.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
            None => text,
        };
        let path = path.split(['?', '#']).next().unwrap_or("");
        if path.starts_with('/') {
            let endpoint = format!("{} {path}", method.to_uppercase());
            let atom = self.facts.atom(&endpoint);
            self.signal(SignalKind::Endpoint(atom), url);
        }
    }

    /// Django's `path("users/", view)`.
    fn url_pattern(&mut self, first: Node<'_>, arguments: &[Node<'_>]) {
        let Some(view) = arguments.get(1).copied() else { return };
        let Some(text) = self.plain_string(first) else { return };
        let is_view = matches!(kind(view), Kind::Identifier | Kind::Attribute | Kind::Call);
        if !is_view || self.last_name(view) == "include" {
            return;
        }
        let route = format!("/{}", text.trim_start_matches(['^', '/']));
        self.route(&route, Some(view), first);
    }

    /// `app.add_url_rule("/users", view_func=users)`.
    fn added_route(&mut self, first: Node<'_>, arguments: &[Node<'_>]) {
        let Some(text) = self.plain_string(first).map(str::to_owned) else { return };
        let named = arguments.iter().find(|argument| {
            field(**argument, FIELDS.name)
                .is_some_and(|name| matches!(self.slice(name), "view_func" | "endpoint" | "route"))
                && kind(**argument) == Kind::KeywordArgument
        });
        let handler = named
            .and_then(|argument| field(*argument, FIELDS.value))
            .or_else(|| arguments.iter().skip(1).rev().find(|argument| is_name(**argument)).copied());
        if let Some(handler) = handler.filter(|handler| is_name(*handler)) {
            self.route(&text, Some(handler), first);
        }
    }

    /// `@app.route("/users", methods=["POST"])`, `@router.get("/users")`.
    pub(super) fn route_decorator(&mut self, function: Node<'_>, arguments: &[Node<'_>]) {
        if kind(function) != Kind::Attribute {
            return;
        }
        let name = self.last_name(function);
        let is_method = METHODS.contains(&name);
        if !is_method && !matches!(name, "route" | "websocket" | "api_route") {
            return;
        }
        let Some(first) = arguments.first().copied() else { return };
        let Some(text) = self.plain_string(first) else { return };
        if !text.is_empty() && !text.starts_with('/') {
            return;
        }
        let path = if text.is_empty() { "/" } else { text };
        let methods = if is_method { vec![name.to_uppercase()] } else { self.listed_methods(arguments) };
        let routes: Vec<String> = match methods.is_empty() {
            true => vec![path.to_owned()],
            false => methods.iter().map(|method| format!("{method} {path}")).collect(),
        };
        for route in routes {
            self.route(&route, None, first);
        }
    }

    fn listed_methods(&self, arguments: &[Node<'_>]) -> Vec<String> {
        let listed = arguments.iter().find_map(|argument| {
            let name = field(*argument, FIELDS.name).filter(|_| kind(*argument) == Kind::KeywordArgument)?;
            (self.slice(name) == "methods").then(|| field(*argument, FIELDS.value))?
        });
        let methods = listed.map(children).unwrap_or_default();
        methods.into_iter().filter_map(|method| self.plain_string(method)).map(str::to_uppercase).collect()
    }

    fn route(&mut self, route: &str, handler: Option<Node<'_>>, node: Node<'_>) {
        let route = self.facts.atom(route);
        let handler = handler.map(|handler| {
            let expr = self.silently(|walker| match kind(handler) {
                // `View.as_view()`: the class is the handler.
                Kind::Call => {
                    let callee = field(handler, FIELDS.function);
                    let class = callee.and_then(|callee| field(callee, FIELDS.object)).or(callee);
                    class.map_or(walker.unknown, |class| walker.value(class))
                }
                _ => walker.value(handler),
            });
            (expr, self.at.scope)
        });
        self.signal(SignalKind::Route { route, handler }, node);
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(kind(node), Kind::Identifier | Kind::Attribute)
}

fn is_client(owner: &str) -> bool {
    matches!(owner, "requests" | "httpx" | "session" | "client" | "http") || owner.ends_with("_client")
}
