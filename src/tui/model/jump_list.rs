//! The jump list: locations before jumps, to go back to and forward again, as in vim.

use crate::model::Symbol;
use crate::tui::panes::PaneId;

/// Older locations are dropped.
const MAX_JUMPS: usize = 100;

/// A symbol, and the pane that had the focus.
#[derive(Debug, Clone, PartialEq)]
pub struct Jump {
    pub symbol: Symbol,
    pub pane: PaneId,
    /// The line of a use that the user had gone to.
    pub line: Option<u32>,
}

/// The locations before and after the present one.
#[derive(Debug, Clone, Default)]
pub struct JumpList {
    previous: Vec<Jump>,
    next: Vec<Jump>,
}

impl JumpList {
    /// Adds the location before a jump and drops those that [`JumpList::back`] left.
    pub fn push(&mut self, jump: Jump) {
        self.next.clear();
        self.previous.push(jump);
        self.previous.drain(..self.previous.len().saturating_sub(MAX_JUMPS));
    }

    /// Returns the previous location; `now` becomes the next one.
    pub fn back(&mut self, now: Option<Jump>) -> Option<Jump> {
        let jump = self.previous.pop()?;
        self.next.extend(now);
        Some(jump)
    }

    /// Returns the location that [`JumpList::back`] left; `now` becomes the previous one.
    pub fn forward(&mut self, now: Option<Jump>) -> Option<Jump> {
        let jump = self.next.pop()?;
        self.previous.extend(now);
        Some(jump)
    }

    /// Drops the locations for which `keep`, which may change them, returns false.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Jump) -> bool) {
        self.previous.retain_mut(&mut keep);
        self.next.retain_mut(&mut keep);
    }
}

impl Jump {
    /// Returns whether both are the same line of the same symbol in the same pane.
    pub fn is_same_location(&self, other: &Jump) -> bool {
        self.symbol.id == other.symbol.id && self.pane == other.pane && self.line == other.line
    }
}
