//! Lists in windows: the selected row and the rows around it, lists of texts, and the filter of a list.

use std::fmt::Debug;
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Window};
use crate::text::display::safe;
use crate::tui::backend::{Answer, Recorded};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

/// The index of the selected line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection(usize);

/// Lines of a page, about as many as a window shows.
const PAGE: usize = 10;

impl Selection {
    /// Returns the index of the selected line.
    pub fn row(self) -> usize {
        self.0
    }

    /// Returns the selected item, or `None` for an empty list.
    pub fn get<T>(self, list: &[T]) -> Option<&T> {
        list.get(self.0)
    }

    /// Moves in a list of `len` lines. Returns false if the command does not move a selection.
    pub fn apply(&mut self, command: Command, len: usize) -> bool {
        self.0 = match command {
            Command::OverlayDown => self.0 + 1,
            Command::OverlayUp => self.0.saturating_sub(1),
            Command::OverlayPageDown => self.0 + PAGE,
            Command::OverlayPageUp => self.0.saturating_sub(PAGE),
            Command::OverlayTop => 0,
            Command::OverlayBottom => len,
            _ => return false,
        };
        self.clamp(len);
        true
    }

    /// Moves to the last line if the list has become shorter.
    pub fn clamp(&mut self, len: usize) {
        self.0 = self.0.min(len.saturating_sub(1));
    }

    /// Selects the clicked line of a list of `len` lines drawn in `room`.
    pub fn click(&mut self, room: Rect, len: usize, position: Position) {
        self.0 = window::line_at(room, self.0, len, position).unwrap_or(self.0);
    }

    /// Selects a line.
    pub fn select(&mut self, row: usize) {
        self.0 = row;
    }

    /// Selects the first line.
    pub fn select_first(&mut self) {
        self.0 = 0;
    }
}

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

/// The filter of a window's list.
#[derive(Debug, Clone, Default)]
pub struct FilterInput {
    input: Input,
    /// Whether typed letters go to the filter.
    is_editing: bool,
}

impl FilterInput {
    /// Returns whether typed letters go to the filter instead of running commands.
    pub fn is_editing(&self) -> bool {
        self.is_editing
    }

    /// Returns the text field while it is being edited.
    pub fn input(&self) -> Option<&Input> {
        self.is_editing.then_some(&self.input)
    }

    /// Returns the same text field for editing.
    pub fn input_mut(&mut self) -> Option<&mut Input> {
        self.is_editing.then_some(&mut self.input)
    }

    /// Returns the filter's text.
    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// Runs a command of the filter: `Enter` keeps the text, `Esc` clears it. Returns false for any other command.
    pub fn run(&mut self, command: Command) -> bool {
        match command {
            Command::Filter => self.is_editing = true,
            Command::OverlayRun if self.is_editing => self.is_editing = false,
            Command::OverlayClose if self.is_editing || !self.value().is_empty() => *self = FilterInput::default(),
            _ => return false,
        }
        true
    }

    /// Returns the indices of the matching texts, best match first; all of them for an empty filter.
    pub fn matching(&self, texts: &[String]) -> Vec<usize> {
        fuzzy::matching(self.value(), texts.iter().map(String::as_str))
    }

    /// Returns the part of a window's area below the filter.
    pub fn below(&self, room: Rect) -> Rect {
        if self.is_editing || !self.value().is_empty() { window::below_field(room) } else { room }
    }

    /// Draws the filter if there is one, and removes its row from `room`.
    pub fn draw(&self, canvas: &mut Canvas<'_>, room: &mut Rect) {
        if self.is_editing {
            window::field(canvas, room, &self.input);
        } else if !self.value().is_empty() {
            let label = format!(" / {}", safe(self.value()));
            let label = text::fit(&label, room.width as usize, canvas.model.appearance.glyphs.ellipsis).into_owned();
            let line = Line::from(canvas.span(Slot::Dim, label));
            canvas.line(*room, &line);
            *room = window::below_field(*room);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_stays_within_the_list() {
        let mut selection = Selection::default();
        let mut after = |commands: &[Command], len| {
            assert!(commands.iter().all(|command| selection.apply(*command, len)));
            selection.row()
        };
        assert_eq!(after(&[Command::OverlayPageDown, Command::OverlayDown], 15), 11);
        assert_eq!(after(&[Command::OverlayBottom], 15), 14);
        assert_eq!(after(&[Command::OverlayTop, Command::OverlayPageDown, Command::OverlayDown], 15), 11);
        assert_eq!(after(&[Command::OverlayPageDown], 15), 14);
        assert_eq!(after(&[Command::OverlayUp], 3), 2);
        assert_eq!(after(&[Command::OverlayPageUp, Command::OverlayUp], 3), 0);
        assert_eq!(after(&[Command::OverlayDown], 0), 0);
        assert!(!selection.apply(Command::Down, 3));
        assert_eq!(selection.get::<u8>(&[]), None);
    }
}
