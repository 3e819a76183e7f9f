//! Python: what its files say and how its names resolve.

mod extract;
mod rules;

use super::Language;

/// Python's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi"],
    grammar: |_| tree_sitter_python::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::PythonRules,
};
