//! The list: the ranked symbols with filter, facets and orders, and the cut line while a pack is made.

mod arrangement;
pub mod columns;
mod delta;
mod empty;
mod file_label;
pub mod fold;
mod list;
#[cfg(test)]
mod tests;
mod view;

use std::time::Instant;

use ratatui::layout::{Position, Rect};

pub use arrangement::{Arrangement, Facet, Sort};
pub use delta::Delta;
use fold::Fold;
pub use list::{DisplayLine, PackList, Stage};
pub use view::{score, status};

use super::{Pane, PaneId, source};
use crate::model::Symbol;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{CommandSpec, Context, without_definition, without_symbol};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::overlay;
use crate::tui::update::{navigation, task};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("list");

/// The command that selects the last packed symbol.
pub const GO_CUT: &str = "pack.cut";
const OPEN: &str = "go.open";
const DOCUMENTS: &str = "list.documents";

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.list", "the list", "", &[(Context::Normal, "2")]),
    CommandSpec::pane(OPEN, "go to the source, or ask about this choice", "read", &[(Context::Pane(ID), "Enter")])
        .does(open)
        .unless(without_symbol)
        .jumps(),
    CommandSpec::pane(GO_CUT, "where the tokens for agents end", "", &[(Context::Normal, "g c")])
        .does(|model, _, _| go_to_cut(model))
        .unless(without_cut)
        .jumps(),
    CommandSpec::pane("list.functions", "functions only", "", &[(Context::Normal, "f f")])
        .does(|model, _, _| toggle_facet(model, Facet::Functions))
        .unless(without_rows),
    CommandSpec::pane("list.types", "types only", "", &[(Context::Normal, "f t")])
        .does(|model, _, _| toggle_facet(model, Facet::Types))
        .unless(without_rows),
    CommandSpec::pane("list.modules", "modules only", "", &[(Context::Normal, "f m")])
        .does(|model, _, _| toggle_facet(model, Facet::Modules))
        .unless(without_rows),
    CommandSpec::pane("list.tests", "tests only", "", &[(Context::Normal, "f x")])
        .does(|model, _, _| toggle_facet(model, Facet::Tests))
        .unless(without_rows),
    CommandSpec::pane("list.no-tests", "without tests", "", &[(Context::Normal, "f n")])
        .does(|model, _, _| toggle_facet(model, Facet::NoTests))
        .unless(without_rows),
    CommandSpec::pane("list.everything", "clear filter and facets", "", &[(Context::Normal, "f c")])
        .does(|model, _, _| show_everything(model))
        .unless(without_rows),
    CommandSpec::pane("list.sort", "sort by rank, name, location, tokens", "", &[(Context::Normal, "s")])
        .does(|model, _, _| rearrange(model, |arrangement| arrangement.sort = arrangement.sort.next()))
        .unless(without_rows),
    CommandSpec::pane("list.reverse", "reverse the order", "", &[(Context::Normal, "S")])
        .does(|model, _, _| rearrange(model, |arrangement| arrangement.reversed = !arrangement.reversed))
        .unless(without_rows),
    CommandSpec::pane("list.packed", "only what agents get, or all", "", &[(Context::Normal, "f p")])
        .does(|model, _, _| toggle_packed(model))
        .unless(without_rows),
    CommandSpec::pane("list.files", "group by file, or not", "", &[(Context::Normal, "z g")])
        .does(|model, _, _| rearrange(model, |arrangement| arrangement.by_file = !arrangement.by_file))
        .unless(without_rows),
    CommandSpec::pane("list.mark", "mark this row for + - Space x e yl", "", &[(Context::Pane(ID), "Tab")])
        .does(|model, _, _| mark(model))
        .unless(without_definition),
    CommandSpec::pane(DOCUMENTS, "documents that answer the task", "", &[(Context::Normal, "z d")])
        .does(|model, _, _| show_documents(model))
        .unless(|model| without_rows(model).filter(|_| !model.panes.pack.folds.has_documents())),
];

fn without_rows(model: &Model) -> Option<&'static str> {
    model.panes.pack.symbols.is_empty().then_some("the list is empty")
}

fn without_cut(model: &Model) -> Option<&'static str> {
    let list = &model.panes.pack;
    match (list.packed < list.symbols.len(), list.arrangement.by_file) {
        (true, false) => None,
        (_, true) => Some("the list is grouped by file; zg groups it by rank"),
        (false, _) => Some("nothing is left out of the pack"),
    }
}

/// The ranked list.
pub struct PackPane;

/// Goes to the source of the symbol under the cursor, or asks about a choice.
fn open(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    match model.panes.pack.choice().cloned() {
        Some(task) => task::replace(model, &task, now, effects),
        None => navigation::focus_pane(model, source::ID),
    }
}

/// Goes to the last symbol that agents get.
fn go_to_cut(model: &mut Model) {
    navigation::focus_pane(model, ID);
    make_pack(model);
    model.panes.pack.select_cut();
}

