//! Draws the source.

use std::collections::HashSet;
use std::ops::Range;

use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::hunks::{Row, rows};
use super::marks::{found_in, task_stems, words_of_task};
use super::wrap::Piece;
use super::{ID, NEXT_MATCH, SourceView};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::model::{Focus, Model};
use crate::tui::panes::why;
use crate::tui::theme::Slot;
use crate::tui::update::navigation;
use crate::tui::view::{Canvas, text};

/// Draws the lines of the shown file, or why there are none.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let source = &model.panes.source;
    let words = match (&source.error, &source.shown, &source.wanted) {
        (Some(error), _, _) => Some(safe(error).into_owned()),
        (None, Some(_), _) => None,
        (None, None, Some(_)) => Some(String::new()),
        (None, None, None) if model.panes.pack.symbols.is_empty() => Some("The selected symbol is shown here.".into()),
        (None, None, None) if navigation::shown_symbol(model).is_none() => Some("No symbol passes the filter.".into()),
        (None, None, None) => Some("Defined outside the repository.".into()),
    };
    if let Some(words) = words {
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area }, &line);
        return;
    }
    lines(canvas, area);
}

/// Columns that the location's path keeps beside the names of the definitions around the cursor.
const MIN_LOCATION: usize = 16;

/// Returns the line in the title: that of the cursor.
pub fn title_line(model: &Model) -> usize {
    let source = &model.panes.source;
    let line = source.shown.as_ref().map_or(0, |location| location.line);
    if source.cursor > 0 { source.cursor } else { line }
}

/// Returns the end of the shown path and the line of the cursor, and while the source is read the definitions around it,
/// at most `columns` wide: outer definitions are left out first, then folders; the line never is.
pub fn location(model: &Model, columns: usize) -> String {
    let (source, glyphs) = (&model.panes.source, &model.appearance.glyphs);
    let Some(location) = &source.shown else { return String::new() };
    let whole = format!("{}:{}", safe(&location.file), title_line(model));
    let mut names: Vec<String> = Vec::new();
    if let Some(symbol) = source.enclosing().filter(|_| model.focus == Focus::Pane(ID)) {
        names.extend(symbol.scope.split('.').filter(|scope| !scope.is_empty()).map(|scope| safe(scope).into_owned()));
        names.push(safe(&symbol.name).into_owned());
    }
    let crumbs = |names: &[String]| names.iter().map(|name| format!(" {} {name}", glyphs.crumb)).collect::<String>();
    let mut first = 0;
    while first < names.len() && text::width(&crumbs(&names[first..])) + MIN_LOCATION.min(whole.len()) > columns {
        first += 1;
    }
    let tail = crumbs(&names[first..]);
    let room = columns.saturating_sub(text::width(&tail));
    // Folders are left out as a whole.
    let shorter = whole.match_indices('/').map(|(at, _)| format!("{}{}", glyphs.ellipsis, &whole[at..]));
    let fitting = std::iter::once(whole.clone()).chain(shorter).find(|path| text::width(path) <= room);
    let path = fitting.unwrap_or_else(|| {
        let name = whole.rsplit('/').next().unwrap_or(&whole);
        text::fit_end(name, room, glyphs.ellipsis).into_owned()
    });
    format!("{path}{tail}")
}

/// Returns how many matches the search has in the shown file, and which one the cursor is on.
pub fn search_status(model: &Model) -> String {
    match model.panes.source.match_counts() {
        (_, 0) => waiting_search(model),
        (0, all) => format!("{all} found"),
        (at, all) => format!("match {at} of {all}"),
    }
}

/// Returns the note that another file is searched, with the keys that search here and that end it.
fn waiting_search(model: &Model) -> String {
    let source = &model.panes.source;
    if model.focus != Focus::Pane(ID) || source.search.needle.is_empty() || !source.needle().is_empty() {
        return String::new();
    }
    let key = |context, command| model.keymap.key_of(context, command);
    let next = key(Context::Pane(ID), Command::Pane(NEXT_MATCH));
    let clear = key(Context::Normal, Command::Back);
    format!("/{} ({next}, {clear})", safe(&source.search.needle))
}

