//! Statements that bind names.

use tree_sitter::Node;

use super::variables::unpack;
use crate::facts::{BindingKind, Expr, ExprId, Role, ScopeKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Binds the names of `a, b := f()`. They are bound after the statement, so the right side doesn't see them.
pub fn declare<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let names = walker.parts(node, pattern, Part::Left);
    let right = walker.parts(node, pattern, Part::Right);
    let values = unpack(walker, &right, names.len());
    for (index, name) in names.into_iter().enumerate() {
        let name = walker.atom_of(name);
        walker.bind_local(name, node, None, values.get(index).copied());
    }
    walker.unknown
}

/// Binds the variables of `for k, v := range x`: `k` to an element of `x` (a map's key, a channel's value), `v` to an
/// indexed value. The rules define both for each type.
pub fn range<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let right = walker.part(node, pattern, Part::Right);
    let ranged = right.map(|right| walker.visit(right, Role::Read));
    let forms = [Expr::Element, Expr::Index];
    let mut values = Vec::new();
    let names = walker.parts(node, pattern, Part::Left);
    for (ranged, form) in ranged.into_iter().flat_map(|ranged| forms.map(|form| (ranged, form))).take(names.len()) {
        values.push(walker.facts.expr(form(ranged)));
    }
    declare_or_write(walker, node, right, &names, &values);
    walker.unknown
}

/// Binds the variables of `case v, ok := <-c`.
pub fn receive<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let right = walker.part(node, pattern, Part::Right);
    let names = walker.parts(node, pattern, Part::Left);
    let values = unpack(walker, right.as_slice(), names.len().max(1));
    declare_or_write(walker, node, right, &names, &values);
    walker.unknown
}

/// Binds the names before `:=`, or adds writes to those before `=`.
fn declare_or_write<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    right: Option<Node<'a>>,
    names: &[Node<'a>],
    values: &[ExprId],
) {
    let (Some(last), Some(right)) = (names.last(), right) else { return };
    let between = walker.text.get(last.end_byte()..right.start_byte()).unwrap_or_default();
    let declares = between.contains(":=");
    for (index, name) in names.iter().enumerate() {
        if declares {
            let atom = walker.atom_of(*name);
            walker.bind_local(atom, node, None, values.get(index).copied());
        } else {
            walker.visit(*name, Role::Write);
        }
    }
}

/// Visits a type switch. Each case binds the name: to the case's type if there is only one, else to the operand.
pub fn type_switch<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    walker.in_scope(ScopeKind::Block, |walker| {
        for initializer in walker.parts(node, pattern, Part::Body) {
            walker.visit(initializer, Role::Read);
        }
        let value = walker.part(node, pattern, Part::Value).map(|value| walker.visit(value, Role::Read));
        let alias = walker.part(node, pattern, Part::Name).map(|alias| walker.atom_of(alias));
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
