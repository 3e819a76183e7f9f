//! Signals: environment variables read, processes started, HTTP routes and requests.

use tree_sitter::Node;

use super::parameters::fixture;
use super::state::{first_child, last_name};
use super::values::string_literal;
use crate::facts::{ExprId, Role, SignalKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Call, Walker};

/// Methods of routers and HTTP clients that are named after an HTTP method.
const HTTP_METHODS: [&str; 8] = ["get", "post", "put", "delete", "patch", "head", "options", "trace"];

/// Records the read of the environment variable that a literal names.
pub fn environ_read<'a>(walker: &mut Walker<'a>, name: Node<'a>) {
    if let Some(text) = string_literal(walker, name).filter(|text| !text.is_empty()) {
        let atom = walker.facts.atom(text);
        walker.signal(name, SignalKind::ReadsEnv(atom));
    }
}

/// Records the signal of a call, if it has one.
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    let arguments = argument_list(walker, call.node);
    let (Some(&first), false) = (arguments.first(), walker.is_replay) else { return };
    let Some(function) = walker.part_of(call.node, Part::Function) else { return };
    let name = last_name(walker, function);
    let object = walker.part_of(function, Part::Object).filter(|_| function.kind() == "attribute");
    let owner = object.map_or("", |object| last_name(walker, object));
    match (owner, name) {
        ("os" | "", "getenv") | ("environ", "get" | "pop" | "setdefault") => environ_read(walker, first),
        ("subprocess", "run" | "Popen" | "call" | "check_call" | "check_output")
        | ("", "Popen" | "check_call" | "check_output")
        | ("os", "system" | "popen" | "execvp" | "execv" | "execlp" | "spawnvp")
        | ("asyncio", "create_subprocess_exec" | "create_subprocess_shell") => process_start(walker, first),
        ("", "path" | "re_path" | "url") => url_pattern(walker, first, &arguments),
        (_, "add_url_rule" | "add_api_route" | "add_route") => route_call(walker, first, &arguments),
        (_, method) if HTTP_METHODS.contains(&method) && is_http_client(owner) => http_request(walker, method, first),
        _ => {}
    }
}

fn process_start<'a>(walker: &mut Walker<'a>, command: Node<'a>) {
    let word = match command.kind() {
        "list" | "tuple" => first_child(walker, command),
        _ => Some(command),
    };
    let text = word.and_then(|word| string_literal(walker, word));
    let words = match command.kind() {
        "list" | "tuple" => walker.children(command),
        _ => vec![command],
    };
    // What is not a text can be the interpreter, a folder or an option.
    let words: Vec<&str> = words.into_iter().map(|word| string_literal(walker, word).unwrap_or("$")).collect();
    walker.runs(command, &words.join(" "));
    if let Some(program) = text.and_then(|text| text.split_whitespace().next()) {
        let atom = walker.facts.atom(program);
        walker.signal(command, SignalKind::Executes(atom));
    }
}

fn http_request<'a>(walker: &mut Walker<'a>, method: &str, url: Node<'a>) {
    let Some(text) = string_literal(walker, url) else { return };
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
        None => text,
    };
    let path = path.split(['?', '#']).next().unwrap_or("");
    if path.starts_with('/') {
        let atom = walker.facts.atom(&format!("{} {path}", method.to_uppercase()));
        walker.signal(url, SignalKind::Endpoint(atom));
    }
}

/// Records Django's `path("users/", view)`.
fn url_pattern<'a>(walker: &mut Walker<'a>, first: Node<'a>, arguments: &[Node<'a>]) {
    let (Some(&view), Some(text)) = (arguments.get(1), string_literal(walker, first)) else { return };
    if (is_name(view) || view.kind() == "call") && last_name(walker, view) != "include" {
        let route = format!("/{}", text.trim_start_matches(['^', '/']));
        add_route(walker, &route, Some(view), first);
    }
}

/// Records `app.add_url_rule("/users", view_func=users)`.
fn route_call<'a>(walker: &mut Walker<'a>, first: Node<'a>, arguments: &[Node<'a>]) {
    let Some(text) = string_literal(walker, first) else { return };
    let named = named_argument(walker, arguments, &["view_func", "endpoint", "route"]);
    let handler = named.or_else(|| arguments.iter().skip(1).rev().find(|argument| is_name(**argument)).copied());
    if let Some(handler) = handler.filter(|handler| is_name(*handler)) {
        add_route(walker, text, Some(handler), first);
    }
}

/// Records `@app.route("/users", methods=["POST"])`, `@router.get("/users")`, and the fixtures that
/// `@pytest.mark.usefixtures("name")` names.
pub fn decorator<'a>(walker: &mut Walker<'a>, call: Node<'a>) {
    let Some(function) = walker.part_of(call, Part::Function) else { return };
    let name = last_name(walker, function);
    let arguments = argument_list(walker, call);
    if walker.is_test && name == "usefixtures" {
        for argument in &arguments {
            let Some(text) = string_literal(walker, *argument) else { continue };
            let name = walker.facts.atom(text);
            fixture(walker, name, *argument);
        }
    }
    let is_method = HTTP_METHODS.contains(&name);
    if function.kind() != "attribute" || !is_method && !matches!(name, "route" | "websocket" | "api_route") {
        return;
    }
    let Some(&first) = arguments.first() else { return };
    let Some(text) = string_literal(walker, first).filter(|text| text.is_empty() || text.starts_with('/')) else {
        return;
    };
    let path = if text.is_empty() { "/" } else { text };
    let mut methods = vec![name.to_uppercase()];
    if !is_method {
        let list = named_argument(walker, &arguments, &["methods"]);
        let listed = list.map_or(Vec::new(), |list| walker.children(list));
        methods =
            listed.into_iter().filter_map(|method| string_literal(walker, method)).map(str::to_uppercase).collect();
    }
    if methods.is_empty() {
        add_route(walker, path, None, first);
    }
    for method in methods {
        add_route(walker, &format!("{method} {path}"), None, first);
    }
}

fn argument_list<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> Vec<Node<'a>> {
    walker.part_of(call, Part::Arguments).map_or(Vec::new(), |list| walker.children(list))
}

/// Returns the value of the first argument with one of these names.
fn named_argument<'a>(walker: &mut Walker<'a>, arguments: &[Node<'a>], names: &[&str]) -> Option<Node<'a>> {
    let mut named = arguments.iter().filter(|argument| argument.kind() == "keyword_argument");
    let found = named.find(|argument| {
        walker.part_of(**argument, Part::Name).is_some_and(|name| names.contains(&walker.text_of(name)))
    });
    walker.part_of(*found?, Part::Value)
}

fn add_route<'a>(walker: &mut Walker<'a>, route: &str, handler: Option<Node<'a>>, node: Node<'a>) {
    let route = walker.facts.atom(route);
    let handler = handler.map(|handler| (handler_value(walker, handler), walker.context.scope));
    walker.signal(node, SignalKind::Route { route, handler });
}

/// Returns the value of a handler. That of `View.as_view()` is the class.
fn handler_value<'a>(walker: &mut Walker<'a>, handler: Node<'a>) -> ExprId {
    let callee = walker.part_of(handler, Part::Function).filter(|_| handler.kind() == "call");
    let class = callee.and_then(|callee| walker.part_of(callee, Part::Object)).or(callee);
    walker.replay(|walker| walker.visit(class.unwrap_or(handler), Role::Read))
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "attribute")
}

/// Returns whether an object is an HTTP client, by its name.
fn is_http_client(owner: &str) -> bool {
    matches!(owner, "requests" | "httpx" | "session" | "client" | "http") || owner.ends_with("_client")
}