/// Returns the columns before the text: the mark of the definition, the line number and a blank.
fn gutter(source: &SourceView) -> usize {
    source.lines.len().to_string().len().max(3) + 2
}

/// Returns the columns that the text of a line has.
fn text_columns(model: &Model, area: Rect) -> usize {
    (area.width as usize).saturating_sub(gutter(&model.panes.source))
}

/// Returns the line, from 1, and the byte in it that are drawn at a position.
pub fn position_at(model: &Model, position: Position, area: Rect) -> (usize, usize) {
    let source = &model.panes.source;
    let rows = rows(model, text_columns(model, area), area.height as usize);
    let row = (position.y.saturating_sub(area.y)) as usize;
    // A removed line has none in the file; the next one is there.
    let line = |row: &Row<'_>| if let Row::Line(line, piece) = row { Some((*line, piece.clone())) } else { None };
    let Some((line, piece)) = rows.iter().skip(row).chain(rows.iter().rev()).find_map(line) else { return (1, 0) };
    let column = (position.x.saturating_sub(area.x) as usize).saturating_sub(gutter(source) + piece.indent);
    let text = source.line_text(line);
    let mut before = 0;
    let byte = text[piece.range.clone()].char_indices().find(|(_, letter)| {
        before += letter.width().unwrap_or(0);
        before > column
    });
    (line, byte.map_or(piece.range.end, |(byte, _)| piece.range.start + byte))
}

fn lines(canvas: &mut Canvas<'_>, area: Rect) {
    let stems = match canvas.model.task.label() {
        None => task_stems(canvas.model.task.text()),
        Some(_) => HashSet::new(),
    };
    let columns = text_columns(canvas.model, area);
    for (index, row) in rows(canvas.model, columns, area.height as usize).into_iter().enumerate() {
        let row_area = Canvas::row(area, index);
        match row {
            Row::Line(number, piece) => {
                line(canvas, row_area, number, &piece);
                marks(canvas, row_area, (number, &piece), &stems);
            }
            Row::Removed(text, piece) => {
                let text = format!("{}{}", " ".repeat(piece.indent), &text[piece.range.clone()]);
                removed(canvas, row_area, if piece.range.start == 0 { "-" } else { "" }, text);
            }
            Row::MoreRemoved(count) => {
                let ellipsis = canvas.model.appearance.glyphs.ellipsis;
                removed(canvas, row_area, "-", format!("{ellipsis} {}", text::count(count, "more removed line")));
            }
        }
    }
}

/// Draws a row of a line that the file no longer has.
fn removed(canvas: &mut Canvas<'_>, area: Rect, sign: &str, words: String) {
    let gutter = text::pad_start(sign, gutter(&canvas.model.panes.source));
    canvas.line(area, &Line::from(canvas.span(Slot::Negative, format!("{gutter}{words}"))));
}

/// Returns whether the cursor is in the symbol that is explained. Elsewhere its reason would seem to be that of another one.
pub fn is_in_explained(model: &Model) -> bool {
    let source = &model.panes.source;
    let Some(Symbol { file, span, .. }) = why::explained_symbol(model) else { return false };
    let is_other_file = source.shown.as_ref().is_some_and(|shown| shown.file != *file);
    source.cursor == 0 || is_other_file || (span.start_line..=span.end_line).contains(&(source.cursor as u32))
}

/// Returns the place in the list of the definition around the cursor.
pub fn place_in_list(model: &Model) -> String {
    let rank = model.panes.source.enclosing().and_then(|symbol| model.panes.pack.rank_of(symbol.id));
    rank.map_or(String::new(), |rank| format!("#{rank} of the list"))
}

/// Returns when, in which pull request and by whom the shown symbol was last changed, the most telling first: the title cuts
/// the end.
pub fn last_commit(model: &Model) -> String {
    let is_explained =
        navigation::shown_symbol(model).map(|symbol| symbol.id) == why::explained_symbol(model).map(|symbol| symbol.id);
    let is_shown = super::has_sentence_row(model)
        && super::previewed_symbol(model).is_none()
        && is_explained
        && is_in_explained(model);
    let Some(commit) = why::last_commit(model).filter(|_| is_shown) else { return String::new() };
    if !commit.is_committed() {
        return commit.subject.clone();
    }
    let request = commit.pull_request.map_or(String::new(), |number| format!(" #{number}"));
    format!("{}{request} {}", commit.day(), safe(&commit.author))
}

