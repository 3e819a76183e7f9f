//! Phrase matching: the concepts whose phrases occur in a task.
//!
//! # Why
//!
//! Each phrase is compared at the positions of its first stem in the task, and few phrases begin with a stem of the
//! task. An automaton over all phrases (Aho and Corasick, 1975) matches in one pass, but building it costs many times
//! as much, and most processes match one task.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::concept::Concept;
use super::seed_file::{Phrase, is_article};
use crate::text::{identifier_parts, stem};

/// Limit of the words of a task that are matched; the rest of a pasted log mostly repeats them.
const MAX_WORDS: usize = 600;
/// Limit of the difference in length of two forms of one word: `author` is not a form of `authorization`.
const MAX_ENDING: usize = 4;
/// Minimum weight of a layer whose matches can be strong.
const STRONG_WEIGHT: f64 = 0.9;

/// A concept with phrases in a task.
#[derive(Debug, Clone, PartialEq)]
pub struct ConceptMatch<'a> {
    pub concept: &'a Concept,
    /// Phrases in the order of the task, each once.
    pub phrases: Vec<PhraseMatch<'a>>,
    pub strength: MatchStrength,
}

/// The certainty of a match, the highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchStrength {
    /// A match like [`MatchStrength::Phrase`], of a layer with a weight of at least [`STRONG_WEIGHT`].
    Strong,
    /// Two phrases of which neither contains the other, or one of several words.
    Phrase,
    /// A phrase of a single word, which is ambiguous.
    Word,
}

impl MatchStrength {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            MatchStrength::Strong => "strong",
            MatchStrength::Phrase => "phrases",
            MatchStrength::Word => "word",
        }
    }
}

/// A phrase at one position of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhraseMatch<'a> {
    /// As the concept has it.
    pub phrase: &'a str,
    stems: &'a str,
    /// Bytes of the task.
    pub span: Range<usize>,
    /// Words of the phrase without articles.
    pub words: usize,
}

impl ConceptMatch<'_> {
    /// Returns the number of words of the longest phrase.
    pub fn words(&self) -> usize {
        self.phrases.iter().map(|phrase| phrase.words).max().unwrap_or(0)
    }
}

/// Returns the concepts with phrases in a task, those of the greatest weight first, then those with the longest
/// phrases. Linear in the number of phrases, each counted as often as its first stem occurs in the task.
pub fn matches<'a>(task: &str, concepts: impl Iterator<Item = &'a Concept>) -> Vec<ConceptMatch<'a>> {
    let words = Words::new(task);
    let positions = words.by_stem();
    let mut matches: Vec<ConceptMatch<'a>> = Vec::new();
    for concept in concepts {
        let mut found: Vec<PhraseMatch<'a>> = Vec::new();
        for phrase in &concept.entry.phrases {
            let first = phrase.stems.split(' ').nth(1).unwrap_or_default();
            let positions = positions.get(first).into_iter().flatten();
            found.extend(positions.filter_map(|position| words.match_phrase(phrase, *position)));
        }
        found.sort_by_key(|phrase| (phrase.span.start, Reverse(phrase.span.end)));
        let mut known = HashSet::new();
        found.retain(|phrase| known.insert(phrase.stems));
        if !found.is_empty() {
            matches.push(ConceptMatch { concept, strength: strength(concept, &found), phrases: found });
        }
    }
    matches.sort_by(|a, b| {
        let weights = b.concept.layer.weight().total_cmp(&a.concept.layer.weight());
        let names = || a.concept.entry.concept.cmp(&b.concept.entry.concept);
        weights.then(b.words().cmp(&a.words())).then_with(names)
    });
    matches
}

fn strength(concept: &Concept, phrases: &[PhraseMatch<'_>]) -> MatchStrength {
    let are_separate =
        |one: &PhraseMatch<'_>, two: &PhraseMatch<'_>| !one.stems.contains(two.stems) && !two.stems.contains(one.stems);
    let has_two =
        || phrases.iter().enumerate().any(|(i, one)| phrases[i + 1..].iter().any(|two| are_separate(one, two)));
    match phrases.iter().any(|phrase| phrase.words > 1) || has_two() {
        true if concept.layer.weight() >= STRONG_WEIGHT => MatchStrength::Strong,
        true => MatchStrength::Phrase,
        false => MatchStrength::Word,
    }
}

/// Returns the stems of a text's words, articles included.
pub fn stems(text: &str) -> Vec<String> {
    identifier_parts(text).map(|word| stem(&word.to_lowercase()).into_owned()).collect()
}

/// The words of a task without articles.
struct Words {
    /// Stems, each between spaces.
    stems: String,
    words: Vec<Word>,
}

/// A word of a task.
struct Word {
    /// Start of its stem in [`Words::stems`].
    stem: usize,
    /// Bytes of the task.
    span: Range<usize>,
    chars: usize,
}

impl Words {
    fn new(task: &str) -> Words {
        let mut words = Words { stems: String::from(" "), words: Vec::new() };
        for part in identifier_parts(task).take(MAX_WORDS) {
            let lower = part.to_lowercase();
            if is_article(&lower) {
                continue;
            }
            let start = part.as_ptr() as usize - task.as_ptr() as usize;
            let (stem_start, span) = (words.stems.len(), start..start + part.len());
            words.words.push(Word { stem: stem_start, span, chars: lower.chars().count() });
            words.stems.push_str(&stem(&lower));
            words.stems.push(' ');
        }
        words
    }

    /// Returns the positions of the words of each stem.
    fn by_stem(&self) -> HashMap<&str, Vec<usize>> {
        let mut positions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (position, stem) in self.stems.split_terminator(' ').skip(1).enumerate() {
            positions.entry(stem).or_default().push(position);
        }
        positions
    }

    /// Matches a phrase at the word `first`; `None` if a stem differs, or if the lengths of two words differ by more
    /// than [`MAX_ENDING`].
    fn match_phrase<'a>(&self, phrase: &'a Phrase, first: usize) -> Option<PhraseMatch<'a>> {
        // The stems of a phrase begin with a space.
        let start = self.words.get(first)?.stem - 1;
        if !self.stems[start..].starts_with(&phrase.stems) {
            return None;
        }
        let expected: Vec<usize> = content_words(&phrase.text).map(|word| word.chars().count()).collect();
        let words = self.words.get(first..first + expected.len())?;
        let are_forms =
            words.iter().zip(&expected).all(|(word, expected)| word.chars.abs_diff(*expected) <= MAX_ENDING);
        let span = words.first()?.span.start..words.last()?.span.end;
        are_forms.then_some(PhraseMatch { phrase: &phrase.text, stems: &phrase.stems, span, words: expected.len() })
    }
}

fn content_words(phrase: &str) -> impl Iterator<Item = Cow<'_, str>> {
    identifier_parts(phrase).map(|word| Cow::Owned(word.to_lowercase())).filter(|word: &Cow<'_, str>| !is_article(word))
}
