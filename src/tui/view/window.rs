//! The parts of windows: area, frame, text field, list.

use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Widget};
use tui_input::Input;

use super::{Canvas, text};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::fuzzy;
use crate::tui::theme::Slot;

/// Returns the middle of the screen, at most this large.
pub fn middle(screen: Size, columns: u16, rows: u16) -> Rect {
    let width = screen.width.saturating_sub(4).min(columns);
    let height = screen.height.saturating_sub(2).min(rows);
    Rect { x: (screen.width - width) / 2, y: (screen.height - height) / 2, width, height }
}

/// Returns rows of the whole width above the last line, at most half of the screen.
pub fn foot(screen: Size, rows: u16) -> Rect {
    let height = screen.height.saturating_sub(1).min(rows.min(MIN_FOOT.max(screen.height / 2)));
    Rect { x: 0, y: screen.height.saturating_sub(height + 1), width: screen.width, height }
}

/// Rows of such a window on the lowest screen.
const MIN_FOOT: u16 = 6;

/// Returns the area inside the frame of a window.
pub fn inside(area: Rect) -> Rect {
    let (width, height) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
    Rect { x: area.x.saturating_add(1), y: area.y.saturating_add(1), width, height }
}

/// Returns the area below a text field on the first row.
pub fn below_field(room: Rect) -> Rect {
    let field = room.height.min(1);
    Rect { y: room.y + field, height: room.height - field, ..room }
}

/// Clears an area and draws a frame. Returns the area inside.
pub fn open(canvas: &mut Canvas<'_>, area: Rect, title: &str, hint: &str) -> Rect {
    let width = area.width;
    let glyphs = &canvas.model.appearance.glyphs;
    canvas.clear(area);
    let title = text::fit_title(title, (width as usize).saturating_sub(4), glyphs.dot, glyphs.ellipsis);
    let room = (width as usize).saturating_sub(text::width(&title) + 8);
    let hint = text::fit_title(hint, room, glyphs.dot, glyphs.ellipsis);
    let mut block = Block::new()
        .borders(Borders::ALL)
        .border_set(glyphs.border_focused)
        .border_style(canvas.style(Slot::BorderFocused))
        .title(Line::styled(format!(" {title} "), canvas.style(Slot::Heading)));
    if !hint.is_empty() {
        block = block.title(Line::styled(format!(" {hint} "), canvas.style(Slot::Dim)).right_aligned());
    }
    block.render(area, canvas.buffer);
    inside(area)
}

/// Draws a text field with the cursor on the first row of `room`, and removes the row from `room`.
pub fn field(canvas: &mut Canvas<'_>, room: &mut Rect, input: &Input) {
    let row = Canvas::row(*room, 0);
    *room = below_field(*room);
    let prompt = Line::from(canvas.span(Slot::Prompt, format!(" {} ", canvas.model.appearance.glyphs.prompt)));
    canvas.line(row, &prompt);
    let text = Rect { x: row.x + 3.min(row.width), width: row.width.saturating_sub(4), ..row };
    let (shown, column) = visible(canvas, input, text.width as usize);
    let line = Line::from(canvas.span(Slot::Text, shown));
    canvas.line(text, &line);
    if !text.is_empty() {
        canvas.cursor = Some(Position { x: text.x + (column as u16).min(text.width), y: text.y });
    }
}

/// Returns the part of a text around its cursor, and the column of the cursor in it.
pub fn visible(canvas: &Canvas<'_>, input: &Input, columns: usize) -> (String, usize) {
    let glyphs = &canvas.model.appearance.glyphs;
    let clean = |part: &str| safe(&part.replace('\n', glyphs.newline)).into_owned();
    let letters: Vec<char> = input.value().chars().collect();
    let cursor = input.cursor().min(letters.len());
    let before = clean(&letters[..cursor].iter().collect::<String>());
    let after = clean(&letters[cursor..].iter().collect::<String>());
    let before = text::fit_end(&before, columns.saturating_sub(1), glyphs.ellipsis).into_owned();
    let column = text::width(&before);
    (text::fit(&format!("{before}{after}"), columns, glyphs.ellipsis).into_owned(), column)
}

