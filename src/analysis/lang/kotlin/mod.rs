//! Kotlin: a pattern file, the code for imports, extensions and properties, and the text that the grammar can read.

mod hooks;
mod masking;
mod modifiers;
mod tokens;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::Language;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::library::Library;
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::common::{Dialect, extract, light};
use super::test_runner::TestRunner;
use crate::resolve::rules::Overriding;

/// Kotlin's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["kt", "kts"],
    interpreters: &["kotlin"],
    masked: |_, text| masking::masked(text),
    has_overloads: true,
    test_runner: TestRunner {
        is_test: |test| !test.is_used && !test.is_nested && test.file.contains("est"),
        commands: |tests, _| light::commands_of_scopes("./gradlew test --tests ", tests),
    },
    ..light::language(|_| tree_sitter_kotlin_sg::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

static RULES: LightRules = LightRules {
    members_are_in_scope: true,
    marks_callees: true,
    library: (
        "kotlin.",
        &[
            "Any",
            "Array",
            "Boolean",
            "Byte",
            "ByteArray",
            "Char",
            "CharArray",
            "CharSequence",
            "Collection",
            "Double",
            "Float",
            "Int",
            "IntArray",
            "Iterable",
            "List",
            "Long",
            "LongArray",
            "Map",
            "MutableList",
            "MutableMap",
            "MutableSet",
            "Number",
            "Sequence",
            "Set",
            "Short",
            "String",
            "UInt",
            "ULong",
            "Unit",
        ],
    ),
    supertypes: &[
        ("String", "CharSequence"),
        ("MutableList", "List"),
        ("MutableSet", "Set"),
        ("MutableMap", "Map"),
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
    call_method: Some("invoke"),
    expectation: Some(("expect", "actual")),
    objects: &["Companion", "INSTANCE"],
    overriding: Some(Overriding::Marked { word: "override", in_interfaces: true }),
    #[rustfmt::skip]
    ubiquitous: &[
        "also", "and", "build", "collect", "downTo", "getOrNull", "isEmpty", "joinToString", "launch", "let", "matches",
        "or", "shl", "shr", "sortedBy", "step", "to", "until", "use", "ushr", "xor", "zip",
    ],
    // Java's packages have the files of both languages.
    ..LightRules::new("kotlin", Layout::Packages("java"))
};

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read_by_last_segment(include_str!("library.txt")));

static DIALECT: Dialect = {
    let patterns: LazyLock<Patterns> = LazyLock::new(|| {
        Patterns::read(include_str!("kotlin.scm"), &tree_sitter_kotlin_sg::LANGUAGE.into(), hooks::HOOKS)
    });
    let mut dialect = light::dialect(patterns, LEXICON);
    dialect.marks_callees = true;
    dialect.has_overloads = true;
    dialect.options.parameter = Some(hooks::parameter);
    dialect.options.calls_values = true;
    dialect.options.enter_lambda = Some(hooks::enter_lambda);
    dialect
};

const LEXICON: Lexicon = Lexicon {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\"", "'"],
    long_quotes: &["\"\"\""],
    raw_quotes: &[],
    keywords: &[
        "abstract",
        "as",
        "break",
        "by",
        "catch",
        "class",
        "companion",
        "const",
        "continue",
        "data",
        "do",
        "else",
        "enum",
        "false",
        "final",
        "finally",
        "for",
        "fun",
        "if",
        "import",
        "in",
        "init",
        "inline",
        "interface",
        "internal",
        "is",
        "it",
        "lateinit",
        "null",
        "object",
        "open",
        "out",
        "override",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "sealed",
        "super",
        "suspend",
        "this",
        "throw",
        "true",
        "try",
        "typealias",
        "val",
        "var",
        "vararg",
        "when",
        "where",
        "while",
    ],
    docs: DocStyle::TAGS,
};
