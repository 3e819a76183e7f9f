//! PHP's expressions and statements that no pattern can describe.

use tree_sitter::Node;

use super::doc_types;
use super::signals;
use crate::facts::{BindingKind, Expr, ExprId, Role};
use crate::lang::common::patterns::Action;
use crate::lang::common::walker::Walker;

/// Returns the expression of a name as it is written: `A`, `A\B`, `\A\B`, `namespace\A`. An absolute name is one
/// expression with its backslashes, others begin with an import or with a namespace below the own one.
pub fn path_expr(walker: &mut Walker<'_>, text: &str, is_callee: bool) -> ExprId {
    let text = text.strip_prefix("namespace\\").unwrap_or(text);
    let mark = if is_callee { "()" } else { "" };
    if text.starts_with('\\') {
        return walker.facts.name(&format!("{text}{mark}"));
    }
    let Some((outer, last)) = text.rsplit_once('\\') else { return walker.facts.name(&format!("{text}{mark}")) };
    let mut base = None;
    for segment in outer.split('\\').take(16) {
        base = Some(match base {
            None => walker.facts.name(segment),
            Some(base) => walker.facts.member(base, segment),
        });
    }
    let base = base.unwrap_or(walker.unknown);
    walker.facts.member(base, &format!("{last}{mark}"))
}

/// Returns the node of a name's last segment.
fn last_segment<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Node<'a> {
    walker.children(node).last().copied().unwrap_or(node)
}

/// Visits a qualified name in a position of values: a function, a constant or a class.
pub fn qualified<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let expr = path_expr(walker, walker.text_of(node), role == Role::Call);
    let last = last_segment(walker, node);
    walker.refer(expr, last, role);
    expr
}

/// Visits `self`, `static` and `parent`.
pub fn scope<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_parent = walker.text_of(node) == "parent";
    walker.facts.expr(if is_parent { Expr::Parent } else { Expr::ReceiverType })
}

/// Visits a name in a position of types. Names of bases make edges of their own.
pub fn type_name<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let text = walker.text_of(node);
    let expr = match text.to_ascii_lowercase().as_str() {
        "self" | "static" => walker.facts.expr(Expr::ReceiverType),
        "parent" => walker.facts.expr(Expr::Parent),
        _ => path_expr(walker, text, false),
    };
    let is_base = |parent: Node<'_>| {
        matches!(parent.kind(), "base_clause" | "class_interface_clause" | "use_declaration" | "use_as_clause")
    };
    let is_named = !matches!(walker.facts.get(expr), Expr::ReceiverType | Expr::Parent);
    if (is_named || role == Role::Call) && !node.parent().is_some_and(is_base) {
        let last = last_segment(walker, node);
        walker.refer(expr, last, role);
    }
    expr
}

/// Visits a type of the language itself.
pub fn primitive<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    match walker.text_of(node) {
        "static" | "self" => walker.facts.expr(Expr::ReceiverType),
        name => walker.facts.builtin(name, Vec::new()),
    }
}

/// Visits `A::B` and `A::class`.
pub fn class_constant<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let children = walker.children(node);
    let &[object, name] = children.as_slice() else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let base = walker.visit(object, Role::Read);
    if walker.text_of(name) == "class" {
        let known = walker.instance(base);
        return walker.facts.builtin(CLASS_STRING, vec![known]);
    }
    let atom = walker.atom_of(name);
    let expr = walker.facts.expr(Expr::Member { base, name: atom });
    walker.refer(expr, name, role);
    expr
}

/// The type of `A::class`, with `A` as its argument.
pub const CLASS_STRING: &str = "class-string";

/// Visits `new A(…)` and `new class(…) {…}`.
pub fn new<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let mut known = walker.unknown;
    for child in walker.children(node) {
        match child.kind() {
            "name" | "qualified_name" | "relative_name" | "relative_scope" => {
                known = walker.type_expr(child, Some(Role::Call));
                if role == Role::Raise {
                    walker.refer(known, child, Role::Raise);
                }
            }
            "arguments" => {}
            "anonymous_class" => known = walker.visit(child, Role::Read),
            _ => _ = walker.visit(child, Role::Read),
        }
    }
    let Some(pattern) = walker.pattern(node) else { return known };
    let arguments = walker.argument_nodes(node, pattern);
    walker.arguments(known, &arguments);
    signals::on_new(walker, node, &arguments);
    walker.instance(known)
}

