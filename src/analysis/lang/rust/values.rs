//! Statements and expressions that no pattern can describe.

use tree_sitter::Node;

use super::builtins::SLICE;
use super::calls::{self, State};
use super::patterns::wrap;
use super::{paths, patterns};
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;

/// Returns the value of an expression statement, which is the value of its block if it comes last without a semicolon.
pub fn statement<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.sequence(node);
    if node.child_count() > 1 { walker.unknown } else { value }
}

/// Visits `let`, as a statement or a condition.
pub fn let_binding<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let declared = walker.part_of(node, Part::Type);
    let declared_type = declared.map(|declared| walker.type_expr(declared, Some(Role::Type)));
    let value_node = walker.part_of(node, Part::Value);
    let value = value_node.map_or(walker.unknown, |value| walker.visit(value, Role::Read));
    if let Some(alternative) = walker.part_of(node, Part::Body) {
        walker.visit(alternative, Role::Read);
    }
    let is_partial = declared.is_some_and(|declared| has_placeholder(walker.text_of(declared)));
    let bound = match declared_type {
        Some(declared_type) if is_partial => calls::expect(walker, declared_type, value),
        Some(declared_type) => walker.instance(declared_type),
        None => value,
    };
    if let Some(pattern) = walker.part_of(node, Part::Name) {
        patterns::pattern(walker, pattern, bound);
    }
    if declared.is_none() && value_node.is_some_and(|value| is_empty_collection(walker.text_of(value))) {
        walker.state::<State>().open.insert(bound);
    }
    walker.unknown
}

/// Visits `match` and returns the union of its arms.
pub fn match_value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.part_of(node, Part::Value).map_or(walker.unknown, |value| walker.visit(value, Role::Read));
    let Some(body) = walker.part_of(node, Part::Body) else { return walker.unknown };
    let mut values = Vec::new();
    for arm in walker.children(body).into_iter().filter(|arm| arm.kind() == "match_arm") {
        let locals = walker.flow.locals.len();
        if let Some(pattern) = walker.part_of(arm, Part::Name) {
            patterns::pattern(walker, pattern, value);
            if let Some(guard) = walker.field(pattern, "condition") {
                walker.visit(guard, Role::Read);
            }
        }
        if let Some(result) = walker.part_of(arm, Part::Value) {
            values.push(walker.visit(result, Role::Read));
        }
        walker.flow.locals.truncate(locals);
    }
    walker.union(values)
}

/// Visits `while` or `loop` and returns the union of the values of its `break` expressions.
pub fn loop_value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let locals = walker.flow.locals.len();
    if let Some(condition) = walker.part_of(node, Part::Left) {
        walker.visit(condition, Role::Read);
    }
    let values = walker.collect_returns(|walker| {
        if let Some(body) = walker.part_of(node, Part::Body) {
            walker.visit(body, Role::Read);
        }
    });
    walker.flow.locals.truncate(locals);
    walker.union(values)
}

/// Visits `break value` and adds the value to those of the innermost loop. Labels are ignored.
pub fn break_value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.sequence(node);
    walker.add_return(value);
    walker.unknown
}

/// Visits an assignment. The first one of a local without a value determines it: `let x;` before, `x = value` here.
pub fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.part_of(node, Part::Right).map_or(walker.unknown, |right| walker.visit(right, Role::Read));
    if let (Some(left), Some(operator)) = (walker.part_of(node, Part::Left), walker.field(node, "operator")) {
        let target = walker.visit(left, Role::Write);
        operate(walker, node, walker.text_of(operator), target, value);
    } else if let Some(left) = walker.part_of(node, Part::Left) {
        let name = walker.atom_of(left);
        match walker.flow.locals.get(name).filter(|_| walker.is(left, Action::Name)) {
            Some(known) if known == walker.unknown || walker.state::<State>().open.remove(&known) => {
                walker.flow.locals.set(name, value);
            }
            Some(_) => {}
            None => _ = walker.visit(left, Role::Write),
        }
    }
    walker.facts.expr(Expr::Tuple(Vec::new()))
}

/// Visits `Type { field: value }`. A variant's literal is an instance of its enum.
pub fn struct_literal<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(name) = walker.part_of(node, Part::Name) else { return walker.unknown };
    let outer = walker.part_of(name, Part::Object);
    let variant_of = outer.filter(|outer| paths::is_capital_path(walker.text_of(*outer)));
    let (literal_type, instance) = match (variant_of, walker.part_of(name, Part::Name)) {
        (Some(outer), Some(variant)) => {
            let base = paths::prefix(walker, outer, Role::Read);
            let variant = walker.name_text(variant);
            let variant = walker.facts.member(base, variant);
            (walker.instance(variant), walker.instance(base))
        }
        _ => {
            let literal_type = walker.type_expr(name, Some(Role::Type));
            let instance = walker.instance(literal_type);
            (instance, instance)
        }
    };
    let Some(body) = walker.part_of(node, Part::Body) else { return instance };
    for initializer in walker.children(body) {
        if let Some(field) = walker.part_of(initializer, Part::Name) {
            let name = walker.name_text(field);
            let member = walker.facts.member(literal_type, name);
            walker.refer(member, field, Role::Write);
        }
        walker.visit(initializer, Role::Read);
    }
    instance
}

