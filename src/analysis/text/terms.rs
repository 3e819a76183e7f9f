//! Search terms. The search index and queries both use this module, so that their terms match.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use super::{composed, identifier_parts, stem};

/// Maximum number of stems that a thread keeps. Source code repeats few words, and stemming one costs more than finding
/// its stem.
const MAX_KEPT: usize = 1 << 12;

thread_local! {
    static STEMS: RefCell<HashMap<Box<str>, Box<str>>> = RefCell::default();
}

/// Returns the terms of a text, in order and with repetitions: for each identifier the whole in lower case if it has
/// several parts, then the stems of its parts.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for_each_term(text, |term| terms.push(term.to_owned()));
    terms
}

/// Returns the terms of a text joined by spaces: a column of the search index.
pub fn term_text(text: &str) -> String {
    let mut joined = String::with_capacity(text.len() + text.len() / 4);
    for_each_term(text, |term| {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(term);
    });
    joined
}

fn for_each_term(text: &str, mut visit: impl FnMut(&str)) {
    for run in composed(text).split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        let mut parts = identifier_parts(run);
        let (first, second) = (parts.next(), parts.next());
        if second.is_some() {
            visit(&lower_case(run.trim_matches('_')));
        }
        for part in first.into_iter().chain(second).chain(parts) {
            with_stem(&lower_case(part), &mut visit);
        }
    }
}

/// Returns a word in lower case, as most words of source code are written.
fn lower_case(word: &str) -> Cow<'_, str> {
    match word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    }
}

/// Calls `visit` with the stem of a lower-case word, computed once for most words of a repository.
fn with_stem(word: &str, visit: impl FnOnce(&str)) {
    STEMS.with_borrow_mut(|stems| {
        if let Some(known) = stems.get(word) {
            return visit(known);
        }
        if stems.len() >= MAX_KEPT {
            stems.clear();
        }
        let stemmed = stem(word);
        visit(&stemmed);
        stems.insert(word.into(), stemmed.into());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_stems_equal_computed_ones() {
        let words = ["validators", "parsing", "ids", "parsing"].map(str::to_owned).into_iter();
        let letters = |number: usize| (0..4).map(|place| (b'a' + (number >> (place * 4) & 15) as u8) as char).collect();
        let many = (0..MAX_KEPT * 2).map(letters);
        for word in words.chain(many) {
            for _ in 0..2 {
                with_stem(&word, |kept| assert_eq!(kept, stem(&word)));
            }
        }
    }

    #[test]
    fn terms_include_identifier_and_parts() {
        assert_eq!(terms("getUserName(ids)"), ["getusername", "get", "user", "name", "ids"]);
        assert_eq!(terms("__init__ before_request"), ["init", "before_request", "befor", "request"]);
    }

    #[test]
    fn prose_without_spaces_is_found_by_its_pairs() {
        assert_eq!(terms("用户登录：密码"), ["用户登录", "用户", "户登", "登录", "密码"]);
    }

    #[test]
    fn prose_is_stemmed() {
        assert_eq!(term_text("Validates the migrations."), "valid the migrat");
        assert_eq!(term_text("…"), "");
    }
}
