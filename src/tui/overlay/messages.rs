//! The messages of the session, the newest first, each whole; Enter copies one.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::model::ago;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

/// The window of messages; the selection is a line of it.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    selected: Selection,
}

const COLUMNS: u16 = 110;
const ROWS: u16 = 30;
/// Columns of the time before a message.
const TIME_COLUMNS: usize = 12;

/// A line of the window.
struct MessageLine {
    /// Index among the messages.
    message: usize,
    is_first: bool,
    text: String,
}

/// Opens the window.
pub fn open(model: &mut Model) {
    model.overlays.push(Overlay::Messages(Messages::default()));
}

fn area(model: &Model) -> Rect {
    window::middle(model.size, COLUMNS, ROWS)
}

/// Returns the lines of all messages, the newest message first.
fn lines(model: &Model) -> Vec<MessageLine> {
    let width = (area(model).width as usize).saturating_sub(TIME_COLUMNS + 4);
    let mut lines = Vec::new();
    for (index, logged) in model.messages.list.iter().enumerate().rev() {
        let mark = if logged.is_error { "error: " } else { "" };
        let count = if logged.count > 1 { format!(" ({} times)", logged.count) } else { String::new() };
        let wrapped = text::wrap(&safe(&format!("{mark}{}{count}", logged.text)), width);
        let drawn = wrapped.into_iter().enumerate();
        lines.extend(drawn.map(|(row, text)| MessageLine { message: index, is_first: row == 0, text }));
    }
    lines
}

impl Window for Messages {
    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let lines = lines(model);
        if self.selected.apply(command, lines.len()) {
            return EventResult::Consumed;
        }
        match (command, self.selected.get(&lines)) {
            (Command::OverlayClose | Command::Messages, _) => EventResult::Close,
            (Command::OverlayRun, Some(line)) => {
                let text = model.messages.list[line.message].text.clone();
                effects.push(Effect::Copy { what: "the message".to_owned(), text });
                EventResult::Consumed
            }
            (Command::OverlayRun, None) => EventResult::Close,
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "copy"
    }

    fn area(&self, model: &Model) -> Rect {
        area(model)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.click(window::inside(area(model)), lines(model).len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let dot = model.appearance.glyphs.dot;
        let title = format!("messages {dot} {}", model.messages.list.len());
        let inner = window::open(canvas, area(model), &title, "Enter copies, Esc closes");
        let lines = lines(model);
        if lines.is_empty() {
            canvas.line(inner, &Line::from(canvas.span(Slot::Dim, " No messages yet.")));
            return;
        }
        window::list(canvas, inner, self.selected.row(), lines.len(), |canvas, row| line(canvas, &lines[row]));
    }
}

fn line(canvas: &Canvas<'_>, line: &MessageLine) -> Line<'static> {
    let logged = &canvas.model.messages.list[line.message];
    let age = canvas.model.now.zip(logged.at).map(|(now, at)| ago(now.saturating_duration_since(at)));
    let time = if line.is_first { age.unwrap_or_default() } else { String::new() };
    let slot = if logged.is_error { Slot::Error } else { Slot::Text };
    Line::from(vec![
        canvas.span(Slot::Dim, text::pad(&text::pad_start(&time, TIME_COLUMNS - 2), TIME_COLUMNS)),
        canvas.span(slot, line.text.clone()),
    ])
}
