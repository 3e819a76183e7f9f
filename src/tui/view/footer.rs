//! The last line: mode, message, and what the keys do here.

use ratatui::text::Line;

use super::super::action;
use super::super::command::{COMMANDS, Context};
use super::super::keymap::shown;
use super::super::layout::Areas;
use super::super::theme::Slot;
use super::{Canvas, text};
use crate::text::display::safe;

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
        // Words, not only a colour, say that something went wrong.
        let (slot, mark) = if message.is_error { (Slot::Error, "error: ") } else { (Slot::Info, "") };
        spans.push(canvas.span(slot, format!(" {mark}{} ", safe(&message.text))));
        spans.push(canvas.span(Slot::HintText, format!("{} ", model.skin.glyphs.separator)));
    }
    let mut room = (area.width as usize).saturating_sub(Line::from(spans.clone()).width());
    for (key, word) in hints(canvas, &contexts) {
        let needed = text::width(&key) + text::width(&word) + 4;
        if needed > room {
            break;
        }
        room -= needed;
        spans.push(canvas.span(Slot::HintKey, format!(" {key}")));
        spans.push(canvas.span(Slot::HintText, format!(" {word}  ")));
    }
    canvas.line(area, &Line::from(spans));
}

/// Keys and words, most useful first; after a prefix, what may follow it.
fn hints(canvas: &Canvas<'_>, contexts: &[Context]) -> Vec<(String, String)> {
    let (keymap, pending) = (&canvas.model.keymap, &canvas.model.pending);
    if !pending.keys.is_empty() {
        let next = keymap.continuations(contexts, &pending.keys);
        return next.into_iter().map(|(key, words)| (key.to_string(), words)).collect();
    }
    let mut hints: Vec<(String, String)> = Vec::new();
    for context in contexts {
        let bindings = keymap.bindings(*context);
        for entry in COMMANDS.iter().filter(|entry| !entry.hint.is_empty()) {
            let known = hints.iter().any(|(_, word)| word == entry.hint);
            let bound = bindings.iter().find(|listed| listed.bound.command == entry.command && !known);
            hints.extend(bound.map(|listed| (shown(&listed.keys), entry.hint.to_owned())));
        }
    }
    hints
}
