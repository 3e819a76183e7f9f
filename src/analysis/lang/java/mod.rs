//! Java: a pattern file, and the code for what no pattern can say.
//!
//! - `java.scm` says what each kind of node means; [`hooks`] has the rest: imports, method references, routes.
//! - [`rules`] resolves names across files; `ubiquitous.txt` lists names that say nothing about their type.
//! - [`manifests`] reads build files; [`test_runner`] has the commands of Maven and Gradle.

mod conversions;
mod generated;
mod hooks;
mod manifests;
mod rules;
mod test_runner;

#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders};
use crate::resolve::rules::{Overriding, Traits};
use crate::text::{file_name, parent_dir};

/// Java's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["java"],
    manifests: &[
        ManifestFormat { name: "pom.xml", names_modules: false, packages: Some(manifests::read_pom) },
        ManifestFormat { name: "*.gradle", names_modules: false, packages: Some(manifests::read_gradle) },
        ManifestFormat { name: "*.gradle.kts", names_modules: false, packages: Some(manifests::read_gradle) },
        ManifestFormat { name: "gradle.properties", names_modules: false, packages: Some(manifests::read_gradle) },
        ManifestFormat { name: "*.versions.toml", names_modules: false, packages: Some(manifests::read_gradle) },
    ],
    package_folders: PackageFolders::All,
    exclusions: Exclusions { generated_endings: &["Grpc.java", "OuterClass.java"], ..Exclusions::NONE },
    test_runner: test_runner::RUNNER,
    ..Language::new(
        NAME,
        |_| tree_sitter_java::LANGUAGE.into(),
        |file| generated::marked(common::extract(file, &DIALECT)),
        &rules::JavaRules,
    )
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    packages_are_folders: true,
    has_overloads: true,
    inferred_types: &["var"],
    members_are_in_scope: true,
    marks_callees: true,
    generates_methods: true,
    chooses_overloads: true,
    overriding: Overriding::BySignature,
    root_type: "java.lang.Object",
    shared_modules: NAME,
    ubiquitous: word_list!("ubiquitous.txt"),
    ..Traits::COMMON
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
        keywords: word_list!("keywords.txt"),
        docs: DocStyle::TAGS,
    },
    is_test_file,
    test_decorators: &["ParameterizedTest", "RepeatedTest", "Test", "TestFactory", "TestTemplate"],
    modifier: |modifier, flags| match modifier {
        "static" => flags.is_static = true,
        "abstract" => flags.is_abstract = true,
        _ => {}
    },
    traits: &TRAITS,
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
