//! Search terms. The search index and queries both use this module, so that their terms match.

use super::{split_identifier, stem};

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
    for run in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        let parts = split_identifier(run);
        if parts.len() > 1 {
            visit(run.trim_matches('_').to_lowercase().as_str());
        }
        for part in &parts {
            visit(&stem(part));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_include_identifier_and_parts() {
        assert_eq!(terms("getUserName(ids)"), ["getusername", "get", "user", "name", "ids"]);
        assert_eq!(terms("__init__ before_request"), ["init", "before_request", "befor", "request"]);
    }

    #[test]
    fn prose_is_stemmed() {
        assert_eq!(term_text("Validates the migrations."), "valid the migrat");
        assert_eq!(term_text("…"), "");
    }
}
