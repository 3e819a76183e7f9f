//! The update: an action changes the model and returns effects. Nothing else changes the model.
//!
//! Each command's function is named in its row of the registry; the modules below and the panes have the functions.

pub(super) mod changes;
pub(super) mod concepts;
pub(super) mod export;
pub(super) mod feedback;
mod mouse;
pub(super) mod navigation;
pub(super) mod ranking;
pub(super) mod reports;
pub(super) mod settings;
pub(super) mod task;
pub(super) mod trail;
#[cfg(test)]
mod tests;

use std::time::Instant;

use super::action::Action;
use super::command::Command;
use super::effect::{Effect, Question, Topic};
use super::keymap::Bound;
use super::model::{Focus, Model};
use super::overlay::{self, Overlay};
use super::panes::{self, PANES};

/// Applies one action at the moment `now`.
pub fn update(model: &mut Model, action: Action, now: Instant) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.now = Some(now);
    let keeps_keys =
        matches!(action, Action::PushKey(_) | Action::PopKey | Action::Report(_) | Action::Resize(_) | Action::Tick);
    if !keeps_keys {
        model.pending.clear();
    }
    // Keys of a window, and those that do nothing, leave the task as it is marked.
    let had_window = !model.overlays.is_empty();
    let is_by_user = !keeps_keys && !matches!(action, Action::Configured(_) | Action::Wheel { .. } | Action::Ignore);
    let is_paste = matches!(&action, Action::Paste(text) if text.trim_end().contains(['\n', '\r']));
    let was_editing = model.focus == Focus::Task;
    if model.task.is_selected && matches!(action, Action::Command(command) if command.scrolls_list()) {
        navigation::focus_pane(model, panes::pack::ID);
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
        Action::PushKey(key) => model.pending.push(key, now),
        Action::PopKey => model.pending.pop(),
        Action::Ignore => {}
        Action::Resize(size) => model.size = size,
        Action::Click(position) => mouse::click(model, position, now, &mut effects),
        Action::RightClick(position) => mouse::right_click(model, position, now, &mut effects),
        Action::Wheel { position, by } => mouse::wheel(model, (position, by), now, &mut effects),
        Action::Report(report) => reports::apply(model, report, now, &mut effects),
        Action::Edited { changed, is_open } => feedback::edited(model, &changed, is_open, &mut effects),
        Action::Composed(Ok(text)) => task::replace(model, &text, now, &mut effects),
        Action::Composed(Err(error)) => model.show_error(error),
        Action::Configured(settings) => settings::apply(model, *settings, &mut effects),
        Action::Tick => {
            let appears = model.pending.time_passed(now);
            if !ranking::time_passed(model, now, &mut effects) && !appears {
                return effects;
            }
        }
    }
    if is_by_user && (model.focus != Focus::Task || !had_window && model.overlays.is_empty()) {
        (model.task.is_pasted, model.task.is_selected) = (is_paste, false);
    }
    // Leaving the task in any way adds it to the history.
    if was_editing && model.focus != Focus::Task {
        task::save_to_history(model, &mut effects);
        model.panes.pack.accept();
    }
    follow(model, &mut effects);
    model.dirty = true;
    effects
}

/// Lets windows and panes follow the change.
fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    overlay::remove_duplicates(model);
    // It changes the selection, which the panes then follow.
    panes::source::lookup::follow(model, effects);
    for pane in PANES {
        pane.follow(model, effects);
    }
    concepts::follow(model);
}

/// Runs a command: as the window on top does, else as its row says.
pub(super) fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) {
    // Palette and key help run another command, which records its own jump.
    let runs_another = matches!(model.overlays.last(), Some(Overlay::Palette(_) | Overlay::Keys(_)));
    let is_recorded = command.spec().is_jump && !(runs_another && command == Command::OverlayRun);
    let before = if is_recorded { navigation::location(model) } else { None };
    if !overlay::run(model, command, now, effects) {
        match (command, command.spec().run) {
            (Command::FocusPane(id), _) => navigation::focus_pane(model, id),
            (_, Some(run)) => run(model, now, effects),
            (_, None) => {}
        }
    }
    if let Some(before) = before {
        navigation::record_jump(model, before);
    }
}

/// Runs a command with its argument. If a required argument is missing, the palette opens for it.
pub(super) fn invoke(model: &mut Model, bound: &Bound, now: Instant, effects: &mut Vec<Effect>) {
    match bound.argument.as_str() {
        "" => run(model, bound.command, now, effects),
        argument => {
            if let Err(error) = settings::run_with(model, bound.command, argument, now, effects) {
                model.show_error(error.to_string());
            }
        }
    }
}

/// Asks the reader a question. Returns the number that its answer has.
pub(super) fn ask(model: &mut Model, topic: Topic, effects: &mut Vec<Effect>) -> u64 {
    model.last_question += 1;
    let number = model.last_question;
    effects.push(Effect::Ask(Question { number, index_version: model.index_version, topic }));
    number
}
