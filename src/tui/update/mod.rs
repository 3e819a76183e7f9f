//! The one place where the model changes: an action in, effects out, nothing else touched.
//!
//! Every command is known to exactly one of the parts below; a test holds them to that.

mod again;
mod app;
mod changed;
pub(super) mod classes;
pub(super) mod export;
pub(super) mod graph;
mod judge;
mod pack;
pub(super) mod panes;
mod reports;
mod runs;
pub(super) mod searching;
mod settings;
pub(super) mod source;
pub(super) mod task;
#[cfg(test)]
mod tests;
mod trail;
pub(super) mod why;

use std::time::Instant;

use super::action::Action;
use super::command::Command;
use super::effect::{Effect, Question, Topic};
use super::keymap::Bound;
use super::model::Model;
use super::overlay::{self, Overlay};

/// Applies one action at the moment `now`.
pub fn update(model: &mut Model, action: Action, now: Instant) -> Vec<Effect> {
    let mut effects = Vec::new();
    if !matches!(action, Action::Wait(_) | Action::Unwait | Action::Report(_) | Action::Resize(_) | Action::Tick) {
        model.pending.clear();
    }
    match action {
        Action::Command(command) => {
            model.message = None;
            run(model, command, now, &mut effects);
        }
        Action::Type(letter) => task::type_letter(model, letter, now, &mut effects),
        Action::Paste(text) => task::paste(model, &text, now, &mut effects),
        Action::Invoke(bound) => {
            model.message = None;
            invoke(model, &bound, now, &mut effects);
        }
        Action::Wait(key) => model.pending.push(key, now),
        Action::Unwait => model.pending.pop(),
        Action::Letter(letter) => runs::letter(model, letter, now, &mut effects),
        Action::Forget => {}
        Action::Resize(size) => model.size = size,
        Action::Click(place) => panes::click(model, place, now, &mut effects),
        Action::Wheel { place, by } => panes::wheel(model, (place, by), now, &mut effects),
        Action::Report(report) => reports::take(model, report, now, &mut effects),
        Action::Composed(Ok(text)) => task::replace(model, &text, now, &mut effects),
        Action::Composed(Err(error)) => model.complain(error),
        Action::Configured(settings) => settings::apply(model, *settings, &mut effects),
        Action::Tick => {
            let appears = model.pending.time_passed(now);
            if !searching::time_passed(model, now, &mut effects) && !appears {
                return effects;
            }
        }
    }
    overlay::remove_duplicates(model);
    pack::settle(model);
    panes::settle(model);
    source::follow(model, &mut effects);
    classes::follow(model, &mut effects);
    why::follow(model, &mut effects);
    graph::follow(model, &mut effects);
    model.dirty = true;
    effects
}

/// What a part does with a command; false when it does not know it.
type Part = fn(&mut Model, Command, Instant, &mut Vec<Effect>) -> bool;

/// The parts, nearest to the user first: what lies on top may know a command of the panes in its own way.
const PARTS: &[Part] = &[
    overlay::run,
    task::run,
    pack::run,
    judge::run,
    classes::run,
    source::run,
    why::run,
    graph::run,
    trail::run,
    runs::run,
    panes::run,
    export::run,
    settings::run,
    app::run,
];

/// Runs a command.
pub(super) fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) {
    // A window that runs another command leaves it to that one to remember the place.
    let runs_another = matches!(model.overlays.last(), Some(Overlay::Palette(_) | Overlay::Keys(_)));
    let is_noted = trail::is_jump(command) && !(runs_another && command == Command::OverlayRun);
    let before = if is_noted { trail::spot(model) } else { None };
    let _known = PARTS.iter().any(|part| part(model, command, now, effects));
    if let Some(before) = before {
        trail::note(model, before);
    }
}

/// Runs a command with its argument; one that needs an argument and has none asks for it.
pub(super) fn invoke(model: &mut Model, bound: &Bound, now: Instant, effects: &mut Vec<Effect>) {
    match bound.argument.as_str() {
        "" => run(model, bound.command, now, effects),
        argument => {
            if let Err(error) = settings::run_with(model, bound.command, argument, now, effects) {
                model.complain(error);
            }
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
