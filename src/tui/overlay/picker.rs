//! The picker of files to rank, or of the revision since which changes are ranked.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::engine::{Base, changes_of_commit};
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Topic};
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::model::task::{EntryPoint, changes_label};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, task};
use crate::tui::view::{Canvas, text, window};

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
    /// The number of the question for the files with uncommitted changes, and those files.
    dirty_number: u64,
    dirty: Vec<String>,
}

/// A row: the name that is picked, and what is known about it.
#[derive(Debug, Clone, Default)]
struct Item {
    name: String,
    about: String,
    is_dirty: bool,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 24;
const MIN_ROWS: u16 = 8;
/// Rows of the border and the text field.
const FRAME_ROWS: u16 = 3;
/// Columns of a name beside a description.
const MIN_NAME: usize = 28;

/// Opens the picker; files that are already ranked are picked.
pub fn open(model: &mut Model, kind: Kind, effects: &mut Vec<Effect>) {
    let picked = match (&model.task.entry_point, kind) {
        (EntryPoint::Files(files), Kind::Files) => files.clone(),
        _ => Vec::new(),
    };
    let dirty_number = if kind == Kind::Files { ask(model, Topic::DirtyFiles, effects) } else { 0 };
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
        dirty_number,
        dirty: Vec::new(),
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
        // Without git no file is dirty.
        if let (true, Ok(Response::DirtyFiles(dirty))) = (number == self.dirty_number, response) {
            self.dirty.clone_from(dirty);
        }
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
            Command::PickMore if self.kind == Kind::Base => self.accept(true, model, now, effects),
            Command::PickMore => {
                self.toggle_picked();
                EventResult::Consumed
            }
            Command::OverlayRun => self.accept(false, model, now, effects),
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
            Kind::Base => {
                let hint =
                    format!("Enter since then {dot} Tab that commit alone {dot} or type a revision, a range a..b");
                ("review changes".to_owned(), hint)
            }
        };
        let mut inner = window::open(canvas, self.area(canvas.model), &title, &hint);
        window::field(canvas, &mut inner, &self.input);
        let message = match &self.response {
            None => Some("searching".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) if self.len() == 0 => Some("No match.".to_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(message) = message {
            for (row, line) in text::wrap(&message, (inner.width as usize).saturating_sub(2)).into_iter().enumerate() {
                let line = Line::from(canvas.span(Slot::Dim, format!(" {line}")));
                canvas.line(Canvas::row(inner, row), &line);
            }
            return;
        }
        let width = (inner.width as usize).saturating_sub(1);
        let items = self.items();
        window::list(canvas, inner, self.selected.row(), items.len(), |canvas, row| {
            self.row(canvas, &items[row], width)
        });
    }
}

impl Picker {
    fn row(&self, canvas: &Canvas<'_>, item: &Item, width: usize) -> Line<'static> {
        let glyphs = &canvas.model.appearance.glyphs;
        let mark = if self.picked.contains(&item.name) { glyphs.done } else { " " };
        let about = if item.is_dirty { "uncommitted" } else { &item.about };
        let name = text::fit_end(&safe(&item.name), width.saturating_sub(3), glyphs.ellipsis).into_owned();
        let name = if about.is_empty() { name } else { text::pad(&name, MIN_NAME.min(width)) };
        let room = width.saturating_sub(4 + text::width(&name));
        let about = text::fit(&safe(about), room, glyphs.ellipsis).into_owned();
        Line::from(vec![
            canvas.span(Slot::Positive, format!("{mark} ")),
            canvas.span(Slot::Text, name),
            canvas.span(if item.is_dirty { Slot::Info } else { Slot::Dim }, format!("  {about}")),
        ])
    }

    /// Returns the files of the response, dirty ones first, or the revisions that contain the text, and the text
    /// itself.
    fn items(&self) -> Vec<Item> {
        let typed = self.input.value().trim();
        match &self.response {
            Some(Ok(Response::Files(files))) => {
                let matching = fuzzy::matching(typed, self.dirty.iter().map(String::as_str));
                let dirty = matching.into_iter().map(|index| Item {
                    name: self.dirty[index].clone(),
                    is_dirty: true,
                    ..Item::default()
                });
                let others = files.iter().filter(|file| !self.dirty.contains(file));
                dirty.chain(others.map(|file| Item { name: file.clone(), ..Item::default() })).collect()
            }
            Some(Ok(Response::Bases(bases))) => {
                let needle = typed.to_lowercase();
                let is_shown = |base: &&Base| {
                    base.name.to_lowercase().contains(&needle) || base.subject.to_lowercase().contains(&needle)
                };
                let about = |base: &Base| match base.name.as_str() {
                    "HEAD" => "uncommitted changes".to_owned(),
                    _ => base.subject.clone(),
                };
                let shown = bases.iter().filter(is_shown);
                let mut items: Vec<Item> =
                    shown.map(|base| Item { name: base.name.clone(), about: about(base), ..Item::default() }).collect();
                // A revision that is typed in full comes first.
                items.sort_by_key(|item| item.name != typed);
                // A tag or another commit is not listed.
                if !typed.is_empty() && items.iter().all(|item| item.name != typed) {
                    let about = format!("Enter: {}", changes_label(typed));
                    items.push(Item { name: typed.to_owned(), about, ..Item::default() });
                }
                items
            }
            _ => Vec::new(),
        }
    }

    /// Returns the names of the rows.
    fn names(&self) -> Vec<String> {
        self.items().into_iter().map(|item| item.name).collect()
    }

    fn len(&self) -> usize {
        self.names().len()
    }

    fn toggle_picked(&mut self) {
        let Some(name) = self.names().get(self.selected.row()).cloned() else { return };
        match self.picked.iter().position(|picked| *picked == name) {
            Some(index) => drop(self.picked.remove(index)),
            None => self.picked.push(name),
        }
        self.selected.apply(Command::OverlayDown, self.len());
    }

    /// Ranks for what is picked; of a revision for the changes of its commit alone if `is_alone`.
    fn accept(&mut self, is_alone: bool, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let name = self.names().get(self.selected.row()).cloned();
        let entry = match self.kind {
            Kind::Files => {
                if self.picked.is_empty() {
                    self.picked.extend(name);
                }
                EntryPoint::Files(self.picked.clone())
            }
            Kind::Base => match name {
                // A range, or a commit that is typed like this, has its extent already.
                Some(name) if is_alone && !name.contains("..") && !name.ends_with("^!") => {
                    EntryPoint::Changes(changes_of_commit(&name))
                }
                Some(name) => EntryPoint::Changes(name),
                None => return EventResult::Consumed,
            },
        };
        if matches!(&entry, EntryPoint::Files(files) if files.is_empty()) {
            return EventResult::Consumed;
        }
        let input = model.task.input.clone();
        model.changes.is_picked = matches!(entry, EntryPoint::Changes(_));
        task::begin(model, entry, input, now, effects);
        EventResult::Close
    }
}
