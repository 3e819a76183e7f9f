//! Words of a task that the repository does not have. They do not affect the ranking.

use std::collections::HashSet;

use super::{EngineError, Ranker, Ranking};
use crate::query::Keyword;
use crate::query::parts::SENTENCES;
use crate::text::stem;

/// Limit of the words that are looked up; the most specific ones come first.
const MAX_LOOKUPS: usize = 40;
/// Limit of the words that are returned.
const MAX_WORDS: usize = 8;
/// Minimum length of a word, in characters. Shorter ones are mostly parts of identifiers.
const MIN_WORD_CHARS: usize = 3;

impl Ranker {
    /// Returns the content words of a task that no symbol, path or concept of the task has, in the task's order.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) fn unmatched_words(&self, task: &str, ranking: &Ranking) -> Result<Vec<String>, EngineError> {
        let found: HashSet<&str> =
            ranking.terms.iter().filter(|term| term.symbols > 0).map(|term| term.text.as_str()).collect();
        let in_concepts: HashSet<String> =
            ranking.concepts.iter().flat_map(|hit| hit.phrase.split(' ')).map(|word| stem(word).into_owned()).collect();
        let lower = task.to_lowercase();
        let mut unmatched: Vec<(usize, &str)> = Vec::new();
        let words = ranking.keywords.words().filter(|word| SENTENCES.contains(&word.part));
        for Keyword { text: word, .. } in words.take(MAX_LOOKUPS) {
            let term = stem(word);
            let is_word = word.chars().count() >= MIN_WORD_CHARS && word.starts_with(char::is_alphabetic);
            // The other forms of an abbreviation are not in the text.
            let Some(position) = position(&lower, word).filter(|_| is_word) else { continue };
            let is_known = found.contains(&*term)
                || in_concepts.contains(&*term)
                || self.reader.has_term(&term)?
                || !self.reader.nodes_with_prefix(word, 1)?.is_empty()
                || self.graph.in_path_unordered(word).next().is_some();
            if !is_known {
                unmatched.push((position, word));
            }
        }
        unmatched.sort_unstable();
        Ok(unmatched.into_iter().take(MAX_WORDS).map(|(_, word)| word.to_owned()).collect())
    }
}

/// Returns where a text has a word between characters that are no letters.
fn position(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(index, _)| index).find(|index| {
        let (before, after) = (&text[..*index], &text[index + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}
