//! Lists in windows: the selected row and the rows around it, and the filter of a list.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::fuzzy;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

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

/// The filter of a window's list.
#[derive(Debug, Clone, Default)]
pub struct FilterInput {
    input: Input,
    /// Whether typed letters go to the filter.
    is_editing: bool,
}

impl FilterInput {
    /// Returns whether typed letters go to the filter instead of running commands.
    pub fn is_editing(&self) -> bool {
        self.is_editing
    }

    /// Returns the text field while it is being edited.
    pub fn input(&self) -> Option<&Input> {
        self.is_editing.then_some(&self.input)
    }

    /// Returns the same text field for editing.
    pub fn input_mut(&mut self) -> Option<&mut Input> {
        self.is_editing.then_some(&mut self.input)
    }

    /// Returns the filter's text.
    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// Runs a command of the filter: `Enter` keeps the text, `Esc` clears it. Returns false for any other command.
    pub fn run(&mut self, command: Command) -> bool {
        match command {
            Command::Filter => self.is_editing = true,
            Command::OverlayRun if self.is_editing => self.is_editing = false,
            Command::OverlayClose if self.is_editing || !self.value().is_empty() => *self = FilterInput::default(),
            _ => return false,
        }
        true
    }

    /// Returns the indices of the matching texts, best match first; all of them for an empty filter.
    pub fn matching(&self, texts: &[String]) -> Vec<usize> {
        fuzzy::matching(self.value(), texts.iter().map(String::as_str))
    }

    /// Returns the part of a window's area below the filter.
    pub fn below(&self, room: Rect) -> Rect {
        if self.is_editing || !self.value().is_empty() { window::below_field(room) } else { room }
    }

    /// Draws the filter if there is one, and removes its row from `room`.
    pub fn draw(&self, canvas: &mut Canvas<'_>, room: &mut Rect) {
        if self.is_editing {
            window::field(canvas, room, &self.input);
        } else if !self.value().is_empty() {
            let label = format!(" / {}", safe(self.value()));
            let label = text::fit(&label, room.width as usize, canvas.model.appearance.glyphs.ellipsis).into_owned();
            let line = Line::from(canvas.span(Slot::Dim, label));
            canvas.line(*room, &line);
            *room = window::below_field(*room);
        }
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
