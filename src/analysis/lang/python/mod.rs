//! Python: a pattern file, and the code for what no pattern can say.
//!
//! - `python.scm` says what each kind of node means; [`hooks`] names the functions for what no pattern can say. They
//!   are in a file for each part of the language: [`definitions`], [`variables`], [`values`], [`types`], …
//! - [`state`] is what the hooks know beside the state of the common walk. The walk follows control flow by [`narrowing`]
//!   and the assignments of [`variables`].
//! - [`rules`] resolves names across files with [`modules`] and [`stdlib`], whose results are in `library.txt`; [`protocols`] tells
//!   what implements a protocol.
//! - [`signals`] finds routes, environment variables and processes; [`manifest`] and [`test_runner`] have facts for
//!   other modules.

mod calls;
mod definitions;
mod docs;
mod hooks;
mod imports;
mod manifest;
mod modules;
mod narrowing;
mod parameters;
mod patterns;
mod protocols;
mod rules;
mod signals;
mod state;
mod statements;
mod stdlib;
mod test_runner;
mod type_aliases;
mod types;
mod values;
mod variables;

#[cfg(test)]
mod resolution_tests;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::common::flow::FlowRules;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders, SourceFile};
use crate::facts::FileFacts;
use crate::resolve::rules::Traits;
use crate::text::split_path;

/// Python's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["ipynb", "py", "pyi", "pyw"],
    interpreters: &["pypy", "pypy3", "python", "python2", "python3"],
    manifests: &[
        ManifestFormat { name: "pyproject.toml", names_modules: false, packages: Some(manifest::read_pyproject) },
        ManifestFormat { name: "setup.cfg", names_modules: false, packages: Some(manifest::read_setup) },
    ],
    package_folders: PackageFolders::WithFile(&["__init__.py", "__init__.pyi"]),
    exclusions: Exclusions {
        vendored_folders: &["site-packages", "dist-packages"],
        marked_folders: &[(&["venv", "env", "virtualenv"], "pyvenv.cfg")],
        generated_endings: &["_pb2.py", "_pb2_grpc.py"],
        ..Exclusions::NONE
    },
    implicit_interfaces: Some(&protocols::PROTOCOLS),
    test_runner: test_runner::RUNNER,
    test_support_files: &["conftest.py", "fixtures.py"],
    ..Language::new(NAME, |_| tree_sitter_python::LANGUAGE.into(), extract, &rules::PythonRules)
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    has_overloads: true,
    assignments_keep_declarations: true,
    later_definitions_replace: true,
    bodies_run_once: true,
    constructor: Some("__init__"),
    // Celery, Dramatiq, Huey, RQ.
    deferring_members: &["apply_async", "delay", "s", "send", "send_with_options", "si", "signature", "schedule"],
    call_method: Some("__call__"),
    ..Traits::COMMON
};

/// The language's name in the registry and in the module table.
const NAME: &str = "python";

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| {
        Patterns::read(include_str!("python.scm"), &tree_sitter_python::LANGUAGE.into(), hooks::HOOKS)
    }),
    // Docs and search words come from the tree.
    lexicon: Lexicon {
        line_comments: &["#"],
        block_comments: &[],
        quotes: &[],
        long_quotes: &[],
        raw_quotes: &[],
        keywords: &[],
        docs: DocStyle::TAGS,
    },
    is_test_file,
    test_decorators: &[],
    // The modifiers are the last names of decorators.
    modifier: |decorator, flags| match decorator {
        "staticmethod" | "classmethod" => flags.is_static = true,
        "overload" | "abstractmethod" | "abstractclassmethod" | "abstractstaticmethod" => flags.is_abstract = true,
        "setter" | "deleter" => flags.is_property = true,
        "abstractproperty" => (flags.is_property, flags.is_abstract) = (true, true),
        name => flags.is_property |= name.ends_with("property"),
    },
    traits: &TRAITS,
    words: Words::Visited { shortest_name: 2 },
    flow: Some(FlowRules { assign: variables::assign, narrowing: narrowing::narrowing, truth: narrowing::truth }),
    options: Options::DEFAULT,
    on_call: Some(signals::on_call),
    on_end: Some(state::bind_unreachable_names),
};

/// Extracts the facts of a file. Its doc is a docstring, no comment.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    common::extract_with(file, &DIALECT, |walker, root| {
        let doc = docs::docstring(walker, root).unwrap_or_default();
        walker.facts.set_file_doc(doc);
    })
}

/// Returns whether a file is test code: `test_x.py`, `x_test.py`, `conftest.py`, or any file in a `tests` folder.
fn is_test_file(path: &str) -> bool {
    let (folders, file) = split_path(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem, "conftest" | "tests")
        || folders.split('/').any(|folder| folder == "tests")
}

/// Returns whether a name is that of a constant: `MAX_SIZE` (PEP 8).
fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name.bytes().any(|letter| letter.is_ascii_uppercase())
        && !name.bytes().any(|letter| letter.is_ascii_lowercase())
}
