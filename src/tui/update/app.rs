//! Commands of the program: help, cancel, suspend, quit.

use std::time::Instant;

use super::ranking;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::overlay::{keys, palette, votes};

/// Runs the commands of the program.
pub fn run(model: &mut Model, command: Command, _now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::Palette => palette::toggle(model, ""),
        Command::Votes => votes::open(model, effects),
        Command::Help => keys::open(model),
        Command::Quit => effects.push(Effect::Quit),
        Command::Cancel => cancel(model, effects),
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => return false,
    }
    true
}

fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.search.ranking || model.search.due.is_some() {
        ranking::cancel(model, effects);
        model.show_message("canceled; Enter in the task line ranks again");
    } else {
        effects.push(Effect::Quit);
    }
}
