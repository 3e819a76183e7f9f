//! Source languages: one folder each, registered in [`LANGUAGES`].
//!
//! A language's folder extracts facts from a syntax tree and implements the [`Rules`] by which its names resolve. It
//! depends on no other language.
//!
//! # Why a walk and no queries
//!
//! Queries would suffice for definitions. Resolution also needs scopes, local bindings with the expressions that
//! determine their types, receivers and imports. Queries cannot nest those, so each tree is walked once, and the walk
//! returns [`FileFacts`]. Languages share the walk of [`common`], which a pattern file in the notation of queries
//! directs.
//!
//! # Facts about languages
//!
//! Facts about a language that other modules need (manifests, package folders, generated files, …) are fields of
//! [`Language`]. No other module names a language or its files.

mod bash;
mod c;
pub mod commands;
mod common;
mod csharp;
pub mod dotenv;
pub mod gates;
pub mod go;
pub mod highlight;
pub mod installed;
mod java;
pub mod known;
#[cfg(feature = "rare-grammars")]
mod kotlin;
mod lua;
pub mod manifest;
mod names;
pub mod own;
pub mod packages;
pub mod parser;
mod php;
pub mod places;
mod proto;
pub mod python;
pub mod queries;
mod ruby;
pub mod rust;
#[cfg(feature = "rare-grammars")]
mod scala;
mod styles;
#[cfg(feature = "rare-grammars")]
mod swift;
#[cfg(feature = "rare-grammars")]
mod tags;
mod templates;
pub mod test_runner;
#[cfg(test)]
pub(crate) mod testing;
pub mod typescript;
pub mod views;
pub mod visibility;

use crate::facts::FileFacts;
use crate::resolve::rules::{Rules, Traits};
use crate::text::file_name;
use manifest::ManifestFormat;
pub use names::language_of;
use test_runner::TestRunner;

/// A source language.
pub struct Language {
    /// Lower-case name, stored with each file.
    pub name: &'static str,
    /// File extensions without the dot.
    pub extensions: &'static [&'static str],
    /// Names of further files.
    pub file_names: &'static [&'static str],
    /// Folders in which it reads further files, each with their extension.
    pub folders: &'static [(&'static str, &'static str)],
    /// Names of the programs that run its scripts, by whose first line a file without an extension is recognized.
    pub interpreters: &'static [&'static str],
    /// Returns the grammar for a file with this extension.
    pub grammar: fn(extension: &str) -> tree_sitter::Language,
    /// Returns the text that the parser reads instead of the text of the file at a path, byte for byte: what the grammar
    /// can't read is blank. `None` if it can read everything.
    pub masked: fn(path: &str, text: &str) -> Option<String>,
    /// Extracts the facts of a parsed file. Never fails: syntax errors only reduce the facts.
    pub extract: fn(file: &SourceFile<'_>) -> FileFacts,
    /// Returns the code of a file that depends on flags of its build.
    pub gates: fn(file: &SourceFile<'_>) -> Vec<gates::GatedCode>,
    /// The rules by which names resolve across files.
    pub rules: &'static dyn Rules,
    /// Manifests of its projects.
    pub manifests: &'static [ManifestFormat],
    /// The folders whose packages are symbols.
    pub package_folders: PackageFolders,
    /// Interfaces that types satisfy without declaring it; `None` in languages whose types declare it.
    pub implicit_interfaces: Option<&'static ImplicitInterfaces>,
    /// Files that are not indexed.
    pub exclusions: Exclusions,
    /// The runner of its tests.
    pub test_runner: TestRunner,
    /// Names of files that only support tests.
    pub test_support_files: &'static [&'static str],
    /// Whether its definitions are used by code and reached by tests. Those of builds, services and schemas are used from outside.
    pub is_program: bool,
}

