//! Commands of named packs and of the saved session.

use std::time::Instant;

use super::ranking;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::overlay::{packs, palette};
use crate::tui::session::SavedTask;

/// Limit of the name of a pack, in characters.
const MAX_NAME: usize = 60;

/// Runs the commands; those that take a name open the palette for it.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::PackSave | Command::PackDelete => palette::toggle(model, &format!("{} ", command.spec().name)),
        Command::PackOpen => packs::open(model),
        Command::SessionClear => {
            SavedTask::default().restore(model);
            ranking::task_changed(model, now, effects);
            model.show_message("new session");
        }
        _ => return false,
    }
    true
}

/// Saves the task with its pins under a name.
pub fn save_pack(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    let name: String = name.trim().chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect();
    let pack = SavedTask::from_model(model);
    if pack.is_empty() {
        return model.show_error("there is no task to save yet");
    }
    let replaced = model.named_packs.insert(name.clone(), pack.clone()).is_some();
    model.show_message(if replaced { format!("replaced pack {name}") } else { format!("saved pack {name}") });
    effects.push(Effect::SavePack { name, pack: Some(Box::new(pack)) });
}

/// Makes the pack with this name the task.
pub fn open_pack(model: &mut Model, name: &str, now: Instant, effects: &mut Vec<Effect>) {
    let Some(pack) = model.named_packs.get(name).cloned() else { return unknown(model, name) };
    pack.restore(model);
    ranking::rerank(model, now, effects);
    model.show_message(format!("opened pack {name}"));
}

/// Deletes the pack with this name.
pub fn delete_pack(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    if model.named_packs.remove(name).is_none() {
        return unknown(model, name);
    }
    model.show_message(format!("deleted pack {name}"));
    effects.push(Effect::SavePack { name: name.to_owned(), pack: None });
}

fn unknown(model: &mut Model, name: &str) {
    let known: Vec<&str> = model.named_packs.keys().map(String::as_str).collect();
    model.show_error(match known.is_empty() {
        true => format!("no pack {name}; :pack.save NAME saves one"),
        false => format!("no pack {name}; named packs: {}", known.join(", ")),
    });
}
