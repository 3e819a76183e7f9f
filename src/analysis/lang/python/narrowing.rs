//! Type narrowing: the values that a condition implies for the names in it.

use tree_sitter::Node;

use super::calls::class_instances;
use super::state::{frame, last_name};
use super::values::string_literal;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::flow::Narrowing;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// The newest minor version of Python 3 that code is assumed to run on.
const CURRENT_MINOR_VERSION: u32 = 12;

/// Returns what `isinstance(x, C)` or `issubclass(x, C)` implies.
pub fn narrowing<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> Narrowing {
    let mut narrowing = Narrowing::default();
    if call.kind() != "call" || walker.is_replay {
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
    let before = walker.flow.locals.get(subject);
    let declared = frame(walker).declared(subject);
    // A parameter has the value of its own name until something is assigned to it.
    let before = before.filter(|value| !matches!(walker.facts.get(*value), Expr::Name(_))).or(declared);
    narrowing
        .when_false
        .extend(before.and_then(|before| without(walker, before, narrowed)).map(|rest| (subject, rest)));
    narrowing.when_true.push((subject, narrowed));
    narrowing
}

/// Returns a union without some of its types; `None` if it has none of them, or only them.
fn without(walker: &mut Walker<'_>, value: ExprId, excluded: ExprId) -> Option<ExprId> {
    let types = |expr: ExprId| match walker.facts.get(expr) {
        Expr::Union(parts) => parts.clone(),
        _ => vec![expr],
    };
    let instances = |expr: ExprId| {
        types(expr).into_iter().flat_map(|part| match walker.facts.get(part) {
            Expr::Instance(inner) => types(*inner),
            _ => vec![part],
        })
    };
    let excluded: Vec<ExprId> = instances(excluded).collect();
    let all: Vec<ExprId> = instances(value).collect();
    let rest: Vec<ExprId> =
        all.iter().copied().filter(|one| !excluded.iter().any(|other| is_same(walker, *one, *other, 0))).collect();
    if rest.is_empty() || rest.len() == all.len() {
        return None;
    }
    let rest = rest.into_iter().map(|part| match walker.facts.get(part) {
        Expr::Name(_) | Expr::Member { .. } | Expr::Apply { .. } => walker.facts.expr(Expr::Instance(part)),
        _ => part,
    });
    let rest: Vec<ExprId> = rest.collect();
    Some(walker.union(rest))
}

/// Returns whether two expressions name one class.
fn is_same(walker: &Walker<'_>, one: ExprId, other: ExprId, depth: usize) -> bool {
    // Names of modules are short.
    if depth > 8 {
        return false;
    }
    match (walker.facts.get(one), walker.facts.get(other)) {
        (Expr::Name(left), Expr::Name(right)) => left == right,
        (Expr::Member { base, name }, Expr::Member { base: other_base, name: other }) => {
            name == other && is_same(walker, *base, *other_base, depth + 1)
        }
        (Expr::Apply { base, .. }, _) => is_same(walker, *base, other, depth + 1),
        _ => false,
    }
}

/// Returns the value of a condition that type checkers evaluate statically, for a current Python on Linux.
pub fn truth<'a>(walker: &mut Walker<'a>, condition: Node<'a>) -> Option<bool> {
    match condition.kind() {
        "identifier" | "attribute" => (last_name(walker, condition) == "TYPE_CHECKING").then_some(true),
        "true" => Some(true),
        "false" => Some(false),
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
