//! The named packs of the repository, with a fuzzy filter.

use std::time::Instant;

use ratatui::text::Line;

use super::Overlay;
use super::list::{TextList, Texts};
use crate::text::display::safe;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::session::SavedTask;
use crate::tui::theme::Slot;
use crate::tui::update::settings;
use crate::tui::view::{Canvas, text, window};

/// The window of named packs.
pub type Packs = TextList<PackNames>;

/// The names of the saved packs.
#[derive(Debug, Clone, Default)]
pub struct PackNames;

/// Columns of a name.
const NAME_COLUMNS: usize = 24;

/// Opens the window.
pub fn open(model: &mut Model) {
    model.overlays.push(Overlay::Packs(Packs::default()));
}

impl Texts for PackNames {
    const TITLE: &'static str = "named packs";
    const NOUN: &'static str = "pack";
    const ENTER: &'static str = "open";
    const EMPTY: &'static str = "No named packs yet; `:pack.save NAME` saves one.";

    fn all(&self, model: &Model) -> Vec<String> {
        model.named_packs.keys().cloned().collect()
    }

    fn choose(&self, chosen: &str, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
        settings::open_pack(model, chosen, now, effects);
    }

    fn line(&self, text: &str, filter: &str, canvas: &Canvas<'_>) -> Line<'static> {
        let glyphs = &canvas.model.appearance.glyphs;
        let shown = text::fit(&safe(text), NAME_COLUMNS, glyphs.ellipsis).into_owned();
        let of = canvas.model.named_packs.get(text).map(|pack| describe(pack, glyphs.newline)).unwrap_or_default();
        let mut spans = window::matched(canvas, Slot::Name, &text::pad(&shown, NAME_COLUMNS + 1), filter);
        spans.push(canvas.span(Slot::Dim, safe(&of).into_owned()));
        Line::from(spans)
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