/// Visits an array. `[$object, 'method']` and `[A::class, 'method']` are the method.
pub fn array<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut values = Vec::new();
    let elements = walker.children(node);
    for element in &elements {
        let parts = walker.children(*element);
        let Some((value, keys)) = parts.split_last() else { continue };
        keys.iter().for_each(|key| _ = walker.visit(*key, Role::Read));
        values.push(walker.visit(*value, Role::Read));
    }
    if let (&[object, _], &[_, name]) = (values.as_slice(), elements.as_slice()) {
        let base = match walker.facts.get(object) {
            Expr::Builtin { name, args } if walker.facts.text(*name) == CLASS_STRING => args.first().copied(),
            Expr::Name(name) if walker.facts.text(*name) == "__CLASS__" => Some(walker.facts.expr(Expr::ReceiverType)),
            Expr::Name(_) | Expr::Receiver | Expr::Member { .. } | Expr::Instance(_) => Some(object),
            _ => None,
        };
        let text = walker.text_of(name);
        let method = text.strip_prefix(['\'', '"']).and_then(|text| text.strip_suffix(['\'', '"']));
        let is_name = |text: &&str| !text.is_empty() && text.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric());
        if let (Some(base), Some(method)) = (base, method.filter(is_name)) {
            let atom = walker.callee_atom(method);
            let expr = walker.facts.expr(Expr::Member { base, name: atom });
            walker.refer(expr, name, Role::Read);
            return expr;
        }
    }
    let element = walker.union(values);
    walker.facts.builtin("[]", vec![element])
}

/// Visits `$a[…]`; `$_ENV['NAME']` reads an environment variable.
pub fn subscript<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((object, rest)) = children.split_first() else { return walker.unknown };
    let base = walker.visit(*object, Role::Read);
    rest.iter().for_each(|key| _ = walker.visit(*key, Role::Read));
    if let (Some(key), "$_ENV") = (rest.first(), walker.text_of(*object)) {
        signals::read_environment(walker, *key);
    }
    walker.facts.expr(Expr::Index(base))
}

/// Visits `$a = b`, `$a =& $b`, `$a ??= b` and `[$a, $b] = c`.
pub fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(left), Some(right)) = (walker.field(node, "left"), walker.field(node, "right")) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let mut value = walker.visit(right, Role::Read);
    if let Some(operator) = walker.field(node, "operator") {
        if walker.text_of(operator) != "??=" {
            walker.visit(left, Role::Write);
            return walker.unknown;
        }
        let before = walker.visit(left, Role::Read);
        value = walker.union(vec![before, value]);
    }
    let noted = doc_types::noted_variable(walker, node, left);
    bind(walker, left, node, noted, Some(value));
    value
}

/// Binds the variables of an assignment's left side from the end of `end` on.
fn bind<'a>(walker: &mut Walker<'a>, left: Node<'a>, end: Node<'a>, value_type: Option<ExprId>, value: Option<ExprId>) {
    match left.kind() {
        "variable_name" => {
            let name = walker.atom_of(left);
            let value_type = value_type.or_else(|| doc_types::noted_element(walker, end, left));
            walker.bind_local(name, end, value_type, value);
        }
        "by_ref" | "array_element_initializer" | "pair" => {
            let children = walker.children(left);
            let Some((last, keys)) = children.split_last() else { return };
            keys.iter().for_each(|key| _ = walker.visit(*key, Role::Read));
            walker.descend((), |walker| bind(walker, *last, end, value_type, value));
        }
        "list_literal" | "array_creation_expression" => {
            let element = value.map(|value| walker.facts.expr(Expr::Element(value)));
            for child in walker.children(left) {
                walker.descend((), |walker| bind(walker, child, end, None, element));
            }
        }
        _ => {
            let path = walker.atom_of(left);
            let target = walker.visit(left, Role::Write);
            // What was known about the property before does not hold for the new value.
            if walker.is_local(path) {
                walker.bind_local(path, end, value_type, value.or(Some(target)));
            }
        }
    }
}

