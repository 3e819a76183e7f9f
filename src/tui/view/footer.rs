//! Draws the last line: message, and hints for keys, which can be clicked: how to act, copy, open and quit.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Widget};

use super::{Canvas, text};
use crate::text::display::safe;
use crate::tui::command::{Command, CommandSpec, Context, commands};
use crate::tui::keymap::{Bound, shown};
use crate::tui::layout::Areas;
use crate::tui::model::{Focus, Model};
use crate::tui::panes::pane;
use crate::tui::theme::Slot;
use crate::tui::{action, overlay};

/// Draws the last line.
pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let area = areas.footer;
    if area.is_empty() {
        return;
    }
    let model = canvas.model;
    let footer = Footer::new(model, area.width as usize);
    let mut spans = Vec::new();
    if let Some((slot, message)) = footer.message {
        spans.push(canvas.span(slot, message));
        if !footer.hints.is_empty() {
            spans.push(canvas.span(Slot::HintText, format!("{} ", model.appearance.glyphs.separator)));
        }
    }
    for hint in footer.hints {
        spans.push(canvas.span(Slot::HintKey, format!(" {}", hint.label())));
        spans.push(canvas.span(Slot::HintText, format!(" {} ", hint.word)));
    }
    canvas.line(area, &Line::from(spans));
}

/// Returns the command of the hint in this column of the last line: that of the key there, or the first of the hint.
pub fn command_at(model: &Model, column: u16) -> Option<Bound> {
    let areas = model.areas();
    let footer = Footer::new(model, areas.footer.width as usize);
    let mut x = footer.message.as_ref().map_or(0, |(_, message)| text::width(message) + 2);
    let column = column as usize;
    for hint in &footer.hints {
        let end = x + hint.columns();
        if (x..end).contains(&column) {
            let mut key_end = x + 1;
            let own = hint.keys.iter().find(|(keys, _)| {
                key_end += text::width(keys) + 1;
                column < key_end
            });
            return own.or(hint.keys.first()).and_then(|(_, bound)| bound.clone());
        }
        x = end;
    }
    None
}

/// The content of the last line.
struct Footer {
    message: Option<(Slot, String)>,
    hints: Vec<Hint>,
}

impl Footer {
    fn new(model: &Model, width: usize) -> Footer {
        let contexts = action::contexts(model);
        let mut room = width;
        let message = model.message.as_ref().map(|message| {
            // Errors are recognizable without colors.
            let (slot, mark) = if message.is_error { (Slot::Error, "error: ") } else { (Slot::Info, "") };
            let words = format!(" {mark}{}", safe(&message.text));
            let ellipsis = model.appearance.glyphs.ellipsis;
            let dot = model.appearance.glyphs.dot;
            (slot, text::fit_title(&words, room.saturating_sub(1), dot, ellipsis) + " ")
        });
        room = room.saturating_sub(message.as_ref().map_or(0, |(_, message)| text::width(message) + 2));
        Footer { hints: fitting(hints(model, &contexts), room), message }
    }
}

/// A hint: keys with their commands, and the word for what they do.
struct Hint {
    keys: Vec<(String, Option<Bound>)>,
    word: String,
    /// Whether the keys show all other keys, or quit: these are always named.
    is_help: bool,
    /// Whether it is about what was just done, and so comes before help.
    is_urgent: bool,
}

impl Hint {
    fn new(keys: String, bound: Option<Bound>, word: String) -> Hint {
        let is_help = bound
            .as_ref()
            .is_some_and(|bound| matches!(bound.command, Command::Help | Command::Quit | Command::Cancel));
        Hint { keys: vec![(keys, bound)], word, is_help, is_urgent: false }
    }

