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
use ratatui::widgets::{Block, Borders, Clear, Widget};

use super::layout::Areas;
use super::links::Link;
use super::model::{Focus, Model};
use super::panes::{PANES, Pane, why};
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
    for pane in PANES {
        draw_pane(canvas, &areas, *pane);
    }
    why::draw_summary(canvas, areas.summary);
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

/// Draws the border of a pane, and the pane inside of it.
fn draw_pane(canvas: &mut Canvas<'_>, areas: &Areas, pane: &dyn Pane) {
    let area = areas.pane(pane.id());
    if area.is_empty() {
        return;
    }
    let title = pane.title(canvas.model, area.width as usize);
    let status = pane.status(canvas.model);
    let title_area = canvas.frame(area, Focus::Pane(pane.id()), &title, &status);
    if let Some((file, line)) = pane.title_location(canvas.model) {
        canvas.link(title_area, &file, line);
    }
    let inner = areas.inner(area);
    if !inner.is_empty() {
        pane.draw(canvas, inner);
    }
}

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

    /// Draws a border with title and status; does nothing where there are no borders. Returns the area of the title.
    fn frame(&mut self, area: Rect, focus: Focus, title: &str, status: &str) -> Rect {
        if area.is_empty() || !self.model.areas().shape.is_boxed() {
            return Rect::default();
        }
        let focused = self.model.focus == focus;
        let glyphs = &self.model.appearance.glyphs;
        let set = if focused { glyphs.border_focused } else { glyphs.border };
        let style = self.style(if focused { Slot::BorderFocused } else { Slot::Border });
        let heading = self.style(Slot::Heading);
        let room = (area.width as usize).saturating_sub(8);
        let for_status = (room / 2).max(room.saturating_sub(text::width(title)));
        let status = text::fit_title(status, for_status, glyphs.dot, glyphs.ellipsis);
        let title = text::fit_title(title, room.saturating_sub(text::width(&status)), glyphs.dot, glyphs.ellipsis);
        let mut block = Block::new().borders(Borders::ALL).border_set(set).border_style(style);
        block = block.title(Line::styled(format!(" {title} "), heading));
        if !status.is_empty() {
            let plain = Style::reset().patch(self.style(Slot::Text)).patch(self.style(Slot::Dim));
            block = block.title(Line::styled(format!(" {status} "), plain).right_aligned());
        }
        block.render(area, self.buffer);
        let width = text::width(&title) as u16;
        Rect { x: area.x + 2, width, height: 1, ..area }.intersection(area)
    }
}
