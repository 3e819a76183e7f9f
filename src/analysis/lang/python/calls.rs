//! Calls that Python or its type checkers treat specially.

use tree_sitter::Node;

use super::state::last_name;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Visits a call.
pub fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(function) = walker.part(node, pattern, Part::Function) else { return walker.unknown };
    match special_form(walker, node, function) {
        Some(special) => special,
        None => {
            let called = walker.call(node, pattern);
            call_of_local(walker, function);
            function_of_method(walker, node, function);
            called
        }
    }
}

/// Adds a reference to what a call of a local name runs, whose value the flow of control determines.
fn call_of_local<'a>(walker: &mut Walker<'a>, function: Node<'a>) {
    let name = walker.atom_of(function);
    if function.kind() == "identifier"
        && let Some(value) = walker.flow.locals.get(name)
        && value != walker.unknown
    {
        let called = walker.facts.expr(Expr::Union(vec![value]));
        walker.refer(called, function, Role::Call);
    }
}

/// Functions of the language that call a method of their argument, with the methods of which they call the first.
const FUNCTIONS_OF_METHODS: &[(&str, &[&str])] = &[
    ("abs", &["__abs__"]),
    ("aiter", &["__aiter__"]),
    ("anext", &["__anext__"]),
    ("bool", &["__bool__", "__len__"]),
    ("bytes", &["__bytes__"]),
    ("divmod", &["__divmod__"]),
    ("float", &["__float__"]),
    ("format", &["__format__"]),
    ("hash", &["__hash__"]),
    ("int", &["__int__", "__index__"]),
    ("iter", &["__iter__"]),
    ("len", &["__len__"]),
    ("list", &["__iter__"]),
    ("next", &["__next__"]),
    ("pow", &["__pow__"]),
    ("print", TEXT_METHODS),
    ("repr", &["__repr__"]),
    ("reversed", &["__reversed__"]),
    ("round", &["__round__"]),
    ("set", &["__iter__"]),
    ("sorted", &["__iter__"]),
    ("str", TEXT_METHODS),
    ("tuple", &["__iter__"]),
];

/// The methods of which the first makes the text of a value.
const TEXT_METHODS: &[&str] = &["__str__", "__repr__"];

/// Adds a reference to the method that a function of the language calls.
fn function_of_method<'a>(walker: &mut Walker<'a>, node: Node<'a>, function: Node<'a>) {
    let name = if function.kind() == "identifier" { walker.text_of(function) } else { "" };
    let Some((_, methods)) = FUNCTIONS_OF_METHODS.iter().find(|(known, _)| *known == name) else { return };
    let arguments = walker.part_of(node, Part::Arguments).map_or(Vec::new(), |list| walker.children(list));
    if let &[argument] = arguments.as_slice()
        && matches!(argument.kind(), "identifier" | "attribute")
    {
        let value = walker.replay(|walker| walker.visit(argument, Role::Read));
        walker.implied_call(value, methods, &[], argument);
    }
}

/// Visits `super`, `isinstance`, `cast`, `type` or `TypeVar`.
fn special_form<'a>(walker: &mut Walker<'a>, node: Node<'a>, function: Node<'a>) -> Option<ExprId> {
    let name = match function.kind() {
        "identifier" => walker.text_of(function),
        "attribute" => {
            let object = walker.part_of(function, Part::Object).map_or("", |object| walker.text_of(object));
            let is_typing = matches!(object, "t" | "typing" | "typing_extensions" | "te");
            if is_typing { last_name(walker, function) } else { "" }
        }
        _ => "",
    };
    if !matches!(name, "super" | "isinstance" | "issubclass" | "cast" | "type" | "TypeVar" | "ParamSpec") {
        return None;
    }
    let arguments = walker.part_of(node, Part::Arguments).map_or(Vec::new(), |list| walker.children(list));
    match (name, arguments.as_slice()) {
        ("super", _) => {
            let named: Vec<ExprId> = arguments.iter().map(|argument| walker.visit(*argument, Role::Read)).collect();
            // `super(C, self)` starts after `C`, which is usually the enclosing class.
            let class = named.first().copied().filter(|class| matches!(walker.facts.get(*class), Expr::Name(_)));
            Some(walker.facts.expr(class.map_or(Expr::Parent, Expr::ParentOf)))
        }
        ("isinstance" | "issubclass", &[value, classes]) => {
            walker.add_words(name);
            walker.visit(value, Role::Read);
            class_instances(walker, classes);
            Some(walker.facts.builtin("bool", Vec::new()))
        }
        ("cast", &[target, value]) => {
            walker.visit(function, Role::Call);
            let target = walker.type_expr(target, Some(Role::Type));
            walker.visit(value, Role::Read);
            Some(walker.facts.expr(Expr::Instance(target)))
        }
        ("type", &[value]) => {
            let value = walker.visit(value, Role::Read);
            Some(match walker.facts.get(value) {
                Expr::Receiver => walker.facts.expr(Expr::ReceiverType),
                _ => {
                    let callee = walker.facts.name("type");
                    walker.facts.expr(Expr::Call { callee, args: vec![value] })
                }
            })
        }
        ("TypeVar" | "ParamSpec", [_, rest @ ..]) => {
            walker.visit(function, Role::Call);
            for argument in rest {
                let value = walker.part_of(*argument, Part::Value).filter(|_| argument.kind() == "keyword_argument");
                walker.type_expr(value.unwrap_or(*argument), Some(Role::Type));
            }
            Some(walker.unknown)
        }
        _ => None,
    }
}

/// Returns an instance of the classes of `isinstance` or `except`: of one class, or of any in a tuple or union.
pub fn class_instances<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    match node.kind() {
        "tuple" | "expression_list" | "binary_operator" | "parenthesized_expression" => {
            let parts = walker.children(node).into_iter().map(|part| class_instances(walker, part)).collect();
            walker.union(parts)
        }
        _ => {
            let class = walker.visit(node, Role::Read);
            walker.facts.expr(Expr::Instance(class))
        }
    }
}
