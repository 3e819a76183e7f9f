//! Editing the task line, or the text field of the window on top.

use std::time::Instant;

use tui_input::InputRequest;

use super::{navigation, ranking, trail};
use crate::model::SymbolId;
use crate::text::display::without_escapes;
use crate::tui::command::{Command, Context};
use crate::tui::effect::Effect;
use crate::tui::model::edits::EditKind;
use crate::tui::model::feedback::{TaskState, UndoEntry};
use crate::tui::model::task::{Edited, EntryPoint};
use crate::tui::model::{Focus, Model, Place};
use crate::tui::overlay;
use crate::tui::panes::PANES;
use crate::tui::panes::pack::{self, Stage};

/// Ranks the task now.
pub fn submit(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    finish_typing(model);
    save_to_history(model, effects);
    trail::reopen(model, effects);
    ranking::submit(model, now, effects);
}

/// Leaves the task line for the list.
pub fn leave(model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
    finish_typing(model);
    model.focus = Focus::Pane(pack::ID);
}

/// Begins another task in the empty task line.
pub fn new_task(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    if !model.task.is_empty() {
        replace(model, "", now, effects);
    }
    model.focus = Focus::Task;
}

/// Undoes or redoes an edit.
pub fn undo(model: &mut Model, back: bool, now: Instant, effects: &mut Vec<Effect>) {
    match if back { model.task.undo() } else { model.task.redo() } {
        true => {
            let is_back = |edited: &mut Box<Edited>| edited.before.line.text == model.task.input.value();
            if let Some(edited) = model.task.edited.take_if(is_back) {
                (model.task.options, model.task.trail) = (edited.before.options, edited.before.trail);
            }
            ranking::task_changed(model, now, effects);
        }
        false => model.show_message(if back { "nothing to undo" } else { "nothing to redo" }),
    }
}

/// Remembers the task whose text was deleted whole before another one was typed.
fn finish_typing(model: &mut Model) {
    if !model.task.is_empty()
        && let Some(edited) = model.task.edited.take().filter(|edited| edited.is_deleted)
    {
        remember(model, edited.before);
    }
}

/// Adds the task to the history if it is ranked, before another text replaces it.
fn save_if_ranked(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.panes.pack.stage == Stage::Full && !model.panes.pack.stale {
        save_to_history(model, effects);
    }
}

/// Adds the task to the history.
pub fn save_to_history(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.text().to_owned();
    if model.history.add(&task) {
        effects.push(Effect::Remember(task));
    }
}

/// Replaces the task by a text and ranks at once.
pub fn replace(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let text = last_bytes(&clean(text), MAX_TASK_BYTES).to_owned();
    begin(model, EntryPoint::Text, tui_input::Input::new(text), now, effects);
}

/// Begins another whole task, with nothing pinned or dropped yet, and ranks at once. The focus is where its places are; in
/// the task line the next letter would change it. The jump list, and undoing, lead back to the task before.
pub fn begin(
    model: &mut Model,
    entry_point: EntryPoint,
    input: tui_input::Input,
    now: Instant,
    effects: &mut Vec<Effect>,
) {
    save_if_ranked(model, effects);
    let deleted = model.task.edited.take().filter(|edited| edited.is_deleted);
    let before = deleted.map_or_else(|| TaskState::new(&model.task), |edited| edited.before);
    model.task.replace(entry_point, input);
    (model.task.options, model.task.trail) = Default::default();
    trail::reopen(model, effects);
    begun(model, before);
    // There is nothing to compare the places of another task with.
    model.panes.pack.reset_baseline();
    changed(model, now, effects);
}

/// Moves the focus to the list of a task that has just begun, and remembers the one before.
pub fn begun(model: &mut Model, before: TaskState) {
    remember(model, before);
    match model.task.is_empty() {
        true => model.focus = Focus::Task,
        false => navigation::focus_pane(model, pack::ID),
    }
}

/// Remembers the task before the present one, for the jump list and for undoing.
fn remember(model: &mut Model, before: TaskState) {
    let (after, selected) = (TaskState::new(&model.task), model.panes.pack.selected_symbol());
    let selected = selected.map(|packed| packed.symbol.id);
    if !before.is_empty() && before != after {
        model.jump_list.push(Place::Task(before.clone(), selected));
        model.feedback.undone.clear();
        model.feedback.done.push(UndoEntry::Task { before: Box::new(before), after: Box::new(after) });
        let key = model.keymap.key_of(Context::Normal, Command::GoBack);
        // The focus moves to the empty task line, where the key is a letter.
        let leave = model.task.is_empty().then(|| model.keymap.key_of(Context::Task, Command::LeaveTask) + " ");
        model.show_message(format!("{}{key} goes back to the task before", leave.unwrap_or_default()));
    }
}

/// Goes back, or forward, to a task that the jump list has; then the symbol that was selected is again.
pub fn go_to(model: &mut Model, state: TaskState, selected: Option<SymbolId>, now: Instant, effects: &mut Vec<Effect>) {
    save_if_ranked(model, effects);
    let feedback = &mut model.feedback;
    // The same step can be undone and redone.
    if let Some(change) = feedback.done.pop_if(|change| change.is_from(&state)) {
        feedback.undone.push(change);
    } else if let Some(change) = feedback.undone.pop_if(|change| change.is_to(&state)) {
        feedback.done.push(change);
    }
    state.restore(&mut model.task);
    navigation::focus_pane(model, pack::ID);
    model.panes.pack.awaited = selected;
    model.panes.pack.reset_baseline();
    changed(model, now, effects);
}

