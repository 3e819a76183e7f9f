//! C#: a pattern file, and the code for what no pattern can say.
//!
//! - `csharp.scm` says what each kind of node means; [`hooks`], [`values`] and [`routes`] have the rest:
//!   namespaces, properties, delegates, object initializers, attributes.
//! - [`rules`] resolves names across files, [`extension_methods`] those of extension methods; [`conversions`] and `library.txt` have the types of the library;
//!   [`ubiquitous`] lists names that say nothing about their type.
//! - [`manifests`] reads project files; [`test_runner`] has the command of `dotnet test`.

mod conversions;
mod extension_methods;
mod hooks;
mod manifests;
mod routes;
mod rules;
mod test_runner;
mod ubiquitous;
mod values;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::common::conditionals::{self, first_branches};
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders, SourceFile, parser};
use crate::facts::FileFacts;
use crate::text::file_name;

/// C#'s entry in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["cs", "csx"],
    file_names: &[],
    interpreters: &[],
    grammar: |_| tree_sitter_c_sharp::LANGUAGE.into(),
    masked: |_, _| None,
    extract,
    gates: |file| conditionals::gates(file.text),
    rules: &rules::CSharpRules,
    manifests: &[
        ManifestFormat { name: "*.csproj", packages: Some(manifests::add_project) },
        ManifestFormat { name: "Directory.Packages.props", packages: Some(manifests::add_project) },
        ManifestFormat { name: "*.sln", packages: None },
    ],
    packages_are_folders: true,
    capitals_are_types: true,
    has_overloads: true,
    package_folders: PackageFolders::All,
    implicit_interfaces: None,
    exclusions: Exclusions {
        vendored_folders: &[],
        marked_folders: &[(&["obj"], "project.assets.json")],
        generated_endings: &[".Designer.cs", ".designer.cs", ".g.cs", ".g.i.cs", ".Generated.cs", ".generated.cs"],
        minified_endings: &[],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &[],
};

/// The language's name in the registry and in the module table.
const NAME: &str = "csharp";

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| {
        Patterns::read(include_str!("csharp.scm"), &tree_sitter_c_sharp::LANGUAGE.into(), hooks::HOOKS)
    }),
    lexicon: Lexicon {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        quotes: &["\"", "'"],
        long_quotes: &["\"\"\""],
        raw_quotes: &[],
        keywords: KEYWORDS,
        docs: DocStyle::TAGS,
    },
    is_test_file,
    test_decorators: &[
        "DataTestMethod",
        "Fact",
        "SkippableFact",
        "SkippableTheory",
        "Test",
        "TestCase",
        "TestCaseSource",
        "TestMethod",
        "Theory",
    ],
    modifier: |modifier, flags| match modifier {
        "static" | "const" => flags.is_static = true,
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
    on_end: Some(hooks::on_end),
};

/// Extracts the facts of a file. Where the branches of `#if` divide statements, only the first ones are read.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    if file.tree.root_node().has_error() && file.text.contains("#if") {
        let text = first_branches(file.text);
        if let Some(tree) = parser::syntax_tree(&LANGUAGE, file.path, &text) {
            let file = SourceFile { path: file.path, text: &text, tree: &tree };
            return common::extract_with(&file, &DIALECT, hooks::find_only_namespaces);
        }
    }
    common::extract_with(file, &DIALECT, hooks::find_only_namespaces)
}

/// Returns whether a file is test code, by the names of test projects and the customs of the test frameworks.
fn is_test_file(path: &str) -> bool {
    let is_test_folder = |folder: &str| {
        matches!(folder, "test" | "tests" | "Test" | "Tests")
            || ["Tests", ".Test", ".Specs"].iter().any(|ending| folder.ends_with(ending))
    };
    let name = file_name(path).trim_end_matches(".cs");
    path.rsplit('/').skip(1).any(is_test_folder) || name.ends_with("Test") || name.ends_with("Tests")
}

/// Sorted for binary search.
const KEYWORDS: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "endif",
    "endregion",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "get",
    "goto",
    "if",
    "implicit",
    "in",
    "init",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "nameof",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "partial",
    "private",
    "protected",
    "public",
    "readonly",
    "record",
    "ref",
    "region",
    "return",
    "sbyte",
    "sealed",
    "set",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "var",
    "virtual",
    "void",
    "volatile",
    "when",
    "where",
    "while",
    "yield",
];
