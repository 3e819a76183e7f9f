//! Kotlin: a pattern file, the code for imports, extensions and properties, and the text that the grammar can read.

mod hooks;
mod masking;
mod modifiers;
mod tokens;

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
use super::test_runner::TestRunner;
use crate::resolve::rules::{Overriding, Traits};

/// Kotlin's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["kt", "kts"],
    interpreters: &["kotlin"],
    masked: |_, text| masking::masked(text),
    test_runner: TestRunner {
        is_test: |test| !test.is_used && !test.is_nested && test.file.contains("est"),
        commands: |tests, _| light::commands_of_scopes("./gradlew test --tests ", tests),
        takes_files: false,
    },
    ..Language::new("kotlin", |_| tree_sitter_kotlin_sg::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

/// Facts about the language that need no code.
const TRAITS: Traits = Traits {
    has_overloads: true,
    members_are_in_scope: true,
    marks_callees: true,
    call_method: Some("invoke"),
    types_are_called: true,
    root_type: "kotlin.Any",
    expectation: Some(("expect", "actual")),
    chooses_overloads: true,
    overriding: Overriding::Marked { word: "override", in_interfaces: true },
    #[rustfmt::skip]
    ubiquitous: &[
        "also", "and", "build", "collect", "downTo", "getOrNull", "isEmpty", "joinToString", "launch", "let", "matches",
        "or", "shl", "shr", "sortedBy", "step", "to", "until", "use", "ushr", "xor", "zip",
    ],
    ..Traits::COMMON
};

static RULES: LightRules = LightRules {
    library: ("kotlin.", word_list!("library_types.txt")),
    supertypes: &[
        ("String", "CharSequence"),
        ("MutableList", "List"),
        ("MutableSet", "Set"),
        ("MutableMap", "Map"),
        ("HashMap", "MutableMap"),
        ("LinkedHashMap", "MutableMap"),
        ("ConcurrentHashMap", "MutableMap"),
        ("ArrayList", "MutableList"),
        ("HashSet", "MutableSet"),
        ("List", "Collection"),
        ("Set", "Collection"),
        ("Collection", "Iterable"),
        ("Iterable", "Any"),
        ("CharSequence", "Any"),
        ("Int", "Number"),
        ("Long", "Number"),
        ("Double", "Number"),
        ("Float", "Number"),
        ("Number", "Any"),
    ],
    table: Some(&LIBRARY),
    objects: &["Companion", "INSTANCE"],
    // Java's packages have the files of both languages.
    ..LightRules::new("kotlin", Layout::Packages("java"), TRAITS)
};

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read_by_last_segment(include_str!("library.txt")));

static DIALECT: Dialect = {
    let patterns: LazyLock<Patterns> = LazyLock::new(|| {
        Patterns::read(include_str!("kotlin.scm"), &tree_sitter_kotlin_sg::LANGUAGE.into(), hooks::HOOKS)
    });
    let mut dialect = light::dialect(patterns, LEXICON, &RULES);
    dialect.options.parameter = Some(hooks::parameter);
    dialect.options.calls_values = Some(hooks::is_property);
    dialect.options.enter_lambda = Some(hooks::enter_lambda);
    dialect
};

const LEXICON: Lexicon = Lexicon {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\"", "'"],
    long_quotes: &["\"\"\""],
    raw_quotes: &[],
    keywords: word_list!("keywords.txt"),
    docs: DocStyle::TAGS,
};
