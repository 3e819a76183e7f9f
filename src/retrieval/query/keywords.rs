//! Keyword extraction: the words of a task, each with its form and with the most worthy part of the task that has it.

use std::collections::{HashMap, HashSet};

mod extract;
mod patterns;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub use extract::{extract, extract_with_verbs};

use super::parts::Part;
use crate::rank::tuning;
use crate::text::terms::terms;
use crate::text::{split_identifier, stem};

/// Limit of the keywords of a task. Those of the greatest weight are kept, wherever they are in its text.
const MAX_KEYWORDS: usize = 400;

/// The form in which a task has a keyword, the most specific first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// An identifier in backticks or quotes, or the last segment of a dotted one; as written and in lower case.
    Quoted,
    /// An identifier of several words, or one that is called or dotted.
    Identifier,
    /// A plain word followed by a kind of symbol: `resolve` in "the resolve function".
    Called,
    /// Two adjacent words as one identifier, which is not in the text.
    Joined,
    /// A single word in lower case.
    Word,
    /// The long or short form of a word, which is not in the text.
    Related,
}

impl Form {
    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Form::Quoted => "quoted",
            Form::Identifier => "identifier",
            Form::Called => "called",
            Form::Joined => "joined",
            Form::Word => "word",
            Form::Related => "related",
        }
    }

    /// Returns the weight of a search term of this form.
    fn weight(self) -> f64 {
        match self {
            Form::Quoted => tuning::QUOTED_WEIGHT,
            Form::Identifier => tuning::IDENTIFIER_WEIGHT,
            Form::Joined => tuning::COMPOUND_WEIGHT,
            Form::Called | Form::Word => tuning::WORD_WEIGHT,
            Form::Related => tuning::RELATED_WEIGHT,
        }
    }

    /// Returns the value of `named` for symbols of this name; `None` for single words.
    fn named(self) -> Option<f64> {
        match self {
            Form::Quoted => Some(tuning::NAMED_QUOTED),
            Form::Identifier => Some(tuning::NAMED_WRITTEN),
            Form::Called => Some(tuning::NAMED_CALLED),
            Form::Joined => Some(tuning::NAMED_JOINED),
            Form::Word | Form::Related => None,
        }
    }
}

/// A keyword of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Keyword {
    pub text: String,
    pub form: Form,
    /// The most worthy part that has it.
    pub part: Part,
}

impl Keyword {
    /// Returns the weight of its search terms: the worth of its part times the weight of its form.
    pub fn weight(&self) -> f64 {
        self.part.worth() * self.form.weight()
    }

    /// Returns the terms to search for it; none for a plain word before a kind of symbol, which is a word, too.
    pub fn terms(&self) -> Vec<String> {
        let mut terms = match self.form {
            Form::Quoted => terms(&self.text),
            Form::Identifier | Form::Joined => {
                let last = self.text.rsplit('.').next().unwrap_or(&self.text);
                vec![last.trim_matches('_').to_lowercase()]
            }
            Form::Word | Form::Related => vec![stem(&self.text).into_owned()],
            Form::Called => Vec::new(),
        };
        terms.retain(|term| !term.is_empty());
        terms
    }

    /// Returns the value of `named` for symbols of this name, from 0 to 1; `None` for single words.
    pub fn named(&self) -> Option<f64> {
        let confidence = (self.part.worth() + tuning::NAMED_WORTH).min(1.0);
        self.form.named().map(|value| value * confidence)
    }
}

/// The keywords of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Keywords {
    /// Each once a form. Single words are ordered by worth: the word after a leading verb, then the longest first; each
    /// is followed by its related forms.
    pub keywords: Vec<Keyword>,
    /// Pairs of adjacent content words.
    pub phrases: Vec<(String, String)>,
    /// Words that may name a folder, package or file.
    pub path_terms: Vec<String>,
    /// Whether the task is about tests, so that test code is not ranked lower.
    pub about_tests: bool,
}

impl Keywords {
    /// Returns the keywords of a form.
    pub fn with_form(&self, form: Form) -> impl Iterator<Item = &Keyword> {
        self.keywords.iter().filter(move |keyword| keyword.form == form)
    }

    /// Returns the single words with their related forms.
    pub fn words(&self) -> impl Iterator<Item = &Keyword> {
        self.keywords.iter().filter(|keyword| matches!(keyword.form, Form::Word | Form::Related))
    }

    /// Returns the stems of all words, related forms and quoted identifiers, each with its greatest worth.
    pub fn stems(&self) -> HashMap<String, f64> {
        let mut stems: HashMap<String, f64> = HashMap::new();
        for keyword in self.words().chain(self.with_form(Form::Quoted)) {
            for word in split_identifier(&keyword.text) {
                let worth = stems.entry(stem(&word).into_owned()).or_default();
                *worth = worth.max(keyword.part.worth());
            }
        }
        stems
    }

    /// Returns the terms to search, each with the greatest of its weights and its most worthy part.
    pub fn terms(&self) -> HashMap<String, (f64, Part)> {
        let mut found: HashMap<String, (f64, Part)> = HashMap::new();
        for keyword in &self.keywords {
            for term in keyword.terms() {
                let best = found.entry(term).or_insert((0.0, keyword.part));
                *best = (best.0.max(keyword.weight()), best.1.min(keyword.part));
            }
        }
        found
    }

    /// Keeps the [`MAX_KEYWORDS`] keywords of the greatest weight that `is_known` accepts, if there are more. The
    /// longer of two equal ones is probably the rarer.
    ///
    /// # Errors
    /// That of `is_known`.
    pub fn limit<E>(&mut self, mut is_known: impl FnMut(&Keyword) -> Result<bool, E>) -> Result<(), E> {
        if self.keywords.len() <= MAX_KEYWORDS {
            return Ok(());
        }
        let mut order: Vec<(usize, &Keyword)> = self.keywords.iter().enumerate().collect();
        order.sort_by(|(_, one), (_, two)| {
            let by_length = two.text.len().cmp(&one.text.len()).then_with(|| one.text.cmp(&two.text));
            two.weight().total_cmp(&one.weight()).then(by_length)
        });
        let mut kept = HashSet::new();
        for (index, keyword) in order {
            if kept.len() < MAX_KEYWORDS && is_known(keyword)? {
                kept.insert(index);
            }
        }
        let mut index = 0..;
        self.keywords.retain(|_| index.next().is_some_and(|index| kept.contains(&index)));
        Ok(())
    }

    /// Returns whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.keywords.iter().all(|keyword| keyword.form == Form::Called)
    }
}
