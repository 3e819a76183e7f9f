//! Go: a pattern file, and the code for what no pattern can say.
//!
//! - `go.scm` says what each kind of node means; [`hooks`], [`types`], [`variables`], [`statements`] and [`expressions`]
//!   have what no pattern can say. [`build_constraints`] tells which files the default build has.
//! - [`rules`] resolves names across files with [`modules`] (`go.mod`, packages) and [`stdlib`].
//! - [`builtins`] has the names that extraction and rules share; [`signals`] finds routes, environment variables and
//!   processes.
//! - [`interfaces`] and [`test_runner`] have facts for other modules.

mod build_constraints;
mod builtins;
mod expressions;
mod hooks;
mod interfaces;
mod modules;
mod routes;
mod rules;
mod signals;
mod statements;
mod stdlib;
mod test_runner;
mod types;
mod variables;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders, SourceFile};
use crate::facts::FileFacts;
use crate::resolve::rules::Traits;

/// Go's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["go"],
    gates: |file| build_constraints::gates(file.text),
    manifests: &[
        ManifestFormat { name: "go.mod", names_modules: true, packages: Some(modules::read_packages) },
        ManifestFormat { name: "go.work", names_modules: false, packages: None },
    ],
    package_folders: PackageFolders::All,
    implicit_interfaces: Some(&interfaces::INTERFACES),
    exclusions: Exclusions {
        vendored_folders: &["Godeps"],
        generated_endings: &[".pb.go", ".pb.gw.go", ".generated.go", "_generated.go", ".gen.go"],
        ..Exclusions::NONE
    },
    test_runner: test_runner::RUNNER,
    ..Language::new(NAME, |_| tree_sitter_go::LANGUAGE.into(), extract, &rules::GoRules)
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    packages_are_folders: true,
    capitals_are_types: false,
    unbound_names: &["_"],
    extends_own_module_only: true,
    bases_are_fields: true,
    arguments_may_index: true,
    calls_of_types_convert: true,
    ubiquitous: word_list!("ubiquitous.txt"),
    ..Traits::COMMON
};

/// The language's name in the registry and in the module table.
const NAME: &str = "go";

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| Patterns::read(include_str!("go.scm"), &tree_sitter_go::LANGUAGE.into(), hooks::HOOKS)),
    lexicon: Lexicon {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        quotes: &["\"", "'"],
        long_quotes: &[],
        raw_quotes: &["`"],
        keywords: KEYWORDS,
        docs: DocStyle { has_tags: false, is_directive },
    },
    is_test_file: |path| path.ends_with("_test.go"),
    test_decorators: &[],
    modifier: |_, _| {},
    traits: &TRAITS,
    words: Words::Written,
    flow: None,
    options: Options::DEFAULT,
    on_call: Some(signals::on_call),
    on_end: None,
};

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "false", "for", "func",
    "go", "goto", "if", "import", "interface", "map", "nil", "package", "range", "return", "select", "struct", "switch",
    "true", "type", "var",
];

fn extract(file: &SourceFile<'_>) -> FileFacts {
    common::extract_with(file, &DIALECT, |walker, _| {
        if build_constraints::is_excluded(file.path, file.text) {
            walker.facts.mark_build_excluded();
        }
    })
}

/// Returns whether a line comment is a directive: `go:generate`, `nolint:errcheck`.
fn is_directive(comment: &str) -> bool {
    comment.split_once(':').is_some_and(|(word, rest)| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && rest.starts_with(|first: char| first.is_ascii_lowercase())
    })
}
