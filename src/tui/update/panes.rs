//! Which pane has the keys, moving within it, and the mouse.

use std::time::Instant;

use ratatui::layout::Position;

use super::{pack, runs, source, why};
use crate::tui::columns::Columns;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::pack::DisplayLine;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::{self, Overlay};

/// The commands of all panes.
pub fn run(model: &mut Model, command: Command, _now: Instant, _effects: &mut Vec<Effect>) -> bool {
    let focus = model.focus;
    let page = page_lines(model, focus).max(1) as isize;
    let half = (page / 2).max(1);
    match command {
        Command::PanePack => go_to(model, Focus::Pack),
        Command::PaneSource => go_to(model, Focus::Source),
        Command::PaneWhy => go_to(model, Focus::Why),
        Command::NextPane => go_to(model, focus.turned(1)),
        Command::PreviousPane => go_to(model, focus.turned(-1)),
        Command::Fold if !matches!(focus, Focus::Graph | Focus::Cost) => {
            model.say("the neighborhood and the files of the cost map fold");
        }
        Command::Zoom => model.zoomed = !model.zoomed,
        Command::Back if model.zoomed => model.zoomed = false,
        Command::Back => model.focus = Focus::Pack,
        Command::Down => step(model, focus, 1),
        Command::Up => step(model, focus, -1),
        Command::HalfDown => step(model, focus, half),
        Command::HalfUp => step(model, focus, -half),
        Command::PageDown => step(model, focus, page),
        Command::PageUp => step(model, focus, -page),
        Command::Top => step(model, focus, isize::MIN / 2),
        Command::Bottom => step(model, focus, isize::MAX / 2),
        _ => return false,
    }
    true
}

/// Gives a pane the keys. Whoever leaves the neighborhood for a pane about one symbol means the node under its cursor.
pub fn go_to(model: &mut Model, pane: Focus) {
    if model.focus == Focus::Graph
        && matches!(pane, Focus::Source | Focus::Why)
        && let Some(symbol) = source::subject(model).cloned()
    {
        // Who stands on the root itself leaves no other node behind.
        let root = model.graph.root(source::visited(model)).filter(|root| root.id != symbol.id).cloned();
        if let Some(root) = root {
            model.graph.leave_at(root, symbol.id);
        }
        source::visit(model, symbol);
    }
    model.focus = pane;
}

/// Selects what was clicked; a head of the list's columns sorts by that column.
pub fn click(model: &mut Model, place: Position, now: Instant, effects: &mut Vec<Effect>) {
    if overlay::click(model, place, now, effects) {
        return;
    }
    let areas = model.areas();
    let Some(focus) = areas.pane_at(place) else { return };
    let (heads, list) = areas.list();
    go_to(model, focus);
    // Without symbols the start screen stands where the heads would be.
    if focus == Focus::Pack && heads.contains(place) && !model.pack.symbols.is_empty() {
        let columns = Columns::new(&model.pack, heads.width as usize);
        if let Some(sort) = columns.sort_at((place.x - heads.x) as usize) {
            pack::sort_by(model, sort);
        }
    }
    if focus == Focus::Pack && list.contains(place) {
        let line = model.pack.offset + (place.y - list.y) as usize;
        if let Some(DisplayLine::Symbol(row)) = model.pack.display(line) {
            model.pack.select(row);
        }
    }
    let rows = areas.inner(areas.of(focus));
    if rows.contains(place) {
        let row = (place.y - rows.y) as usize;
        match focus {
            Focus::Runs => runs::select(model, row),
            Focus::Cost => runs::select_cost(model, row),
            Focus::Graph if !model.graph.canvas => model.graph.select_row(model.graph.offset + row),
            _ => {}
        }
    }
}

/// Scrolls what is under the pointer, a window or a pane, whatever has the focus.
pub fn wheel(model: &mut Model, (place, by): (Position, isize), now: Instant, effects: &mut Vec<Effect>) {
    if overlay::covers(model, place) {
        let command = if by > 0 { Command::OverlayDown } else { Command::OverlayUp };
        // Each step through a class brings another file into view.
        let steps = if matches!(model.overlays.last(), Some(Overlay::Concepts(_))) { 1 } else { by.abs() };
        for _ in 0..steps {
            overlay::run(model, command, now, effects);
        }
        return;
    }
    if let Some(pane) = model.areas().pane_at(place) {
        step(model, pane, by);
    }
}

/// Moves by some rows or lines in a pane.
pub fn step(model: &mut Model, pane: Focus, by: isize) {
    match pane {
        Focus::Task | Focus::Pack => model.pack.step(by),
        Focus::Source => {
            let height = page_lines(model, Focus::Source);
            model.source.scroll(by, height);
        }
        Focus::Why => why::step(model, by),
        Focus::Graph => {
            let height = page_lines(model, Focus::Graph);
            model.graph.step(by, height);
        }
        Focus::Runs | Focus::Cost => runs::step(model, pane, by),
    }
}

/// Remembers which of the companions was looked at last.
pub fn settle(model: &mut Model) {
    if model.focus.is_companion() {
        model.companion = model.focus;
    }
}

/// Lines that a pane shows at once.
pub fn page_lines(model: &Model, pane: Focus) -> usize {
    let areas = model.areas();
    let area = match pane {
        Focus::Task | Focus::Pack => areas.list().1,
        _ => areas.inner(areas.of(pane)),
    };
    area.height as usize
}