/// Ranks a changed task at once.
pub fn changed(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    if model.task.entry_point != EntryPoint::Text {
        return ranking::rerank(model, now, effects);
    }
    ranking::task_changed(model, now, effects);
    ranking::start_full(model, now, effects);
}

/// Replaces control characters except line breaks by blanks.
fn without_control(letter: char) -> char {
    if letter.is_control() && letter != '\n' { ' ' } else { letter }
}

/// Ranks an example while there is no task. With a task the terminal has joined a quick Esc and a digit: they leave the
/// field for a pane.
pub fn take_example(model: &mut Model, index: usize, now: Instant, effects: &mut Vec<Effect>) {
    if !model.task.is_empty() {
        if let Some(pane) = index.checked_sub(1).and_then(|pane| PANES.get(pane)) {
            navigation::focus_pane(model, pane.id());
        }
        return;
    }
    match model.examples.tasks.get(index).cloned() {
        Some(example) => replace(model, &example, now, effects),
        None => model.show_message("no such example"),
    }
}

/// Edits the text field of the window on top, else the task line.
pub fn edit(model: &mut Model, request: InputRequest, now: Instant, effects: &mut Vec<Effect>) {
    let change = |field: &mut tui_input::Input| {
        field.handle(request);
    };
    if overlay::edit_input(model, change, now, effects) {
        return;
    }
    let inserts = matches!(request, InputRequest::InsertChar(_));
    if std::mem::take(&mut model.task.is_selected) && (inserts || deletes(request)) {
        edit(model, InputRequest::DeleteLine, now, effects);
        if !inserts {
            return;
        }
    }
    if edit_kind(request) == EditKind::Many {
        save_if_ranked(model, effects);
    }
    let (state, text) = (TaskState::new(&model.task), model.task.text().to_owned());
    if !model.task.input.handle(request).is_some_and(|change| change.value) {
        model.task.edits.end_step();
        return;
    }
    model.task.entry_point = EntryPoint::Text;
    let is_other = model.task.text() != text || state.line.entry_point != EntryPoint::Text;
    model.task.edits.push(state.line.clone(), edit_kind(request));
    let is_deleted = model.task.is_empty() && !state.is_empty();
    let edited = model.task.edited.get_or_insert_with(|| Box::new(Edited { before: state, is_deleted: false }));
    if is_deleted {
        edited.is_deleted = true;
        (model.task.options, model.task.trail) = Default::default();
    }
    if is_other {
        ranking::task_changed(model, now, effects);
    }
}

/// Returns whether an edit deletes what is selected.
fn deletes(request: InputRequest) -> bool {
    use InputRequest as Key;
    matches!(
        request,
        Key::DeletePrevChar
            | Key::DeleteNextChar
            | Key::DeletePrevWord
            | Key::DeleteNextWord
            | Key::DeleteFromStart
            | Key::DeleteTillEnd
            | Key::DeleteLine
    )
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

/// Limit of a task in bytes, as on the command line.
const MAX_TASK_BYTES: usize = 1 << 20;
/// Limit of what is pasted into the text field of a window, in characters.
const MAX_FIELD_PASTE: usize = 1_000;
/// A paste of more lines than the task box shows is confirmed.
const MAX_SILENT_LINES: usize = 4;

/// Inserts text from the terminal's clipboard and ranks at once.
pub fn paste(model: &mut Model, text: &str, now: Instant, effects: &mut Vec<Effect>) {
    let text = clean(text);
    // The end of the last pasted line begins no new one.
    let text = text.trim_end_matches('\n');
    let into_field = |field: &mut tui_input::Input| {
        let text: String = text.chars().take(MAX_FIELD_PASTE).collect();
        *field = inserted(field, &text);
    };
    if overlay::edit_input(model, into_field, now, effects) {
        return;
    }
    let is_new = model.focus != Focus::Task || model.task.is_selected;
    let before = if is_new { tui_input::Input::default() } else { model.task.input.clone() };
    let room = MAX_TASK_BYTES.saturating_sub(before.value().len());
    let kept = last_bytes(text, room);
    let lines = kept.lines().count();
    if kept.len() < text.len() {
        model.show_error("the start of the paste was cut: a task has at most 1 MB");
    } else if lines > MAX_SILENT_LINES {
        model.show_message(format!("pasted {lines} lines"));
    }
    let input = inserted(&before, kept);
    if is_new {
        // The field is not edited: what is pasted is a task of its own.
        return begin(model, EntryPoint::Text, input, now, effects);
    }
    if before.value().is_empty() {
        model.panes.pack.reset_baseline();
    }
    model.task.replace(EntryPoint::Text, input);
    changed(model, now, effects);
}

/// Returns the field with a text at its cursor.
fn inserted(field: &tui_input::Input, text: &str) -> tui_input::Input {
    let (value, cursor) = (field.value(), field.cursor());
    let at = value.char_indices().nth(cursor).map_or(value.len(), |(at, _)| at);
    let cursor = cursor + text.chars().count();
    tui_input::Input::new([&value[..at], text, &value[at..]].concat()).with_cursor(cursor)
}

/// Returns the text with line breaks of one kind, without escape sequences and other control characters.
pub fn clean(text: &str) -> String {
    without_escapes(text).replace("\r\n", "\n").replace('\r', "\n").chars().map(without_control).collect()
}

/// Returns the end of a text, at most `bytes` long: the error of a log is at its end.
fn last_bytes(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
