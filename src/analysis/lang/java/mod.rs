//! Java: a pattern file, and the code for what no pattern can say.
//!
//! - `java.scm` says what each kind of node means; [`hooks`] has the rest: imports, method references, routes.
//! - [`rules`] resolves names across files; [`ubiquitous`] lists names that say nothing about their type.
//! - [`manifests`] reads build files; [`test_runner`] has the commands of Maven and Gradle.

mod conversions;
mod generated;
mod hooks;
mod manifests;
mod rules;
mod test_runner;
mod ubiquitous;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders};
use crate::text::{file_name, parent_dir};

/// Java's entry in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["java"],
    file_names: &[],
    interpreters: &[],
    grammar: |_| tree_sitter_java::LANGUAGE.into(),
    masked: |_, _| None,
    extract: |file| generated::marked(common::extract(file, &DIALECT)),
    gates: |_| Vec::new(),
    rules: &rules::JavaRules,
    manifests: &[
        ManifestFormat { name: "pom.xml", packages: Some(manifests::read_pom) },
        ManifestFormat { name: "*.gradle", packages: Some(manifests::read_gradle) },
        ManifestFormat { name: "*.gradle.kts", packages: Some(manifests::read_gradle) },
        ManifestFormat { name: "gradle.properties", packages: Some(manifests::read_gradle) },
        ManifestFormat { name: "*.versions.toml", packages: Some(manifests::read_gradle) },
    ],
    packages_are_folders: true,
    capitals_are_types: true,
    has_overloads: true,
    package_folders: PackageFolders::All,
    implicit_interfaces: None,
    exclusions: Exclusions {
        vendored_folders: &[],
        marked_folders: &[],
        generated_endings: &["Grpc.java", "OuterClass.java"],
        minified_endings: &[],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &[],
};

/// The language's name in the registry and in the module table.
const NAME: &str = "java";

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| {
        Patterns::read(include_str!("java.scm"), &tree_sitter_java::LANGUAGE.into(), hooks::HOOKS)
    }),
    lexicon: Lexicon {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        quotes: &["\"", "'"],
        long_quotes: &["\"\"\""],
        raw_quotes: &[],
        keywords: &[
            "abstract",
            "assert",
            "boolean",
            "break",
            "byte",
            "case",
            "catch",
            "char",
            "class",
            "continue",
            "default",
            "do",
            "double",
            "else",
            "enum",
            "extends",
            "false",
            "final",
            "finally",
            "float",
            "for",
            "if",
            "implements",
            "import",
            "instanceof",
            "int",
            "interface",
            "long",
            "native",
            "new",
            "null",
            "package",
            "private",
            "protected",
            "public",
            "record",
            "return",
            "short",
            "static",
            "super",
            "switch",
            "synchronized",
            "this",
            "throw",
            "throws",
            "transient",
            "true",
            "try",
            "var",
            "void",
            "volatile",
            "while",
            "yield",
        ],
        docs: DocStyle::TAGS,
    },
    is_test_file,
    test_decorators: &["ParameterizedTest", "RepeatedTest", "Test", "TestFactory", "TestTemplate"],
    modifier: |modifier, flags| match modifier {
        "static" => flags.is_static = true,
        "abstract" => flags.is_abstract = true,
        _ => {}
    },
    inferred_types: &["var"],
    unbound_names: &[],
    marks_callees: true,
    has_overloads: true,
    assignments_declare: false,
    returns_last_value: false,
    words: Words::Written,
    flow: None,
    options: Options::DEFAULT,
    on_call: Some(hooks::on_call),
    on_end: None,
};

/// Returns whether a file is test code, by the folders of Maven and Gradle and the customs of JUnit.
fn is_test_file(path: &str) -> bool {
    let is_test_folder = |folder: &str| matches!(folder, "test" | "testcases" | "tests" | "testFixtures");
    let name = file_name(path).trim_end_matches(".java");
    let ends = |name: &str, endings: &[&str]| {
        let before = endings.iter().find_map(|ending| name.strip_suffix(ending));
        before.is_some_and(|before| before.ends_with(|last: char| last.is_ascii_lowercase() || last.is_ascii_digit()))
    };
    // A source set of Gradle, such as `src/integrationTest`. Elsewhere `spring-test` is a module like any other.
    let is_source_set = |parent: &str, folder: &str| parent == "src" && ends(folder, &["Test", "Tests"]);
    let folders: Vec<&str> = parent_dir(path).split('/').collect();
    folders.iter().any(|folder| is_test_folder(folder))
        || folders.windows(2).any(|pair| is_source_set(pair[0], pair[1]))
        || name.ends_with("Test")
        || name.ends_with("Tests")
        || ends(name, &["TestCase", "IT", "ITCase"])
}
