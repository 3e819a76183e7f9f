//! Calls, with and without a receiver.

use tree_sitter::Node;

use super::declarations;
use super::hooks::{FileState, enclosing_type, is_static, receiver};
use crate::facts::{Expr, ExprId, Import, ImportName, Role, SignalKind};
use crate::lang::common::walker::Walker;

/// The parts of a call.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    pub node: Node<'a>,
    pub method: Node<'a>,
    pub block: Option<Node<'a>>,
}

/// Visits a name: a local variable, or a call without receiver and arguments.
pub fn identifier<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let name = walker.atom_of(node);
    if walker.is_local(name) {
        return walker.name(node, role);
    }
    if walker.text_of(node) == "described_class"
        && let Some(class) = walker.state::<FileState>().described_class.clone()
    {
        return path(walker, node, &class, role);
    }
    if walker.text_of(node) == "module_function" {
        declarations::make_static(walker);
        return walker.unknown;
    }
    let callee = own_callee(walker, node);
    if walker.text_of(node) == "new" {
        return instantiation(walker, callee, node);
    }
    walker.refer(callee, node, Role::Call);
    walker.facts.expr(Expr::Call { callee, args: Vec::new() })
}

/// Returns the class of a path that is written elsewhere, and refers to it.
fn path<'a>(walker: &mut Walker<'a>, node: Node<'a>, path: &str, role: Role) -> ExprId {
    let mut segments = path.trim_start_matches("::").split("::");
    let mut expr = walker.facts.name(segments.next().unwrap_or_default());
    for segment in segments {
        expr = walker.facts.member(expr, segment);
    }
    walker.refer(expr, node, role);
    expr
}

/// Returns the callee of a call without a receiver: a member of `self`, or a function outside of all types.
fn own_callee<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    let name = walker.atom_of(node);
    match receiver(walker) {
        Some(_) if walker.text_of(node) == "new" && is_static(walker) => walker.facts.expr(Expr::ReceiverType),
        Some(base) => walker.facts.expr(Expr::Member { base, name }),
        None => walker.facts.expr(Expr::Name(name)),
    }
}

/// Visits a call.
pub fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let list = walker.field(node, "arguments");
    let arguments = list.map_or(Vec::new(), |list| walker.children(list));
    let block = walker.field(node, "block");
    let object = walker.field(node, "receiver");
    let Some(method) = walker.field(node, "method") else {
        // `a.(b)`
        let (Some(object), Some(list)) = (object, list) else {
            walker.visit_children(node);
            return walker.unknown;
        };
        let base = walker.visit(object, Role::Read);
        let callee = walker.facts.member(base, "call");
        let args = pass(walker, callee, &arguments, block);
        walker.refer(callee, list, Role::Call);
        return walker.facts.expr(Expr::Call { callee, args });
    };
    let parts = Parts { node, method, block };
    if method.kind() == "super" {
        return parent_call(walker, method, &arguments, block);
    }
    if let Some(value) = declarations::declaration(walker, parts, object, &arguments) {
        return value;
    }
    let name = walker.text_of(method);
    let callee = match object {
        Some(object) => {
            let role = if name == "new" { Role::Call } else { Role::Read };
            let base = walker.visit(object, role);
            if name == "new" {
                pass(walker, base, &arguments, block);
                return instantiation(walker, base, method);
            }
            if name == "class" && object.kind() == "self" {
                return walker.facts.expr(Expr::ReceiverType);
            }
            walker.facts.member(base, name)
        }
        None => own_callee(walker, method),
    };
    if name == "new" && object.is_none() {
        pass(walker, callee, &arguments, block);
        return instantiation(walker, callee, method);
    }
    let args = pass(walker, callee, &arguments, block);
    named_method(walker, callee, name, &arguments);
    signals(walker, node, name, &arguments);
    if name == "raise" && object.is_none() {
        raised(walker, &arguments);
    }
    walker.refer(callee, method, Role::Call);
    walker.facts.expr(Expr::Call { callee, args })
}

/// Adds a reference to the method that an argument names: `send(:m)`, `object.method(:m)`.
fn named_method<'a>(walker: &mut Walker<'a>, callee: ExprId, name: &str, arguments: &[Node<'a>]) {
    let role = match name {
        "send" | "public_send" | "__send__" => Role::Call,
        "method" | "public_method" | "instance_method" => Role::Read,
        _ => return,
    };
    let Some((first, text)) = arguments.first().and_then(|first| Some((*first, literal(walker, *first)?))) else {
        return;
    };
    let method = match *walker.facts.get(callee) {
        // A method of an instance is looked up in a value of the class.
        Expr::Member { base, .. } if name == "instance_method" => {
            let value = walker.instance(base);
            walker.facts.member(value, text)
        }
        Expr::Member { base, .. } => walker.facts.member(base, text),
        _ => walker.facts.name(text),
    };
    walker.refer(method, first, role);
}

