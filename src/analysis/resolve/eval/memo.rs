//! Memoized queries of one evaluator, with support for cycles.
//!
//! # Why
//!
//! Definitions can depend on each other, so a query can recur while it is active; it is `Unknown` then. A result that
//! depends on such a cycle is provisional: computed outside the cycle it may be more precise. Provisional results are
//! kept while the query at the head of the cycle is active, which makes a cycle cost no more than its size. They are
//! discarded afterwards, so that results do not depend on the order of the queries.

use rustc_hash::FxHashMap;

use super::Query;
use crate::resolve::value::Value;

/// Maximum number of provisional results that are discarded for one file; further ones become final. Real files stay
/// below a tenth.
const MAX_DROPPED: usize = 50_000;

#[derive(Debug)]
enum State {
    /// Active, at this depth of the stack of active queries.
    InProgress(usize),
    Complete(Value),
    /// Computed while the query at this depth, on which the result depends, was active.
    Provisional(Value, usize),
}

/// A query on the stack of active queries.
pub(super) struct ActiveQuery {
    depth: usize,
    /// Number of provisional results when the query became active.
    provisional_before: usize,
    cycle_head_before: usize,
}

/// States of all queries of one evaluator.
#[derive(Debug)]
pub(super) struct Memo {
    states: FxHashMap<Query, State>,
    provisional: Vec<Query>,
    depth: usize,
    /// Lowest depth of an active query on which the topmost one depends.
    cycle_head: usize,
    dropped: usize,
}

/// The topmost query depends on no active one.
const NO_CYCLE: usize = usize::MAX;

impl Memo {
    /// Creates an empty memo.
    pub fn new() -> Memo {
        Memo { states: FxHashMap::default(), provisional: Vec::new(), depth: 0, cycle_head: NO_CYCLE, dropped: 0 }
    }

    /// Returns the result of a query, if there is one. An active query is `Unknown`.
    pub fn get(&mut self, query: Query) -> Option<Value> {
        let (value, depth) = match self.states.get(&query)? {
            State::InProgress(depth) => (Value::Unknown, *depth),
            State::Complete(value) => return Some(value.clone()),
            State::Provisional(value, depth) => (value.clone(), *depth),
        };
        self.cycle_head = self.cycle_head.min(depth);
        Some(value)
    }

    /// Marks the active queries as provisional, because the depth limit truncated a result.
    pub fn mark_truncated(&mut self) {
        self.cycle_head = 0;
    }

    /// Returns whether the topmost query depends on no active query so far.
    pub fn is_cycle_free(&self) -> bool {
        self.cycle_head == NO_CYCLE
    }

    /// Pushes a query on the stack of active queries.
    pub fn push(&mut self, query: Query) -> ActiveQuery {
        let depth = self.depth;
        self.depth += 1;
        self.states.insert(query, State::InProgress(depth));
        ActiveQuery {
            depth,
            provisional_before: self.provisional.len(),
            cycle_head_before: std::mem::replace(&mut self.cycle_head, NO_CYCLE),
        }
    }

    /// Pops the topmost query and stores its result.
    pub fn pop(&mut self, query: Query, active: ActiveQuery, value: Value) {
        self.depth = active.depth;
        let cycle_head = self.cycle_head;
        if cycle_head < active.depth {
            for other in &self.provisional[active.provisional_before..] {
                if let Some(State::Provisional(_, depth)) = self.states.get_mut(other) {
                    *depth = cycle_head.min(*depth);
                }
            }
            self.states.insert(query, State::Provisional(value, cycle_head));
            self.provisional.push(query);
            self.cycle_head = active.cycle_head_before.min(cycle_head);
            return;
        }
        for other in self.provisional.drain(active.provisional_before..) {
            if let Some(State::Provisional(value, _)) = self.states.remove(&other)
                && self.dropped >= MAX_DROPPED
            {
                self.states.insert(other, State::Complete(value));
            } else {
                self.dropped += 1;
            }
        }
        self.states.insert(query, State::Complete(value));
        self.cycle_head = if active.depth == 0 { NO_CYCLE } else { active.cycle_head_before };
    }
}
