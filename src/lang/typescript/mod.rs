//! TypeScript, TSX and JavaScript: what their files say and how their names resolve.

mod calls;
mod classes;
mod docs;
mod expressions;
mod extract;
mod functions;
mod globals;
mod grammar;
mod imports;
mod interfaces;
mod library;
mod manifests;
mod methods;
mod object_types;
mod objects;
mod parameters;
mod patterns;
mod project;
mod repair;
mod rules;
mod signals;
mod test_code;
mod types;
mod walker;
#[cfg(test)]
mod tests;

use super::Language;

/// TypeScript's entry in the registry. JavaScript and JSX parse with the TSX grammar.
pub const LANGUAGE: Language = Language {
    name: "typescript",
    extensions: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
    grammar: |extension| match extension {
        "ts" | "mts" | "cts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        _ => tree_sitter_typescript::LANGUAGE_TSX.into(),
    },
    extract: extract::extract,
    rules: &rules::TypeScriptRules,
};
