//! Values of local names along control flow.
//!
//! The last assignment before a use, in byte order, does not determine a name's value: branches, exception handlers and
//! checks of types intervene. Where a language's hooks set the values of locals, the walk follows control flow and
//! records each use of a local as its value at that point, so resolution ignores control flow.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::Walker;
use crate::facts::{Atom, Expr, ExprId, Role};

/// Maximum number of names tracked in one function, which bounds the cost of merging branches.
const MAX_LOCALS: usize = 200;

/// Maximum depth at which checks in a condition are considered. Each operand of a chain walks its predecessors again.
const MAX_CONDITION_DEPTH: u32 = 8;

/// A local name and its value.
pub type LocalValue = (Atom, ExprId);

/// The meaning of assignments and conditions in a language whose walk follows control flow.
pub struct FlowRules {
    /// Assigns a value to a target, or its parts to the targets in it.
    pub assign: for<'w, 'a> fn(walker: &'w mut Walker<'a>, target: Node<'a>, value: ExprId),
    /// Returns the values that a check implies for the names in it. The check has been visited before.
    pub narrowing: for<'w, 'a> fn(walker: &'w mut Walker<'a>, condition: Node<'a>) -> Narrowing,
    /// Returns the value of a condition that does not change while the program runs.
    pub truth: for<'w, 'a> fn(walker: &'w mut Walker<'a>, condition: Node<'a>) -> Option<bool>,
}

/// The values of names where a condition is true and where it is false.
#[derive(Debug, Default)]
pub struct Narrowing {
    pub when_true: Vec<LocalValue>,
    pub when_false: Vec<LocalValue>,
}

/// The values of local names in the enclosing function.
#[derive(Debug, Default)]
pub struct Flow {
    pub locals: Locals,
    /// Locals at each `break` and `continue` of the enclosing loop.
    breaks: Vec<Locals>,
    /// The number of `if` and `try` statements around, in this body.
    branches: u32,
}

/// The values of local names at one point. A vector, because there are too few names for a map to pay.
#[derive(Debug, Clone, Default)]
pub struct Locals {
    values: Vec<LocalValue>,
    /// Whether control has left: after `return`, `raise`, `break` or `continue`.
    is_terminated: bool,
}

impl Locals {
    /// Returns the value of a name.
    pub fn get(&self, name: Atom) -> Option<ExprId> {
        self.values.iter().rev().find(|(local, _)| *local == name).map(|(_, expr)| *expr)
    }

    /// Sets the value of a name. Names beyond [`MAX_LOCALS`] are looked up through their bindings.
    pub fn set(&mut self, name: Atom, expr: ExprId) {
        match self.values.iter().rposition(|(local, _)| *local == name) {
            Some(index) => self.values[index].1 = expr,
            None if self.values.len() < MAX_LOCALS => self.values.push((name, expr)),
            None => {}
        }
    }

    /// Removes a name, which is then looked up through its bindings.
    pub fn forget(&mut self, name: Atom) {
        self.values.retain(|(local, _)| *local != name);
    }

    /// Sets the values that a condition implies.
    pub fn narrow(&mut self, narrowed: &[LocalValue]) {
        narrowed.iter().for_each(|&(name, expr)| self.set(name, expr));
    }

    /// Marks the code that follows as unreachable.
    pub fn terminate(&mut self) {
        self.is_terminated = true;
    }

    /// Shadows a name until [`Locals::truncate`].
    pub fn push(&mut self, name: Atom, expr: ExprId) {
        self.values.push((name, expr));
    }

    /// Returns the number of values, for [`Locals::truncate`].
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Removes the values pushed since there were `length`.
    pub fn truncate(&mut self, length: usize) {
        self.values.truncate(length);
    }
}

impl Flow {
    /// Returns whether the code is in a branch, which may not run.
    pub fn is_conditional(&self) -> bool {
        self.branches > 0
    }
}

impl<'a> Walker<'a> {
    /// Visits `if` with its other branches, each with what its condition implies.
    pub(super) fn if_statement(&mut self, node: Node<'a>, pattern: &Pattern) {
        let was_unreachable = self.is_unreachable;
        let mut exits = Vec::new();
        self.flow.branches += 1;
        self.branch(node, pattern, &mut exits);
        for alternative in self.parts(node, pattern, Part::Alternative) {
            match self.pattern(alternative).filter(|pattern| pattern.action == Action::If) {
                Some(pattern) => self.branch(alternative, pattern, &mut exits),
                None => _ = self.visit(alternative, Role::Read),
            }
        }
        self.flow.branches -= 1;
        if self.is_unreachable && !was_unreachable {
            self.flow.locals.terminate();
        }
        self.is_unreachable = was_unreachable;
        self.merge(&exits);
    }

    /// Visits one branch and adds its final state to `exits`. Afterwards locals are as if the condition was false.
    fn branch(&mut self, node: Node<'a>, pattern: &Pattern, exits: &mut Vec<Locals>) {
        let Some(condition) = self.part(node, pattern, Part::Condition) else { return };
        self.visit(condition, Role::Read);
        let narrowing = self.narrowing(condition);
        let truth = self.truth(condition);
        let was_unreachable = self.is_unreachable;
        let before = self.flow.locals.clone();
        self.flow.locals.narrow(&narrowing.when_true);
        self.is_unreachable |= truth == Some(false);
        if let Some(body) = self.part(node, pattern, Part::Body) {
            self.visit(body, Role::Read);
        }
        if truth == Some(false) {
            self.flow.locals.terminate();
        }
        self.is_unreachable = was_unreachable || truth == Some(true);
        exits.push(std::mem::replace(&mut self.flow.locals, before));
        self.flow.locals.narrow(&narrowing.when_false);
    }

    /// Visits a loop with a condition.
    pub(super) fn while_loop(&mut self, node: Node<'a>, pattern: &Pattern) {
        let before = self.flow.locals.clone();
        if let Some(condition) = self.part(node, pattern, Part::Condition) {
            self.visit(condition, Role::Read);
            let narrowing = self.narrowing(condition);
            self.flow.locals.narrow(&narrowing.when_true);
        }
        self.loop_body(node, pattern, before);
    }

    /// Visits a loop over the elements of a value.
    pub fn value_loop(&mut self, node: Node<'a>, pattern: &Pattern) {
        let values = self.part(node, pattern, Part::Right);
        let values = values.map_or(self.unknown, |values| self.visit(values, Role::Read));
        let before = self.flow.locals.clone();
        let element = self.facts.expr(Expr::Element(values));
        if let Some(target) = self.part(node, pattern, Part::Left) {
            self.assign(target, element);
        }
        self.loop_body(node, pattern, before);
    }

    /// Assigns a value by the rules of the language.
    pub fn assign(&mut self, target: Node<'a>, value: ExprId) {
        if let Some(rules) = &self.dialect.flow {
            (rules.assign)(self, target, value);
        }
    }

    /// Visits `try`. A handler begins with the locals before the body, because each statement of it can raise.
    pub(super) fn try_statement(&mut self, node: Node<'a>, pattern: &Pattern) {
        let before = self.flow.locals.clone();
        self.flow.branches += 1;
        if let Some(body) = self.part(node, pattern, Part::Body) {
            self.visit(body, Role::Read);
        }
        let mut exits = Vec::new();
        for handler in self.parts(node, pattern, Part::Alternative) {
            let after = std::mem::replace(&mut self.flow.locals, before.clone());
            self.visit(handler, Role::Read);
            exits.push(std::mem::replace(&mut self.flow.locals, after));
        }
        if let Some(without_exception) = self.part(node, pattern, Part::Value) {
            self.visit(without_exception, Role::Read);
        }
        self.flow.branches -= 1;
        self.merge(&exits);
        if let Some(last) = self.part(node, pattern, Part::Right) {
            self.visit(last, Role::Read);
        }
    }

    /// Visits an assertion, which narrows values from there on.
    pub(super) fn assertion(&mut self, node: Node<'a>, pattern: &Pattern) {
        self.visit_children(node);
        if let Some(condition) = self.part(node, pattern, Part::Condition) {
            let narrowing = self.narrowing(condition);
            self.flow.locals.narrow(&narrowing.when_true);
        }
    }

    /// Visits the body of a loop, and what follows its end; `before` is the state if it has no iteration.
    fn loop_body(&mut self, node: Node<'a>, pattern: &Pattern, before: Locals) {
        let outer_breaks = std::mem::take(&mut self.flow.breaks);
        if let Some(body) = self.part(node, pattern, Part::Body) {
            self.visit(body, Role::Read);
        }
        let mut exits = std::mem::replace(&mut self.flow.breaks, outer_breaks);
        exits.push(before);
        self.merge(&exits);
        if let Some(alternative) = self.part(node, pattern, Part::Alternative) {
            self.visit(alternative, Role::Read);
        }
    }

    /// Visits `break` or `continue`: the current locals are one possible state after the loop.
    pub(super) fn jump(&mut self) {
        let locals = self.flow.locals.clone();
        self.flow.breaks.push(locals);
        self.flow.locals.terminate();
    }

    /// Visits `a and b` or `a or b`, of which the left operand narrows the right one.
    pub(super) fn logic(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        let (Some(left), Some(right)) = (self.part(node, pattern, Part::Left), self.part(node, pattern, Part::Right))
        else {
            self.visit_children(node);
            return self.unknown;
        };
        let first = self.visit(left, Role::Read);
        let narrowing = self.narrowing(left);
        let is_and = self.is_and(node, pattern);
        let narrowed = if is_and { narrowing.when_true } else { narrowing.when_false };
        let second = self.with_narrowed(&narrowed, |walker| walker.visit(right, Role::Read));
        if is_and { second } else { self.union(vec![first, second]) }
    }

    fn is_and(&mut self, node: Node<'a>, pattern: &Pattern) -> bool {
        pattern.setting("and").is_some_and(|token| self.has_token(node, token))
    }

    /// Returns the value of a condition that does not change while the program runs.
    fn truth(&mut self, condition: Node<'a>) -> Option<bool> {
        let rules = self.dialect.flow.as_ref()?;
        let action = self.pattern(condition)?.action;
        if !matches!(action, Action::Group | Action::Not) {
            return (rules.truth)(self, condition);
        }
        let inner = self.inner_condition(condition)?;
        self.truth(inner).map(|truth| truth != (action == Action::Not))
    }

    /// Returns the only condition in another one.
    fn inner_condition(&mut self, condition: Node<'a>) -> Option<Node<'a>> {
        match self.children(condition).as_slice() {
            &[inner] => Some(inner),
            _ => None,
        }
    }

    /// Returns what a condition implies. It must have been visited, so that its references are recorded.
    pub fn narrowing(&mut self, condition: Node<'a>) -> Narrowing {
        self.narrowing_to_depth(condition, MAX_CONDITION_DEPTH).unwrap_or_default()
    }

    fn narrowing_to_depth(&mut self, condition: Node<'a>, depth: u32) -> Option<Narrowing> {
        let depth = depth.checked_sub(1)?;
        let rules = self.dialect.flow.as_ref()?;
        let pattern = self.pattern(condition)?;
        match pattern.action {
            Action::Group => {
                let inner = self.inner_condition(condition)?;
                self.narrowing_to_depth(inner, depth)
            }
            Action::Not => {
                let inner = self.inner_condition(condition)?;
                let inner = self.narrowing_to_depth(inner, depth)?;
                Some(Narrowing { when_true: inner.when_false, when_false: inner.when_true })
            }
            Action::Logic => self.narrowing_of_logic(condition, pattern, depth),
            _ => Some((rules.narrowing)(self, condition)),
        }
    }

    /// Combines what the operands of `and` or `or` imply.
    fn narrowing_of_logic(&mut self, node: Node<'a>, pattern: &Pattern, depth: u32) -> Option<Narrowing> {
        let (left, right) = (self.part(node, pattern, Part::Left)?, self.part(node, pattern, Part::Right)?);
        let mut first = self.narrowing_to_depth(left, depth).unwrap_or_default();
        let is_and = self.is_and(node, pattern);
        // The right operand of `or` is read where the left one is false.
        let assumed: &[LocalValue] = if is_and { &[] } else { &first.when_false };
        let known = |(name, _): &LocalValue| self.flow.locals.get(*name).map(|value| (*name, value));
        let before: Vec<LocalValue> = assumed.iter().filter_map(known).collect();
        self.flow.locals.narrow(assumed);
        let second = self.narrowing_to_depth(right, depth).unwrap_or_default();
        self.flow.locals.narrow(&before);
        if is_and {
            // Where `x is C and …` is false, `x` may be a `C` or have its previous value.
            first.when_false.clear();
            for &(name, narrowed) in &first.when_true {
                if let Some(previous) = self.flow.locals.get(name) {
                    first.when_false.push((name, self.union(vec![narrowed, previous])));
                }
            }
            first.when_true.extend(second.when_true);
        } else {
            first.when_false.extend(second.when_false);
            first.when_true.clear();
        }
        Some(first)
    }

    /// Runs `walk` with narrowed values.
    pub fn with_narrowed(&mut self, narrowed: &[LocalValue], walk: impl FnOnce(&mut Self) -> ExprId) -> ExprId {
        let outer = self.flow.locals.len();
        narrowed.iter().for_each(|&(name, expr)| self.flow.locals.push(name, expr));
        let value = walk(self);
        if !narrowed.is_empty() {
            self.flow.locals.truncate(outer);
        }
        value
    }

    /// Joins the locals of all paths through a statement: `exits` and the current locals.
    pub fn merge(&mut self, exits: &[Locals]) {
        let mut paths: Vec<Locals> = exits.iter().filter(|exit| !exit.is_terminated).cloned().collect();
        if !self.flow.locals.is_terminated {
            paths.push(self.flow.locals.clone());
        }
        if paths.is_empty() {
            // The code that follows is unreachable.
            return;
        }
        let mut merged = paths.remove(0);
        for path in &paths {
            self.merge_into(&mut merged, path);
        }
        merged.is_terminated = false;
        self.flow.locals = merged;
    }

    /// Merges the locals of another path. Both started from the same locals, so most names have the same index.
    fn merge_into(&mut self, merged: &mut Locals, path: &Locals) {
        let same = merged.values.iter().zip(&path.values).take_while(|(one, other)| one.0 == other.0).count();
        for index in 0..same {
            let (one, other) = (merged.values[index].1, path.values[index].1);
            if one != other {
                merged.values[index].1 = self.union(vec![one, other]);
            }
        }
        for &(name, value) in &path.values[same..] {
            match merged.values[same..].iter().position(|(other, _)| *other == name) {
                Some(index) => {
                    let union = self.union(vec![merged.values[same + index].1, value]);
                    merged.values[same + index].1 = union;
                }
                None => merged.set(name, value),
            }
        }
    }
}
