//! The selected line of a window's list.

use ratatui::layout::{Position, Rect};

use crate::tui::command::Command;
use crate::tui::view::window;

/// The selected line, by its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection(usize);

/// Lines of a page: about what a window shows at once.
const PAGE: usize = 10;

impl Selection {
    /// Its place.
    pub fn row(self) -> usize {
        self.0
    }

    /// What it selects; none in an empty list.
    pub fn of<T>(self, list: &[T]) -> Option<&T> {
        list.get(self.0)
    }

    /// Moves in a list of `len` lines as a command says; false for a command that moves nothing.
    pub fn moves(&mut self, command: Command, len: usize) -> bool {
        self.0 = match command {
            Command::OverlayDown => self.0 + 1,
            Command::OverlayUp => self.0.saturating_sub(1),
            Command::OverlayPageDown => self.0 + PAGE,
            Command::OverlayPageUp => self.0.saturating_sub(PAGE),
            Command::OverlayTop => 0,
            Command::OverlayBottom => len,
            _ => return false,
        };
        self.keep_within(len);
        true
    }

    /// Goes to the last line when the list has become shorter than that.
    pub fn keep_within(&mut self, len: usize) {
        self.0 = self.0.min(len.saturating_sub(1));
    }

    /// Goes to the line of a list of `len` lines, drawn in `room`, that was clicked, if there is one.
    pub fn click(&mut self, room: Rect, len: usize, place: Position) {
        self.0 = window::line_at(room, self.0, len, place).unwrap_or(self.0);
    }

    /// Goes to this line.
    pub fn go_to(&mut self, row: usize) {
        self.0 = row;
    }

    /// Goes to the first line.
    pub fn reset(&mut self) {
        self.0 = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_in_its_list() {
        let mut selection = Selection::default();
        let mut after = |commands: &[Command], len| {
            assert!(commands.iter().all(|command| selection.moves(*command, len)));
            selection.row()
        };
        assert_eq!(after(&[Command::OverlayPageDown, Command::OverlayDown], 15), 11);
        assert_eq!(after(&[Command::OverlayBottom], 15), 14);
        assert_eq!(after(&[Command::OverlayTop, Command::OverlayPageDown, Command::OverlayDown], 15), 11);
        assert_eq!(after(&[Command::OverlayPageDown], 15), 14);
        assert_eq!(after(&[Command::OverlayUp], 3), 2);
        assert_eq!(after(&[Command::OverlayPageUp, Command::OverlayUp], 3), 0);
        assert_eq!(after(&[Command::OverlayDown], 0), 0);
        assert!(!selection.moves(Command::Down, 3));
        assert_eq!(selection.of::<u8>(&[]), None);
    }
}
