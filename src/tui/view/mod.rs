//! Draws the model; changes nothing and asks nobody.

mod blank;
mod cost;
mod footer;
mod graph;
mod pack;
mod reasons;
mod runs;
mod source;
#[cfg(test)]
mod tests;
pub mod text;
mod top;
mod whichkey;
mod why;
pub mod window;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Widget};

use super::model::{Focus, Model};
use super::theme::Slot;

/// Draws the whole screen.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    // The terminal may have changed its size a moment ago; the event that says so brings the next frame.
    if frame.area().as_size() != model.size {
        return;
    }
    let areas = model.areas();
    let canvas = &mut Canvas { buffer: frame.buffer_mut(), model, cursor: None };
    canvas.buffer.set_style(canvas.buffer.area, model.appearance.theme.style(Slot::Text));
    top::draw(canvas, &areas);
    pack::draw(canvas, &areas);
    source::draw(canvas, &areas);
    why::draw(canvas, &areas);
    graph::draw(canvas, &areas);
    runs::draw(canvas, &areas);
    cost::draw(canvas, &areas);
    footer::draw(canvas, &areas);
    for overlay in &model.overlays {
        canvas.cursor = None;
        overlay.window().draw(canvas);
    }
    whichkey::draw(canvas);
    if let Some(cursor) = canvas.cursor {
        frame.set_cursor_position(cursor);
    }
}

/// What a part of the view needs to draw itself.
pub struct Canvas<'frame> {
    pub buffer: &'frame mut Buffer,
    pub model: &'frame Model,
    /// Where the terminal's cursor stands, if it stands anywhere.
    pub cursor: Option<Position>,
}

impl Canvas<'_> {
    pub fn style(&self, slot: Slot) -> Style {
        self.model.appearance.theme.style(slot)
    }

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

    /// Draws one line so that it ends at the right edge of `area`; gives back the room left of it.
    pub fn line_right(&mut self, area: Rect, line: &Line<'_>) -> Rect {
        let width = (line.width() as u16).min(area.width);
        self.line(Rect { x: area.x + area.width - width, width, ..area }, line);
        Rect { width: area.width - width, ..area }
    }

    /// Shows a row as selected. Reversed, every color of the row would become a patch of its own, so they go.
    pub fn select(&mut self, row: Rect, focused: bool) {
        let style = self.style(if focused { Slot::Selection } else { Slot::SelectionUnfocused });
        self.buffer.set_style(row, Style::reset());
        self.buffer.set_style(row, style);
    }

    /// A row of an area, counted from its top.
    pub fn row(area: Rect, row: usize) -> Rect {
        let row = (row.min(area.height as usize)) as u16;
        Rect { y: area.y + row, height: u16::from(row < area.height), ..area }
    }

    /// Draws a pane's border with its number, name and state; does nothing where panes have none.
    fn frame(&mut self, area: Rect, pane: Focus, name: &str, state: &str) {
        if area.is_empty() || !self.model.areas().shape.boxed() {
            return;
        }
        let focused = self.model.focus == pane;
        let glyphs = &self.model.appearance.glyphs;
        let set = if focused { glyphs.border_focused } else { glyphs.border };
        let style = self.style(if focused { Slot::BorderFocused } else { Slot::Border });
        let heading = self.style(Slot::Heading);
        let room = (area.width as usize).saturating_sub(8);
        let state = text::fit(state, room / 2, glyphs.ellipsis);
        let name = text::fit(name, room.saturating_sub(text::width(&state)), glyphs.ellipsis);
        let mut block = Block::new().borders(Borders::ALL).border_set(set).border_style(style);
        block = block.title(Line::styled(format!(" {name} "), heading));
        if !state.is_empty() {
            block = block.title(Line::styled(format!(" {state} "), self.style(Slot::Dim)).right_aligned());
        }
        block.render(area, self.buffer);
    }
}
