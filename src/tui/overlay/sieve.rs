//! The filter of a window whose letters are commands: a line that `/` opens, and that narrows the list as one types.

use ratatui::layout::Rect;
use ratatui::text::Line;
use tui_input::Input;

use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::fuzzy;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

/// The line of the filter.
#[derive(Debug, Clone, Default)]
pub struct Sieve {
    input: Input,
    /// True while letters go to it.
    is_typed: bool,
}

impl Sieve {
    /// True while letters go to the line, so that they are no commands.
    pub fn is_typed(&self) -> bool {
        self.is_typed
    }

    /// The line while letters go to it.
    pub fn field(&self) -> Option<&Input> {
        self.is_typed.then_some(&self.input)
    }

    /// The same to be changed.
    pub fn field_mut(&mut self) -> Option<&mut Input> {
        self.is_typed.then_some(&mut self.input)
    }

    /// What was typed.
    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// Does what a command says of the filter: `Enter` keeps what is typed, `Esc` takes it away. False for a command that is
    /// none of its own.
    pub fn run(&mut self, command: Command) -> bool {
        match command {
            Command::Filter => self.is_typed = true,
            Command::OverlayRun if self.is_typed => self.is_typed = false,
            Command::OverlayClose if self.is_typed || !self.value().is_empty() => *self = Sieve::default(),
            _ => return false,
        }
        true
    }

    /// Places of the texts that the filter lets through, best first; all of them without one.
    pub fn sift(&self, texts: &[String]) -> Vec<usize> {
        fuzzy::matching(self.value(), texts.iter().map(String::as_str))
    }

    /// What it leaves of the room inside a window.
    pub fn room(&self, room: Rect) -> Rect {
        if self.is_typed || !self.value().is_empty() { window::below_field(room) } else { room }
    }

    /// Draws the line, if there is one, and takes its row from the room.
    pub fn draw(&self, canvas: &mut Canvas<'_>, room: &mut Rect) {
        if self.is_typed {
            window::field(canvas, room, &self.input);
        } else if !self.value().is_empty() {
            let words = format!(" / {}", safe(self.value()));
            let words = text::fit(&words, room.width as usize, canvas.model.skin.glyphs.ellipsis).into_owned();
            let line = Line::from(canvas.span(Slot::Dim, words));
            canvas.line(*room, &line);
            *room = window::below_field(*room);
        }
    }
}
