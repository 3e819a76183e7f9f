//! Breaks a line of source into the rows of the pane: nothing of it is cut.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// Rows of a line at most; of a longer one those around a word are shown.
const MAX_ROWS: usize = 8;
/// Cells by which a continuation is indented more than its line.
const HANGING: usize = 2;

/// The part of a line that is on one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the line.
    pub range: Range<usize>,
    /// Blanks before it.
    pub indent: usize,
    /// Whether the line goes on where no further row is shown.
    pub is_cut: bool,
}

/// Returns the rows of a line of `columns` cells; of a very long line those around the byte `word`.
pub fn pieces(text: &str, columns: usize, word: usize) -> Vec<Piece> {
    // No letter has more cells than bytes.
    if text.len() <= columns || columns == 0 {
        return vec![Piece { range: 0..text.len(), indent: 0, is_cut: false }];
    }
    let blanks = text.len() - text.trim_start_matches(' ').len();
    let hanging = (blanks + HANGING).min(columns / 2);
    let is_far = word > columns.saturating_sub(hanging) * (MAX_ROWS - 1);
    let before = (0..=word.saturating_sub(columns)).rev().find(|at| text.is_char_boundary(*at));
    let mut start = before.filter(|_| is_far).unwrap_or_default();
    let mut pieces: Vec<Piece> = Vec::new();
    while pieces.len() < MAX_ROWS && (start < text.len() || pieces.is_empty()) {
        let indent = if pieces.is_empty() { 0 } else { hanging };
        let end = row_end(text, start, columns - indent);
        pieces.push(Piece { range: start..end, indent, is_cut: false });
        start = end;
    }
    if let Some(last) = pieces.last_mut() {
        last.is_cut = start < text.len();
    }
    pieces
}

/// Returns the end of the row that begins at a byte: after a blank or a sign in its second half, else where it is full.
fn row_end(text: &str, start: usize, columns: usize) -> usize {
    let (mut width, mut good) = (0, None);
    for (offset, letter) in text[start..].char_indices() {
        let cells = letter.width().unwrap_or(0);
        if width + cells > columns {
            let full = if offset == 0 { start + letter.len_utf8() } else { start + offset };
            return good.unwrap_or(full);
        }
        width += cells;
        if width * 2 > columns && matches!(letter, ' ' | ',' | ';' | '(' | '[' | '{' | '|' | '&') {
            good = Some(start + offset + letter.len_utf8());
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, columns: usize, word: usize) -> Vec<String> {
        let piece = |piece: Piece| format!("{}{}", " ".repeat(piece.indent), &text[piece.range]);
        pieces(text, columns, word).into_iter().map(piece).collect()
    }

    #[test]
    fn a_long_line_continues_below_with_its_indentation() {
        let text = "    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:";
        let shown = rows(text, 40, 0);
        assert_eq!(shown[0], "    def get_signing_serializer(self, ");
        assert!(shown[1..].iter().all(|row| row.starts_with("      ") && row.chars().count() <= 40), "{shown:?}");
        let joined: String = pieces(text, 40, 0).into_iter().map(|piece| &text[piece.range]).collect();
        assert_eq!(joined, text, "nothing is lost");
        assert_eq!(rows("short", 40, 0), ["short"]);
        assert_eq!(rows("", 40, 0), [""]);
    }

    #[test]
    fn of_a_very_long_line_the_rows_around_the_word_are_shown() {
        let text = format!("{}needle{}", "a".repeat(9_000), "漢".repeat(9_000));
        for columns in 1..90 {
            let shown = pieces(&text, columns, 9_000);
            assert!(shown.len() <= MAX_ROWS && shown.last().unwrap().is_cut);
            assert!(shown.iter().any(|piece| piece.range.contains(&9_000)), "{columns}: {shown:?}");
        }
    }
}