/// Visits the arguments of a call and its block.
fn pass<'a>(walker: &mut Walker<'a>, callee: ExprId, arguments: &[Node<'a>], block: Option<Node<'a>>) -> Vec<ExprId> {
    // The table of the standard library knows the lambda's number only by its place after the arguments.
    let nodes: Vec<Node<'a>> = arguments.iter().copied().chain(block).collect();
    walker.arguments(callee, &nodes)
}

/// Returns a new value of a class. The call is one of `initialize`.
fn instantiation<'a>(walker: &mut Walker<'a>, class: ExprId, node: Node<'a>) -> ExprId {
    let value = walker.facts.expr(Expr::Call { callee: class, args: Vec::new() });
    if matches!(walker.facts.get(class), Expr::ReceiverType) {
        walker.refer(class, node, Role::Call);
    }
    if matches!(walker.facts.get(class), Expr::ReceiverType | Expr::Name(_) | Expr::Member { .. }) {
        let constructor = walker.facts.member(value, "initialize");
        walker.refer(constructor, node, Role::Call);
    }
    value
}

/// Adds references to the classes of raised errors.
fn raised<'a>(walker: &mut Walker<'a>, arguments: &[Node<'a>]) {
    let Some(&first) = arguments.first() else { return };
    let class = if first.kind() == "call" { walker.field(first, "receiver").unwrap_or(first) } else { first };
    if matches!(class.kind(), "constant" | "scope_resolution") {
        walker.visit(class, Role::Raise);
    }
}

/// Visits `super` without arguments.
pub fn parent<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    parent_call(walker, node, &[], None)
}

/// Visits a call of the method of the same name in the ancestors.
fn parent_call<'a>(walker: &mut Walker<'a>, node: Node<'a>, arguments: &[Node<'a>], block: Option<Node<'a>>) -> ExprId {
    let method = walker.context.source.map(|id| walker.facts.definition(id).name);
    let (Some(name), Some(_)) = (method, enclosing_type(walker)) else { return walker.unknown };
    let base = walker.facts.expr(Expr::Parent);
    let callee = walker.facts.expr(Expr::Member { base, name });
    let args = pass(walker, callee, arguments, block);
    walker.refer(callee, node, Role::Call);
    walker.facts.expr(Expr::Call { callee, args })
}

/// Returns the text of a string or symbol.
pub fn literal<'a>(walker: &Walker<'a>, node: Node<'a>) -> Option<&'a str> {
    let text = walker.text_of(node);
    match node.kind() {
        "string" | "delimited_symbol" => {
            Some(text.trim_start_matches(':').trim_matches(['"', '\''])).filter(|text| !text.contains("#{"))
        }
        "simple_symbol" => Some(&text[1..]),
        "hash_key_symbol" => Some(text),
        _ => None,
    }
}

/// Adds the signals of a call: required files, environment variables, processes.
fn signals<'a>(walker: &mut Walker<'a>, node: Node<'a>, name: &str, arguments: &[Node<'a>]) {
    let texts: Vec<&str> = arguments.iter().filter_map(|argument| literal(walker, *argument)).collect();
    let object = walker.field(node, "receiver").map_or("", |object| walker.text_of(object));
    match (object, name, texts.as_slice()) {
        ("" | "Kernel", "require" | "require_relative" | "load", &[path]) => {
            required(walker, node, path, name == "require_relative");
        }
        ("", "autoload", &[_, path]) => required(walker, node, path, false),
        ("ENV", "fetch", &[variable, ..]) => {
            let variable = walker.facts.atom(variable);
            walker.signal(node, SignalKind::ReadsEnv(variable));
        }
        (
            "" | "Kernel" | "Process" | "IO" | "Open3",
            "system" | "exec" | "spawn" | "popen" | "capture3",
            &[line, ..],
        ) => {
            let program = walker.facts.atom(line.split(' ').next().unwrap_or(line));
            walker.signal(node, SignalKind::Executes(program));
        }
        _ => {}
    }
}

fn required(walker: &mut Walker<'_>, node: Node<'_>, path: &str, is_relative: bool) {
    let path = vec![walker.facts.atom(path)];
    let (scope, position) = (walker.context.scope, node.start_byte() as u32);
    let level = u8::from(is_relative);
    walker.facts.import(Import { scope, path, level, name: ImportName::Module, position, reexport: false });
}
