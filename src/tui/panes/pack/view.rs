//! Draws the ranked list.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::columns::{Columns, GAP, Needed, container, relation, shown_name};
use super::{Delta, DisplayLine, ID, Stage, empty, fold};
use crate::engine::{ChangeRole, PACK_CANDIDATES};
use crate::model::SymbolId;
use crate::text::display::{self, safe};
use crate::tui::model::feedback::Feedback;
use crate::tui::model::{Focus, IndexState, Model};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Returns how many places are listed, or the progress of the ranking, and how the list is arranged.
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
    if rows.stage == Stage::Full && !rows.symbols.is_empty() && matches!(model.index, IndexState::Building(_)) {
        words.push("from part of the files".into());
    }
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
    let counts = match (rows.arrangement.is_filtered(), rows.arrangement.is_packing) {
        (true, _) => format!("{} of {all} places", text::thousands(rows.shown.len())),
        (false, true) => format!("{} packed of {all} places", text::thousands(rows.packed)),
        (false, false) if rows.symbols.len() == 1 => "1 place".to_owned(),
        (false, false) => format!("{all} places"),
    };
    // They are below all symbols.
    let counts = match rows.others.len() {
        0 => counts,
        others => format!("{counts} {} {}", model.appearance.glyphs.dot, text::count(others, "other file")),
    };
    match rows.marked.len() {
        0 => counts,
        marked => format!("{marked} marked {} {counts}", model.appearance.glyphs.dot),
    }
}

/// Draws the list, or the start screen while there is nothing to list.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let (area, below) = model.panes.pack.folds.split(area);
    fold::draw(canvas, below);
    if model.panes.pack.symbols.is_empty() {
        empty::draw(canvas, area);
        return;
    }
    let columns = Columns::new(model, area.width as usize, area.height as usize);
    if model.panes.pack.shown.is_empty() {
        let list = &model.panes.pack;
        let wanted = list.arrangement.labels().join(&format!(" {} ", model.appearance.glyphs.dot));
        let words = format!(" None of {} places: {}. Esc shows them all.", list.symbols.len(), safe(&wanted));
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Canvas::row(area, 0), &line);
    }
    for row in 0..area.height as usize {
        let line_area = Canvas::row(area, row);
        match model.panes.pack.display(model.panes.pack.offset + row) {
            Some(DisplayLine::Symbol(number)) => symbol(canvas, line_area, &columns, number),
            Some(DisplayLine::Notice) => notice(canvas, line_area),
            Some(DisplayLine::File(first)) => file(canvas, line_area, first),
            Some(DisplayLine::Cut) => cut(canvas, line_area),
            Some(DisplayLine::Other(index)) => other(canvas, line_area, index),
            None => break,
        }
    }
    if model.panes.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

