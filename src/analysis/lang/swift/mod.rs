//! Swift: a pattern file, and the code for extensions, properties and conditional bindings.

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

/// Swift's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["swift"],
    interpreters: &["swift"],
    manifests: &[ManifestFormat {
        name: "Package.swift",
        names_modules: false,
        packages: Some(manifests::read_package),
    }],
    test_runner: TestRunner {
        is_test: |test| !test.is_used && test.name.starts_with("test"),
        commands: |tests, _| light::commands_of_scopes("swift test --filter ", tests),
        takes_files: false,
    },
    ..Language::new("swift", |_| tree_sitter_swift::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

/// Facts about the language that need no code.
const TRAITS: Traits = Traits {
    has_overloads: true,
    members_are_in_scope: true,
    constructor: Some("init"),
    call_method: Some("callAsFunction"),
    chooses_overloads: true,
    overriding: Overriding::Marked { word: "override", in_interfaces: false },
    #[rustfmt::skip]
    ubiquitous: &[
        "compactMap", "decode", "description", "dismiss", "encode", "flatMap", "forEach", "isEmpty", "prefix",
        "removeAll", "setup", "sorted", "suffix",
    ],
    ..Traits::COMMON
};

static RULES: LightRules = LightRules {
    library: ("", word_list!("library_types.txt")),
    table: Some(&LIBRARY),
    supertypes: &[
        ("XCTestCase", "XCTest"),
        ("Array", "Collection"),
        ("Dictionary", "Collection"),
        ("Set", "Collection"),
        ("String", "StringProtocol"),
        ("StringProtocol", "Collection"),
        ("Substring", "StringProtocol"),
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
    ..LightRules::new("swift", Layout::Files { endings: &[], separator: '/' }, TRAITS)
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
            keywords: word_list!("keywords.txt"),
            docs: DocStyle::TAGS,
        },
        &RULES,
    );
    dialect.options.parameter = Some(hooks::parameter);
    dialect.options.enter_lambda = Some(hooks::enter_lambda);
    dialect.options.callee = hooks::last_operand;
    dialect.options.depends_on_call = |_, text| text.starts_with('.');
    dialect
};
