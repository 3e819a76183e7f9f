//! The parts that windows on top of the panes are drawn from: frame, text field, list.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Clear, Widget};
use tui_input::Input;

use super::super::theme::Slot;
use super::{Canvas, text};
use crate::text::display::safe;

/// Clears the middle of the screen and draws a frame there, at most so large; gives back the room inside.
pub fn open(canvas: &mut Canvas<'_>, columns: u16, rows: u16, title: &str, hint: &str) -> Rect {
    let screen = canvas.buffer.area;
    let width = screen.width.saturating_sub(4).min(columns);
    let height = screen.height.saturating_sub(2).min(rows);
    let area = Rect { x: (screen.width - width) / 2, y: (screen.height - height) / 2, width, height };
    framed(canvas, area, title, hint)
}

/// Does the same over the whole width at the foot of the screen, above the last line: what is above stays in sight.
pub fn sheet(canvas: &mut Canvas<'_>, rows: u16, title: &str, hint: &str) -> Rect {
    let screen = canvas.buffer.area;
    let height = screen.height.saturating_sub(1).min(rows);
    let area = Rect { x: 0, y: screen.height.saturating_sub(height + 1), width: screen.width, height };
    framed(canvas, area, title, hint)
}

fn framed(canvas: &mut Canvas<'_>, area: Rect, title: &str, hint: &str) -> Rect {
    let width = area.width;
    let glyphs = &canvas.model.skin.glyphs;
    Clear.render(area, canvas.buffer);
    canvas.buffer.set_style(area, canvas.style(Slot::Text));
    let title = text::fit(title, (width as usize).saturating_sub(4), glyphs.ellipsis);
    let room = (width as usize).saturating_sub(text::width(&title) + 8);
    let hint = text::fit(hint, room, glyphs.ellipsis);
    let mut block = Block::new()
        .borders(Borders::ALL)
        .border_set(glyphs.border_focused)
        .border_style(canvas.style(Slot::BorderFocused))
        .title(Line::styled(format!(" {title} "), canvas.style(Slot::Heading)));
    if !hint.is_empty() {
        block = block.title(Line::styled(format!(" {hint} "), canvas.style(Slot::Dim)).right_aligned());
    }
    block.render(area, canvas.buffer);
    Rect { x: area.x + 1, y: area.y + 1, width: area.width.saturating_sub(2), height: area.height.saturating_sub(2) }
}

/// Draws a text field on the first row of `room` and takes the row from it; the terminal's cursor stands in it.
pub fn field(canvas: &mut Canvas<'_>, room: &mut Rect, input: &Input) {
    let place = Canvas::row(*room, 0);
    let rest = place.height;
    room.y += rest;
    room.height -= rest;
    let prompt = Line::from(canvas.span(Slot::Prompt, format!(" {} ", canvas.model.skin.glyphs.prompt)));
    canvas.line(place, &prompt);
    let text = Rect { x: place.x + 3.min(place.width), width: place.width.saturating_sub(4), ..place };
    let (shown, column) = visible(canvas, input, text.width as usize);
    let line = Line::from(canvas.span(Slot::Text, shown));
    canvas.line(text, &line);
    if !text.is_empty() {
        canvas.cursor = Some(Position { x: text.x + (column as u16).min(text.width), y: text.y });
    }
}

/// The part of a text around its cursor, and the cursor's column in it.
pub fn visible(canvas: &Canvas<'_>, input: &Input, columns: usize) -> (String, usize) {
    let glyphs = &canvas.model.skin.glyphs;
    let clean = |part: &str| safe(&part.replace('\n', glyphs.newline)).into_owned();
    let letters: Vec<char> = input.value().chars().collect();
    let cursor = input.cursor().min(letters.len());
    let before = clean(&letters[..cursor].iter().collect::<String>());
    let after = clean(&letters[cursor..].iter().collect::<String>());
    let before = text::fit_end(&before, columns.saturating_sub(1), glyphs.ellipsis).into_owned();
    let column = text::width(&before);
    (text::fit(&format!("{before}{after}"), columns, glyphs.ellipsis).into_owned(), column)
}

/// Draws `len` lines around the selected one.
pub fn list(
    canvas: &mut Canvas<'_>,
    room: Rect,
    selected: usize,
    len: usize,
    line: impl for<'canvas, 'frame> Fn(&'canvas Canvas<'frame>, usize) -> Line<'static>,
) {
    let height = room.height as usize;
    let first = if selected < len { (selected + 1).saturating_sub(height) } else { 0 };
    for row in first..len.min(first + height) {
        let place = Canvas::row(room, row - first);
        let marker = if row == selected { canvas.model.skin.glyphs.selection } else { " " };
        let marker = Line::from(canvas.span(Slot::Prompt, marker));
        canvas.line(place, &marker);
        let drawn = line(canvas, row);
        canvas.line(Rect { x: place.x + 1, width: place.width.saturating_sub(1), ..place }, &drawn);
        if row == selected {
            canvas.select(place, true);
        }
    }
}
