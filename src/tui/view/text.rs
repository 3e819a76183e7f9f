//! Text that fits where it must.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns the text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// At most `columns` of the text from its start, with an ellipsis when something is lost.
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

/// At most `columns` of the text from its end: the end of a path says more than its start.
pub fn fit_end<'text>(text: &'text str, columns: usize, ellipsis: &str) -> Cow<'text, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    if columns < width(ellipsis) {
        return Cow::Borrowed("");
    }
    let mut room = columns - width(ellipsis);
    let mut start = text.len();
    for (place, letter) in text.char_indices().rev() {
        let taken = letter.width().unwrap_or(0);
        if taken > room {
            break;
        }
        room -= taken;
        start = place;
    }
    Cow::Owned(format!("{ellipsis}{}", &text[start..]))
}

/// At most `columns` of a path and a line: of the folders their end, of a file's name its start.
pub fn fit_place(place: &str, columns: usize, ellipsis: &str) -> String {
    let name = place.rsplit_once('/').map_or(place, |(_, name)| name);
    match name.rsplit_once(':') {
        // With the mark for what is left out there would be no room for the whole name.
        Some((file, line))
            if width(name) > columns || width(name) + width(ellipsis) > columns && name.len() < place.len() =>
        {
            let room = columns.saturating_sub(width(line) + 1);
            let place = format!("{}:{line}", fit(file, room, ellipsis));
            fit_end(&place, columns, ellipsis).into_owned()
        }
        _ => fit_end(place, columns, ellipsis).into_owned(),
    }
}

/// The text without its first `columns`, and how many of them it was too short for. Half of a wide letter is none of it.
pub fn after(text: &str, columns: usize) -> (&str, usize) {
    let mut left = columns;
    for (place, letter) in text.char_indices() {
        if left == 0 {
            return (&text[place..], 0);
        }
        left = left.saturating_sub(letter.width().unwrap_or(0));
    }
    ("", left)
}

/// The text filled up with blanks to `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The text moved to the right end of `columns`.
pub fn pad_start(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{}{text}", " ".repeat(missing))
}

/// The number with commas between thousands.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The number and its noun, in the plural where it must be.
pub fn count(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A share between 0 and 1 as a bar of cells, by the steps the glyphs have.
pub fn bar(share: f64, columns: usize, steps: &[&str]) -> String {
    let fine = steps.len().saturating_sub(1).max(1);
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let filled = (share * (columns * fine) as f64).round() as usize;
    let cells = (0..columns).map(|cell| steps[filled.saturating_sub(cell * fine).min(fine)]);
    cells.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_never_overflow() {
        for columns in 0..12 {
            assert!(width(&fit("漢字漢字漢字", columns, "…")) <= columns);
            assert!(width(&fit_end("漢字漢字漢字", columns, "…")) <= columns);
        }
        assert_eq!(fit("abcdef", 4, "…"), "abc…");
        assert_eq!(fit_end("abcdef", 4, "…"), "…def");
        let places: Vec<String> =
            [20, 17, 13, 12, 9, 4, 0].map(|columns| fit_place("links/session.py:24", columns, "…")).into();
        assert_eq!(
            places,
            ["links/session.py:24", "…ks/session.py:24", "session.py:24", "session.…:24", "sessi…:24", "…:24", ""]
        );
    }

    #[test]
    fn columns_are_left_out_from_the_start() {
        assert_eq!(after("abc", 0), ("abc", 0));
        assert_eq!(after("abc", 2), ("c", 0));
        assert_eq!(after("abc", 5), ("", 2));
        assert_eq!(after("漢字x", 3), ("x", 0));
    }

    #[test]
    fn numbers_and_bars_read_well() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(bar(0.5, 4, &[" ", "#"]), "##  ");
        assert_eq!(bar(f64::NAN, 2, &[" ", "#"]), "  ");
        assert_eq!(bar(2.0, 2, &[" ", "#"]), "##");
    }
}
