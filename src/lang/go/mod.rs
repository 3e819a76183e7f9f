//! Go: what its files say and how its names resolve.

mod extract;
mod rules;

use super::Language;

/// Go's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "go",
    extensions: &["go"],
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::GoRules,
};
