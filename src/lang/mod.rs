//! The languages: one room each, registered in one list. A fifth language is one more room and one more line here.
//!
//! # Why walkers and not `.scm` queries
//!
//! Definitions alone would fit a query file. Resolution needs more: scopes, local bindings with the expressions that
//! give their types, receivers, imports. Patterns can't nest those, so each language walks its tree once and writes
//! [`FileFacts`](crate::facts::FileFacts).

pub mod go;
pub mod parser;
pub mod packages;
pub mod python;
pub mod rust;
pub mod typescript;

use crate::facts::FileFacts;
use crate::resolve::rules::Rules;

/// A source language: how its files are recognized, parsed and read.
pub struct Language {
    /// Lower-case name, stored with each file.
    pub name: &'static str,
    /// File extensions without the dot.
    pub extensions: &'static [&'static str],
    /// The grammar for a file with this extension.
    pub grammar: fn(extension: &str) -> tree_sitter::Language,
    /// Reads a parsed file. Never fails: broken code gives fewer facts.
    pub extract: fn(file: &SourceFile<'_>) -> FileFacts,
    /// How its names resolve across files.
    pub rules: &'static dyn Rules,
}

/// A parsed file.
pub struct SourceFile<'a> {
    /// Path relative to the repository's root, with forward slashes.
    pub path: &'a str,
    /// The file's text; extraction may rely on its being UTF-8 (invalid bytes were replaced before parsing).
    pub text: &'a str,
    pub tree: &'a tree_sitter::Tree,
}

/// Every language, in the order of their names.
pub const LANGUAGES: &[&Language] = &[&go::LANGUAGE, &python::LANGUAGE, &rust::LANGUAGE, &typescript::LANGUAGE];

/// The language of a file, by its extension.
pub fn language_of(path: &str) -> Option<&'static Language> {
    let (_, extension) = path.rsplit_once('/').map_or(path, |(_, name)| name).rsplit_once('.')?;
    LANGUAGES.iter().copied().find(|language| language.extensions.contains(&extension))
}

/// The language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|language| language.name == name)
}

/// The rules of a language by its name.
///
/// # Panics
/// When no such language is registered: names come from the registry itself.
pub fn rules_of(name: &str) -> &'static dyn Rules {
    language_named(name).expect("files carry the names of registered languages").rules
}
