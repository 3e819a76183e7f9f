//! Draws the explanation: one sentence, the words and the path behind it, and when asked the numbers.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::explanation;
use super::waterfall::{Bar, Waterfall};
use super::{ID, NUMBERS};
use crate::engine::{ChangeRole, LastCommit, MAX_TITLE};
use crate::model::{Component, Symbol};
use crate::text::display::{safe, signed};
use crate::tui::command::{Command, Context};
use crate::tui::model::{Focus, Model};
use crate::tui::panes::pack::{self, Stage};
use crate::tui::theme::Slot;
use crate::tui::update::navigation;
use crate::tui::view::{Canvas, text};

/// Returns the rank in the list and the name of the explained symbol.
pub fn title(model: &Model) -> Option<String> {
    let symbol = explained_symbol(model)?;
    let rank = model.panes.pack.rank_of(symbol.id).map_or(String::new(), |rank| format!("#{rank} "));
    Some(format!("{rank}{}", safe(&symbol.name)))
}

/// Draws the explanation.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let message = |words: &'static str| vec![Line::from(canvas.span(Slot::Dim, words))];
    let lines = match explained_symbol(model) {
        Some(symbol) if symbol.is_section() => message(" A section of a document, found by the words of the task."),
        Some(symbol) if model.panes.pack.stage == Stage::Full => lines(canvas, symbol, area.width as usize),
        Some(_) => message(" Matches by words; the explanation comes with the ranking."),
        None => message(" The selected symbol is explained here."),
    };
    // Only drawing computes the number of lines, so the scroll position is clamped here.
    let height = area.height as usize;
    let top = model.panes.why.scroll.min(lines.len().saturating_sub(height));
    for (row, line) in lines.iter().skip(top).take(height).enumerate() {
        canvas.line(Canvas::row(area, row), line);
    }
    if model.panes.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

/// Returns why the explained symbol is ranked, in one sentence; empty until that is known.
pub fn sentence(model: &Model) -> String {
    let symbol = explained_symbol(model).filter(|_| model.panes.pack.stage == Stage::Full);
    let why = symbol.and_then(|symbol| model.panes.why.explanation(symbol.id));
    let is_untested = symbol.is_some_and(|symbol| model.changes.role(symbol.id) == Some(ChangeRole::Untested));
    let untested = if is_untested { "; no test is known to reach it by calls" } else { "" };
    why.map(|why| format!("{}{untested}", safe(&why.reason.sentence))).unwrap_or_default()
}

/// Returns the symbol that the user chose for the pane, else the one that source and graph show too.
pub fn explained_symbol(model: &Model) -> Option<&Symbol> {
    model.panes.why.symbol(navigation::shown_symbol(model))
}

/// Returns the commit that last changed the explained symbol, if it is known.
pub fn last_commit(model: &Model) -> Option<&LastCommit> {
    let symbol = explained_symbol(model)?;
    model.panes.why.explanation(symbol.id)?;
    model.panes.why.last_commit.as_ref()
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
    let why = model.panes.why.explanation(symbol.id);
    let mut lines = explanation::head(canvas, why, width);
    if let Some(error) = &model.panes.why.error {
        lines.push(Line::from(canvas.span(Slot::Error, format!(" error: {}", safe(error)))));
    }
    if !model.panes.why.has_numbers {
        let key = model.keymap.keys_of(Context::Pane(ID), Command::Pane(NUMBERS)).into_iter().next();
        let hint = key.filter(|_| model.focus == Focus::Pane(ID)).map(|key| format!(" {key} shows the numbers"));
        lines.extend(hint.map(|hint| Line::from(canvas.span(Slot::Dim, hint))));
        return lines;
    }
    if let Some((value, components)) = scored {
        let waterfall = Waterfall::new(value, components, model.panes.why.unfolded);
        lines.extend(waterfall.bars.iter().flat_map(|bar| rows(canvas, &waterfall, bar, width)));
        lines.push(score_row(canvas, &waterfall, width));
        lines.push(Line::default());
    }
    match why {
        Some(why) => lines.extend(explanation::details(canvas, why, width)),
        None if scored.is_none() => lines.push(Line::from(canvas.span(Slot::Dim, " looking"))),
        None => (),
    }
    lines
}

const FIGURE_COLUMNS: usize = 8;
/// Columns from which each bar has its sentence, and the bars' columns there.
const MIN_WIDTH_WITH_SENTENCES: usize = 96;
const CELLS_WITH_SENTENCES: usize = 16;

/// Returns the columns of the titles and of the bars.
fn columns(width: usize) -> (usize, usize) {
    let names = (width * 11 / 20).clamp(12, MAX_TITLE + 1);
    let cells = width.saturating_sub(names + FIGURE_COLUMNS + 2);
    (names, if width < MIN_WIDTH_WITH_SENTENCES { cells } else { CELLS_WITH_SENTENCES })
}

fn score_row(canvas: &Canvas<'_>, waterfall: &Waterfall, width: usize) -> Line<'static> {
    let (names, cells) = columns(width);
    let total = waterfall.total();
    let (start, length) = waterfall.cells(&total, cells);
    let rule = format!("{}{}", " ".repeat(start), canvas.model.appearance.glyphs.rule.repeat(length));
    Line::from(vec![
        canvas.span(Slot::Heading, format!(" {}", text::pad(&total.name, names))),
        canvas.span(Slot::Dim, text::pad(&rule, cells)),
        canvas.span(Slot::Heading, text::pad_start(&pack::score(waterfall.score), FIGURE_COLUMNS)),
    ])
}

/// Returns the row of a bar. Its sentence continues on the rows below.
fn rows(canvas: &Canvas<'_>, waterfall: &Waterfall, bar: &Bar, width: usize) -> Vec<Line<'static>> {
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let (names, cells) = columns(width);
    let (start, length) = waterfall.cells(bar, cells);
    let full = glyphs.bar.last().copied().unwrap_or("#");
    let drawn = format!("{}{}", " ".repeat(start), full.repeat(length));
    let slot = if bar.value() < 0.0 { Slot::Negative } else { Slot::Positive };
    let mut name = text::fit(&bar.name, names - 1, glyphs.ellipsis).into_owned();
    if bar.folded > 0
        && !model.panes.why.unfolded
        && let Some(key) = model.keymap.keys_of(Context::Normal, Command::Fold).into_iter().next()
    {
        name.push_str(&format!(" ({key})"));
    }
    let name_slot = if bar.folded > 0 { Slot::Dim } else { Slot::Text };
    let mut spans = vec![
        canvas.span(name_slot, format!(" {}", text::pad(&name, names))),
        canvas.span(slot, text::pad(&drawn, cells)),
        canvas.span(slot, text::pad_start(&signed(bar.value(), 3), FIGURE_COLUMNS)),
    ];
    let mut below = Vec::new();
    if width >= MIN_WIDTH_WITH_SENTENCES {
        let left = names + cells + FIGURE_COLUMNS + 3;
        let mut sentence = text::wrap(&bar.sentence, width.saturating_sub(left + 1)).into_iter();
        spans.push(canvas.span(Slot::Dim, format!("  {}", sentence.next().unwrap_or_default())));
        below.extend(sentence.map(|words| Line::from(canvas.span(Slot::Dim, format!("{}{words}", " ".repeat(left))))));
    }
    [vec![Line::from(spans)], below].concat()
}
