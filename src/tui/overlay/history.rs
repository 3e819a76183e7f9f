//! The history of tasks, with a fuzzy filter.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Record};
use crate::tui::fuzzy;
use crate::tui::history::AskedTask;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update::task;
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Recorded};

/// The history window.
#[derive(Debug, Clone, Default)]
pub struct History {
    filter: Input,
    selected: Selection,
    /// The tasks of the feedback journal: those that the command line ranked are among them.
    asked: Vec<AskedTask>,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 16;
/// Lines of a task that are shown.
const MAX_LINES: usize = 5;

/// Opens the window.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Record(Record::Journal));
    model.overlays.push(Overlay::History(History::default()));
}

impl History {
    fn matching(&self, model: &Model) -> Vec<String> {
        let tasks = model.history.with(&self.asked);
        let found = fuzzy::matching(self.filter.value(), tasks.iter().map(String::as_str));
        found.into_iter().map(|index| tasks[index].clone()).collect()
    }
}

impl Window for History {
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
        let tasks = self.matching(model);
        if self.selected.apply(command, tasks.len()) {
            return EventResult::Consumed;
        }
        match (command, tasks.get(self.selected.row())) {
            (Command::OverlayClose, _) => EventResult::Close,
            (Command::OverlayRun, Some(chosen)) => {
                task::replace(model, chosen, now, effects);
                EventResult::Close
            }
            (Command::OverlayRun, None) => EventResult::Consumed,
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "take"
    }

    fn on_recorded(&mut self, answer: &Answer<Recorded>) {
        // Without the journal the list has the tasks of the explorer.
        if let Ok(Recorded::Journal(journal)) = answer {
            let asked = journal.events.iter().filter(|event| !event.task.is_empty());
            self.asked = asked.map(|event| AskedTask { at: event.at, task: event.task.clone() }).collect();
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let len = self.matching(model).len();
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, len, position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let glyphs = &canvas.model.appearance.glyphs;
        let tasks = self.matching(canvas.model);
        let title = format!("history {} {}", glyphs.dot, text::count(tasks.len(), "task"));
        let mut inner = window::open(canvas, self.area(canvas.model), &title, "Enter takes, Esc closes");
        window::field(canvas, &mut inner, &self.filter);
        if tasks.is_empty() {
            let words = if self.filter.value().is_empty() { " No tasks yet." } else { " No match." };
            let line = Line::from(canvas.span(Slot::Dim, words));
            canvas.line(inner, &line);
        }
        window::list(canvas, inner, self.selected.row(), tasks.len(), |canvas, row| {
            let one_line = tasks[row].lines().take(MAX_LINES).collect::<Vec<_>>();
            let one_line = one_line.join(canvas.model.appearance.glyphs.newline);
            Line::from(window::matched(canvas, Slot::Text, &safe(&one_line), self.filter.value()))
        });
    }
}
