//! Statements that no pattern can describe: docstrings, outer names, handlers, raised exceptions.

use tree_sitter::Node;

use super::calls::class_instances;
use super::state::{OuterBinding, frame};
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

/// Records the names of a `global` or `nonlocal` statement.
pub fn outer_names<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_global = node.kind() == "global_statement";
    let binding = if is_global { OuterBinding::Global } else { OuterBinding::Nonlocal };
    for child in walker.children(node) {
        let name = walker.atom_of(child);
        frame(walker).outer_names.push((name, binding));
    }
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
        alias.into_iter().for_each(|alias| walker.assign(alias, instance));
    }
    for block in walker.children(node).into_iter().filter(|child| child.kind() == "block") {
        walker.visit(block, Role::Read);
    }
    walker.unknown
}

/// Visits a value of a `with` statement, whose methods the statement calls.
pub fn with_item<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit_children(node);
    let Some(value) = walker.part_of(node, Part::Value) else { return walker.unknown };
    let value = if value.kind() == "as_pattern" { walker.part_of(value, Part::Value).unwrap_or(value) } else { value };
    let entered = walker.replay(|walker| walker.visit(value, Role::Read));
    let statement = std::iter::successors(node.parent(), Node::parent).find(|outer| outer.kind() == "with_statement");
    let is_async = statement.is_some_and(|statement| walker.has_token(statement, "async"));
    let methods = if is_async { ["__aenter__", "__aexit__"] } else { ["__enter__", "__exit__"] };
    methods.into_iter().for_each(|method| _ = walker.implied_call(entered, &[method], &[], value));
    walker.unknown
}

/// Visits `for x in values`, which calls methods of the values.
pub fn loop_over<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if let Some(values) = walker.part(node, pattern, Part::Right) {
        let iterated = walker.replay(|walker| walker.visit(values, Role::Read));
        iterate(walker, node, iterated, values);
    }
    walker.value_loop(node, pattern);
    walker.unknown
}

/// Adds a call of the method that a loop or a comprehension runs for its values.
pub fn iterate<'a>(walker: &mut Walker<'a>, node: Node<'a>, values: ExprId, at: Node<'a>) {
    let method = if walker.has_token(node, "async") { "__aiter__" } else { "__iter__" };
    walker.implied_call(values, &[method], &[], at);
}

/// Visits `del value[index]`.
pub fn delete<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for target in walker.children(node) {
        match target.kind() {
            "expression_list" => _ = delete(walker, target, Role::Read),
            "subscript" => {
                let deleted = walker.part_of(target, Part::Object);
                for child in walker.children(target) {
                    let value = walker.visit(child, Role::Read);
                    if Some(child) == deleted {
                        walker.implied_call(value, &["__delitem__"], &[], child);
                    }
                }
            }
            _ => _ = walker.visit(target, Role::Read),
        }
    }
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
