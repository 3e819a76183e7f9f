//! Go: extraction of facts from a syntax tree, and the rules by which names resolve.
//!
//! - Extraction: [`extract`] is the entry point and has the state of the walk. Every other file of this half adds
//!   methods to the walker for one part of the language: [`definitions`], [`variables`], [`expressions`], …
//! - Resolution: [`rules`] implements [`Rules`](crate::resolve::rules::Rules) with [`modules`] (`go.mod`, packages) and
//!   [`stdlib`].
//! - [`manifest`] and [`interfaces`] have facts for other modules.
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
mod interfaces;
mod literals;
mod manifest;
mod modules;
mod parameters;
mod rules;
mod signals;
mod statements;
mod stdlib;
mod test_runner;
mod type_definitions;
mod types;
mod variables;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders};

/// Go's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["go"],
    file_names: &[],
    interpreters: &[],
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    masked: |_, _| None,
    extract: extract::extract,
    gates: |file| build_constraints::gates(file.text),
    rules: &rules::GoRules,
    manifests: &[
        ManifestFormat { name: "go.mod", packages: Some(manifest::read_packages) },
        ManifestFormat { name: "go.work", packages: None },
    ],
    packages_are_folders: true,
    capitals_are_types: false,
    has_overloads: false,
    package_folders: PackageFolders::All,
    implicit_interfaces: Some(&interfaces::INTERFACES),
    exclusions: Exclusions {
        vendored_folders: &["Godeps"],
        marked_folders: &[],
        generated_endings: &[".pb.go", ".pb.gw.go", ".generated.go", "_generated.go", ".gen.go"],
        minified_endings: &[],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &[],
};

/// The language's name in the registry and in the module table.
const NAME: &str = "go";
