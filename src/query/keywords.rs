//! Keyword extraction: the words of a task, grouped by how specifically they name code.

use std::collections::HashSet;

mod patterns;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::concepts::WordLists;
use crate::text::split_identifier;

/// Limit of the words of a task that are analyzed; the rest of a pasted log mostly repeats them.
const MAX_WORDS: usize = 600;
/// Limit of an identifier in backticks, in bytes.
const MAX_EXACT_LEN: usize = 100;

/// The keywords of a query, by specificity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Keywords {
    /// Identifiers in backticks or quotes, and the last segments of dotted ones, as written and in lower case.
    pub exact: Vec<String>,
    /// Plain words followed by a kind of symbol: `resolve` in "the resolve function".
    pub called: Vec<String>,
    /// Identifiers of several words, and adjacent words joined into identifiers.
    pub compounds: Vec<String>,
    /// Single words in lower case: the word after a leading verb, then the longest first. Each is followed by its long
    /// or short forms.
    pub components: Vec<String>,
    /// Pairs of adjacent content words.
    pub phrases: Vec<(String, String)>,
    /// Words that may name a folder, package or file.
    pub path_terms: Vec<String>,
    /// Whether the task is about tests, so that test code is not ranked lower.
    pub about_tests: bool,
}

impl Keywords {
    /// Returns the compounds that are adjacent words joined into identifiers, which are not in the task's text.
    pub fn joined(&self) -> HashSet<String> {
        self.phrases.iter().flat_map(|(first, second)| joined(first, second)).collect()
    }

    /// Returns whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.compounds.is_empty() && self.components.is_empty()
    }
}

/// Extracts the keywords of a task without action verbs. Linear in the task's length.
pub fn extract(task: &str, lists: &WordLists) -> Keywords {
    collect(task, lists, false)
}

/// Extracts the keywords of a task, action verbs included.
pub fn extract_with_verbs(task: &str, lists: &WordLists) -> Keywords {
    collect(task, lists, true)
}

fn collect(task: &str, lists: &WordLists, with_verbs: bool) -> Keywords {
    let mut collector = Collector { lists, with_verbs, found: Keywords::default(), seen: HashSet::new() };
    let prose = collector.collect_quoted(task);
    let words: Vec<&str> = prose.split_whitespace().take(MAX_WORDS).collect();
    for word in &words {
        for pattern in patterns::code_patterns(word) {
            collector.compound_with_parts(&pattern);
        }
    }
    let content = collector.collect_words(&words);
    collector.collect_called(&words);
    collector.join_neighbors(&content);
    collector.finish(task, &content)
}

/// A content word of the task in lower case, with its position among all words.
struct Word {
    text: String,
    position: usize,
}

struct Collector<'a> {
    lists: &'a WordLists,
    /// Whether action verbs are content words.
    with_verbs: bool,
    found: Keywords,
    seen: HashSet<String>,
}

