//! Statements that bind names.

use tree_sitter::Node;

use super::routes;
use super::variables::unpack;
use crate::facts::{BindingKind, Expr, ExprId, Role, ScopeKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Binds the names before `:=`, or adds writes to those before `=`, in `a, b := f()`, `case v, ok := <-c` and
/// `for k, v := range x`. They are bound after the statement, so the right side doesn't see them.
///
/// A range binds `k` to an element of `x` (a map's key, a channel's value), `v` to an indexed value. The rules define
/// both for each type.
pub fn declare<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let names = walker.parts(node, pattern, Part::Left);
    let right = walker.parts(node, pattern, Part::Right);
    let values = if pattern.setting("value") == Some("elements") {
        let ranged = right.first().map_or(walker.unknown, |right| walker.visit(*right, Role::Read));
        let forms = [Expr::Element, Expr::Index].into_iter().take(names.len());
        forms.map(|form| walker.facts.expr(form(ranged))).collect()
    } else {
        unpack(walker, &right, names.len().max(1))
    };
    let (Some(last), Some(right)) = (names.last(), right.first()) else { return walker.unknown };
    let declares = walker.text.get(last.end_byte()..right.start_byte()).is_some_and(|between| between.contains(":="));
    if let (true, &[name]) = (declares, names.as_slice()) {
        let name = walker.atom_of(name);
        routes::declare(walker, name, *right);
    }
    for (index, name) in names.iter().enumerate() {
        if declares {
            let name = walker.atom_of(*name);
            walker.bind_local(name, node, None, values.get(index).copied());
        } else {
            walker.visit(*name, Role::Write);
        }
    }
    walker.unknown
}

/// Visits a type switch. Each case binds the name: to the case's type if there is only one, else to the operand.
pub fn type_switch<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    walker.in_scope(ScopeKind::Block, |walker| {
        for initializer in walker.parts(node, pattern, Part::Body) {
            walker.visit(initializer, Role::Read);
        }
        let value = walker.part_of(node, Part::Value).map(|value| walker.visit(value, Role::Read));
        let alias = walker.part_of(node, Part::Name).map(|alias| walker.atom_of(alias));
        for case in walker.children(node) {
            if !matches!(case.kind(), "type_case" | "default_case") {
                continue;
            }
            let Some(pattern) = walker.pattern(case) else { continue };
            walker.in_scope(ScopeKind::Block, |walker| {
                let type_nodes = walker.parts(case, pattern, Part::Type);
                let mut types = Vec::new();
                for type_node in &type_nodes {
                    let is_nil = walker.text_of(*type_node) == "nil";
                    types.push(if is_nil { walker.unknown } else { walker.type_expr(*type_node, Some(Role::Type)) });
                }
                if let Some(alias) = alias.filter(|alias| walker.binds(*alias)) {
                    let kind = match types[..] {
                        [only] => BindingKind::Local { value_type: Some(only), value: None },
                        _ => BindingKind::Local { value_type: None, value },
                    };
                    walker.facts.bind(walker.context.scope, alias, case.start_byte() as u32, kind);
                }
                for child in walker.children(case).into_iter().filter(|child| !type_nodes.contains(child)) {
                    walker.visit(child, Role::Read);
                }
            });
        }
    });
    walker.unknown
}
