//! Wording: the terms of the glossary in `ARCHITECTURE.md`, how documentation begins, ids and languages by their types.

use super::{Source, all_sources, assert_none, sources};

/// First words that no documentation begins with: a function's begins with a verb, a type's with a noun.
const OPENERS: &[&str] = &["What ", "How ", "True when", "True where", "True for", "True if", "Where ", "Whose "];

/// Names of languages and of their files, which only `lang` may contain as text.
const LANGUAGES: &[&str] = &[
    "\"go\"",
    "\"python\"",
    "\"rust\"",
    "\"typescript\"",
    "\"javascript\"",
    "\"py\"",
    "\"rs\"",
    "\"ts\"",
    "\"tsx\"",
    "\"js\"",
    "go.mod",
    "Cargo.toml",
    "package.json",
    "tsconfig",
    "pyproject",
    "__init__",
];

/// Names of languages that may be outside `lang`: the file or folder, the names and the reason.
const LANGUAGES_ALLOWED: &[(&str, &[&str], &str)] = &[
    ("src/cli/sample.rs", &["__init__", "pyproject"], "the files of the sample are named"),
    (
        "src/indexing/concepts/seed_file.rs",
        &["\"go\"", "\"python\"", "\"rust\"", "\"typescript\""],
        "the build script compiles this file without `lang`; a test compares its list with the registry",
    ),
    (
        "src/eval/cross/scale.rs",
        &["\"go\"", "\"python\"", "\"rust\"", "\"typescript\""],
        "a definition in each language is added to a file",
    ),
    (
        "src/eval/cross/baseline/ripgrep.rs",
        &[
            "\"go\"",
            "\"python\"",
            "\"rust\"",
            "\"typescript\"",
            "\"javascript\"",
            "\"py\"",
            "\"ts\"",
            "\"tsx\"",
            "\"js\"",
        ],
        "the names of ripgrep's types for languages",
    ),
    (
        "src/eval/cross/staleness.rs",
        &["\"python\"", "\"typescript\""],
        "languages of generated files, a part of the benchmark",
    ),
    ("src/tui/", &["\"go\""], "the label of Enter, a verb"),
];

fn comment(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//")
}

/// Returns each documentation line that begins a paragraph of documentation, with its line number.
fn first_doc_lines(source: &Source) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(source.text.lines()) {
        let doc = comment(line).and_then(|text| text.strip_prefix(['/', '!']));
        if let Some(text) = doc.filter(|_| !is_inside) {
            found.push((number, text.trim_start()));
        }
        is_inside = doc.is_some();
    }
    found
}

/// Returns whether a signature or field passes a node, file or definition as a bare number.
fn has_bare_id(line: &str) -> bool {
    let is_public = line.trim_start().starts_with("pub");
    let names = ["node", "nodes", "file", "files", "source", "target", "definition", "definitions", "symbol"];
    let types = ["u32", "&[u32]", "Vec<u32>", "Option<u32>", "&u32"];
    let is_bare = |name: &str| {
        types.iter().any(|bare| {
            let parameter = format!("{name}: {bare}");
            line.match_indices(&parameter).any(|(at, _)| {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                !line[..at].ends_with(is_word) && !line[at + parameter.len()..].starts_with(is_word)
            })
        })
    };
    is_public && names.iter().any(|name| is_bare(name))
}

#[test]
fn documentation_begins_with_a_verb_or_a_noun() {
    let mut problems = Vec::new();
    for source in all_sources() {
        for (number, text) in first_doc_lines(&source) {
            if OPENERS.iter().any(|opener| text.starts_with(opener)) {
                problems.push(format!("{}:{number} {text}", source.path));
            }
        }
    }
    assert_none("a function's documentation begins with `Returns` or another verb, a type's with a noun", problems);
}

#[test]
fn ids_have_types_in_public_signatures() {
    let mut problems = Vec::new();
    for source in sources("src") {
        for (number, line) in source.code() {
            if has_bare_id(&line) {
                problems.push(format!("{}:{number} {}", source.path, line.trim()));
            }
        }
    }
    assert_none("use NodeId, FileId or DefId instead of u32", problems);
}

#[test]
fn languages_are_named_in_lang_only() {
    let mut problems = Vec::new();
    for source in sources("src").iter().filter(|source| source.module() != "lang") {
        for (number, line) in source.code() {
            let code = line.split(" // ").next().unwrap_or_default();
            let is_allowed = |name: &str| {
                LANGUAGES_ALLOWED
                    .iter()
                    .any(|(path, allowed, _)| source.path.starts_with(path) && allowed.contains(&name))
            };
            if let Some(name) = LANGUAGES.iter().find(|name| code.contains(**name) && !is_allowed(name)) {
                problems.push(format!("{}:{number} has {name}", source.path));
            }
        }
    }
    assert_none("a fact about a language is a field of its `Language`", problems);
}

#[test]
fn bare_ids_are_recognized() {
    assert!(has_bare_id("    pub fn degree(&self, node: u32) -> usize {"));
    assert!(has_bare_id("pub files: Vec<u32>,"));
    assert!(!has_bare_id("    pub fn degree(&self, node: NodeId) -> usize {"));
    assert!(!has_bare_id("    fn degree(&self, node: u32) -> usize {"));
}

/// Returns whether a line begins a public item: a function, type, trait, constant or static. A macro's items (`$name`)
/// get their documentation where it is called.
fn is_public_item(line: &str) -> bool {
    if line.contains('$') {
        return false;
    }
    let Some(rest) = line.trim_start().strip_prefix("pub ") else { return false };
    let mut words = rest.split_whitespace().skip_while(|word| ["const", "async"].contains(word));
    let kinds = ["fn", "struct", "enum", "trait", "type", "static"];
    rest.starts_with("const ") || words.next().is_some_and(|word| kinds.contains(&word))
}

#[test]
fn public_items_are_documented() {
    let mut problems = Vec::new();
    for source in sources("src") {
        let lines = source.product();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_public_item(line)) {
            let above = lines[..index].iter().rev().map(|line| line.trim());
            let mut above = above.skip_while(|line| line.starts_with("#[") || line.ends_with(']'));
            if !above.next().is_some_and(|line| line.starts_with("///")) {
                problems.push(format!("{}:{} {}", source.path, index + 1, line.trim()));
            }
        }
    }
    assert_none("every public item has a doc comment", problems);
}
