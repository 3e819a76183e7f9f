//! Rust: what its files say and how its names resolve.

mod blocks;
mod calls;
mod contents;
mod crates;
mod definitions;
mod expressions;
mod extract;
mod family;
mod grammar;
mod imports;
mod items;
mod library;
mod locals;
mod macros;
mod methods;
mod missing;
mod names;
mod paths;
mod patterns;
mod preamble;
#[cfg(test)]
mod resolution_tests;
mod rules;
mod sequences;
#[cfg(test)]
mod tests;
mod type_items;
mod types;
mod walker;
mod words;

use super::Language;

/// Rust's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "rust",
    extensions: &["rs"],
    grammar: |_| tree_sitter_rust::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::RustRules,
};
