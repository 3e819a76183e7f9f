//! A window with a list of texts and a fuzzy filter: the tasks of the history, the named packs.

use std::fmt::Debug;
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Selection, Window};
use crate::tui::backend::{Answer, Recorded};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

/// The texts of a window, and the use of a chosen one.
pub trait Texts: Debug + Clone + Default {
    /// The title of the window.
    const TITLE: &'static str;
    /// The noun of a text, for the count in the title.
    const NOUN: &'static str;
    /// The hint bar's word for Enter.
    const ENTER: &'static str;
    /// The words in place of an empty list.
    const EMPTY: &'static str;

    /// Returns all texts.
    fn all(&self, model: &Model) -> Vec<String>;
    /// Uses the chosen text.
    fn choose(&self, chosen: &str, model: &mut Model, now: Instant, effects: &mut Vec<Effect>);
    /// Returns the line of a text.
    fn line(&self, text: &str, filter: &str, canvas: &Canvas<'_>) -> Line<'static>;
    /// Receives the feedback journal.
    fn on_recorded(&mut self, _answer: &Answer<Recorded>) {}
}

/// The window of a list of texts.
#[derive(Debug, Clone, Default)]
pub struct TextList<T> {
    texts: T,
    filter: Input,
    selected: Selection,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 16;

impl<T: Texts> TextList<T> {
    fn matching(&self, model: &Model) -> Vec<String> {
        let all = self.texts.all(model);
        let found = fuzzy::matching(self.filter.value(), all.iter().map(String::as_str));
        found.into_iter().map(|index| all[index].clone()).collect()
    }
}

impl<T: Texts> Window for TextList<T> {
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
        let found = self.matching(model);
        if self.selected.apply(command, found.len()) {
            return EventResult::Consumed;
        }
        match (command, self.selected.get(&found)) {
            (Command::OverlayClose, _) => EventResult::Close,
            (Command::OverlayRun, Some(chosen)) => {
                self.texts.choose(chosen, model, now, effects);
                EventResult::Close
            }
            (Command::OverlayRun, None) => EventResult::Consumed,
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        T::ENTER
    }

    fn on_recorded(&mut self, answer: &Answer<Recorded>) {
        self.texts.on_recorded(answer);
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
        let dot = canvas.model.appearance.glyphs.dot;
        let found = self.matching(canvas.model);
        let title = format!("{} {dot} {}", T::TITLE, text::count(found.len(), T::NOUN));
        let hint = format!("Enter {}s, Esc closes", T::ENTER);
        let mut inner = window::open(canvas, self.area(canvas.model), &title, &hint);
        window::field(canvas, &mut inner, &self.filter);
        if found.is_empty() {
            let words = if self.filter.value().is_empty() { T::EMPTY } else { "No match." };
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
        }
        window::list(canvas, inner, self.selected.row(), found.len(), |canvas, row| {
            self.texts.line(&found[row], self.filter.value(), canvas)
        });
    }
}
