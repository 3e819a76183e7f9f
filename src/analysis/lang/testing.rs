//! Helpers of the tests of languages.

use super::{language_of, parser};
use crate::facts::FileFacts;

/// Returns the facts of a file, whose path determines the language.
pub fn parse(path: &str, text: &str) -> FileFacts {
    let language = language_of(path).expect("a language has the extension");
    parser::parse(language, path, text.as_bytes()).expect("parses")
}

/// Returns one line for each definition: kind, qualified name and signature.
pub fn outline(path: &str, text: &str) -> Vec<String> {
    let facts = parse(path, text);
    let name = |atom| facts.outline.names.get(atom);
    let line = |definition: &crate::facts::Definition| {
        let names: Vec<&str> =
            definition.scope_names.iter().chain([&definition.name]).map(|atom| name(*atom)).collect();
        format!("{} {}: {}", definition.kind.name(), names.join("."), definition.signature)
    };
    facts.outline.definitions.iter().map(line).collect()
}
