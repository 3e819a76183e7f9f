//! Commands that take an argument or change how the explorer looks and listens.

use std::sync::Arc;
use std::time::Instant;

use super::{export, searching};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::glyphs;
use crate::tui::model::Model;
use crate::tui::overlay::palette;
use crate::tui::settings::Settings;

/// A command without its argument: what can be switched is, and the palette asks for the rest.
pub fn run(model: &mut Model, command: Command, _now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::Mouse => set_mouse(model, !model.settings.mouse, effects),
        Command::Reload => effects.push(Effect::Reload),
        Command::BudgetSet | Command::SetTheme | Command::SetGlyphs => {
            palette::toggle(model, &format!("{} ", command.entry().name));
        }
        _ => return false,
    }
    true
}

/// A command with its argument.
pub fn run_with(
    model: &mut Model,
    command: Command,
    argument: &str,
    now: Instant,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    match (command, argument) {
        (Command::BudgetSet, tokens) => {
            let budget =
                tokens.replace(['_', ','], "").parse().ok().filter(|budget| (1..=MOST_TOKENS).contains(budget));
            let budget = budget.ok_or_else(|| format!("`{tokens}` is no number of tokens from 1 to {MOST_TOKENS}"))?;
            searching::set_budget(model, budget, now, effects);
        }
        (Command::Mouse, "on" | "off") => set_mouse(model, argument == "on", effects),
        (Command::SetGlyphs, "unicode") => model.appearance.glyphs = glyphs::UNICODE,
        (Command::SetGlyphs, "ascii") => model.appearance.glyphs = glyphs::ASCII,
        (Command::ExportFile, path) => export::write(model, path, effects),
        (Command::SetTheme, name) => effects.push(Effect::Theme(name.to_owned())),
        _ => return Err(format!("{} does not know `{argument}`", command.entry().name)),
    }
    Ok(())
}

/// Takes the settings over, all that can be taken, and says what can't.
pub fn apply(model: &mut Model, settings: Settings, effects: &mut Vec<Effect>) {
    let Settings { config, keymap, appearance, config_errors } = settings;
    effects.push(Effect::Mouse(config.mouse));
    model.judgements.learns = config.learning;
    model.settings = config;
    model.keymap = Arc::new(keymap);
    model.appearance = appearance;
    match config_errors.as_slice() {
        [] => {}
        [only] => model.complain(only.clone()),
        [first, rest @ ..] => model.complain(format!("one of {} mistakes: {first}", rest.len() + 1)),
    }
}

/// More than any model reads; a larger number is a slip of the finger.
const MOST_TOKENS: usize = 10_000_000;

fn set_mouse(model: &mut Model, on: bool, effects: &mut Vec<Effect>) {
    model.settings.mouse = on;
    effects.push(Effect::Mouse(on));
    model.say(if on { "the mouse selects and scrolls here" } else { "the mouse is left to the terminal" });
}
