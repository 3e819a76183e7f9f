//! Flow-sensitive values of local names.
//!
//! The last assignment before a use, in byte order, does not determine a name's value: branches, exception handlers and
//! `isinstance` checks intervene. The walk follows control flow and records each use of a local as its value at that
//! point, so the resolver ignores control flow.

use super::extract::Walker;
use crate::facts::{Atom, DefId, Expr, ExprId};

/// Maximum number of alternatives in a union.
const MAX_ALTERNATIVES: usize = 6;

/// Maximum number of names tracked in one function, which bounds the cost of merging branches.
const MAX_LOCALS: usize = 200;

/// Maximum number of returned or yielded values in a function's inferred result.
pub(super) const MAX_RESULTS: usize = 24;

/// A local name and its value.
pub(super) type LocalValue = (Atom, ExprId);

/// The values of local names at one point. A vector, because there are too few names for a map to pay.
#[derive(Debug, Clone, Default)]
pub(super) struct Locals {
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
        for &(name, expr) in narrowed {
            self.set(name, expr);
        }
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

/// The statement that declares a name to be bound outside the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OuterBinding {
    /// `global`
    Global,
    /// `nonlocal`
    Nonlocal,
}

/// The state of the enclosing function.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub locals: Locals,
    /// Declared values of local names and parameters.
    pub declared: Vec<LocalValue>,
    /// Returned values.
    pub returns: Vec<ExprId>,
    /// Yielded values.
    pub yields: Vec<ExprId>,
    /// Locals at each `break` and `continue` of the enclosing loop.
    pub breaks: Vec<Locals>,
    /// Names of `global` and `nonlocal` statements.
    pub outer_names: Vec<(Atom, OuterBinding)>,
    /// The first parameter of the enclosing method and its value.
    pub receiver: Option<LocalValue>,
    /// The class of the enclosing method.
    pub class: Option<DefId>,
    /// Whether this is a test or a pytest fixture, whose parameters are fixtures by name.
    pub has_fixture_parameters: bool,
    /// Attributes narrowed by a check, as source text: `self.x`.
    pub narrowed_paths: Vec<Atom>,
    /// Whether the function contains a `yield`.
    pub is_generator: bool,
}

impl Frame {
    /// Returns the declared value of a name.
    pub fn declared(&self, name: Atom) -> Option<ExprId> {
        self.declared.iter().rev().find(|(declared, _)| *declared == name).map(|(_, expr)| *expr)
    }

    /// Returns how a name is bound outside the function, if it is.
    pub fn outer_binding(&self, name: Atom) -> Option<OuterBinding> {
        self.outer_names.iter().find(|(outer, _)| *outer == name).map(|(_, binding)| *binding)
    }
}

impl Walker<'_> {
    /// Joins the locals of all paths through a statement: `exits` and the current locals.
    pub(super) fn merge(&mut self, exits: &[Locals]) {
        let mut paths: Vec<Locals> = exits.iter().filter(|exit| !exit.is_terminated).cloned().collect();
        if !self.frame.locals.is_terminated {
            paths.push(self.frame.locals.clone());
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
        self.frame.locals = merged;
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

    /// Adds a union, flattened and without duplicates and unknowns.
    pub(super) fn union(&mut self, alternatives: Vec<ExprId>) -> ExprId {
        let mut flat: Vec<ExprId> = Vec::new();
        for alternative in alternatives {
            match self.facts.get(alternative) {
                Expr::Unknown => {}
                Expr::Union(parts) => {
                    for part in parts {
                        if !flat.contains(part) {
                            flat.push(*part);
                        }
                    }
                }
                _ if flat.contains(&alternative) => {}
                _ => flat.push(alternative),
            }
        }
        flat.truncate(MAX_ALTERNATIVES);
        match flat.len() {
            0 => self.unknown,
            1 => flat[0],
            _ => self.facts.expr(Expr::Union(flat)),
        }
    }
}
