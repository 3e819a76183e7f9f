//! The changed ranges of the shown file: removed lines between those that are there, and the way from range to range.

use super::state::SourceView;
use super::{ID, page_rows, show_word};
use crate::engine::Hunk;
use crate::tui::model::Model;

/// Limit of the removed lines of a range that are shown.
const MAX_REMOVED: usize = 20;

/// A row of the pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row<'a> {
    /// A line of the file, from 1.
    Line(usize),
    /// A line of the base that the file no longer has.
    Removed(&'a str),
    /// The number of removed lines that are not shown.
    MoreRemoved(usize),
}

impl Row<'_> {
    /// Returns the line of the file.
    pub fn line(&self) -> Option<usize> {
        match self {
            Row::Line(line) => Some(*line),
            Row::Removed(_) | Row::MoreRemoved(_) => None,
        }
    }
}

/// Returns the rows of the pane from the first visible line on. The line of the cursor is among them.
pub fn rows<'a>(model: &'a Model, height: usize) -> Vec<Row<'a>> {
    let source = &model.panes.source;
    // A definition at the end of its file must not leave rows empty.
    let first = source.top.min(source.last_top(height)) + 1;
    let hunks = source.shown.as_ref().map_or(&[][..], |shown| model.changes.hunks(&shown.file));
    let cursor = source.cursor.min(first + height.saturating_sub(1));
    let mut rows = Vec::new();
    let mut cursor_row = 0;
    for line in first..=source.lines.len() + 1 {
        if rows.len() >= height && line > cursor {
            break;
        }
        rows.extend(removed_before(hunks, line));
        if line <= source.lines.len() {
            if line == cursor {
                cursor_row = rows.len();
            }
            rows.push(Row::Line(line));
        }
    }
    // Removed lines may have moved the cursor out of the pane.
    rows.drain(..(cursor_row + 1).saturating_sub(height));
    rows.truncate(height);
    rows
}

/// Returns the rows of the lines that were removed before a line.
fn removed_before(hunks: &[Hunk], line: usize) -> impl Iterator<Item = Row<'_>> {
    let found = hunks.iter().find(|hunk| hunk.start as usize == line);
    let removed = found.map_or(&[][..], |hunk| hunk.removed.as_slice());
    let more = removed.len().saturating_sub(MAX_REMOVED);
    let shown = removed.iter().take(MAX_REMOVED).map(|line| Row::Removed(line));
    shown.chain((more > 0).then_some(Row::MoreRemoved(more)))
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
            show_word(model);
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

    #[test]
    fn removed_lines_stand_before_the_line_that_replaced_them() {
        let model = model();
        let rows = rows(&model, 50);
        assert_eq!(rows[3], Row::Removed("old 1"));
        assert_eq!(rows[3 + MAX_REMOVED..][..2], [Row::MoreRemoved(5), Row::Line(4)]);
        assert_eq!(rows[rows.len() - 2..], [Row::Line(10), Row::Removed("end")]);
        assert!(!model.changes.is_changed("a.py", 3) && model.changes.is_changed("a.py", 5));
    }

    #[test]
    fn cursor_is_visible_among_removed_lines() {
        let mut model = model();
        for (cursor, height) in (1..=10).flat_map(|cursor| (1..30).map(move |height| (cursor, height))) {
            model.panes.source.move_to(cursor, height);
            let rows = rows(&model, height);
            assert!(rows.contains(&Row::Line(cursor)), "line {cursor}, {height} rows: {rows:?}");
            assert!(rows.len() <= height);
        }
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
