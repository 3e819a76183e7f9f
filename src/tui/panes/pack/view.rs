//! Draws the ranked list.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::columns::{Columns, SCORE_COLUMNS, relation};
use super::{Delta, DisplayLine, ID, Stage, empty, heads_and_rows};
use crate::engine::{ChangeRole, PACK_CANDIDATES};
use crate::model::SymbolId;
use crate::text::display::{self, safe};
use crate::text::file_name;
use crate::tui::model::feedback::Feedback;
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
            Stage::Full => counts(model),
        },
    );
    if let Some((old, new)) = rows.moved {
        words.insert(0, format!("moved #{old} {} #{new}", model.appearance.glyphs.arrow));
    }
    // The filter is among the words and may contain pasted control characters.
    safe(&words.join(&format!(" {} ", model.appearance.glyphs.dot))).into_owned()
}

/// Returns how many symbols are marked, listed, packed and ranked.
fn counts(model: &Model) -> String {
    let rows = &model.panes.pack;
    // Of more ranked symbols only the best are listed.
    let is_cut = rows.symbols.len() >= PACK_CANDIDATES;
    let all = format!("{}{}", text::thousands(rows.symbols.len()), if is_cut { "+" } else { "" });
    let counts = match rows.arrangement.is_filtered() {
        true => format!("{} of {all} listed", text::thousands(rows.shown.len())),
        false => format!("{} packed of {all} ranked", text::thousands(rows.packed)),
    };
    match rows.marked.len() {
        0 => counts,
        marked => format!("{marked} marked {} {counts}", model.appearance.glyphs.dot),
    }
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
    let columns = Columns::for_list(model, area.width as usize);
    let heads_line = Line::from(canvas.span(Slot::Dim, head_line(model, &columns)));
    canvas.line(heads, &heads_line);
    if model.panes.pack.shown.is_empty() {
        let words = format!(" None of {} symbols passes; Esc clears filter and facet.", model.panes.pack.symbols.len());
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Canvas::row(area, 0), &line);
    }
    for row in 0..area.height as usize {
        let line_area = Canvas::row(area, row);
        match model.panes.pack.display(model.panes.pack.offset + row) {
            Some(DisplayLine::Symbol(number)) => symbol(canvas, line_area, &columns, number),
            Some(DisplayLine::File(first)) => file(canvas, line_area, first),
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
    for head in columns.heads() {
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
    // While a symbol outside of the list is the current one, no row is highlighted: keys do not act on the list.
    let selected = number == model.panes.pack.selected && model.panes.source.chosen.is_none();
    // Symbols that are not in the pack are dimmed.
    let lit = |slot: Slot| if model.panes.pack.is_packed(number) { slot } else { Slot::Dim };
    let mut spans = lead(canvas, columns, number, selected);
    let scored = model.panes.pack.stage == Stage::Full;
    spans.push(match columns.has_relations {
        true => {
            let words = safe(relation(model, packed.symbol.id).unwrap_or_default());
            let words = text::fit(&words, columns.score, glyphs.ellipsis);
            canvas.span(lit(relation_slot(model, packed.symbol.id)), format!("{} ", text::pad(&words, columns.score)))
        }
        false => {
            let figure = if scored { figure(packed.score) } else { glyphs.no_vote.into() };
            canvas.span(lit(Slot::Score), format!("{} ", text::pad_start(&figure, columns.score)))
        }
    });
    if columns.bar > 0 {
        let share = if scored && columns.max_score > 0.0 { packed.score / columns.max_score } else { 0.0 };
        spans.push(canvas.span(lit(Slot::Bar), format!("{} ", text::bar(share, columns.bar, glyphs.bar))));
    }
    let name = safe(&packed.symbol.name).into_owned();
    let name = text::fit(&name, columns.symbol, glyphs.ellipsis).into_owned();
    let room = columns.symbol.saturating_sub(text::width(&name));
    let container = match packed.symbol.scope.as_str() {
        "" => String::new(),
        // A part of a name that the file has too says nothing.
        scope if text::width(scope) + 2 > room && file_stem(&packed.symbol.file) == scope => String::new(),
        scope => format!(" {}{}", glyphs.container, safe(scope)),
    };
    let owners = if model.panes.pack.arrangement.by_file { &[] } else { model.changes.owners(&packed.symbol.file) };
    let owner = owners.first().map(|owner| format!(" {} {}", glyphs.dot, safe(owner))).unwrap_or_default();
    let container = format!("{container}{owner}");
    let container = if room < 5 { "".into() } else { text::fit(&container, room, glyphs.ellipsis) };
    spans.push(canvas.span(lit(Slot::Name), name));
    spans.push(canvas.span(lit(Slot::Container), text::pad(&container, room + 1)));
    let location = location(model, columns, number);
    let before = spans.iter().map(Span::width).sum::<usize>() as u16;
    let location_area = Rect { x: area.x + before, width: text::width(&location) as u16, ..area };
    canvas.link(location_area.intersection(area), &packed.symbol.file, packed.symbol.span.name_line);
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

/// Returns the name of a file without its folder and ending.
fn file_stem(file: &str) -> &str {
    let name = file_name(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns the color of a symbol's relation: what is changed and untested stands out.
fn relation_slot(model: &Model, id: SymbolId) -> Slot {
    match model.changes.role(id) {
        Some(ChangeRole::Untested) => Slot::Negative,
        Some(ChangeRole::Changed) => Slot::Positive,
        _ => Slot::Container,
    }
}

/// Returns the location of a symbol: its file, unless the line above names it, and its line.
fn location(model: &Model, columns: &Columns, number: usize) -> String {
    let rows = &model.panes.pack;
    let span = rows.symbols[number].symbol.span;
    match rows.labels.get(number) {
        Some(_) if rows.arrangement.by_file => format!(":{}", span.name_line),
        Some(label) => {
            let is_external = rows.symbols[number].symbol.file.is_empty();
            let line = if columns.has_lines && !is_external { span.name_line } else { 0 };
            label.fit(line, columns.location, model.appearance.glyphs.ellipsis)
        }
        None => String::new(),
    }
}

/// Draws the name of a file above its symbols, and how many of them are listed.
fn file(canvas: &mut Canvas<'_>, area: Rect, first: usize) {
    let model = canvas.model;
    let rows = &model.panes.pack;
    let Some(path) = rows.symbols.get(first).map(|packed| packed.symbol.file.as_str()) else { return };
    let own = rows.shown.iter().filter(|index| rows.symbols[**index].symbol.file == path);
    let owners = safe(&model.changes.owners(path).join(" ")).into_owned();
    let count = Line::from(canvas.span(Slot::Dim, format!(" {owners} {} ", text::count(own.count(), "symbol"))));
    let left = canvas.line_right(area, &count);
    let name = if path.is_empty() { "external".into() } else { safe(path) };
    let name = text::fit_end(&name, (left.width as usize).saturating_sub(1), model.appearance.glyphs.ellipsis);
    canvas.link(Rect { x: left.x + 1, width: text::width(&name) as u16, ..left }, path, 1);
    let line = Line::from(canvas.span(Slot::Heading, format!(" {name}")));
    canvas.line(left, &line);
}

/// Returns marker, feedback, change of rank, and rank.
fn lead<'text>(canvas: &Canvas<'_>, columns: &Columns, number: usize, selected: bool) -> Vec<Span<'text>> {
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let rows = &model.panes.pack;
    let id = rows.symbols[number].symbol.id;
    let (marker_slot, marker) = match (rows.marked.contains(&id), selected) {
        (true, _) => (Slot::Info, glyphs.mark),
        (false, true) => (Slot::Prompt, glyphs.selection),
        (false, false) => (Slot::Prompt, " "),
    };
    let mark_slot = |mark| if matches!(mark, "+" | "*") { Slot::Positive } else { Slot::Negative };
    let pin = Feedback::pin_mark(id, &model.task);
    // Where the column has one cell, the pin comes before the vote.
    let vote = if text::width(pin) < columns.vote { model.feedback.vote_mark(id) } else { "" };
    let marks = text::width(pin) + text::width(vote);
    let (delta_slot, delta) = delta(canvas, number, columns.vote.saturating_sub(marks));
    // The change of the rank takes the place of the sign for no vote.
    let none = if marks == 0 && delta.is_empty() { glyphs.no_vote } else { "" };
    let used = marks + text::width(&delta) + text::width(none);
    let rank = text::pad_start(&rows.ranks[number].to_string(), columns.rank);
    vec![
        canvas.span(marker_slot, marker),
        canvas.span(mark_slot(pin), pin),
        canvas.span(mark_slot(vote), vote),
        canvas.span(Slot::Dim, none),
        canvas.span(delta_slot, format!("{delta}{} ", " ".repeat(columns.vote.saturating_sub(used)))),
        canvas.span(if rows.is_packed(number) { Slot::Rank } else { Slot::Dim }, format!("{rank} ")),
    ]
}

/// Returns the change of a symbol's rank in at most `room` columns: without the number where that does not fit.
fn delta(canvas: &Canvas<'_>, number: usize, room: usize) -> (Slot, String) {
    let glyphs = &canvas.model.appearance.glyphs;
    let (slot, sign, by) = match canvas.model.panes.pack.deltas.get(number) {
        // A single rank is lost by every row below one that rose.
        Some(Delta::Up(1)) => (Slot::Dim, glyphs.up, "1".to_owned()),
        Some(Delta::Down(1)) => (Slot::Dim, glyphs.down, "1".to_owned()),
        Some(Delta::Up(by)) => (Slot::Positive, glyphs.up, by.to_string()),
        Some(Delta::Down(by)) => (Slot::Negative, glyphs.down, by.to_string()),
        Some(Delta::New) => (Slot::Info, "N", "EW".to_owned()),
        Some(Delta::Same) | None => (Slot::Dim, "", String::new()),
    };
    let words = format!("{sign}{by}");
    match room {
        _ if text::width(&words) <= room => (slot, words),
        2.. if text::width(sign) <= room => (slot, sign.to_owned()),
        _ => (slot, String::new()),
    }
}

/// Returns a score in five characters, with a sign in six.
pub fn score(value: f64) -> String {
    display::score(value, if value.abs() < 10.0 { 3 } else { 1 })
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
    let rows = &model.panes.pack;
    if rows.symbols.get(rows.packed).is_some_and(|next| rows.excludes(next)) {
        words.push_str(&format!(" {} negative scores below", glyphs.dot));
    }
    for (rank, missing) in rows.admission_costs(&|id| model.task.options.dropped.contains(&id)) {
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
            [(0.0, "0.000"), (0.539, "0.539"), (12.34, "12.3"), (-0.007, "-.007"), (-0.0001, "<0"), (-1.25, "-1.2")];
        for (value, expected) in cases {
            assert_eq!(figure(value), expected);
        }
    }
}
