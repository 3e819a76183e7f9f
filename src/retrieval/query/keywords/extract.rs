//! The extraction of keywords, block by block.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::{Form, Keyword, Keywords, patterns};
use crate::concepts::WordLists;
use crate::query::parts::{Block, Part, SENTENCES, blocks};
use crate::text::split_identifier;

/// Limit of a keyword, in bytes.
const MAX_KEYWORD_LEN: usize = 100;
/// Limit of the words that may name a folder, package or file. Each is compared with every path.
const MAX_PATH_TERMS: usize = 40;

/// Extracts the keywords of a task without action verbs. Linear in the task's length.
pub fn extract(task: &str, lists: &WordLists) -> Keywords {
    collect(task, lists, false)
}

/// Extracts the keywords of a task, action verbs included.
pub fn extract_with_verbs(task: &str, lists: &WordLists) -> Keywords {
    collect(task, lists, true)
}

fn collect(task: &str, lists: &WordLists, with_verbs: bool) -> Keywords {
    let blocks = blocks(task);
    let has_parts = blocks.iter().any(|block| block.part != blocks[0].part);
    let mut collector = Collector {
        lists,
        with_verbs,
        has_parts,
        part: Part::Subject,
        keywords: HashMap::new(),
        phrases: Vec::new(),
        slashed: Vec::new(),
        first_content: None,
        about_tests: false,
    };
    blocks.iter().for_each(|block| collector.block(block));
    collector.finish(task)
}

/// A content word in lower case, with its position among the words of its block.
struct Word {
    text: String,
    position: usize,
}

struct Collector<'a> {
    lists: &'a WordLists,
    /// Whether action verbs are content words.
    with_verbs: bool,
    /// Whether the task has several parts.
    has_parts: bool,
    /// The part of the current block.
    part: Part,
    /// The best part of each keyword, and the number of keywords before it.
    keywords: HashMap<(Form, String), (Part, usize)>,
    phrases: Vec<(String, String)>,
    /// Segments of paths in sentences.
    slashed: Vec<String>,
    first_content: Option<String>,
    about_tests: bool,
}

