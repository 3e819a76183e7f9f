//! Draws the model; changes nothing and asks nobody.

mod blank;
mod footer;
mod keys;
mod list;
mod source;
#[cfg(test)]
mod tests;
pub mod text;
mod top;
mod why;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
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
    let canvas = &mut Canvas { buffer: frame.buffer_mut(), model };
    canvas.buffer.set_style(canvas.buffer.area, model.skin.theme.style(Slot::Text));
    top::draw(canvas, &areas);
    list::draw(canvas, &areas);
    source::draw(canvas, &areas);
    why::draw(canvas, &areas);
    footer::draw(canvas, &areas);
    keys::draw(canvas);
    if model.keys.is_none() && model.focus == Focus::Task {
        frame.set_cursor_position(top::cursor(model, &areas));
    }
}

/// What a part of the view needs to draw itself.
struct Canvas<'frame> {
    buffer: &'frame mut Buffer,
    model: &'frame Model,
}

impl Canvas<'_> {
    fn style(&self, slot: Slot) -> Style {
        self.model.skin.theme.style(slot)
    }

    fn span<'text>(&self, slot: Slot, text: impl Into<std::borrow::Cow<'text, str>>) -> Span<'text> {
        Span::styled(text, self.style(slot))
    }

    /// Draws one line at the top of `area`, cut to its width.
    fn line(&mut self, area: Rect, line: &Line<'_>) {
        let area = area.intersection(self.buffer.area);
        if !area.is_empty() {
            self.buffer.set_line(area.x, area.y, line, area.width);
        }
    }

    /// Draws one line so that it ends at the right edge of `area`; gives back the room left of it.
    fn line_right(&mut self, area: Rect, line: &Line<'_>) -> Rect {
        let width = (line.width() as u16).min(area.width);
        self.line(Rect { x: area.x + area.width - width, width, ..area }, line);
        Rect { width: area.width - width, ..area }
    }

    /// A row of an area, counted from its top.
    fn row(area: Rect, row: usize) -> Rect {
        let row = (row.min(area.height as usize)) as u16;
        Rect { y: area.y + row, height: u16::from(row < area.height), ..area }
    }

    /// Draws a pane's border with its number, name and state; does nothing where panes have none.
    fn frame(&mut self, area: Rect, pane: Focus, name: &str, state: &str) {
        if area.is_empty() || !self.model.areas().shape.boxed() {
            return;
        }
        let focused = self.model.focus == pane;
        let glyphs = &self.model.skin.glyphs;
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
