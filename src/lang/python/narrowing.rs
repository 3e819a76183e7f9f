//! Type narrowing: the values that a condition implies for the names in it.

use tree_sitter::Node;

use super::calls::class_instances;
use super::state::{first_child, frame, last_name};
use super::values::string_literal;
use crate::facts::{Expr, Role};
use crate::lang::common::flow::Narrowing;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Maximum depth at which checks in a condition are considered. Each operand of a chain walks its predecessors again.
const MAX_CONDITION_DEPTH: u32 = 8;

/// The newest minor version of Python 3 that code is assumed to run on.
const CURRENT_MINOR_VERSION: u32 = 12;

/// Returns what a condition implies. The condition must have been visited, so that its references are recorded.
pub fn narrowing<'a>(walker: &mut Walker<'a>, condition: Node<'a>) -> Narrowing {
    narrowing_to_depth(walker, condition, MAX_CONDITION_DEPTH)
}

fn narrowing_to_depth<'a>(walker: &mut Walker<'a>, condition: Node<'a>, depth: u32) -> Narrowing {
    let Some(depth) = depth.checked_sub(1) else { return Narrowing::default() };
    match (condition.kind(), first_child(walker, condition)) {
        ("parenthesized_expression", Some(inner)) => narrowing_to_depth(walker, inner, depth),
        ("not_operator", Some(inner)) => {
            let inner = narrowing_to_depth(walker, inner, depth);
            Narrowing { when_true: inner.when_false, when_false: inner.when_true }
        }
        ("boolean_operator", _) => of_boolean(walker, condition, depth),
        ("call", _) => of_check(walker, condition),
        _ => Narrowing::default(),
    }
}

/// Combines what the operands of `and` or `or` imply.
fn of_boolean<'a>(walker: &mut Walker<'a>, condition: Node<'a>, depth: u32) -> Narrowing {
    let (left, right) = (walker.part_of(condition, Part::Left), walker.part_of(condition, Part::Right));
    let (Some(left), Some(right)) = (left, right) else { return Narrowing::default() };
    let (mut first, second) = (narrowing_to_depth(walker, left, depth), narrowing_to_depth(walker, right, depth));
    if walker.has_token(condition, "and") {
        // Where `isinstance(x, C) and …` is false, `x` may be a `C` or have its previous value.
        first.when_false.clear();
        for &(name, narrowed) in &first.when_true {
            if let Some(previous) = walker.flow.locals.get(name) {
                first.when_false.push((name, walker.union(vec![narrowed, previous])));
            }
        }
        first.when_true.extend(second.when_true);
    } else {
        first.when_false.extend(second.when_false);
        first.when_true.clear();
    }
    first
}

/// Returns what `isinstance(x, C)` or `issubclass(x, C)` implies.
fn of_check<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> Narrowing {
    let mut narrowing = Narrowing::default();
    if walker.is_replay {
        // A check nested in the classes of another: walking those twice at each level would be exponential.
        return narrowing;
    }
    let name = walker.part_of(call, Part::Function).map_or("", |function| walker.text_of(function));
    if !matches!(name, "isinstance" | "issubclass") {
        return narrowing;
    }
    let arguments = walker.part_of(call, Part::Arguments).map_or(Vec::new(), |list| walker.children(list));
    let &[node, classes] = arguments.as_slice() else { return narrowing };
    let is_path = node.kind() == "attribute" && name == "isinstance";
    if !is_path && node.kind() != "identifier" {
        return narrowing;
    }
    let subject = walker.atom_of(node);
    if is_path && !frame(walker).narrowed_paths.contains(&subject) {
        frame(walker).narrowed_paths.push(subject);
    }
    if frame(walker).receiver.is_some_and(|(receiver, _)| receiver == subject) {
        return narrowing;
    }
    let narrowed = walker.replay(|walker| match name {
        "isinstance" => class_instances(walker, classes),
        _ => walker.visit(classes, Role::Read),
    });
    if walker.flow.locals.get(subject).is_none() {
        // A name from outside the function needs a value for the paths without the check, too.
        let plain = match is_path {
            true => walker.replay(|walker| walker.visit(node, Role::Read)),
            false => walker.facts.expr(Expr::Name(subject)),
        };
        walker.flow.locals.set(subject, plain);
    }
    narrowing.when_true.push((subject, narrowed));
    narrowing
}

/// Returns the value of a condition that type checkers evaluate statically, for a current Python on Linux.
pub fn truth<'a>(walker: &mut Walker<'a>, condition: Node<'a>) -> Option<bool> {
    match condition.kind() {
        "identifier" | "attribute" => (last_name(walker, condition) == "TYPE_CHECKING").then_some(true),
        "true" => Some(true),
        "false" => Some(false),
        "not_operator" => first_child(walker, condition).and_then(|inner| truth(walker, inner)).map(|truth| !truth),
        "parenthesized_expression" => first_child(walker, condition).and_then(|inner| truth(walker, inner)),
        "comparison_operator" => truth_of_comparison(walker, condition),
        _ => None,
    }
}

/// Returns the value of a comparison of `sys.platform`, `os.name` or `sys.version_info`.
fn truth_of_comparison<'a>(walker: &mut Walker<'a>, condition: Node<'a>) -> Option<bool> {
    let &[left, right] = walker.children(condition).as_slice() else { return None };
    let operator = condition.child(1).map_or("", |operator| operator.kind());
    match walker.text_of(left) {
        "sys.platform" | "os.name" => {
            let is_linux = matches!(string_literal(walker, right)?, "linux" | "posix");
            match operator {
                "==" => Some(is_linux),
                "!=" => Some(!is_linux),
                _ => None,
            }
        }
        "sys.version_info" => {
            let parts = walker.children(right);
            let numbers: Vec<u32> = parts.into_iter().filter_map(|part| walker.text_of(part).parse().ok()).collect();
            let minor = numbers.get(1).copied().unwrap_or(0);
            let major = *numbers.first()?;
            let is_supported = major < 3 || (major == 3 && minor <= CURRENT_MINOR_VERSION);
            match operator {
                ">=" | ">" if is_supported => Some(true),
                "<" | "<=" if is_supported => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}
