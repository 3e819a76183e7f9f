//! `match` statements and their patterns.

use tree_sitter::Node;

use super::variables::{assign, item};
use crate::facts::{Atom, Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Visits a `match` statement, with the locals of all cases merged after it.
pub fn match_statement<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut subject = (walker.unknown, None);
    for child in walker.children(node).into_iter().filter(|child| child.kind() != "block") {
        let value = walker.visit(child, Role::Read);
        subject = (value, (child.kind() == "identifier").then(|| walker.atom_of(child)));
    }
    let Some(body) = walker.part_of(node, Part::Body) else { return walker.unknown };
    let mut exits = Vec::new();
    for clause in walker.children(body).into_iter().filter(|clause| clause.kind() == "case_clause") {
        let before = walker.flow.locals.clone();
        case_clause(walker, clause, subject);
        exits.push(std::mem::replace(&mut walker.flow.locals, before));
    }
    walker.merge(&exits);
    walker.unknown
}

/// Visits a case; the subject has a name if it is one.
fn case_clause<'a>(walker: &mut Walker<'a>, node: Node<'a>, (subject, name): (ExprId, Option<Atom>)) {
    for child in walker.children(node) {
        match child.kind() {
            "case_pattern" => {
                let matched = case_pattern(walker, child, subject);
                if let Some(name) = name.filter(|_| matched != subject) {
                    walker.flow.locals.set(name, matched);
                }
            }
            "if_clause" => walker.visit_children(child),
            "block" => _ = walker.visit(child, Role::Read),
            _ => {}
        }
    }
}

/// Binds the captures of a pattern and returns the value of the subject if it matches.
fn case_pattern<'a>(walker: &mut Walker<'a>, node: Node<'a>, subject: ExprId) -> ExprId {
    let parts = walker.children(node);
    match (node.kind(), parts.as_slice()) {
        ("case_pattern", &[inner, ..]) => return case_pattern(walker, inner, subject),
        ("class_pattern", &[name, ref parts @ ..]) => {
            let path = walker.children(name);
            let class = dotted(walker, &path, Role::Type);
            parts.iter().for_each(|part| _ = case_pattern(walker, *part, walker.unknown));
            return walker.facts.expr(Expr::Instance(class));
        }
        ("as_pattern", &[inner, alias]) => {
            let matched = case_pattern(walker, inner, subject);
            assign(walker, alias, matched);
            return matched;
        }
        ("union_pattern", parts) => {
            let parts = parts.iter().map(|part| case_pattern(walker, *part, subject)).collect();
            return walker.union(parts);
        }
        // A single name captures the subject, a dotted one is a value.
        ("dotted_name", &[single]) if walker.text_of(single) != "_" => assign(walker, single, subject),
        ("dotted_name", path) => _ = dotted(walker, path, Role::Read),
        ("identifier", _) => assign(walker, node, subject),
        ("list_pattern" | "tuple_pattern", parts) => {
            for (index, part) in parts.iter().enumerate() {
                let item = item(walker, subject, index);
                case_pattern(walker, *part, item);
            }
        }
        ("string" | "concatenated_string", _) => _ = walker.visit(node, Role::Read),
        (kind, parts) => {
            // The first part of a keyword pattern is the name of an attribute.
            parts
                .iter()
                .skip(usize::from(kind == "keyword_pattern"))
                .for_each(|part| _ = case_pattern(walker, *part, walker.unknown));
        }
    }
    subject
}

/// Visits a dotted name whose last part is used in `last_role`.
fn dotted<'a>(walker: &mut Walker<'a>, parts: &[Node<'a>], last_role: Role) -> ExprId {
    let mut expr = walker.unknown;
    for (index, part) in parts.iter().enumerate() {
        let role = if index + 1 == parts.len() { last_role } else { Role::Read };
        if index == 0 {
            expr = walker.visit(*part, role);
        } else {
            expr = walker.facts.member(expr, walker.text_of(*part));
            walker.refer(expr, *part, role);
        }
    }
    expr
}
