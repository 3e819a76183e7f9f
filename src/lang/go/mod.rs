//! Go: extraction of facts from a syntax tree, and the rules by which names resolve.
//!
//! - Extraction: [`extract`] is the entry point and has the state of the walk. Every other file of this half adds
//!   methods to the walker for one part of the language: [`definitions`], [`variables`], [`expressions`], …
//! - Resolution: [`rules`] implements [`Rules`](crate::resolve::rules::Rules) with [`modules`] (`go.mod`, packages) and
//!   [`stdlib`].
//! - [`builtins`] has the names that both halves share. The halves communicate by facts only.

mod body_words;
mod build_constraints;
mod builtins;
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
