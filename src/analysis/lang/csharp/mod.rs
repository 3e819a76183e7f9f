//! C#: a pattern file, and the code for what no pattern can say.
//!
//! - `csharp.scm` says what each kind of node means; [`hooks`], [`values`] and [`routes`] have the rest:
//!   namespaces, properties, delegates, object initializers, attributes.
//! - [`rules`] resolves names across files, [`extension_methods`] those of extension methods; [`conversions`] and `library.txt` have the types of the library;
//!   `ubiquitous.txt` lists names that say nothing about their type.
//! - [`manifests`] reads project files, [`projects`] has the names that hold for all files of one; [`test_runner`] has the command of `dotnet test`.

mod conversions;
mod extension_methods;
mod hooks;
mod manifests;
mod projects;
mod routes;
mod rules;
mod test_runner;
mod values;

#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::common::conditionals::{self, first_branches};
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, PackageFolders, SourceFile, parser};
use crate::facts::FileFacts;
use crate::resolve::rules::{Overriding, Traits};
use crate::text::file_name;

/// C#'s entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["cs", "csx"],
    gates: |file| conditionals::gates(file.text),
    manifests: &[
        ManifestFormat { name: "*.csproj", names_modules: true, packages: Some(manifests::add_project) },
        ManifestFormat {
            name: "Directory.Packages.props",
            names_modules: false,
            packages: Some(manifests::add_project),
        },
        ManifestFormat { name: "*.sln", names_modules: false, packages: None },
    ],
    package_folders: PackageFolders::All,
    exclusions: Exclusions {
        marked_folders: &[(&["obj"], "project.assets.json")],
        generated_endings: &[".Designer.cs", ".designer.cs", ".g.cs", ".g.i.cs", ".Generated.cs", ".generated.cs"],
        ..Exclusions::NONE
    },
    test_runner: test_runner::RUNNER,
    ..Language::new(NAME, |_| tree_sitter_c_sharp::LANGUAGE.into(), extract, &rules::CSharpRules)
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    packages_are_folders: true,
    has_overloads: true,
    inferred_types: &["var"],
    outer_modules_are_in_scope: true,
    imports_are_private: true,
    members_are_in_scope: true,
    marks_callees: true,
    types_differ_by_arity: true,
    has_method_groups: true,
    chooses_overloads: true,
    // Partial types.
    types_are_open: true,
    overriding: Overriding::Marked { word: "override", in_interfaces: false },
    root_type: "object",
    ubiquitous: word_list!("ubiquitous.txt"),
    ..Traits::COMMON
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
        keywords: word_list!("keywords.txt"),
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
    traits: &TRAITS,
    words: Words::Written,
    flow: None,
    options: Options { calls_values: Some(|_, _| false), ..Options::DEFAULT },
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
