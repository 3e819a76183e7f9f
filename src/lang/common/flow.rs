//! Values of local names along control flow.
//!
//! The last assignment before a use, in byte order, does not determine a name's value: branches, exception handlers and
//! checks of types intervene. Where a language's hooks set the values of locals, the walk follows control flow and
//! records each use of a local as its value at that point, so resolution ignores control flow.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::Walker;
use crate::facts::{Atom, ExprId, Role};

/// Maximum number of names tracked in one function, which bounds the cost of merging branches.
const MAX_LOCALS: usize = 200;

/// A local name and its value.
pub type LocalValue = (Atom, ExprId);

/// What the conditions of a language imply.
pub struct Conditions {
    /// Returns the values that a condition implies for the names in it. The condition has been visited before.
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

impl<'a> Walker<'a> {
    /// Visits `if` with its other branches, each with what its condition implies.
    pub(super) fn if_statement(&mut self, node: Node<'a>, pattern: &Pattern) {
        let was_unreachable = self.is_unreachable;
        let mut exits = Vec::new();
        self.branch(node, pattern, &mut exits);
        for alternative in self.parts(node, pattern, Part::Alternative) {
            match self.pattern(alternative).filter(|pattern| pattern.action == Action::If) {
                Some(pattern) => self.branch(alternative, pattern, &mut exits),
                None => _ = self.visit(alternative, Role::Read),
            }
        }
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
        let truth = self.dialect.conditions.as_ref().and_then(|conditions| (conditions.truth)(self, condition));
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

    /// Visits the body of a loop, and what follows its end; `before` is the state if it has no iteration.
    pub fn loop_body(&mut self, node: Node<'a>, pattern: &Pattern, before: Locals) {
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

    /// Returns what a condition implies.
    pub fn narrowing(&mut self, condition: Node<'a>) -> Narrowing {
        match &self.dialect.conditions {
            Some(conditions) => (conditions.narrowing)(self, condition),
            None => Narrowing::default(),
        }
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
