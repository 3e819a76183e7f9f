//! TypeScript, TSX and JavaScript: extraction of facts from a syntax tree, and the rules by which names resolve.
//!
//! - Extraction: [`hooks`] names the parts of the language that no pattern says, [`state`] has their state. Every other
//!   file of this half has the hooks of one part: [`classes`], [`functions`], [`expressions`], [`types`], …
//! - Resolution: [`rules`] implements [`Rules`](crate::resolve::rules::Rules) with [`module_resolution`], [`manifests`]
//!   and [`stdlib`].
//! - [`builtins`] has the names that both halves share. The halves communicate by facts only.

mod assigned_members;
mod auto_imports;
mod builtins;
mod calls;
mod classes;
mod docs;
mod expressions;
mod functions;
mod grammar_workarounds;
mod hooks;
mod imports;
mod inline_imports;
mod interfaces;
mod manifests;
mod markup;
mod module_resolution;
mod object_types;
mod objects;
mod parameters;
mod patterns;
mod rules;
mod scripts;
mod signals;
mod state;
mod statements;
mod stdlib;
mod templates;
mod test_runner;
#[cfg(test)]
mod tests;
mod types;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, SourceFile};
use crate::facts::FileFacts;
use crate::resolve::rules::Traits;
use crate::text::file_name;
use state::Ts;

/// TypeScript's entry in the registry. JavaScript, JSX and the scripts of pages and components are parsed with the TSX
/// grammar.
pub const LANGUAGE: Language = Language {
    extensions: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "htm", "html", "svelte", "vue"],
    interpreters: &["bun", "deno", "node", "nodejs", "ts-node", "tsx"],
    masked: scripts::masked,
    manifests: &[
        ManifestFormat { name: "package.json", names_modules: true, packages: Some(manifests::read_packages) },
        ManifestFormat { name: "jsconfig.json", names_modules: true, packages: None },
        ManifestFormat { name: "tsconfig*.json", names_modules: true, packages: None },
    ],
    exclusions: Exclusions {
        vendored_folders: &["node_modules", "bower_components", "jspm_packages"],
        generated_endings: &[
            "_pb.ts",
            "_pb.js",
            "_pb.d.ts",
            "_grpc_pb.js",
            ".generated.ts",
            ".generated.tsx",
            ".generated.js",
            ".gen.ts",
        ],
        minified_endings: &[".min.js", ".min.mjs", ".min.cjs", "-min.js", ".bundle.js"],
        ..Exclusions::NONE
    },
    test_runner: test_runner::RUNNER,
    ..Language::new(NAME, grammar, extract, &rules::TypeScriptRules)
};

/// Returns the grammar for a file with this extension.
fn grammar(extension: &str) -> tree_sitter::Language {
    {
        let grammar = if is_plain(extension) {
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT
        } else {
            tree_sitter_typescript::LANGUAGE_TSX
        };
        grammar.into()
    }
}

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    has_overloads: true,
    overloads_are_one: true,
    separates_types: true,
    imports_are_private: true,
    fields_may_be_functions: true,
    types_are_open: true,
    constructor: Some("constructor"),
    ubiquitous: word_list!("ubiquitous.txt"),
    ..Traits::COMMON
};

/// The language's name in the registry and in the module table.
const NAME: &str = "typescript";

static PLAIN: Dialect = dialect(LazyLock::new(|| {
    let text = concat!(include_str!("typescript.scm"), include_str!("plain.scm"));
    Patterns::read(text, &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), hooks::HOOKS)
}));

static TSX: Dialect = dialect(LazyLock::new(|| {
    let text = concat!(include_str!("typescript.scm"), include_str!("tsx.scm"));
    Patterns::read(text, &tree_sitter_typescript::LANGUAGE_TSX.into(), hooks::HOOKS)
}));

const fn dialect(patterns: LazyLock<Patterns>) -> Dialect {
    Dialect {
        patterns,
        // Docs and search words come from the hooks.
        lexicon: Lexicon {
            line_comments: &["//"],
            block_comments: &[("/*", "*/")],
            quotes: &["\"", "'"],
            long_quotes: &[],
            raw_quotes: &["`"],
            keywords: &[],
            docs: DocStyle::TAGS,
        },
        is_test_file,
        test_decorators: &[],
        words: Words::Visited { shortest_name: 1 },
        flow: None,
        modifier: |_, _| {},
        traits: &TRAITS,
        options: Options::DEFAULT,
        on_call: None,
        on_end: Some(|walker| {
            let mut ts = Ts::new(walker);
            ts.bind_export_list();
            ts.markup();
        }),
    }
}

/// Returns whether files with this extension have the grammar without JSX.
fn is_plain(extension: &str) -> bool {
    matches!(extension, "ts" | "mts" | "cts")
}

/// Extracts the facts of a file. Of pages and components, it reads the scripts, then the markup around them.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    let extension = file_name(file.path).rsplit_once('.').map_or("", |(_, extension)| extension);
    let scripts = scripts::masked(file.path, file.text);
    let format = scripts.is_some().then(|| templates::Format::by_extension(extension)).flatten();
    let is_script = matches!(extension, "js" | "jsx" | "mjs" | "cjs" | "htm" | "html" | "");
    let reparsed = grammar_workarounds::reparse(
        &(LANGUAGE.grammar)(extension),
        scripts.as_deref().unwrap_or(file.text),
        file.tree,
    );
    let tree = reparsed.as_ref().unwrap_or(file.tree);
    let dialect = if is_plain(extension) { &PLAIN } else { &TSX };
    common::extract_with(&SourceFile { tree, ..*file }, dialect, |walker, _| {
        walker.facts.set_file_doc(docs::file_doc(walker.text));
        walker.visits_errors = true;
        let mut ts = Ts::new(walker);
        (ts.state().is_script, ts.state().format) = (is_script, format);
        ts.mark_global_typings(file.path, tree.root_node());
    })
}

/// Returns whether a path is a test file, by its suffix or one of its folders.
fn is_test_file(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or("");
    let in_folder = parts.iter().any(|part| {
        matches!(*part, "__tests__" | "test" | "tests" | "__mocks__" | "__fixtures__" | "spec" | "specs" | "e2e")
    });
    let marks = [".test.", ".spec.", ".test-d.", ".spec-d.", ".e2e."];
    in_folder || marks.iter().any(|mark| name.contains(mark)) || name.contains("-test.") || name.contains("_test.")
}
