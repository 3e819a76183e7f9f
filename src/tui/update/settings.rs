//! Commands of the program and of its settings.

use std::sync::Arc;
use std::time::Instant;

use thiserror::Error;

use super::{export, ranking, trail};
use crate::config::FILE_NAME;
use crate::tui::command::{BudgetError, Command, parse_budget};
use crate::tui::effect::Effect;
use crate::tui::glyphs;
use crate::tui::model::{Message, Model};
use crate::tui::overlay::palette;
use crate::tui::panes::pack;
use crate::tui::session::SavedTask;
use crate::tui::settings::Settings;

/// Why an argument is invalid.
#[derive(Debug, Error)]
pub enum ArgumentError {
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error("{command}: invalid argument `{argument}`")]
    Invalid { command: &'static str, argument: String },
}

/// Opens the palette for the number of tokens that agents get.
pub fn ask_budget(model: &mut Model) {
    pack::make_pack(model);
    palette::offer_argument(model, Command::BudgetSet, model.task.budget_tokens.to_string());
}

/// Starts over: no task, trail, drops or mutes.
pub fn start_over(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    SavedTask::default().restore(model);
    ranking::task_changed(model, now, effects);
    model.show_message("new session");
}

/// Runs a command with its argument.
///
/// # Errors
/// When the argument is invalid.
pub fn run_with(
    model: &mut Model,
    command: Command,
    argument: &str,
    now: Instant,
    effects: &mut Vec<Effect>,
) -> Result<(), ArgumentError> {
    match (command, argument) {
        (Command::BudgetSet, tokens) => ranking::set_budget(model, parse_budget(tokens)?, now, effects),
        (Command::Mouse, "on" | "off") => set_mouse(model, argument == "on", effects),
        (Command::SetGlyphs, "unicode") => model.appearance.glyphs = glyphs::UNICODE,
        (Command::SetGlyphs, "ascii") => model.appearance.glyphs = glyphs::ASCII,
        (Command::ExportFile, path) => export::write(model, path, effects),
        (Command::TrailSave, name) => trail::save_as(model, name, effects),
        (Command::TrailDelete, name) => trail::delete(model, name, effects),
        (Command::SetTheme, name) => effects.push(Effect::Theme(name.to_owned())),
        _ => return Err(ArgumentError::Invalid { command: command.spec().name, argument: argument.to_owned() }),
    }
    Ok(())
}

/// Applies the settings and shows their errors.
pub fn apply(model: &mut Model, settings: Settings, effects: &mut Vec<Effect>) {
    let Settings { config, keymap, appearance, config_errors } = settings;
    effects.push(Effect::Mouse(config.mouse));
    model.feedback.ignores_use = !config.learning;
    model.settings = config;
    model.keymap = Arc::new(keymap);
    model.appearance = appearance;
    if let Some(text) = summary(&config_errors, model.appearance.glyphs.dot) {
        for error in config_errors {
            model.messages.push(Message { text: error, is_error: true }, model.now);
        }
        // Each error is a message; the last line summarizes them.
        model.message = Some(Message { text, is_error: true });
    }
}

/// Returns one line about the errors of the settings: their number, the command that lists them, and the first.
fn summary(errors: &[String], dot: &str) -> Option<String> {
    let (first, rest) = errors.split_first()?;
    if rest.is_empty() {
        return Some(first.clone());
    }
    let is_one_file = errors.iter().all(|error| error.starts_with(FILE_NAME));
    let (place, first) = match first.strip_prefix(FILE_NAME) {
        Some(first) if is_one_file => (FILE_NAME, first.trim_start()),
        _ => ("settings", first.as_str()),
    };
    let first = first.split_once("; ").map_or(first, |(error, _)| error);
    Some(format!("{place}: {} errors {dot} :messages lists them {dot} {first}", errors.len()))
}

/// Turns the mouse on or off.
pub fn set_mouse(model: &mut Model, on: bool, effects: &mut Vec<Effect>) {
    model.settings.mouse = on;
    effects.push(Effect::Mouse(on));
    model.show_message(if on { "mouse on" } else { "mouse off" });
}

/// Cancels the ranking that is being computed, else quits.
pub fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.search.ranking || model.search.due.is_some() {
        ranking::cancel(model, effects);
        model.show_message("canceled; Enter in the task line ranks again");
    } else {
        effects.push(Effect::Quit);
    }
}
