//! Source languages: one folder each, registered in [`LANGUAGES`].
//!
//! A language's folder extracts facts from a syntax tree and implements the [`Rules`] by which its names resolve. It
//! depends on no other language.
//!
//! # Why walkers and not `.scm` queries
//!
//! A query file would suffice for definitions. Resolution also needs scopes, local bindings with the expressions that
//! determine their types, receivers and imports. Queries cannot nest those, so each language walks its tree once and
//! returns [`FileFacts`].

pub mod go;
mod grammar_tables;
pub mod packages;
pub mod parser;
pub mod python;
pub mod rust;
pub mod typescript;

use crate::facts::FileFacts;
use crate::resolve::rules::Rules;
use crate::text::file_name;

/// A source language.
pub struct Language {
    /// Lower-case name, stored with each file.
    pub name: &'static str,
    /// File extensions without the dot.
    pub extensions: &'static [&'static str],
    /// Returns the grammar for a file with this extension.
    pub grammar: fn(extension: &str) -> tree_sitter::Language,
    /// Extracts the facts of a parsed file. Never fails: syntax errors only reduce the facts.
    pub extract: fn(file: &SourceFile<'_>) -> FileFacts,
    /// The rules by which names resolve across files.
    pub rules: &'static dyn Rules,
}

/// A parsed file.
pub struct SourceFile<'a> {
    /// Path relative to the repository's root, with forward slashes.
    pub path: &'a str,
    /// The parsed text.
    pub text: &'a str,
    /// The syntax tree of `text`.
    pub tree: &'a tree_sitter::Tree,
}

/// All languages, sorted by name.
pub const LANGUAGES: &[&Language] = &[&go::LANGUAGE, &python::LANGUAGE, &rust::LANGUAGE, &typescript::LANGUAGE];

/// Returns the language of a file by its extension.
pub fn language_of(path: &str) -> Option<&'static Language> {
    let (_, extension) = file_name(path).rsplit_once('.')?;
    LANGUAGES.iter().copied().find(|language| language.extensions.contains(&extension))
}

/// Returns the language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|language| language.name == name)
}

/// Returns the rules of the language with this name.
///
/// # Panics
/// If no such language is registered. Stored names come from the registry.
pub fn rules_of(name: &str) -> &'static dyn Rules {
    language_named(name).expect("files have the names of registered languages").rules
}