/// Returns the owners of the shown file if it is among the changed ones.
pub fn owners(model: &Model) -> String {
    let owners = model.panes.source.shown.as_ref().map(|shown| model.changes.owners(&shown.file)).unwrap_or_default();
    let words = match owners {
        [] => String::new(),
        [owner] => owner.clone(),
        [owner, others @ ..] => format!("{owner} +{}", others.len()),
    };
    safe(&words).into_owned()
}

/// Draws a row of a line of the file.
fn line(canvas: &mut Canvas<'_>, area: Rect, number: usize, piece: &Piece) {
    let model = canvas.model;
    let (source, glyphs) = (&model.panes.source, &model.appearance.glyphs);
    let location = source.shown.as_ref();
    let inside = location.is_some_and(|location| (location.start_line..=location.end_line).contains(&number));
    let named = location.is_some_and(|location| location.line == number);
    let marker = if inside { glyphs.selection } else { " " };
    let slot = match number == source.cursor && model.focus == Focus::Pane(ID) {
        true => Slot::Selection,
        false if named => Slot::Definition,
        false => Slot::LineNumber,
    };
    // A continuation has no number.
    let digits = if piece.indent == 0 { number.to_string() } else { glyphs.wrapped.to_owned() };
    let slot = if piece.indent == 0 { slot } else { Slot::LineNumber };
    let digits = text::pad_start(&digits, gutter(source) - 2);
    let is_changed = location.is_some_and(|location| model.changes.is_changed(&location.file, number));
    let mut spans = vec![
        canvas.span(Slot::Definition, marker),
        canvas.span(slot, digits),
        canvas.span(Slot::Positive, if is_changed { "+" } else { " " }),
        canvas.span(Slot::Text, " ".repeat(piece.indent)),
    ];
    let mut start = 0;
    for (slot, text) in &source.lines[number - 1] {
        let (from, to) = (piece.range.start.max(start), piece.range.end.min(start + text.len()));
        if from < to {
            spans.push(canvas.span(*slot, text[from - start..to - start].to_owned()));
        }
        start += text.len();
    }
    canvas.line(area, &Line::from(spans));
    if piece.is_cut && area.width > 0 {
        let end = Rect { x: area.x + area.width - 1, width: 1, ..area };
        let ellipsis = Line::from(canvas.span(Slot::Dim, glyphs.ellipsis));
        canvas.line(end, &ellipsis);
    }
    if named && location.is_some_and(|location| location.is_use) {
        canvas.select(area, false);
    }
}

/// Marks words of the task, matches of the search and the word under the cursor in a drawn row.
fn marks(canvas: &mut Canvas<'_>, area: Rect, (number, piece): (usize, &Piece), stems: &HashSet<String>) {
    let source = &canvas.model.panes.source;
    let line = source.line_text(number);
    let mut marks: Vec<(Range<usize>, Style)> = Vec::new();
    let underlined = Style::new().add_modifier(Modifier::UNDERLINED);
    marks.extend(words_of_task(&line, stems).into_iter().map(|range| (range, underlined)));
    let reversed = Style::new().add_modifier(Modifier::REVERSED);
    marks.extend(found_in(&line, source.needle()).into_iter().map(|range| (range, reversed)));
    if number == source.cursor && canvas.model.focus == Focus::Pane(ID) {
        marks.extend(source.word.clone().map(|range| (range, canvas.style(Slot::Selection))));
    }
    let first = gutter(source) + piece.indent;
    for (range, style) in marks {
        let (start, end) = (range.start.max(piece.range.start), range.end.min(piece.range.end));
        let columns = |range: Range<usize>| line.get(range).map_or(0, UnicodeWidthStr::width);
        if start < end {
            let x = area.x as usize + first + columns(piece.range.start..start);
            let part = Rect { x: x as u16, width: columns(start..end) as u16, ..area };
            canvas.buffer.set_style(part.intersection(area), style);
        }
    }
}
