//! Names in the texts of a repository.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;

use super::searched::{Ranges, Searched, SearchedFile};
use super::{EngineError, Member};
use crate::lang::dotenv::without_values;
use crate::model::Symbol;
use crate::scan::Content;
use crate::scan::read::read_inside;

/// Beginnings of a line by which a compiler finds what the next one declares.
const MARKS: [&str; 4] = ["@", "#[global_allocator", "#[no_mangle", "#[used"];

/// Reads a file if its text may have what is searched for. Only such a file is decoded, and one in another encoding than
/// UTF-8. A file that was deleted since, or is larger, has nothing; values of the environment are left out.
pub(in crate::engine) fn read_if(
    root: &Path,
    path: &str,
    max_bytes: u64,
    may_have: &dyn Fn(&str) -> bool,
) -> Option<Content> {
    let bytes = read_inside(root, path, max_bytes).ok()?;
    let content = std::str::from_utf8(&bytes).map_or(true, may_have).then(|| Content::new(bytes).ok()).flatten()?;
    Some(Content { text: without_values(path, &content.text).into_owned(), ..content })
}

/// The bytes of the definitions of each name, by file.
type Places<'a> = HashMap<&'a str, HashMap<&'a str, Ranges>>;

/// Names in the texts of a repository, whatever the graph has.
#[derive(Default)]
pub(super) struct Texts {
    /// The names that a text is, or a symbol of Ruby: `"run"`, `:run`.
    pub quoted: HashSet<String>,
    /// The names that are written outside of their definitions, in files that are not indexed as well.
    pub mentioned: HashSet<String>,
    /// Whether source files were not searched.
    pub is_partial: bool,
    /// Beginnings and ends of names that code puts together: `"visit_" + name`, `on_##event`.
    pieces: HashSet<String>,
    /// The files and lines of definitions behind the word `export`, or behind a line that marks them.
    exported: HashSet<(String, u32)>,
}

impl Texts {
    /// Reads the files of a repository, for the names of some of its symbols.
    pub fn read(member: &Member<'_>, symbols: &[Symbol]) -> Result<Texts, EngineError> {
        let mut own: HashMap<&str, HashMap<&str, Vec<_>>> = HashMap::new();
        let mut lines: HashMap<&str, HashSet<u32>> = HashMap::new();
        for symbol in symbols {
            lines.entry(&symbol.file).or_default().insert(symbol.span.name_line);
            let span = symbol.span.start_byte as usize..symbol.span.end_byte as usize;
            if let Some(word) = bare(&symbol.name) {
                own.entry(word).or_default().entry(&symbol.file).or_default().push(span);
            }
        }
        let joined =
            |spans: HashMap<_, Vec<_>>| spans.into_iter().map(|(file, spans)| (file, Ranges::from_iter(spans)));
        let own: Places<'_> = own.into_iter().map(|(word, spans)| (word, joined(spans).collect())).collect();
        let searched = Searched::all(member)?;
        let is_partial = searched.note().is_some();
        let read = |mut texts: Texts, SearchedFile { id, path, max_bytes }: SearchedFile| {
            // A file that has gone since is one of the next update.
            let Some(content) = read_if(member.root, &path, max_bytes, &|_| true) else { return texts };
            match id {
                Some(_) => texts.add(&path, &content.text, &own, lines.get(path.as_str())),
                None => words(&content.text).for_each(|(at, word)| texts.add_mention(&path, at, word, &own)),
            }
            texts
        };
        let texts = searched.files.into_par_iter().fold(Texts::default, read).reduce(Texts::default, Texts::and);
        Ok(Texts { is_partial, ..texts })
    }

    /// Adds a word of a file, if it is the name of a symbol and not in its definition.
    fn add_mention(&mut self, path: &str, at: usize, word: &str, own: &Places<'_>) {
        let Some(spans) = own.get(word).filter(|_| !self.mentioned.contains(word)) else { return };
        if !spans.get(path).is_some_and(|spans| spans.contain(at)) {
            self.mentioned.insert(word.to_owned());
        }
    }

    /// Adds the text of an indexed file. `own` has the places in which each name is defined, `defining` the lines of the file's
    /// definitions.
    fn add(&mut self, path: &str, text: &str, own: &Places<'_>, defining: Option<&HashSet<u32>>) {
        let before = std::iter::once("").chain(text.lines());
        let exported = (1..).zip(text.lines().zip(before)).filter(|(line, (text, before))| {
            let is_marked = MARKS.iter().any(|mark| before.trim_start().starts_with(mark));
            (is_marked || text.trim_start().starts_with("export "))
                && defining.is_some_and(|lines| lines.contains(line))
        });
        self.exported.extend(exported.map(|(line, _)| (path.to_owned(), line)));
        let has_symbols = path.ends_with("rb") || path.ends_with("rake");
        for (at, word) in words(text) {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            let next = text[at + word.len()..].chars().next().unwrap_or(' ');
            if is_piece(text, at, word) {
                self.pieces.insert(word.to_owned());
            }
            // `"%s_handler"`
            self.pieces
                .extend(word.strip_prefix('s').filter(|end| before == '%' && end.starts_with('_')).map(str::to_owned));
            if !own.contains_key(word) {
                continue;
            }
            let is_text = matches!(before, '"' | '\'' | '`') && next == before;
            if is_text || (before == ':' && has_symbols) {
                self.quoted.insert(word.to_owned());
            }
            self.add_mention(path, at, word, own);
        }
    }

