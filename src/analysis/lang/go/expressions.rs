//! Expressions that no pattern can describe: names, calls of builtin functions, composite literals.

use tree_sitter::Node;

use super::builtins::is_predeclared_type;
use super::routes;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;

/// Returns a name. The name of an imported package is not a reference; if a local variable shadows it, only a read of that
/// variable is lost.
pub fn name<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let text = walker.text_of(node);
    if text == "_" {
        return walker.unknown;
    }
    if is_predeclared_type(text) {
        return walker.facts.builtin(text, Vec::new());
    }
    let atom = walker.facts.atom(text);
    let expr = walker.facts.expr(Expr::Name(atom));
    let may_be_package = matches!(role, Role::Read | Role::Type);
    if !may_be_package || !walker.imports.contains_key(&atom) {
        walker.refer(expr, node, role);
    }
    expr
}

/// Visits a type in a position of values.
pub fn type_as_value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.type_expr(node, Some(Role::Type))
}

/// Visits a call of a function, of a builtin one, or of a predeclared type.
pub fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let callee = walker.part(node, pattern, Part::Function).map_or("", |function| walker.text_of(function));
    if !is_predeclared_type(callee) && !matches!(callee, "new" | "make" | "append" | "len" | "cap" | "panic") {
        return routes::in_group(walker, node, |walker| walker.call(node, pattern));
    }
    let nodes = walker.argument_nodes(node, pattern);
    if matches!(callee, "new" | "make") {
        let Some((type_node, rest)) = nodes.split_first() else { return walker.unknown };
        let inner = walker.type_expr(*type_node, Some(Role::Type));
        for argument in rest {
            walker.visit(*argument, Role::Read);
        }
        return walker.facts.expr(Expr::Instance(inner));
    }
    let args: Vec<ExprId> = nodes.iter().map(|argument| walker.visit(*argument, Role::Read)).collect();
    match callee {
        "append" => args.first().copied().unwrap_or(walker.unknown),
        "len" | "cap" => walker.facts.builtin("int", Vec::new()),
        "panic" => walker.unknown,
        _ => walker.facts.builtin(callee, Vec::new()),
    }
}

/// Visits an operand. Returns an element for `<-c`, a `bool` for `!x`.
pub fn unary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(operand) = walker.part_of(node, Part::Value) else { return walker.unknown };
    let inner = walker.visit(operand, Role::Read);
    match walker.text_of(node).as_bytes() {
        [b'<', ..] => walker.facts.expr(Expr::Element(inner)),
        [b'!', ..] => walker.facts.builtin("bool", Vec::new()),
        _ => inner,
    }
}

/// Visits two operands. The type is that of the operands, of which an untyped literal does not count.
pub fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(left), Some(right)) = (walker.part_of(node, Part::Left), walker.part_of(node, Part::Right)) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let (first, second) = (walker.visit(left, Role::Read), walker.visit(right, Role::Read));
    match node.child(1).map(|operator| operator.kind()) {
        Some("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||") => walker.facts.builtin("bool", Vec::new()),
        _ if walker.is(left, Action::Literal) => second,
        _ => first,
    }
}

/// Visits `x[i]`, or `f[T]` if the index is a predeclared type; the grammar does not distinguish them.
pub fn index<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(operand) = walker.part_of(node, Part::Object) else { return walker.unknown };
    let index = walker.part_of(node, Part::Value);
    let is_type = index.is_some_and(|index| is_predeclared_type(walker.text_of(index)));
    let base = walker.visit(operand, if is_type { role } else { Role::Read });
    let argument = index.map_or(walker.unknown, |index| walker.visit(index, Role::Read));
    if is_type {
        return walker.facts.expr(Expr::Apply { base, args: vec![argument] });
    }
    walker.facts.expr(Expr::Index(base))
}

