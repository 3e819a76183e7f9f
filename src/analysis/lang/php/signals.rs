//! Routes, environment variables and processes.

use tree_sitter::Node;

use super::expressions::{CLASS_STRING, path_expr};
use super::laravel;
use crate::facts::{Expr, ExprId, Role, SignalKind};
use crate::lang::common::walker::{Call, Walker};

/// Returns the content of a string literal.
fn string<'a>(walker: &Walker<'a>, node: Node<'a>) -> Option<&'a str> {
    let text = walker.text_of(node);
    let inner = text.strip_prefix(['\'', '"'])?.strip_suffix(['\'', '"'])?;
    (node.kind() == "string" || node.kind() == "encapsed_string").then_some(inner).filter(|text| !text.is_empty())
}

/// Visits an attribute. On a method, `#[Route]` is a signal; on the class, its path is the prefix.
pub fn attribute<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let name = walker.children(node).first().copied();
    if let Some(name) = name {
        walker.type_expr(name, Some(Role::Decorator));
    }
    if let Some(arguments) = walker.field(node, "parameters") {
        walker.visit_children(arguments);
    }
    let is_callable = walker.context.source.is_some_and(|id| walker.facts.definition(id).kind.is_callable());
    if is_callable && let Some((verbs, path)) = mapped(walker, node) {
        let prefix = class_prefix(walker, node).unwrap_or_default();
        for verb in verbs {
            let route = format!("{verb}/{}", join(&prefix, &path));
            let route = walker.facts.atom(&route);
            walker.signal(node, SignalKind::Route { route, handler: None });
        }
    }
    walker.unknown
}

fn join(prefix: &str, path: &str) -> String {
    let parts = [prefix.trim_matches('/'), path.trim_matches('/')];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

/// Returns the HTTP methods, each with a space behind it, and the path of `#[Route('/x', methods: ['GET'])]`.
fn mapped<'a>(walker: &mut Walker<'a>, attribute: Node<'a>) -> Option<(Vec<String>, String)> {
    let name = walker.children(attribute).first().map(|name| walker.text_of(*name))?;
    if name.rsplit('\\').next() != Some("Route") {
        return None;
    }
    let arguments = walker.field(attribute, "parameters").map_or("", |arguments| walker.text_of(arguments));
    let quoted = |text: &str| text.split(['\'', '"']).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let after = |key: &str| arguments.split_once(key).map(|(_, rest)| rest);
    let path = match after("path:") {
        Some(rest) => quoted(rest).into_iter().next(),
        // `name: '…'` alone is not a path.
        None => quoted(arguments).into_iter().next().filter(|path| path.starts_with('/') || path.starts_with('{')),
    };
    let methods = after("methods:").map_or("", |rest| rest.split(']').next().unwrap_or_default());
    let mut verbs: Vec<String> = quoted(methods).into_iter().map(|verb| format!("{} ", verb.to_uppercase())).collect();
    if verbs.is_empty() {
        verbs.push(String::new());
    }
    Some((verbs, path.unwrap_or_default()))
}

/// Returns the path of the route that is mapped on the class around a method.
fn class_prefix<'a>(walker: &mut Walker<'a>, attribute: Node<'a>) -> Option<String> {
    let class = std::iter::successors(attribute.parent(), Node::parent).find(|node| node.kind() == "class_declaration");
    let list = class?.child_by_field_name("attributes")?;
    let groups = walker.children(list);
    let attributes: Vec<Node<'a>> = groups.into_iter().flat_map(|group| walker.children(group)).collect();
    attributes.into_iter().find_map(|attribute| mapped(walker, attribute)).map(|(_, path)| path)
}

/// Adds the read of an environment variable that `name` names.
pub fn read_environment<'a>(walker: &mut Walker<'a>, name: Node<'a>) {
    if let Some(text) = string(walker, name) {
        let variable = walker.facts.atom(text);
        walker.signal(name, SignalKind::ReadsEnv(variable));
    }
}

