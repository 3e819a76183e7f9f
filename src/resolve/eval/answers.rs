//! What the evaluator has been asked before, and what came of it.
//!
//! # Why
//!
//! Code may define things by each other, so while a question is being answered it may be asked again; it is then
//! unknown. An answer that rests on such a gap holds only as long as the question it met is open: asked on its own it
//! may come out richer. Such answers are kept until then, so that a circle costs no more than its size, and dropped
//! afterwards, so that what a name means does not depend on which name was asked for first.

use std::collections::HashMap;

use super::Question;
use crate::resolve::value::Value;

/// Most answers that are dropped for one file; beyond, they are kept as they are. Real files stay below a tenth.
const MOST_DROPPED: usize = 50_000;

#[derive(Debug)]
enum State {
    /// Being answered, as the n-th of the open questions.
    Open(usize),
    Answered(Value),
    /// Answered while the n-th open question, which it rests on, was open.
    Provisional(Value, usize),
}

/// A question that is being answered.
pub(super) struct Opened {
    level: usize,
    /// How many provisional answers there were before.
    start: usize,
    lowest_before: usize,
}

/// Questions and answers of one file's evaluator.
#[derive(Debug)]
pub(super) struct Answers {
    states: HashMap<Question, State>,
    provisional: Vec<Question>,
    open: usize,
    /// The lowest open question that the one on top has met.
    lowest: usize,
    dropped: usize,
}

/// No open question was met.
const NONE: usize = usize::MAX;

impl Answers {
    pub fn new() -> Answers {
        Answers { states: HashMap::new(), provisional: Vec::new(), open: 0, lowest: NONE, dropped: 0 }
    }

    /// What is known already. An open question is unknown.
    pub fn known(&mut self, question: Question) -> Option<Value> {
        let (value, level) = match self.states.get(&question)? {
            State::Open(level) => (Value::Unknown, *level),
            State::Answered(value) => return Some(value.clone()),
            State::Provisional(value, level) => (value.clone(), *level),
        };
        self.lowest = self.lowest.min(level);
        Some(value)
    }

    /// Notes that something was left out for having gone too deep, which it would not have with fewer questions open.
    pub fn cut_short(&mut self) {
        self.lowest = 0;
    }

    /// True when the question on top has met no open question so far.
    pub fn is_settled(&self) -> bool {
        self.lowest == NONE
    }

    /// Begins to answer.
    pub fn open(&mut self, question: Question) -> Opened {
        let level = self.open;
        self.open += 1;
        self.states.insert(question, State::Open(level));
        Opened { level, start: self.provisional.len(), lowest_before: std::mem::replace(&mut self.lowest, NONE) }
    }

    /// The answer to the question that was opened last.
    pub fn close(&mut self, question: Question, opened: Opened, value: Value) {
        self.open = opened.level;
        let lowest = self.lowest;
        if lowest < opened.level {
            for other in &self.provisional[opened.start..] {
                if let Some(State::Provisional(_, level)) = self.states.get_mut(other) {
                    *level = lowest.min(*level);
                }
            }
            self.states.insert(question, State::Provisional(value, lowest));
            self.provisional.push(question);
            self.lowest = opened.lowest_before.min(lowest);
            return;
        }
        for other in self.provisional.drain(opened.start..) {
            if let Some(State::Provisional(value, _)) = self.states.remove(&other)
                && self.dropped >= MOST_DROPPED
            {
                self.states.insert(other, State::Answered(value));
            } else {
                self.dropped += 1;
            }
        }
        self.states.insert(question, State::Answered(value));
        self.lowest = if opened.level == 0 { NONE } else { opened.lowest_before };
    }
}
