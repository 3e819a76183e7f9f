//! Fuzzy matching of short lists, as in a palette: letters in their order, better where they begin words.

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

/// The places of the texts that match, best first, equals in their own order. An empty pattern matches all.
pub fn matching<'text>(pattern: &str, texts: impl Iterator<Item = &'text str>) -> Vec<usize> {
    let pattern = Pattern::parse(pattern.trim(), CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<(u32, usize)> = texts
        .enumerate()
        .filter_map(|(place, text)| Some((pattern.score(Utf32Str::new(text, &mut letters), &mut matcher)?, place)))
        .collect();
    found.sort_by_key(|(score, place)| (std::cmp::Reverse(*score), *place));
    found.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_match_comes_first_and_nothing_matches_all() {
        let texts = ["budget.set set the token budget", "task.edit", "budget.less smaller budget"];
        assert_eq!(matching("", texts.into_iter()), [0, 1, 2]);
        assert_eq!(matching("budles", texts.into_iter()), [2]);
        assert!(matching("xyz", texts.into_iter()).is_empty());
    }
}
