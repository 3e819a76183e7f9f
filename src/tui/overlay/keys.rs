//! The key help: every binding of the registry, filtered as the user types, runnable with Enter.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Selection, help};
use crate::tui::command::{Command, Context, disabled_reason};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update;
use crate::tui::view::{Canvas, text, window};

/// The key help.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    pub filter: Input,
    pub selected: Selection,
}

const COLUMNS: u16 = 78;
const ROWS: u16 = 36;

impl Layer for Keys {
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
        let lines = help::key_lines(&model.keymap, self.filter.value());
        if self.selected.moves(command, lines.len()) {
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose | Command::Help => Flow::Close,
            Command::OverlayRun => {
                if let Some(line) = lines.get(self.selected.row()) {
                    update::invoke(model, &line.bound, now, effects);
                }
                Flow::Close
            }
            _ => Flow::Pass,
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let len = help::key_lines(&model.keymap, self.filter.value()).len();
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, len, place);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let lines = help::key_lines(&model.keymap, self.filter.value());
        let title = format!("keys {} {}", model.skin.glyphs.dot, text::count(lines.len(), "line"));
        let mut inner = window::open(canvas, self.area(canvas.model), &title, "type to filter, @ by key, Enter runs");
        window::field(canvas, &mut inner, &self.filter);
        window::list(canvas, inner, self.selected.row(), lines.len(), |canvas, row| {
            let line = &lines[row];
            let hindered = disabled_reason(canvas.model, line.bound.command).is_some();
            Line::from(vec![
                canvas.span(Slot::Dim, text::pad(line.context.map_or("", Context::name), 11)),
                canvas.span(Slot::HintKey, text::pad(&line.keys, 15)),
                canvas.span(if hindered { Slot::Dim } else { Slot::Text }, text::pad(&line.bound.words(), 34)),
                canvas.span(Slot::Dim, line.bound.spec().name),
            ])
        });
    }
}
