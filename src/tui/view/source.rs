//! The source of the selected symbol.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Canvas, text};
use crate::text::display::safe;
use crate::tui::layout::Areas;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let model = canvas.model;
    let source = &model.source;
    let title = match &source.shown {
        Some(_) => {
            let room = (areas.source.width as usize).saturating_sub(20);
            format!("3 source {} {}", model.appearance.glyphs.dot, title(model, room))
        }
        None => "3 source".into(),
    };
    let state = if source.changed { "changed since indexed" } else { "" };
    canvas.frame(areas.source, Focus::Source, &title, state);
    let area = areas.inner(areas.source);
    if area.is_empty() {
        return;
    }
    let words = match (&source.trouble, &source.shown, &source.wanted) {
        (Some(trouble), _, _) => Some(safe(trouble).into_owned()),
        (None, Some(_), _) => None,
        (None, None, Some(_)) => Some(String::new()),
        (None, None, None) if model.pack.symbols.is_empty() => {
            Some("The source of the selected symbol appears here.".into())
        }
        (None, None, None) => Some("This symbol is defined outside the repository.".into()),
    };
    if let Some(words) = words {
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area }, &line);
        return;
    }
    lines(canvas, area);
}

/// The end of the path and the line of what is shown, in so many columns.
pub fn title(model: &Model, columns: usize) -> String {
    let Some(place) = &model.source.shown else { return String::new() };
    let whole = format!("{}:{}", safe(&place.file), place.line);
    text::fit_end(&whole, columns, model.appearance.glyphs.ellipsis).into_owned()
}

fn lines(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let source = &model.source;
    let digits = source.lines.len().to_string().len().max(3);
    // A definition at the end of its file must not leave the pane half empty.
    let top = source.top.min(source.lines.len().saturating_sub(area.height as usize));
    for row in 0..area.height as usize {
        let Some(pieces) = source.lines.get(top + row) else { break };
        let number = top + row + 1;
        let place = source.shown.as_ref();
        let inside = place.is_some_and(|place| (place.start_line..=place.end_line).contains(&number));
        let named = place.is_some_and(|place| place.line == number);
        let marker = if inside { model.appearance.glyphs.selection } else { " " };
        let slot = if named { Slot::Definition } else { Slot::LineNumber };
        let mut spans = vec![
            canvas.span(Slot::Definition, marker),
            canvas.span(slot, format!("{} ", text::pad_start(&number.to_string(), digits))),
        ];
        if source.left > 0 && !pieces.is_empty() {
            spans.push(canvas.span(Slot::Dim, model.appearance.glyphs.ellipsis));
        }
        // The ellipsis stands for one column more.
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
        if named && place.is_some_and(|place| place.is_use) {
            canvas.select(Canvas::row(area, row), false);
        }
    }
}
