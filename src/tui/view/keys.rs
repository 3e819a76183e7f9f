//! The key help: every binding of the registry, filtered as the user types, runnable with Enter.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Clear, Widget};

use super::super::help;
use super::super::theme::Slot;
use super::{Canvas, text};
use crate::text::display::safe;

pub fn draw(canvas: &mut Canvas<'_>) {
    let Some(keys) = &canvas.model.keys else { return };
    let screen = canvas.buffer.area;
    let width = screen.width.saturating_sub(4).min(78);
    let height = screen.height.saturating_sub(2).min(36);
    let area = Rect { x: (screen.width - width) / 2, y: (screen.height - height) / 2, width, height };
    let lines = help::key_lines(&keys.filter);
    let glyphs = &canvas.model.skin.glyphs;
    Clear.render(area, canvas.buffer);
    let title = format!(" keys {} {} ", glyphs.dot, text::count(lines.len(), "binding"));
    Block::new()
        .borders(Borders::ALL)
        .border_set(glyphs.border_focused)
        .border_style(canvas.style(Slot::BorderFocused))
        .title(Line::styled(title, canvas.style(Slot::Heading)))
        .title(Line::styled(" type to filter, @ by key ", canvas.style(Slot::Dim)).right_aligned())
        .render(area, canvas.buffer);
    let inner = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    };
    let filter = Line::from(vec![
        canvas.span(Slot::Prompt, format!(" {} ", glyphs.prompt)),
        canvas.span(Slot::Text, safe(&keys.filter)),
        canvas.span(Slot::Prompt, glyphs.selection),
    ]);
    canvas.line(Canvas::row(inner, 0), &filter);
    let room = (inner.height as usize).saturating_sub(1);
    let first = (keys.selected + 1).saturating_sub(room);
    for (row, line) in lines.iter().enumerate().skip(first).take(room) {
        let place = Canvas::row(inner, 1 + row - first);
        let marker = if row == keys.selected { glyphs.selection } else { " " };
        let drawn = Line::from(vec![
            canvas.span(Slot::Prompt, marker),
            canvas.span(Slot::Dim, text::pad(line.context.name(), 11)),
            canvas.span(Slot::HintKey, text::pad(&line.keys, 15)),
            canvas.span(Slot::Text, text::pad(line.entry.title, 34)),
            canvas.span(Slot::Dim, line.entry.name),
        ]);
        canvas.line(place, &drawn);
        if row == keys.selected {
            canvas.buffer.set_style(place, canvas.style(Slot::Selection));
        }
    }
}
