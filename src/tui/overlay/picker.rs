//! The other two ways in: changed files or a branch, by the letters of their names.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Overlay, Selection};
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, ranking};
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Finding};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Files,
    Base,
}

/// The window of files or branches.
#[derive(Debug, Clone)]
pub struct Picker {
    kind: Kind,
    input: Input,
    asked: u64,
    /// The number of the last question that was answered.
    answered: u64,
    /// None until the first answer has come; later ones replace it when they come.
    found: Option<Answer<Finding>>,
    selected: Selection,
    /// Files picked so far.
    picked: Vec<String>,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 24;
const LEAST_ROWS: u16 = 8;
/// Rows of the border and of the text field.
const FRAME_ROWS: u16 = 3;

/// Opens the window; files that are ranked already are picked.
pub fn open(model: &mut Model, kind: Kind, effects: &mut Vec<Effect>) {
    let picked = match (&model.task.entry_point, kind) {
        (EntryPoint::Files(files), Kind::Files) => files.clone(),
        _ => Vec::new(),
    };
    let asked = ask(model, topic(kind, ""), effects);
    let input = Input::default();
    model.overlays.push(Overlay::Picker(Picker {
        kind,
        input,
        asked,
        answered: 0,
        found: None,
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

impl Layer for Picker {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Picker]
    }

    fn field_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn field(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn changed(&mut self, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) {
        self.selected.reset();
        if self.kind != Kind::Base {
            self.asked = ask(model, topic(self.kind, self.input.value().trim()), effects);
        }
    }

    fn renew(&mut self, model: &mut Model, effects: &mut Vec<Effect>) {
        // Branches are the same whatever is indexed, and a search that takes longer than the next file must be heard.
        if self.kind == Kind::Base || self.asked != self.answered {
            return;
        }
        self.asked = ask(model, topic(self.kind, self.input.value().trim()), effects);
    }

    fn found(&mut self, number: u64, finding: &Answer<Finding>) {
        if number == self.asked {
            self.answered = number;
            self.found = Some(finding.clone());
            self.selected.keep_within(self.len());
        }
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> Flow {
        if self.selected.moves(command, self.len()) {
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose => Flow::Close,
            Command::PickMore => {
                self.pick();
                Flow::Stay
            }
            Command::OverlayRun => self.take(model, now, effects),
            _ => Flow::Pass,
        }
    }

    fn area(&self, model: &Model) -> Rect {
        // The list of bases is whole from the start; that of files would jump as one types.
        let rows = match self.kind {
            Kind::Base => (FRAME_ROWS + self.len() as u16).clamp(LEAST_ROWS, ROWS),
            Kind::Files => ROWS,
        };
        window::middle(model.size, COLUMNS, rows)
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.len(), place);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let dot = canvas.model.skin.glyphs.dot;
        let (title, hint) = match self.kind {
            Kind::Files if self.picked.is_empty() => {
                ("changed files".to_owned(), format!("Tab picks {dot} Enter ranks"))
            }
            Kind::Files => {
                let count = text::count(self.picked.len(), "file");
                (format!("changed files {dot} {count} picked"), format!("Tab picks {dot} Enter ranks"))
            }
            Kind::Base => ("what changed since".to_owned(), "HEAD: not yet committed".to_owned()),
        };
        let mut inner = window::open(canvas, self.area(canvas.model), &title, &hint);
        window::field(canvas, &mut inner, &self.input);
        let words = match &self.found {
            None => Some("looking".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) if self.len() == 0 => Some("Nothing has these letters in its name.".to_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(words) = words {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
            return;
        }
        let width = (inner.width as usize).saturating_sub(1);
        let names = self.names();
        window::list(canvas, inner, self.selected.row(), names.len(), |canvas, row| {
            let name = &names[row];
            let glyphs = &canvas.model.skin.glyphs;
            let mark = if self.picked.contains(name) { glyphs.done } else { " " };
            let name = text::fit_end(&safe(name), width.saturating_sub(3), glyphs.ellipsis).into_owned();
            Line::from(vec![canvas.span(Slot::Positive, format!("{mark} ")), canvas.span(Slot::Text, name)])
        });
    }
}

impl Picker {
    /// Files as they were found; branches that have the letters.
    fn names(&self) -> Vec<String> {
        match &self.found {
            Some(Ok(Finding::Files(files))) => files.clone(),
            Some(Ok(Finding::Bases(bases))) => {
                let needle = self.input.value().trim().to_lowercase();
                bases.iter().filter(|base| base.to_lowercase().contains(&needle)).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.names().len()
    }

    fn pick(&mut self) {
        if self.kind != Kind::Files {
            return;
        }
        let Some(name) = self.names().get(self.selected.row()).cloned() else { return };
        match self.picked.iter().position(|picked| *picked == name) {
            Some(place) => drop(self.picked.remove(place)),
            None => self.picked.push(name),
        }
        self.selected.moves(Command::OverlayDown, self.len());
    }

    fn take(&mut self, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> Flow {
        let name = self.names().get(self.selected.row()).cloned();
        let entry = match self.kind {
            Kind::Files => {
                if self.picked.is_empty() {
                    self.picked.extend(name);
                }
                EntryPoint::Files(self.picked.clone())
            }
            // A tag or a commit is in no list, but can be typed.
            Kind::Base => EntryPoint::Changes(name.unwrap_or_else(|| self.input.value().trim().to_owned())),
        };
        if matches!(&entry, EntryPoint::Files(files) if files.is_empty()) {
            return Flow::Stay;
        }
        let input = model.task.input.clone();
        model.task.replace(entry, input);
        model.focus = Focus::Pane(crate::tui::panes::pack::ID);
        ranking::rerank(model, now, effects);
        Flow::Close
    }
}
