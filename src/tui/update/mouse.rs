//! Clicks and the wheel: the window under the pointer, else the hint or the pane.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Position;

use super::{invoke, navigation, run};
use crate::tui::action;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::key::Key;
use crate::tui::keymap::Resolution;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::{self, Overlay};
use crate::tui::panes::{pane, why};
use crate::tui::view::footer;

/// Two clicks on one cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// Runs the hint that was clicked; else focuses what was clicked and selects its row. A double
/// click is `Enter`: it opens the source of a row of the list.
pub fn click(model: &mut Model, position: Position, now: Instant, effects: &mut Vec<Effect>) {
    let last = model.last_click.replace((now, position));
    let is_double = last.is_some_and(|(at, place)| place == position && now.duration_since(at) <= DOUBLE_CLICK);
    if is_double && enter(model, position, now, effects) {
        model.last_click = None;
        return;
    }
    let areas = model.areas();
    let on_hint = areas.footer.contains(position) && !overlay::covers(model, position);
    if let Some(bound) = footer::command_at(model, position.x).filter(|_| on_hint) {
        model.message = None;
        return invoke(model, &bound, now, effects);
    }
    if overlay::click(model, position, now, effects) {
        return;
    }
    select(model, position);
}

/// Selects what was clicked and explains it.
pub fn right_click(model: &mut Model, position: Position, now: Instant, effects: &mut Vec<Effect>) {
    if model.overlays.is_empty() && matches!(model.areas().focus_at(position), Some(Focus::Pane(_))) {
        select(model, position);
        run(model, Command::FocusPane(why::ID), now, effects);
    }
}

/// Focuses the task line or the pane at a position and selects its row.
fn select(model: &mut Model, position: Position) {
    let areas = model.areas();
    let Some(focus) = areas.focus_at(position) else { return };
    navigation::set_focus(model, focus);
    if let Focus::Pane(id) = focus {
        let inner = areas.content(id);
        if inner.contains(position) {
            pane(id).click(model, position, inner);
        }
    }
}

/// Runs what `Enter` runs in the window or the pane at a position. Returns false where there is nothing to enter.
fn enter(model: &mut Model, position: Position, now: Instant, effects: &mut Vec<Effect>) -> bool {
    if overlay::covers(model, position) {
        return overlay::run(model, Command::OverlayRun, now, effects);
    }
    let areas = model.areas();
    let is_row = areas.content(model.focus.pane()).contains(position) && model.focus != Focus::Task;
    if !model.overlays.is_empty() || !is_row {
        return false;
    }
    let key = Key { code: KeyCode::Enter, control: false, alt: false };
    let keymap = model.keymap.clone();
    let Resolution::Run(bound) = keymap.resolve(&action::contexts(model), &[key]) else { return false };
    model.message = None;
    invoke(model, bound, now, effects);
    true
}

/// Scrolls the window or the pane under the pointer, whichever has the focus.
pub fn wheel(model: &mut Model, (position, by): (Position, isize), now: Instant, effects: &mut Vec<Effect>) {
    if overlay::covers(model, position) {
        let command = if by > 0 { Command::OverlayDown } else { Command::OverlayUp };
        // Each step through a concept shows another file.
        let steps = if matches!(model.overlays.last(), Some(Overlay::Concepts(_))) { 1 } else { by.abs() };
        for _ in 0..steps {
            overlay::run(model, command, now, effects);
        }
        return;
    }
    if let Some(focus) = model.areas().focus_at(position) {
        pane(focus.pane()).scroll(model, by);
    }
}
