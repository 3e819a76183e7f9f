//! Walking back to where one was before a jump, and forward again.

use std::time::Instant;

use super::source;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::trail::Spot;
use crate::tui::model::{Focus, Model};

/// The commands of the walk.
pub fn run(model: &mut Model, command: Command, _now: Instant, _effects: &mut Vec<Effect>) -> bool {
    let forward = match command {
        Command::GoBack => false,
        Command::GoForward => true,
        _ => return false,
    };
    let now = spot(model);
    let (found, nothing) = match forward {
        true => (model.trail.forward(now), "there is no place to go forward to"),
        false => (model.trail.back(now), "this is where you began"),
    };
    match found {
        Some(spot) => {
            source::visit_at(model, spot.symbol, spot.line);
            model.focus = spot.pane;
        }
        None => model.say(nothing),
    }
    true
}

/// Where the user is; nowhere while there is no symbol, or while the task is being typed.
pub fn spot(model: &Model) -> Option<Spot> {
    let symbol = source::subject(model).filter(|_| model.focus != Focus::Task)?.clone();
    let line = source::line_in(model, &symbol);
    Some(Spot { symbol, pane: model.focus, line })
}

/// Remembers the place before a command that jumped away from it.
pub fn note(model: &mut Model, before: Spot) {
    if spot(model).is_some_and(|now| !now.is(&before)) {
        model.trail.leave(before);
    }
}

/// True for what leads somewhere else, and not just to the next row.
pub fn is_jump(command: Command) -> bool {
    matches!(
        command,
        Command::Open
            | Command::ScrollRight
            | Command::ScrollLeft
            | Command::OverlayRun
            | Command::NextMatch
            | Command::PreviousMatch
            | Command::NextDefinition
            | Command::PreviousDefinition
            | Command::Top
            | Command::Bottom
            | Command::GoCut
            | Command::CostGo
            | Command::PanePack
            | Command::PaneSource
            | Command::PaneWhy
            | Command::PaneGraph
            | Command::PaneRuns
            | Command::PaneCost
    )
}
