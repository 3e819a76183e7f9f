//! Light languages: a pattern file and a few lines, with defaults for all that they leave out.
//!
//! A light language has definitions, containers, docs, imports, bases, calls by name, and tests. It has no table of its
//! standard library, so the types of what that returns are unknown. [`language`], [`dialect`] and [`rules::LightRules`]
//! are what it changes.

pub mod rules;

use std::sync::LazyLock;

use super::lexicon::Lexicon;
use super::patterns::Patterns;
use super::{Dialect, extract_with};
use crate::facts::{FileFacts, ScopeKind};
use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, quoted};
use crate::lang::{Exclusions, Language, PackageFolders, SourceFile};
use crate::text::file_name;
use rules::LightRules;

/// Returns the entry of a light language in the registry; the language replaces what differs.
pub const fn language(
    grammar: fn(extension: &str) -> tree_sitter::Language,
    extract: fn(file: &SourceFile<'_>) -> FileFacts,
    rules: &'static LightRules,
) -> Language {
    Language {
        name: rules.language,
        extensions: &[],
        grammar,
        extract,
        rules,
        manifests: &[],
        packages_are_folders: false,
        capitals_are_types: true,
        has_overloads: false,
        package_folders: PackageFolders::None,
        implicit_interfaces: None,
        exclusions: Exclusions {
            vendored_folders: &[],
            marked_folders: &[],
            generated_endings: &[],
            minified_endings: &[],
        },
        test_runner: TestRunner { is_test: |_| false, commands: |_, _| Vec::new() },
        test_support_files: &[],
    }
}

/// Returns the dialect of a light language; the language replaces what differs.
pub const fn dialect(patterns: LazyLock<Patterns>, lexicon: Lexicon) -> Dialect {
    Dialect {
        patterns,
        lexicon,
        is_test_file,
        test_decorators: &["Test"],
        modifier: |modifier, flags| match modifier {
            "static" => flags.is_static = true,
            "abstract" => flags.is_abstract = true,
            _ => {}
        },
        inferred_types: &[],
        marks_callees: false,
        has_overloads: false,
        assignments_declare: false,
        returns_last_value: false,
        on_call: None,
        on_end: None,
    }
}

/// Extracts the facts of a file whose local names are in a scope below that of the names that other files see.
pub fn extract_with_private_names(file: &SourceFile<'_>, dialect: &'static Dialect) -> FileFacts {
    extract_with(file, dialect, |walker| walker.context.scope = walker.open_scope(ScopeKind::Block, None))
}

/// Returns whether a file is test code, by the customs of most languages: its folder, or the end of its name.
fn is_test_file(path: &str) -> bool {
    let is_folder = |folder: &str| {
        let folder = folder.to_ascii_lowercase();
        matches!(&*folder, "test" | "tests" | "spec" | "specs") || folder.ends_with("test") || folder.ends_with("tests")
    };
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let endings = ["Test", "Tests", "Spec", "Suite", "_test", "_spec"];
    path.rsplit('/').skip(1).any(is_folder)
        || stem.starts_with("test_")
        || endings.iter().any(|ending| stem.ends_with(ending))
}

/// Returns one command for all tests: a program and their files.
pub fn command_with_files(program: &str, tests: &[TestDefinition<'_>]) -> Vec<String> {
    let files = grouped(tests, |test| (program, quoted(test.file)));
    files
        .into_values()
        .map(|files| [vec![program.to_owned()], files.into_iter().collect()].concat().join(" "))
        .collect()
}
