//! The filter of the list: a line at the foot of the screen that narrows the list as it is typed.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::super::command::{Command, Context};
use super::super::effect::Effect;
use super::super::model::Model;
use super::super::theme::Slot;
use super::super::view::{Canvas, text, window};
use super::{Flow, Layer, Overlay};

/// The line of the filter.
#[derive(Debug, Clone)]
pub struct Filter {
    pub input: Input,
}

/// Opens the line with the filter that the list has.
pub fn open(model: &mut Model) {
    let input = Input::new(model.pack.arrangement.filter.clone());
    model.overlays.push(Overlay::Filter(Filter { input }));
}

impl Layer for Filter {
    fn contexts(&self) -> &'static [Context] {
        &[]
    }

    fn field(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn has_field(&self) -> bool {
        true
    }

    fn changed(&mut self, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        model.pack.arrangement.filter = self.input.value().to_owned();
        model.pack.arrange();
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> Flow {
        match command {
            Command::OverlayRun => Flow::Close,
            Command::OverlayClose => {
                model.pack.arrangement.filter.clear();
                model.pack.arrange();
                Flow::Close
            }
            Command::OverlayDown => {
                model.pack.step(1);
                Flow::Stay
            }
            Command::OverlayUp => {
                model.pack.step(-1);
                Flow::Stay
            }
            _ => Flow::Pass,
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let area = model.areas().footer;
        canvas.buffer.set_style(area, canvas.style(Slot::Text));
        let blank = Line::from(" ".repeat(area.width as usize));
        canvas.line(area, &blank);
        let count = format!("{} of {}  Enter keep  Esc clear ", model.pack.shown.len(), model.pack.symbols.len());
        let hint = Line::from(canvas.span(Slot::Dim, text::fit(&count, area.width as usize / 2, "").into_owned()));
        let left = canvas.line_right(area, &hint);
        let prompt = Line::from(canvas.span(Slot::Prompt, " /"));
        canvas.line(left, &prompt);
        let room = Rect { x: left.x + 2.min(left.width), width: left.width.saturating_sub(3), ..left };
        let (shown, column) = window::visible(canvas, &self.input, room.width as usize);
        let line = Line::from(canvas.span(Slot::Text, shown));
        canvas.line(room, &line);
        canvas.cursor = Some(Position { x: room.x + (column as u16).min(room.width), y: room.y });
    }
}
