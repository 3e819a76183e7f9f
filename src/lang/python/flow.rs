//! What the local names of a function hold at the point that the walk has reached.
//!
//! # Why
//!
//! A name's last assignment before its use, in byte order, is not what it holds: branches, handlers and checks come
//! between. The walk follows them as it goes, so a use of a local is written down as what it holds there, and the
//! resolver needs to know nothing of control flow.

use super::extract::Walker;
use crate::facts::{Atom, DefId, Expr, ExprId};

/// Most alternatives that a merge keeps for one name.
const MOST_ALTERNATIVES: usize = 6;

/// Most names that are followed through one function; bounds the cost of its branches.
const MOST_HELD: usize = 200;

/// Most returned or yielded values that count for a function's result.
pub(super) const MOST_RESULTS: usize = 24;

/// What a name was found to hold.
pub(super) type Held = (Atom, ExprId);

/// What names hold. Few enough for a scan to beat a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Locals {
    held: Vec<Held>,
    /// The code here is never reached: after a return, raise, break or continue.
    ended: bool,
}

impl Locals {
    pub fn get(&self, name: Atom) -> Option<ExprId> {
        self.held.iter().rev().find(|(held, _)| *held == name).map(|(_, expr)| *expr)
    }

    /// Notes what a name holds. Beyond the limit, what is not held is looked up through its bindings.
    pub fn set(&mut self, name: Atom, expr: ExprId) {
        match self.held.iter().rposition(|(held, _)| *held == name) {
            Some(index) => self.held[index].1 = expr,
            None if self.held.len() < MOST_HELD => self.held.push((name, expr)),
            None => {}
        }
    }

    pub fn forget(&mut self, name: Atom) {
        self.held.retain(|(held, _)| *held != name);
    }

    pub fn narrow(&mut self, narrowed: &[Held]) {
        for &(name, expr) in narrowed {
            self.set(name, expr);
        }
    }

    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Puts a name in front of what was held, for as long as [`Locals::pop`] is not called.
    pub fn push(&mut self, name: Atom, expr: ExprId) {
        self.held.push((name, expr));
    }

    pub fn len(&self) -> usize {
        self.held.len()
    }

    pub fn truncate(&mut self, length: usize) {
        self.held.truncate(length);
    }
}

/// The function around the walk.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub locals: Locals,
    /// Annotations of local names and parameters.
    pub declared: Vec<Held>,
    pub returns: Vec<ExprId>,
    pub yields: Vec<ExprId>,
    /// What names held at each `break` out of the loop around the walk.
    pub breaks: Vec<Locals>,
    /// Names that `global` (false) or `nonlocal` (true) take from outside.
    pub outer_names: Vec<(Atom, bool)>,
    /// The first parameter of the method around: its name, and what it stands for.
    pub receiver: Option<Held>,
    /// The class of that method.
    pub class: Option<DefId>,
    /// A test or a pytest fixture: its parameters are given by the fixtures of their names.
    pub takes_fixtures: bool,
    /// Attributes (`self.x`) about which checks have proved something, as they are written.
    pub narrowed_paths: Vec<Atom>,
    /// A `yield` was met.
    pub is_generator: bool,
}

impl Frame {
    pub fn declared(&self, name: Atom) -> Option<ExprId> {
        self.declared.iter().rev().find(|(known, _)| *known == name).map(|(_, expr)| *expr)
    }

    /// `Some(true)` for a nonlocal name, `Some(false)` for a global one.
    pub fn outer(&self, name: Atom) -> Option<bool> {
        self.outer_names.iter().find(|(known, _)| *known == name).map(|(_, is_nonlocal)| *is_nonlocal)
    }
}

impl Walker<'_> {
    /// Goes on after a statement with several ways through it: `ends` and the current state.
    pub(super) fn merge(&mut self, ends: &[Locals]) {
        let mut ways: Vec<Locals> = ends.iter().filter(|end| !end.ended).cloned().collect();
        if !self.frame.locals.ended {
            ways.push(self.frame.locals.clone());
        }
        if ways.is_empty() {
            // All ways have ended; what follows is dead, or a loop goes on after a `break`.
            return;
        }
        let mut merged = ways.remove(0);
        for way in &ways {
            self.merge_into(&mut merged, way);
        }
        merged.ended = false;
        self.frame.locals = merged;
    }

    /// Adds what names hold on another way. Both began alike, so most names stand at the same places.
    fn merge_into(&mut self, merged: &mut Locals, way: &Locals) {
        let same = merged.held.iter().zip(&way.held).take_while(|(one, other)| one.0 == other.0).count();
        for index in 0..same {
            let (one, other) = (merged.held[index].1, way.held[index].1);
            if one != other {
                merged.held[index].1 = self.union(vec![one, other]);
            }
        }
        for &(name, held) in &way.held[same..] {
            match merged.held[same..].iter().position(|(known, _)| *known == name) {
                Some(index) => {
                    let union = self.union(vec![merged.held[same + index].1, held]);
                    merged.held[same + index].1 = union;
                }
                None => merged.set(name, held),
            }
        }
    }

    /// One of several, flattened.
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
        flat.truncate(MOST_ALTERNATIVES);
        match flat.len() {
            0 => self.unknown,
            1 => flat[0],
            _ => self.facts.expr(Expr::Union(flat)),
        }
    }
}
