//! The words of a task as the user wrote them, each with the part of a symbol that contains it.

use std::collections::HashSet;

use serde::Serialize;

use super::pipeline::Pipeline;
use super::why::TermMatch;
use super::{EngineError, Ranker};
use crate::feedback::Cluster;
use crate::query::{Form, Keywords};
use crate::text::{identifier_parts, stem};

/// A word of the task that was searched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordMatch {
    /// As it is in the task.
    pub word: String,
    /// The most specific part of the symbol that contains it; `None` if none does.
    pub found_in: Option<&'static str>,
    /// Whether the task does not have the word itself: it is a longer or shorter form.
    pub is_related: bool,
}

impl Ranker {
    /// Returns the cluster of a task, by which feedback and steering apply to it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn cluster(&self, task: &str) -> Result<Cluster, EngineError> {
        Ok(Pipeline::cluster(&self.reader, &self.vocabulary, task)?)
    }
}

/// The columns of the search index with their titles, the most specific first.
const PARTS: [(&str, &str); 8] = [
    ("symbol_name", "name"),
    ("qualified_name", "container"),
    ("signature", "signature"),
    ("doc", "comment"),
    ("body", "body"),
    ("concepts", "path"),
    ("file_path", "path"),
    ("history", "commits"),
];

/// Returns the words of a task that were searched, in its order, each once; found related words follow.
pub fn words(task: &str, keywords: &Keywords, terms: &[TermMatch]) -> Vec<WordMatch> {
    let mut collector = Collector { terms, seen: HashSet::new(), words: Vec::new() };
    for run in task.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|run| !run.is_empty()) {
        let parts: Vec<&str> = identifier_parts(run).collect();
        let whole = run.trim_matches('_').to_lowercase();
        // An identifier that is found as a whole is more specific than its words.
        if parts.len() > 1 && collector.is_found(&whole) {
            let stems = parts.iter().map(|part| stem(&part.to_lowercase()).into_owned());
            collector.seen.extend(stems);
            collector.push(run, &whole, false);
            continue;
        }
        for part in parts {
            collector.push(part, &stem(&part.to_lowercase()), false);
        }
    }
    let joined: HashSet<String> = keywords.with_form(Form::Joined).map(|name| name.text.to_lowercase()).collect();
    for term in terms.iter().filter(|term| !term.found_in.is_empty() && !joined.contains(&term.term)) {
        let written = keywords.words().find(|word| stem(&word.text) == term.term);
        collector.push(written.map_or(term.term.as_str(), |word| &word.text), &term.term, true);
    }
    collector.words
}

struct Collector<'a> {
    terms: &'a [TermMatch],
    seen: HashSet<String>,
    words: Vec<WordMatch>,
}

impl Collector<'_> {
    fn is_found(&self, term: &str) -> bool {
        self.terms.iter().any(|searched| searched.term == term && !searched.found_in.is_empty())
    }

    /// Adds a word with its search term; a term that was not searched, or was added before, adds nothing.
    fn push(&mut self, word: &str, term: &str, is_related: bool) {
        let Some(searched) = self.terms.iter().find(|searched| searched.term == term) else { return };
        if self.seen.insert(term.to_owned()) {
            let part = PARTS.iter().find(|(column, _)| searched.found_in.contains(column));
            self.words.push(WordMatch { word: word.to_owned(), found_in: part.map(|(_, name)| *name), is_related });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Keyword, Part};

    fn term(term: &str, found_in: &[&'static str]) -> TermMatch {
        TermMatch { term: term.into(), weight: 1.0, symbols: 2, found_in: found_in.to_vec() }
    }

    #[test]
    fn words_are_as_written_and_have_their_most_specific_part() {
        let terms = [
            term("resourc", &["signature", "body"]),
            term("transform", &["symbol_name", "qualified_name", "body"]),
            term("wrong", &[]),
            term("wrong_cache", &[]),
            term(&stem("cache"), &["body", "concepts"]),
        ];
        let words = words("Fix wrong cache key when Resources are transformed", &Keywords::default(), &terms);
        let found: Vec<(&str, Option<&str>)> = words.iter().map(|word| (word.word.as_str(), word.found_in)).collect();
        let expected =
            [("wrong", None), ("cache", Some("body")), ("Resources", Some("signature")), ("transformed", Some("name"))];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_found_identifier_replaces_its_words() {
        let terms = [
            term("transformationkey", &["symbol_name"]),
            term("transform", &["symbol_name"]),
            term("key", &["symbol_name"]),
            term("config", &["body"]),
            term("configur", &[]),
        ];
        let keyword = |text: &str, form| Keyword { text: text.into(), form, part: Part::Subject };
        let keywords = vec![keyword("configuration", Form::Word), keyword("config", Form::Related)];
        let keywords = Keywords { keywords, ..Keywords::default() };
        let words = words("`TransformationKey` of the configuration", &keywords, &terms);
        let found: Vec<(&str, Option<&str>, bool)> =
            words.iter().map(|word| (word.word.as_str(), word.found_in, word.is_related)).collect();
        let expected = [
            ("TransformationKey", Some("name"), false),
            ("configuration", None, false),
            ("config", Some("body"), true),
        ];
        assert_eq!(found, expected);
    }
}
