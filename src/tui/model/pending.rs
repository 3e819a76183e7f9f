//! The beginning of a key sequence, and when to show how it may go on.

use std::time::{Duration, Instant};

use crate::tui::key::Key;

/// Who knows a sequence types it within this time and never sees the list of what may follow.
const PATIENCE: Duration = Duration::from_millis(300);

/// Keys that wait for more.
#[derive(Debug, Clone, Default)]
pub struct Pending {
    pub keys: Vec<Key>,
    /// When the list of what may follow will appear.
    pub shows_at: Option<Instant>,
    /// True while it is on the screen.
    pub shown: bool,
}

impl Pending {
    /// One key more.
    pub fn push(&mut self, key: Key, now: Instant) {
        self.keys.push(key);
        self.shows_at = (!self.shown).then_some(now + PATIENCE);
    }

    /// One key less; without any, nothing waits.
    pub fn pop(&mut self) {
        self.keys.pop();
        if self.keys.is_empty() {
            self.clear();
        }
    }

    /// Nothing waits any more.
    pub fn clear(&mut self) {
        *self = Pending::default();
    }

    /// True when the list appears by now.
    pub fn time_passed(&mut self, now: Instant) -> bool {
        let appears = self.shows_at.is_some_and(|at| at <= now);
        if appears {
            self.shows_at = None;
            self.shown = true;
        }
        appears
    }
}
