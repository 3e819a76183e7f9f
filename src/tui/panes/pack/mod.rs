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
use crate::tui::command::{Command, CommandSpec, Context, without_definition, without_symbol};
use crate::tui::effect::Effect;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay;
use crate::tui::update::{navigation, task};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("list");

/// The command that selects the last packed symbol.
pub const GO_CUT: &str = "pack.cut";
const OPEN: &str = "go.open";
const FUNCTIONS: &str = "list.functions";
const TYPES: &str = "list.types";
const MODULES: &str = "list.modules";
const TESTS: &str = "list.tests";
const NO_TESTS: &str = "list.no-tests";
const EVERYTHING: &str = "list.everything";
const SORT: &str = "list.sort";
const REVERSE: &str = "list.reverse";
const ONLY_PACKED: &str = "list.packed";
const BY_FILE: &str = "list.files";
const MARK: &str = "list.mark";
const DOCUMENTS: &str = "list.documents";

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.list", "the list", "", &[(Context::Normal, "2")]),
    CommandSpec::pane(OPEN, "go to the source, or ask about a choice", "read", &[(Context::Pane(ID), "Enter")])
        .unless(without_symbol)
        .jumps(),
    CommandSpec::pane(GO_CUT, "where the tokens for agents end", "", &[(Context::Normal, "g c")])
        .unless(without_cut)
        .jumps(),
    CommandSpec::pane(FUNCTIONS, "functions only", "", &[(Context::Normal, "f f")]).unless(without_rows),
    CommandSpec::pane(TYPES, "types only", "", &[(Context::Normal, "f t")]).unless(without_rows),
    CommandSpec::pane(MODULES, "modules only", "", &[(Context::Normal, "f m")]).unless(without_rows),
    CommandSpec::pane(TESTS, "tests only", "", &[(Context::Normal, "f x")]).unless(without_rows),
    CommandSpec::pane(NO_TESTS, "without tests", "", &[(Context::Normal, "f n")]).unless(without_rows),
    CommandSpec::pane(EVERYTHING, "clear filter and facets", "", &[(Context::Normal, "f c")]).unless(without_rows),
    CommandSpec::pane(SORT, "sort by rank, name, location, tokens", "", &[(Context::Normal, "s")]).unless(without_rows),
    CommandSpec::pane(REVERSE, "reverse the order", "", &[(Context::Normal, "S")]).unless(without_rows),
    CommandSpec::pane(ONLY_PACKED, "only what agents get, or all", "", &[(Context::Normal, "f p")])
        .unless(without_rows),
    CommandSpec::pane(BY_FILE, "group by file, or not", "", &[(Context::Normal, "z g")]).unless(without_rows),
    CommandSpec::pane(MARK, "mark this row for + - Space x e yl", "", &[(Context::Pane(ID), "Tab")])
        .unless(without_definition),
    CommandSpec::pane(DOCUMENTS, "documents that answer the task", "", &[(Context::Normal, "z d")])
        .unless(without_rows),
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

impl Pane for PackPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn run(&self, model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
        let Command::Pane(name) = command else {
            let is_fold = command == Command::Fold && model.focus == Focus::Pane(ID);
            if is_fold {
                fold::toggle(model, Fold::Also);
            }
            return is_fold;
        };
        match name {
            OPEN => match model.panes.pack.choice().cloned() {
                Some(task) => task::replace(model, &task, now, effects),
                None => navigation::focus_pane(model, source::ID),
            },
            GO_CUT => {
                navigation::focus_pane(model, ID);
                make_pack(model);
                model.panes.pack.select_cut();
            }
            FUNCTIONS => toggle_facet(model, Facet::Functions),
            TYPES => toggle_facet(model, Facet::Types),
            MODULES => toggle_facet(model, Facet::Modules),
            TESTS => toggle_facet(model, Facet::Tests),
            NO_TESTS => toggle_facet(model, Facet::NoTests),
            EVERYTHING => rearrange(model, |arrangement| {
                let Arrangement { sort, reversed, by_file, is_packing, .. } = *arrangement;
                *arrangement = Arrangement { sort, reversed, by_file, is_packing, ..Default::default() };
            }),
            SORT => rearrange(model, |arrangement| arrangement.sort = arrangement.sort.next()),
            REVERSE => rearrange(model, |arrangement| arrangement.reversed = !arrangement.reversed),
            ONLY_PACKED => {
                make_pack(model);
                rearrange(model, |arrangement| arrangement.only_packed = !arrangement.only_packed);
            }
            BY_FILE => rearrange(model, |arrangement| arrangement.by_file = !arrangement.by_file),
            MARK => mark(model),
            DOCUMENTS => {
                navigation::focus_pane(model, ID);
                fold::toggle(model, Fold::Documents);
            }
            _ => return false,
        }
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
