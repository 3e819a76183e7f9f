//! The reading trail: symbols that are kept for a task with notes, saved with it and reopened with it.

use std::time::Instant;

use super::{ask, feedback, navigation, ranking, reports, task};
use crate::model::Symbol;
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::model::feedback::{PinState, TaskState};
use crate::tui::model::trail;
use crate::tui::overlay;
use crate::tui::session::SavedTask;

/// Opens the window for a note on the symbol that a key acts on.
pub fn add_note(model: &mut Model) {
    match navigation::definitions(model).and_then(navigation::only) {
        Ok(symbol) => overlay::note::open(model, symbol),
        Err(reason) => model.show_error(reason),
    }
}

/// Keeps a symbol with a note.
pub fn keep(model: &mut Model, symbol: Symbol, note: &str, now: Instant, effects: &mut Vec<Effect>) {
    let id = symbol.id;
    if model.task.pin_state(id) != PinState::Pinned {
        feedback::set_pin(model, symbol.clone(), PinState::Pinned, now, effects);
    }
    // A symbol that an agent's request had pinned has no step yet.
    model.task.trail.set(&symbol, true);
    if let Some(index) = model.task.trail.index_of(id) {
        model.task.trail.steps[index].note = note.to_owned();
    }
    save(model, effects);
}

/// Keeps a symbol no longer.
pub fn release(model: &mut Model, symbol: Symbol, now: Instant, effects: &mut Vec<Effect>) {
    feedback::set_pin(model, symbol, PinState::Neither, now, effects);
}

/// Saves the trail with its task; one without a symbol is deleted.
pub fn save(model: &mut Model, effects: &mut Vec<Effect>) {
    let saved = SavedTask::from_model(model);
    let name = trail::name_of(&saved, &model.trails);
    if name.is_empty() {
        return;
    }
    if saved.pinned.is_empty() && saved.dropped.is_empty() {
        if model.trails.remove(&name).is_some() {
            effects.push(Effect::SaveTrail { name, trail: None });
        }
        return;
    }
    model.trails.insert(name.clone(), saved.clone());
    effects.push(Effect::SaveTrail { name, trail: Some(Box::new(saved)) });
}

/// Reopens the trail of the task, if it has one and nothing is kept yet.
pub fn reopen(model: &mut Model, effects: &mut Vec<Effect>) {
    let options = &model.task.options;
    if !options.pinned.is_empty() || !options.dropped.is_empty() || !model.task.trail.steps.is_empty() {
        return;
    }
    let saved = trail::saved_for(&model.trails, &model.task.entry_point, model.task.text()).cloned();
    if let Some(saved) = saved {
        saved.restore_trail(model);
        // The symbols may be at other lines by now.
        if model.usable() {
            reports::relocate(model, effects);
        }
    }
}

/// Limit of a name, in characters.
const MAX_NAME: usize = 60;

/// Saves the task with its trail under a name.
pub fn save_as(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    let name: String = name.trim().chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect();
    let saved = SavedTask::from_model(model);
    if saved.is_empty() {
        return model.show_error("there is no task to save yet");
    }
    let was_known = model.trails.insert(name.clone(), saved.clone()).is_some();
    model.show_message(if was_known { format!("replaced trail {name}") } else { format!("saved trail {name}") });
    effects.push(Effect::SaveTrail { name, trail: Some(Box::new(saved)) });
}

/// Makes the task of the trail with this name the task.
pub fn open(model: &mut Model, name: &str, now: Instant, effects: &mut Vec<Effect>) {
    let Some(saved) = model.trails.get(name).cloned() else { return unknown(model, name) };
    let before = TaskState::new(&model.task);
    saved.restore(model);
    task::begun(model, before);
    if model.usable() {
        reports::relocate(model, effects);
    }
    ranking::rerank(model, now, effects);
    model.show_message(format!("opened trail {name}"));
}

/// Deletes the trail with this name.
pub fn delete(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    if model.trails.remove(name).is_none() {
        return unknown(model, name);
    }
    model.show_message(format!("deleted trail {name}"));
    effects.push(Effect::SaveTrail { name: name.to_owned(), trail: None });
}

fn unknown(model: &mut Model, name: &str) {
    let known: Vec<&str> = model.trails.keys().map(String::as_str).collect();
    model.show_error(match known.is_empty() {
        true => format!("no trail {name}; :trail.save NAME saves one"),
        false => format!("no trail {name}; trails: {}", known.join(", ")),
    });
}

/// Asks for the repositories and their commits, to copy the trail with permanent links.
pub fn copy(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.task.trail.steps.is_empty() {
        return model.show_message("nothing is kept yet");
    }
    model.export.trail_question = ask(model, Topic::Repositories, effects);
}

/// Copies the trail once the repositories are known.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>, effects: &mut Vec<Effect>) {
    if number != model.export.trail_question {
        return;
    }
    let repositories = match response {
        Ok(Response::Repositories(repositories)) => repositories.as_slice(),
        // Without them it has places instead of links.
        _ => &[],
    };
    let title = model.task.description().unwrap_or_else(|| "Reading trail".to_owned());
    let text = model.task.trail.markdown(&title, repositories);
    effects.push(Effect::Copy { what: "the trail".to_owned(), text });
}
