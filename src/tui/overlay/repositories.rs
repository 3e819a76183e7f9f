//! The repositories that the explorer shows: their shares of the answer, and where their indexes came from.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::{safe, thousands};
use crate::tui::backend::{Answer, RepositoryStatus, Response};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::model::ago;
use crate::tui::theme::Slot;
use crate::tui::update::ask;
use crate::tui::view::{Canvas, text, window};

/// The window of repositories.
#[derive(Debug, Clone, Default)]
pub struct Repositories {
    /// The number of its request.
    request_number: u64,
    /// `None` until the response arrives.
    response: Option<Answer<Vec<RepositoryStatus>>>,
    selected: Selection,
}

const COLUMNS: u16 = 100;
/// Rows beside those of the repositories: border and the lines about the selected one.
const MORE_ROWS: u16 = 2 + DETAILS;
/// Lines about the selected repository.
const DETAILS: u16 = 4;
const MAX_ROWS: u16 = 30;
/// Letters of a commit.
const COMMIT_LETTERS: usize = 10;

/// Opens the window.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let request_number = ask(model, Topic::Repositories, effects);
    model.overlays.push(Overlay::Repositories(Repositories { request_number, ..Repositories::default() }));
}

impl Repositories {
    fn rows(&self) -> &[RepositoryStatus] {
        match &self.response {
            Some(Ok(rows)) => rows,
            _ => &[],
        }
    }
}

impl Window for Repositories {
    fn refresh(&mut self, model: &mut Model, effects: &mut Vec<Effect>) {
        self.request_number = ask(model, Topic::Repositories, effects);
    }

    fn run(&mut self, command: Command, _model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        if self.selected.apply(command, self.rows().len()) {
            return EventResult::Consumed;
        }
        match (command, self.selected.get(self.rows())) {
            (Command::OverlayClose | Command::Repositories, _) | (Command::OverlayRun, None) => EventResult::Close,
            (Command::OverlayRun, Some(row)) => {
                effects.push(Effect::Copy { what: "the folder".to_owned(), text: row.root.clone() });
                EventResult::Consumed
            }
            _ => EventResult::Ignored,
        }
    }

    fn on_response(&mut self, number: u64, response: &Answer<Response>) {
        if number != self.request_number {
            return;
        }
        self.response = match response {
            Ok(Response::Repositories(rows)) => Some(Ok(rows.clone())),
            Err(error) => Some(Err(error.clone())),
            Ok(_) => return,
        };
        self.selected.clamp(self.rows().len());
    }

    fn enter_label(&self) -> &'static str {
        "copy folder"
    }

    fn area(&self, model: &Model) -> Rect {
        let rows = (self.rows().len().max(1) as u16).saturating_add(MORE_ROWS);
        window::middle(model.size, COLUMNS, rows.min(MAX_ROWS))
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.click(list_area(window::inside(self.area(model))), self.rows().len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let dot = canvas.model.appearance.glyphs.dot;
        let rows = self.rows();
        let title = match rows.len() {
            0 => "repositories".to_owned(),
            1 => "repository".to_owned(),
            count => format!("repositories {dot} {count}"),
        };
        let inner = window::open(canvas, self.area(canvas.model), &title, "Enter copies the folder, Esc closes");
        let message = match &self.response {
            None => Some("loading".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(message) = message {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {message}")));
            canvas.line(inner, &line);
            return;
        }
        let list = list_area(inner);
        let width = rows.iter().map(|row| text::width(&row.label)).max().unwrap_or(0).min(LABEL_COLUMNS);
        let is_single = rows.len() == 1;
        window::list(canvas, list, self.selected.row(), rows.len(), |canvas, index| {
            row_line(canvas, &rows[index], width, is_single)
        });
        if let Some(row) = self.selected.get(rows) {
            let below = Rect { y: list.bottom(), height: inner.bottom().saturating_sub(list.bottom()), ..inner };
            for (index, line) in details(row).into_iter().enumerate() {
                let shown =
                    text::fit(&line, inner.width as usize, canvas.model.appearance.glyphs.ellipsis).into_owned();
                let area = Rect { y: below.y + index as u16, height: 1, ..below };
                if area.y < below.bottom() {
                    let line = Line::from(canvas.span(Slot::Dim, shown));
                    canvas.line(area, &line);
                }
            }
        }
    }
}

/// Maximum columns of a label.
const LABEL_COLUMNS: usize = 40;

/// Returns the rows of the list, above the lines about the selected repository.
fn list_area(inner: Rect) -> Rect {
    Rect { height: inner.height.saturating_sub(DETAILS), ..inner }
}

fn row_line(canvas: &Canvas<'_>, row: &RepositoryStatus, width: usize, is_single: bool) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let label = text::fit(&safe(&row.label), width, glyphs.ellipsis).into_owned();
    let share = match is_single {
        true => String::new(),
        false => format!("{:>4}% likely, ", row.probability),
    };
    let answer = format!("{:>4} packed, {:>6} tok", row.packed, thousands(row.tokens));
    let size = format!("   {:>6} files, {:>8} symbols", thousands(row.files), thousands(row.symbols));
    Line::from(vec![
        canvas.span(Slot::Text, format!(" {}  ", text::pad(&label, width))),
        canvas.span(Slot::Number, share),
        canvas.span(Slot::Text, answer),
        canvas.span(Slot::Dim, size),
    ])
}

/// Returns the lines about the selected repository.
fn details(row: &RepositoryStatus) -> Vec<String> {
    let commit = row.commit.get(..COMMIT_LETTERS).unwrap_or(&row.commit);
    let at = if commit.is_empty() { String::new() } else { format!(" at commit {}", safe(commit)) };
    let changed = row.changed.map_or(String::new(), |age| format!(" index last changed {}{at}", ago(age)));
    let origin = match &row.began_from {
        Some((sentence, age)) => format!(" {sentence}, {}", ago(*age)),
        None => " built from the files".to_owned(),
    };
    vec![String::new(), format!(" {} in {}", safe(&row.id), safe(&row.root)), changed, origin]
}
