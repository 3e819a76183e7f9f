//! Fuzzy matching of short lists, such as the palette, with the scoring of `nucleo`.

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

/// Returns the indices of the matching texts, best match first, ties in their original order. An empty pattern matches
/// all.
pub fn matching<'text>(pattern: &str, texts: impl Iterator<Item = &'text str>) -> Vec<usize> {
    let pattern = Pattern::parse(pattern.trim(), CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<(u32, usize)> = texts
        .enumerate()
        .filter_map(|(index, text)| Some((pattern.score(Utf32Str::new(text, &mut letters), &mut matcher)?, index)))
        .collect();
    found.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
    found.into_iter().map(|(_, index)| index).collect()
}

/// Returns the positions of the letters of a text that the pattern matches, ascending.
pub fn positions(pattern: &str, text: &str) -> Vec<u32> {
    let pattern = Pattern::parse(pattern.trim(), CaseMatching::Ignore, Normalization::Smart);
    let (mut letters, mut positions) = (Vec::new(), Vec::new());
    let mut matcher = Matcher::new(Config::DEFAULT);
    pattern.indices(Utf32Str::new(text, &mut letters), &mut matcher, &mut positions);
    positions.sort_unstable();
    positions.dedup();
    positions
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
        assert_eq!(positions("bs", "budget.set"), [0, 7]);
        assert!(positions("", "budget").is_empty());
    }
}
