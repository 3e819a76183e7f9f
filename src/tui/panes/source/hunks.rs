//! The changed ranges of the shown file: removed lines between those that are there, and the way from range to range.

use super::marks::{task_stems, words_of_task};
use super::state::SourceView;
use super::wrap::{Piece, pieces};
use super::{ID, page_rows};
use crate::engine::{Hunk, Location, locations};
use crate::model::SymbolKind;
use crate::text::file_name;
use crate::tui::model::Model;
use crate::tui::update::navigation;

/// Limit of the removed lines of a range that are shown.
const MAX_REMOVED: usize = 20;

/// A row of the pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row<'a> {
    /// A piece of a line of the file, from 1.
    Line(usize, Piece),
    /// A piece of a line of the base that the file no longer has.
    Removed(&'a str, Piece),
    /// The number of removed lines that are not shown.
    MoreRemoved(usize),
}

/// Returns the rows of the pane from the first visible line on, of `columns` cells each. The line of the cursor is among
/// them.
pub fn rows(model: &Model, columns: usize, height: usize) -> Vec<Row<'_>> {
    let source = &model.panes.source;
    // A definition at the end of its file must not leave rows empty.
    let first = source.top.min(source.last_top(height)) + 1;
    let hunks = source.shown.as_ref().map_or(&[][..], |shown| model.changes.hunks(&shown.file));
    let cursor = source.cursor.min(first + height.saturating_sub(1));
    let word = source.word.as_ref().map_or(0, |word| word.start);
    let mut rows = Vec::new();
    let mut cursor_row = 0;
    for line in first..=source.lines.len() + 1 {
        if rows.len() >= height && line > cursor {
            break;
        }
        rows.extend(removed_before(hunks, line, columns));
        if line > source.lines.len() {
            break;
        }
        let word = if line == source.cursor { word } else { 0 };
        for piece in pieces(&source.line_text(line), columns, word) {
            if line == cursor && piece.range.start <= word {
                cursor_row = rows.len();
            }
            rows.push(Row::Line(line, piece));
        }
    }
    // Removed and wrapped lines may have moved the cursor out of the pane.
    rows.drain(..(cursor_row + 1).saturating_sub(height).min(rows.len()));
    rows.truncate(height);
    rows
}

/// Returns the rows of the lines that were removed before a line.
fn removed_before(hunks: &[Hunk], line: usize, columns: usize) -> impl Iterator<Item = Row<'_>> {
    let found = hunks.iter().find(|hunk| hunk.start as usize == line);
    let removed = found.map_or(&[][..], |hunk| hunk.removed.as_slice());
    let more = removed.len().saturating_sub(MAX_REMOVED);
    let shown = removed.iter().take(MAX_REMOVED);
    let shown = shown.flat_map(move |line| {
        pieces(line, columns, 0).into_iter().map(move |piece| Row::Removed(line.as_str(), piece))
    });
    shown.chain((more > 0).then_some(Row::MoreRemoved(more)))
}

/// Lines of a definition in which the first matching one is looked for.
const MAX_SEARCHED: usize = 400;

/// Brings the line of a definition that the task names into view, or the first changed one, or the first one with a word
/// of the task if it is further down than the pane shows.
pub fn show_first_change(model: &mut Model) {
    let source = &model.panes.source;
    let height = page_rows(model, ID);
    let Some(shown) = source.shown.as_ref().filter(|shown| !shown.is_use && shown.symbol.is_some()) else { return };
    let lines = shown.start_line..=shown.end_line.min(source.lines.len());
    let hunks = model.changes.hunks(&shown.file).iter();
    let mut changed = hunks.map(|hunk| (hunk.start as usize, (hunk.start + hunk.lines.max(1)) as usize));
    let changed = changed.find(|(start, end)| *end > *lines.start() && start <= lines.end());
    let task = if model.task.label().is_none() { model.task.text() } else { "" };
    let is_here =
        |one: &Location| file_name(&one.path) == file_name(&shown.file) && lines.contains(&(one.line as usize));
    let named = locations(task).into_iter().find(is_here).map(|one| one.line as usize);
    let symbol = navigation::shown_symbol(model);
    let is_container = symbol
        .is_some_and(|symbol| matches!(symbol.kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Package));
    let other = changed.map(|(start, _)| start.max(*lines.start())).or_else(|| {
        // What a type is, its head says; its members are symbols of their own.
        if is_container {
            return None;
        }
        let stems = task_stems(task);
        lines.take(MAX_SEARCHED).find(|line| !words_of_task(&source.line_text(*line), &stems).is_empty())
    });
    let is_below = |line: &usize| *line > source.top + height.saturating_sub(1);
    let Some(line) = named.or(other.filter(is_below)).filter(|_| height > 0) else { return };
    let is_far = is_below(&line);
    let source = &mut model.panes.source;
    source.move_to(line, 0);
    if is_far {
        source.top = line.saturating_sub(1 + height / 3);
    }
    // What the task names is meant, not what is around it.
    source.is_placed = named.is_none();
}

