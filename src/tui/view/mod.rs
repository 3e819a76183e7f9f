//! Draws the model: header and task line, panes, last line, windows. The view changes nothing.

pub mod footer;
pub mod task_box;
#[cfg(test)]
mod tests;
pub mod text;
pub mod top;
pub mod window;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::layout::{Areas, Shape};
use super::links::Link;
use super::model::{Focus, Model};
use super::panes::{PANES, Pane};
use super::theme::Slot;

/// Draws the whole screen.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    view_with_links(model, frame);
}

/// Draws the whole screen. Returns the locations on it.
pub fn view_with_links(model: &Model, frame: &mut Frame<'_>) -> Vec<Link> {
    // The terminal was resized; the resize event draws the next frame.
    if frame.area().as_size() != model.size {
        return Vec::new();
    }
    let areas = model.areas();
    let canvas = &mut Canvas { buffer: frame.buffer_mut(), model, cursor: None, links: Vec::new() };
    canvas.buffer.set_style(canvas.buffer.area, model.appearance.theme.style(Slot::Text));
    top::draw(canvas, &areas);
    for separator in areas.separators() {
        let bar = Line::from(canvas.span(Slot::Border, model.appearance.glyphs.separator));
        (0..separator.height as usize).for_each(|row| canvas.line(Canvas::row(separator, row), &bar));
    }
    for pane in PANES {
        draw_pane(canvas, &areas, *pane);
    }
    footer::draw(canvas, &areas);
    for overlay in &model.overlays {
        canvas.cursor = None;
        overlay.window().draw(canvas);
    }
    footer::draw_continuations(canvas);
    let (cursor, links) = (canvas.cursor, std::mem::take(&mut canvas.links));
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
    links
}

/// Draws the title of a pane, and the pane below it.
fn draw_pane(canvas: &mut Canvas<'_>, areas: &Areas, pane: &dyn Pane) {
    let (area, content) = (areas.pane(pane.id()), areas.content(pane.id()));
    if area.is_empty() {
        return;
    }
    draw_title(canvas, areas, pane);
    if !content.is_empty() {
        pane.draw(canvas, content);
    }
}

/// Draws the title of a pane on a rule, with its sentence beside or below it, and its status at the right end. The title
/// of the pane in focus stands out, on terminals without colors too.
fn draw_title(canvas: &mut Canvas<'_>, areas: &Areas, pane: &dyn Pane) {
    let (id, model) = (pane.id(), canvas.model);
    let (area, rows) = (areas.pane(id), areas.title_rows(id));
    if rows == 0 {
        return;
    }
    let glyphs = &model.appearance.glyphs;
    let is_focused = model.focus == Focus::Pane(id);
    // Below the task line a rule separates nothing.
    let rule = match (area.y == areas.task.bottom() && areas.shape != Shape::Stacked, is_focused) {
        (true, _) => " ",
        (false, true) => glyphs.border_focused.horizontal_top,
        (false, false) => glyphs.border.horizontal_top,
    };
    let border = if is_focused { Slot::BorderFocused } else { Slot::Border };
    let heading = if is_focused { Slot::Heading } else { Slot::Container };
    let row = Canvas::row(area, 0);
    canvas.line(row, &Line::from(canvas.span(border, rule.repeat(row.width.into()))));
    let room = (area.width as usize).saturating_sub(LEAD + 1);
    // A sentence below leaves to the status what the title does not need.
    let share = match rows {
        1 => room / 3,
        _ => room.saturating_sub(text::width(&pane.title(model, room)) + 4).max(room / 3),
    };
    let status = text::fit_title(&pane.status(model), share, glyphs.dot, glyphs.ellipsis);
    let room = room.saturating_sub(if status.is_empty() { 0 } else { text::width(&status) + 2 });
    let sentence = pane.subtitle(model);
    // Beside the list, which has the whole path, a sentence says more than the folders.
    let for_title = match rows == 1 && !sentence.is_empty() {
        true => room.saturating_sub(text::width(&sentence) + 3).max(room / 3),
        false => room,
    };
    let title = pane.title(model, for_title);
    let title = text::fit_title(&title, for_title, glyphs.dot, glyphs.ellipsis);
    let marker = if is_focused { glyphs.selection } else { rule };
    let mut spans = vec![canvas.span(Slot::Prompt, marker), canvas.span(heading, format!(" {title} "))];
    let left = room.saturating_sub(text::width(&title) + 3);
    if rows == 1 && !sentence.is_empty() && left >= MIN_SENTENCE {
        spans.push(canvas.span(border, rule));
        let words = text::fit_title(&sentence, left, glyphs.dot, glyphs.ellipsis);
        spans.push(canvas.span(Slot::Info, format!(" {words} ")));
    }
    canvas.line(row, &Line::from(spans));
    if !status.is_empty() {
        let status = Line::from(canvas.span(Slot::Dim, format!(" {status} ")));
        canvas.line_right(Rect { width: row.width.saturating_sub(1), ..row }, &status);
    }
    if let Some((file, line)) = pane.title_location(model) {
        let title_area = Rect { x: area.x + LEAD as u16, width: text::width(&title) as u16, ..row };
        canvas.link(title_area.intersection(row), &file, line);
    }
    if rows > 1 && area.height > 1 {
        let room = (area.width as usize).saturating_sub(LEAD);
        let words = text::fit_title(&sentence, room, glyphs.dot, glyphs.ellipsis);
        let words = Line::from(canvas.span(Slot::Info, format!("  {words}")));
        canvas.line(Canvas::row(area, 1), &words);
    }
}

