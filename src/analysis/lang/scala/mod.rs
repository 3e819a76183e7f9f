//! Scala: a pattern file, and the code for packages, imports and infix calls.

mod hooks;
mod manifests;

#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::Language;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::library::Library;
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::common::{Dialect, extract, light};
use super::manifest::ManifestFormat;
use super::test_runner::TestRunner;
use crate::resolve::rules::{Overriding, Traits};

/// Scala's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["sc", "scala"],
    interpreters: &["scala", "scala-cli"],
    manifests: &[ManifestFormat { name: "build.sbt", names_modules: false, packages: Some(manifests::read_build) }],
    test_runner: TestRunner {
        is_test: |test| !test.is_used && !test.is_nested && !test.scope.is_empty(),
        commands: |tests, _| light::commands_of_scopes("sbt testOnly ", tests),
        takes_files: false,
    },
    ..Language::new("scala", |_| tree_sitter_scala::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

/// Facts about the language that need no code.
const TRAITS: Traits = Traits {
    has_overloads: true,
    members_are_in_scope: true,
    // A class and the object of its name.
    types_are_open: true,
    call_method: Some("apply"),
    reads_call: true,
    objects_are_types: true,
    chooses_overloads: true,
    overriding: Overriding::BySignature,
    returns_last_value: true,
    #[rustfmt::skip]
    ubiquitous: &[
        "collect", "drop", "flatMap", "fold", "foldLeft", "getOrElse", "head", "indexOf", "isEmpty", "iterator",
        "mkString", "nonEmpty", "result", "sum", "tail", "toArray", "toList", "toMap", "toSeq", "toSet", "zip",
    ],
    ..Traits::COMMON
};

// Java's packages have the files of both languages.
static RULES: LightRules = LightRules {
    #[rustfmt::skip]
    library: (
        "",
        &[
            "Array", "Either", "Future", "IndexedSeq", "Iterable", "Iterator", "LazyList", "List", "Map", "Option", "Seq",
            "Set", "Some", "Try", "Vector",
        ],
    ),
    table: Some(&LIBRARY),
    ..LightRules::new("scala", Layout::Packages("java"), TRAITS)
};

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read_by_last_segment(include_str!("library.txt")));

static DIALECT: Dialect = {
    let patterns: LazyLock<Patterns> =
        LazyLock::new(|| Patterns::read(include_str!("scala.scm"), &tree_sitter_scala::LANGUAGE.into(), hooks::HOOKS));
    let mut dialect = light::dialect(patterns, LEXICON, &RULES);
    dialect.options.parameter = Some(hooks::parameter);
    dialect.options.depends_on_call = |node, text| text.contains('_') || node.kind() == "case_block";
    dialect
};

const LEXICON: Lexicon = Lexicon {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\""],
    long_quotes: &["\"\"\""],
    raw_quotes: &[],
    keywords: word_list!("keywords.txt"),
    docs: DocStyle::TAGS,
};