impl Language {
    /// Returns the entry of a language; the language replaces what differs.
    pub const fn new(
        name: &'static str,
        grammar: fn(extension: &str) -> tree_sitter::Language,
        extract: fn(file: &SourceFile<'_>) -> FileFacts,
        rules: &'static dyn Rules,
    ) -> Language {
        Language {
            name,
            extensions: &[],
            file_names: &[],
            folders: &[],
            interpreters: &[],
            grammar,
            masked: |_, _| None,
            extract,
            gates: |_| Vec::new(),
            rules,
            manifests: &[],
            package_folders: PackageFolders::None,
            implicit_interfaces: None,
            exclusions: Exclusions::NONE,
            test_runner: TestRunner { is_test: |_| false, commands: |_, _| Vec::new(), takes_files: false },
            test_support_files: &[],
            is_program: true,
        }
    }

    /// Returns the facts that need no code.
    pub fn traits(&self) -> &'static Traits {
        self.rules.traits()
    }
}

/// The folders whose packages are symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageFolders {
    None,
    /// Every folder with a file of the language.
    All,
    /// Folders with a file of one of these names.
    WithFile(&'static [&'static str]),
}

/// Interfaces that types satisfy by their methods alone.
pub struct ImplicitInterfaces {
    /// Returns the types of parameters and results in a method's signature, in a form in which implementing methods
    /// are equal; `None` if they are unknown.
    pub method_shape: fn(signature: &str) -> Option<String>,
    /// Returns the names of the methods of an interface of the standard library, by its dotted name.
    pub standard: fn(name: &str) -> Option<Vec<&'static str>>,
    /// Returns whether only types of its own package can have a method of this name.
    pub is_private: fn(method: &str) -> bool,
    /// Whether names and shapes of methods tell all that an interface requires; otherwise they only suggest it.
    pub is_certain: bool,
}

/// Vendored, generated and minified files of a language, and its build folders.
pub struct Exclusions {
    /// Names of folders with vendored code.
    pub vendored_folders: &'static [&'static str],
    /// Names of environments and build folders, with the marker file that they contain.
    pub marked_folders: &'static [(&'static [&'static str], &'static str)],
    /// Endings of the names of generated files.
    pub generated_endings: &'static [&'static str],
    /// Endings of the names of minified files.
    pub minified_endings: &'static [&'static str],
}

impl Exclusions {
    /// Nothing is excluded.
    const NONE: Exclusions =
        Exclusions { vendored_folders: &[], marked_folders: &[], generated_endings: &[], minified_endings: &[] };
}

/// A parsed file.
pub struct SourceFile<'a> {
    /// Path relative to the repository's root, with forward slashes.
    pub path: &'a str,
    /// The parsed text.
    pub text: &'a str,
    /// The syntax tree of `text`.
    pub tree: &'a tree_sitter::Tree,
}

/// All languages of this build, sorted by name.
pub const LANGUAGES: &[&Language] = &[
    &bash::LANGUAGE,
    &c::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::CLOJURE,
    &csharp::LANGUAGE,
    &styles::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::DART,
    #[cfg(feature = "rare-grammars")]
    &tags::DOCKERFILE,
    &dotenv::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::ELIXIR,
    #[cfg(feature = "rare-grammars")]
    &tags::ELM,
    #[cfg(feature = "rare-grammars")]
    &tags::ERLANG,
    #[cfg(feature = "rare-grammars")]
    &tags::GDSCRIPT,
    &go::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::GRAPHQL,
    #[cfg(feature = "rare-grammars")]
    &tags::GROOVY,
    #[cfg(feature = "rare-grammars")]
    &tags::HASKELL,
    &java::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::JSON,
    #[cfg(feature = "rare-grammars")]
    &tags::JUST,
    #[cfg(feature = "rare-grammars")]
    &kotlin::LANGUAGE,
    &lua::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::MAKEFILE,
    #[cfg(feature = "rare-grammars")]
    &tags::NIX,
    &php::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::POWERSHELL,
    &proto::LANGUAGE,
    &python::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::R,
    &ruby::LANGUAGE,
    &rust::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &scala::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::SOLIDITY,
    #[cfg(feature = "rare-grammars")]
    &tags::SQL,
    #[cfg(feature = "rare-grammars")]
    &swift::LANGUAGE,
    &templates::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::TERRAFORM,
    &typescript::LANGUAGE,
    #[cfg(feature = "rare-grammars")]
    &tags::YAML,
    #[cfg(feature = "rare-grammars")]
    &tags::ZIG,
];