/// Cells before a title.
const LEAD: usize = 2;
/// Cells that a sentence beside a title has at least.
const MIN_SENTENCE: usize = 12;

/// The buffer to draw into, and the model to draw.
pub struct Canvas<'frame> {
    pub buffer: &'frame mut Buffer,
    pub model: &'frame Model,
    /// The position of the terminal's cursor, if it is visible.
    pub cursor: Option<Position>,
    /// The locations that were drawn.
    pub links: Vec<Link>,
}

impl Canvas<'_> {
    /// Returns the style of a slot of the theme.
    pub fn style(&self, slot: Slot) -> Style {
        self.model.appearance.theme.style(slot)
    }

    /// Makes an area of one row a link to a line of a file; none for symbols outside the repository.
    pub fn link(&mut self, area: Rect, file: &str, line: u32) {
        if !file.is_empty() && !area.is_empty() {
            self.links.push(Link { area, file: file.to_owned(), line });
        }
    }

    /// Clears an area for a window over it.
    pub fn clear(&mut self, area: Rect) {
        Clear.render(area, self.buffer);
        self.buffer.set_style(area, self.style(Slot::Text));
        self.links.retain(|link| link.area.intersection(area).is_empty());
    }

    /// Returns a text in the style of a slot.
    pub fn span<'text>(&self, slot: Slot, text: impl Into<std::borrow::Cow<'text, str>>) -> Span<'text> {
        Span::styled(text, self.style(slot))
    }

    /// Draws one line at the top of `area`, cut to its width.
    pub fn line(&mut self, area: Rect, line: &Line<'_>) {
        let area = area.intersection(self.buffer.area);
        if !area.is_empty() {
            self.buffer.set_line(area.x, area.y, line, area.width);
        }
    }

    /// Draws one line at the right end of `area`. Returns the area left of it.
    pub fn line_right(&mut self, area: Rect, line: &Line<'_>) -> Rect {
        let width = (line.width() as u16).min(area.width);
        self.line(Rect { x: area.x + area.width - width, width, ..area }, line);
        Rect { width: area.width - width, ..area }
    }

    /// Shows a row as selected. Its colors become those of text first: reversed, each would have another background.
    pub fn select(&mut self, row: Rect, focused: bool) {
        let style = self.style(if focused { Slot::Selection } else { Slot::SelectionUnfocused });
        self.buffer.set_style(row, Style::reset());
        self.buffer.set_style(row, self.style(Slot::Text));
        self.buffer.set_style(row, style);
    }

    /// Returns a row of an area, counted from its top.
    pub fn row(area: Rect, row: usize) -> Rect {
        let row = (row.min(area.height as usize)) as u16;
        Rect { y: area.y + row, height: u16::from(row < area.height), ..area }
    }
}