/// Clears filter and facets; order and grouping stay.
fn show_everything(model: &mut Model) {
    rearrange(model, |arrangement| {
        let Arrangement { sort, reversed, by_file, is_packing, .. } = *arrangement;
        *arrangement = Arrangement { sort, reversed, by_file, is_packing, ..Default::default() };
    });
}

/// Shows only what agents get, or all.
fn toggle_packed(model: &mut Model) {
    make_pack(model);
    rearrange(model, |arrangement| arrangement.only_packed = !arrangement.only_packed);
}

/// Unfolds the documents that answer the task, or folds them.
fn show_documents(model: &mut Model) {
    navigation::focus_pane(model, ID);
    fold::toggle(model, Fold::Documents);
}

impl Pane for PackPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn fold(&self, model: &mut Model, _effects: &mut Vec<Effect>) -> bool {
        fold::toggle(model, Fold::Also);
        true
    }

    fn hints(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("go.previous", "back"),
            (OPEN, "read"),
            (source::EDITOR, "edit"),
            ("copy.location", "copy"),
            ("feedback.up", "useful"),
            ("pane.why", "why"),
            ("go.users", "users"),
            ("task.new", "new task"),
            ("task.edit", "task"),
            ("trail.keep", "keep"),
        ]
    }

    /// Keeps the selection visible above the windows at the foot of the screen.
    fn follow(&self, model: &mut Model, effects: &mut Vec<Effect>) {
        fold::follow(model, effects);
        let rows = model.areas().content(ID);
        let (rows, _) = model.panes.pack.folds.split(rows);
        let free =
            model.size.height.saturating_sub(overlay::covered_rows(model)).saturating_sub(rows.y).min(rows.height);
        if free > 0 {
            model.panes.pack.settle(free as usize);
        }
    }

    fn answered(&self, model: &mut Model, number: u64, response: &Answer<Response>) {
        fold::answered(model, number, response);
    }

    fn retain_symbols(&self, model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        model.panes.pack.folds.beside.also.retain_mut(|one| keep(&mut one.symbol));
    }

    fn scroll(&self, model: &mut Model, by: isize) {
        if !fold::scroll(model, by) {
            navigation::return_to_list(model);
            model.panes.pack.step(by);
        }
    }

    fn click(&self, model: &mut Model, position: Position, area: Rect) {
        let (list, fold) = model.panes.pack.folds.split(area);
        if position.y >= list.bottom() {
            return fold::click(model, position, fold);
        }
        model.panes.pack.folds.row = None;
        let line = model.panes.pack.offset + (position.y - area.y) as usize;
        if let Some(DisplayLine::Symbol(index)) = model.panes.pack.display(line) {
            navigation::return_to_list(model);
            model.panes.pack.select(index);
        }
    }

    /// Closes the fold, else clears the marks, else the filter and the facet, else what a pack shows.
    fn clear(&self, model: &mut Model) -> bool {
        if fold::close(model) {
            return true;
        }
        if !model.panes.pack.marked.is_empty() {
            model.panes.pack.marked.clear();
            return true;
        }
        let arrangement = &model.panes.pack.arrangement;
        let (is_filtered, is_packing) = (arrangement.is_filtered(), arrangement.is_packing);
        rearrange(model, |arrangement| match is_filtered {
            true => (arrangement.filter, arrangement.facet, arrangement.only_packed) = Default::default(),
            false => arrangement.is_packing = false,
        });
        is_filtered || is_packing
    }

    fn filter<'model>(&self, model: &'model Model) -> Option<&'model str> {
        Some(&model.panes.pack.arrangement.filter)
    }

    fn set_filter(&self, model: &mut Model, text: String) {
        // What passes is in the list, and the first of it is highlighted.
        model.panes.pack.folds.row = None;
        rearrange(model, |arrangement| arrangement.filter = text);
    }

    fn filter_counts(&self, model: &Model) -> (usize, usize) {
        (model.panes.pack.shown.len(), model.panes.pack.symbols.len())
    }

    fn status(&self, model: &Model) -> String {
        view::status(model)
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        view::draw(canvas, area);
    }
}

/// Shows what is packed: tokens, meter and cut line, until Esc in the list.
pub fn make_pack(model: &mut Model) {
    rearrange(model, |arrangement| arrangement.is_packing = true);
}

/// Marks the selected row or removes its mark, and shows which keys act on marked rows.
fn mark(model: &mut Model) {
    if model.panes.pack.folds.row.is_some() {
        return model.show_message("only ranked symbols are marked");
    }
    model.panes.pack.toggle_mark();
    let dot = model.appearance.glyphs.dot;
    match model.panes.pack.marked.len() {
        0 => model.show_message("no row is marked"),
        count => model.show_message(format!("{count} marked {dot} + - Space x e yl act on all {dot} Esc clears")),
    }
}

/// Lists one kind of symbols; the same kind again lists all.
fn toggle_facet(model: &mut Model, facet: Facet) {
    rearrange(model, |arrangement| {
        arrangement.facet = if arrangement.facet == facet { Facet::All } else { facet };
    });
}

fn rearrange(model: &mut Model, change: impl FnOnce(&mut Arrangement)) {
    change(&mut model.panes.pack.arrangement);
    model.panes.pack.arrange();
}
