//! Bounds of fuzzy matching, whose cost is the product of the lengths of pattern and text.

use std::collections::BTreeSet;

/// Maximum number of words of a pattern; each is matched on its own.
const MAX_WORDS: usize = 8;
/// Maximum number of letters of a pattern. Longer ones are pasted.
const MAX_PATTERN_LETTERS: usize = 100;
/// Maximum number of letters of a text that are matched. No row of a list shows more.
const MAX_TEXT_LETTERS: usize = 400;

/// Returns the part of a fuzzy pattern that is matched: its first distinct words.
pub fn bounded_pattern(pattern: &str) -> String {
    let mut known = BTreeSet::new();
    let words = pattern.split_whitespace().filter(|word| known.insert(*word)).take(MAX_WORDS);
    let text = words.collect::<Vec<_>>().join(" ");
    first_letters(&text, MAX_PATTERN_LETTERS).to_owned()
}

/// Returns the part of a text that is matched.
pub fn bounded_text(text: &str) -> &str {
    first_letters(text, MAX_TEXT_LETTERS)
}

fn first_letters(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_patterns_are_kept_and_long_ones_cut() {
        assert_eq!(bounded_pattern(" open  the session "), "open the session");
        assert_eq!(bounded_pattern(&"again ".repeat(1_000)), "again");
        let words: String = (0..1_000).map(|number| format!("{number} ")).collect();
        assert_eq!(bounded_pattern(&words), "0 1 2 3 4 5 6 7");
        assert_eq!(bounded_pattern(&"ä".repeat(3_000)).chars().count(), MAX_PATTERN_LETTERS);
        assert_eq!(bounded_text(&"ä".repeat(3_000)).chars().count(), MAX_TEXT_LETTERS);
        assert_eq!(bounded_text("bread"), "bread");
    }
}
