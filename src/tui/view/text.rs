//! Fits text to columns: cuts, pads, wraps; numbers and bars.

use std::borrow::Cow;

use textwrap::WordSplitter;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use crate::text::count;
pub use crate::text::display::thousands;

/// Returns the columns of a text on the terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Returns the bytes of the first letters that fit into `columns`.
fn fitting(letters: impl Iterator<Item = char>, columns: usize) -> usize {
    let mut room = columns;
    let fits = |letter: &char| room.checked_sub(letter.width().unwrap_or(0)).map(|left| room = left).is_some();
    letters.take_while(fits).map(char::len_utf8).sum()
}

/// Cuts a text at its end to at most `columns`, with an ellipsis.
pub fn fit<'text>(text: &'text str, columns: usize, ellipsis: &str) -> Cow<'text, str> {
    match columns.checked_sub(width(ellipsis)) {
        _ if width(text) <= columns => Cow::Borrowed(text),
        None => Cow::Borrowed(""),
        Some(room) => Cow::Owned(format!("{}{ellipsis}", &text[..fitting(text.chars(), room)])),
    }
}

/// Fits parts that are separated by ` dot ` to at most `columns`: the last parts that do not fit are left out. The
/// first part is cut between words, or inside a word that does not fit alone.
pub fn fit_title(text: &str, columns: usize, dot: &str, ellipsis: &str) -> String {
    let mut rest = text;
    while width(rest) > columns {
        let Some((before, _)) = rest.rsplit_once(&format!(" {dot} ")) else {
            return fit_words(rest, columns, ellipsis);
        };
        rest = before;
    }
    rest.to_owned()
}

/// Cuts a text between words to at most `columns`, with an ellipsis; a first word that does not fit is cut.
fn fit_words(text: &str, columns: usize, ellipsis: &str) -> String {
    let cut = fit(text, columns, ellipsis);
    let kept = cut.strip_suffix(ellipsis).unwrap_or(&cut);
    let is_between_words = text[kept.len()..].starts_with(char::is_whitespace);
    match kept.trim_end().rsplit_once(' ') {
        Some((words, _)) if kept.len() < text.len() && !is_between_words && !words.trim().is_empty() => {
            format!("{}{ellipsis}", words.trim_end())
        }
        _ => cut.into_owned(),
    }
}

/// Cuts a text at its start to at most `columns`, with an ellipsis: the end of a path is its important part.
pub fn fit_end<'text>(text: &'text str, columns: usize, ellipsis: &str) -> Cow<'text, str> {
    match columns.checked_sub(width(ellipsis)) {
        _ if width(text) <= columns => Cow::Borrowed(text),
        None => Cow::Borrowed(""),
        Some(room) => {
            let end = text.len() - fitting(text.chars().rev(), room);
            Cow::Owned(format!("{ellipsis}{}", &text[end..]))
        }
    }
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
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let options = textwrap::Options::new(width).break_words(false).word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(&words.join(" "), options).into_iter().map(Cow::into_owned).collect()
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
    }

    #[test]
    fn titles_are_cut_between_parts_and_words() {
        let fit = |columns| fit_title("196 packed of 335 ranked · /filecache · tests", columns, "·", "…");
        assert_eq!(fit(60), "196 packed of 335 ranked · /filecache · tests");
        assert_eq!(fit(40), "196 packed of 335 ranked · /filecache");
        assert_eq!(fit(30), "196 packed of 335 ranked");
        assert_eq!(fit(20), "196 packed of 335…");
        assert_eq!(fit(2), "1…");
        assert_eq!((fit(1), fit(0)), ("…".to_owned(), String::new()));
        assert_eq!(fit_title("漢字漢字", 5, "·", "…"), "漢字…");
    }

    #[test]
    fn numbers_and_bars_are_formatted() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(bar(0.5, 4, &[" ", "#"]), "##  ");
        assert_eq!(bar(f64::NAN, 2, &[" ", "#"]), "  ");
        assert_eq!(bar(2.0, 2, &[" ", "#"]), "##");
    }
}
