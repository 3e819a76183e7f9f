//! Operators of C++, which types and namespaces can define.

use std::collections::HashSet;

use tree_sitter::Node;

use super::State;
use super::primitives::{ADDRESS, CONTENT};
use crate::facts::{Atom, Expr, ExprId, Role};
use crate::lang::common::walker::Walker;

/// The names of a file that are declared as values, and as pointers or arrays, which have operators of their own.
#[derive(Default)]
pub struct Declarators {
    values: HashSet<Atom>,
    pointers: HashSet<Atom>,
}

/// Notes whether a name is declared as a value. The type of `auto` is not known to be one.
pub fn note_declarator<'a>(walker: &mut Walker<'a>, name: Node<'a>, known: Node<'a>, declarator: Node<'a>) {
    if !super::is_cpp(walker) {
        return;
    }
    let mut at = Some(declarator);
    let mut is_value = known.kind() != "placeholder_type_specifier";
    while let Some(node) = at.filter(|node| *node != name) {
        is_value &= matches!(node.kind(), "init_declarator" | "reference_declarator" | "parenthesized_declarator");
        at = walker.field(node, "declarator").or_else(|| walker.children(node).first().copied());
    }
    let atom = walker.atom_of(name);
    let state = &mut walker.state::<State>().declarators;
    if is_value {
        state.values.insert(atom)
    } else {
        state.pointers.insert(atom)
    };
}

/// Returns whether an operand is a value and not a pointer, as far as this file tells.
fn is_value<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> bool {
    match node.kind() {
        "identifier" => {
            let name = walker.atom_of(node);
            let state = &walker.state::<State>().declarators;
            state.values.contains(&name) && !state.pointers.contains(&name)
        }
        "field_expression" => {
            let name = walker.field(node, "field").map(|name| walker.atom_of(name));
            name.is_some_and(|name| !walker.state::<State>().declarators.pointers.contains(&name))
        }
        // A pointer has none of these operators.
        "qualified_identifier" => node
            .parent()
            .is_some_and(|parent| matches!(symbol(walker, parent), "|" | "&" | "^" | "|=" | "&=" | "^=" | "~")),
        "parenthesized_expression" | "binary_expression" => {
            walker.children(node).first().is_some_and(|first| walker.descend(false, |walker| is_value(walker, *first)))
        }
        "pointer_expression" => {
            let operand = walker.field(node, "argument").filter(|_| symbol(walker, node) == "*");
            operand.is_some_and(|operand| match operand.kind() {
                "this" => true,
                "identifier" => {
                    let name = walker.atom_of(operand);
                    walker.state::<State>().declarators.pointers.contains(&name)
                }
                _ => false,
            })
        }
        _ => false,
    }
}

/// Adds a call of an operator: of the member of its first operand, or of the function that takes all. Returns its result.
fn operator<'a>(walker: &mut Walker<'a>, node: Node<'a>, symbol: &str, operands: &[(Node<'a>, ExprId)]) -> ExprId {
    let own: Vec<bool> = operands.iter().map(|(node, _)| is_value(walker, *node)).collect();
    if !own.contains(&true) {
        return walker.unknown;
    }
    let values: Vec<ExprId> = operands.iter().map(|(_, value)| *value).collect();
    let name = format!("operator{symbol}");
    let mut calls = Vec::new();
    if own[0] {
        let callee = walker.facts.member(values[0], &name);
        calls.push(walker.facts.expr(Expr::Call { callee, args: values[1..].to_vec() }));
    }
    let callee = walker.facts.name(&name);
    calls.push(walker.facts.expr(Expr::Call { callee, args: values }));
    let first = calls[0];
    walker.refer_to_implied(calls, node);
    first
}

fn symbol<'a>(walker: &Walker<'a>, node: Node<'a>) -> &'a str {
    walker.field(node, "operator").map_or("", |operator| walker.text_of(operator))
}

