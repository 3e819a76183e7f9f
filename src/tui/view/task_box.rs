//! The task's text in rows: the first rows, or those around the cursor. A text of a megabyte costs no more than a page.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::text::display::safe;

/// The text before the cursor that is looked at, in characters.
const MAX_BEFORE: usize = 2_000;

/// Rows of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskRows {
    pub rows: Vec<String>,
    /// Row and column of the cursor.
    pub cursor: (usize, usize),
}

/// Returns the number of rows of a text, at most `max_rows`.
pub fn row_count(text: &str, columns: usize, max_rows: usize) -> usize {
    wrapped(text, 0, columns, max_rows).len().clamp(1, max_rows.max(1))
}

/// Returns at most `max_rows` rows of a text: around the cursor, given in characters, or else from the start. An
/// ellipsis marks text above or below.
pub fn rows(text: &str, cursor: Option<usize>, columns: usize, max_rows: usize, ellipsis: &str) -> TaskRows {
    if columns == 0 || max_rows == 0 {
        return TaskRows::default();
    }
    let at = cursor.map_or(0, |cursor| text.char_indices().nth(cursor).map_or(text.len(), |(at, _)| at));
    let start = text[..at].char_indices().rev().nth(MAX_BEFORE).map_or(0, |(start, _)| start);
    // A row that begins in the middle of a line would move with every letter.
    let start = if start == 0 { 0 } else { text[start..at].find('\n').map_or(start, |line| start + line + 1) };
    // As many rows as the text before the cursor can have, and those after it.
    let all = wrapped(text, start, columns, MAX_BEFORE + max_rows);
    let row = all.iter().rposition(|row| row.start <= at).unwrap_or(0);
    let first = (row + 1).saturating_sub(max_rows);
    let mut shown: Vec<String> = all
        .iter()
        .skip(first)
        .take(max_rows)
        .map(|row| safe(text[row.clone()].trim_end_matches('\n')).into_owned())
        .collect();
    let is_cut_above = start > 0 || first > 0;
    let is_cut_below = all.get(first + shown.len()).is_some();
    let column = all.get(row).map_or(0, |row| super::text::width(&safe(&text[row.start..at.max(row.start)])));
    if is_cut_above && (row > first || column > 0) {
        replace_first(&mut shown, ellipsis);
    }
    if let (true, Some(last)) = (is_cut_below, shown.last_mut()) {
        let room = columns.saturating_sub(super::text::width(ellipsis));
        *last = format!("{}{ellipsis}", super::text::fit(last, room, ""));
    }
    TaskRows { rows: shown, cursor: (row - first, column.min(columns)) }
}

fn replace_first(rows: &mut [String], ellipsis: &str) {
    let Some(first) = rows.first_mut() else { return };
    let mut letters = first.chars();
    if letters.next().is_some_and(|letter| letter.width() == Some(super::text::width(ellipsis))) {
        *first = format!("{ellipsis}{}", letters.as_str());
    }
}

/// Returns the byte ranges of at most `max_rows` rows from a byte on. Rows end at line breaks and after blanks; a word
/// that is wider than a row is broken.
fn wrapped(text: &str, start: usize, columns: usize, max_rows: usize) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let (mut from, mut width, mut after_blank) = (start, 0, None);
    for (offset, letter) in text[start..].char_indices() {
        let at = start + offset;
        if rows.len() == max_rows {
            return rows;
        }
        if letter == '\n' {
            rows.push(from..at + 1);
            (from, width, after_blank) = (at + 1, 0, None);
            continue;
        }
        let cells = letter.width().unwrap_or(1);
        // The cursor has a cell after the last letter.
        if width + cells >= columns && at > from {
            let end = after_blank.filter(|end| *end > from).unwrap_or(at);
            rows.push(from..end);
            (from, width, after_blank) = (end, super::text::width(&text[end..at]), None);
        }
        width += cells;
        if letter == ' ' {
            after_blank = Some(at + 1);
        }
    }
    if rows.len() < max_rows {
        rows.push(from..text.len());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, cursor: Option<usize>, columns: usize, max_rows: usize) -> (Vec<String>, (usize, usize)) {
        let TaskRows { rows, cursor } = rows(text, cursor, columns, max_rows, "~");
        (rows, cursor)
    }

    #[test]
    fn a_text_is_wrapped_at_blanks_and_line_breaks() {
        assert_eq!(shown("fix the cache", None, 40, 4), (vec!["fix the cache".into()], (0, 0)));
        assert_eq!(shown("fix the cache", Some(13), 9, 4), (vec!["fix the ".into(), "cache".into()], (1, 5)));
        assert_eq!(shown("ab\ncd", Some(3), 9, 4), (vec!["ab".into(), "cd".into()], (1, 0)));
        assert_eq!(shown("abcdefgh", None, 5, 4), (vec!["abcd".into(), "efgh".into()], (0, 0)));
        assert_eq!(shown("", Some(0), 5, 4), (vec![String::new()], (0, 0)));
        assert_eq!(row_count("a\nb\nc\nd\ne\nf", 9, 4), 4);
    }

    #[test]
    fn hidden_text_has_an_ellipsis() {
        assert_eq!(shown("a1\nb2\nc3", None, 9, 2), (vec!["a1".into(), "b2~".into()], (0, 0)));
        assert_eq!(shown("a1\nb2\nc3", Some(8), 9, 2), (vec!["~2".into(), "c3".into()], (1, 2)));
    }

    #[test]
    fn the_rows_of_a_long_text_are_those_around_the_cursor() {
        let text = "lorem ipsum 漢字 ".repeat(70_000);
        let letters = text.chars().count();
        for cursor in [0, 1, 5_000, letters - 1, letters] {
            let (rows, (row, column)) = shown(&text, Some(cursor), 60, 4);
            assert!(rows.len() <= 4 && row < rows.len() && column <= 60, "{cursor}: {rows:?}");
        }
        assert_eq!(row_count(&text, 60, 4), 4);
    }
}