/// Adds the start of the program at the beginning of a command line.
fn execute<'a>(walker: &mut Walker<'a>, command: Node<'a>) {
    let program = string(walker, command).and_then(|text| text.split_whitespace().next());
    if let Some(program) = program.filter(|program| !program.contains(['$', '{', '%'])) {
        let program = walker.facts.atom(program);
        walker.signal(command, SignalKind::Executes(program));
    }
}

/// Methods of routers that register a handler for a route.
const ROUTERS: &[&str] = &["any", "delete", "get", "head", "options", "patch", "post", "put"];

/// Adds the signals of a call: `Route::get('/x', …)`, `getenv('X')`, `exec('x')`, `$client->request('GET', '/x')`.
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    let function = walker.field(call.node, "function").or(call.name);
    let name = function.map_or("", |name| walker.text_of(name)).trim_start_matches('\\');
    let Some(&first) = call.arguments.first() else { return };
    framework_calls(walker, call, name);
    match (call.object, name) {
        (None, name) if CALLERS.contains(&name) => named_callbacks(walker, &call.arguments),
        // The first argument is the name of an event, a shortcode or a file.
        (None, name) if REGISTRARS.contains(&name) => named_callbacks(walker, &call.arguments[1..]),
        (None, "getenv" | "env") => read_environment(walker, first),
        (None, "exec" | "shell_exec" | "system" | "passthru" | "proc_open" | "popen") => execute(walker, first),
        (Some(object), "match") if call.arguments.len() > 2 => {
            route(walker, call, (object, "match"), call.arguments[1]);
        }
        (Some(object), verb) if ROUTERS.contains(&verb) && call.arguments.len() > 1 => {
            route(walker, call, (object, verb), first)
        }
        (Some(_), "request" | "jsonRequest") => {
            let path = call.arguments.get(1).and_then(|path| string(walker, *path));
            let verb = string(walker, first).filter(|verb| verb.bytes().all(|byte| byte.is_ascii_uppercase()));
            if let (Some(verb), Some(path)) = (verb, path.filter(|path| path.starts_with('/'))) {
                let endpoint = walker.facts.atom(&format!("{verb} {}", path.split('?').next().unwrap_or(path)));
                walker.signal(call.node, SignalKind::Endpoint(endpoint));
            }
        }
        (Some(object), "resource" | "apiResource" | "singleton") if is_router(walker, object) => {
            resource(walker, call, name, first);
        }
        (Some(object), "resources" | "apiResources") if is_router(walker, object) => {
            resources(walker, call, name, first)
        }
        _ => {}
    }
}

/// Returns whether a value registers routes, by its name.
fn is_router(walker: &Walker<'_>, object: Node<'_>) -> bool {
    let router = walker.text_of(object);
    let is_facade = router.ends_with("Route") || router.contains("Route::");
    is_facade || matches!(router, "$app" | "$router" | "$group" | "$routes")
}

/// The actions of a resource of Laravel: name, HTTP method, ending of the path, and whether only forms have it.
const ACTIONS: [(&str, &str, &str, bool); 7] = [
    ("index", "GET", "", false),
    ("create", "GET", "/create", true),
    ("store", "POST", "", false),
    ("show", "GET", "/{}", false),
    ("edit", "GET", "/{}/edit", true),
    ("update", "PUT", "/{}", false),
    ("destroy", "DELETE", "/{}", false),
];

/// Adds the routes of `Route::resource('albums', AlbumController::class)->only([…])`.
fn resource<'a>(walker: &mut Walker<'a>, call: &Call<'a>, method: &str, first: Node<'a>) {
    let (Some(name), Some(&value)) = (string(walker, first), call.values.get(1)) else { return };
    let Some(controller) = class_of(walker, value) else { return };
    let (only, except) = chosen_actions(walker, call.node);
    bind_actions(walker, call.node, (method, name), controller, &|action| {
        only.as_ref().is_none_or(|names| names.contains(&action)) && !except.contains(&action)
    });
}

