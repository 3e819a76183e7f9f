//! Draws the ranked list.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::columns::{Columns, SCORE_COLUMNS, location_label};
use super::{Delta, DisplayLine, ID, Stage, empty, heads_and_rows};
use crate::text::display::safe;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Returns how many symbols are packed, or the progress of the ranking, and how the list is arranged.
pub fn status(model: &Model) -> String {
    let rows = &model.panes.pack;
    let ellipsis = model.appearance.glyphs.ellipsis;
    let mut words = rows.arrangement.labels();
    words.insert(
        0,
        match rows.stage {
            Stage::Empty if model.search.ranking => format!("ranking{ellipsis}"),
            Stage::Empty => return String::new(),
            _ if rows.dimmed && (model.search.ranking || model.search.due.is_some()) => format!("ranking{ellipsis}"),
            _ if rows.dimmed => "of an older task".into(),
            Stage::Lexical if model.search.ranking => format!("{} by words, ranking{ellipsis}", rows.symbols.len()),
            Stage::Lexical => format!("{} by words", rows.symbols.len()),
            Stage::Full if rows.symbols.is_empty() => return String::new(),
            Stage::Full => format!("{} of {} packed", rows.packed, text::thousands(rows.symbols.len())),
        },
    );
    // The filter is among the words and may contain pasted control characters.
    safe(&words.join(&format!(" {} ", model.appearance.glyphs.dot))).into_owned()
}

/// Draws the list, or the start screen while there is nothing to list.
pub fn draw(canvas: &mut Canvas<'_>, inner: Rect) {
    let model = canvas.model;
    let (heads, area) = heads_and_rows(inner);
    if area.is_empty() {
        return;
    }
    if model.panes.pack.symbols.is_empty() {
        empty::draw(canvas, inner);
        return;
    }
    let columns = Columns::new(&model.panes.pack, area.width as usize);
    let heads_line = Line::from(canvas.span(Slot::Dim, head_line(model, &columns)));
    canvas.line(heads, &heads_line);
    if model.panes.pack.shown.is_empty() {
        let words = format!(" None of {} symbols passes; fc clears filter and facets.", model.panes.pack.symbols.len());
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Canvas::row(area, 0), &line);
    }
    for row in 0..area.height as usize {
        let line_area = Canvas::row(area, row);
        match model.panes.pack.display(model.panes.pack.offset + row) {
            Some(DisplayLine::Symbol(number)) => symbol(canvas, line_area, &columns, number),
            Some(DisplayLine::Cut) => cut(canvas, line_area),
            None => break,
        }
    }
    if model.panes.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

/// Returns the names of the columns; that of the column that the list is sorted by has an arrow.
fn head_line(model: &Model, columns: &Columns) -> String {
    let glyphs = &model.appearance.glyphs;
    let arrangement = &model.panes.pack.arrangement;
    let direction = if arrangement.reversed { glyphs.up } else { glyphs.down };
    let mut line = String::new();
    for head in columns.heads(glyphs.delta) {
        let sorted = head.sort == Some(arrangement.sort) && !head.name.is_empty() && !arrangement.is_by_rank();
        let name = if sorted { format!("{}{direction}", head.name) } else { head.name.to_owned() };
        let name = text::fit(&name, head.columns, "");
        line.push_str(&if head.right { text::pad_start(&name, head.columns) } else { text::pad(&name, head.columns) });
    }
    line
}

