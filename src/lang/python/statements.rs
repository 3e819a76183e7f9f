//! Statements that no pattern can describe: loops over values, handlers, raised exceptions, `match`.

use tree_sitter::Node;

use super::calls::class_instances;
use super::state::{OuterBinding, first_child, frame};
use super::variables::assign;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Visits a statement that is an expression. A docstring is part of the doc and not of the body's words.
pub fn expression_statement<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    if let &[string] = children.as_slice()
        && string.kind() == "string"
        && walker.children(string).iter().all(|part| part.kind() != "interpolation")
    {
        return walker.unknown;
    }
    children.into_iter().for_each(|child| _ = walker.visit(child, Role::Read));
    walker.unknown
}

/// Records the names of a `global` statement.
pub fn global<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    bind_outside(walker, node, OuterBinding::Global)
}

/// Records the names of a `nonlocal` statement.
pub fn nonlocal<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    bind_outside(walker, node, OuterBinding::Nonlocal)
}

fn bind_outside<'a>(walker: &mut Walker<'a>, node: Node<'a>, binding: OuterBinding) -> ExprId {
    for child in walker.children(node) {
        let name = walker.atom_of(child);
        frame(walker).outer_names.push((name, binding));
    }
    walker.unknown
}

/// Visits a loop over values.
pub fn for_loop<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let values = walker.part(node, pattern, Part::Right);
    let values = values.map_or(walker.unknown, |values| walker.visit(values, Role::Read));
    let before = walker.flow.locals.clone();
    let element = walker.facts.expr(Expr::Element(values));
    if let Some(left) = walker.part(node, pattern, Part::Left) {
        assign(walker, left, element);
    }
    walker.loop_body(node, pattern, before);
    walker.unknown
}

/// Visits `try`. A handler begins with the locals before the body, because each statement of it can raise.
pub fn try_statement<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let before = walker.flow.locals.clone();
    if let Some(body) = walker.part_of(node, Part::Body) {
        walker.visit(body, Role::Read);
    }
    let mut exits = Vec::new();
    for clause in walker.children(node) {
        match clause.kind() {
            "except_clause" => {
                let after = std::mem::replace(&mut walker.flow.locals, before.clone());
                walker.visit(clause, Role::Read);
                exits.push(std::mem::replace(&mut walker.flow.locals, after));
            }
            "else_clause" => walker.visit_children(clause),
            "finally_clause" => {
                walker.merge(&exits);
                exits.clear();
                walker.visit_children(clause);
            }
            _ => {}
        }
    }
    walker.merge(&exits);
    walker.unknown
}

/// Visits a handler and binds the caught exception.
pub fn except<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (value, alias) = (walker.part_of(node, Part::Value), walker.part_of(node, Part::Left));
    let (caught, alias) = match value {
        Some(value) if value.kind() == "as_pattern" => {
            (walker.part_of(value, Part::Value), walker.part_of(value, Part::Left))
        }
        _ => (value, alias),
    };
    if let Some(caught) = caught {
        let instance = class_instances(walker, caught);
        alias.into_iter().for_each(|alias| assign(walker, alias, instance));
    }
    for block in walker.children(node).into_iter().filter(|child| child.kind() == "block") {
        walker.visit(block, Role::Read);
    }
    walker.unknown
}

/// Visits `manager as target` of a `with` statement.
pub fn with_item<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (manager, alias) = (walker.part_of(node, Part::Value), walker.part_of(node, Part::Left));
    let manager = manager.map_or(walker.unknown, |manager| walker.visit(manager, Role::Read));
    let entered = walker.facts.expr(Expr::Unwrap(manager));
    alias.into_iter().for_each(|alias| assign(walker, alias, entered));
    walker.unknown
}

/// Visits `raise`. The exception gets a reference besides that of its call or value.
pub fn raise<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let cause = walker.part_of(node, Part::Right);
    for child in walker.children(node) {
        walker.visit(child, Role::Read);
        let raised = if child.kind() == "call" { walker.part_of(child, Part::Function) } else { Some(child) };
        let Some(raised) = raised.filter(|_| Some(child) != cause) else { continue };
        let name = match raised.kind() {
            "identifier" => Some(raised),
            "attribute" => walker.part_of(raised, Part::Name),
            _ => None,
        };
        if let Some(name) = name {
            let expr = walker.replay(|walker| walker.visit(raised, Role::Read));
            if matches!(walker.facts.get(expr), Expr::Name(_) | Expr::Member { .. }) {
                walker.refer(expr, name, Role::Raise);
            }
        }
    }
    walker.flow.locals.terminate();
    walker.unknown
}

/// Visits `assert`, which narrows values from there on.
pub fn assert<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit_children(node);
    if let Some(condition) = first_child(walker, node) {
        let narrowing = walker.narrowing(condition);
        walker.flow.locals.narrow(&narrowing.when_true);
    }
    walker.unknown
}