/// Visits the value of a field in a literal.
pub fn field_value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.part_of(node, Part::Value).or_else(|| walker.part_of(node, Part::Name));
    value.map_or(walker.unknown, |value| walker.visit(value, Role::Read))
}

/// Operators with the methods of their traits.
const OPERATORS: &[(&str, &str)] = &[
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "rem"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("^", "bitxor"),
    ("<<", "shl"),
    (">>", "shr"),
    ("==", "eq"),
    ("!=", "eq"),
    ("<", "partial_cmp"),
    (">", "partial_cmp"),
    ("<=", "partial_cmp"),
    (">=", "partial_cmp"),
    ("+=", "add_assign"),
    ("-=", "sub_assign"),
    ("*=", "mul_assign"),
    ("/=", "div_assign"),
    ("%=", "rem_assign"),
    ("&=", "bitand_assign"),
    ("|=", "bitor_assign"),
    ("^=", "bitxor_assign"),
];

/// Adds a call of the method of an operator's trait.
fn operate<'a>(walker: &mut Walker<'a>, node: Node<'a>, operator: &str, left: ExprId, right: ExprId) {
    if let Some((_, method)) = OPERATORS.iter().find(|(known, _)| *known == operator) {
        walker.implied_call(left, &[method], &[right], node);
    }
}

/// Returns the value of an operator: of a comparison or a condition, otherwise that of the left side.
pub fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let left = walker.part_of(node, Part::Left).map_or(walker.unknown, |left| walker.visit(left, Role::Read));
    let right = walker.part_of(node, Part::Right).map_or(walker.unknown, |right| walker.visit(right, Role::Read));
    let operator = node.child(1).map_or("", |operator| walker.text_of(operator));
    operate(walker, node, operator, left, right);
    match operator {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => walker.facts.builtin("bool", Vec::new()),
        _ => left,
    }
}

/// Visits `-a`, `!a` and `*a`.
pub fn unary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.sequence(node);
    let method = match node.child(0).map_or("", |operator| walker.text_of(operator)) {
        "-" => "neg",
        "!" => "not",
        _ => return value,
    };
    let result = walker.implied_call(value, &[method], &[], node);
    match walker.facts.get(value) {
        // A number has the type of its negation.
        Expr::Unknown | Expr::Builtin { .. } => value,
        _ => walker.facts.expr(Expr::FirstOf(vec![result, value])),
    }
}

/// Visits `for a in b`, which calls the methods of an iterator.
pub fn for_loop<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if let Some(values) = walker.part(node, pattern, Part::Right) {
        let iterated = walker.replay(|walker| walker.visit(values, Role::Read));
        walker.implied_call(iterated, &["into_iter", "next"], &[], values);
    }
    walker.element_loop(node, pattern);
    walker.unknown
}

/// Visits `base[index]`. Slicing with a range returns the base, whose members a slice has too.
pub fn index<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let parts = walker.children(node);
    let values: Vec<ExprId> = parts.iter().map(|part| walker.visit(*part, Role::Read)).collect();
    let base = values.first().copied().unwrap_or(walker.unknown);
    walker.implied_call(base, &["index", "index_mut"], &[], node);
    let is_range = parts.get(1).is_some_and(|index| index.kind() == "range_expression");
    if is_range { base } else { wrap(walker, base, Expr::Index) }
}

/// Returns the type of a string, or of bytes.
pub fn string<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if walker.text_of(node).starts_with('b') {
        let byte = walker.facts.builtin("u8", Vec::new());
        return walker.facts.builtin(SLICE, vec![byte]);
    }
    walker.facts.builtin("str", Vec::new())
}

/// Returns the type of a number, which its suffix can name.
pub fn number<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let text = walker.text_of(node);
    let suffix = text.find(['u', 'i']).map(|at| &text[at..]).filter(|_| !text.starts_with("0x"));
    let default = walker.pattern(node).and_then(|pattern| pattern.setting("type"));
    walker.facts.builtin(suffix.or(default).unwrap_or_default(), Vec::new())
}

/// Visits the code in the arguments of a type.
pub fn type_block<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit(node, Role::Read);
    walker.unknown
}

/// Returns whether a type contains the placeholder `_`, as in `Vec<_>`.
pub fn has_placeholder(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == "_")
}

/// Returns whether an initializer creates an empty collection or option.
fn is_empty_collection(text: &str) -> bool {
    const EMPTY: &[&str] = &["Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap", "SmallVec"];
    let is_new = |rest: &str| rest.starts_with("::new") || rest.starts_with("::with_capacity");
    matches!(text, "None" | "vec![]") || EMPTY.iter().any(|name| text.strip_prefix(name).is_some_and(is_new))
}
