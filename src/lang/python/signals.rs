//! Signals: environment variables read, processes started, HTTP routes and requests.

use tree_sitter::Node;

use super::extract::Walker;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Signal, SignalKind};

/// Methods of routers and HTTP clients that are named after an HTTP method.
const HTTP_METHODS: [&str; 8] = ["get", "post", "put", "delete", "patch", "head", "options", "trace"];

impl Walker<'_> {
    fn add_signal(&mut self, kind: SignalKind, node: Node<'_>) {
        if !self.is_replay {
            let line = node.start_position().row as u32 + 1;
            self.facts.signal(Signal { source: self.context.source, kind, line });
        }
    }

    /// Records `os.environ["NAME"]`.
    pub(super) fn environ_subscript(&mut self, node: Node<'_>, value: Node<'_>) {
        if self.last_name(value) != "environ" {
            return;
        }
        if let Some(index) = field(node, FIELDS.subscript) {
            self.environ_read(index);
        }
    }

    fn environ_read(&mut self, name: Node<'_>) {
        let Some(text) = self.string_literal(name).filter(|text| !text.is_empty()).map(str::to_owned) else { return };
        let atom = self.facts.atom(&text);
        self.add_signal(SignalKind::ReadsEnv(atom), name);
    }

    /// Records the signal of a call, if it has one.
    pub(super) fn record_signals(&mut self, function: Node<'_>, arguments: &[Node<'_>]) {
        let Some(first) = arguments.first().copied().filter(|_| !self.is_replay) else { return };
        let name = self.last_name(function);
        let object = field(function, FIELDS.object);
        let owner = object.map_or("", |object| self.last_name(object));
        match (owner, name) {
            ("os" | "", "getenv") | ("environ", "get" | "pop" | "setdefault") => self.environ_read(first),
            ("subprocess", "run" | "Popen" | "call" | "check_call" | "check_output")
            | ("", "Popen" | "check_call" | "check_output")
            | ("os", "system" | "popen" | "execvp" | "execv" | "execlp" | "spawnvp")
            | ("asyncio", "create_subprocess_exec" | "create_subprocess_shell") => self.process_start(first),
            ("", "path" | "re_path" | "url") => self.url_pattern(first, arguments),
            (_, "add_url_rule" | "add_api_route" | "add_route") => self.route_call(first, arguments),
            (_, method) if HTTP_METHODS.contains(&method) && is_http_client(owner) => self.http_request(method, first),
            _ => {}
        }
    }

    fn process_start(&mut self, command: Node<'_>) {
        let word = match kind(command) {
            Kind::List | Kind::Tuple => first_child(command),
            _ => Some(command),
        };
        let Some(text) = word.and_then(|word| self.string_literal(word)) else { return };
        let Some(program) = text.split_whitespace().next().map(str::to_owned) else { return };
        let atom = self.facts.atom(&program);
        self.add_signal(SignalKind::Executes(atom), command);
    }

    fn http_request(&mut self, method: &str, url: Node<'_>) {
        let Some(text) = self.string_literal(url) else { return };
        let path = match text.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
            None => text,
        };
        let path = path.split(['?', '#']).next().unwrap_or("");
        if path.starts_with('/') {
            let endpoint = format!("{} {path}", method.to_uppercase());
            let atom = self.facts.atom(&endpoint);
            self.add_signal(SignalKind::Endpoint(atom), url);
        }
    }

    /// Records Django's `path("users/", view)`.
    fn url_pattern(&mut self, first: Node<'_>, arguments: &[Node<'_>]) {
        let Some(view) = arguments.get(1).copied() else { return };
        let Some(text) = self.string_literal(first) else { return };
        let is_view = matches!(kind(view), Kind::Identifier | Kind::Attribute | Kind::Call);
        if !is_view || self.last_name(view) == "include" {
            return;
        }
        let route = format!("/{}", text.trim_start_matches(['^', '/']));
        self.add_route(&route, Some(view), first);
    }

    /// Records `app.add_url_rule("/users", view_func=users)`.
    fn route_call(&mut self, first: Node<'_>, arguments: &[Node<'_>]) {
        let Some(text) = self.string_literal(first).map(str::to_owned) else { return };
        let named = arguments.iter().find(|argument| {
            field(**argument, FIELDS.name)
                .is_some_and(|name| matches!(self.text_of(name), "view_func" | "endpoint" | "route"))
                && kind(**argument) == Kind::KeywordArgument
        });
        let handler = named
            .and_then(|argument| field(*argument, FIELDS.value))
            .or_else(|| arguments.iter().skip(1).rev().find(|argument| is_name(**argument)).copied());
        if let Some(handler) = handler.filter(|handler| is_name(*handler)) {
            self.add_route(&text, Some(handler), first);
        }
    }

    /// Records `@app.route("/users", methods=["POST"])` and `@router.get("/users")`.
    pub(super) fn route_decorator(&mut self, function: Node<'_>, arguments: &[Node<'_>]) {
        if kind(function) != Kind::Attribute {
            return;
        }
        let name = self.last_name(function);
        let is_method = HTTP_METHODS.contains(&name);
        if !is_method && !matches!(name, "route" | "websocket" | "api_route") {
            return;
        }
        let Some(first) = arguments.first().copied() else { return };
        let Some(text) = self.string_literal(first) else { return };
        if !text.is_empty() && !text.starts_with('/') {
            return;
        }
        let path = if text.is_empty() { "/" } else { text };
        let methods = if is_method { vec![name.to_uppercase()] } else { self.methods_argument(arguments) };
        let routes: Vec<String> = match methods.is_empty() {
            true => vec![path.to_owned()],
            false => methods.iter().map(|method| format!("{method} {path}")).collect(),
        };
        for route in routes {
            self.add_route(&route, None, first);
        }
    }

    /// Returns the HTTP methods in the argument `methods=[…]`.
    fn methods_argument(&self, arguments: &[Node<'_>]) -> Vec<String> {
        let methods_argument = arguments.iter().find_map(|argument| {
            let name = field(*argument, FIELDS.name).filter(|_| kind(*argument) == Kind::KeywordArgument)?;
            (self.text_of(name) == "methods").then(|| field(*argument, FIELDS.value))?
        });
        let methods = methods_argument.map(children).unwrap_or_default();
        methods.into_iter().filter_map(|method| self.string_literal(method)).map(str::to_uppercase).collect()
    }

    fn add_route(&mut self, route: &str, handler: Option<Node<'_>>, node: Node<'_>) {
        let route = self.facts.atom(route);
        let handler = handler.map(|handler| {
            let expr = self.replay(|walker| match kind(handler) {
                // The handler of `View.as_view()` is the class.
                Kind::Call => {
                    let callee = field(handler, FIELDS.function);
                    let class = callee.and_then(|callee| field(callee, FIELDS.object)).or(callee);
                    class.map_or(walker.unknown, |class| walker.value(class))
                }
                _ => walker.value(handler),
            });
            (expr, self.context.scope)
        });
        self.add_signal(SignalKind::Route { route, handler }, node);
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(kind(node), Kind::Identifier | Kind::Attribute)
}

/// Returns whether an object is an HTTP client, by its name.
fn is_http_client(owner: &str) -> bool {
    matches!(owner, "requests" | "httpx" | "session" | "client" | "http") || owner.ends_with("_client")
}
