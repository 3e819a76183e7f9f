//! Java's nodes that no pattern can describe.

use tree_sitter::Node;

use crate::facts::{Atom, Expr, ExprId, ImportName, Role, SignalKind};
use crate::lang::common::Hook;
use crate::lang::common::walker::{Call, Walker};

/// The hooks by their names in `java.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("array", array),
    ("array_type", array_type),
    ("binary", binary),
    ("case", case),
    ("class_literal", class_literal),
    ("constructor", constructor),
    ("field", field),
    ("import", import),
    ("instanceof", instance_of),
    ("labeled", labeled),
    ("mapping", mapping),
    ("method_reference", method_reference),
    ("pair", pair),
    ("resource", resource),
    ("switch", switch),
    ("unary", unary),
];

/// Visits what a `try` statement closes: `try (Res r = open())`, `try (r)`.
fn resource<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if walker.field(node, "name").is_some() {
        walker.closed_variables(node, pattern, &["close"]);
    } else if let Some(value) = walker.children(node).into_iter().next() {
        let value = walker.visit(value, Role::Read);
        walker.implied_call(value, &["close"], &[], node);
    }
    walker.unknown
}

/// Adds `import a.b.C;`, `import a.b.*;`, `import static a.b.C.m;`, `import static a.b.C.*;`.
fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some(&path_node) = children.first() else { return walker.unknown };
    let is_glob = children.iter().any(|child| child.kind() == "asterisk");
    let is_static = walker.has_token(node, "static");
    let text: String = walker.text_of(path_node).split_whitespace().collect();
    let (outer, last) = if is_glob { (text.as_str(), "") } else { text.rsplit_once('.').unwrap_or(("", &text)) };
    // By custom, only types begin with a capital letter: `a.b.Outer.Inner` is a type in a type.
    let segments: Vec<&str> = outer.split('.').collect();
    let is_type = |segment: &&str| segment.starts_with(|first: char| first.is_uppercase());
    let package = segments.iter().position(is_type).unwrap_or(segments.len());
    let package_name = segments[..package].join(".");
    let mut path = vec![package_name.as_str()];
    path.extend(&segments[package..]);
    if is_glob {
        walker.import(path_node, &path, ImportName::All, &[]);
        return walker.unknown;
    }
    let name = walker.facts.atom(last);
    let mut bound: Vec<Atom> = vec![name];
    if is_static {
        bound.push(walker.callee_atom(last));
    }
    let position = path_node.child_by_field_name("name").unwrap_or(path_node);
    walker.import(position, &path, ImportName::Named(name), &bound);
    walker.unknown
}

/// Visits `a.b`, `Outer.this` and `Outer.super`.
fn field<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let (Some(object), Some(name)) = (walker.field(node, "object"), walker.field(node, "field")) else {
        return walker.unknown;
    };
    if matches!(name.kind(), "this" | "super") {
        let outer = walker.type_expr(object, Some(Role::Type));
        return walker.instance(outer);
    }
    let base = walker.visit(object, Role::Read);
    let atom = walker.atom_of(name);
    let expr = walker.facts.expr(Expr::Member { base, name: atom });
    walker.refer(expr, name, role);
    expr
}

/// Visits `this(…)` and `super(…)`, calls of constructors.
fn constructor<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(callee) = walker.field(node, "constructor") {
        let is_parent = callee.kind() == "super";
        let expr = walker.facts.expr(if is_parent { Expr::Parent } else { Expr::ReceiverType });
        walker.refer(expr, callee, Role::Call);
        if let Some(arguments) = walker.field(node, "arguments") {
            let nodes = walker.children(arguments);
            walker.arguments(expr, &nodes);
        }
    }
    walker.unknown
}

/// Visits an operation. A comparison is a boolean, and what is added to a string is a string.
fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let operands = [walker.field(node, "left"), walker.field(node, "right")];
    let values = operands.map(|operand| operand.map_or(walker.unknown, |operand| walker.visit(operand, Role::Read)));
    let operator = walker.field(node, "operator").map_or("", |operator| walker.text_of(operator));
    if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
        return walker.facts.builtin("boolean", Vec::new());
    }
    let is_string = |value: &ExprId| match walker.facts.get(*value) {
        Expr::Builtin { name, .. } => walker.facts.text(*name) == "java.lang.String",
        _ => false,
    };
    match (operator, values.iter().find(|value| is_string(value))) {
        ("+", Some(string)) => *string,
        ("<<" | ">>" | ">>>", _) => walker.arithmetic(&values[..1]),
        _ => walker.arithmetic(&values),
    }
}

