//! Go: what its files say and how its names resolve.

mod constraints;
mod declarations;
mod docs;
mod expressions;
mod extract;
mod imports;
mod kinds;
mod literals;
mod packages;
mod rules;
mod signals;
mod standard;
mod statements;
mod type_declarations;
mod types;
mod words;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use super::Language;

/// Go's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "go",
    extensions: &["go"],
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::GoRules,
};
