//! The one place where the model changes: an action in, effects out, nothing else touched.

mod moving;
mod reports;
mod searching;
#[cfg(test)]
mod tests;

use std::time::Instant;

use tui_input::InputRequest;

use super::action::Action;
use super::command::Command;
use super::effect::{Effect, PreviewRequest};
use super::help;
use super::model::{Focus, KeysOverlay, Model};
use super::source::Place;

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
        Action::Type(letter) => type_letter(model, letter, now, &mut effects),
        Action::Paste(text) => paste(model, &text, now, &mut effects),
        Action::Wait(key) => model.pending_keys.push(key),
        Action::Forget => {}
        Action::Resize(size) => model.size = size,
        Action::Click(place) => moving::click(model, place),
        Action::Wheel { place, by } => moving::wheel(model, place, by),
        Action::Report(report) => reports::take(model, report, now, &mut effects),
        Action::Tick => {
            if !searching::time_passed(model, now, &mut effects) {
                return effects;
            }
        }
    }
    settle(model, &mut effects);
    model.dirty = true;
    effects
}

fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) {
    if let Some(request) = edit_request(command) {
        edit(model, request, now, effects);
        return;
    }
    match command {
        Command::Submit => searching::submit(model, now, effects),
        Command::LeaveTask | Command::PanePack => model.focus = Focus::Pack,
        Command::EditTask => model.focus = Focus::Task,
        Command::Refresh => {
            effects.push(Effect::Index);
            searching::start_full(model, now, effects);
        }
        Command::PaneSource | Command::Open => model.focus = Focus::Source,
        Command::PaneWhy => model.focus = Focus::Why,
        Command::NextPane => model.focus = moving::next_pane(model.focus, 1),
        Command::PreviousPane => model.focus = moving::next_pane(model.focus, 3),
        Command::Zoom => model.zoomed = !model.zoomed,
        Command::Back if model.zoomed => model.zoomed = false,
        Command::Back => model.focus = Focus::Pack,
        Command::BudgetMore => searching::change_budget(model, true, now, effects),
        Command::BudgetLess => searching::change_budget(model, false, now, effects),
        Command::Editor => open_editor(model, effects),
        Command::Help => model.keys = Some(KeysOverlay::default()),
        Command::KeysRun => run_selected(model, now, effects),
        Command::KeysClose => model.keys = None,
        Command::KeysDown | Command::KeysUp | Command::KeysErase => change_keys(model, command),
        Command::Quit => effects.push(Effect::Quit),
        Command::Cancel => cancel(model, effects),
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Redraw => effects.push(Effect::Redraw),
        other => moving::run(model, other),
    }
}

/// The change of the task line a command stands for.
fn edit_request(command: Command) -> Option<InputRequest> {
    Some(match command {
        Command::ClearBefore => InputRequest::DeleteFromStart,
        Command::DeleteWord => InputRequest::DeletePrevWord,
        Command::DeleteRest => InputRequest::DeleteTillEnd,
        Command::DeleteBefore => InputRequest::DeletePrevChar,
        Command::DeleteAfter => InputRequest::DeleteNextChar,
        Command::LineStart => InputRequest::GoToStart,
        Command::LineEnd => InputRequest::GoToEnd,
        Command::WordLeft => InputRequest::GoToPrevWord,
        Command::WordRight => InputRequest::GoToNextWord,
        Command::LetterLeft => InputRequest::GoToPrevChar,
        Command::LetterRight => InputRequest::GoToNextChar,
        Command::NewLine => InputRequest::InsertChar('\n'),
        _ => return None,
    })
}

fn edit(model: &mut Model, request: InputRequest, now: Instant, effects: &mut Vec<Effect>) {
    let before = model.task_text().to_string();
    model.task.handle(request);
    if model.task_text() != before {
        searching::task_changed(model, now, effects);
    }
}

fn type_letter(model: &mut Model, letter: char, now: Instant, effects: &mut Vec<Effect>) {
    match &mut model.keys {
        Some(keys) => {
            keys.filter.push(letter);
            keys.selected = 0;
        }
        None => {
            model.message = None;
            edit(model, InputRequest::InsertChar(letter), now, effects);
        }
    }
}

/// The longest text a paste may bring; a task is a few paragraphs at most.
const LONGEST_PASTE: usize = 8_000;

fn paste(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let clean = text.replace("\r\n", "\n").replace('\r', "\n");
    let letters = clean.chars().map(|letter| if letter.is_control() && letter != '\n' { ' ' } else { letter });
    if let Some(keys) = &mut model.keys {
        keys.filter.extend(letters.take(LONGEST_PASTE));
        return;
    }
    model.focus = Focus::Task;
    for letter in letters.take(LONGEST_PASTE) {
        model.task.handle(InputRequest::InsertChar(letter));
    }
    searching::task_changed(model, now, effects);
    searching::start_full(model, now, effects);
}

fn change_keys(model: &mut Model, command: Command) {
    let Some(keys) = &mut model.keys else { return };
    match command {
        Command::KeysDown => keys.selected += 1,
        Command::KeysUp => keys.selected = keys.selected.saturating_sub(1),
        _ => {
            keys.filter.pop();
        }
    }
    keys.selected = keys.selected.min(help::key_lines(&keys.filter).len().saturating_sub(1));
}

fn run_selected(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(keys) = model.keys.take() else { return };
    if let Some(line) = help::key_lines(&keys.filter).get(keys.selected) {
        run(model, line.entry.command, now, effects);
    }
}

fn open_editor(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.rows.selected_symbol() {
        Some(packed) if !packed.symbol.file.is_empty() => effects.push(Effect::Edit {
            file: packed.symbol.file.clone(),
            line: packed.symbol.span.name_line.max(1) as usize,
        }),
        Some(_) => model.complain("this symbol is defined outside the repository"),
        None => model.complain("there is no symbol to edit yet"),
    }
}

fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.search.ranking || model.search.due.is_some() {
        searching::stop(model, effects);
        model.say("stopped; Enter in the task line ranks again");
    } else {
        effects.push(Effect::Quit);
    }
}

/// Keeps what is derived in step: the scrolling with the selection, the preview with the symbol.
fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let (_, list) = model.areas().list();
    if list.height > 0 {
        model.rows.settle(list.height as usize);
    }
    let wanted = model.rows.selected_symbol().filter(|packed| !packed.symbol.file.is_empty()).map(|packed| {
        let span = packed.symbol.span;
        Place {
            file: packed.symbol.file.clone(),
            start_line: span.start_line as usize,
            end_line: span.end_line as usize,
            name_line: span.name_line as usize,
        }
    });
    if wanted == model.source.wanted {
        return;
    }
    model.why_scroll = 0;
    match wanted {
        Some(place) => {
            model.source.turn_to(place);
            request_preview(model, effects);
        }
        None => model.source.turn_away(),
    }
}

/// Asks for the wanted file anew.
fn request_preview(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(place) = model.source.wanted.clone() {
        model.preview_generation += 1;
        effects.push(Effect::Preview(PreviewRequest {
            generation: model.preview_generation,
            place,
            index_version: model.index_version,
        }));
    }
}
