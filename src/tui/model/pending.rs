//! The typed keys of an incomplete sequence, and the command that waits for a letter.

use std::time::{Duration, Instant};

use crate::tui::command::Command;
use crate::tui::key::Key;

/// Time from a key of an incomplete sequence to the list of continuations.
const DELAY: Duration = Duration::from_millis(300);

/// An incomplete key sequence.
#[derive(Debug, Clone, Default)]
pub struct Pending {
    pub keys: Vec<Key>,
    /// The command that the next letter completes.
    pub letter_command: Option<Command>,
    /// When the list of continuations appears.
    pub shows_at: Option<Instant>,
    /// Whether the list is visible.
    pub shown: bool,
}

impl Pending {
    /// Adds a key.
    pub fn push(&mut self, key: Key, now: Instant) {
        self.keys.push(key);
        self.shows_at = (!self.shown).then_some(now + DELAY);
    }

    /// Removes the last key.
    pub fn pop(&mut self) {
        self.keys.pop();
        if self.keys.is_empty() {
            self.clear();
        }
    }

    /// Forgets the sequence.
    pub fn clear(&mut self) {
        *self = Pending { letter_command: self.letter_command, ..Pending::default() };
    }

    /// Shows the list if it is due. Returns whether it appeared.
    pub fn time_passed(&mut self, now: Instant) -> bool {
        let appears = self.shows_at.is_some_and(|at| at <= now);
        if appears {
            self.shows_at = None;
            self.shown = true;
        }
        appears
    }
}
