//! Calls: callees, arguments, closures in them, and element types inferred from insertions into collections.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::builtins::{INFERRED, WITH_ELEMENTS};
use super::values::has_placeholder;
use super::{patterns::wrap, signals};
use crate::facts::{Atom, Expr, ExprId, Role};
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;

/// Arguments before a closure that are kept to infer the types of its parameters.
const MAX_ARGUMENTS_BEFORE_CLOSURE: usize = 64;

/// State of the walk that only Rust has.
#[derive(Default)]
pub struct State {
    /// The number of macro calls around the current node.
    pub macro_depth: u32,
    /// Values of locals that were created empty, and whose element types are not yet inferred.
    pub open: HashSet<ExprId>,
    /// The initializers and key types of maps of which only a key is known, by the values of their locals.
    entries: HashMap<ExprId, (ExprId, ExprId)>,
}

/// Visits `callee(args)` or `receiver.method(args)`.
pub fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(function) = walker.part(node, pattern, Part::Function) else { return walker.unknown };
    let callee = walker.visit(function, Role::Call);
    let nodes = walker.argument_nodes(node, pattern);
    let mut args = Vec::with_capacity(nodes.len());
    for (index, argument) in (0_u16..).zip(&nodes) {
        let value = match closure_in(walker, *argument) {
            Some(closure) => closure_argument(walker, closure, callee, &args, index),
            None => walker.visit(*argument, Role::Read),
        };
        args.push(value);
    }
    signals::call(walker, function, &nodes, &args);
    infer_inserted_elements(walker, function, &args);
    if callee == walker.unknown {
        return callee;
    }
    if let Expr::Member { name, .. } = walker.facts.get(callee)
        && super::TRAITS.overloaded_methods.contains(&walker.facts.text(*name).trim_end_matches("()"))
    {
        // The argument tells which of several conversions to a type is meant.
        let call = walker.facts.expr(Expr::Call { callee, args: args.clone() });
        walker.refer_instead(callee, call);
    }
    match turbofish_result(walker, function, callee, &args) {
        Some(result) => result,
        None => walker.facts.expr(Expr::Call { callee, args }),
    }
}

/// Visits `f::<T>` or `x.f::<T>`.
pub fn generic_function<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(function) = walker.part(node, pattern, Part::Function) else { return walker.unknown };
    let base = walker.visit(function, role);
    let args = walker.type_arguments(node, pattern);
    wrap(walker, base, |base| Expr::Apply { base, args })
}

/// Returns the closure in an argument, looking through references, parentheses and `Box::new`.
fn closure_in<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<Node<'a>> {
    let mut node = node;
    for _ in 0..4 {
        let pattern = walker.pattern(node)?;
        node = match pattern.action {
            Action::Lambda => return Some(node),
            Action::Sequence => walker.children(node).last().copied()?,
            _ if pattern.has(Part::Arguments) => {
                let function = walker.part(node, pattern, Part::Function)?;
                if !matches!(walker.text_of(function), "Box::new" | "Rc::new" | "Arc::new" | "Box::pin") {
                    return None;
                }
                walker.argument_nodes(node, pattern).first().copied()?
            }
            _ => return None,
        };
    }
    None
}

/// Visits a closure argument. Its parameter types come from the callee, applied to the arguments before the closure.
fn closure_argument<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    callee: ExprId,
    preceding: &[ExprId],
    argument: u16,
) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if callee == walker.unknown {
        return walker.lambda(node, pattern, None);
    }
    let args = preceding[..preceding.len().min(MAX_ARGUMENTS_BEFORE_CLOSURE)].to_vec();
    let call = walker.facts.expr(Expr::Call { callee, args });
    walker.lambda(node, pattern, Some((call, argument)))
}

/// Returns the result of a method whose turbofish determines it: `collect::<Vec<_>>()`, `parse::<T>()`.
fn turbofish_result<'a>(
    walker: &mut Walker<'a>,
    function: Node<'a>,
    callee: ExprId,
    args: &[ExprId],
) -> Option<ExprId> {
    let types = walker.part_of(function, Part::TypeArguments)?;
    let method = walker.part_of(function, Part::Function).filter(|method| walker.is(*method, Action::Member))?;
    let name = walker.part_of(method, Part::Name)?;
    let Expr::Apply { base, args: known } = walker.facts.get(callee) else { return None };
    let (base, &target) = (*base, known.first()?);
    match walker.text_of(name) {
        "collect" | "sum" | "product" | "into" if !has_placeholder(walker.text_of(types)) => {
            Some(walker.instance(target))
        }
        "collect" => {
            let value = walker.facts.expr(Expr::Call { callee: base, args: args.to_vec() });
            Some(expect(walker, target, value))
        }
        "parse" | "downcast_ref" | "downcast_mut" | "downcast" => {
            let target = walker.instance(target);
            Some(walker.facts.builtin("Result", vec![target]))
        }
        _ => None,
    }
}