impl Collector<'_> {
    /// Collects identifiers in backticks and quotes; returns the task without the backticks.
    fn collect_quoted(&mut self, task: &str) -> String {
        let mut prose = String::with_capacity(task.len());
        for (number, part) in task.split('`').enumerate() {
            if number % 2 == 1 {
                self.exact(part);
            }
            prose.push_str(part);
            prose.push(' ');
        }
        for word in prose.split_whitespace().take(MAX_WORDS) {
            patterns::in_quotes(word).into_iter().for_each(|name| self.exact(name));
        }
        prose
    }

    fn exact(&mut self, quoted: &str) {
        let name = quoted.strip_suffix("()").unwrap_or(quoted);
        if name.len() > MAX_EXACT_LEN || name.contains(char::is_whitespace) || !name.contains(char::is_alphabetic) {
            return;
        }
        let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        for form in [name, last] {
            push_new(&mut self.found.exact, form.to_owned());
            push_new(&mut self.found.exact, form.to_lowercase());
        }
    }

    /// Collects plain words followed by a kind of symbol.
    fn collect_called(&mut self, words: &[&str]) {
        for pair in words.windows(2) {
            let (name, kind) = (pair[0], pair[1].trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
            let plain = !name.is_empty() && name.chars().all(char::is_alphanumeric);
            if plain && patterns::is_kind(&kind) && self.is_content(&name.to_lowercase()) {
                push_new(&mut self.found.called, name.to_lowercase());
            }
        }
    }

    fn compound_with_parts(&mut self, identifier: &str) {
        push_new(&mut self.found.compounds, identifier.to_owned());
        push_new(&mut self.found.compounds, identifier.to_lowercase());
        for part in split_identifier(identifier) {
            self.component(part);
        }
    }

    fn component(&mut self, word: String) {
        let is_specific = word.chars().count() >= 2 && !self.lists.stop_words.contains(&word);
        if is_specific && !word.chars().all(char::is_numeric) && self.seen.insert(word.clone()) {
            self.found.components.push(word);
        }
    }

    /// Collects identifiers; returns the content words.
    fn collect_words(&mut self, words: &[&str]) -> Vec<Word> {
        let mut content = Vec::new();
        for (position, raw) in words.iter().enumerate() {
            for piece in raw.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))) {
                let piece = piece.trim_matches('.');
                if patterns::is_compound(piece) {
                    self.compound_with_parts(piece);
                }
                for text in piece.split(['.', '_']).flat_map(split_identifier) {
                    if self.is_content(&text) {
                        content.push(Word { text, position });
                    }
                }
            }
        }
        content
    }

    fn is_content(&self, word: &str) -> bool {
        word.chars().count() >= 2
            && !word.chars().all(char::is_numeric)
            && !self.lists.stop_words.contains(word)
            && (self.with_verbs || !self.lists.verbs.contains(word))
    }

    /// Joins adjacent content words into compounds: `blast radius` into `BlastRadius` and `blast_radius`.
    fn join_neighbors(&mut self, content: &[Word]) {
        for pair in content.windows(2) {
            let (first, second) = (&pair[0], &pair[1]);
            let lengths = (first.text.chars().count(), second.text.chars().count());
            let long_enough = lengths.0.min(lengths.1) >= 3 && lengths.0.max(lengths.1) >= 4;
            if second.position - first.position > 1 || first.text == second.text || !long_enough {
                continue;
            }
            let phrase = (first.text.clone(), second.text.clone());
            if self.found.phrases.contains(&phrase) {
                continue;
            }
            joined(&first.text, &second.text).into_iter().for_each(|name| push_new(&mut self.found.compounds, name));
            self.found.phrases.push(phrase);
        }
    }

    fn finish(mut self, task: &str, content: &[Word]) -> Keywords {
        let leading_verb = first_word(task).is_some_and(|word| self.lists.verbs.contains(&word));
        let priority = if leading_verb { content.first().map(|word| word.text.clone()) } else { None };
        for word in content {
            self.component(word.text.clone());
        }
        let mut components = std::mem::take(&mut self.found.components);
        components.sort_by_key(|word| (priority.as_ref() != Some(word), std::cmp::Reverse(word.chars().count())));
        let mut expanded = Vec::new();
        for word in components {
            let others = self.lists.abbreviations.get(&word).cloned().unwrap_or_default();
            push_new(&mut expanded, word);
            others.into_iter().for_each(|other| push_new(&mut expanded, other));
        }
        self.found.components = expanded;
        self.found.path_terms = patterns::path_terms(task, &self.found.components);
        self.found.about_tests = words_of(task).any(|word| self.lists.test_words.contains(&word));
        self.found
    }
}

fn words_of(task: &str) -> impl Iterator<Item = String> {
    task.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn first_word(task: &str) -> Option<String> {
    words_of(task).next()
}

/// Returns two words as one identifier in both conventions.
fn joined(first: &str, second: &str) -> [String; 2] {
    [format!("{}{}", capitalized(first), capitalized(second)), format!("{first}_{second}")]
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn push_new(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}
