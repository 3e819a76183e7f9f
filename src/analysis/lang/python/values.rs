//! Values that no pattern can describe: attributes, strings, operators, comprehensions.

use tree_sitter::Node;

use super::state::{State, first_child, frame, last_name};
use super::statements::iterate;
use super::variables::item;
use super::{docs, signals};
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Maximum number of yielded values in a function's inferred result.
const MAX_YIELDS: usize = 24;

/// Visits an attribute, whose value a check can have narrowed.
pub fn attribute<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if let (Some(object), Some(name)) = (walker.part(node, pattern, Part::Object), walker.field(node, "attribute"))
        && walker.text_of(name) == "__class__"
    {
        let base = walker.replay(|walker| walker.visit(object, Role::Read));
        if matches!(walker.facts.get(base), Expr::Receiver) {
            walker.add_words(walker.text_of(node));
            return walker.facts.expr(Expr::ReceiverType);
        }
    }
    let expr = walker.member(node, pattern, role);
    if frame(walker).narrowed_paths.is_empty() || role == Role::Write {
        return expr;
    }
    let paths = frame(walker).narrowed_paths.clone();
    let path = paths.into_iter().find(|path| walker.facts.text(*path) == walker.text_of(node));
    path.and_then(|path| walker.flow.locals.get(path)).unwrap_or(expr)
}

/// Visits a string: its words and the values it interpolates.
pub fn string<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for child in walker.children(node) {
        match child.kind() {
            "string_content" => walker.add_words(walker.text_of(child)),
            "interpolation" => {
                for (number, inner) in walker.children(child).into_iter().enumerate() {
                    let value = walker.visit(inner, Role::Read);
                    if number == 0 {
                        walker.implied_call(value, &["__format__", "__str__", "__repr__"], &[], inner);
                    }
                }
            }
            "string" => _ = walker.visit(child, Role::Read),
            _ => {}
        }
    }
    let is_bytes = walker.text_of(node).starts_with(['b', 'B']);
    walker.facts.builtin(if is_bytes { "bytes" } else { "str" }, Vec::new())
}

/// Returns the content of a string literal without interpolations.
pub fn string_literal<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<&'a str> {
    let is_plain = node.kind() == "string" && walker.children(node).iter().all(|part| part.kind() != "interpolation");
    is_plain.then(|| docs::string_content(node, walker.text))
}

/// Visits `value[index]`, or `Class[T]` as a callee.
pub fn subscript<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(value) = walker.part(node, pattern, Part::Object) else { return walker.unknown };
    let indices = walker.parts(node, pattern, Part::Value);
    if let (&[index, ..], "environ") = (indices.as_slice(), last_name(walker, value)) {
        signals::environ_read(walker, index);
    }
    let base = walker.visit(value, Role::Read);
    // A name of capitals only is that of a table.
    let name = last_name(walker, value);
    let is_type = name.starts_with(char::is_uppercase) && (name.len() == 1 || name.contains(char::is_lowercase));
    if role == Role::Call && is_type {
        // Type arguments, not an index.
        let args = indices.into_iter().map(|index| walker.type_expr(index, Some(Role::Type))).collect();
        return walker.facts.expr(Expr::Apply { base, args });
    }
    let is_slice = indices.last().is_some_and(|index| index.kind() == "slice");
    indices.into_iter().for_each(|index| _ = walker.visit(index, Role::Read));
    let method = if role == Role::Write { "__setitem__" } else { "__getitem__" };
    walker.implied_call(base, &[method], &[], value);
    if is_slice { base } else { walker.facts.expr(Expr::Index(base)) }
}

/// Visits a binary operator as a call of the left operand's method.
pub fn operator<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(left), Some(right)) = (walker.part_of(node, Part::Left), walker.part_of(node, Part::Right)) else {
        return walker.unknown;
    };
    let left = walker.visit(left, Role::Read);
    let right = walker.visit(right, Role::Read);
    let operator = walker.field(node, "operator").map_or("", |operator| operator.kind());
    match OPERATORS.iter().find(|(known, _)| *known == operator) {
        Some((_, method)) => walker.implied_call(left, &[&format!("__{method}__")], &[right], node),
        None => walker.unknown,
    }
}

/// Operators with the names of their methods between underscores.
pub const OPERATORS: &[(&str, &str)] = &[
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "truediv"),
    ("//", "floordiv"),
    ("%", "mod"),
    ("**", "pow"),
    ("@", "matmul"),
    ("<<", "lshift"),
    (">>", "rshift"),
    ("|", "or"),
    ("&", "and"),
    ("^", "xor"),
];

/// Returns whether a method is that of a binary operator.
pub fn is_operator(method: &str) -> bool {
    let name = method.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    name.is_some_and(|name| OPERATORS.iter().any(|(_, known)| *known == name))
}

