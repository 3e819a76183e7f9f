//! Clicks and the wheel: the window under the pointer, else the pane.

use std::time::Instant;

use ratatui::layout::Position;

use super::navigation;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::{self, Overlay};
use crate::tui::panes::pane;

/// Focuses what was clicked and selects its row.
pub fn click(model: &mut Model, position: Position, now: Instant, effects: &mut Vec<Effect>) {
    if overlay::click(model, position, now, effects) {
        return;
    }
    let areas = model.areas();
    let Some(focus) = areas.focus_at(position) else { return };
    navigation::set_focus(model, focus);
    if let Focus::Pane(id) = focus {
        let inner = areas.inner(areas.pane(id));
        if inner.contains(position) {
            pane(id).click(model, position, inner);
        }
    }
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
