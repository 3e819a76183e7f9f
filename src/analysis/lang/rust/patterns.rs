//! Patterns: bind names to parts of the matched value.

use tree_sitter::Node;

use super::paths::{self, is_capital, is_capital_path};
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::walker::Walker;

/// Visits a pattern and binds its names to the corresponding parts of `value`.
pub fn pattern<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: ExprId) {
    walker.descend((), |walker| pattern_inner(walker, node, value));
}

fn pattern_inner<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: ExprId) {
    match node.kind() {
        // A capitalized name is a constant or a unit variant, not a binding.
        "identifier" if is_capital(walker.text_of(node)) => _ = paths::name(walker, node, Role::Read),
        "identifier" | "shorthand_field_identifier" => {
            let name = walker.atom_of(node);
            walker.flow.locals.push(name, value);
        }
        "scoped_identifier" => _ = paths::path(walker, node, Role::Read),
        "macro_invocation" => _ = walker.visit(node, Role::Read),
        "mut_pattern" | "ref_pattern" | "reference_pattern" | "match_pattern" | "captured_pattern" | "or_pattern" => {
            let guard = walker.field(node, "condition");
            for child in walker.children(node).into_iter().filter(|child| Some(*child) != guard) {
                pattern(walker, child, value);
            }
        }
        "tuple_pattern" => {
            for (index, child) in numbered(walker.children(node)) {
                let part = match index {
                    Some(index) => wrap(walker, value, |value| Expr::Item(value, index)),
                    None => walker.unknown,
                };
                pattern(walker, child, part);
            }
        }
        "slice_pattern" => {
            let element = wrap(walker, value, Expr::Element);
            for child in walker.children(node) {
                let is_rest = child.kind() == "captured_pattern" && walker.text_of(child).ends_with("..");
                pattern(walker, child, if is_rest { value } else { element });
            }
        }
        "tuple_struct_pattern" => tuple_struct(walker, node, value),
        "struct_pattern" => struct_fields(walker, node, value),
        _ => {}
    }
}

fn tuple_struct<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: ExprId) {
    let Some(path) = walker.field(node, "type") else { return };
    let parts: Vec<Node<'a>> = walker.children(node).into_iter().filter(|child| *child != path).collect();
    if matches!(walker.text_of(path), "Some" | "Ok" | "Option::Some" | "Result::Ok" | "Ready" | "Poll::Ready") {
        let inner = wrap(walker, value, Expr::Unwrap);
        return parts.into_iter().for_each(|part| pattern(walker, part, inner));
    }
    let variant = variant_of(walker, path, value);
    for (index, part) in numbered(parts) {
        let fields = match index.map(|index| index.to_string()) {
            Some(name) => variant.iter().map(|variant| member(walker, *variant, &name)).collect(),
            None => Vec::new(),
        };
        let field = union(walker, fields);
        pattern(walker, part, field);
    }
}

/// Returns the parts of a tuple with their positions; those behind `..` have none that is known.
fn numbered(parts: Vec<Node<'_>>) -> Vec<(Option<u16>, Node<'_>)> {
    let rest = parts.iter().position(|part| part.kind() == "remaining_field_pattern").unwrap_or(parts.len());
    let number = |index: usize| u16::try_from(index).ok().filter(|_| index < rest);
    parts.into_iter().enumerate().map(|(index, part)| (number(index), part)).collect()
}

/// Returns the expressions whose members are the fields of a variant or struct: the one reached through the matched
/// value, which has the type arguments, and the written path, which is a fallback if the value's type is unknown.
fn variant_of<'a>(walker: &mut Walker<'a>, path: Node<'a>, value: ExprId) -> Vec<ExprId> {
    let text = walker.text_of(path);
    let is_variant = match walker.field(path, "path") {
        Some(outer) => is_capital_path(walker.text_of(outer)),
        None => matches!(text, "Err" | "Borrowed" | "Owned" | "Left" | "Right"),
    };
    let is_tuple = matches!(path.kind(), "identifier" | "scoped_identifier");
    let role = if is_variant || is_tuple { Role::Read } else { Role::Type };
    let path_type = walker.type_expr(path, Some(role));
    if is_variant {
        let name = walker.field(path, "name").unwrap_or(path);
        let name = walker.name_text(name);
        let value_variant = member(walker, value, name);
        return [value_variant, path_type].map(|variant| walker.instance(variant)).to_vec();
    }
    let instance = walker.instance(path_type);
    vec![value, instance]
}

fn struct_fields<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: ExprId) {
    let Some(path) = walker.field(node, "type") else { return };
    let bases = variant_of(walker, path, value);
    for field in walker.children(node).into_iter().filter(|child| child.kind() == "field_pattern") {
        let Some(name_node) = walker.field(field, "name") else { continue };
        let name = walker.name_text(name_node);
        let members: Vec<ExprId> = bases.iter().map(|base| member(walker, *base, name)).collect();
        let written = members.last().copied().unwrap_or(walker.unknown);
        let part = union(walker, members);
        if part != walker.unknown {
            walker.refer(written, name_node, Role::Read);
        }
        match walker.field(field, "pattern") {
            Some(inner) => pattern(walker, inner, part),
            None => {
                let name = walker.facts.atom(name);
                walker.flow.locals.push(name, part);
            }
        }
    }
}

/// Returns `base.name`, or unknown if the base is unknown.
fn member(walker: &mut Walker<'_>, base: ExprId, name: &str) -> ExprId {
    if base == walker.unknown { base } else { walker.facts.member(base, name) }
}

/// Returns the union of the known parts.
fn union(walker: &mut Walker<'_>, mut parts: Vec<ExprId>) -> ExprId {
    parts.sort();
    walker.union(parts)
}

/// Wraps an expression, unless it is unknown.
pub fn wrap(walker: &mut Walker<'_>, inner: ExprId, wrapper: impl FnOnce(ExprId) -> Expr) -> ExprId {
    if inner == walker.unknown { inner } else { walker.facts.expr(wrapper(inner)) }
}