/// Returns a text with the letters that a fuzzy pattern matches highlighted.
pub fn matched(canvas: &Canvas<'_>, slot: Slot, text: &str, pattern: &str) -> Vec<Span<'static>> {
    let matched = fuzzy::matched_letters(pattern, text);
    let plain = canvas.style(slot);
    let marked = canvas.style(Slot::HintKey).add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut last = None;
    for (index, letter) in text.chars().enumerate() {
        let is_matched = matched.binary_search(&index).is_ok();
        match spans.last_mut().filter(|_| last == Some(is_matched)) {
            Some(span) => span.content.to_mut().push(letter),
            None => spans.push(Span::styled(letter.to_string(), if is_matched { marked } else { plain })),
        }
        last = Some(is_matched);
    }
    spans
}

/// Returns the first visible of `len` lines.
fn first_row(room: Rect, selected: usize, len: usize) -> usize {
    if selected < len { (selected + 1).saturating_sub(room.height as usize) } else { 0 }
}

/// Returns the line of a list at a position of the screen.
pub fn line_at(room: Rect, selected: usize, len: usize, position: Position) -> Option<usize> {
    let row = room.contains(position).then(|| first_row(room, selected, len) + (position.y - room.y) as usize);
    row.filter(|row| *row < len)
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
    let first = first_row(room, selected, len);
    for row in first..len.min(first + height) {
        let area = Canvas::row(room, row - first);
        let marker = if row == selected { canvas.model.appearance.glyphs.selection } else { " " };
        let marker = Line::from(canvas.span(Slot::Prompt, marker));
        canvas.line(area, &marker);
        let drawn = line(canvas, row);
        canvas.line(Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area }, &drawn);
        if row == selected {
            canvas.select(area, true);
        }
    }
}

/// A row about a symbol: what stands before its name, and the line of its place.
pub struct SymbolRow<'a> {
    pub lead: Vec<Span<'static>>,
    pub symbol: &'a Symbol,
    pub line: u32,
}

/// The form of a list of symbols.
pub struct SymbolList<'a> {
    pub selected: usize,
    pub len: usize,
    /// Columns before the name.
    pub lead: usize,
    /// The text that filters the list.
    pub typed: &'a str,
}

/// Draws a list of symbols: the lead, the name with its container, and the place, which is a link.
pub fn symbols<'a>(
    canvas: &mut Canvas<'_>,
    room: Rect,
    form: &SymbolList<'_>,
    row: impl Fn(&Canvas<'_>, usize) -> SymbolRow<'a>,
) {
    let SymbolList { selected, len, lead, typed } = *form;
    let rest = (room.width as usize).saturating_sub(lead + 2);
    let names = rest / 2;
    list(canvas, room, selected, len, |canvas, index| {
        let glyphs = &canvas.model.appearance.glyphs;
        let SymbolRow { lead, symbol, line } = row(canvas, index);
        let place = match symbol.file.as_str() {
            "" => "external".to_owned(),
            file => format!("{}:{line}", safe(file)),
        };
        let name = match symbol.scope.as_str() {
            "" => safe(&symbol.name).into_owned(),
            scope => format!("{} {}{}", safe(&symbol.name), glyphs.container, safe(scope)),
        };
        let name = text::fit(&name, names, glyphs.ellipsis).into_owned();
        let mut spans = lead;
        spans.extend(matched(canvas, Slot::Name, &text::pad(&name, names + 1), typed));
        let place = text::fit_end(&place, rest - names, glyphs.ellipsis).into_owned();
        spans.push(canvas.span(Slot::Location, place));
        Line::from(spans)
    });
    let first = first_row(room, selected, len);
    for index in first..len.min(first + room.height as usize) {
        let SymbolRow { symbol, line, .. } = row(canvas, index);
        let area = Canvas::row(room, index - first);
        let start = ((lead + names + 2) as u16).min(area.width);
        canvas.link(Rect { x: area.x + start, width: area.width - start, ..area }, &symbol.file, line);
    }
}
