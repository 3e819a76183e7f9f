//! Draws the keys that may follow an incomplete sequence.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Widget};

use super::{Canvas, text};
use crate::tui::action;
use crate::tui::keymap::shown;
use crate::tui::theme::Slot;

/// Columns of a key and its label.
const COLUMN: usize = 38;

/// Draws the list at the bottom of the screen once its delay has passed.
pub fn draw(canvas: &mut Canvas<'_>) {
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
