//! Editing the task line, or the text field of the window on top.

use std::time::Instant;

use tui_input::InputRequest;

use super::{navigation, ranking};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::edits::EditKind;
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay;
use crate::tui::overlay::picker::{self, Kind};
use crate::tui::panes::pack;

/// Runs the commands of the task line and of text fields.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    if let Some(request) = edit_request(command) {
        edit(model, request, now, effects);
        return true;
    }
    match command {
        Command::Submit => {
            save_to_history(model, effects);
            ranking::submit(model, now, effects);
        }
        Command::LeaveTask => {
            save_to_history(model, effects);
            navigation::focus_pane(model, pack::ID);
        }
        Command::ExampleOne => take_example(model, 0, now, effects),
        Command::ExampleTwo => take_example(model, 1, now, effects),
        Command::ExampleThree => take_example(model, 2, now, effects),
        Command::UndoTyping | Command::RedoTyping => undo(model, command == Command::UndoTyping, now, effects),
        Command::History => overlay::history::open(model),
        Command::Compose => effects.push(Effect::Compose(model.task.input.value().to_owned())),
        Command::PickFiles => picker::open(model, Kind::Files, effects),
        Command::PickBase => picker::open(model, Kind::Base, effects),
        Command::EditTask => model.focus = Focus::Task,
        _ => return false,
    }
    true
}

/// Undoes or redoes an edit.
fn undo(model: &mut Model, back: bool, now: Instant, effects: &mut Vec<Effect>) {
    match if back { model.task.undo() } else { model.task.redo() } {
        true => ranking::task_changed(model, now, effects),
        false => model.show_message(if back { "nothing to undo" } else { "nothing to redo" }),
    }
}

/// Adds the task to the history.
fn save_to_history(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.text().to_owned();
    if model.history.add(&task) {
        effects.push(Effect::Remember(task));
    }
}

/// Replaces the task and ranks at once.
pub fn replace(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let text: String = text.chars().map(without_control).take(MAX_PASTE).collect();
    model.task.replace(EntryPoint::Text, tui_input::Input::new(text));
    model.focus = Focus::Task;
    ranking::task_changed(model, now, effects);
    ranking::start_full(model, now, effects);
}

/// Replaces control characters except line breaks by blanks.
fn without_control(letter: char) -> char {
    if letter.is_control() && letter != '\n' { ' ' } else { letter }
}

fn take_example(model: &mut Model, index: usize, now: Instant, effects: &mut Vec<Effect>) {
    match model.examples.get(index).cloned() {
        Some(example) => replace(model, &example, now, effects),
        None => model.show_message("no such example"),
    }
}

/// Returns the edit that a command makes.
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
    let change = |field: &mut tui_input::Input| {
        field.handle(request);
    };
    if overlay::edit_input(model, change, now, effects) {
        return;
    }
    let (before, text) = (model.task.snapshot(), model.task.text().to_owned());
    if !model.task.input.handle(request).is_some_and(|change| change.value) {
        model.task.edits.end_step();
        return;
    }
    model.task.entry_point = EntryPoint::Text;
    let is_other = model.task.text() != text || before.entry_point != EntryPoint::Text;
    model.task.edits.push(before, edit_kind(request));
    if is_other {
        ranking::task_changed(model, now, effects);
    }
}

/// Returns the kind of an edit.
fn edit_kind(request: InputRequest) -> EditKind {
    match request {
        InputRequest::InsertChar(letter) if letter.is_whitespace() => EditKind::Blank,
        InputRequest::InsertChar(_) => EditKind::Letter,
        InputRequest::DeletePrevChar | InputRequest::DeleteNextChar => EditKind::Erased,
        _ => EditKind::Many,
    }
}

/// Types a letter into the text field in focus.
pub fn type_letter(model: &mut Model, letter: char, now: Instant, effects: &mut Vec<Effect>) {
    model.message = None;
    edit(model, InputRequest::InsertChar(letter), now, effects);
}

/// The longest paste in characters; a task is a few paragraphs at most.
const MAX_PASTE: usize = 8_000;

/// Inserts text from the terminal's clipboard and ranks at once.
pub fn paste(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let clean = text.replace("\r\n", "\n").replace('\r', "\n");
    let letters: Vec<char> = clean.chars().map(without_control).take(MAX_PASTE).collect();
    let insert = |field: &mut tui_input::Input| {
        for letter in &letters {
            field.handle(InputRequest::InsertChar(*letter));
        }
    };
    if overlay::edit_input(model, insert, now, effects) {
        return;
    }
    model.focus = Focus::Task;
    let mut input = model.task.input.clone();
    insert(&mut input);
    model.task.replace(EntryPoint::Text, input);
    ranking::task_changed(model, now, effects);
    ranking::start_full(model, now, effects);
}
