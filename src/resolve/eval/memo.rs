//! Memoized queries of one evaluator, with support for cycles.
//!
//! # Why
//!
//! Definitions can depend on each other, so a query can recur while it is active; it is `Unknown` then. A result that
//! depends on such a cycle is provisional: computed outside the cycle it may be more precise. Provisional results are
//! kept while the query at the head of the cycle is active, which makes a cycle cost no more than its size. They are
//! discarded afterwards, so that results do not depend on the order of the queries.

use std::collections::HashMap;

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
    level: usize,
    /// Number of provisional results when the query became active.
    start: usize,
    lowest_before: usize,
}

/// States of all queries of one evaluator.
#[derive(Debug)]
pub(super) struct Memo {
    states: HashMap<Query, State>,
    provisional: Vec<Query>,
    open: usize,
    /// The lowest depth of an active query that the topmost one has met.
    lowest: usize,
    dropped: usize,
}

/// No active query was met.
const NONE: usize = usize::MAX;

impl Memo {
    pub fn new() -> Memo {
        Memo { states: HashMap::new(), provisional: Vec::new(), open: 0, lowest: NONE, dropped: 0 }
    }

    /// Returns the result of a query, if there is one. An active query is `Unknown`.
    pub fn get(&mut self, query: Query) -> Option<Value> {
        let (value, level) = match self.states.get(&query)? {
            State::InProgress(level) => (Value::Unknown, *level),
            State::Complete(value) => return Some(value.clone()),
            State::Provisional(value, level) => (value.clone(), *level),
        };
        self.lowest = self.lowest.min(level);
        Some(value)
    }

    /// Marks the active queries as provisional, because the depth limit truncated a result.
    pub fn mark_truncated(&mut self) {
        self.lowest = 0;
    }

    /// Returns whether the topmost query has met no active query so far.
    pub fn is_cycle_free(&self) -> bool {
        self.lowest == NONE
    }

    /// Pushes a query on the stack of active queries.
    pub fn open(&mut self, query: Query) -> ActiveQuery {
        let level = self.open;
        self.open += 1;
        self.states.insert(query, State::InProgress(level));
        ActiveQuery { level, start: self.provisional.len(), lowest_before: std::mem::replace(&mut self.lowest, NONE) }
    }

    /// Pops the topmost query and stores its result.
    pub fn close(&mut self, query: Query, active: ActiveQuery, value: Value) {
        self.open = active.level;
        let lowest = self.lowest;
        if lowest < active.level {
            for other in &self.provisional[active.start..] {
                if let Some(State::Provisional(_, level)) = self.states.get_mut(other) {
                    *level = lowest.min(*level);
                }
            }
            self.states.insert(query, State::Provisional(value, lowest));
            self.provisional.push(query);
            self.lowest = active.lowest_before.min(lowest);
            return;
        }
        for other in self.provisional.drain(active.start..) {
            if let Some(State::Provisional(value, _)) = self.states.remove(&other)
                && self.dropped >= MAX_DROPPED
            {
                self.states.insert(other, State::Complete(value));
            } else {
                self.dropped += 1;
            }
        }
        self.states.insert(query, State::Complete(value));
        self.lowest = if active.level == 0 { NONE } else { active.lowest_before };
    }
}
