//! The tasks of before, found by a few of their letters.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Overlay, Selection};
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update::task;
use crate::tui::view::{Canvas, text, window};

/// The window of tasks.
#[derive(Debug, Clone, Default)]
pub struct History {
    filter: Input,
    selected: Selection,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 16;

/// Opens the window.
pub fn open(model: &mut Model) {
    model.overlays.push(Overlay::History(History::default()));
}

impl History {
    fn matching(&self, model: &Model) -> Vec<String> {
        let tasks = model.history.tasks();
        let found = fuzzy::matching(self.filter.value(), tasks.iter().map(String::as_str));
        found.into_iter().map(|place| tasks[place].clone()).collect()
    }
}

impl Layer for History {
    fn field_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.filter)
    }

    fn field(&self) -> Option<&Input> {
        Some(&self.filter)
    }

    fn changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.reset();
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> Flow {
        let found = self.matching(model);
        if self.selected.moves(command, found.len()) {
            return Flow::Stay;
        }
        match (command, found.get(self.selected.row())) {
            (Command::OverlayClose, _) => Flow::Close,
            (Command::OverlayRun, Some(chosen)) => {
                task::replace(model, chosen, now, effects);
                Flow::Close
            }
            (Command::OverlayRun, None) => Flow::Stay,
            _ => Flow::Pass,
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let len = self.matching(model).len();
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, len, place);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let glyphs = &canvas.model.skin.glyphs;
        let found = self.matching(canvas.model);
        let title = format!("tasks of before {} {}", glyphs.dot, text::count(found.len(), "task"));
        let mut inner = window::open(canvas, self.area(canvas.model), &title, "Enter takes it, Esc closes");
        window::field(canvas, &mut inner, &self.filter);
        if canvas.model.history.tasks().is_empty() {
            let line = Line::from(canvas.span(Slot::Dim, " Tasks come here once you have run them."));
            canvas.line(Canvas::row(inner, 1), &line);
        }
        window::list(canvas, inner, self.selected.row(), found.len(), |canvas, row| {
            let one_line = found[row].replace('\n', canvas.model.skin.glyphs.newline);
            Line::from(canvas.span(Slot::Text, safe(&one_line).into_owned()))
        });
    }
}
