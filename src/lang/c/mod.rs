//! C and C++: pattern files, and the code for what no pattern can say.
//!
//! Both are one language here, as they share headers: all files of a project are one module, and headers are read by the
//! grammar of C++.
//!
//! - `c.scm` and, for C++, `cpp.scm` after it say what each kind of node means; [`declarations`] reads declarators,
//!   [`cpp`] what C++ adds, [`hooks`] the rest.
//! - [`scopes`] decides what other files see; [`rules`] resolves names across files, [`library`] has the system's names.
//! - [`manifests`] reads build files; [`test_runner`] has the commands of CTest, Meson and Make.

mod cpp;
mod declarations;
mod hooks;
mod library;
mod manifests;
mod rules;
mod scopes;
mod test_runner;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::common::lexicon::Lexicon;
use super::common::patterns::Patterns;
use super::common::walker::Walker;
use super::common::{Dialect, extract_with};
use super::manifest::ManifestFormat;
use super::parser::syntax_tree;
use super::{Exclusions, Language, PackageFolders, SourceFile};
use crate::facts::FileFacts;
use crate::text::file_name;

/// The entry of C and C++ in the registry.
pub const LANGUAGE: Language = Language {
    name: NAME,
    extensions: &["c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl"],
    grammar: |extension| match extension {
        "c" => tree_sitter_c::LANGUAGE.into(),
        // A header is C++ as far as its name tells, and nearly all of C is C++.
        _ => tree_sitter_cpp::LANGUAGE.into(),
    },
    extract,
    rules: &rules::CRules,
    manifests: &[
        ManifestFormat { name: "CMakeLists.txt", packages: Some(manifests::read_project) },
        ManifestFormat { name: "Makefile", packages: None },
        ManifestFormat { name: "configure.ac", packages: Some(manifests::read_project) },
        ManifestFormat { name: "meson.build", packages: Some(manifests::read_project) },
    ],
    packages_are_folders: false,
    capitals_are_types: false,
    has_overloads: false,
    package_folders: PackageFolders::None,
    implicit_interfaces: None,
    exclusions: Exclusions {
        vendored_folders: &["third_party", "thirdparty"],
        marked_folders: &[],
        generated_endings: &[".pb-c.c", ".pb-c.h", ".tab.c", ".tab.h", ".yy.c"],
        minified_endings: &[],
    },
    test_runner: test_runner::RUNNER,
    test_support_files: &[],
};

/// The language's name in the registry and in the module table.
const NAME: &str = "c";

/// Extracts the facts of a file. A source file has a scope of its own below module level.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    let is_c = file.path.ends_with(".c");
    let dialect = if is_c { &C } else { &CPP };
    let masked = if is_c { None } else { cpp::without_class_macros(file.text) };
    let tree = masked.and_then(|masked| syntax_tree(&LANGUAGE, file.path, &masked));
    let file = &SourceFile { tree: tree.as_ref().unwrap_or(file.tree), ..*file };
    extract_with(file, dialect, |walker: &mut Walker<'_>| {
        if !is_header(file.path) {
            scopes::open_private(walker);
        }
    })
}

/// Returns whether the walk is over a file of C++.
fn is_cpp(walker: &Walker<'_>) -> bool {
    std::ptr::eq(walker.dialect, &raw const CPP)
}

/// Returns whether a file is included by others, by its name.
fn is_header(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(extension, "h" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "tpp" | "inl")
}

static CPP: Dialect = dialect(
    LazyLock::new(|| {
        let text = concat!(include_str!("c.scm"), include_str!("cpp.scm"));
        Patterns::read(text, &tree_sitter_cpp::LANGUAGE.into(), cpp::HOOKS)
    }),
    &["auto", "__auto_type"],
);

static C: Dialect = dialect(
    LazyLock::new(|| Patterns::read(include_str!("c.scm"), &tree_sitter_c::LANGUAGE.into(), hooks::HOOKS)),
    &["__auto_type"],
);

/// Returns the dialect of C or C++.
const fn dialect(patterns: LazyLock<Patterns>, inferred_types: &'static [&'static str]) -> Dialect {
    Dialect {
        patterns,
        lexicon: LEXICON,
        is_test_file,
        test_decorators: &[],
        modifier: |_, _| {},
        inferred_types,
        marks_callees: false,
        has_overloads: false,
        assignments_declare: false,
        returns_last_value: false,
        on_call: Some(hooks::on_call),
        on_end: None,
    }
}

/// Comments and strings of C and C++, and the keywords of both.
const LEXICON: Lexicon = Lexicon {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\"", "'"],
    long_quotes: &[],
    keywords: &[
        "NULL",
        "auto",
        "bool",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "define",
        "defined",
        "do",
        "double",
        "elif",
        "else",
        "endif",
        "enum",
        "extern",
        "false",
        "float",
        "for",
        "goto",
        "if",
        "ifdef",
        "ifndef",
        "include",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "true",
        "typedef",
        "undef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "catch",
        "class",
        "co_await",
        "co_return",
        "co_yield",
        "concept",
        "consteval",
        "constexpr",
        "constinit",
        "decltype",
        "delete",
        "explicit",
        "export",
        "final",
        "friend",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "nullptr",
        "operator",
        "override",
        "private",
        "protected",
        "public",
        "requires",
        "static_assert",
        "template",
        "this",
        "throw",
        "try",
        "typeid",
        "typename",
        "using",
        "virtual",
    ],
};

/// Returns whether a file is test code, by its folder or its name.
fn is_test_file(path: &str) -> bool {
    let is_test_folder = |folder: &str| matches!(folder, "test" | "tests" | "testing" | "unittest" | "unittests");
    let stem = file_name(path).rsplit_once('.').map_or("", |(stem, _)| stem);
    path.rsplit('/').skip(1).any(is_test_folder)
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_unittest")
}
