//! The key help: every binding, filtered while typing; Enter runs the selected command.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Selection, Window, help};
use crate::tui::command::{Command, Context, disabled_reason};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update;
use crate::tui::view::{Canvas, text, window};

/// The key help window.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    pub filter: Input,
    pub selected: Selection,
}

const COLUMNS: u16 = 78;
const ROWS: u16 = 36;

impl Window for Keys {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.filter)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.filter)
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.select_first();
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let lines = help::key_lines(&model.keymap, self.filter.value());
        if self.selected.apply(command, lines.len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose | Command::Help => EventResult::Close,
            Command::OverlayRun => {
                if let Some(line) = lines.get(self.selected.row()) {
                    update::invoke(model, &line.bound, now, effects);
                }
                EventResult::Close
            }
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "run"
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let len = help::key_lines(&model.keymap, self.filter.value()).len();
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, len, position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let lines = help::key_lines(&model.keymap, self.filter.value());
        let title = format!("keys {} {}", model.appearance.glyphs.dot, text::count(lines.len(), "line"));
        let mut inner = window::open(canvas, self.area(canvas.model), &title, "type to filter, @ by key, Enter runs");
        window::field(canvas, &mut inner, &self.filter);
        window::list(canvas, inner, self.selected.row(), lines.len(), |canvas, row| {
            let line = &lines[row];
            let hindered = disabled_reason(canvas.model, line.bound.command).is_some();
            Line::from(vec![
                canvas.span(Slot::Dim, text::pad(line.context.map_or("", Context::name), 11)),
                canvas.span(Slot::HintKey, text::pad(&line.keys, 15)),
                canvas.span(if hindered { Slot::Dim } else { Slot::Text }, text::pad(&line.bound.label(), 34)),
                canvas.span(Slot::Dim, line.bound.spec().name),
            ])
        });
    }
}
