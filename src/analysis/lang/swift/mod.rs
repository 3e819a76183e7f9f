//! Swift: a pattern file, and the code for extensions, properties and conditional bindings.

mod hooks;
mod manifests;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::Language;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::library::Library;
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::common::{Dialect, extract, light};
use super::manifest::ManifestFormat;
use super::test_runner::TestRunner;
use crate::resolve::rules::Overriding;

/// Swift's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["swift"],
    interpreters: &["swift"],
    has_overloads: true,
    manifests: &[ManifestFormat { name: "Package.swift", packages: Some(manifests::read_package) }],
    test_runner: TestRunner {
        is_test: |test| !test.is_used && test.name.starts_with("test"),
        commands: |tests, _| light::commands_of_scopes("swift test --filter ", tests),
    },
    ..light::language(|_| tree_sitter_swift::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

static RULES: LightRules = LightRules {
    members_are_in_scope: true,
    constructor: Some("init"),
    call_method: Some("callAsFunction"),
    table: Some(&LIBRARY),
    library: (
        "",
        &[
            "Any",
            "Array",
            "Bool",
            "Character",
            "Collection",
            "Data",
            "Date",
            "Dictionary",
            "Double",
            "Float",
            "Int",
            "Int32",
            "Int64",
            "Optional",
            "Result",
            "Sequence",
            "Set",
            "String",
            "Substring",
            "TimeInterval",
            "UInt",
            "UInt64",
            "URL",
            "URLRequest",
            "Void",
        ],
    ),
    supertypes: &[
        ("XCTestCase", "XCTest"),
        ("Array", "Collection"),
        ("Dictionary", "Collection"),
        ("Set", "Collection"),
        ("String", "Collection"),
        ("Collection", "Sequence"),
        ("UIButton", "UIControl"),
        ("UIControl", "UIView"),
        ("UIImageView", "UIView"),
        ("UILabel", "UIView"),
        ("UITableViewController", "UIViewController"),
        ("UIView", "UIResponder"),
        ("UIViewController", "UIResponder"),
        ("UIResponder", "NSObject"),
        ("XCTest", "NSObject"),
    ],
    overriding: Some(Overriding::Marked { word: "override", in_interfaces: false }),
    ubiquitous: &[
        "compactMap",
        "decode",
        "description",
        "dismiss",
        "encode",
        "flatMap",
        "forEach",
        "isEmpty",
        "removeAll",
        "setup",
        "sorted",
        "suffix",
        "prefix",
    ],
    ..LightRules::new("swift", Layout::Files { endings: &[], separator: '/' })
};

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read_by_last_segment(include_str!("library.txt")));

static DIALECT: Dialect = {
    let mut dialect = light::dialect(
        LazyLock::new(|| Patterns::read(include_str!("swift.scm"), &tree_sitter_swift::LANGUAGE.into(), hooks::HOOKS)),
        Lexicon {
            line_comments: &["//"],
            block_comments: &[("/*", "*/")],
            quotes: &["\""],
            long_quotes: &["\"\"\""],
            raw_quotes: &[],
            keywords: &[
                "Any",
                "Self",
                "as",
                "associatedtype",
                "async",
                "await",
                "break",
                "case",
                "catch",
                "class",
                "continue",
                "default",
                "defer",
                "deinit",
                "do",
                "else",
                "enum",
                "extension",
                "false",
                "fileprivate",
                "for",
                "func",
                "guard",
                "if",
                "import",
                "in",
                "init",
                "inout",
                "internal",
                "is",
                "let",
                "nil",
                "open",
                "override",
                "private",
                "protocol",
                "public",
                "return",
                "self",
                "static",
                "struct",
                "super",
                "switch",
                "throw",
                "throws",
                "true",
                "try",
                "typealias",
                "var",
                "where",
                "while",
            ],
            docs: DocStyle::TAGS,
        },
    );
    dialect.has_overloads = true;
    dialect.options.parameter = Some(hooks::parameter);
    dialect.options.enter_lambda = Some(hooks::enter_lambda);
    dialect
};
