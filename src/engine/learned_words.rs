//! Words that were learned from use, as one repository's learner shows, forgets, exports and imports them.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use serde::Serialize;

use super::EngineError;
use super::learner::{Learner, is_current};
use crate::learn::{Act, ActKind, Cluster, Standing, Subject, Word, vocabulary, word_line, words_of};
use crate::store::{Reader, StoreError};

/// A keyword and a symbol that was used for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnedWord {
    pub keyword: String,
    /// Without the repository.
    pub symbol: String,
    pub observations: u32,
    /// 0 before the second observation.
    pub weight: f64,
    /// Observations that don't count at present, because the symbol's package has changed since.
    pub expired: u32,
}

impl Learner {
    /// Every keyword with the symbols that were used for it, by keyword, then the most observed first.
    pub fn words(&self) -> Result<Vec<LearnedWord>, EngineError> {
        let observed = self.observed()?;
        let words = observed.into_iter().map(|(word, expired)| LearnedWord {
            symbol: word.subject.short_name().to_owned(),
            weight: vocabulary::weight(word.observations),
            keyword: word.keyword,
            observations: word.observations,
            expired,
        });
        Ok(words.collect())
    }

    /// Forgets a keyword, given as it is listed or in any form of the word, for every symbol or for those of one name, as
    /// one act. Gives how many pairs were forgotten.
    pub fn forget(&mut self, keyword: &str, symbol: Option<&str>) -> Result<usize, EngineError> {
        let keyword = keyword.to_lowercase();
        // The stem of a stem may be another one: `databases`, `databas`, `databa`.
        let forms = [crate::text::stem(&keyword).into_owned(), keyword];
        let is_meant = |subject: &Subject| {
            let name = subject.short_name();
            symbol.is_none_or(|symbol| {
                name == symbol || name.strip_suffix(symbol).is_some_and(|rest| rest.ends_with(['.', '/']))
            })
        };
        let words = self.observed()?.into_iter().map(|(word, _)| word);
        let words = words.filter(|word| forms.contains(&word.keyword) && is_meant(&word.subject));
        let words: Vec<Word> = words.map(|word| Word { observations: 0, ..word }).collect();
        let count = words.len();
        if count > 0 {
            let act = self.entry(ActKind::Forget, "", Cluster::default(), Vec::new(), words);
            self.journal.append(vec![act])?;
        }
        Ok(count)
    }

    /// The learned words that count, as JSON lines.
    pub fn export_words(&self) -> Result<Vec<String>, EngineError> {
        let words = self.observed()?.into_iter().map(|(word, _)| word);
        Ok(words.filter(|word| word.observations > 0).map(|word| word_line(&word)).collect())
    }

    /// Adds the words of an export, as one act that can be undone, so that each has at least the observations that the
    /// export says: what is known already adds nothing, however often it comes. Gives what was added.
    ///
    /// # Errors
    /// When a line is no word, or the store can't be written.
    pub fn import_words(&mut self, text: &str) -> Result<Vec<Act>, EngineError> {
        let standing = Standing::of(&self.journal.events()?);
        let mut brought = words_of(text)?;
        // Of a word that stands there more than once, as in two exports one after the other, the most counts.
        brought.sort_by_key(|word| std::cmp::Reverse(word.observations));
        let mut seen = HashSet::new();
        let mut words = Vec::new();
        for word in brought {
            let missing = word.observations.saturating_sub(observations(&standing, &word));
            if missing > 0 && seen.insert((word.keyword.clone(), word.subject.clone())) {
                words.push(Word { observations: missing, ..word });
            }
        }
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let act = self.entry(ActKind::Words, "", Cluster::default(), Vec::new(), words);
        Ok(self.journal.append(vec![act])?)
    }

    fn observed(&self) -> Result<Vec<(Word, u32)>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let standing = Standing::of(&self.journal.events()?);
        let mut current: HashMap<Subject, bool> = HashMap::new();
        let mut is_current = |subject: &Subject| -> Result<bool, StoreError> {
            if let Some(known) = current.get(subject) {
                return Ok(*known);
            }
            let now = is_current(&reader, subject)?;
            current.insert(subject.clone(), now);
            Ok(now)
        };
        let mut words = Vec::new();
        for keyword in vocabulary::keywords(&standing) {
            let mut observed = vocabulary::observed(&standing, keyword, &mut is_current)?;
            let order = |word: &vocabulary::Observed<'_>| (word.subject.qualified_name.clone(), word.subject.id);
            observed.sort_by_key(|word| (std::cmp::Reverse(word.observations), order(word)));
            words.extend(observed.into_iter().map(|word| {
                let (keyword, subject, observations) = (keyword.to_owned(), word.subject.clone(), word.observations);
                (Word { keyword, subject, observations }, word.expired)
            }));
        }
        Ok(words)
    }
}

/// How often a word was observed here while its symbol's package was as the word says.
fn observations(standing: &Standing, word: &Word) -> u32 {
    let mut was_so = |subject: &Subject| Ok::<bool, Infallible>(subject.package_root == word.subject.package_root);
    let Ok(observed) = vocabulary::observed(standing, &word.keyword, &mut was_so);
    let of_symbol = observed.iter().find(|observed| observed.subject.id == word.subject.id);
    of_symbol.map_or(0, |observed| observed.observations)
}
