//! TypeScript, TSX and JavaScript: extraction of facts from a syntax tree, and the rules by which names resolve.
//!
//! - Extraction: [`extract`] is the entry point and [`walker`] the state of the walk. Every other file of this half
//!   adds methods to the walker for one part of the language: [`classes`], [`functions`], [`expressions`], [`types`], …
//! - Resolution: [`rules`] implements [`Rules`](crate::resolve::rules::Rules) with [`module_resolution`], [`manifests`]
//!   and [`stdlib`].
//! - [`builtins`] has the names that both halves share. The halves communicate by facts only.

mod builtins;
mod calls;
mod classes;
mod docs;
mod expressions;
mod extract;
mod functions;
mod grammar;
mod grammar_workarounds;
mod imports;
mod inline_imports;
mod interfaces;
mod manifests;
mod module_resolution;
mod object_types;
mod objects;
mod parameters;
mod patterns;
mod rules;
mod scripts;
mod signals;
mod stdlib;
mod test_runner;
#[cfg(test)]
mod tests;
mod types;
mod walker;

use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders};

/// TypeScript's entry in the registry. JavaScript, JSX and the scripts of pages and components are parsed with the TSX
/// grammar.
pub const LANGUAGE: Language = Language {
    name: "typescript",
    extensions: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "htm", "html", "svelte", "vue"],
    file_names: &[],
    interpreters: &["bun", "deno", "node", "nodejs", "ts-node", "tsx"],
    grammar: |extension| match extension {
        "ts" | "mts" | "cts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        _ => tree_sitter_typescript::LANGUAGE_TSX.into(),
    },
    masked: scripts::masked,
    extract: extract::extract,
    gates: |_| Vec::new(),
    rules: &rules::TypeScriptRules,
    manifests: &[
        ManifestFormat { name: "package.json", packages: Some(manifests::read_packages) },
        ManifestFormat { name: "jsconfig.json", packages: None },
        ManifestFormat { name: "tsconfig*.json", packages: None },
    ],
    packages_are_folders: false,
    capitals_are_types: true,
    has_overloads: true,
    package_folders: PackageFolders::None,
    implicit_interfaces: None,
    exclusions: Exclusions {
        vendored_folders: &["node_modules", "bower_components", "jspm_packages"],
        marked_folders: &[],
        generated_endings: &[
            "_pb.ts",
            "_pb.js",
            "_pb.d.ts",
            "_grpc_pb.js",
            ".generated.ts",
            ".generated.tsx",
            ".generated.js",
            ".gen.ts",
        ],
        minified_endings: &[".min.js", ".min.mjs", ".min.cjs", "-min.js", ".bundle.js"],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &[],
};
