//! Python: what its files say and how its names resolve.

mod aliases;
mod calls;
mod definitions;
mod docs;
mod expressions;
mod extract;
mod flow;
mod imports;
mod matching;
mod modules;
mod narrowing;
mod parameters;
mod rules;
mod signals;
mod standard;
mod standard_calls;
mod statements;
mod syntax;
mod test_code;
mod types;
mod variables;

#[cfg(test)]
mod tests;

use super::Language;

/// Python's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi"],
    grammar: |_| tree_sitter_python::LANGUAGE.into(),
    extract: extract::extract,
    rules: &rules::PythonRules,
};
