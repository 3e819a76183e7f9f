//! Draws the source.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::text::display::safe;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Draws the lines of the shown file, or why there are none.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let source = &model.panes.source;
    let words = match (&source.error, &source.shown, &source.wanted) {
        (Some(error), _, _) => Some(safe(error).into_owned()),
        (None, Some(_), _) => None,
        (None, None, Some(_)) => Some(String::new()),
        (None, None, None) if model.panes.pack.symbols.is_empty() => {
            Some("The source of the selected symbol appears here.".into())
        }
        (None, None, None) if model.panes.pack.shown.is_empty() => Some("No symbol is selected.".into()),
        (None, None, None) => Some("This symbol is defined outside the repository.".into()),
    };
    if let Some(words) = words {
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area }, &line);
        return;
    }
    lines(canvas, area);
}

/// Returns the end of the shown path and the line, at most `columns` wide.
pub fn location(model: &Model, columns: usize) -> String {
    let Some(location) = &model.panes.source.shown else { return String::new() };
    let whole = format!("{}:{}", safe(&location.file), location.line);
    text::fit_end(&whole, columns, model.appearance.glyphs.ellipsis).into_owned()
}

fn lines(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let source = &model.panes.source;
    let digits = source.lines.len().to_string().len().max(3);
    // A definition at the end of its file must not leave rows empty.
    let top = source.top.min(source.lines.len().saturating_sub(area.height as usize));
    for row in 0..area.height as usize {
        let Some(pieces) = source.lines.get(top + row) else { break };
        let number = top + row + 1;
        let location = source.shown.as_ref();
        let inside = location.is_some_and(|location| (location.start_line..=location.end_line).contains(&number));
        let named = location.is_some_and(|location| location.line == number);
        let marker = if inside { model.appearance.glyphs.selection } else { " " };
        let slot = if named { Slot::Definition } else { Slot::LineNumber };
        let mut spans = vec![
            canvas.span(Slot::Definition, marker),
            canvas.span(slot, format!("{} ", text::pad_start(&number.to_string(), digits))),
        ];
        if source.left > 0 && !pieces.is_empty() {
            spans.push(canvas.span(Slot::Dim, model.appearance.glyphs.ellipsis));
        }
        // The ellipsis hides one more column.
        let mut hidden = if source.left > 0 { source.left + 1 } else { 0 };
        for (slot, piece) in pieces {
            let (shown, left) = text::after(piece, hidden);
            hidden = left;
            spans.push(canvas.span(*slot, shown.to_owned()));
        }
        let line = Line::from(spans);
        canvas.line(Canvas::row(area, row), &line);
        if line.width() > area.width as usize {
            let end = Rect { x: area.x + area.width - 1, width: 1, ..Canvas::row(area, row) };
            let ellipsis = Line::from(canvas.span(Slot::Dim, model.appearance.glyphs.ellipsis));
            canvas.line(end, &ellipsis);
        }
        if named && location.is_some_and(|location| location.is_use) {
            canvas.select(Canvas::row(area, row), false);
        }
    }
}