/// Returns a value of a declared type with placeholders, whose missing arguments are inferred from `value`.
pub fn expect(walker: &mut Walker<'_>, declared: ExprId, value: ExprId) -> ExprId {
    let Expr::Apply { base, args } = walker.facts.get(declared) else { return value };
    let (base, args) = (*base, args.clone());
    let name = match walker.facts.get(base) {
        Expr::Name(name) | Expr::Member { name, .. } => format!("{INFERRED}{}", walker.facts.text(*name)),
        _ => return value,
    };
    if value == walker.unknown {
        return walker.instance(declared);
    }
    let mut parts = vec![value];
    for arg in args {
        // In `Result<Vec<_>, _>` the inner type is inferred from the unwrapped value.
        let inner = match walker.facts.get(arg) {
            Expr::Apply { .. } => {
                let unwrapped = walker.facts.expr(Expr::Unwrap(value));
                expect(walker, arg, unwrapped)
            }
            _ => walker.instance(arg),
        };
        parts.push(inner);
    }
    walker.facts.builtin(&name, parts)
}

/// Infers the element type of an empty collection from `list.push(x)`, `map.insert(k, v)` or
/// `map.entry(k).or_default().push(x)`.
fn infer_inserted_elements<'a>(walker: &mut Walker<'a>, function: Node<'a>, args: &[ExprId]) {
    let Some(&first) = args.first().filter(|first| **first != walker.unknown) else { return };
    let Some((base, method)) = method_of(walker, function) else { return };
    if !matches!(method, "push" | "push_back" | "push_front" | "insert" | "extend" | "entry" | "or_insert") {
        return;
    }
    let types = if method == "extend" { vec![walker.facts.expr(Expr::Element(first))] } else { args.to_vec() };
    if !walker.is(base, Action::Name) {
        return infer_map_entry(walker, base, method == "or_insert", types);
    }
    let name = walker.atom_of(base);
    let Some(initializer) = walker.flow.locals.get(name) else { return };
    if walker.state::<State>().open.remove(&initializer) {
        let filled = set_elements(walker, name, initializer, types);
        if method == "entry" {
            walker.state::<State>().entries.insert(filled, (initializer, first));
        }
    }
}

/// Infers a map's value type from an insertion into an entry (`is_entry`), or into the collection that the entry
/// contains.
fn infer_map_entry<'a>(walker: &mut Walker<'a>, node: Node<'a>, is_entry: bool, parts: Vec<ExprId>) {
    let mut node = node;
    if !is_entry {
        let Some((base, "or_default" | "or_insert_with" | "or_insert")) = called_method(walker, node) else { return };
        node = base;
    }
    let Some((base, "entry")) = called_method(walker, node) else { return };
    if !walker.is(base, Action::Name) {
        return;
    }
    let name = walker.atom_of(base);
    let Some(value) = walker.flow.locals.get(name) else { return };
    let Some((initializer, key)) = walker.state::<State>().entries.remove(&value) else { return };
    let value_type = match (is_entry, parts.as_slice()) {
        (true, [value]) => *value,
        (false, [_, _]) => walker.facts.builtin("HashMap", parts),
        _ => walker.facts.builtin("Vec", parts),
    };
    set_elements(walker, name, initializer, vec![key, value_type]);
}

/// Sets the value of a local collection to one with elements. Returns it.
fn set_elements(walker: &mut Walker<'_>, name: Atom, initializer: ExprId, types: Vec<ExprId>) -> ExprId {
    let filled = walker.facts.builtin(WITH_ELEMENTS, [vec![initializer], types].concat());
    walker.flow.locals.set(name, filled);
    filled
}

/// Returns receiver and method name of `receiver.method`.
fn method_of<'a>(walker: &mut Walker<'a>, field: Node<'a>) -> Option<(Node<'a>, &'a str)> {
    let pattern = walker.pattern(field).filter(|pattern| pattern.action == Action::Member)?;
    let (base, method) = (walker.part(field, pattern, Part::Object)?, walker.part(field, pattern, Part::Name)?);
    Some((base, walker.text_of(method)))
}

/// Returns receiver and method name of `receiver.method(…)`.
fn called_method<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> Option<(Node<'a>, &'a str)> {
    let function = walker.part_of(call, Part::Function)?;
    method_of(walker, function)
}
