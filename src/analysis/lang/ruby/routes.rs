//! Routes: those of Sinatra, whose blocks handle them, and those of Rails, which name an action of a controller.

use tree_sitter::Node;

use super::calls::{Parts, literal};
use super::declarations::block_function;
use crate::facts::{ExprId, Flags, Signal, SignalKind};
use crate::lang::common::walker::Walker;

/// Methods that bind a route to a handler.
const VERBS: &[&str] = &["delete", "get", "head", "options", "patch", "post", "put"];

/// Methods of Rails whose blocks change the routes in them.
const SCOPES: &[&str] = &["collection", "member", "namespace", "resource", "resources", "scope"];

/// The actions of `resources`, with their methods and paths.
const ACTIONS: [(&str, &str, &str); 7] = [
    ("index", "GET", ""),
    ("new", "GET", "/new"),
    ("create", "POST", ""),
    ("show", "GET", "/:id"),
    ("edit", "GET", "/:id/edit"),
    ("update", "PATCH", "/:id"),
    ("destroy", "DELETE", "/:id"),
];

/// The path, modules and controller of the calls around a route.
#[derive(Debug, Default)]
struct Around {
    path: String,
    /// Modules of the controller.
    modules: Vec<String>,
    /// The controller of the resources around, without modules.
    controller: Option<String>,
}

/// Visits a call that binds routes. Returns `None` for any other call.
pub fn route<'a>(walker: &mut Walker<'a>, parts: Parts<'a>, name: &'a str, arguments: &[Node<'a>]) -> Option<()> {
    if walker.is_test {
        return None;
    }
    if SCOPES.contains(&name) {
        return in_routes(walker, parts.node).then(|| scope(walker, parts, name, arguments));
    }
    let first = *arguments.first().filter(|_| VERBS.contains(&name))?;
    // `get 'users' => 'users#index'` has its path in a pair.
    let (path, target) = match first.kind() {
        "pair" => (walker.field(first, "key")?, walker.field(first, "value")),
        _ => (first, option(walker, arguments, "to")),
    };
    let path = literal(walker, path).filter(|text| !text.is_empty())?;
    let verb = name.to_uppercase();
    if let Some(block) = parts.block {
        if !path.starts_with('/') {
            return None;
        }
        let route = format!("{verb} {path}");
        let id = block_function(walker, parts, (&route, first), block, Flags::default());
        let line = parts.node.start_position().row as u32 + 1;
        let route = walker.facts.atom(&route);
        walker.facts.signal(Signal { source: Some(id), kind: SignalKind::Route { route, handler: None }, line });
        return Some(());
    }
    let is_routes = in_routes(walker, parts.node);
    let is_outside = path.starts_with('/') && target.is_some();
    if !(is_routes || is_outside) {
        return None;
    }
    let around = around(walker, parts.node);
    let target = target.and_then(|target| literal(walker, target));
    let handler = match target.and_then(|target| target.split_once('#')) {
        Some((controller, action)) => action_of(walker, &around.modules, controller, action),
        // `get :preview` in `resources`, or `get 'users/list'`.
        None => match (&around.controller, path.rsplit_once('/')) {
            (Some(controller), _) => action_of(walker, &around.modules, controller, path.rsplit('/').next()?),
            (None, Some((controller, action))) => {
                action_of(walker, &around.modules, controller.trim_start_matches('/'), action)
            }
            (None, None) => return Some(()),
        },
    };
    let full = format!("{}/{}", around.path, path.trim_start_matches('/'));
    bind(walker, parts.node, &format!("{verb} {full}"), handler);
    Some(())
}

/// Adds the routes of `resources` and `resource`, and visits the block of any scope.
fn scope<'a>(walker: &mut Walker<'a>, parts: Parts<'a>, name: &str, arguments: &[Node<'a>]) {
    if matches!(name, "resource" | "resources") {
        let outer = around(walker, parts.node);
        let is_one = name == "resource";
        let only = names_of(walker, option(walker, arguments, "only"));
        let except = names_of(walker, option(walker, arguments, "except"));
        let names: Vec<&str> = arguments.iter().filter_map(|argument| literal(walker, *argument)).collect();
        for resource in names {
            let mut inner = Around { path: outer.path.clone(), modules: outer.modules.clone(), controller: None };
            enter(walker, &mut inner, (name, Some(resource)), arguments);
            let controller = inner.controller.unwrap_or_default();
            let path = inner.path.trim_end_matches(&format!("/:{}_id", singular(resource))).to_owned();
            for (action, verb, ending) in ACTIONS {
                let is_excluded = except.as_ref().is_some_and(|names| names.contains(&action))
                    || only.as_ref().is_some_and(|names| !names.contains(&action))
                    || (is_one && action == "index");
                if is_excluded {
                    continue;
                }
                let ending = if is_one { ending.trim_start_matches("/:id") } else { ending };
                let handler = action_of(walker, &inner.modules, &controller, action);
                bind(walker, parts.node, &format!("{verb} {path}{ending}"), handler);
            }
        }
    }
    if let Some(body) = parts.block.and_then(|block| walker.field(block, "body")) {
        walker.visit(body, crate::facts::Role::Read);
    }
}