/// Visits `-a`, `+a` and `~a`.
pub fn unary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(operand) = walker.field(node, "argument") else { return walker.unknown };
    let value = walker.visit(operand, Role::Read);
    let method = match walker.field(node, "operator").map_or("", |operator| operator.kind()) {
        "-" => "__neg__",
        "+" => "__pos__",
        _ => "__invert__",
    };
    let result = walker.implied_call(value, &[method], &[], node);
    if result == walker.unknown { value } else { result }
}

/// Visits `a < b <= c` and `a in b`.
pub fn comparison<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut left: Option<ExprId> = None;
    let mut operator = "";
    for child in walker.all_children(node) {
        if !child.is_named() {
            operator = child.kind();
            continue;
        }
        if child.is_extra() {
            continue;
        }
        let right = walker.visit(child, Role::Read);
        if let Some(left) = left {
            let (value, methods): (ExprId, &[&str]) = match operator {
                "==" => (left, &["__eq__"]),
                "!=" | "<>" => (left, &["__ne__", "__eq__"]),
                "<" => (left, &["__lt__"]),
                "<=" => (left, &["__le__"]),
                ">" => (left, &["__gt__"]),
                ">=" => (left, &["__ge__"]),
                "in" | "not in" => (right, &["__contains__", "__iter__"]),
                _ => (walker.unknown, &[""]),
            };
            walker.implied_call(value, methods, &[], node);
        }
        left = Some(right);
    }
    walker.facts.builtin("bool", Vec::new())
}

/// Visits `a if condition else b`.
pub fn conditional<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let &[chosen, condition, otherwise] = walker.children(node).as_slice() else {
        walker.visit_children(node);
        return walker.unknown;
    };
    walker.visit(condition, Role::Read);
    let narrowing = walker.narrowing(condition);
    let first = walker.with_narrowed(&narrowing.when_true, |walker| walker.visit(chosen, Role::Read));
    let second = walker.with_narrowed(&narrowing.when_false, |walker| walker.visit(otherwise, Role::Read));
    walker.union(vec![first, second])
}

/// Visits a comprehension: its clauses, then its element with the names that they bind.
pub fn comprehension<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let outer = walker.flow.locals.len();
    let (bodies, clauses): (Vec<_>, Vec<_>) =
        walker.children(node).into_iter().partition(|child| !matches!(child.kind(), "for_in_clause" | "if_clause"));
    clauses.into_iter().for_each(|clause| _ = walker.visit(clause, Role::Read));
    let args = match bodies.first() {
        Some(body) => {
            let value = walker.visit(*body, Role::Read);
            match walker.facts.get(value) {
                Expr::Tuple(pair) if body.kind() == "pair" => pair.clone(),
                _ => vec![value],
            }
        }
        None => Vec::new(),
    };
    walker.flow.locals.truncate(outer);
    let name = walker.pattern(node).and_then(|pattern| pattern.setting("type")).unwrap_or("list");
    walker.facts.builtin(name, args)
}

/// Binds the names of `for x in values` until the comprehension ends.
pub fn for_in<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (target, values) = (walker.part_of(node, Part::Left), walker.part_of(node, Part::Right));
    let values = values.map_or(walker.unknown, |values| walker.visit(values, Role::Read));
    iterate(walker, node, values, node);
    let element = walker.facts.expr(Expr::Element(values));
    if let Some(target) = target {
        shadow(walker, target, element);
    }
    walker.unknown
}

/// Shadows the names of a target.
fn shadow<'a>(walker: &mut Walker<'a>, target: Node<'a>, value: ExprId) {
    match target.kind() {
        "identifier" => {
            let name = walker.atom_of(target);
            walker.flow.locals.push(name, value);
        }
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for (index, part) in walker.children(target).into_iter().enumerate() {
                let item = item(walker, value, index);
                shadow(walker, part, item);
            }
        }
        "list_splat_pattern" => {
            if let Some(inner) = first_child(walker, target) {
                shadow(walker, inner, walker.unknown);
            }
        }
        _ => _ = walker.visit(target, Role::Read),
    }
}

/// Visits the condition of a comprehension, which narrows values until the comprehension ends.
pub fn if_in<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(condition) = walker.part_of(node, Part::Condition) {
        walker.visit(condition, Role::Read);
        for (name, expr) in walker.narrowing(condition).when_true {
            walker.flow.locals.push(name, expr);
        }
    }
    walker.unknown
}

/// Visits `yield value` and `yield from values`.
pub fn yield_value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    frame(walker).is_generator = true;
    if let Some(child) = first_child(walker, node) {
        let value = walker.visit(child, Role::Read);
        let is_delegation = walker.has_token(node, "from");
        let yielded = if is_delegation { walker.facts.expr(Expr::Element(value)) } else { value };
        let is_replay = walker.is_replay;
        let yields = &mut walker.state::<State>().frame.yields;
        if !is_replay && yields.len() < MAX_YIELDS {
            yields.push(yielded);
        }
    }
    walker.unknown
}
