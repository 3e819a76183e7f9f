//! The filter of the list, the runs or the cost map: a line at the bottom of the screen, applied while typing.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Window};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::cost::CostMap;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::update::panes;
use crate::tui::view::{Canvas, text, window};

/// The filter line of a pane.
#[derive(Debug, Clone)]
pub struct Filter {
    /// The filtered pane.
    pane: Focus,
    pub input: Input,
}

/// Opens the filter line of the focused pane, or of the list if that pane has no filter.
pub fn open(model: &mut Model) {
    let pane = if matches!(model.focus, Focus::Runs | Focus::Cost) { model.focus } else { Focus::Pack };
    let filter = match pane {
        Focus::Runs => &model.runs.filter,
        Focus::Cost => &model.cost.filter,
        _ => &model.pack.arrangement.filter,
    };
    let input = Input::new(filter.clone());
    model.overlays.push(Overlay::Filter(Filter { pane, input }));
}

impl Filter {
    fn set(&self, model: &mut Model, filter: String) {
        match self.pane {
            Focus::Runs => {
                model.runs.filter = filter;
                (model.runs.selected, model.runs.offset) = (0, 0);
            }
            Focus::Cost => {
                model.cost.filter = filter;
                (model.cost.selected, model.cost.offset) = (0, 0);
            }
            _ => {
                model.pack.arrangement.filter = filter;
                model.pack.arrange();
            }
        }
    }

    /// Returns the number of rows that match and of all rows.
    fn counts(&self, model: &Model) -> (usize, usize) {
        let packed = model.pack.packed_symbols();
        match self.pane {
            Focus::Runs => (model.runs.shown().len(), model.runs.list.len()),
            Focus::Cost => (model.cost.lines(packed).len(), CostMap::default().lines(packed).len()),
            _ => (model.pack.shown.len(), model.pack.symbols.len()),
        }
    }
}

impl Window for Filter {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn input_changed(&mut self, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.set(model, self.input.value().to_owned());
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> EventResult {
        match command {
            Command::OverlayRun => EventResult::Close,
            Command::OverlayClose => {
                self.set(model, String::new());
                EventResult::Close
            }
            _ => {
                let page = panes::page_lines(model, self.pane).max(1) as isize;
                let by = match command {
                    Command::OverlayDown => 1,
                    Command::OverlayUp => -1,
                    Command::OverlayPageDown => page,
                    Command::OverlayPageUp => -page,
                    Command::OverlayTop => isize::MIN / 2,
                    Command::OverlayBottom => isize::MAX / 2,
                    _ => return EventResult::Ignored,
                };
                panes::step(model, self.pane, by);
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
        let (shown, all) = self.counts(model);
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
