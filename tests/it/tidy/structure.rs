//! Structure: the order of modules, what libraries they use, the size of files and functions, dependencies.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{CRATES, all_sources, assert_none, project, sources};

const MAX_FILE_LINES: usize = 900;
const MAX_FUNCTION_LINES: usize = 70;
/// The commit that raises this says what the new dependency replaces.
// 70 packages are of `gix`, which reads repositories instead of libgit2. 50 packages are of the feature `cloud` (TLS, HTTP), most of them for other systems; 31 of the S3 server of its tests.
// Four are grammars (containers, JSON, make, YAML), and `pulldown-cmark` reads Markdown.
const MAX_LOCKED_PACKAGES: usize = 671;

/// Names of libraries and the modules that may use them.
const CONFINED: &[(&str, &[&str])] = &[
    ("rusqlite::", &["model", "store"]),
    ("tree_sitter::", &["lang"]),
    ("gix::", &["scan"]),
    ("imara_diff::", &["scan"]),
    ("ratatui::", &["tui"]),
    ("crossterm::", &["tui"]),
    ("rustix::", &["cli", "eval", "exchange", "scan", "share", "store", "tui"]),
    ("clap::", &["cli", "eval", "main"]),
    (
        "std::fs",
        &[
            "atomic_file",
            "config",
            "file_lock",
            "scan",
            "temporary",
            "concepts",
            "store",
            "share",
            "exchange",
            "workspace",
            "eval",
            "agents",
            "cli",
            "tui",
        ],
    ),
    ("std::process::Command", &["eval", "tui"]),
    ("std::net::", &["mcp", "cli"]),
    ("tokio::net::", &["mcp"]),
    ("protobuf::", &["eval", "index"]),
    ("rmcp::", &["mcp"]),
    ("hyper::", &["mcp"]),
    ("object_store::", &["share"]),
    ("reqwest::", &["share"]),
    ("ring::", &["share"]),
    ("rustls::", &["share"]),
];

/// Clients and the modules they may use.
const CLIENTS: &[(&str, &[&str])] = &[
    ("agents", &["agents", "atomic_file", "file_lock", "engine", "exchange", "model", "render", "text", "user_dirs"]),
    ("cli", &["cli", "agents", "atomic_file", "engine", "exchange", "mcp", "model", "render", "text", "workspace"]),
    ("mcp", &["mcp", "engine", "exchange", "model", "render", "text", "workspace"]),
    (
        "tui",
        &[
            "tui",
            "atomic_file",
            "file_lock",
            "engine",
            "exchange",
            "model",
            "render",
            "text",
            "workspace",
            "config",
            "user_dirs",
        ],
    ),
    ("main", &["cli", "tui"]),
];

/// Returns the marks of unfinished work, assembled so that this file passes its own test.
fn unfinished() -> [String; 4] {
    [["TO", "DO"], ["FIX", "ME"], ["XX", "X:"], ["#[ign", "ore"]].map(|parts| parts.concat())
}

/// Returns the modules in the order of the crates and of their `lib.rs`.
fn modules() -> Vec<String> {
    let mut modules = Vec::new();
    for folder in CRATES {
        let text = fs::read_to_string(project().join(folder).join("lib.rs")).unwrap();
        let names = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        modules.extend(names.map(str::to_owned));
    }
    modules
}

/// Returns the modules that a line's `crate::…` paths name, including grouped imports.
fn used_modules(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut modules = Vec::new();
    for (index, path) in line.match_indices("crate::") {
        // `$crate::` in a macro is a use; `some_crate::` is not.
        if line[..index].ends_with(is_word) {
            continue;
        }
        let rest = &line[index + path.len()..];
        match rest.strip_prefix('{') {
            None => modules.push(rest.split(|c| !is_word(c)).next().unwrap_or_default()),
            Some(group) => modules.extend(top_level(group)),
        }
    }
    modules
}

/// Returns the first segments of the items of a `use` group, without those of inner groups.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (index, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                items.push(&group[start..index]);
                start = index + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    items
        .iter()
        .map(|item| item.trim().split("::").next().unwrap_or_default())
        .filter(|item| !item.is_empty())
        .collect()
}

#[test]
fn modules_use_only_modules_above_them() {
    let modules = modules();
    let rank = |module: &str| modules.iter().position(|known| known == module);
    assert!(modules.len() > 20, "a lib.rs was not understood");
    let mut problems = Vec::new();
    for source in sources("src").iter().filter(|source| !source.path.ends_with("lib.rs")) {
        let client = CLIENTS.iter().find(|(client, _)| *client == source.module()).map(|(_, allowed)| *allowed);
        for (number, line) in source.code() {
            for used in used_modules(&line).into_iter().chain(library_modules(&line)) {
                let is_upward = matches!((rank(source.module()), rank(used)), (Some(own), Some(used)) if used > own);
                let is_barred = rank(used).is_some() && client.is_some_and(|allowed| !allowed.contains(&used));
                if is_upward || is_barred {
                    problems.push(format!("{}:{number} uses {used}", source.path));
                }
            }
        }
    }
    assert_none("a module may use only modules above it in its lib.rs; clients use the engine", problems);
}