/// Visits `-a`, `~a` and `!a`.
fn unary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.field(node, "operand").map_or(walker.unknown, |operand| walker.visit(operand, Role::Read));
    walker.arithmetic(&[value])
}

/// Visits `new T[n]` and `new T[] {…}`.
fn array<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (mut element, mut dimensions) = (walker.unknown, 0);
    for child in walker.children(node) {
        match child.kind() {
            _ if Some(child) == walker.field(node, "type") => {
                element = walker.type_expr(child, Some(Role::Type));
                continue;
            }
            "dimensions" => dimensions += count_of(walker, child),
            "dimensions_expr" => dimensions += 1,
            _ => {}
        }
        walker.visit(child, Role::Read);
    }
    let element = walker.instance(element);
    arrays_of(walker, element, dimensions)
}

/// Visits `T[][]`.
fn array_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let element = walker.field(node, "element").map(|element| walker.type_expr(element, Some(Role::Type)));
    let dimensions = walker.field(node, "dimensions").map_or(1, |dimensions| count_of(walker, dimensions));
    arrays_of(walker, element.unwrap_or(walker.unknown), dimensions)
}

/// Returns the number of dimensions in `[][]`, 1 at least.
fn count_of(walker: &Walker<'_>, node: Node<'_>) -> usize {
    walker.text_of(node).matches('[').count().max(1)
}

/// Maximum number of dimensions, beyond which an array is like one with fewer.
const MAX_DIMENSIONS: usize = 8;

/// Returns an array of some dimensions with elements of a type.
fn arrays_of(walker: &mut Walker<'_>, element: ExprId, dimensions: usize) -> ExprId {
    let dimensions = dimensions.clamp(1, MAX_DIMENSIONS);
    (0..dimensions).fold(element, |element, _| walker.facts.builtin("[]", vec![element]))
}

/// Visits `T::method`, `value::method` and `T::new`.
fn method_reference<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let (Some(&object), Some(&name)) = (children.first(), children.last()) else { return walker.unknown };
    if object == name || walker.has_token(node, "new") {
        let known = walker.type_expr(object, Some(Role::Call));
        return walker.facts.expr(Expr::Function { params: Vec::new(), result: Some(known) });
    }
    let base = if object.kind() == "identifier" || object.kind().ends_with("access") || walker.pattern(object).is_some()
    {
        walker.visit(object, Role::Read)
    } else {
        walker.type_expr(object, Some(Role::Type))
    };
    let atom = walker.callee_atom(walker.text_of(name));
    let expr = walker.facts.expr(Expr::Member { base, name: atom });
    walker.refer(expr, name, Role::Read);
    expr
}

/// Visits `value instanceof T name`.
fn instance_of<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(left) = walker.field(node, "left") {
        walker.visit(left, Role::Read);
    }
    let known = walker.field(node, "right").map(|right| walker.type_expr(right, Some(Role::Type)));
    if let (Some(name), Some(known)) = (walker.field(node, "name"), known) {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, Some(known), None);
    }
    if let Some(pattern) = walker.field(node, "pattern") {
        walker.visit(pattern, Role::Read);
    }
    walker.facts.builtin("boolean", Vec::new())
}

/// Visits a `switch`, whose labels need its value.
fn switch<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.field(node, "condition").map_or(walker.unknown, |value| walker.visit(value, Role::Read));
    let before = std::mem::replace(&mut walker.context.switched, value);
    if let Some(body) = walker.field(node, "body") {
        walker.visit(body, Role::Read);
    }
    walker.context.switched = before;
    walker.unknown
}

/// Visits `case A, B`. A name that is not in scope is a constant of the enum whose value is switched on.
fn case<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let base = walker.context.switched;
    for label in walker.children(node) {
        if label.kind() != "identifier" || base == walker.unknown {
            walker.visit(label, Role::Read);
            continue;
        }
        let name = walker.atom_of(label);
        let meant = [Expr::Name(name), Expr::Member { base, name }].map(|expr| walker.facts.expr(expr));
        let expr = walker.facts.expr(Expr::FirstOf(meant.into()));
        walker.refer(expr, label, Role::Read);
    }
    walker.unknown
}

