//! Moving through rows, lines and panes.

use ratatui::layout::Position;

use super::super::command::Command;
use super::super::model::{Focus, Model};
use super::super::rows::DisplayLine;

/// The pane `steps` after this one, in the order of their numbers.
pub fn next_pane(focus: Focus, steps: usize) -> Focus {
    let order = [Focus::Task, Focus::Pack, Focus::Source, Focus::Why];
    let place = order.iter().position(|pane| *pane == focus).unwrap_or(0);
    order[(place + steps) % order.len()]
}

/// Runs a command that moves something in the pane that has the focus.
pub fn run(model: &mut Model, command: Command) {
    let page = page(model, model.focus);
    let half = (page / 2).max(1);
    match command {
        Command::Down => step(model, model.focus, 1),
        Command::Up => step(model, model.focus, -1),
        Command::HalfDown => step(model, model.focus, half),
        Command::HalfUp => step(model, model.focus, -half),
        Command::PageDown => step(model, model.focus, page),
        Command::PageUp => step(model, model.focus, -page),
        Command::Top => step(model, model.focus, isize::MIN / 2),
        Command::Bottom => step(model, model.focus, isize::MAX / 2),
        Command::SourceDown => step(model, Focus::Source, 1),
        Command::SourceUp => step(model, Focus::Source, -1),
        Command::Centre => {
            let height = page_lines(model, Focus::Source);
            model.source.centre(height);
        }
        Command::GoCut => {
            model.focus = Focus::Pack;
            model.rows.select(model.rows.packed.saturating_sub(1));
        }
        _ => {}
    }
}

/// Selects what was clicked.
pub fn click(model: &mut Model, place: Position) {
    if model.keys.take().is_some() {
        return;
    }
    let areas = model.areas();
    let Some(focus) = areas.pane_at(place) else { return };
    let (_, list) = areas.list();
    model.focus = focus;
    if focus == Focus::Pack && list.contains(place) {
        let line = model.rows.offset + (place.y - list.y) as usize;
        if let Some(DisplayLine::Symbol(row)) = model.rows.display(line) {
            model.rows.select(row);
        }
    }
}

/// Scrolls the pane under the pointer, whatever has the focus.
pub fn wheel(model: &mut Model, place: Position, by: isize) {
    if model.keys.is_some() {
        return;
    }
    if let Some(pane) = model.areas().pane_at(place) {
        step(model, pane, by);
    }
}

fn step(model: &mut Model, pane: Focus, by: isize) {
    match pane {
        Focus::Task | Focus::Pack => model.rows.step(by),
        Focus::Source => {
            let height = page_lines(model, Focus::Source);
            model.source.scroll(by, height);
        }
        Focus::Why => {
            let longest = model.rows.selected_symbol().map_or(0, |packed| packed.components.len());
            model.why_scroll = model.why_scroll.saturating_add_signed(by).min(longest);
        }
    }
}

fn page(model: &Model, pane: Focus) -> isize {
    page_lines(model, pane).max(1) as isize
}

fn page_lines(model: &Model, pane: Focus) -> usize {
    let areas = model.areas();
    let area = match pane {
        Focus::Task | Focus::Pack => areas.list().1,
        Focus::Source => areas.inner(areas.source),
        Focus::Why => areas.inner(areas.why),
    };
    area.height as usize
}
