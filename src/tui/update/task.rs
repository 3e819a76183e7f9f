//! Typing: the task line, and whatever text field lies on top of it.

use std::time::Instant;

use tui_input::InputRequest;

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::model::{Focus, Model};
use super::super::overlay;
use super::searching;

/// The commands of the task line and of text fields.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    if let Some(request) = edit_request(command) {
        edit(model, request, now, effects);
        return true;
    }
    match command {
        Command::Submit => searching::submit(model, now, effects),
        Command::LeaveTask => model.focus = Focus::Pack,
        Command::EditTask => model.focus = Focus::Task,
        _ => return false,
    }
    true
}

/// The change of a text a command stands for.
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
    if overlay::edit(model, change, now, effects) {
        return;
    }
    let before = model.task.text().to_string();
    model.task.input.handle(request);
    if model.task.text() != before {
        searching::task_changed(model, now, effects);
    }
}

/// A letter for the text that has the keys.
pub fn type_letter(model: &mut Model, letter: char, now: Instant, effects: &mut Vec<Effect>) {
    model.message = None;
    edit(model, InputRequest::InsertChar(letter), now, effects);
}

/// The longest text a paste may bring; a task is a few paragraphs at most.
const LONGEST_PASTE: usize = 8_000;

/// Text from the terminal's clipboard: ranked at once, for nobody is still typing it.
pub fn paste(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let clean = text.replace("\r\n", "\n").replace('\r', "\n");
    let letters = clean.chars().map(|letter| if letter.is_control() && letter != '\n' { ' ' } else { letter });
    let letters: Vec<char> = letters.take(LONGEST_PASTE).collect();
    let insert = |field: &mut tui_input::Input| {
        for letter in &letters {
            field.handle(InputRequest::InsertChar(*letter));
        }
    };
    if overlay::edit(model, insert, now, effects) {
        return;
    }
    model.focus = Focus::Task;
    insert(&mut model.task.input);
    searching::task_changed(model, now, effects);
    searching::start_full(model, now, effects);
}
