//! The filter line of a pane, at the foot of the screen.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Window};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::panes::{PaneId, pack, page_rows, pane};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

/// The filter line.
#[derive(Debug, Clone)]
pub struct Filter {
    /// The pane whose rows it filters.
    pane: PaneId,
    pub input: Input,
}

/// Opens the filter of the pane in focus, or of the list if that pane has none.
pub fn open(model: &mut Model) {
    let focused = model.focus.pane();
    let id = if pane(focused).filter(model).is_some() { focused } else { pack::ID };
    let text = pane(id).filter(model).unwrap_or_default().to_owned();
    model.overlays.push(Overlay::Filter(Filter { pane: id, input: Input::new(text) }));
}

impl Window for Filter {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn input_changed(&mut self, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        pane(self.pane).set_filter(model, self.input.value().to_owned());
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> EventResult {
        match command {
            Command::OverlayRun => EventResult::Close,
            Command::OverlayClose => {
                pane(self.pane).set_filter(model, String::new());
                EventResult::Close
            }
            _ => {
                let page = page_rows(model, self.pane).max(1) as isize;
                let by = match command {
                    Command::OverlayDown => 1,
                    Command::OverlayUp => -1,
                    Command::OverlayPageDown => page,
                    Command::OverlayPageUp => -page,
                    Command::OverlayTop => isize::MIN / 2,
                    Command::OverlayBottom => isize::MAX / 2,
                    _ => return EventResult::Ignored,
                };
                pane(self.pane).scroll(model, by);
                EventResult::Consumed
            }
        }
    }

    fn enter_label(&self) -> &'static str {
        "keep"
    }

    fn area(&self, model: &Model) -> Rect {
        model.areas().footer
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let area = model.areas().footer;
        canvas.buffer.set_style(area, canvas.style(Slot::Text));
        let blank = Line::from(" ".repeat(area.width as usize));
        canvas.line(area, &blank);
        let (shown, all) = pane(self.pane).filter_counts(model);
        let count = format!("{shown} of {all}  Enter keep  Esc clear ");
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
