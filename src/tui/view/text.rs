//! Fits text to columns: cuts, pads, wraps; numbers and bars.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use crate::text::display::thousands;
use crate::text::file_name;

/// Returns the columns of a text on the terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text at its end to at most `columns`, with an ellipsis.
pub fn fit<'text>(text: &'text str, columns: usize, ellipsis: &str) -> Cow<'text, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    if columns < width(ellipsis) {
        return Cow::Borrowed("");
    }
    let mut room = columns - width(ellipsis);
    let mut kept = String::new();
    for letter in text.chars() {
        let taken = letter.width().unwrap_or(0);
        if taken > room {
            break;
        }
        room -= taken;
        kept.push(letter);
    }
    kept.push_str(ellipsis);
    Cow::Owned(kept)
}

/// Cuts a text at its start to at most `columns`, with an ellipsis: the end of a path is its important part.
pub fn fit_end<'text>(text: &'text str, columns: usize, ellipsis: &str) -> Cow<'text, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    if columns < width(ellipsis) {
        return Cow::Borrowed("");
    }
    let mut room = columns - width(ellipsis);
    let mut start = text.len();
    for (index, letter) in text.char_indices().rev() {
        let taken = letter.width().unwrap_or(0);
        if taken > room {
            break;
        }
        room -= taken;
        start = index;
    }
    Cow::Owned(format!("{ellipsis}{}", &text[start..]))
}

/// Cuts `path:line` to at most `columns`: the folders at their start, the file name at its end.
pub fn fit_location(location: &str, columns: usize, ellipsis: &str) -> String {
    let name = file_name(location);
    match name.rsplit_once(':') {
        // With an ellipsis the whole name does not fit.
        Some((file, line))
            if width(name) > columns || width(name) + width(ellipsis) > columns && name.len() < location.len() =>
        {
            let room = columns.saturating_sub(width(line) + 1);
            let location = format!("{}:{line}", fit(file, room, ellipsis));
            fit_end(&location, columns, ellipsis).into_owned()
        }
        _ => fit_end(location, columns, ellipsis).into_owned(),
    }
}

/// Cuts a text at its end to at most `columns` with an ellipsis, after a whole word unless that would leave less than
/// half: then the cut word is a long name, of which a part says more than nothing.
pub fn fit_words<'text>(text: &'text str, columns: usize, ellipsis: &str) -> Cow<'text, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let mut kept = "";
    for (index, _) in text.match_indices(' ') {
        if width(&text[..index]) + 1 + width(ellipsis) <= columns {
            kept = &text[..index];
        }
    }
    if 2 * width(kept) < columns { fit(text, columns, ellipsis) } else { Cow::Owned(format!("{kept} {ellipsis}")) }
}

/// Joins as many whole parts as fit into `columns`; only a first part that is too long itself is cut.
pub fn fit_parts(parts: &[String], separator: &str, columns: usize, ellipsis: &str) -> String {
    let mut joined = String::new();
    for part in parts {
        let taken = width(&joined) + width(part) + if joined.is_empty() { 0 } else { width(separator) };
        if taken > columns {
            break;
        }
        if !joined.is_empty() {
            joined.push_str(separator);
        }
        joined.push_str(part);
    }
    match parts.first() {
        Some(first) if joined.is_empty() => fit(first, columns, ellipsis).into_owned(),
        _ => joined,
    }
}

/// Skips the first `columns` of a text. Returns the rest, and how many columns the text was too short for. A wide letter
/// that is cut in half is skipped.
pub fn after(text: &str, columns: usize) -> (&str, usize) {
    let mut left = columns;
    for (index, letter) in text.char_indices() {
        if left == 0 {
            return (&text[index..], 0);
        }
        left = left.saturating_sub(letter.width().unwrap_or(0));
    }
    ("", left)
}

/// Pads a text with blanks on the right to `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// Pads a text with blanks on the left to `columns`.
pub fn pad_start(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{}{text}", " ".repeat(missing))
}

/// Formats a number and its noun, in the plural unless the number is 1.
pub fn count(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// Returns a bar of `columns` cells for a share between 0 and 1; `steps` are the glyphs from empty to full.
pub fn bar(share: f64, columns: usize, steps: &[&str]) -> String {
    let fine = steps.len().saturating_sub(1).max(1);
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let filled = (share * (columns * fine) as f64).round() as usize;
    let cells = (0..columns).map(|cell| steps[filled.saturating_sub(cell * fine).min(fine)]);
    cells.collect()
}

/// Breaks the words into lines of at most `width` columns; a longer word has a line of its own.
pub fn wrap(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if self::width(line) + 1 + self::width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_do_not_overflow() {
        for columns in 0..12 {
            assert!(width(&fit("漢字漢字漢字", columns, "…")) <= columns);
            assert!(width(&fit_end("漢字漢字漢字", columns, "…")) <= columns);
        }
        assert_eq!(fit("abcdef", 4, "…"), "abc…");
        assert_eq!(fit_end("abcdef", 4, "…"), "…def");
        let cells: Vec<String> =
            [20, 17, 13, 12, 9, 4, 0].map(|columns| fit_location("links/session.py:24", columns, "…")).into();
        assert_eq!(
            cells,
            ["links/session.py:24", "…ks/session.py:24", "session.py:24", "session.…:24", "sessi…:24", "…:24", ""]
        );
    }

    #[test]
    fn titles_are_cut_between_words() {
        let cut = |columns| fit_words("5 graph open_session", columns, "…").into_owned();
        let expected =
            ["5 graph open_session", "5 graph open_sessi…", "5 graph …", "5 graph …", "5 graph …", "5 graph…", "…"];
        assert_eq!([20, 19, 14, 10, 9, 8, 1].map(cut), expected);
        assert_eq!(fit_words("open_session", 6, "…"), "open_…");
    }

    #[test]
    fn only_whole_parts_are_joined() {
        let parts = ["one +1".to_owned(), "two +2".to_owned()];
        let joined = |columns| fit_parts(&parts, " · ", columns, "…");
        assert_eq!([15, 14, 6, 5].map(joined), ["one +1 · two +2", "one +1", "one +1", "one …"]);
        assert_eq!(fit_parts(&[], " · ", 9, "…"), "");
    }

    #[test]
    fn columns_are_skipped_at_the_start() {
        assert_eq!(after("abc", 0), ("abc", 0));
        assert_eq!(after("abc", 2), ("c", 0));
        assert_eq!(after("abc", 5), ("", 2));
        assert_eq!(after("漢字x", 3), ("x", 0));
    }

    #[test]
    fn numbers_and_bars_are_formatted() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(bar(0.5, 4, &[" ", "#"]), "##  ");
        assert_eq!(bar(f64::NAN, 2, &[" ", "#"]), "  ");
        assert_eq!(bar(2.0, 2, &[" ", "#"]), "##");
    }
}