/// Draws a row: marks, rank, relation or bar, name with container, place.
fn symbol(canvas: &mut Canvas<'_>, area: Rect, columns: &Columns, number: usize) {
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let list = &model.panes.pack;
    let Some(packed) = list.symbols.get(number) else { return };
    // While a symbol outside of the list is the current one, no row is highlighted: keys do not act on the list.
    let selected = number == list.selected && model.panes.source.chosen.is_none();
    // While a pack is made, what is not in it is dimmed.
    let is_lit = !list.arrangement.is_packing || list.is_packed(number);
    let lit = |slot: Slot| if is_lit { slot } else { Slot::Dim };
    let mut spans = lead(canvas, columns, number, selected);
    if columns.relation > 0 {
        let words = safe(relation(model, packed.symbol.id).unwrap_or_default());
        let words = text::pad(&text::fit(&words, columns.relation, glyphs.ellipsis), columns.relation);
        spans.push(canvas.span(lit(relation_slot(model, packed.symbol.id)), format!("{words} ")));
    }
    if columns.bar > 0 {
        let best = list.symbols.iter().map(|packed| packed.score).filter(|score| score.is_finite()).fold(0.0, f64::max);
        let share = if best > 0.0 { packed.score / best } else { 0.0 };
        spans.push(canvas.span(lit(Slot::Bar), format!("{} ", text::bar(share, columns.bar, glyphs.bar))));
    }
    // A name that needs more than its column has what its place leaves.
    let room = columns.name + columns.place;
    let needed = Needed::of(list, number, glyphs.ellipsis);
    let place = place(model, number, needed.place_beside_name(columns.place, room));
    let place_width = if columns.place > 0 { text::width(&place) } else { 0 };
    let name_room = room.saturating_sub(place_width);
    let name = text::fit(&shown_name(packed), name_room, glyphs.ellipsis).into_owned();
    let left = name_room.saturating_sub(text::width(&name));
    let container = match container(packed) {
        scope if scope.is_empty() || left < MIN_CONTAINER => String::new(),
        scope => text::fit(&format!(" {}{}", glyphs.container, safe(scope)), left, glyphs.ellipsis).into_owned(),
    };
    spans.push(canvas.span(lit(Slot::Name), name));
    spans.push(canvas.span(lit(Slot::Container), text::pad(&container, left + GAP)));
    let start = spans.iter().map(Span::width).sum::<usize>();
    let place_area = Rect { x: area.x + start as u16, width: place_width as u16, ..area };
    canvas.link(place_area.intersection(area), &packed.symbol.file, packed.symbol.span.name_line);
    if columns.place > 0 {
        spans.push(canvas.span(lit(Slot::Location), place));
    }
    if columns.tokens > 0 && list.stage == Stage::Full {
        let tokens = text::pad_start(&text::thousands(packed.tokens), columns.tokens);
        spans.push(canvas.span(lit(Slot::Tokens), tokens));
    }
    canvas.line(area, &Line::from(spans));
    if selected {
        let focused = matches!(model.focus, Focus::Pane(ID) | Focus::Task);
        canvas.select(area, focused);
    }
}

/// A container with fewer cells is not recognizable.
const MIN_CONTAINER: usize = 5;

/// Returns the color of a symbol's relation: what is changed and untested stands out.
fn relation_slot(model: &Model, id: SymbolId) -> Slot {
    match model.changes.role(id) {
        Some(ChangeRole::Untested) => Slot::Negative,
        Some(ChangeRole::Changed) => Slot::Positive,
        _ => Slot::Container,
    }
}

/// Returns the place of a symbol in at most `columns`: its file, unless the line above names it, and its line, which is never
/// cut.
fn place(model: &Model, number: usize, columns: usize) -> String {
    let rows = &model.panes.pack;
    let symbol = &rows.symbols[number].symbol;
    match rows.labels.get(number) {
        Some(_) if rows.arrangement.by_file => format!(":{}", symbol.span.name_line),
        Some(label) => {
            let line = if symbol.file.is_empty() { 0 } else { symbol.span.name_line };
            label.fit(line, columns, model.appearance.glyphs.ellipsis)
        }
        None => String::new(),
    }
}

/// Columns of the title of an answer at least, before its counts.
const MIN_TITLE: usize = 12;

/// Draws that the task asks about something that is not here.
fn notice(canvas: &mut Canvas<'_>, area: Rect) {
    let words = safe(canvas.model.panes.pack.notice.as_deref().unwrap_or_default());
    let room = (area.width as usize).saturating_sub(2);
    // The place of the subject is in its row.
    let words = match (words.find(" ("), words.rfind("): ")) {
        (Some(start), Some(end)) if text::width(&words) > room => format!("{}{}", &words[..start], &words[end + 1..]),
        _ => words.into_owned(),
    };
    // The task is above, and its answer is not.
    let words = match words.rsplit_once(": ") {
        Some((title, counts)) if text::width(&words) > room && text::width(counts) + MIN_TITLE < room => {
            let title = text::fit(title, room - text::width(counts) - 2, canvas.model.appearance.glyphs.ellipsis);
            format!("{title}: {counts}")
        }
        _ => words,
    };
    let words = text::fit_title(&words, room, ";", canvas.model.appearance.glyphs.ellipsis);
    let line = Line::from(canvas.span(Slot::Info, format!(" {words}")));
    canvas.line(area, &line);
}

