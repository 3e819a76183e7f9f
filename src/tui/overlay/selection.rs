//! The selected line of a window's list.

use ratatui::layout::{Position, Rect};

use crate::tui::command::Command;
use crate::tui::view::window;

/// The index of the selected line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection(usize);

/// Lines of a page, about as many as a window shows.
const PAGE: usize = 10;

impl Selection {
    /// Returns the index of the selected line.
    pub fn row(self) -> usize {
        self.0
    }

    /// Returns the selected item, or `None` for an empty list.
    pub fn get<T>(self, list: &[T]) -> Option<&T> {
        list.get(self.0)
    }

    /// Moves in a list of `len` lines. Returns false if the command does not move a selection.
    pub fn apply(&mut self, command: Command, len: usize) -> bool {
        self.0 = match command {
            Command::OverlayDown => self.0 + 1,
            Command::OverlayUp => self.0.saturating_sub(1),
            Command::OverlayPageDown => self.0 + PAGE,
            Command::OverlayPageUp => self.0.saturating_sub(PAGE),
            Command::OverlayTop => 0,
            Command::OverlayBottom => len,
            _ => return false,
        };
        self.clamp(len);
        true
    }

    /// Moves to the last line if the list has become shorter.
    pub fn clamp(&mut self, len: usize) {
        self.0 = self.0.min(len.saturating_sub(1));
    }

    /// Selects the clicked line of a list of `len` lines drawn in `room`.
    pub fn click(&mut self, room: Rect, len: usize, position: Position) {
        self.0 = window::line_at(room, self.0, len, position).unwrap_or(self.0);
    }

    /// Selects a line.
    pub fn select(&mut self, row: usize) {
        self.0 = row;
    }

    /// Selects the first line.
    pub fn select_first(&mut self) {
        self.0 = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_stays_within_the_list() {
        let mut selection = Selection::default();
        let mut after = |commands: &[Command], len| {
            assert!(commands.iter().all(|command| selection.apply(*command, len)));
            selection.row()
        };
        assert_eq!(after(&[Command::OverlayPageDown, Command::OverlayDown], 15), 11);
        assert_eq!(after(&[Command::OverlayBottom], 15), 14);
        assert_eq!(after(&[Command::OverlayTop, Command::OverlayPageDown, Command::OverlayDown], 15), 11);
        assert_eq!(after(&[Command::OverlayPageDown], 15), 14);
        assert_eq!(after(&[Command::OverlayUp], 3), 2);
        assert_eq!(after(&[Command::OverlayPageUp, Command::OverlayUp], 3), 0);
        assert_eq!(after(&[Command::OverlayDown], 0), 0);
        assert!(!selection.apply(Command::Down, 3));
        assert_eq!(selection.get::<u8>(&[]), None);
    }
}