/// Visits `$a instanceof B`, after which `$a` is a `B`, `a ?? b`, and operators of plain values.
pub fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(left), Some(right)) = (walker.field(node, "left"), walker.field(node, "right")) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let operator = walker.field(node, "operator").map_or("", |operator| walker.text_of(operator));
    let value = walker.visit(left, Role::Read);
    match operator {
        "instanceof" if matches!(right.kind(), "name" | "qualified_name" | "relative_name" | "relative_scope") => {
            let known = walker.type_expr(right, Some(Role::Type));
            let is_variable = walker.is(left, Action::Name) && walker.text_of(left).starts_with('$');
            if is_variable {
                let name = walker.atom_of(left);
                walker.bind_local(name, node, Some(known), None);
            } else if left.kind() == "member_access_expression" && walker.text_of(left).starts_with("$this->") {
                narrow_property(walker, left, node, known, value);
            }
            walker.facts.builtin("bool", Vec::new())
        }
        "??" => {
            let other = walker.visit(right, Role::Read);
            walker.union(vec![value, other])
        }
        _ => {
            walker.visit(right, Role::Read);
            let name = if operator == "." { "string" } else { "mixed" };
            walker.facts.builtin(name, Vec::new())
        }
    }
}

/// Binds the path of a property to the type that a check tells, up to the end of the statement around it. After a
/// negated check the statement is left, so that the type holds behind it.
fn narrow_property<'a>(walker: &mut Walker<'a>, path: Node<'a>, check: Node<'a>, known: ExprId, plain: ExprId) {
    let name = walker.atom_of(path);
    let mut is_negated = false;
    let mut at = check.parent();
    while let Some(outer) = at.filter(|outer| !outer.kind().ends_with("_statement") && outer.kind() != "match_arm") {
        is_negated |= outer.kind() == "unary_op_expression";
        at = outer.parent();
    }
    let Some(statement) = at else { return };
    let begin = if is_negated { statement } else { check };
    walker.bind_local(name, begin, Some(known), None);
    if !is_negated {
        let position = statement.end_byte() as u32;
        let kind = BindingKind::Local { value_type: None, value: Some(plain) };
        walker.facts.bind(walker.context.scope, name, position, kind);
    }
}

/// Visits `foreach ($a as $key => $value) { … }`.
pub fn foreach<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let body = walker.field(node, "body");
    let children = walker.children(node);
    let mut heads = children.into_iter().filter(|child| Some(*child) != body);
    if let Some(iterable) = heads.next() {
        let value = walker.visit(iterable, Role::Read);
        let element = walker.facts.expr(Expr::Element(value));
        for target in heads {
            let noted = doc_types::noted_variable(walker, node, target);
            bind(walker, target, target, noted, Some(element));
        }
    }
    if let Some(body) = body {
        walker.visit(body, Role::Read);
    }
    walker.unknown
}

/// Visits `catch (A | B $e) { … }`.
pub fn catch<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let known = walker.field(node, "type").map(|part| walker.type_expr(part, Some(Role::Type)));
    if let Some(name) = walker.field(node, "name") {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, known, None);
    }
    if let Some(body) = walker.field(node, "body") {
        walker.visit(body, Role::Read);
    }
    walker.unknown
}

/// Visits `match (…) { … }`. Returns one of the values of its arms.
pub fn match_arms<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut values = Vec::new();
    for part in walker.children(node) {
        if Some(part) != walker.field(node, "body") {
            walker.visit(part, Role::Read);
            continue;
        }
        for arm in walker.children(part) {
            let result = walker.field(arm, "return_expression");
            for child in walker.children(arm) {
                let value = walker.visit(child, Role::Read);
                if Some(child) == result {
                    values.push(value);
                }
            }
        }
    }
    walker.union(values)
}
