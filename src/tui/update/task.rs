//! Typing: the task line, and whatever text field lies on top of it.

use std::time::Instant;

use tui_input::InputRequest;

use super::searching;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::edits::Change;
use crate::tui::model::task::Entry;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay;
use crate::tui::overlay::picker::{self, Kind};

/// The commands of the task line and of text fields.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    if let Some(request) = edit_request(command) {
        edit(model, request, now, effects);
        return true;
    }
    match command {
        Command::Submit => {
            remember(model, effects);
            searching::submit(model, now, effects);
        }
        Command::LeaveTask => {
            remember(model, effects);
            model.focus = Focus::Pack;
        }
        Command::ExampleOne => take_example(model, 0, now, effects),
        Command::ExampleTwo => take_example(model, 1, now, effects),
        Command::ExampleThree => take_example(model, 2, now, effects),
        Command::UndoTyping | Command::RedoTyping => walk(model, command == Command::UndoTyping, now, effects),
        Command::History => overlay::history::open(model),
        Command::Compose => effects.push(Effect::Compose(model.task.input.value().to_owned())),
        Command::PickFiles => picker::open(model, Kind::Files, effects),
        Command::PickBase => picker::open(model, Kind::Base, effects),
        Command::EditTask => model.focus = Focus::Task,
        _ => return false,
    }
    true
}

/// Goes a step back or forward in what was typed.
fn walk(model: &mut Model, back: bool, now: Instant, effects: &mut Vec<Effect>) {
    match if back { model.task.undo() } else { model.task.redo() } {
        true => searching::task_changed(model, now, effects),
        false => model.say(if back { "this is how the line began" } else { "there is nothing to type again" }),
    }
}

/// Keeps the task for another day.
fn remember(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.text().to_owned();
    if model.history.add(&task) {
        effects.push(Effect::Remember(task));
    }
}

/// Another task instead of this one: ranked at once, for it is whole.
pub fn replace(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let text: String = text.chars().map(plain).take(LONGEST_PASTE).collect();
    model.task.ask_for(Entry::Words, tui_input::Input::new(text));
    model.focus = Focus::Task;
    searching::task_changed(model, now, effects);
    searching::start_full(model, now, effects);
}

/// The letter without power over a terminal; lines stay lines.
fn plain(letter: char) -> char {
    if letter.is_control() && letter != '\n' { ' ' } else { letter }
}

fn take_example(model: &mut Model, place: usize, now: Instant, effects: &mut Vec<Effect>) {
    match model.examples.get(place).cloned() {
        Some(example) => replace(model, &example, now, effects),
        None => model.say("there is no such example"),
    }
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
    if overlay::edit_input(model, change, now, effects) {
        return;
    }
    let (before, asked) = (model.task.typed(), model.task.text().to_owned());
    if !model.task.input.handle(request).is_some_and(|change| change.value) {
        model.task.edits.rest();
        return;
    }
    // Whoever types wants words.
    model.task.entry = Entry::Words;
    let is_other = model.task.text() != asked || before.entry != Entry::Words;
    model.task.edits.note(before, kind_of(request));
    if is_other {
        searching::task_changed(model, now, effects);
    }
}

/// What a request does to a text that it changes.
fn kind_of(request: InputRequest) -> Change {
    match request {
        InputRequest::InsertChar(letter) if letter.is_whitespace() => Change::Blank,
        InputRequest::InsertChar(_) => Change::Letter,
        InputRequest::DeletePrevChar | InputRequest::DeleteNextChar => Change::Erased,
        _ => Change::Many,
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
    let letters: Vec<char> = clean.chars().map(plain).take(LONGEST_PASTE).collect();
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
    model.task.ask_for(Entry::Words, input);
    searching::task_changed(model, now, effects);
    searching::start_full(model, now, effects);
}
