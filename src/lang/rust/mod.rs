//! Rust: what its files say and how its names resolve.

mod extract;
mod rules;

use super::Language;

/// Rust's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "rust",
    extensions: &["rs"],
    grammar: |_| tree_sitter_rust::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::RustRules,
};
