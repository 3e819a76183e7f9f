//! Draws the last line: mode, message, and hints for keys.

use ratatui::text::Line;

use super::{Canvas, text};
use crate::text::display::safe;
use crate::tui::action;
use crate::tui::command::{Command, Context, commands};
use crate::tui::keymap::shown;
use crate::tui::layout::Areas;
use crate::tui::theme::Slot;

/// Draws the last line.
pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let area = areas.footer;
    if area.is_empty() {
        return;
    }
    let model = canvas.model;
    let contexts = action::contexts(model);
    let mode = if contexts.contains(&Context::Field) { "TYPE" } else { "NORMAL" };
    let mut spans = vec![canvas.span(Slot::Mode, format!(" {mode} ")), canvas.span(Slot::HintText, " ")];
    if let Some(message) = &model.message {
        // Errors are recognizable without colors.
        let (slot, mark) = if message.is_error { (Slot::Error, "error: ") } else { (Slot::Info, "") };
        let text = format!(" {mark}{}", safe(&message.text));
        // The mode is before it, a blank after it.
        let room = (area.width as usize).saturating_sub(mode.len() + 4);
        let text = text::fit(&text, room, model.appearance.glyphs.ellipsis).into_owned();
        spans.push(canvas.span(slot, text + " "));
        spans.push(canvas.span(Slot::HintText, format!("{} ", model.appearance.glyphs.separator)));
    }
    let room = (area.width as usize).saturating_sub(Line::from(spans.clone()).width());
    for (key, word) in fitting(hints(canvas, &contexts), room) {
        spans.push(canvas.span(Slot::HintKey, format!(" {key}")));
        spans.push(canvas.span(Slot::HintText, format!(" {word}  ")));
    }
    canvas.line(area, &Line::from(spans));
}

/// A hint: keys and the word for what they do.
struct Hint {
    keys: String,
    word: String,
    /// Whether the keys show all other keys or commands.
    is_help: bool,
}

/// Returns as many hints as fit into `room`, with the hints for help last.
fn fitting(hints: Vec<Hint>, room: usize) -> Vec<(String, String)> {
    let needed = |hint: &Hint| text::width(&hint.keys) + text::width(&hint.word) + 4;
    let (help, others): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(|hint| hint.is_help);
    let reserved: usize = help.iter().map(needed).sum();
    let mut left = room.saturating_sub(reserved);
    let mut shown = Vec::new();
    for hint in others {
        let Some(rest) = left.checked_sub(needed(&hint)) else { break };
        left = rest;
        shown.push(hint);
    }
    if reserved <= room {
        shown.extend(help);
    }
    shown.into_iter().map(|hint| (hint.keys, hint.word)).collect()
}

/// Returns the hints of the contexts, nearest first, in the order of the registry; after a prefix, its continuations.
/// Commands of one context with the same word share a hint, such as `< > budget`.
fn hints(canvas: &Canvas<'_>, contexts: &[Context]) -> Vec<Hint> {
    let (keymap, pending) = (&canvas.model.keymap, &canvas.model.pending);
    if !pending.keys.is_empty() {
        let next = keymap.continuations(contexts, &pending.keys).into_iter();
        return next.map(|(key, word)| Hint { keys: key.to_string(), word, is_help: false }).collect();
    }
    let mut hints: Vec<Hint> = Vec::new();
    for context in contexts {
        let bindings = keymap.bindings(*context);
        let first = hints.len();
        for entry in commands().filter(|entry| !entry.hint.is_empty()) {
            let Some(bound) = bindings.iter().find(|listed| listed.bound.command == entry.command) else { continue };
            let keys = shown(&bound.keys);
            let word = crate::tui::overlay::hint(canvas.model, entry).to_owned();
            match hints.iter().position(|hint| hint.word == word) {
                Some(index) if index >= first => hints[index].keys = format!("{} {keys}", hints[index].keys),
                // A nearer context has the word.
                Some(_) => {}
                None => {
                    let is_help = matches!(entry.command, Command::Help | Command::Palette);
                    hints.push(Hint { keys, word, is_help });
                }
            }
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::{Hint, fitting};

    #[test]
    fn help_is_shown_before_other_hints() {
        let hints = || {
            let hint = |keys: &str, word: &str, is_help| Hint { keys: keys.into(), word: word.into(), is_help };
            vec![hint("i", "task", false), hint("?", "keys", true), hint("x", "drop", false)]
        };
        let words = |room| fitting(hints(), room).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(words(27), ["task", "drop", "keys"]);
        assert_eq!(words(26), ["task", "keys"]);
        assert_eq!(words(9), ["keys"]);
        assert!(words(8).is_empty());
    }
}