    /// Returns the keys with blanks between them.
    fn label(&self) -> String {
        self.keys.iter().map(|(keys, _)| keys.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn columns(&self) -> usize {
        text::width(&self.label()) + text::width(&self.word) + 3
    }
}

/// Returns as many hints as fit into `room`, with the hints for help last. An urgent one takes the place of help.
fn fitting(hints: Vec<Hint>, room: usize) -> Vec<Hint> {
    let (mut help, others): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(|hint| hint.is_help);
    let urgent: usize = others.iter().filter(|hint| hint.is_urgent).map(Hint::columns).sum();
    while urgent > 0 && urgent + help.iter().map(Hint::columns).sum::<usize>() > room && help.pop().is_some() {}
    let reserved: usize = help.iter().map(Hint::columns).sum();
    let mut left = room.saturating_sub(reserved);
    let mut shown = Vec::new();
    for hint in others {
        let Some(rest) = left.checked_sub(hint.columns()) else { break };
        left = rest;
        shown.push(hint);
    }
    if reserved <= room {
        shown.extend(help);
    }
    shown
}

/// Returns the hints of the contexts, nearest first, in the order of the registry; after a prefix, its continuations.
/// Commands of one context with the same word share a hint, such as `< > budget`. Commands that would do nothing now
/// are not hinted at.
fn hints(model: &Model, contexts: &[Context]) -> Vec<Hint> {
    let (keymap, pending) = (&model.keymap, &model.pending);
    if !pending.keys.is_empty() {
        let next = keymap.continuations(contexts, &pending.keys).into_iter();
        return next.map(|(key, word)| Hint::new(key.to_string(), None, word)).collect();
    }
    let mut hints: Vec<Hint> = Vec::new();
    // The last action can be undone. After a message about something else, the key would undo an older one.
    let is_change = model.message.as_ref().is_some_and(|message| message.text == model.feedback.announced);
    if is_change && contexts.contains(&Context::Normal) {
        add(&mut hints, model, Context::Normal, Command::Undo.spec(), Command::Undo.spec().hint, 0);
        hints.iter_mut().for_each(|hint| hint.is_urgent = true);
    }
    if let (Focus::Pane(id), true) = (model.focus, model.overlays.is_empty()) {
        for (name, word) in pane(id).hints() {
            let Some(spec) = commands().find(|spec| spec.name == *name) else { continue };
            let of_pane = !model.keymap.keys_of(Context::Pane(id), spec.command).is_empty();
            let context = if of_pane { Context::Pane(id) } else { Context::Normal };
            add(&mut hints, model, context, spec, word, 0);
        }
    }
    for context in contexts {
        let first = hints.len();
        for spec in commands().filter(|spec| !spec.hint.is_empty()) {
            let word = overlay::hint(model, spec);
            if !word.is_empty() {
                add(&mut hints, model, *context, spec, word, first);
            }
        }
    }
    hints
}

/// Adds the key of a command in a context to the hint with its word, or as a new hint, if the command does something
/// now. Hints before `first` are of a nearer context, which has the word.
fn add(hints: &mut Vec<Hint>, model: &Model, context: Context, spec: &CommandSpec, word: &str, first: usize) {
    let bindings = model.keymap.bindings(context);
    let Some(listed) = bindings.into_iter().find(|listed| listed.bound.command == spec.command) else { return };
    if (spec.disabled)(model).is_some() {
        return;
    }
    let keys = shown(&listed.keys);
    match hints.iter().position(|hint| hint.word == word) {
        Some(index) if index >= first => hints[index].keys.push((keys, Some(listed.bound))),
        Some(_) => {}
        None => hints.push(Hint::new(keys, Some(listed.bound), word.to_owned())),
    }
}

/// Columns of a key and its label.
const COLUMN: usize = 38;

/// Draws the list at the bottom of the screen once its delay has passed.
pub fn draw_continuations(canvas: &mut Canvas<'_>) {
    let model = canvas.model;
    if !model.pending.shown {
        return;
    }
    let next = model.keymap.continuations(&action::contexts(model), &model.pending.keys);
    let screen = canvas.buffer.area;
    let inside = (screen.width as usize).saturating_sub(4);
    let columns = (inside / COLUMN).clamp(1, next.len().max(1));
    let rows = next.len().div_ceil(columns);
    let height = ((rows + 2) as u16).min(screen.height.saturating_sub(1));
    let area = Rect { x: 0, y: screen.height.saturating_sub(1 + height), width: screen.width, height };
    if area.height < 3 || area.width < 12 {
        return;
    }
    let glyphs = &model.appearance.glyphs;
    canvas.clear(area);
    Block::new()
        .borders(Borders::ALL)
        .border_set(glyphs.border_focused)
        .border_style(canvas.style(Slot::BorderFocused))
        .title(Line::styled(
            format!(" {} {} ", shown(&model.pending.keys), glyphs.ellipsis),
            canvas.style(Slot::Heading),
        ))
        .title(Line::styled(" Esc cancel, Backspace back, ? all keys ", canvas.style(Slot::Dim)).right_aligned())
        .render(area, canvas.buffer);
    let width = inside / columns;
    for (index, (key, words)) in next.iter().enumerate() {
        let (column, row) = (index / rows, index % rows);
        let line = Line::from(vec![
            canvas.span(Slot::HintKey, text::pad(&key.to_string(), 4)),
            canvas.span(Slot::HintText, text::fit(words, width.saturating_sub(6), glyphs.ellipsis).into_owned()),
        ]);
        let x = area.x + 2 + (column * width) as u16;
        let y = area.y + 1 + row as u16;
        if y + 1 < area.y + area.height {
            canvas.line(Rect { x, y, width: width as u16, height: 1 }, &line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;
    use crate::tui::panes::{pack, source};

    fn words(hints: &[Hint]) -> Vec<&str> {
        hints.iter().map(|hint| hint.word.as_str()).collect()
    }

    #[test]
    fn help_is_shown_before_other_hints() {
        let hints = || {
            let hint = |keys: &str, word: &str, is_help| Hint {
                keys: vec![(keys.to_owned(), None)],
                word: word.to_owned(),
                is_help,
                is_urgent: false,
            };
            vec![hint("i", "task", false), hint("?", "keys", true), hint("x", "drop", false)]
        };
        let words = |hints: Vec<Hint>| hints.into_iter().map(|hint| hint.word).collect::<Vec<_>>();
        let fit = |room| words(fitting(hints(), room));
        assert_eq!(fit(24), ["task", "drop", "keys"]);
        assert_eq!(fit(23), ["task", "keys"]);
        assert_eq!(fit(8), ["keys"]);
        assert!(fit(7).is_empty());

        let urgent = |room| {
            let mut hints = hints();
            hints[0].is_urgent = true;
            words(fitting(hints, room))
        };
        assert_eq!(urgent(24), ["task", "drop", "keys"]);
        assert_eq!(urgent(16), ["task", "keys"]);
        assert_eq!(urgent(15), ["task"], "undo is more use than help right after a change");
        assert!(urgent(7).is_empty());
    }

    #[test]
    fn hints_are_of_commands_that_work_now() {
        let mut model = fixture::model(160, 40);
        model.focus = Focus::Pane(pack::ID);
        let empty = Footer::new(&model, 300);
        for row_hint in ["useful", "keep", "undo", "read", "copy", "edit"] {
            assert!(!words(&empty.hints).contains(&row_hint), "{row_hint} on an empty list");
        }
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        let listed = Footer::new(&model, 300);
        for hint in ["read", "edit", "copy", "useful", "why", "task", "keep", "keys", "quit"] {
            assert!(words(&listed.hints).contains(&hint), "{hint}: {:?}", words(&listed.hints));
        }
        model.focus = Focus::Pane(source::ID);
        let hints = Footer::new(&model, 300).hints;
        let labels: Vec<String> = hints.iter().take(5).map(Hint::label).collect();
        assert_eq!(labels, ["e", "yl", "} {", "gd", "gr"]);
        for width in [80, 100, 120] {
            for focus in [Focus::Task, Focus::Pane(pack::ID), Focus::Pane(source::ID)] {
                model.focus = focus;
                let footer = Footer::new(&model, width);
                assert_eq!(words(&footer.hints)[footer.hints.len() - 2..], ["keys", "quit"], "{width} {focus:?}");
            }
        }
    }

    #[test]
    fn undo_is_hinted_at_after_a_change_only() {
        let mut model = fixture::model(80, 24);
        model.focus = Focus::Pane(pack::ID);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        let symbol = model.panes.pack.symbols[0].symbol.clone();
        let (before, after) = (crate::engine::Vote::Clear, crate::engine::Vote::Useful);
        let task = "fix it".to_owned();
        model.feedback.done.push(crate::tui::model::feedback::UndoEntry::Vote { task, symbol, before, after });
        model.feedback.announced = "✓ subscribeForRetry useful +0.350, as it was · #2 → #1".to_owned();
        model.show_message(model.feedback.announced.clone());
        assert_eq!(words(&Footer::new(&model, 80).hints).first(), Some(&"undo"));
        model.show_message("run 6 has mark a");
        assert_ne!(words(&Footer::new(&model, 80).hints).first(), Some(&"undo"));
    }

    #[test]
    fn a_click_runs_the_key_below_the_pointer() {
        let mut model = fixture::model(160, 40);
        model.focus = Focus::Pane(pack::ID);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(160, 40)).unwrap();
        terminal.draw(|frame| super::super::view(&model, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let line: String = (0..160).map(|x| buffer[(x, 39)].symbol()).collect();
        let at = |words: &str, offset: usize| {
            let start = line.find(words).unwrap_or_else(|| panic!("{words}: {line}"));
            command_at(&model, (start + offset) as u16).map(|bound| bound.command)
        };
        assert_eq!(at("+ useful", 0), Some(Command::VoteUp));
        assert_eq!(at("Space keep", 7), Some(Command::Pin));
        assert_eq!(at("? keys", 3), Some(Command::Help));
    }
}
