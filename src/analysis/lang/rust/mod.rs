//! Rust: a pattern file, and the code for what no pattern can say.
//!
//! - `rust.scm` says what each kind of node means; [`extract`] has the dialect. The hooks: [`items`], [`attributes`],
//!   [`imports`], [`paths`], [`values`], [`calls`], [`patterns`],
//!   [`macros`] and [`module_lists`]; [`signals`] of calls; [`lexicon`].
//! - [`rules`] resolves names across files with [`crates`] (Cargo packages and their modules), [`undeclared_members`],
//!   [`extension_methods`], [`element_types`] and [`library`], whose table is `library.txt`; [`names`] has lists of names;
//!   [`conversions`] has what `into` can run.
//! - [`manifest`] reads `Cargo.toml`; [`test_runner`] has the command of `cargo test`.
//! - [`builtins`] has the names that extraction and resolution share. They communicate by facts only.
//!
//! # Why locals are inlined
//!
//! The scope and type of a local are fixed by its `let`, so the walk replaces each use of a local by the expression of its
//! initializer. Blocks, match arms and closures then need no scopes, and the value of an expression does not depend on
//! where it is evaluated.

mod attributes;
mod builtins;
mod calls;
mod conversions;
mod crates;
mod element_types;
mod extension_methods;
mod extract;
mod imports;
mod items;
mod lexicon;
mod library;
mod macro_paths;
mod macros;
mod manifest;
mod module_lists;
mod names;
mod paths;
mod patterns;
mod test_runner;
#[cfg(test)]
mod resolution_tests;
mod rules;
mod signals;
#[cfg(test)]
mod tests;
mod undeclared_members;
mod values;

use super::manifest::ManifestFormat;
use super::{Exclusions, Language};
use crate::resolve::rules::Traits;

/// Rust's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["rs"],
    gates: attributes::gates,
    manifests: &[ManifestFormat { name: "Cargo.toml", names_modules: true, packages: Some(manifest::read_packages) }],
    exclusions: Exclusions {
        marked_folders: &[(&["target"], "CACHEDIR.TAG")],
        generated_endings: &[".pb.rs", ".generated.rs", "_generated.rs"],
        ..Exclusions::NONE
    },
    test_runner: test_runner::RUNNER,
    ..Language::new("rust", |_| tree_sitter_rust::LANGUAGE.into(), extract::extract, &rules::RustRules)
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    inferred_types: &["_"],
    modules_hide_outer_names: true,
    // Those of traits with a type argument, which a type can implement several times.
    #[rustfmt::skip]
    overloaded_methods: &[
        "add", "add_assign", "div", "eq", "from", "mul", "mul_assign", "partial_cmp", "rem", "sub", "sub_assign",
        "try_from",
    ],
    ..Traits::COMMON
};
