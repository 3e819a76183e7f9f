//! The one place where the model changes: an action in, effects out, nothing else touched.
//!
//! Every command is known to exactly one of the parts below; a test holds them to that.

mod app;
mod pack;
mod panes;
mod reports;
pub(super) mod searching;
mod source;
mod task;
#[cfg(test)]
mod tests;
mod why;

use std::time::Instant;

use super::action::Action;
use super::command::Command;
use super::effect::{Effect, Question, Topic};
use super::model::Model;
use super::overlay;

/// Applies one action at the moment `now`.
pub fn update(model: &mut Model, action: Action, now: Instant) -> Vec<Effect> {
    let mut effects = Vec::new();
    if !matches!(action, Action::Wait(_) | Action::Report(_) | Action::Tick) {
        model.pending_keys.clear();
    }
    match action {
        Action::Command(command) => {
            model.message = None;
            run(model, command, now, &mut effects);
        }
        Action::Type(letter) => task::type_letter(model, letter, now, &mut effects),
        Action::Paste(text) => task::paste(model, &text, now, &mut effects),
        Action::Wait(key) => model.pending_keys.push(key),
        Action::Forget => {}
        Action::Resize(size) => model.size = size,
        Action::Click(place) => panes::click(model, place),
        Action::Wheel { place, by } => panes::wheel(model, place, by),
        Action::Report(report) => reports::take(model, report, now, &mut effects),
        Action::Tick => {
            if !searching::time_passed(model, now, &mut effects) {
                return effects;
            }
        }
    }
    pack::settle(model);
    source::follow(model, &mut effects);
    model.dirty = true;
    effects
}

/// What a part does with a command; false when it does not know it.
type Part = fn(&mut Model, Command, Instant, &mut Vec<Effect>) -> bool;

/// The parts, nearest to the user first: what lies on top may know a command of the panes in its own way.
const PARTS: &[Part] = &[overlay::run, task::run, pack::run, source::run, panes::run, app::run];

/// Runs a command.
pub(super) fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) {
    for part in PARTS {
        if part(model, command, now, effects) {
            return;
        }
    }
}

/// Asks the reader something; gives back the number that its answer will carry.
pub(super) fn ask(model: &mut Model, topic: Topic, effects: &mut Vec<Effect>) -> u64 {
    model.asked += 1;
    let number = model.asked;
    effects.push(Effect::Ask(Question { number, index_version: model.index_version, topic }));
    number
}
