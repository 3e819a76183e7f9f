//! Rust: extraction of facts from a syntax tree, and the rules by which names resolve.
//!
//! - Extraction: [`extract`] is the entry point and [`walker`] the state of the walk. Every other file of this half
//!   adds methods to the walker for one part of the language: [`items`], [`type_items`], [`blocks`], [`expressions`], …
//! - Resolution: [`rules`] implements [`Rules`](crate::resolve::rules::Rules) with [`crates`] (Cargo packages and their
//!   modules), [`undeclared_members`] and [`stdlib`].
//! - [`manifest`] has facts for other modules.
//! - [`builtins`] has the names that both halves share. The halves communicate by facts only.

mod attributes;
mod blocks;
mod body_words;
mod builtins;
mod calls;
mod crates;
mod definitions;
mod expressions;
mod extract;
mod grammar;
mod imports;
mod items;
mod macros;
mod manifest;
mod paths;
mod patterns;
mod test_runner;
#[cfg(test)]
mod resolution_tests;
mod rules;
mod signals;
mod stdlib;
#[cfg(test)]
mod tests;
mod type_items;
mod types;
mod undeclared_members;
mod walker;

use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders};

/// Rust's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: "rust",
    extensions: &["rs"],
    file_names: &[],
    interpreters: &[],
    grammar: |_| tree_sitter_rust::LANGUAGE.into(),
    masked: |_, _| None,
    extract: extract::extract,
    gates: attributes::gates,
    rules: &rules::RustRules,
    manifests: &[ManifestFormat { name: "Cargo.toml", packages: Some(manifest::read_packages) }],
    packages_are_folders: false,
    capitals_are_types: true,
    has_overloads: false,
    package_folders: PackageFolders::None,
    implicit_interfaces: None,
    exclusions: Exclusions {
        vendored_folders: &[],
        marked_folders: &[(&["target"], "CACHEDIR.TAG")],
        generated_endings: &[".pb.rs", ".generated.rs", "_generated.rs"],
        minified_endings: &[],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &[],
};
