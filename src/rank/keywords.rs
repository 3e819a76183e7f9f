//! A task's words, sorted by how surely they name code (SPEC §6.1).

use std::collections::{HashMap, HashSet};

use serde::Serialize;

mod patterns;
#[cfg(test)]
mod tests;

use crate::text::split_identifier;

/// Most words of a task that are read; the rest of a pasted log says nothing new.
const MOST_WORDS: usize = 600;
/// Longest identifier in backticks.
const LONGEST_EXACT: usize = 100;

/// Lists of English and programming words; data, kept under `seeds/`.
#[derive(Debug, Clone, Default)]
pub struct WordLists {
    /// Words that say nothing: articles, pronouns, `code`, `please`.
    pub stop_words: HashSet<String>,
    /// Verbs of action that begin a task: add, fix, refactor.
    pub verbs: HashSet<String>,
    /// Short form and long form, both ways.
    pub abbreviations: HashMap<String, Vec<String>>,
    /// Words that make a task one about tests.
    pub test_words: HashSet<String>,
}

/// What a task asks for, by specificity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Keywords {
    /// Identifiers that the user put in backticks or quotes, as written and in lower case.
    pub exact: Vec<String>,
    /// Plain words that the task calls a function, a type or the like: `resolve` in "the resolve function".
    pub called: Vec<String>,
    /// Identifiers of several parts, and neighboring words joined as code would join them.
    pub compounds: Vec<String>,
    /// Single words in lower case, the most telling first.
    pub components: Vec<String>,
    /// Neighboring content words.
    pub phrases: Vec<(String, String)>,
    /// Words that may name a folder, package or file.
    pub path_terms: Vec<String>,
    /// The task is about tests, so test code is as welcome as any.
    pub about_tests: bool,
}

impl Keywords {
    /// The compounds that the task does not write itself: neighboring words, joined as code would join them.
    pub fn joined(&self) -> HashSet<String> {
        self.phrases.iter().flat_map(|(first, second)| joined(first, second)).collect()
    }

    /// True when nothing in the task can be searched for.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.compounds.is_empty() && self.components.is_empty()
    }
}

/// Sorts a task's words, of which verbs of action say nothing. Linear in the task's length.
pub fn keywords(task: &str, lists: &WordLists) -> Keywords {
    sorted(task, lists, false)
}

/// The same for a task whose verbs of action are to be found, too.
pub fn keywords_with_verbs(task: &str, lists: &WordLists) -> Keywords {
    sorted(task, lists, true)
}

fn sorted(task: &str, lists: &WordLists, with_verbs: bool) -> Keywords {
    let mut collector = Collector { lists, with_verbs, found: Keywords::default(), seen: HashSet::new() };
    let prose = collector.take_backticks(task);
    let words: Vec<&str> = prose.split_whitespace().take(MOST_WORDS).collect();
    for word in &words {
        for pattern in patterns::code_patterns(word) {
            collector.compound_with_parts(&pattern);
        }
    }
    let content = collector.take_words(&words);
    collector.take_called(&words);
    collector.join_neighbors(&content);
    collector.finish(task, &content)
}

/// A content word of the task, in lower case, and its place among all words.
struct Word {
    text: String,
    place: usize,
}

struct Collector<'a> {
    lists: &'a WordLists,
    /// Verbs of action count like other words.
    with_verbs: bool,
    found: Keywords,
    seen: HashSet<String>,
}

impl Collector<'_> {
    /// Takes identifiers in backticks and in quotes, and gives the task back without the backticks.
    fn take_backticks(&mut self, task: &str) -> String {
        let mut prose = String::with_capacity(task.len());
        for (number, part) in task.split('`').enumerate() {
            if number % 2 == 1 {
                self.exact(part);
            }
            prose.push_str(part);
            prose.push(' ');
        }
        for word in prose.split_whitespace().take(MOST_WORDS) {
            patterns::in_quotes(word).into_iter().for_each(|name| self.exact(name));
        }
        prose
    }

    fn exact(&mut self, quoted: &str) {
        let name = quoted.strip_suffix("()").unwrap_or(quoted);
        if name.len() > LONGEST_EXACT || name.contains(char::is_whitespace) || !name.contains(char::is_alphabetic) {
            return;
        }
        let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        for form in [name, last] {
            push_new(&mut self.found.exact, form.to_owned());
            push_new(&mut self.found.exact, form.to_lowercase());
        }
    }

    /// Takes the plain word before a word for a kind of symbol.
    fn take_called(&mut self, words: &[&str]) {
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
        let telling = word.chars().count() >= 2 && !self.lists.stop_words.contains(&word);
        if telling && !word.chars().all(char::is_numeric) && self.seen.insert(word.clone()) {
            self.found.components.push(word);
        }
    }

    /// Takes identifiers and plain words; gives the content words.
    fn take_words(&mut self, words: &[&str]) -> Vec<Word> {
        let mut content = Vec::new();
        for (place, raw) in words.iter().enumerate() {
            for piece in raw.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))) {
                let piece = piece.trim_matches('.');
                if patterns::is_compound(piece) {
                    self.compound_with_parts(piece);
                }
                for text in piece.split(['.', '_']).flat_map(split_identifier) {
                    if self.is_content(&text) {
                        content.push(Word { text, place });
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

    /// Adjacent content words become compounds: `blast radius` gives `BlastRadius` and `blast_radius`.
    fn join_neighbors(&mut self, content: &[Word]) {
        for pair in content.windows(2) {
            let (first, second) = (&pair[0], &pair[1]);
            let lengths = (first.text.chars().count(), second.text.chars().count());
            let long_enough = lengths.0.min(lengths.1) >= 3 && lengths.0.max(lengths.1) >= 4;
            if second.place - first.place > 1 || first.text == second.text || !long_enough {
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

/// Two words as one name, in the two ways of writing it.
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