fn symbol(canvas: &mut Canvas<'_>, area: Rect, columns: &Columns, number: usize) {
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let Some(packed) = model.panes.pack.symbols.get(number) else { return };
    let selected = number == model.panes.pack.selected;
    // Symbols that are not in the pack are dimmed.
    let lit = |slot: Slot| if model.panes.pack.is_packed(number) { slot } else { Slot::Dim };
    let mut spans = lead(canvas, columns, number, selected);
    let scored = model.panes.pack.stage == Stage::Full;
    let figure = if scored { figure(packed.score) } else { glyphs.dot.into() };
    spans.push(canvas.span(lit(Slot::Score), format!("{} ", text::pad_start(&figure, columns.score))));
    if columns.bar > 0 {
        let share = if scored && columns.max_score > 0.0 { packed.score / columns.max_score } else { 0.0 };
        spans.push(canvas.span(lit(Slot::Bar), format!("{} ", text::bar(share, columns.bar, glyphs.bar))));
    }
    let name = safe(&packed.symbol.name).into_owned();
    let name = text::fit(&name, columns.symbol, glyphs.ellipsis).into_owned();
    let room = columns.symbol.saturating_sub(text::width(&name));
    let container = match packed.symbol.scope.as_str() {
        "" => String::new(),
        scope => format!(" {}{}", glyphs.container, safe(scope)),
    };
    let role = model.changes.role(packed.symbol.id);
    let role = role.map(|role| format!(" {} {}", glyphs.dot, role.label())).unwrap_or_default();
    let container = format!("{role}{container}");
    let container = if room < 5 { "".into() } else { text::fit(&container, room, glyphs.ellipsis) };
    spans.push(canvas.span(lit(Slot::Name), name));
    spans.push(canvas.span(lit(Slot::Container), text::pad(&container, room + 1)));
    let location = location_label(packed, columns.path_components);
    let location = text::fit_location(&location, columns.location, glyphs.ellipsis);
    spans.push(canvas.span(lit(Slot::Location), text::pad(&location, columns.location)));
    if columns.tokens > 0 {
        let tokens = if scored { text::thousands(packed.tokens) } else { String::new() };
        spans.push(canvas.span(lit(Slot::Tokens), text::pad_start(&tokens, columns.tokens)));
    }
    canvas.line(area, &Line::from(spans));
    if selected {
        let focused = matches!(model.focus, Focus::Pane(ID) | Focus::Task);
        canvas.select(area, focused);
    }
}

/// Returns marker, feedback, rank and change of rank.
fn lead<'text>(canvas: &Canvas<'_>, columns: &Columns, number: usize, selected: bool) -> Vec<Span<'text>> {
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let packed = &model.panes.pack.symbols[number];
    let marker = if selected { glyphs.selection } else { " " };
    let mark = model.feedback.mark(packed.symbol.id, &model.task, glyphs.dot);
    let mark_slot = match mark {
        "+" | "*" => Slot::Positive,
        "-" | "x" => Slot::Negative,
        _ => Slot::Dim,
    };
    let rank = text::pad_start(&model.panes.pack.ranks[number].to_string(), columns.rank);
    let mut spans = vec![
        canvas.span(Slot::Prompt, marker),
        canvas.span(mark_slot, format!("{mark} ")),
        canvas.span(if model.panes.pack.is_packed(number) { Slot::Rank } else { Slot::Dim }, format!("{rank} ")),
    ];
    if columns.delta > 0 {
        let (slot, words) = match model.panes.pack.deltas[number] {
            Delta::Same => (Slot::Dim, String::new()),
            Delta::Up(by) => (Slot::Positive, format!("{}{}", glyphs.up, by.min(MAX_SHOWN_MOVE))),
            Delta::Down(by) => (Slot::Negative, format!("{}{}", glyphs.down, by.min(MAX_SHOWN_MOVE))),
            Delta::New => (Slot::Info, "NEW".to_owned()),
        };
        spans.push(canvas.span(slot, text::pad(&words, columns.delta)));
    }
    spans
}

/// The largest change of rank that fits its column.
const MAX_SHOWN_MOVE: usize = 99;

/// Returns a score in five characters, with a sign in six.
pub fn score(value: f64) -> String {
    if value.abs() < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}

/// Returns a score in the five columns of the list: a sign replaces the zero before the point.
fn figure(value: f64) -> String {
    match score(value) {
        text if text.len() <= SCORE_COLUMNS => text,
        text if text.starts_with("-0.") => text.replacen("-0.", "-.", 1),
        _ => format!("{value:.1}"),
    }
}

/// Draws the line below the last packed symbol: free tokens, and how many more would admit further symbols.
fn cut(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let mut words = format!(" cut {} {} tok free", glyphs.dot, text::thousands(model.panes.pack.left_tokens));
    for (rank, missing) in model.panes.pack.admission_costs(&|id| model.task.options.dropped.contains(&id)) {
        words.push_str(&format!(" {} +{} admits #{rank}", glyphs.dot, text::thousands(missing)));
    }
    words.push(' ');
    let width = area.width as usize;
    let words = text::fit(&words, width.saturating_sub(2), glyphs.ellipsis).into_owned();
    let rest = width.saturating_sub(2 + text::width(&words));
    let line = format!("{}{words}{}", glyphs.cut.repeat(2), glyphs.cut.repeat(rest));
    let line = Line::from(canvas.span(Slot::Cut, line));
    canvas.line(area, &line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fit_their_column() {
        let cases =
            [(0.0, "0.000"), (0.539, "0.539"), (12.34, "12.3"), (-0.007, "-.007"), (-0.0001, "-.000"), (-1.25, "-1.2")];
        for (value, expected) in cases {
            assert_eq!(figure(value), expected);
        }
    }
}
