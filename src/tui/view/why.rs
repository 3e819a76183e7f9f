//! Why a symbol stands where it does: the parts of its score, which sum to it, and all that led there.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Canvas, pack, reasons, text};
use crate::model::{Component, PackedSymbol, Symbol};
use crate::text::display::safe;
use crate::tui::layout::Areas;
use crate::tui::model::Focus;
use crate::tui::model::pack::Stage;
use crate::tui::model::waterfall::{Bar, ROUNDING, Waterfall};
use crate::tui::theme::Slot;

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let model = canvas.model;
    let selected = model.pack.selected_symbol();
    summary(canvas, areas.summary, selected, model.pack.selected_rank());
    if areas.why.is_empty() {
        return;
    }
    let subject = model.why.subject(selected.map(|packed| &packed.symbol));
    let title = match subject {
        Some(symbol) => format!("4 why {}{}", place(canvas, symbol), safe(&symbol.name)),
        None => "4 why".into(),
    };
    let scored = subject.and_then(|symbol| parts(canvas, symbol));
    let state = scored.map_or(String::new(), |(score, _)| pack::score(score));
    canvas.frame(areas.why, Focus::Why, &title, &state);
    let area = areas.inner(areas.why);
    if area.is_empty() {
        return;
    }
    let lines = match subject {
        Some(symbol) if model.pack.stage == Stage::Full => lines(canvas, symbol, area.width as usize),
        Some(_) => vec![Line::from(canvas.span(Slot::Dim, " These are matches by words; reasons come with the rank."))],
        None => vec![Line::from(canvas.span(Slot::Dim, " The parts of the selected symbol's score appear here."))],
    };
    // Scrolling knows no length; here it ends where the last line stands at the bottom.
    let top = model.why.scroll.min(lines.len().saturating_sub(area.height as usize));
    for (row, line) in lines.iter().skip(top).take(area.height as usize).enumerate() {
        canvas.line(Canvas::row(area, row), line);
    }
    if model.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

/// The symbol's rank in the list, as it is shown before its name.
fn place(canvas: &Canvas<'_>, symbol: &Symbol) -> String {
    canvas.model.pack.place_of(symbol.id).map_or(String::new(), |row| format!("#{} ", row + 1))
}

/// Score and parts of a symbol: from the list, else from its explanation.
fn parts<'canvas>(canvas: &'canvas Canvas<'_>, symbol: &Symbol) -> Option<(f64, &'canvas [Component])> {
    let model = canvas.model;
    if model.pack.stage != Stage::Full {
        return None;
    }
    if let Some(packed) = model.pack.place_of(symbol.id).and_then(|row| model.pack.symbols.get(row)) {
        return Some((packed.score, &packed.components));
    }
    let rank = model.why.of(symbol.id)?.rank.as_ref()?;
    Some((rank.score, &rank.components))
}

fn lines(canvas: &Canvas<'_>, symbol: &Symbol, width: usize) -> Vec<Line<'static>> {
    let model = canvas.model;
    let scored = parts(canvas, symbol);
    let mut lines = Vec::new();
    if let Some(versus) = &model.why.versus {
        let other = match versus.symbol.id == symbol.id {
            true => None,
            false => Some((versus, parts(canvas, &versus.symbol))),
        };
        lines.extend(reasons::versus(canvas, (symbol, scored), other, width));
        return lines;
    }
    if let Some((score, components)) = scored {
        lines.extend(waterfall(canvas, &Waterfall::new(score, components), width));
        lines.push(Line::default());
    }
    if let Some(trouble) = &model.why.trouble {
        lines.push(Line::from(canvas.span(Slot::Error, format!(" error: {}", safe(trouble)))));
    }
    match model.why.of(symbol.id) {
        Some(why) => lines.extend(reasons::reasons(canvas, why, width)),
        None if scored.is_none() => lines.push(Line::from(canvas.span(Slot::Dim, " looking"))),
        None => (),
    }
    lines
}

const NAME_COLUMNS: usize = 14;
const FIGURE_COLUMNS: usize = 8;

/// The bars, the score, and what adds nothing.
fn waterfall(canvas: &Canvas<'_>, waterfall: &Waterfall, width: usize) -> Vec<Line<'static>> {
    let glyphs = &canvas.model.appearance.glyphs;
    let cells = width.saturating_sub(NAME_COLUMNS + FIGURE_COLUMNS + 2);
    let mut lines: Vec<Line<'static>> = waterfall.bars.iter().map(|bar| row(canvas, waterfall, bar, cells)).collect();
    let total = Bar { name: String::new(), from: 0.0, to: waterfall.score };
    let (start, length) = waterfall.cells(&total, cells);
    let rule = format!("{}{}", " ".repeat(start), glyphs.rule.repeat(length));
    lines.push(Line::from(vec![
        canvas.span(Slot::Heading, format!(" {}", text::pad("= score", NAME_COLUMNS))),
        canvas.span(Slot::Dim, text::pad(&rule, cells)),
        canvas.span(Slot::Heading, text::pad_start(&pack::score(waterfall.score), FIGURE_COLUMNS)),
    ]));
    if !waterfall.idle.is_empty() {
        let words = format!(" nothing from {}", waterfall.idle.join(", "));
        lines.push(Line::from(canvas.span(Slot::Dim, text::fit(&words, width, glyphs.ellipsis).into_owned())));
    }
    lines
}

fn row(canvas: &Canvas<'_>, waterfall: &Waterfall, bar: &Bar, cells: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let (start, length) = waterfall.cells(bar, cells);
    let full = glyphs.bar.last().copied().unwrap_or("#");
    let drawn = format!("{}{}", " ".repeat(start), full.repeat(length));
    let slot = if bar.value() < 0.0 { Slot::Negative } else { Slot::Positive };
    let name = text::fit(&bar.name, NAME_COLUMNS - 1, glyphs.ellipsis).into_owned();
    let sign = if bar.value() < 0.0 { "-" } else { "+" };
    Line::from(vec![
        canvas.span(Slot::Text, format!(" {}", text::pad(&name, NAME_COLUMNS))),
        canvas.span(slot, text::pad(&drawn, cells)),
        canvas.span(slot, text::pad_start(&format!("{sign}{}", pack::score(bar.value().abs())), FIGURE_COLUMNS)),
    ])
}

/// The parts in one line, largest first, for screens without a pane for them.
fn summary(canvas: &mut Canvas<'_>, area: Rect, selected: Option<&PackedSymbol>, number: usize) {
    let model = canvas.model;
    let Some(packed) = selected.filter(|_| model.pack.stage == Stage::Full && !area.is_empty()) else { return };
    let mut parts: Vec<_> = packed.components.iter().filter(|part| part.contribution.abs() > ROUNDING).collect();
    parts.sort_by(|one, other| other.contribution.abs().total_cmp(&one.contribution.abs()));
    let dot = format!(" {} ", model.appearance.glyphs.dot);
    let words: Vec<String> =
        parts.iter().map(|part| format!("{} {:+.3}", part.name.replace('_', " "), part.contribution)).collect();
    let line = Line::from(vec![
        canvas.span(Slot::Heading, format!(" why #{number}: ")),
        canvas.span(Slot::Dim, words.join(&dot)),
    ]);
    canvas.line(area, &line);
}