impl SourceView {
    /// Returns the first line of the next or the previous of these ranges.
    fn hunk(&self, hunks: &[Hunk], forward: bool) -> Option<usize> {
        let mut lines = hunks.iter().map(|hunk| (hunk.start as usize).min(self.lines.len()));
        match forward {
            true => lines.find(|line| *line > self.cursor),
            false => lines.rfind(|line| *line < self.cursor),
        }
    }
}

/// Goes to the next or the previous changed range of the shown file.
pub fn go_to_hunk(model: &mut Model, forward: bool) {
    let file = model.panes.source.shown.as_ref().map(|shown| shown.file.clone()).unwrap_or_default();
    let hunks = model.changes.hunks(&file);
    match model.panes.source.hunk(hunks, forward) {
        Some(line) => {
            let height = page_rows(model, ID);
            model.panes.source.move_to(line, height);
        }
        None if hunks.is_empty() => {
            model.show_message("no change in this file; gb ranks for the changes since a revision")
        }
        None => model.show_message(if forward { "last change of the file" } else { "first change of the file" }),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::Changes;
    use crate::tui::fixture;
    use crate::tui::panes::source::SourceLocation;
    use crate::tui::theme::Slot;

    /// Returns a model whose source pane shows ten lines, with 2 changed and 25 removed lines before line 4, and the last
    /// one removed.
    fn model() -> Model {
        let mut model = fixture::model(120, 40);
        let source = &mut model.panes.source;
        source.lines = Arc::new((1..=10).map(|line| vec![(Slot::Text, format!("line {line}").into())]).collect());
        source.shown = Some(SourceLocation { file: "a.py".into(), ..SourceLocation::default() });
        source.cursor = 1;
        let removed = (1..=25).map(|line| format!("old {line}")).collect();
        let hunks =
            vec![Hunk { start: 4, lines: 2, removed }, Hunk { start: 11, lines: 0, removed: vec!["end".to_owned()] }];
        model.changes.known = Some(Changes { files: [("a.py".to_owned(), hunks)].into(), ..Changes::default() });
        model
    }

    /// Returns what each row shows: the number of a line, or the text of a removed one.
    fn shown(model: &Model, columns: usize, height: usize) -> Vec<String> {
        let row = |row: Row<'_>| match row {
            Row::Line(number, _) => number.to_string(),
            Row::Removed(text, piece) => text[piece.range].to_owned(),
            Row::MoreRemoved(count) => format!("{count} more"),
        };
        rows(model, columns, height).into_iter().map(row).collect()
    }

    #[test]
    fn removed_lines_stand_before_the_line_that_replaced_them() {
        let model = model();
        let rows = shown(&model, 40, 50);
        assert_eq!(rows[3], "old 1");
        assert_eq!(rows[3 + MAX_REMOVED..][..2], ["5 more", "4"]);
        assert_eq!(rows[rows.len() - 2..], ["10", "end"]);
        assert!(!model.changes.is_changed("a.py", 3) && model.changes.is_changed("a.py", 5));
    }

    #[test]
    fn cursor_is_visible_among_removed_and_wrapped_lines() {
        let mut model = model();
        for (cursor, height) in (1..=10).flat_map(|cursor| (1..30).map(move |height| (cursor, height))) {
            for columns in [4, 5, 40] {
                model.panes.source.move_to(cursor, height);
                let rows = shown(&model, columns, height);
                assert!(rows.contains(&cursor.to_string()), "line {cursor}, {height} rows: {rows:?}");
                assert!(rows.len() <= height);
            }
        }
    }

    #[test]
    fn the_first_change_of_a_definition_is_in_view() {
        let mut model = model();
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        let source = &mut model.panes.source;
        source.lines = Arc::new((1..=400).map(|line| vec![(Slot::Text, format!("line {line}").into())]).collect());
        let symbol = Some(fixture::pack().symbols[0].symbol.id);
        source.shown = Some(SourceLocation {
            file: "a.py".into(),
            start_line: 100,
            end_line: 300,
            line: 100,
            symbol,
            ..SourceLocation::default()
        });
        (source.top, source.cursor) = (99, 100);
        let hunk = |start| Hunk { start, lines: 1, removed: Vec::new() };
        let change = |lines: &[u32]| {
            let hunks = lines.iter().map(|line| hunk(*line)).collect();
            Some(Changes { files: [("a.py".to_owned(), hunks)].into(), ..Changes::default() })
        };
        model.changes.known = change(&[40, 103, 250]);
        show_first_change(&mut model);
        assert_eq!(model.panes.source.cursor, 100, "it is in view");
        model.changes.known = change(&[40, 250, 290]);
        show_first_change(&mut model);
        assert_eq!(model.panes.source.cursor, 250);
        let height = page_rows(&model, ID);
        assert!((model.panes.source.top..model.panes.source.top + height).contains(&249));
    }

    #[test]
    fn changes_are_visited_in_order() {
        let mut model = model();
        let visited = |model: &mut Model, forward| {
            go_to_hunk(model, forward);
            model.panes.source.cursor
        };
        assert_eq!([(); 3].map(|()| visited(&mut model, true)), [4, 10, 10]);
        assert_eq!([(); 2].map(|()| visited(&mut model, false)), [4, 4]);
    }
}