/// Adds the routes of `Route::resources(['albums' => AlbumController::class])`.
fn resources<'a>(walker: &mut Walker<'a>, call: &Call<'a>, method: &str, first: Node<'a>) {
    for element in walker.children(first) {
        if let &[key, value] = walker.children(element).as_slice() {
            let value = walker.replay(|walker| walker.visit(value, Role::Read));
            if let (Some(name), Some(controller)) = (string(walker, key), class_of(walker, value)) {
                bind_actions(walker, call.node, (method, name), controller, &|_| true);
            }
        }
    }
}

fn bind_actions<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    (method, name): (&str, &str),
    controller: ExprId,
    is_chosen: &dyn Fn(&str) -> bool,
) {
    // `albums.songs` is nested: `albums/{album}/songs`.
    let mut path = String::new();
    let mut segments = name.split('.').peekable();
    let mut last = "";
    while let Some(segment) = segments.next() {
        path = format!("{path}/{}", segment.trim_matches('/'));
        last = segment.rsplit('/').next().unwrap_or(segment);
        if segments.peek().is_some() {
            path = format!("{path}/{{{}}}", parameter(last));
        }
    }
    for (action, verb, ending, is_form) in ACTIONS {
        let is_absent = (is_form && method.starts_with("api"))
            || (method == "singleton" && matches!(action, "index" | "create" | "store" | "destroy"));
        if is_absent || !is_chosen(action) {
            continue;
        }
        let ending = match method {
            "singleton" => ending.replace("/{}", ""),
            _ => ending.replace("{}", &format!("{{{}}}", parameter(last))),
        };
        let route = walker.facts.atom(&format!("{verb} {path}{ending}"));
        let handler = member_of(walker, controller, action);
        let scope = walker.context.scope;
        walker.signal(node, SignalKind::Route { route, handler: Some((handler, scope)) });
    }
}

fn parameter(name: &str) -> String {
    cruet::to_singular(&name.replace('-', "_"))
}

/// Returns the actions that calls after that of a resource choose, and those that they leave out.
fn chosen_actions<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> (Option<Vec<&'a str>>, Vec<&'a str>) {
    let (mut only, mut except) = (None, Vec::new());
    let chain = std::iter::successors(call.parent(), Node::parent);
    for outer in chain.take_while(|outer| outer.kind() == "member_call_expression") {
        let name = walker.field(outer, "name").map_or("", |name| walker.text_of(name));
        let arguments = walker.field(outer, "arguments").map_or("", |arguments| walker.text_of(arguments));
        let names = arguments.split(['\'', '"']).skip(1).step_by(2);
        match name {
            "only" => only = Some(names.collect()),
            "except" => except = names.collect(),
            _ => {}
        }
    }
    (only, except)
}

/// Returns a value of the class that `A::class` names.
fn class_of(walker: &Walker<'_>, value: ExprId) -> Option<ExprId> {
    match walker.facts.get(value) {
        Expr::Builtin { name, args } if walker.facts.text(*name) == CLASS_STRING => args.first().copied(),
        _ => None,
    }
}

/// Returns the method of a value under the name that a call of it has.
fn member_of(walker: &mut Walker<'_>, value: ExprId, method: &str) -> ExprId {
    let name = walker.callee_atom(method);
    walker.facts.expr(Expr::Member { base: value, name })
}

