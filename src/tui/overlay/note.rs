//! The note on a symbol of the trail, a line at the foot of the screen.

use std::time::Instant;

use ratatui::layout::Rect;
use tui_input::Input;

use super::{EventResult, Overlay, Window};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::update::trail;
use crate::tui::view::{Canvas, window};

/// The window of a note.
#[derive(Debug, Clone)]
pub struct Note {
    symbol: Symbol,
    input: Input,
}

/// Rows of the window: the border and the line.
const ROWS: u16 = 3;

/// Opens the note on a symbol.
pub fn open(model: &mut Model, symbol: Symbol) {
    let input = Input::new(model.task.trail.note(symbol.id).to_owned());
    model.overlays.push(Overlay::Note(Note { symbol, input }));
}

impl Window for Note {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        match command {
            Command::OverlayClose => EventResult::Close,
            Command::OverlayRun => {
                trail::keep(model, self.symbol.clone(), self.input.value().trim(), now, effects);
                EventResult::Close
            }
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "keep"
    }

    fn area(&self, model: &Model) -> Rect {
        let foot = window::foot(model.size, ROWS);
        let height = foot.height.min(ROWS);
        Rect { y: foot.bottom() - height, height, ..foot }
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let title = format!("note on {}", safe(&self.symbol.name));
        let mut inner =
            window::open(canvas, self.area(canvas.model), &title, "Enter keeps the symbol, with or without words");
        window::field(canvas, &mut inner, &self.input);
    }
}
