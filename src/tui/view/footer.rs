//! The last line: mode, message, and what the keys do here.

use ratatui::text::Line;

use super::{Canvas, text};
use crate::text::display::safe;
use crate::tui::action;
use crate::tui::command::{COMMANDS, Command, Context};
use crate::tui::keymap::shown;
use crate::tui::layout::Areas;
use crate::tui::theme::Slot;

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
        // Words, not only a color, say that something went wrong.
        let (slot, mark) = if message.is_error { (Slot::Error, "error: ") } else { (Slot::Info, "") };
        let text = format!(" {mark}{}", safe(&message.text));
        // The mode before it, a blank after it.
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

/// A key, the word for what it does, and whether it leads to everything else.
type Hint = (String, String, bool);

/// As many hints as there is room for. Those that lead to every other key have their place kept at the end.
fn fitting(hints: Vec<Hint>, room: usize) -> Vec<(String, String)> {
    let needed = |hint: &Hint| text::width(&hint.0) + text::width(&hint.1) + 4;
    let (last, first): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(|(_, _, leads)| *leads);
    let kept: usize = last.iter().map(needed).sum();
    let mut left = room.saturating_sub(kept);
    let mut shown = Vec::new();
    for hint in first {
        let Some(rest) = left.checked_sub(needed(&hint)) else { break };
        left = rest;
        shown.push(hint);
    }
    if kept <= room {
        shown.extend(last);
    }
    shown.into_iter().map(|(key, word, _)| (key, word)).collect()
}

/// Keys and words, most useful first; after a prefix, what may follow it.
fn hints(canvas: &Canvas<'_>, contexts: &[Context]) -> Vec<Hint> {
    let (keymap, pending) = (&canvas.model.keymap, &canvas.model.pending);
    if !pending.keys.is_empty() {
        let next = keymap.continuations(contexts, &pending.keys);
        return next.into_iter().map(|(key, words)| (key.to_string(), words, false)).collect();
    }
    let mut hints: Vec<Hint> = Vec::new();
    for context in contexts {
        let bindings = keymap.bindings(*context);
        for entry in COMMANDS.iter().filter(|entry| !entry.hint.is_empty()) {
            let known = hints.iter().any(|(_, word, _)| word == entry.hint);
            let leads = matches!(entry.command, Command::Help | Command::Palette);
            let bound = bindings.iter().find(|listed| listed.bound.command == entry.command && !known);
            hints.extend(
                bound.map(|listed| {
                    (shown(&listed.keys), crate::tui::overlay::hint(canvas.model, entry).to_owned(), leads)
                }),
            );
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn the_way_to_every_key_is_always_shown() {
        let hint = |key: &str, word: &str, leads| (key.to_owned(), word.to_owned(), leads);
        let all = vec![hint("i", "task", false), hint("?", "keys", true), hint("x", "drop", false)];
        let words = |room| fitting(all.clone(), room).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(words(27), ["task", "drop", "keys"]);
        assert_eq!(words(26), ["task", "keys"]);
        assert_eq!(words(9), ["keys"]);
        assert!(words(8).is_empty());
    }
}
