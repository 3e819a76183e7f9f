//! Go: extracts the facts of a file and defines how its names resolve.
//!
//! Extraction ([`extract`]) walks one syntax tree and sees no other file. Resolution ([`rules`]) works on facts and
//! never sees a syntax tree; [`modules`] maps packages to modules and [`stdlib`] describes the standard library.

mod build_constraints;
mod definitions;
mod docs;
mod expressions;
mod extract;
mod grammar;
mod imports;
mod literals;
mod modules;
mod parameters;
mod rules;
mod signals;
mod statements;
mod stdlib;
mod type_definitions;
mod types;
mod variables;
mod words;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use super::Language;

/// Go's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["go"],
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::GoRules,
};

/// The language's name in the registry and in the module table.
const NAME: &str = "go";