    /// Returns the names of both.
    fn and(mut self, other: Texts) -> Texts {
        self.quoted.extend(other.quoted);
        self.mentioned.extend(other.mentioned);
        self.pieces.extend(other.pieces);
        self.exported.extend(other.exported);
        self
    }

    /// Returns whether the word `export` or a line with a mark is before the definition of a symbol.
    pub fn is_exported(&self, symbol: &Symbol) -> bool {
        self.exported.contains(&(symbol.file.clone(), symbol.span.name_line))
    }

    /// Returns whether code puts together names of this form.
    pub fn are_composed(&self, name: &str) -> bool {
        let ends = name.match_indices('_').map(|(at, _)| at);
        ends.into_iter().any(|at| {
            let (first, last) = (&name[..=at], &name[at..]);
            (first.len() > 2 && self.pieces.contains(first)) || (last.len() > 2 && self.pieces.contains(last))
        })
    }
}

/// Returns the word of a name, by which code names it: without the signs around it, the parts before it and what follows in
/// brackets; `None` for an operator, which is used by its sign.
pub(super) fn bare(name: &str) -> Option<&str> {
    let after = name.strip_prefix("operator").unwrap_or_default();
    let is_operator = !after.is_empty() && !after.starts_with(is_part);
    let name = &name[..name.find(['(', '<', '[']).unwrap_or(name.len())];
    let end = name.trim_end_matches(|letter| !is_part(letter)).len();
    let begin = name[..end].rfind(|letter| !is_part(letter)).map_or(0, |at| at + char_len(name, at));
    (begin < end && !is_operator && !name.starts_with('~')).then(|| &name[begin..end])
}

/// Returns the word by which code names a symbol as [`bare`] does, the whole one of languages that have hyphens in names.
pub(in crate::engine) fn named_word(name: &str) -> Option<&str> {
    let is_hyphened =
        !name.starts_with('-') && name.split('-').all(|part| !part.is_empty() && part.chars().all(is_part));
    if is_hyphened { Some(name) } else { bare(name) }
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

/// Returns whether a letter is part of a word.
fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the bytes at which a word is in a text, other than as a part of a longer one.
pub(in crate::engine) fn word_positions(text: &str, word: &str) -> impl Iterator<Item = usize> {
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !word.is_empty() && !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// Returns the words of a text with their positions.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(is_part)?;
        let length = text[at..].find(|letter| !is_part(letter)).unwrap_or(text.len() - at);
        let word = (at, &text[at..at + length]);
        at += length;
        Some(word)
    })
}

/// Returns the parts of a name that code may put it together of: what is before and behind each underscore of its word, with it.
pub(super) fn pieces(name: &str) -> Vec<&str> {
    let Some(word) = bare(name) else { return Vec::new() };
    let parts = word.match_indices('_').flat_map(|(at, _)| [&word[..=at], &word[at..]]);
    parts.filter(|part| part.len() > 2 && part.len() < word.len()).collect()
}

/// Returns whether a word is a part of names that code puts together, by what is before and after it.
pub(super) fn is_piece(text: &str, at: usize, word: &str) -> bool {
    let before = text[..at].chars().next_back().unwrap_or(' ');
    let next = text[at + word.len()..].chars().next().unwrap_or(' ');
    let begins = word.ends_with('_') && matches!(next, '"' | '\'' | '`' | '{' | '$' | '#' | '%' | '\\');
    let ends = word.starts_with('_') && matches!(before, '"' | '\'' | '`' | '}' | '#' | '%');
    begins || ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_a_name_is_what_code_writes() {
        for (name, word) in [
            ("run", Some("run")),
            ("valid?", Some("valid")),
            ("total=", Some("total")),
            ("$total", Some("total")),
            ("request(_:didCreate:)", Some("request")),
            ("aws_vpc.main", Some("main")),
            ("get<int>", Some("get")),
            ("größe", Some("größe")),
            ("operator", Some("operator")),
            ("operator_name", Some("operator_name")),
            ("operator+", None),
            ("operator bool", None),
            ("~Box", None),
            ("[]", None),
            ("<=>", None),
            ("", None),
        ] {
            assert_eq!(bare(name), word, "{name}");
            assert_eq!(named_word(name), word, "{name}");
        }
        assert_eq!((bare("read-all"), named_word("read-all")), (Some("all"), Some("read-all")));
        assert_eq!(word_positions("run run_ rerun, run()", "run").collect::<Vec<_>>(), [0, 16]);
    }
}
