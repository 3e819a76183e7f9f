//! Fuzzy matching of short lists, such as the palette, with the scoring of `nucleo`.

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::text::pattern::{bounded_pattern, bounded_text};

/// Returns the indices of the matching texts, best match first, ties in their original order. An empty pattern matches
/// all. Runs on the thread that handles keys, so a long paste is cut: see [`crate::text::pattern`].
pub fn matching<'text>(pattern: &str, texts: impl Iterator<Item = &'text str>) -> Vec<usize> {
    let pattern = parse(pattern);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<(u32, usize)> = texts
        .enumerate()
        .filter_map(|(index, text)| {
            let text = Utf32Str::new(bounded_text(text), &mut letters);
            Some((pattern.score(text, &mut matcher)?, index))
        })
        .collect();
    found.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
    found.into_iter().map(|(_, index)| index).collect()
}

/// Returns the positions of the characters of a text that the pattern matches, ascending; none if it does not match.
pub fn matched_letters(pattern: &str, text: &str) -> Vec<usize> {
    let text = bounded_text(text);
    let mut letters = Vec::new();
    let mut positions = Vec::new();
    let pattern = parse(pattern);
    // Positions of nucleo are those of graphemes; in a text where they differ from characters nothing is highlighted.
    let text_of_letters = Utf32Str::new(text, &mut letters);
    if text_of_letters.len() != text.chars().count() {
        return Vec::new();
    }
    if pattern.indices(text_of_letters, &mut Matcher::new(Config::DEFAULT), &mut positions).is_none() {
        return Vec::new();
    }
    positions.sort_unstable();
    positions.dedup();
    positions.into_iter().map(|position| position as usize).collect()
}

fn parse(pattern: &str) -> Pattern {
    Pattern::parse(&bounded_pattern(pattern), CaseMatching::Ignore, Normalization::Smart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_match_is_first_and_empty_pattern_matches_all() {
        let texts = ["budget.set set the token budget", "task.edit", "budget.less smaller budget"];
        assert_eq!(matching("", texts.into_iter()), [0, 1, 2]);
        assert_eq!(matching("budles", texts.into_iter()), [2]);
        assert!(matching("xyz", texts.into_iter()).is_empty());
    }

    #[test]
    fn matched_letters_are_those_of_the_pattern() {
        assert_eq!(matched_letters("bs", "budget.set"), [0, 7]);
        assert_eq!(matched_letters("set bud", "budget.set"), [0, 1, 2, 7, 8, 9]);
        assert!(matched_letters("x", "budget.set").is_empty() && matched_letters("", "budget.set").is_empty());
    }
}
