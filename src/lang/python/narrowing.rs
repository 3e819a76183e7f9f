//! Type narrowing: the values that a condition implies for the names in it.

use tree_sitter::Node;

use super::extract::Walker;
use super::flow::LocalValue;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Expr, ExprId};

/// Maximum depth at which checks in a condition are considered. Each operand of a chain walks its predecessors again.
const MAX_CONDITION_DEPTH: u32 = 8;

/// The newest minor version of Python 3 that code is assumed to run on.
const CURRENT_MINOR_VERSION: u32 = 12;

/// The values of names where a condition is true and where it is false.
#[derive(Debug, Default)]
pub(super) struct Narrowing {
    pub when_true: Vec<LocalValue>,
    pub when_false: Vec<LocalValue>,
}

impl Walker<'_> {
    /// Returns what a condition implies. The condition must have been walked, so that its references are recorded.
    pub(super) fn narrowing(&mut self, condition: Node<'_>) -> Narrowing {
        self.narrowing_to_depth(condition, MAX_CONDITION_DEPTH)
    }

    fn narrowing_to_depth(&mut self, condition: Node<'_>, depth: u32) -> Narrowing {
        let Some(depth) = depth.checked_sub(1) else { return Narrowing::default() };
        match kind(condition) {
            Kind::ParenthesizedExpression => {
                first_child(condition).map(|inner| self.narrowing_to_depth(inner, depth)).unwrap_or_default()
            }
            Kind::NotOperator => {
                let inner =
                    first_child(condition).map(|inner| self.narrowing_to_depth(inner, depth)).unwrap_or_default();
                Narrowing { when_true: inner.when_false, when_false: inner.when_true }
            }
            Kind::BooleanOperator => self.boolean_narrowing(condition, depth),
            Kind::Call => self.isinstance_narrowing(condition),
            _ => Narrowing::default(),
        }
    }

    /// Combines what the operands of `and` or `or` imply.
    fn boolean_narrowing(&mut self, condition: Node<'_>, depth: u32) -> Narrowing {
        let (Some(left), Some(right)) = (field(condition, FIELDS.left), field(condition, FIELDS.right)) else {
            return Narrowing::default();
        };
        let (mut first, second) = (self.narrowing_to_depth(left, depth), self.narrowing_to_depth(right, depth));
        if field(condition, FIELDS.operator).is_some_and(|operator| operator.kind() == "and") {
            // Where `isinstance(x, C) and …` is false, `x` may be a `C` or have its previous value.
            first.when_false.clear();
            for &(name, narrowed) in &first.when_true {
                if let Some(previous) = self.frame.locals.get(name) {
                    let either = self.union(vec![narrowed, previous]);
                    first.when_false.push((name, either));
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
    fn isinstance_narrowing(&mut self, call: Node<'_>) -> Narrowing {
        let mut narrowing = Narrowing::default();
        if self.is_replay {
            // A check nested in the classes of another: walking those twice at each level would be exponential.
            return narrowing;
        }
        let name = field(call, FIELDS.function).map_or("", |function| self.text_of(function));
        let arguments = field(call, FIELDS.arguments).map(children).unwrap_or_default();
        let [subject, classes] = arguments.as_slice() else { return narrowing };
        let is_path = kind(*subject) == Kind::Attribute && name == "isinstance";
        if !(is_path || kind(*subject) == Kind::Identifier) || !matches!(name, "isinstance" | "issubclass") {
            return narrowing;
        }
        let subject_node = *subject;
        let subject = self.atom(subject_node);
        if is_path && !self.frame.narrowed_paths.contains(&subject) {
            self.frame.narrowed_paths.push(subject);
        }
        if self.frame.receiver.is_some_and(|(receiver, _)| receiver == subject) {
            return narrowing;
        }
        let narrowed =
            self.replay(
                |walker| if name == "isinstance" { walker.class_instances(*classes) } else { walker.value(*classes) },
            );
        if self.frame.locals.get(subject).is_none() {
            // A name from outside the function needs a value for the paths without the check, too.
            let plain = match is_path {
                true => self.replay(|walker| walker.value(subject_node)),
                false => self.facts.expr(Expr::Name(subject)),
            };
            self.frame.locals.set(subject, plain);
        }
        narrowing.when_true.push((subject, narrowed));
        narrowing
    }

    /// Returns the value of a condition that type checkers evaluate statically, for a current Python on Linux.
    pub(super) fn static_condition(&self, condition: Node<'_>) -> Option<bool> {
        match kind(condition) {
            Kind::Identifier | Kind::Attribute => (self.last_name(condition) == "TYPE_CHECKING").then_some(true),
            Kind::True => Some(true),
            Kind::False => Some(false),
            Kind::NotOperator => {
                first_child(condition).and_then(|inner| self.static_condition(inner)).map(|truth| !truth)
            }
            Kind::ParenthesizedExpression => first_child(condition).and_then(|inner| self.static_condition(inner)),
            Kind::ComparisonOperator => self.static_comparison(condition),
            _ => None,
        }
    }

    /// Returns the value of a comparison of `sys.platform`, `os.name` or `sys.version_info`.
    fn static_comparison(&self, condition: Node<'_>) -> Option<bool> {
        let parts = children(condition);
        let [left, right] = parts.as_slice() else { return None };
        let operator = condition.child(1).map_or("", |operator| operator.kind());
        match self.text_of(*left) {
            "sys.platform" | "os.name" => {
                let is_linux = matches!(self.string_literal(*right)?, "linux" | "posix");
                match operator {
                    "==" => Some(is_linux),
                    "!=" => Some(!is_linux),
                    _ => None,
                }
            }
            "sys.version_info" => {
                let numbers: Vec<u32> =
                    children(*right).into_iter().filter_map(|part| self.text_of(part).parse().ok()).collect();
                let is_supported = *numbers.first()? < 3
                    || (numbers[0] == 3 && numbers.get(1).copied().unwrap_or(0) <= CURRENT_MINOR_VERSION);
                match operator {
                    ">=" | ">" if is_supported => Some(true),
                    "<" | "<=" if is_supported => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Runs `walk` with narrowed values.
    pub(super) fn with_narrowed(&mut self, narrowed: &[LocalValue], walk: impl FnOnce(&mut Self) -> ExprId) -> ExprId {
        if narrowed.is_empty() {
            return walk(self);
        }
        let outer = self.frame.locals.len();
        for &(name, expr) in narrowed {
            self.frame.locals.push(name, expr);
        }
        let value = walk(self);
        self.frame.locals.truncate(outer);
        value
    }
}