fn route<'a>(walker: &mut Walker<'a>, call: &Call<'a>, (object, verb): (Node<'a>, &str), first: Node<'a>) {
    let is_router = is_router(walker, object);
    let Some(path) = string(walker, first).filter(|_| is_router) else { return };
    let path = join(&group_prefix(walker, call.node), path);
    let verbs: Vec<String> = match verb {
        "any" => vec![String::new()],
        "match" => {
            let listed = walker.text_of(call.arguments[0]).split(['\'', '"']).skip(1).step_by(2);
            listed.map(|verb| format!("{} ", verb.to_uppercase())).collect()
        }
        verb => vec![format!("{} ", verb.to_uppercase())],
    };
    let mut handler = call.values.last().copied();
    // A class with one action is called itself.
    if let Some(controller) = handler.and_then(|value| class_of(walker, value)) {
        handler = Some(member_of(walker, controller, "__invoke"));
    }
    if let Some(text) = call.arguments.last().and_then(|last| string(walker, *last)) {
        handler = named_handler(walker, call.node, text).or(handler);
    }
    let is_path = |value: &ExprId| matches!(walker.facts.get(*value), Expr::Name(_) | Expr::Member { .. });
    let handler = handler.filter(is_path).map(|value| (value, walker.context.scope));
    for verb in verbs {
        let route = walker.facts.atom(&format!("{verb}/{path}"));
        walker.signal(call.node, SignalKind::Route { route, handler });
    }
}

/// Returns the handler that a text names: `'AlbumController@show'`, or `'show'` in a group of one controller.
fn named_handler<'a>(walker: &mut Walker<'a>, route: Node<'a>, text: &str) -> Option<ExprId> {
    if let Some((class, method)) = text.split_once('@') {
        let class = path_expr(walker, class, false);
        return Some(member_of(walker, class, method));
    }
    let groups = std::iter::successors(route.parent(), Node::parent);
    for outer in groups.filter(|outer| outer.kind().ends_with("_call_expression")).collect::<Vec<_>>() {
        let is_group = walker.field(outer, "name").is_some_and(|name| walker.text_of(name) == "group");
        let mut at = walker.field(outer, "object").filter(|_| is_group);
        while let Some(before) = at {
            if walker.field(before, "name").is_some_and(|name| walker.text_of(name) == "controller") {
                let list = walker.field(before, "arguments").map(|list| walker.children(list)).unwrap_or_default();
                let &first = list.first()?;
                let value = walker.replay(|walker| walker.visit(first, Role::Read));
                let class = class_of(walker, value)?;
                return Some(member_of(walker, class, text));
            }
            at = walker.field(before, "object");
        }
    }
    None
}

/// Returns the beginning of the paths of the routes of a call: what it is called on, and the groups that it is in, can have
/// one (`Route::prefix('admin')->group(…)`, `Route::group(['prefix' => 'admin'], …)`).
fn group_prefix<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> String {
    let mut prefix = chain_prefix(walker, call);
    let groups =
        std::iter::successors(call.parent(), Node::parent).filter(|outer| outer.kind().ends_with("_call_expression"));
    for outer in groups.collect::<Vec<_>>() {
        let name = walker.field(outer, "name").map_or("", |name| walker.text_of(name));
        if name == "group" {
            let arguments = walker.field(outer, "arguments").map(|list| walker.children(list)).unwrap_or_default();
            let options = arguments.first().map_or("", |first| walker.text_of(*first));
            let own = options.starts_with('[').then(|| prefix_option(options)).flatten().unwrap_or_default();
            prefix = join(&join(&chain_prefix(walker, outer), own), &prefix);
        }
    }
    prefix
}

/// Returns the text of `'prefix' => 'admin'` in an array.
fn prefix_option(options: &str) -> Option<&str> {
    let (_, rest) = options.split_once("'prefix'").or_else(|| options.split_once("\"prefix\""))?;
    rest.split(['\'', '"']).nth(1)
}

/// Returns the prefixes that the calls before a call in a chain set.
fn chain_prefix<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> String {
    let mut prefix = String::new();
    let mut at = walker.field(call, "object");
    while let Some(before) = at {
        if walker.field(before, "name").is_some_and(|name| walker.text_of(name) == "prefix") {
            let first = walker.field(before, "arguments").map(|list| walker.children(list)).unwrap_or_default();
            let text = first.first().and_then(|first| walker.children(*first).first().copied());
            prefix = join(text.and_then(|text| string(walker, text)).unwrap_or_default(), &prefix);
        }
        at = walker.field(before, "object");
    }
    prefix
}

