//! The part of the screen that the keys go to.

use crate::tui::panes::{PANES, PaneId, pack};

/// The part of the screen that the keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// The task line.
    Task,
    Pane(PaneId),
}

impl Focus {
    /// Returns the task line and every pane, in the order of their digits.
    pub fn all() -> impl Iterator<Item = Focus> {
        [Focus::Task].into_iter().chain(PANES.iter().map(|pane| Focus::Pane(pane.id())))
    }

    /// Returns the digit and the name.
    pub fn label(self) -> String {
        match self {
            Focus::Task => "1 task".to_owned(),
            Focus::Pane(id) => id.label(),
        }
    }

    /// Returns the pane in which keys of movement move: the list while the task is edited.
    pub fn pane(self) -> PaneId {
        match self {
            Focus::Task => pack::ID,
            Focus::Pane(id) => id,
        }
    }

    /// Returns the focus `steps` further on; after the last pane comes the task line.
    pub fn cycled(self, steps: isize) -> Focus {
        let all: Vec<Focus> = Focus::all().collect();
        let index = all.iter().position(|focus| *focus == self).unwrap_or(0) as isize;
        all[(index + steps).rem_euclid(all.len() as isize) as usize]
    }
}
