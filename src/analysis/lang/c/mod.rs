//! C and C++: pattern files, and the code for what no pattern can say.
//!
//! Both are one language here, as they share headers: all files of a project are one module, and headers are read by the
//! grammar of C++.
//!
//! - `c.scm` and, for C++, `cpp.scm` after it say what each kind of node means; [`declarations`] reads declarators,
//!   [`cpp`] what C++ adds, [`hooks`] the rest.
//! - [`macros`] and [`attributes`] find what no grammar can read, in the [`tokens`] of a file; [`made`] adds what it defines.
//! - [`primitives`] tells the types apart that C++ has itself.
//! - [`scopes`] decides what other files see; [`rules`] resolves names across files, [`library`] has the system's names.
//! - [`manifests`] reads build files; [`test_runner`] has the commands of CTest, Meson and Make.

mod attributes;
mod cpp;
mod declarations;
mod expansions;
mod hooks;
mod includes;
mod library;
mod macros;
mod made;
mod manifests;
mod operators;
mod primitives;
mod rules;
mod scopes;
mod test_runner;
mod tokens;

#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::common::conditionals::{self, first_branches, without_split_branches};
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::walker::Walker;
use super::common::{Dialect, Words, extract_with};
use super::manifest::ManifestFormat;
use super::parser::{error_size, syntax_tree};
use super::{Exclusions, Language, SourceFile};
use crate::facts::FileFacts;
use crate::resolve::rules::{Overriding, Traits};
use crate::text::file_name;

/// The entry of C and C++ in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl"],
    masked,
    gates: |file| conditionals::gates(file.text),
    manifests: &[
        ManifestFormat { name: "CMakeLists.txt", names_modules: false, packages: Some(manifests::read_project) },
        ManifestFormat { name: "Makefile", names_modules: false, packages: None },
        ManifestFormat { name: "configure.ac", names_modules: false, packages: Some(manifests::read_project) },
        ManifestFormat { name: "meson.build", names_modules: false, packages: Some(manifests::read_project) },
    ],
    exclusions: Exclusions {
        vendored_folders: &["third_party", "thirdparty"],
        generated_endings: &[".pb-c.c", ".pb-c.h", ".tab.c", ".tab.h", ".yy.c"],
        ..Exclusions::NONE
    },
    test_runner: test_runner::RUNNER,
    ..Language::new(NAME, grammar, extract, &rules::CRules)
};

/// Returns the grammar for a file with this extension.
fn grammar(extension: &str) -> tree_sitter::Language {
    match extension {
        "c" => tree_sitter_c::LANGUAGE.into(),
        // A header is C++ as far as its name tells, and nearly all of C is C++.
        _ => tree_sitter_cpp::LANGUAGE.into(),
    }
}

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    capitals_are_types: false,
    has_overloads: true,
    inferred_types: &["auto", "__auto_type"],
    members_are_in_scope: true,
    defines_apart: true,
    overloads_in_namespaces: true,
    constructors_convert: true,
    has_pointers: true,
    includes_texts: true,
    call_method: Some("operator()"),
    chooses_overloads: true,
    overriding: Overriding::Virtual(&["final", "override", "virtual"]),
    ..Traits::COMMON
};

/// The language's name in the registry and in the module table.
const NAME: &str = "c";

/// Minimum size of the errors for which a file is parsed again.
const MIN_ERROR_BYTES: usize = 500;

/// Extracts the facts of a file. A source file has a scope of its own below module level.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    let dialect = if file.path.ends_with(".c") { &C } else { &CPP };
    let first = first_branches_tree(file);
    let text = if first.is_some() { Some(first_branches(file.text)) } else { without_branches(file.text) };
    let macros = macros::read(text.as_deref().unwrap_or(file.text), std::ptr::eq(dialect, &raw const CPP));
    let file = &SourceFile { tree: first.as_ref().unwrap_or(file.tree), ..*file };
    extract_with(file, dialect, |walker: &mut Walker<'_>, root| {
        if !is_header(file.path) {
            scopes::open_private(walker);
        }
        made::start(walker, root, macros);
        if is_text_of_others(file.path) {
            expansions::uses_in_text(walker, 0, file.text.len());
            if file.text.trim_start().starts_with(['{', '/', '[']) {
                expansions::names_in_list(walker);
            }
        }
    })
}

/// Returns the tree of the first branches alone, if those of all conditions leave the grammar without structure.
fn first_branches_tree(file: &SourceFile<'_>) -> Option<tree_sitter::Tree> {
    if !file.tree.root_node().has_error() || !file.text.contains("#") {
        return None;
    }
    let before = error_size(file.tree);
    if before < MIN_ERROR_BYTES {
        return None;
    }
    let tree = syntax_tree(&LANGUAGE, file.path, &first_branches(file.text))?;
    (error_size(&tree) < before / 2).then_some(tree)
}

/// Returns the text that the grammars can read: without macros that are not tokens, and with one branch of each condition
/// that divides a block. What is in `extern "C"` is the same without it.
fn masked(path: &str, text: &str) -> Option<String> {
    let whole = without_branches(text);
    let text = whole.as_deref().unwrap_or(text);
    macros::read(text, !path.ends_with(".c")).masked(text).or(whole)
}

/// Returns the text with one branch of each condition that divides a block; `None` if there is none.
fn without_branches(text: &str) -> Option<String> {
    without_split_branches(text, &["__cplusplus", "defined(__cplusplus)", "defined __cplusplus"])
}

/// The macros of a file, and how its names are declared.
#[derive(Default)]
struct State {
    /// The macros that its tree does not have.
    macros: macros::Macros,
    declarators: operators::Declarators,
}

/// Returns whether the walk is over a file of C++.
fn is_cpp(walker: &Walker<'_>) -> bool {
    std::ptr::eq(walker.dialect, &raw const CPP)
}

/// Returns whether a file is included by others, by its name.
fn is_header(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    is_text_of_others(path) || matches!(extension, "h" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "tpp" | "inl")
}

/// Returns whether a file is a part of others by its name: a list of uses of macros, or of entries of a table.
fn is_text_of_others(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| super::TEXTS_OF_C.contains(&extension))
}

static CPP: Dialect = dialect(
    LazyLock::new(|| {
        let text = concat!(include_str!("c.scm"), include_str!("cpp.scm"));
        Patterns::read(text, &tree_sitter_cpp::LANGUAGE.into(), cpp::HOOKS)
    }),
    &TRAITS,
);

static C: Dialect = dialect(
    LazyLock::new(|| Patterns::read(include_str!("c.scm"), &tree_sitter_c::LANGUAGE.into(), hooks::HOOKS)),
    &Traits { inferred_types: &["__auto_type"], chooses_overloads: false, ..TRAITS },
);

/// Returns the dialect of C or C++.
const fn dialect(patterns: LazyLock<Patterns>, traits: &'static Traits) -> Dialect {
    Dialect {
        patterns,
        lexicon: LEXICON,
        is_test_file,
        test_decorators: &[],
        modifier: |_, _| {},
        traits,
        words: Words::Written,
        flow: None,
        options: Options::DEFAULT,
        on_call: Some(hooks::on_call),
        on_end: Some(expansions::includes_without_tree),
    }
}

/// Comments and strings of C and C++, and the keywords of both.
const LEXICON: Lexicon = Lexicon {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\"", "'"],
    long_quotes: &[],
    raw_quotes: &[],
    keywords: word_list!("keywords.txt"),
    docs: DocStyle::TAGS,
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
