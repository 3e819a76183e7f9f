//! Draws the explanation: the waterfall of the score's components, and what is known of the symbol below it.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::explanation;
use super::waterfall::{Bar, ROUNDING, Waterfall};
use crate::model::{Component, Symbol};
use crate::text::display::safe;
use crate::tui::model::Model;
use crate::tui::panes::pack::{self, Stage};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Returns the rank in the list and the name of the explained symbol.
pub fn title(model: &Model) -> Option<String> {
    let symbol = explained_symbol(model)?;
    let rank = model.panes.pack.index_of(symbol.id).map_or(String::new(), |index| format!("#{} ", index + 1));
    Some(format!("{rank}{}", safe(&symbol.name)))
}

/// Returns the score of the explained symbol.
pub fn status(model: &Model) -> String {
    let scored = explained_symbol(model).and_then(|symbol| components(model, symbol));
    scored.map_or(String::new(), |(score, _)| pack::score(score))
}

/// Draws the explanation.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let lines = match explained_symbol(model) {
        Some(symbol) if model.panes.pack.stage == Stage::Full => lines(canvas, symbol, area.width as usize),
        Some(_) => {
            vec![Line::from(canvas.span(Slot::Dim, " Matches by words; the explanation comes with the ranking."))]
        }
        None => vec![Line::from(canvas.span(Slot::Dim, " The selected symbol is explained here."))],
    };
    // Only drawing computes the number of lines, so the scroll position is clamped here.
    let top = model.panes.why.scroll.min(lines.len().saturating_sub(area.height as usize));
    for (row, line) in lines.iter().skip(top).take(area.height as usize).enumerate() {
        canvas.line(Canvas::row(area, row), line);
    }
    if model.panes.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

fn explained_symbol(model: &Model) -> Option<&Symbol> {
    model.panes.why.symbol(model.panes.pack.selected_symbol().map(|packed| &packed.symbol))
}

/// Returns score and components of a symbol: from the list, else from its explanation.
fn components<'model>(model: &'model Model, symbol: &Symbol) -> Option<(f64, &'model [Component])> {
    if model.panes.pack.stage != Stage::Full {
        return None;
    }
    if let Some(packed) = model.panes.pack.index_of(symbol.id).and_then(|index| model.panes.pack.symbols.get(index)) {
        return Some((packed.score, &packed.components));
    }
    let rank = model.panes.why.explanation(symbol.id)?.rank.as_ref()?;
    Some((rank.score, &rank.components))
}

fn lines(canvas: &Canvas<'_>, symbol: &Symbol, width: usize) -> Vec<Line<'static>> {
    let model = canvas.model;
    let scored = components(model, symbol);
    let mut lines = Vec::new();
    if let Some(versus) = &model.panes.why.versus {
        let other = match versus.symbol.id == symbol.id {
            true => None,
            false => Some((versus, components(model, &versus.symbol))),
        };
        lines.extend(explanation::versus(canvas, (symbol, scored), other, width));
        return lines;
    }
    if let Some((score, components)) = scored {
        lines.extend(waterfall(canvas, &Waterfall::new(score, components), width));
        lines.push(Line::default());
    }
    if let Some(error) = &model.panes.why.error {
        lines.push(Line::from(canvas.span(Slot::Error, format!(" error: {}", safe(error)))));
    }
    match model.panes.why.explanation(symbol.id) {
        Some(why) => lines.extend(explanation::lines(canvas, why, width)),
        None if scored.is_none() => lines.push(Line::from(canvas.span(Slot::Dim, " looking"))),
        None => (),
    }
    lines
}

const NAME_COLUMNS: usize = 14;
const FIGURE_COLUMNS: usize = 8;

/// Returns a line for each bar, one for the score, and one if other components are 0.
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
        lines.push(Line::from(canvas.span(Slot::Dim, text::fit(" others: 0", width, glyphs.ellipsis).into_owned())));
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

/// Draws the components of the list's selection in one line, largest first, for screens that show one pane.
pub fn draw_summary(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let list = &model.panes.pack;
    if list.stage != Stage::Full || area.is_empty() {
        return;
    }
    let Some(packed) = list.selected_symbol() else { return };
    let mut components: Vec<_> =
        packed.components.iter().filter(|component| component.contribution.abs() > ROUNDING).collect();
    components.sort_by(|one, other| other.contribution.abs().total_cmp(&one.contribution.abs()));
    let dot = format!(" {} ", model.appearance.glyphs.dot);
    let words: Vec<String> = components
        .iter()
        .map(|component| format!("{} {:+.3}", component.name.replace('_', " "), component.contribution))
        .collect();
    let line = Line::from(vec![
        canvas.span(Slot::Heading, format!(" why #{}: ", list.selected_rank())),
        canvas.span(Slot::Dim, words.join(&dot)),
    ]);
    canvas.line(area, &line);
}