/// Returns whether a call is in the block of `routes.draw`, or in a file of routes.
fn in_routes<'a>(walker: &Walker<'a>, node: Node<'a>) -> bool {
    let mut at = node.parent();
    while let Some(outer) = at {
        if outer.kind() == "call"
            && walker.field(outer, "method").is_some_and(|method| walker.text_of(method) == "draw")
            && walker.field(outer, "receiver").is_some_and(|object| walker.text_of(object).ends_with("routes"))
        {
            return true;
        }
        at = outer.parent();
    }
    false
}

/// Returns what the calls around a node say about routes.
fn around<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Around {
    let mut calls = Vec::new();
    let mut at = node.parent();
    while let Some(outer) = at {
        if outer.kind() == "call" {
            calls.push(outer);
        }
        at = outer.parent();
    }
    let mut around = Around::default();
    for call in calls.into_iter().rev() {
        let Some(method) = walker.field(call, "method").filter(|_| walker.field(call, "receiver").is_none()) else {
            continue;
        };
        let name = walker.text_of(method);
        if SCOPES.contains(&name) {
            let arguments = walker.field(call, "arguments").map_or(Vec::new(), |list| walker.children(list));
            let first = arguments.first().and_then(|first| literal(walker, *first));
            enter(walker, &mut around, (name, first), &arguments);
        }
    }
    around
}

/// Applies a scope to what is around a route in it.
fn enter<'a>(walker: &mut Walker<'a>, around: &mut Around, scope: (&str, Option<&str>), arguments: &[Node<'a>]) {
    let option = |name: &str| option(walker, arguments, name).and_then(|value| literal(walker, value));
    let (path, module, controller) = (option("path"), option("module"), option("controller"));
    around.modules.extend(module.into_iter().flat_map(|module| module.split('/')).map(str::to_owned));
    let add = |around: &mut Around, segment: &str| {
        let segment = segment.trim_matches('/');
        if !segment.is_empty() {
            around.path.push('/');
            around.path.push_str(segment);
        }
    };
    match scope {
        ("namespace", Some(name)) => {
            add(around, path.unwrap_or(name));
            if module.is_none() {
                around.modules.extend(name.split('/').map(str::to_owned));
            }
        }
        ("scope", first) => add(around, path.or(first).unwrap_or_default()),
        ("resources", Some(name)) => {
            add(around, path.unwrap_or(name));
            around.path.push_str(&format!("/:{}_id", singular(name)));
            around.controller = Some(controller.unwrap_or(name).to_owned());
        }
        ("resource", Some(name)) => {
            add(around, path.unwrap_or(name));
            around.controller = Some(controller.map_or_else(|| plural(name), str::to_owned));
        }
        // `member` has the path of one resource, `collection` that of all.
        ("collection", _) => {
            if let Some((all, _)) = around.path.rsplit_once("/:") {
                around.path.truncate(all.len());
            }
        }
        ("member", _) => {
            if let Some((all, _)) = around.path.rsplit_once("/:") {
                around.path = format!("{all}/:id");
            }
        }
        _ => {}
    }
    if let (None, Some(controller)) = (scope.1, controller) {
        around.controller = Some(controller.to_owned());
    }
}

/// Returns the value of a named argument.
pub fn option<'a>(walker: &Walker<'a>, arguments: &[Node<'a>], name: &str) -> Option<Node<'a>> {
    let mut pairs = arguments.iter().filter(|argument| argument.kind() == "pair");
    pairs.find_map(|pair| {
        let key = walker.field(*pair, "key").filter(|key| walker.text_of(*key).trim_start_matches(':') == name)?;
        key.parent().and_then(|pair| walker.field(pair, "value"))
    })
}

/// Returns the names of a symbol or a list of symbols.
fn names_of<'a>(walker: &mut Walker<'a>, value: Option<Node<'a>>) -> Option<Vec<&'a str>> {
    let value = value?;
    Some(match literal(walker, value) {
        Some(one) => vec![one],
        None => {
            let children = walker.children(value);
            let plain = |walker: &Walker<'a>, node: Node<'a>| literal(walker, node).unwrap_or(walker.text_of(node));
            children.into_iter().map(|child| plain(walker, child)).collect()
        }
    })
}

/// Returns the action of a controller, `admin/users` and `show`, as a member of a value of its class.
fn action_of(walker: &mut Walker<'_>, modules: &[String], controller: &str, action: &str) -> ExprId {
    let mut expr = None;
    let mut segments = modules.iter().map(String::as_str).chain(controller.split('/')).peekable();
    while let Some(segment) = segments.next() {
        let mut name: String = segment.split('_').map(capitalized).collect();
        if segments.peek().is_none() {
            name.push_str("Controller");
        }
        expr = Some(match expr {
            Some(outer) => walker.facts.member(outer, &name),
            None => walker.facts.name(&name),
        });
    }
    let controller = expr.map_or(walker.unknown, |expr| walker.instance(expr));
    walker.facts.member(controller, action)
}

fn bind(walker: &mut Walker<'_>, node: Node<'_>, route: &str, handler: ExprId) {
    let (route, scope) = (walker.facts.atom(route), walker.context.scope);
    walker.signal(node, SignalKind::Route { route, handler: Some((handler, scope)) });
}

/// Returns a word with a capital first letter.
pub fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the plural of a regular English noun.
fn plural(name: &str) -> String {
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if name.ends_with(['s', 'x']) || name.ends_with("ch") => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

/// Returns the singular of a regular English noun.
fn singular(name: &str) -> String {
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}
