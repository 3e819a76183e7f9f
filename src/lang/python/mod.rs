//! Python: extraction of facts from a syntax tree, and the rules by which names resolve.
//!
//! - Extraction: [`extract`] is the entry point and has the state of the walk. Every other file of this half adds
//!   methods to the walker for one part of the language: [`definitions`], [`variables`], [`expressions`], …
//!   It follows control flow ([`flow`], [`narrowing`]), so that resolution can ignore it.
//! - Resolution: [`rules`] implements [`Rules`](crate::resolve::rules::Rules) with [`modules`] and [`stdlib`].
//!
//! The halves communicate by facts only. [`manifest`] has facts for other modules.

mod calls;
mod definitions;
mod docs;
mod expressions;
mod extract;
mod flow;
mod grammar;
mod imports;
mod manifest;
mod modules;
mod narrowing;
mod parameters;
mod patterns;
mod rules;
mod signals;
mod statements;
mod stdlib;
mod test_runner;
mod type_aliases;
mod types;
mod variables;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders};

/// Python's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["py", "pyi"],
    file_names: &[],
    interpreters: &["pypy", "pypy3", "python", "python2", "python3"],
    grammar: |_| tree_sitter_python::LANGUAGE.into(),
    masked: |_, _| None,
    extract: extract::extract,
    gates: |_| Vec::new(),
    rules: &rules::PythonRules,
    manifests: &[
        ManifestFormat { name: "pyproject.toml", packages: Some(manifest::read_pyproject) },
        ManifestFormat { name: "setup.cfg", packages: Some(manifest::read_setup) },
    ],
    packages_are_folders: false,
    capitals_are_types: true,
    has_overloads: true,
    package_folders: PackageFolders::WithFile(&["__init__.py", "__init__.pyi"]),
    implicit_interfaces: None,
    exclusions: Exclusions {
        vendored_folders: &["site-packages", "dist-packages"],
        marked_folders: &[(&["venv", "env", "virtualenv"], "pyvenv.cfg")],
        generated_endings: &["_pb2.py", "_pb2_grpc.py"],
        minified_endings: &[],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &["conftest.py", "fixtures.py"],
};

/// The language's name in the registry and in the module table.
const NAME: &str = "python";
