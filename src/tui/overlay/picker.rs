//! The picker of files to rank, or of the revision since which changes are ranked.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, ranking};
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Response};

/// The kind of items to pick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Files,
    Base,
}

/// The picker window.
#[derive(Debug, Clone)]
pub struct Picker {
    kind: Kind,
    input: Input,
    request_number: u64,
    /// The number of the latest request that got its response.
    answered_number: u64,
    /// `None` until the first response arrives.
    response: Option<Answer<Response>>,
    selected: Selection,
    /// Picked files.
    picked: Vec<String>,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 24;
const MIN_ROWS: u16 = 8;
/// Rows of the border and the text field.
const FRAME_ROWS: u16 = 3;

/// Opens the picker; files that are already ranked are picked.
pub fn open(model: &mut Model, kind: Kind, effects: &mut Vec<Effect>) {
    let picked = match (&model.task.entry_point, kind) {
        (EntryPoint::Files(files), Kind::Files) => files.clone(),
        _ => Vec::new(),
    };
    let request_number = ask(model, topic(kind, ""), effects);
    let input = Input::default();
    model.overlays.push(Overlay::Picker(Picker {
        kind,
        input,
        request_number,
        answered_number: 0,
        response: None,
        selected: Selection::default(),
        picked,
    }));
}

fn topic(kind: Kind, needle: &str) -> Topic {
    match kind {
        Kind::Files => Topic::Files { needle: needle.to_owned() },
        Kind::Base => Topic::Bases,
    }
}

impl Window for Picker {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Picker]
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn input_changed(&mut self, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) {
        self.selected.select_first();
        if self.kind != Kind::Base {
            self.request_number = ask(model, topic(self.kind, self.input.value().trim()), effects);
        }
    }

    fn refresh(&mut self, model: &mut Model, effects: &mut Vec<Effect>) {
        // Branches do not depend on the index, and superseding a running search on every parsed file would starve it.
        if self.kind == Kind::Base || self.request_number != self.answered_number {
            return;
        }
        self.request_number = ask(model, topic(self.kind, self.input.value().trim()), effects);
    }

    fn on_response(&mut self, number: u64, response: &Answer<Response>) {
        if number == self.request_number {
            self.answered_number = number;
            self.response = Some(response.clone());
            self.selected.clamp(self.len());
        }
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        if self.selected.apply(command, self.len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose => EventResult::Close,
            Command::PickMore => {
                self.toggle_picked();
                EventResult::Consumed
            }
            Command::OverlayRun => self.accept(model, now, effects),
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "rank"
    }

    fn area(&self, model: &Model) -> Rect {
        // The list of revisions is complete from the start; the height of a list of files would change while typing.
        let rows = match self.kind {
            Kind::Base => (FRAME_ROWS + self.len() as u16).clamp(MIN_ROWS, ROWS),
            Kind::Files => ROWS,
        };
        window::middle(model.size, COLUMNS, rows)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let dot = canvas.model.appearance.glyphs.dot;
        let pick_hint = format!("Tab picks {dot} Enter ranks");
        let (title, hint) = match self.kind {
            Kind::Files if self.picked.is_empty() => ("pick files".to_owned(), pick_hint),
            Kind::Files => {
                let count = text::count(self.picked.len(), "file");
                (format!("pick files {dot} {count} picked"), pick_hint)
            }
            Kind::Base => ("rank changes since".to_owned(), "HEAD = uncommitted changes; type any revision".to_owned()),
        };
        let mut inner = window::open(canvas, self.area(canvas.model), &title, &hint);
        window::field(canvas, &mut inner, &self.input);
        let message = match &self.response {
            None => Some("searching".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) if self.len() == 0 => Some(self.no_match()),
            Some(Ok(_)) => None,
        };
        if let Some(message) = message {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {message}")));
            canvas.line(inner, &line);
            return;
        }
        let width = (inner.width as usize).saturating_sub(1);
        let names = self.names();
        window::list(canvas, inner, self.selected.row(), names.len(), |canvas, row| {
            let name = &names[row];
            let glyphs = &canvas.model.appearance.glyphs;
            let mark = if self.picked.contains(name) { glyphs.done } else { " " };
            let name = text::fit_end(&safe(name), width.saturating_sub(3), glyphs.ellipsis).into_owned();
            Line::from(vec![canvas.span(Slot::Positive, format!("{mark} ")), canvas.span(Slot::Text, name)])
        });
    }
}

impl Picker {
    fn no_match(&self) -> String {
        match (self.kind, self.input.value().trim()) {
            (Kind::Base, revision) if !revision.is_empty() => format!("Enter: changes since \"{}\"", safe(revision)),
            _ => "No match.".to_owned(),
        }
    }

    /// Returns the files of the response, or the revisions that contain the text.
    fn names(&self) -> Vec<String> {
        match &self.response {
            Some(Ok(Response::Files(files))) => files.clone(),
            Some(Ok(Response::Bases(bases))) => {
                let needle = self.input.value().trim().to_lowercase();
                bases.iter().filter(|base| base.to_lowercase().contains(&needle)).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.names().len()
    }

    fn toggle_picked(&mut self) {
        if self.kind != Kind::Files {
            return;
        }
        let Some(name) = self.names().get(self.selected.row()).cloned() else { return };
        match self.picked.iter().position(|picked| *picked == name) {
            Some(index) => drop(self.picked.remove(index)),
            None => self.picked.push(name),
        }
        self.selected.apply(Command::OverlayDown, self.len());
    }

    fn accept(&mut self, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let name = self.names().get(self.selected.row()).cloned();
        let entry = match self.kind {
            Kind::Files => {
                if self.picked.is_empty() {
                    self.picked.extend(name);
                }
                EntryPoint::Files(self.picked.clone())
            }
            // A tag or a commit is not listed but can be typed.
            Kind::Base => EntryPoint::Changes(name.unwrap_or_else(|| self.input.value().trim().to_owned())),
        };
        if matches!(&entry, EntryPoint::Files(files) if files.is_empty()) {
            return EventResult::Consumed;
        }
        let input = model.task.input.clone();
        model.task.replace(entry, input);
        model.focus = Focus::Pane(crate::tui::panes::pack::ID);
        ranking::rerank(model, now, effects);
        EventResult::Close
    }
}