/// Functions that call what a text names.
const CALLERS: &[&str] = &[
    "array_filter",
    "array_map",
    "array_reduce",
    "array_walk",
    "call_user_func",
    "call_user_func_array",
    "is_callable",
    "register_shutdown_function",
    "set_error_handler",
    "set_exception_handler",
    "spl_autoload_register",
    "uasort",
    "uksort",
    "usort",
];

/// Functions of WordPress that register a function for what their first argument names, sorted.
const REGISTRARS: &[&str] = &[
    "add_action",
    "add_filter",
    "add_meta_box",
    "add_shortcode",
    "register_activation_hook",
    "register_deactivation_hook",
    "register_uninstall_hook",
];

/// Adds references to the functions and static methods that texts among the arguments name.
fn named_callbacks<'a>(walker: &mut Walker<'a>, arguments: &[Node<'a>]) {
    for argument in arguments {
        if let Some((class, method)) = named_method(walker, *argument) {
            let class = path_expr(walker, &format!("\\{}", class.trim_start_matches('\\')), false);
            let method = member_of(walker, class, method);
            walker.refer(method, *argument, Role::Read);
        }
        let Some(text) = string(walker, *argument) else { continue };
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '\\' | ':');
        if !text.chars().all(is_name) {
            continue;
        }
        let text = text.replace("\\\\", "\\");
        let expr = match text.split_once("::") {
            Some((class, method)) => {
                let class = path_expr(walker, &format!("\\{}", class.trim_start_matches('\\')), false);
                member_of(walker, class, method)
            }
            None if text.contains('\\') => path_expr(walker, &format!("\\{}", text.trim_start_matches('\\')), true),
            None => path_expr(walker, &text, true),
        };
        walker.refer(expr, *argument, Role::Read);
    }
}

/// Returns the class and the method that `['Class', 'method']` names.
fn named_method<'a>(walker: &mut Walker<'a>, array: Node<'a>) -> Option<(&'a str, &'a str)> {
    if array.kind() != "array_creation_expression" {
        return None;
    }
    let &[class, method] = walker.children(array).as_slice() else { return None };
    let (class, method) = (walker.children(class).pop()?, walker.children(method).pop()?);
    Some((string(walker, class)?, string(walker, method)?))
}

/// Adds the calls that Laravel makes of what is dispatched, and of the policies that decide about a model.
fn framework_calls<'a>(walker: &mut Walker<'a>, call: &Call<'a>, name: &str) {
    match (name, call.values.as_slice()) {
        ("event" | "dispatch" | "dispatch_sync" | "dispatchSync" | "dispatchNow", &[value, ..]) => {
            walker.implied_call(value, &[laravel::DISPATCHED], &[], call.node);
        }
        ("authorize" | "can" | "cannot" | "allows" | "denies" | "check", &[_, model, ..]) => {
            let Some(action) = string(walker, call.arguments[0]) else { return };
            let model = class_of(walker, model).unwrap_or(model);
            let policy = walker.facts.member(model, laravel::POLICY);
            walker.implied_call(policy, &[action], &[], call.node);
        }
        _ => {}
    }
}

/// Adds the signal of `new Process(['git', …])`.
pub fn on_new<'a>(walker: &mut Walker<'a>, node: Node<'a>, arguments: &[Node<'a>]) {
    let text = walker.text_of(node);
    let name = text.trim_start_matches("new").trim_start().split(['(', ' ', ';']).next().unwrap_or_default();
    if name.rsplit('\\').next() != Some("Process") {
        return;
    }
    let Some(&array) = arguments.first() else { return };
    let Some(&element) = walker.children(array).first() else { return };
    if let Some(&program) = walker.children(element).first() {
        execute(walker, program);
    }
}
