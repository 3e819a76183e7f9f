//! Python: extracts the facts of a file and defines how its names resolve.
//!
//! Extraction ([`extract`]) walks one syntax tree and sees no other file; it follows control flow ([`flow`],
//! [`narrowing`]) so that resolution need not. Resolution ([`rules`]) works on facts and never sees a syntax tree;
//! [`modules`] maps files to modules and [`stdlib`] describes the standard library.

mod calls;
mod definitions;
mod docs;
mod expressions;
mod extract;
mod flow;
mod grammar;
mod imports;
mod modules;
mod narrowing;
mod parameters;
mod patterns;
mod rules;
mod signals;
mod statements;
mod stdlib;
mod type_aliases;
mod types;
mod variables;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use super::Language;

/// Python's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["py", "pyi"],
    grammar: |_| tree_sitter_python::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::PythonRules,
};

/// The language's name in the registry and in the module table.
const NAME: &str = "python";
