//! Builds the expression of a full-text search; whatever text goes in, what comes out is valid.

use super::rows::SearchColumn;

/// A full-text query: alternatives, of which a row must match at least one.
///
/// # Why
///
/// In FTS5's query language a stray hyphen or apostrophe is a syntax error. Here every term is quoted and the
/// structure around the terms is made by this type alone, so no text can break it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchQuery {
    alternatives: Vec<String>,
}

impl MatchQuery {
    /// A query that matches nothing yet.
    pub fn new() -> MatchQuery {
        MatchQuery::default()
    }

    /// Also rows with this term, or with its words side by side when the tokenizer sees several.
    pub fn term(self, term: &str) -> MatchQuery {
        self.add(&[], &[term], false)
    }

    /// Also rows with this term in one of the columns.
    pub fn term_in(self, columns: &[SearchColumn], term: &str) -> MatchQuery {
        self.add(columns, &[term], false)
    }

    /// Also rows with a word that begins with this term.
    pub fn prefix(self, term: &str) -> MatchQuery {
        self.add(&[], &[term], true)
    }

    /// Also rows with a word that begins with this term in one of the columns.
    pub fn prefix_in(self, columns: &[SearchColumn], term: &str) -> MatchQuery {
        self.add(columns, &[term], true)
    }

    /// Also rows with these words side by side.
    pub fn phrase(self, words: &[&str]) -> MatchQuery {
        self.add(&[], words, false)
    }

    /// Also rows with these words side by side in one of the columns.
    pub fn phrase_in(self, columns: &[SearchColumn], words: &[&str]) -> MatchQuery {
        self.add(columns, words, false)
    }

    /// True when nothing was added that a row could match.
    pub fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// The expression, for binding as the right side of `MATCH`.
    pub fn expression(&self) -> String {
        self.alternatives.join(" OR ")
    }

    fn add(mut self, columns: &[SearchColumn], words: &[&str], is_prefix: bool) -> MatchQuery {
        let words: Vec<String> = words.iter().filter_map(|word| quoted(word)).collect();
        if words.is_empty() {
            return self;
        }
        let mut text = words.join(" + ");
        if is_prefix {
            text.push_str(" *");
        }
        if !columns.is_empty() {
            let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
            text = format!("{{{}}} : ({text})", names.join(" "));
        }
        self.alternatives.push(text);
        self
    }
}

/// A term as an FTS5 string; `None` when the tokenizer would find no word in it.
fn quoted(term: &str) -> Option<String> {
    if !term.chars().any(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    // SQLite ends text at a NUL; the tokenizer takes any other separator for the same.
    Some(format!("\"{}\"", term.replace('\0', " ").replace('"', "\"\"")))
}