/// Returns the module that a `knowing::…` path of `main.rs` names.
fn library_modules(line: &str) -> Option<&str> {
    line.split_once("knowing::")?.1.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

#[test]
fn libraries_are_confined() {
    let mut problems = Vec::new();
    for source in sources("src") {
        for (number, line) in source.code() {
            for (name, allowed) in CONFINED {
                let is_used = line
                    .match_indices(name)
                    .any(|(index, _)| !line[..index].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
                if is_used && !allowed.contains(&source.module()) {
                    problems.push(format!("{}:{number} names {name}", source.path));
                }
            }
        }
    }
    assert_none("other modules own these libraries", problems);
}

#[test]
fn files_are_short_and_documented() {
    let mut problems = Vec::new();
    for source in all_sources() {
        let lines = source.text.lines().count();
        if lines > MAX_FILE_LINES {
            problems.push(format!("{} has {lines} lines", source.path));
        }
        if !source.text.starts_with("//! ") {
            problems.push(format!("{} does not begin with `//! `", source.path));
        }
    }
    assert_none("a file has at most 900 lines and begins with `//! `", problems);
}

#[test]
fn functions_are_short() {
    let mut problems = Vec::new();
    for source in all_sources() {
        for (number, length) in function_lengths(&source.text) {
            if length > MAX_FUNCTION_LINES {
                problems.push(format!("{}:{number} has {length} lines", source.path));
            }
        }
    }
    assert_none("a function has at most 70 lines", problems);
}

/// Returns the line and the number of lines of each function of a text as rustfmt writes it.
fn function_lengths(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut lengths = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        if !is_function(text) {
            continue;
        }
        // rustfmt aligns the closing brace, or the end of a bare signature, with the start.
        let is_end = |line: &&str| {
            let own = line.strip_prefix(indent).filter(|rest| !rest.starts_with(' '));
            own.is_some_and(|rest| rest.starts_with('}') || rest.ends_with(';'))
        };
        // Text of a raw string can be a function without an end.
        if let Some(length) = lines[start..].iter().position(is_end) {
            lengths.push((start + 1, length + 1));
        }
    }
    lengths
}

#[test]
fn the_length_of_a_function_includes_its_body() {
    let text = "impl A {\n    fn a(\n        x: u8,\n    ) {\n        let y = x;\n\n        f(|| {\n            y;\n        });\n    }\n\n    \
                fn b(&self) -> u8;\n    fn c() {}\n}\n\npub fn d() {\n    e();\n}\n";
    assert_eq!(function_lengths(text), [(2, 9), (16, 3)]);
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_prefix = |word: &str| word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe" | "extern");
    // A function on one line is short.
    words.find(|word| !is_prefix(word)) == Some("fn") && !line.ends_with('}') && !line.ends_with(';')
}

#[test]
fn no_marks_of_unfinished_work() {
    let words = unfinished();
    let mut problems = Vec::new();
    for source in all_sources() {
        for (number, line) in (1..).zip(source.text.lines()) {
            if let Some(word) = words.iter().find(|word| line.contains(word.as_str())) {
                problems.push(format!("{}:{number} has {word}", source.path));
            }
            // The tests are a build with every feature, which has the lint.
            let is_of_other_build = line.starts_with("#![cfg_attr(not(feature = ");
            let is_silenced = !is_of_other_build
                && ["dead_code", "unused"].iter().any(|lint| line.contains(&format!("allow({lint}")));
            if is_silenced {
                problems.push(format!("{}:{number} silences a lint about unused code", source.path));
            }
        }
    }
    assert_none("finish this or delete it", problems);
}

#[test]
fn every_file_is_declared_as_a_module() {
    let all = sources("src");
    let by_path = |path: &str| all.iter().find(|source| source.path == path);
    let mut problems = Vec::new();
    for source in &all {
        let is_root = ["lib.rs", "main.rs", "build.rs"].iter().any(|name| source.path.ends_with(&format!("/{name}")));
        if is_root {
            continue;
        }
        let module = source.path.strip_suffix("/mod.rs").or(source.path.strip_suffix(".rs")).unwrap();
        let (folder, name) = module.rsplit_once('/').unwrap();
        let parents = ["/mod.rs", ".rs", "/lib.rs", "/main.rs"].map(|file| format!("{folder}{file}"));
        let declared = parents.iter().filter_map(|path| by_path(path)).any(|parent| {
            parent.text.lines().any(|line| {
                line.trim()
                    .trim_start_matches("pub ")
                    .trim_start_matches("pub(super) ")
                    .trim_start_matches("pub(crate) ")
                    == format!("mod {name};")
            })
        });
        if !declared {
            problems.push(format!("{} is declared nowhere", source.path));
        }
    }
    assert_none("a file without a `mod` line is never compiled", problems);
}

#[test]
fn scripts_do_not_take_a_failure_for_another_choice() {
    let mut problems = Vec::new();
    for path in [".ci/release", ".ci/run", "assets/editors/check", "assets/packaging/build"] {
        let text = fs::read_to_string(project().join(path)).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            // `a && b || c` does c when b fails, too.
            if line.split_once(" && ").is_some_and(|(_, rest)| rest.contains(" || ")) {
                problems.push(format!("{path}:{number} has && before ||"));
            }
        }
    }
    assert_none("write if and else", problems);
}

#[test]
fn dependencies_are_counted() {
    let lock = fs::read_to_string(project().join("Cargo.lock")).unwrap();
    let locked = lock.matches("[[package]]").count();
    assert!(
        locked <= MAX_LOCKED_PACKAGES,
        "{locked} packages in Cargo.lock, at most {MAX_LOCKED_PACKAGES} are allowed"
    );
}

#[test]
fn grouped_imports_are_understood() {
    assert_eq!(used_modules("use crate::model::{Edge, Span};"), ["model"]);
    assert_eq!(used_modules("use crate::{graph::{a, b}, text};"), ["graph", "text"]);
    assert_eq!(used_modules("let x = crate::scan::read(other_crate::y);"), ["scan"]);
    let words: BTreeSet<String> = unfinished().into_iter().collect();
    assert_eq!(words.len(), 4);
    assert!(Path::new(&project()).join("Cargo.toml").is_file());
}
