//! The filter of a window in which letters are commands: `/` opens a text field that narrows the list while typing.

use ratatui::layout::Rect;
use ratatui::text::Line;
use tui_input::Input;

use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::fuzzy;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

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