impl Collector<'_> {
    fn block(&mut self, block: &Block<'_>) {
        self.part = block.part;
        let (text, hosts) = match block.part {
            Part::Subject => (block.text.to_owned(), Vec::new()),
            _ => patterns::without_urls(block.text),
        };
        let text = if block.part.is_code() { text } else { self.collect_quoted(&text) };
        let words: Vec<&str> = text.split_whitespace().collect();
        for word in &words {
            patterns::code_patterns(word).iter().for_each(|pattern| self.identifier_with_parts(pattern));
            for flag in patterns::flags(word) {
                self.push(Form::Identifier, flag.replace('-', "_"));
                self.push(Form::Joined, flag.replace('-', ""));
            }
        }
        let content = self.collect_words(&words);
        if !block.part.is_code() {
            self.collect_called(&words);
        }
        if SENTENCES.contains(&block.part) {
            self.join_neighbors(&content);
            self.slashed.extend(patterns::path_segments(&words));
        }
        if matches!(block.part, Part::Subject | Part::Prose) {
            self.about_tests |= words_of(&text).any(|word| self.lists.test_words.contains(&word));
        }
        if self.first_content.is_none() {
            self.first_content = content.first().map(|word| word.text.clone());
        }
        content.into_iter().for_each(|word| self.word(word.text));
        // A host is worth no more than the text around it.
        self.part = block.part.max(Part::Url);
        hosts.into_iter().filter(|word| word.chars().count() > 2).for_each(|word| self.word(word));
    }

    fn push(&mut self, form: Form, text: String) {
        if text.is_empty() || text.len() > MAX_KEYWORD_LEN {
            return;
        }
        let (part, order) = (self.part, self.keywords.len());
        let best = self.keywords.entry((form, text)).or_insert((part, order));
        best.0 = best.0.min(part);
    }

    /// Collects identifiers in backticks and quotes; returns the text without the backticks.
    fn collect_quoted(&mut self, text: &str) -> String {
        let mut prose = String::with_capacity(text.len());
        for (number, part) in text.split('`').enumerate() {
            if number % 2 == 1 {
                self.quoted(part);
            }
            prose.push_str(part);
            prose.push(' ');
        }
        for word in prose.split_whitespace() {
            patterns::in_quotes(word).into_iter().for_each(|name| self.quoted(name));
        }
        prose
    }

    fn quoted(&mut self, quoted: &str) {
        let name = quoted.strip_suffix("()").unwrap_or(quoted);
        if name.contains(char::is_whitespace) || !name.contains(char::is_alphabetic) {
            return;
        }
        let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        for form in [name, last] {
            self.push(Form::Quoted, form.to_owned());
            self.push(Form::Quoted, form.to_lowercase());
        }
    }

    /// Collects plain words followed by a kind of symbol.
    fn collect_called(&mut self, words: &[&str]) {
        for pair in words.windows(2) {
            let (name, kind) = (pair[0], pair[1].trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
            let plain = !name.is_empty() && name.chars().all(char::is_alphanumeric);
            if plain && patterns::is_kind(&kind) && self.is_content(&name.to_lowercase()) {
                self.push(Form::Called, name.to_lowercase());
            }
        }
    }

    fn identifier_with_parts(&mut self, identifier: &str) {
        self.push(Form::Identifier, identifier.to_owned());
        self.push(Form::Identifier, identifier.to_lowercase());
        split_identifier(identifier).into_iter().for_each(|part| self.word(part));
    }

    fn word(&mut self, word: String) {
        let is_specific = word.chars().count() >= 2 && !self.lists.stop_words.contains(&word);
        if is_specific && !word.chars().all(char::is_numeric) && !self.is_filler(&word) {
            self.push(Form::Word, word);
        }
    }

    /// Returns whether a word of the current part is one of reports: outside a subject it says nothing about the code.
    fn is_filler(&self, word: &str) -> bool {
        self.has_parts && self.part != Part::Subject && self.lists.filler_words.contains(word)
    }

    /// Collects identifiers; returns the content words.
    fn collect_words(&mut self, words: &[&str]) -> Vec<Word> {
        let mut content = Vec::new();
        for (position, raw) in words.iter().enumerate() {
            for piece in raw.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))) {
                let piece = piece.trim_matches('.');
                if patterns::is_compound(piece) {
                    self.identifier_with_parts(piece);
                }
                for text in piece.split(['.', '_']).flat_map(split_identifier) {
                    if self.is_content(&text) && !self.is_filler(&text) {
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

    /// Joins adjacent content words into identifiers: `blast radius` into `BlastRadius` and `blast_radius`.
    fn join_neighbors(&mut self, content: &[Word]) {
        for pair in content.windows(2) {
            let (first, second) = (&pair[0], &pair[1]);
            let lengths = (first.text.chars().count(), second.text.chars().count());
            let long_enough = lengths.0.min(lengths.1) >= 3 && lengths.0.max(lengths.1) >= 4;
            if second.position - first.position > 1 || first.text == second.text || !long_enough {
                continue;
            }
            let names = joined(&first.text, &second.text);
            names.into_iter().for_each(|name| self.push(Form::Joined, name));
            self.phrases.push((first.text.clone(), second.text.clone()));
        }
    }

    fn finish(self, task: &str) -> Keywords {
        let leading_verb = words_of(task).next().is_some_and(|word| self.lists.verbs.contains(&word));
        let priority = self.first_content.filter(|_| leading_verb);
        let mut found: Vec<(Keyword, usize)> = (self.keywords.into_iter())
            .map(|((form, text), (part, order))| (Keyword { text, form, part }, order))
            .collect();
        found.sort_by_cached_key(|(keyword, order)| {
            let is_word = keyword.form == Form::Word;
            let length = if is_word { keyword.text.chars().count() } else { 0 };
            (keyword.form, keyword.part, is_word && priority.as_ref() != Some(&keyword.text), Reverse(length), *order)
        });
        let words: HashSet<String> =
            found.iter().filter(|(keyword, _)| keyword.form == Form::Word).map(|(word, _)| word.text.clone()).collect();
        let (mut keywords, mut related) = (Vec::with_capacity(found.len()), HashSet::new());
        for (keyword, _) in found {
            let others = self.lists.abbreviations.get(&keyword.text).filter(|_| keyword.form == Form::Word);
            let part = keyword.part;
            keywords.push(keyword);
            for text in others.into_iter().flatten() {
                if !words.contains(text) && related.insert(text) {
                    keywords.push(Keyword { text: text.clone(), form: Form::Related, part });
                }
            }
        }
        let mut keywords = Keywords { keywords, about_tests: self.about_tests, ..Keywords::default() };
        let mut seen = HashSet::new();
        keywords.phrases = self.phrases.into_iter().filter(|phrase| seen.insert(phrase.clone())).collect();
        let words = keywords.words().filter(|word| SENTENCES.contains(&word.part)).map(|word| word.text.clone());
        keywords.path_terms = patterns::path_terms(self.slashed.into_iter(), words, MAX_PATH_TERMS);
        keywords
    }
}

fn words_of(task: &str) -> impl Iterator<Item = String> {
    task.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns two words as one identifier in both conventions.
fn joined(first: &str, second: &str) -> [String; 2] {
    [format!("{}{}", capitalized(first), capitalized(second)), format!("{first}_{second}")]
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
