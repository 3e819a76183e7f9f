//! The named packs of the repository, with a fuzzy filter.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::session::SavedTask;
use crate::tui::theme::Slot;
use crate::tui::update::session;
use crate::tui::view::{Canvas, text, window};

/// The window of named packs.
#[derive(Debug, Clone, Default)]
pub struct Packs {
    filter: Input,
    selected: Selection,
}

const COLUMNS: u16 = 90;
const ROWS: u16 = 16;
/// Columns of a name.
const NAME_COLUMNS: usize = 24;

/// Opens the window.
pub fn open(model: &mut Model) {
    model.overlays.push(Overlay::Packs(Packs::default()));
}

impl Packs {
    fn matching(&self, model: &Model) -> Vec<String> {
        let names: Vec<&String> = model.named_packs.keys().collect();
        let found = fuzzy::matching(self.filter.value(), names.iter().map(|name| name.as_str()));
        found.into_iter().map(|index| names[index].clone()).collect()
    }
}

impl Window for Packs {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.filter)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.filter)
    }

    fn enter_label(&self) -> &'static str {
        "open"
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.select_first();
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let names = self.matching(model);
        if self.selected.apply(command, names.len()) {
            return EventResult::Consumed;
        }
        match (command, names.get(self.selected.row())) {
            (Command::OverlayClose, _) => EventResult::Close,
            (Command::OverlayRun, Some(name)) => {
                session::open_pack(model, name, now, effects);
                EventResult::Close
            }
            (Command::OverlayRun, None) => EventResult::Consumed,
            _ => EventResult::Ignored,
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
        let model = canvas.model;
        let glyphs = &model.appearance.glyphs;
        let names = self.matching(model);
        let title = format!("named packs {} {}", glyphs.dot, names.len());
        let mut inner = window::open(canvas, self.area(model), &title, "Enter opens, Esc closes");
        window::field(canvas, &mut inner, &self.filter);
        if model.named_packs.is_empty() {
            let line = Line::from(canvas.span(Slot::Dim, " No named packs yet; `:pack.save NAME` saves one."));
            canvas.line(inner, &line);
        }
        window::list(canvas, inner, self.selected.row(), names.len(), |canvas, row| {
            let name = &names[row];
            let shown = text::fit(&safe(name), NAME_COLUMNS, glyphs.ellipsis).into_owned();
            let of = canvas.model.named_packs.get(name).map(|pack| describe(pack, glyphs.newline)).unwrap_or_default();
            Line::from(vec![
                canvas.span(Slot::Name, text::pad(&shown, NAME_COLUMNS + 1)),
                canvas.span(Slot::Dim, safe(&of).into_owned()),
            ])
        });
    }
}

/// Returns pins and task of a pack in one line.
fn describe(pack: &SavedTask, newline: &str) -> String {
    let task = match (&pack.since, pack.files.as_slice()) {
        (Some(base), _) => format!("changes since {base}"),
        (None, []) => pack.task.replace('\n', newline),
        (None, files) => format!("files: {}", files.join(", ")),
    };
    match pack.pinned.len() {
        0 => task,
        pins => format!("{task} ({} pinned)", pins),
    }
}