/// Visits a conversion, or `f[T](x)`, `List[T](x)` or `list[i](x)`, which the grammar reads as one.
pub fn conversion<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(type_node) = walker.part_of(node, Part::Type) else { return walker.unknown };
    let value = walker.part_of(node, Part::Value);
    let generic = walker.dialect.patterns.of_type(type_node).filter(|pattern| pattern.action == Action::TypeApply);
    let Some(generic) = generic else {
        value.map(|value| walker.visit(value, Role::Read));
        let inner = walker.type_expr(type_node, Some(Role::Type));
        return walker.facts.expr(Expr::Instance(inner));
    };
    let callee = walker.part(type_node, generic, Part::Type);
    let base = callee.map_or(walker.unknown, |callee| walker.visit(callee, Role::Call));
    let args = walker.type_arguments(type_node, generic);
    let callee = walker.facts.expr(Expr::Apply { base, args });
    let args = value.map(|value| walker.visit(value, Role::Read)).into_iter().collect();
    walker.facts.expr(Expr::Call { callee, args })
}

/// Visits `f[K, V]` that is not called.
pub fn instantiation<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((base, args)) = children.split_first() else { return walker.unknown };
    let base = walker.visit(*base, role);
    let args = args.iter().map(|arg| walker.type_expr(*arg, Some(Role::Type))).collect();
    walker.facts.expr(Expr::Apply { base, args })
}

/// The meaning of a composite literal's elements.
#[derive(Clone, Copy)]
enum Elements {
    /// Elements with identifier keys are fields of this value: a struct, or a named type that may be one.
    Fields(ExprId),
    /// Elements of this array, slice or map, if it is known.
    Items(Option<ExprId>),
}

/// Visits a composite literal `T{…}`: a reference to the type, and a write to each keyed field.
pub fn literal<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(type_node) = walker.part_of(node, Part::Type) else { return walker.unknown };
    let inner = walker.type_expr(type_node, Some(Role::Type));
    let value = walker.facts.expr(Expr::Instance(inner));
    let type_pattern = walker.dialect.patterns.of_type(type_node);
    let is_container = type_pattern.is_some_and(|pattern| pattern.action == Action::TypeArray);
    let elements = if is_container { Elements::Items(Some(value)) } else { Elements::Fields(value) };
    if let Some(body) = walker.part_of(node, Part::Body) {
        literal_body(walker, body, elements);
    }
    value
}

fn literal_body<'a>(walker: &mut Walker<'a>, body: Node<'a>, elements: Elements) {
    walker.descend((), |walker| {
        for element in walker.children(body) {
            let key = walker.part_of(element, Part::Name);
            let field = key.and_then(|key| literal_key(walker, key, elements));
            let value = walker.part_of(element, Part::Value).unwrap_or(element);
            literal_element(walker, value, elements, field);
        }
    });
}

/// Visits the key of an element. Returns the field if the key names one.
fn literal_key<'a>(walker: &mut Walker<'a>, key: Node<'a>, elements: Elements) -> Option<ExprId> {
    let inner = walker.children(key).first().copied().unwrap_or(key);
    match elements {
        Elements::Fields(base) if inner.kind() == "identifier" => {
            let name = walker.atom_of(inner);
            let member = walker.facts.expr(Expr::Member { base, name });
            walker.refer(member, inner, Role::Write);
            Some(member)
        }
        _ => {
            literal_element(walker, key, Elements::Items(None), None);
            None
        }
    }
}

/// Visits an element: a value, or a literal whose type is elided because the enclosing literal implies it.
fn literal_element<'a>(walker: &mut Walker<'a>, element: Node<'a>, elements: Elements, field: Option<ExprId>) {
    let inner = if element.kind() == "literal_element" { walker.children(element).first().copied() } else { None };
    let inner = inner.unwrap_or(element);
    if inner.kind() != "literal_value" {
        walker.visit(inner, Role::Read);
        return;
    }
    let elided = match (field, elements) {
        // The enclosing type is a struct with that field, or a map with a constant of that name as key.
        (Some(field), Elements::Fields(base)) => {
            let index = walker.facts.expr(Expr::Index(base));
            walker.facts.expr(Expr::Union(vec![field, index]))
        }
        (_, Elements::Fields(base) | Elements::Items(Some(base))) => walker.facts.expr(Expr::Index(base)),
        (_, Elements::Items(None)) => walker.unknown,
    };
    // Whether the elided type is a struct or a container depends on the keys.
    literal_body(walker, inner, Elements::Fields(elided));
}
