//! The list: its selection, its budget, its scrolling.

use std::time::Instant;

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::model::{Focus, Model};
use super::searching;

/// The commands of the list.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::GoCut => {
            model.focus = Focus::Pack;
            model.pack.select(model.pack.packed.saturating_sub(1));
        }
        Command::BudgetMore => searching::change_budget(model, true, now, effects),
        Command::BudgetLess => searching::change_budget(model, false, now, effects),
        Command::Refresh => {
            effects.push(Effect::Index);
            searching::start_full(model, now, effects);
        }
        _ => return false,
    }
    true
}

/// Keeps the selection on the screen.
pub fn settle(model: &mut Model) {
    let (_, list) = model.areas().list();
    if list.height > 0 {
        model.pack.settle(list.height as usize);
    }
}