/// Visits `a + b`.
pub fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let sides = [walker.field(node, "left"), walker.field(node, "right")];
    let operands: Vec<(Node<'a>, ExprId)> =
        sides.into_iter().flatten().map(|side| (side, walker.visit(side, Role::Read))).collect();
    let symbol = symbol(walker, node);
    let made = match symbol {
        "&&" | "||" | "and" | "or" => walker.unknown,
        symbol => operator(walker, node, symbol, &operands),
    };
    let otherwise = match (symbol, operands.as_slice()) {
        ("&&" | "||" | "and" | "or" | "==" | "!=" | "<" | ">" | "<=" | ">=", _) => {
            walker.facts.builtin("bool", Vec::new())
        }
        ("+" | "-" | "*" | "/" | "%" | "|" | "&" | "^" | "<<" | ">>", &[(left, first), (right, second)]) => {
            match (left.kind() == "number_literal", right.kind() == "number_literal") {
                (true, false) => second,
                // The distance of two pointers is a number.
                (false, false) if symbol == "-" => walker.unknown,
                _ if right.kind() == "number_literal" && is_float(walker, right) => second,
                _ => first,
            }
        }
        _ => walker.unknown,
    };
    first_of(walker, &[made, otherwise])
}

fn is_float(walker: &Walker<'_>, node: Node<'_>) -> bool {
    walker.text_of(node).contains('.')
}

/// Returns the first of some values that is known.
fn first_of(walker: &mut Walker<'_>, values: &[ExprId]) -> ExprId {
    let known: Vec<ExprId> = values.iter().copied().filter(|value| *value != walker.unknown).collect();
    match known[..] {
        [] => walker.unknown,
        [only] => only,
        _ => walker.facts.expr(Expr::FirstOf(known)),
    }
}

/// Visits `-a`, `!a`, `a++` and `*a`. A pointer has the members of what it points to.
pub fn unary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(operand) = walker.field(node, "argument") else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let value = walker.visit(operand, Role::Read);
    let symbol = symbol(walker, node);
    let made = match symbol {
        "&" | "!" => walker.unknown,
        symbol => operator(walker, node, symbol, &[(operand, value)]),
    };
    let otherwise = match symbol {
        "!" | "not" => walker.facts.builtin("bool", Vec::new()),
        "&" | "*" if value != walker.unknown => {
            let part = walker.facts.member(value, if symbol == "&" { ADDRESS } else { CONTENT });
            return first_of(walker, &[made, part, value]);
        }
        _ => value,
    };
    first_of(walker, &[made, otherwise])
}

/// Visits `a[b]`.
pub fn subscript<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let object = walker.field(node, "argument");
    let mut operands = Vec::new();
    for child in walker.children(node) {
        let inner = if child.kind() == "subscript_argument_list" { walker.children(child) } else { vec![child] };
        operands.extend(inner.into_iter().map(|child| (child, walker.visit(child, Role::Read))));
    }
    let base = operands.first().filter(|_| object.is_some()).map_or(walker.unknown, |(_, base)| *base);
    let made = operator(walker, node, "[]", &operands);
    let entry = walker.facts.expr(Expr::Index(base));
    // The operator of the value itself, and not one that takes the index.
    let made = match walker.facts.get(made) {
        // A table of functions is called.
        _ if role == Role::Call => walker.unknown,
        Expr::Call { callee, .. } if matches!(walker.facts.get(*callee), Expr::Member { .. }) => made,
        _ => walker.unknown,
    };
    first_of(walker, &[made, entry])
}

/// Visits `a = b` and `a += b`.
pub fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let right = walker.field(node, "right").map_or(walker.unknown, |right| walker.visit(right, Role::Read));
    if let Some(left) = walker.field(node, "left") {
        let target = walker.visit(left, Role::Write);
        let symbol = symbol(walker, node);
        if symbol != "=" {
            let value = walker.field(node, "right").unwrap_or(left);
            operator(walker, node, symbol, &[(left, target), (value, right)]);
        }
    }
    right
}
