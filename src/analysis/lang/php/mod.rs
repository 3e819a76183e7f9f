//! PHP: a pattern file, and the code for what no pattern can say.
//!
//! - `php.scm` says what each kind of node means; [`hooks`] and [`expressions`] have what no pattern can say.
//! - [`doc_types`] reads the types in doc comments, where most code has them that declares none.
//! - [`rules`] resolves names across files; `ubiquitous.txt` lists names that say nothing about their type.
//! - [`signals`] finds routes, environment variables and processes; [`test_runner`] has the commands of PHPUnit.

mod doc_types;
mod expressions;
mod hooks;
mod laravel;
mod rules;
mod signals;
mod test_runner;

#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::{ManifestFormat, Packages};
use super::{Language, PackageFolders};
use crate::resolve::input::Manifest;
use crate::resolve::rules::Traits;
use crate::text::file_name;

/// PHP's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["php", "phtml"],
    interpreters: &["php"],
    manifests: &[ManifestFormat { name: "composer.json", names_modules: false, packages: Some(read_packages) }],
    package_folders: PackageFolders::All,
    test_runner: test_runner::RUNNER,
    masked: |_, text| masked(text),
    ..Language::new(
        NAME,
        |_| tree_sitter_php::LANGUAGE_PHP.into(),
        |file| common::extract(file, &DIALECT),
        &rules::PhpRules,
    )
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    has_overloads: true,
    assignments_declare: true,
    marks_callees: true,
    constructor: Some("__construct"),
    call_method: Some("__invoke"),
    ubiquitous: word_list!("ubiquitous.txt"),
    ..Traits::COMMON
};

/// The language's name in the registry and in the module table.
const NAME: &str = "php";

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| {
        Patterns::read(include_str!("php.scm"), &tree_sitter_php::LANGUAGE_PHP.into(), hooks::HOOKS)
    }),
    lexicon: Lexicon {
        // Without the space, `#` begins an attribute.
        line_comments: &["//", "# "],
        block_comments: &[("/*", "*/")],
        quotes: &[],
        long_quotes: &["\"", "'"],
        raw_quotes: &[],
        keywords: KEYWORDS,
        docs: DocStyle::TAGS,
    },
    is_test_file,
    test_decorators: &["Test"],
    modifier: |modifier, flags| match modifier {
        "static" => flags.is_static = true,
        "abstract" => flags.is_abstract = true,
        _ => {}
    },
    traits: &TRAITS,
    words: Words::Written,
    flow: None,
    options: Options::DEFAULT,
    on_call: Some(signals::on_call),
    on_end: Some(doc_types::on_end),
};

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "abstract", "and", "array", "as", "bool", "break", "callable", "case", "catch", "class", "clone", "const",
    "continue", "declare", "default", "do", "echo", "else", "elseif", "empty", "enddeclare", "endfor", "endforeach",
    "endif", "endswitch", "endwhile", "enum", "extends", "false", "final", "finally", "float", "fn", "for", "foreach",
    "function", "global", "goto", "if", "implements", "include", "include_once", "instanceof", "insteadof", "int",
    "interface", "isset", "list", "match", "mixed", "namespace", "new", "null", "or", "parent", "php", "print",
    "private", "protected", "public", "readonly", "require", "require_once", "return", "self", "static", "string",
    "switch", "this", "throw", "trait", "true", "try", "unset", "use", "var", "void", "while", "xor", "yield",
];

/// Returns a copy of the text in which the first letter of names such as `e1` is replaced, since the grammar reads `e1(…)` as
/// an exponent; `None` if there is no such name.
fn masked(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut is_changed = false;
    for (at, _) in text.match_indices(['e', 'E']) {
        let before = text[..at].chars().next_back();
        let is_start = before.is_none_or(|before| !before.is_alphanumeric() && !"_$.".contains(before));
        let rest = text[at + 1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
        let has_digits = text[at + 1..].starts_with(|letter: char| letter.is_ascii_digit());
        if is_start && has_digits && rest.starts_with('(') {
            bytes[at] = b'f';
            is_changed = true;
        }
    }
    if is_changed { String::from_utf8(bytes).ok() } else { None }
}

/// Returns whether a file is test code, by the customs of PHPUnit and Pest.
fn is_test_file(path: &str) -> bool {
    let is_test_folder = |folder: &str| matches!(folder, "test" | "tests" | "Test" | "Tests" | "spec");
    let name = file_name(path).trim_end_matches(".php");
    path.rsplit('/').skip(1).any(is_test_folder) || name.ends_with("Test") || name.ends_with("TestCase")
}

fn read_packages(manifest: &Manifest, packages: &mut Packages) {
    let Ok(manifest) = serde_json::from_str::<serde_json::Value>(&manifest.text) else { return };
    if let Some(name) = manifest.get("name").and_then(|name| name.as_str()) {
        packages.define(name);
    }
    for key in ["require", "require-dev"] {
        let required = manifest.get(key).and_then(|required| required.as_object());
        // `php` and `ext-json` are not packages.
        let names = required.into_iter().flat_map(|required| required.keys());
        names.filter(|name| name.contains('/')).for_each(|name| packages.require(name));
    }
}
