//! Paths such as `a::b::C` in values, types, attributes and headers.

use tree_sitter::Node;

use super::builtins::{CRATE_ROOT_PREFIX, POINTER, SLICE, TUPLE};
use crate::facts::{Atom, Expr, ExprId, Role};
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;

/// Names of the primitive types.
const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8",
    "usize",
];

/// Returns whether a name is, by convention, a type, a variant or a constant.
pub fn is_capital(name: &str) -> bool {
    name.trim_start_matches("r#").trim_start_matches('_').starts_with(|c: char| c.is_uppercase())
}

/// Returns whether the last segment of a path is a type, a variant or a constant.
pub fn is_capital_path(path: &str) -> bool {
    is_capital(path.rsplit("::").next().unwrap_or(path))
}

/// Visits a path. References the last name with `role`, and types before it with `Role::Type` or `Role::Read`.
pub fn path<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let (outer, name) = (walker.part_of(node, Part::Object), walker.part_of(node, Part::Name));
    let Some(name) = name else { return walker.unknown };
    let prefix_role = if role == Role::Type { Role::Type } else { Role::Read };
    let base = outer.map(|outer| prefix(walker, outer, prefix_role));
    let expr = member(walker, base, name, role);
    if expr != walker.unknown {
        walker.refer(expr, name, role);
    }
    expr
}

/// Visits a name that is not a local variable.
pub fn name<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    match walker.text_of(node) {
        "Self" => walker.facts.expr(Expr::ReceiverType),
        "_" => walker.unknown,
        _ => {
            let atom = walker.atom_of(node);
            let expr = walker.facts.expr(Expr::Name(atom));
            walker.refer(expr, node, role);
            expr
        }
    }
}

/// Visits the part of a path before `::`. Modules in it are not referenced.
pub fn prefix<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let text = walker.text_of(node);
    if matches!(text, "crate" | "self" | "super") {
        return root(walker, text);
    }
    if walker.is(node, Action::Name) || node.child_count() == 0 {
        return match text {
            _ if is_capital(text) => name(walker, node, role),
            _ if PRIMITIVES.contains(&text) => walker.facts.builtin(text, Vec::new()),
            _ => {
                let atom = walker.atom_of(node);
                walker.facts.expr(Expr::Name(atom))
            }
        };
    }
    let last = match walker.part_of(node, Part::Name) {
        Some(last) if !is_capital(walker.text_of(last)) => last,
        Some(_) => return walker.type_expr(node, Some(role)),
        None => {
            // `<T as Trait>` has a type, `Vec<T>` is one.
            let role = if node.kind() == "bracketed_type" { Role::Type } else { role };
            return walker.type_expr(node, Some(role));
        }
    };
    let outer = walker.part_of(node, Part::Object);
    let unknown = walker.unknown;
    let base = outer.map(|outer| walker.descend(unknown, |walker| prefix(walker, outer, role)));
    member(walker, base, last, role)
}

/// Returns the expression of a path without adding references.
pub fn unreferenced<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    if walker.is(node, Action::Name) || node.kind() == "type_identifier" {
        let atom = walker.atom_of(node);
        return walker.facts.expr(Expr::Name(atom));
    }
    let Some(name) = walker.part_of(node, Part::Name) else { return prefix(walker, node, Role::Read) };
    let base = match walker.part_of(node, Part::Object) {
        Some(outer) => unreferenced(walker, outer),
        None => walker.unknown,
    };
    let name = walker.name_text(name);
    if base == walker.unknown { base } else { walker.facts.member(base, name) }
}

/// Visits a type in a header. Only its arguments are referenced: bases and extensions have edges of their own.
pub fn header_type<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    let Some(pattern) = walker.dialect.patterns.of_type(node) else { return walker.type_expr(node, Some(Role::Type)) };
    let unknown = walker.unknown;
    match (pattern.action, walker.part(node, pattern, Part::Type)) {
        (Action::TypeApply, Some(base)) => {
            let base = unreferenced(walker, base);
            let args = walker.type_arguments(node, pattern);
            if base == unknown { base } else { walker.facts.expr(Expr::Apply { base, args }) }
        }
        (Action::TypeGroup, Some(inner)) if node.kind() != "dynamic_type" => {
            let inner = walker.descend(unknown, |walker| header_type(walker, inner));
            if node.kind() == "pointer_type" { walker.facts.builtin(POINTER, vec![inner]) } else { inner }
        }
        (Action::TypeHook, _) if !node.kind().starts_with("macro") => unreferenced(walker, node),
        _ => walker.type_expr(node, Some(Role::Type)),
    }
}

/// Returns the name of an `impl` block's target type, without path and arguments.
pub fn target_name<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Atom {
    match node.kind() {
        "array_type" => return walker.facts.atom(SLICE),
        "tuple_type" | "unit_type" => return walker.facts.atom(TUPLE),
        "function_type" => return walker.facts.atom("fn"),
        _ => {}
    }
    let pattern = walker.dialect.patterns.of_type(node);
    let inner = pattern
        .and_then(|pattern| walker.part(node, pattern, Part::Type).or_else(|| walker.part(node, pattern, Part::Name)));
    match inner {
        Some(inner) => walker.descend(Atom(0), |walker| target_name(walker, inner)),
        None => walker.atom_of(node),
    }
}

/// Returns `base::name`. Without a base the path starts at the crate names; `super::super` becomes one root.
fn member<'a>(walker: &mut Walker<'a>, base: Option<ExprId>, name: Node<'a>, role: Role) -> ExprId {
    let text = walker.text_of(name);
    let Some(base) = base else { return root(walker, &format!("{CRATE_ROOT_PREFIX}{text}")) };
    if text == "super" {
        let outer = match walker.facts.get(base) {
            Expr::Root(root) => walker.facts.text(*root),
            _ => "",
        };
        let path = if outer.starts_with("super") { format!("{outer}::super") } else { text.to_owned() };
        return root(walker, &path);
    }
    let name = walker.member_atom(name, role);
    if base == walker.unknown { base } else { walker.facts.expr(Expr::Member { base, name }) }
}

/// Returns the expression of a path root: `crate`, `self`, `super`, a crate or a macro.
pub fn root(walker: &mut Walker<'_>, name: &str) -> ExprId {
    let atom = walker.facts.atom(name);
    walker.facts.expr(Expr::Root(atom))
}
