//! What a condition proves about the names in it.

use tree_sitter::Node;

use super::extract::Walker;
use super::flow::Held;
use super::syntax::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Expr, ExprId};

/// How deep into a condition checks are looked for: a long chain is read again for each of its links.
const DEEPEST_CHECK: u32 = 8;

/// What names hold where a condition is true, and where it is false.
#[derive(Debug, Default)]
pub(super) struct Narrowing {
    pub when_true: Vec<Held>,
    pub when_false: Vec<Held>,
}

impl Walker<'_> {
    /// What a condition proves. Its parts were read before, so nothing is noted again.
    pub(super) fn narrowing(&mut self, condition: Node<'_>) -> Narrowing {
        self.narrowing_within(condition, DEEPEST_CHECK)
    }

    fn narrowing_within(&mut self, condition: Node<'_>, depth: u32) -> Narrowing {
        let Some(depth) = depth.checked_sub(1) else { return Narrowing::default() };
        match kind(condition) {
            Kind::ParenthesizedExpression => {
                first_child(condition).map(|inner| self.narrowing_within(inner, depth)).unwrap_or_default()
            }
            Kind::NotOperator => {
                let inner = first_child(condition).map(|inner| self.narrowing_within(inner, depth)).unwrap_or_default();
                Narrowing { when_true: inner.when_false, when_false: inner.when_true }
            }
            Kind::BooleanOperator => self.both(condition, depth),
            Kind::Call => self.class_check(condition),
            _ => Narrowing::default(),
        }
    }

    fn both(&mut self, condition: Node<'_>, depth: u32) -> Narrowing {
        let (Some(left), Some(right)) = (field(condition, FIELDS.left), field(condition, FIELDS.right)) else {
            return Narrowing::default();
        };
        let (mut first, second) = (self.narrowing_within(left, depth), self.narrowing_within(right, depth));
        if field(condition, FIELDS.operator).is_some_and(|operator| operator.kind() == "and") {
            // Where `isinstance(x, C) and …` is false, x may be a C or what it was before.
            first.when_false.clear();
            for &(name, proved) in &first.when_true {
                if let Some(held) = self.frame.locals.get(name) {
                    let either = self.union(vec![proved, held]);
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

    fn class_check(&mut self, call: Node<'_>) -> Narrowing {
        let mut narrowing = Narrowing::default();
        if self.is_silent {
            // A check inside a check's classes: reading those again, each time twice, could take for ever.
            return narrowing;
        }
        let name = field(call, FIELDS.function).map_or("", |function| self.slice(function));
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
        let proved = self
            .silently(|walker| if name == "isinstance" { walker.instances(*classes) } else { walker.value(*classes) });
        if self.frame.locals.get(subject).is_none() {
            // A name from outside the function: the way on which nothing is proved must know it too.
            let plain = match is_path {
                true => self.silently(|walker| walker.value(subject_node)),
                false => self.facts.expr(Expr::Name(subject)),
            };
            self.frame.locals.set(subject, plain);
        }
        narrowing.when_true.push((subject, proved));
        narrowing
    }

    /// Whether a condition holds for everyone who reads the code: a current Python on Linux, type checking.
    pub(super) fn static_truth(&self, condition: Node<'_>) -> Option<bool> {
        match kind(condition) {
            Kind::Identifier | Kind::Attribute => (self.last_name(condition) == "TYPE_CHECKING").then_some(true),
            Kind::True => Some(true),
            Kind::False => Some(false),
            Kind::NotOperator => first_child(condition).and_then(|inner| self.static_truth(inner)).map(|truth| !truth),
            Kind::ParenthesizedExpression => first_child(condition).and_then(|inner| self.static_truth(inner)),
            Kind::ComparisonOperator => self.static_comparison(condition),
            _ => None,
        }
    }

    fn static_comparison(&self, condition: Node<'_>) -> Option<bool> {
        let parts = children(condition);
        let [left, right] = parts.as_slice() else { return None };
        let operator = condition.child(1).map_or("", |operator| operator.kind());
        match self.slice(*left) {
            "sys.platform" | "os.name" => {
                let is_ours = matches!(self.plain_string(*right)?, "linux" | "posix");
                match operator {
                    "==" => Some(is_ours),
                    "!=" => Some(!is_ours),
                    _ => None,
                }
            }
            "sys.version_info" => {
                let numbers: Vec<u32> =
                    children(*right).into_iter().filter_map(|part| self.slice(part).parse().ok()).collect();
                let is_past = *numbers.first()? < 3 || (numbers[0] == 3 && numbers.get(1).copied().unwrap_or(0) <= 12);
                match operator {
                    ">=" | ">" if is_past => Some(true),
                    "<" | "<=" if is_past => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Reads something while names hold what was proved.
    pub(super) fn while_narrowed(&mut self, proved: &[Held], read: impl FnOnce(&mut Self) -> ExprId) -> ExprId {
        if proved.is_empty() {
            return read(self);
        }
        let outer = self.frame.locals.len();
        for &(name, expr) in proved {
            self.push_held(name, expr);
        }
        let value = read(self);
        self.frame.locals.truncate(outer);
        value
    }
}
