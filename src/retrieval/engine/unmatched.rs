//! Words of a task that the repository does not have, and the words they may be misspellings of. They do not affect the
//! ranking.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::{EngineError, Ranker, Ranking};
use crate::model::UnmatchedWord;
use crate::query::parts::SENTENCES;
use crate::query::{Form, Keyword};
use crate::store::{Reader, StoreError};
use crate::text::{identifier_parts, stem};

/// Limit of the words that are looked up; the most specific ones come first.
const MAX_LOOKUPS: usize = 40;
/// Limit of the words that are returned.
const MAX_WORDS: usize = 8;
/// Minimum length of a word, in characters. Shorter ones are mostly parts of identifiers.
const MIN_WORD_CHARS: usize = 3;

/// Limit of the words without a match for which near ones are looked up: pasted text has many, and few are misspelled.
const MAX_MISSPELLED: usize = 3;
/// Limit of the words that are named as nearest to one.
const MAX_NEAREST: usize = 2;
/// Minimum length of a word that is taken for a misspelling, in characters; shorter ones are near too many.
const MIN_MISSPELLED_CHARS: usize = 4;
/// Characters at the start of a word that are taken for right.
const SAME_CHARS: usize = 2;
/// Characters of a word for each that may be wrong.
const CHARS_PER_ERROR: usize = 4;

impl Ranker {
    /// Returns the content words of a task that no symbol, path or concept of the task has, in the task's order, each
    /// with the words that it may be a misspelling of.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) fn unmatched_words(&self, task: &str, ranking: &Ranking) -> Result<Vec<UnmatchedWord>, EngineError> {
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
            let is_known = found.contains(&*term) || in_concepts.contains(&*term) || self.is_known(word, &term)?;
            if !is_known {
                unmatched.push((position, word));
            }
        }
        // The words of a name that nothing has are those of other code.
        for Keyword { text: name, .. } in ranking.keywords.with_form(Form::Identifier).take(MAX_LOOKUPS) {
            let whole = name.to_lowercase();
            let is_name = name.chars().all(char::is_alphanumeric) && *name != whole;
            let Some(position) = position(task, name).filter(|_| is_name) else { continue };
            if !found.contains(whole.as_str()) && !self.is_known(&whole, &stem(&whole))? {
                unmatched.push((position, name));
            }
        }
        unmatched.sort_unstable();
        unmatched.dedup();
        let looks_up = unmatched.len() <= MAX_MISSPELLED;
        let with_nearest = |(_, word): (usize, &str)| {
            let nearest = if looks_up { nearest(&self.reader, word)? } else { Vec::new() };
            Ok(UnmatchedWord { word: word.to_owned(), nearest })
        };
        unmatched.into_iter().take(MAX_WORDS).map(with_nearest).collect()
    }

    /// Returns whether a text, a name or a path has a word in lower case.
    fn is_known(&self, word: &str, term: &str) -> Result<bool, StoreError> {
        Ok(self.reader.has_term(term)?
            || !self.reader.nodes_with_prefix(word, 1)?.is_empty()
            || self.graph.in_path_unordered(word).next().is_some())
    }
}

/// Returns the words in names of symbols that a word may be a misspelling of, the nearest first, then those of most
/// symbols. They and the names start with the same letters, so that few names are read.
fn nearest(reader: &Reader, word: &str) -> Result<Vec<String>, StoreError> {
    let chars = word.chars().count();
    if chars < MIN_MISSPELLED_CHARS {
        return Ok(Vec::new());
    }
    let max_errors = chars / CHARS_PER_ERROR;
    let start: String = word.chars().take(SAME_CHARS).collect();
    let mut near: HashMap<String, (usize, u32)> = HashMap::new();
    for (name, symbols) in reader.names_with_prefix(&start)? {
        for part in identifier_parts(&name).map(str::to_lowercase).filter(|part| part.starts_with(&start)) {
            let errors = strsim::osa_distance(word, &part);
            if errors <= max_errors {
                near.entry(part).or_insert((errors, 0)).1 += symbols;
            }
        }
    }
    let mut near: Vec<(String, (usize, u32))> = near.into_iter().collect();
    near.sort_unstable_by(|(one, (errors, symbols)), (other, (other_errors, other_symbols))| {
        (errors, Reverse(symbols), one).cmp(&(other_errors, Reverse(other_symbols), other))
    });
    Ok(near.into_iter().take(MAX_NEAREST).map(|(part, _)| part).collect())
}

/// Returns where a text has a word between characters that are no letters.
fn position(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(index, _)| index).find(|index| {
        let (before, after) = (&text[..*index], &text[index + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}
