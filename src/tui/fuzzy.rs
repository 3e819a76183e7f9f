//! Fuzzy matching of short lists, such as the palette, with the scoring of `nucleo`.

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::text::pattern::{bounded_pattern, bounded_text};

/// Returns the indices of the matching texts, best match first, ties in their original order. An empty pattern matches
/// all. Runs on the thread that handles keys, so a long paste is cut: see [`crate::text::pattern`].
pub fn matching<'text>(pattern: &str, texts: impl Iterator<Item = &'text str>) -> Vec<usize> {
    let pattern = Pattern::parse(&bounded_pattern(pattern), CaseMatching::Ignore, Normalization::Smart);
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
}