/// Visits `T.class`.
fn class_literal<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(&known) = walker.children(node).first() {
        walker.type_expr(known, Some(Role::Type));
    }
    walker.facts.builtin("java.lang.Class", Vec::new())
}

/// Visits the statement after a label.
fn labeled<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(&statement) = walker.children(node).last() {
        walker.visit(statement, Role::Read);
    }
    walker.unknown
}

/// Visits the value of `name = value` in an annotation.
fn pair<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(value) = walker.field(node, "value") {
        walker.visit(value, Role::Read);
    }
    walker.unknown
}

/// Annotations of Spring and JAX-RS that map a route, with their HTTP methods.
const MAPPINGS: &[(&str, &str)] = &[
    ("GetMapping", "GET "),
    ("PostMapping", "POST "),
    ("PutMapping", "PUT "),
    ("DeleteMapping", "DELETE "),
    ("PatchMapping", "PATCH "),
    ("RequestMapping", ""),
    ("Path", ""),
];

/// Visits an annotation. On a method, one that maps a route is a signal; one on the type around it is its prefix.
fn mapping<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(name) = walker.field(node, "name") {
        walker.type_expr(name, Some(Role::Decorator));
    }
    if let Some(arguments) = walker.field(node, "arguments") {
        walker.visit_children(arguments);
    }
    let Some((verb, own)) = mapped(walker, node) else { return walker.unknown };
    let is_method = walker.context.source.is_some_and(|id| walker.facts.definition(id).kind.is_callable());
    if is_method {
        let prefix = enclosing_mapping(walker, node).unwrap_or_default();
        let parts = [prefix, own].map(|part| part.trim_matches('/').to_owned());
        let path: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let route = walker.facts.atom(&format!("{verb}/{}", path.join("/")));
        walker.signal(node, SignalKind::Route { route, handler: None });
    }
    walker.unknown
}

/// Returns the HTTP method and the path of an annotation that maps a route.
fn mapped<'a>(walker: &mut Walker<'a>, annotation: Node<'a>) -> Option<(&'static str, String)> {
    let name = walker.field(annotation, "name").map(|name| walker.text_of(name))?;
    let (_, verb) = MAPPINGS.iter().find(|(known, _)| *known == name)?;
    let text = walker.field(annotation, "arguments").map_or("", |arguments| walker.text_of(arguments));
    // The path is the first string: `("/a")`, `(value = "/a", method = …)`.
    Some((verb, text.split('"').nth(1).unwrap_or_default().to_owned()))
}

/// Returns the path that is mapped on the type around a method.
fn enclosing_mapping<'a>(walker: &mut Walker<'a>, annotation: Node<'a>) -> Option<String> {
    let outer = std::iter::successors(annotation.parent(), Node::parent).find(|node| node.kind() == "class_body")?;
    let modifiers = walker.children(outer.parent()?).into_iter().find(|child| child.kind() == "modifiers")?;
    let annotations = walker.children(modifiers);
    annotations.into_iter().find_map(|annotation| mapped(walker, annotation)).map(|(_, path)| path)
}

/// Methods of routers that register a handler for a route.
const ROUTERS: &[&str] = &["delete", "get", "head", "options", "patch", "post", "put"];

/// Adds the signals of a call: environment variables, processes, and routes (`get("/users", …)`).
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    let name = call.name.map_or("", |name| walker.text_of(name));
    let object = call.object.map_or("", |object| walker.text_of(object));
    let Some(first) = call.arguments.first().filter(|first| first.kind() == "string_literal") else { return };
    let text = walker.text_of(*first).trim_matches('"');
    if text.is_empty() {
        return;
    }
    let kind = match (object, name) {
        ("System", "getenv") => SignalKind::ReadsEnv(walker.facts.atom(text)),
        (_, "exec") if object.contains("Runtime") => {
            SignalKind::Executes(walker.facts.atom(text.split(' ').next().unwrap_or(text)))
        }
        (_, verb) if ROUTERS.contains(&verb) && text.starts_with('/') && call.arguments.len() > 1 => {
            let route = walker.facts.atom(&format!("{} {text}", verb.to_uppercase()));
            let handler = call.values.last().map(|value| (*value, walker.context.scope));
            let is_path = handler
                .is_some_and(|(value, _)| matches!(walker.facts.get(value), Expr::Name(_) | Expr::Member { .. }));
            SignalKind::Route { route, handler: handler.filter(|_| is_path) }
        }
        _ => return,
    };
    walker.signal(call.node, kind);
}