/// Draws the name of a file above its symbols, how many of them are listed, and their tokens.
fn file(canvas: &mut Canvas<'_>, area: Rect, first: usize) {
    let model = canvas.model;
    let rows = &model.panes.pack;
    let Some(path) = rows.symbols.get(first).map(|packed| packed.symbol.file.as_str()) else { return };
    let own: Vec<usize> = rows
        .shown
        .iter()
        .map(|index| &rows.symbols[*index])
        .filter(|packed| packed.symbol.file == path)
        .map(|packed| packed.tokens)
        .collect();
    let owners = safe(&model.changes.owners(path).join(" ")).into_owned();
    let count = text::count(own.len(), "symbol");
    let tokens = format!("{} {} tok", model.appearance.glyphs.dot, text::thousands(own.iter().sum()));
    let count = Line::from(canvas.span(Slot::Dim, format!(" {owners} {count} {tokens} ")));
    let left = canvas.line_right(area, &count);
    let name = if path.is_empty() { "external".into() } else { safe(path) };
    let name = text::fit_end(&name, (left.width as usize).saturating_sub(1), model.appearance.glyphs.ellipsis);
    canvas.link(Rect { x: left.x + 1, width: text::width(&name) as u16, ..left }, path, 1);
    let line = Line::from(canvas.span(Slot::Heading, format!(" {name}")));
    canvas.line(left, &line);
}

/// Draws a changed file without symbols.
fn other(canvas: &mut Canvas<'_>, area: Rect, index: usize) {
    let Some((file, note)) = canvas.model.panes.pack.others.get(index) else { return };
    let note = Line::from(canvas.span(Slot::Dim, format!(" {note} ")));
    let left = canvas.line_right(area, &note);
    let room = (left.width as usize).saturating_sub(OTHER_LEAD);
    let name = text::fit_end(&safe(file), room, canvas.model.appearance.glyphs.ellipsis).into_owned();
    let place = Rect { x: left.x + OTHER_LEAD as u16, width: text::width(&name) as u16, ..left };
    canvas.link(place.intersection(left), file, 1);
    let line = Line::from(canvas.span(Slot::Location, format!("{}{name}", " ".repeat(OTHER_LEAD))));
    canvas.line(left, &line);
}

/// Cells before the name of a file without symbols.
const OTHER_LEAD: usize = 6;

/// Returns marker, pin and vote, rank, and the change of the rank.
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
    let (pin, vote) = (Feedback::pin_mark(id, &model.task), model.feedback.vote_mark(id));
    let padding = columns.marks.saturating_sub(text::width(pin) + text::width(vote));
    let rank = text::pad_start(&rows.ranks[number].to_string(), columns.rank);
    let mut spans = vec![
        canvas.span(marker_slot, marker),
        canvas.span(mark_slot(pin), pin),
        canvas.span(mark_slot(vote), vote),
        canvas.span(Slot::Rank, format!("{} {rank} ", " ".repeat(padding))),
    ];
    if columns.delta > 0 {
        let (slot, delta) = delta(canvas, number, columns.delta);
        spans.push(canvas.span(slot, format!("{} ", text::pad(&delta, columns.delta))));
    }
    spans
}

/// Returns the change of a symbol's rank in at most `room` columns: without the number where that does not fit.
fn delta(canvas: &Canvas<'_>, number: usize, room: usize) -> (Slot, String) {
    let glyphs = &canvas.model.appearance.glyphs;
    let (slot, sign, by) = match canvas.model.panes.pack.deltas.get(number) {
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