/// Returns all languages: first those of the user's settings.
fn languages() -> impl Iterator<Item = &'static Language> {
    own::languages().chain(LANGUAGES.iter().copied())
}

/// Hidden files and folders that are read as others are.
const READ_THOUGH_HIDDEN: &[&str] = &[".github", ".gitlab-ci.yml", ".justfile"];

/// Returns whether a file or folder is hidden, and so is not read.
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !READ_THOUGH_HIDDEN.contains(&name) && !dotenv::is_named(name)
}

/// Extensions of files in several languages: parts that other files include, modules, themes.
const SHARED_EXTENSIONS: &[&str] = &["def", "engine", "inc", "install", "module", "profile", "theme"];

/// Those of them that files of C include in the middle of their own text.
const TEXTS_OF_C: &[&str] = &["def", "inc"];

/// Returns whether a file's name leaves it to the first line which language it has.
pub fn has_shared_extension(path: &str) -> bool {
    file_name(path).rsplit_once('.').is_some_and(|(_, extension)| SHARED_EXTENSIONS.contains(&extension))
}

/// Returns the language of a file whose name leaves it open by the beginning of its text: what files of C include begins
/// with a directive, an entry of a table, the use of a macro, or a declaration.
pub fn language_of_text(path: &str, head: &str) -> Option<&'static Language> {
    let known = language_of_script(head);
    let is_text = file_name(path).rsplit_once('.').is_some_and(|(_, extension)| TEXTS_OF_C.contains(&extension));
    if known.is_some() || !is_text {
        return known;
    }
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with("//") || rest.starts_with("/*") {
        let end = if rest.starts_with("//") { rest.find('\n') } else { rest.find("*/").map(|end| end + 2) };
        rest = rest.get(end?..)?.trim_start();
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let word = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
    let after = rest[word.len()..].trim_start();
    let is_directive = ["include", "define", "undef", "if", "ifdef", "ifndef", "pragma"]
        .iter()
        .any(|directive| rest.strip_prefix('#').is_some_and(|line| line.trim_start().starts_with(directive)));
    let is_entry = rest.starts_with('{') && !rest.starts_with("{$") && rest.contains([',', '}']);
    let is_use = !word.is_empty() && after.starts_with('(');
    let is_declared =
        matches!(word, "static" | "extern" | "inline" | "int" | "void" | "struct" | "enum" | "const" | "typedef");
    (is_directive || is_entry || is_use || is_declared).then_some(&c::LANGUAGE)
}

/// Returns the language of a script by its first line: `#!/usr/bin/env python3 -u`, or `<?php`.
fn language_of_script(head: &str) -> Option<&'static Language> {
    let line = head.trim_start_matches('\u{feff}').lines().next()?;
    let (mut words, is_run) = match line.strip_prefix("<?") {
        Some(line) => (line.split_whitespace(), false),
        None => (line.strip_prefix("#!")?.split_whitespace(), true),
    };
    let mut program = file_name(words.next()?);
    if is_run && program == "env" {
        let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
        program = file_name(words.find(is_program)?);
    }
    // `python3.11` is `python3`.
    let plain = program.split('.').next().unwrap_or(program);
    LANGUAGES.iter().copied().find(|language| language.interpreters.contains(&plain))
}

/// Returns the language with this name.
pub fn language_named(name: &str) -> Option<&'static Language> {
    languages().find(|language| language.name == name)
}

/// Returns the rules of the language with this name.
///
/// # Panics
/// If no such language is registered. Stored names come from the registry.
pub fn rules_of(name: &str) -> &'static dyn Rules {
    language_named(name).expect("files have the names of registered languages").rules
}
