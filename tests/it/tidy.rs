//! The rules of the house, read from its own source: what a reviewer would otherwise have to look for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const MAX_FILE_LINES: usize = 400;
const MAX_FUNCTION_LINES: usize = 70;
/// A new dependency says what it replaces. Raise this on purpose.
const MAX_LOCKED_PACKAGES: usize = 385;

/// Names from outside and the rooms that may know them.
const CONFINED: &[(&str, &[&str])] = &[
    ("rusqlite::", &["store"]),
    ("tree_sitter::", &["lang", "parse"]),
    ("git2::", &["scan"]),
    ("ratatui::", &["tui"]),
    ("crossterm::", &["tui"]),
    ("rustix::", &["tui"]),
    ("clap::", &["cli", "main"]),
    ("std::fs", &["scan", "vocab", "store", "cli", "tui"]),
    ("std::process::Command", &["tui"]),
    ("std::net::", &[]),
];

/// Clients see the house through its front door.
const CLIENTS: &[(&str, &[&str])] = &[
    ("cli", &["cli", "engine", "eval", "model", "render", "text"]),
    ("tui", &["tui", "engine", "model", "render", "text"]),
    ("main", &["cli", "tui"]),
];

/// Words that stand for unfinished work, put together here so that this file passes its own test.
fn unfinished() -> [String; 4] {
    [["TO", "DO"], ["FIX", "ME"], ["XX", "X:"], ["#[ign", "ore"]].map(|parts| parts.concat())
}

struct Source {
    /// Relative to the project, with forward slashes.
    path: String,
    text: String,
}

impl Source {
    /// The room that a file of `src` belongs to: its first folder, or its own name.
    fn room(&self) -> &str {
        let inside = self.path.strip_prefix("src/").unwrap_or(&self.path);
        inside.split(['/', '.']).next().unwrap_or_default()
    }

    /// What is compiled into the product, line by line: nothing of an item for tests only, of a file of tests or of a
    /// build script. The lines that are left out are empty.
    fn product(&self) -> Vec<&str> {
        let is_aside =
            self.path.ends_with("tests.rs") || self.path.contains("/tests/") || self.path.ends_with("/build.rs");
        if is_aside { Vec::new() } else { without_test_items(&self.text) }
    }

    /// The statements of the product without comments, each with the number of its first line. An import over several
    /// lines is one statement.
    fn code(&self) -> Vec<(usize, String)> {
        let mut statements: Vec<(usize, String)> = Vec::new();
        let mut is_open = false;
        for (number, line) in (1..).zip(self.product()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            match statements.last_mut().filter(|_| is_open) {
                Some((_, statement)) => statement.push_str(line.trim()),
                None => {
                    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
                    is_open = words.next() == Some("use");
                    statements.push((number, line.to_owned()));
                }
            }
            is_open &= !line.trim_end().ends_with(';');
        }
        statements
    }
}

/// The lines of a source text, those of each item after `#[cfg(test)]` made empty.
fn without_test_items(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim() == "#[cfg(test)]" {
            let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
            // The formatter puts the end of an item of several lines under its first letter.
            let is_end = |line: &&str| {
                let own = line.strip_prefix(indent).filter(|rest| !rest.starts_with([' ', '#']));
                own.is_some_and(|rest| rest.starts_with('}') || rest.ends_with([';', '}']))
            };
            let length = 1 + lines[at..].iter().position(is_end).unwrap_or(lines.len() - at - 1);
            lines[at..at + length].fill("");
            at += length;
        } else {
            at += 1;
        }
    }
    lines
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![project().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(project()).unwrap().to_str().unwrap().replace('\\', "/");
                found.push(Source { path: relative, text: fs::read_to_string(&path).unwrap() });
            }
        }
    }
    found.sort_by(|one, two| one.path.cmp(&two.path));
    found
}

/// Our own files, product and tests, without fixtures.
fn all_sources() -> Vec<Source> {
    ["src", "tests/it", "benches"].into_iter().flat_map(sources).collect()
}

/// The rooms in the order of the law.
fn rooms() -> Vec<String> {
    let text = fs::read_to_string(project().join("src/lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

/// The rooms that a line's `crate::…` paths name, grouped imports included.
fn used_rooms(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rooms = Vec::new();
    for (place, path) in line.match_indices("crate::") {
        // `$crate::` in a macro is no less a use; `some_crate::` is none.
        if line[..place].ends_with(is_word) {
            continue;
        }
        let rest = &line[place + path.len()..];
        match rest.strip_prefix('{') {
            None => rooms.push(rest.split(|c| !is_word(c)).next().unwrap_or_default()),
            Some(group) => rooms.extend(top_level(group)),
        }
    }
    rooms
}

/// First words of the items of an import group, those of inner groups left out.
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

fn assert_none(rule: &str, problems: Vec<String>) {
    assert!(problems.is_empty(), "{rule}:\n{}", problems.join("\n"));
}

#[test]
fn rooms_use_only_rooms_above_them() {
    let rooms = rooms();
    let rank = |room: &str| rooms.iter().position(|known| known == room);
    assert!(rooms.len() > 10, "the list of rooms in src/lib.rs was not understood");
    let mut problems = Vec::new();
    for source in sources("src").iter().filter(|source| source.path != "src/lib.rs") {
        let client = CLIENTS.iter().find(|(client, _)| *client == source.room()).map(|(_, allowed)| *allowed);
        for (number, line) in source.code() {
            for used in used_rooms(&line).into_iter().chain(library_rooms(&line)) {
                let is_upward = matches!((rank(source.room()), rank(used)), (Some(own), Some(used)) if used > own);
                let is_barred = rank(used).is_some() && client.is_some_and(|allowed| !allowed.contains(&used));
                if is_upward || is_barred {
                    problems.push(format!("{}:{number} uses {used}", source.path));
                }
            }
        }
    }
    assert_none("a room may use only rooms above it in src/lib.rs, and clients only the engine", problems);
}

/// `main.rs` sees the library from outside.
fn library_rooms(line: &str) -> Option<&str> {
    line.split_once("knowing::")?.1.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

#[test]
fn outside_names_stay_in_their_rooms() {
    let mut problems = Vec::new();
    for source in sources("src") {
        for (number, line) in source.code() {
            for (name, allowed) in CONFINED {
                let is_used = line
                    .match_indices(name)
                    .any(|(place, _)| !line[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
                if is_used && !allowed.contains(&source.room()) {
                    problems.push(format!("{}:{number} names {name}", source.path));
                }
            }
        }
    }
    assert_none("these names are confined to other rooms", problems);
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut problems = Vec::new();
    for source in all_sources() {
        let lines = source.text.lines().count();
        if lines > MAX_FILE_LINES {
            problems.push(format!("{} has {lines} lines", source.path));
        }
        if !source.text.starts_with("//! ") {
            problems.push(format!("{} does not begin with a sentence about itself", source.path));
        }
    }
    assert_none("a file has at most 400 lines and begins with `//! `", problems);
}

#[test]
fn functions_are_short() {
    let mut problems = Vec::new();
    for source in all_sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (start, line) in lines.iter().enumerate() {
            let text = line.trim_start();
            let indent = &line[..line.len() - text.len()];
            if !is_function(text) {
                continue;
            }
            // The formatter puts a function's last brace, or the end of a mere signature, under its first letter.
            let is_end = |line: &&str| {
                line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}') || rest.ends_with(';'))
            };
            let length = 1 + lines[start..].iter().position(is_end).unwrap_or(0);
            if length > MAX_FUNCTION_LINES {
                problems.push(format!("{}:{} has {length} lines", source.path, start + 1));
            }
        }
    }
    assert_none("a function has at most 70 lines", problems);
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_prefix = |word: &str| word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe" | "extern");
    // One that opens and closes on its own line can't be long.
    words.find(|word| !is_prefix(word)) == Some("fn") && !line.ends_with('}') && !line.ends_with(';')
}

#[test]
fn nothing_is_left_unfinished() {
    let words = unfinished();
    let mut problems = Vec::new();
    for source in all_sources() {
        for (number, line) in (1..).zip(source.text.lines()) {
            if let Some(word) = words.iter().find(|word| line.contains(word.as_str())) {
                problems.push(format!("{}:{number} has {word}", source.path));
            }
            let is_silenced = ["dead_code", "unused"].iter().any(|lint| line.contains(&format!("allow({lint}")));
            if is_silenced {
                problems.push(format!("{}:{number} silences a lint about unused code", source.path));
            }
        }
    }
    assert_none("finish it or take it out", problems);
}

#[test]
fn every_file_is_part_of_the_program() {
    let all = sources("src");
    let by_path = |path: &str| all.iter().find(|source| source.path == path);
    let mut problems = Vec::new();
    for source in &all {
        let is_root =
            ["src/lib.rs", "src/main.rs"].contains(&source.path.as_str()) || source.path.ends_with("/build.rs");
        if is_root {
            continue;
        }
        let module = source.path.strip_suffix("/mod.rs").or(source.path.strip_suffix(".rs")).unwrap();
        let (folder, name) = module.rsplit_once('/').unwrap();
        let parents = [format!("{folder}/mod.rs"), format!("{folder}.rs"), format!("{folder}/lib.rs")];
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
    assert_none("a file that no `mod` names is never compiled", problems);
}

#[test]
fn dependencies_are_few() {
    let lock = fs::read_to_string(project().join("Cargo.lock")).unwrap();
    let locked = lock.matches("[[package]]").count();
    assert!(
        locked <= MAX_LOCKED_PACKAGES,
        "{locked} packages in Cargo.lock, at most {MAX_LOCKED_PACKAGES} are allowed"
    );
}

#[test]
fn tidy_leaves_out_only_what_is_for_tests() {
    let text = "mod a;\n#[cfg(test)]\nmod tests;\nuse crate::{\n    model::A,\n    text,\n};\n#[cfg(test)]\n\
                #[allow(clippy::all)]\nmod more {\n    use crate::cli;\n}\nfn f() {}\n";
    let source = Source { path: "src/b.rs".to_owned(), text: text.to_owned() };
    let code = source.code();
    let lines: Vec<(usize, &str)> =
        code.iter().map(|(number, line)| (*number, line.as_str())).filter(|(_, line)| !line.is_empty()).collect();
    assert_eq!(lines, [(1, "mod a;"), (4, "use crate::{model::A,text,};"), (13, "fn f() {}")]);
    assert_eq!(used_rooms(lines[1].1), ["model", "text"]);
}

#[test]
fn tidy_understands_imports() {
    assert_eq!(used_rooms("use crate::model::{Edge, Span};"), ["model"]);
    assert_eq!(used_rooms("use crate::{graph::{a, b}, text};"), ["graph", "text"]);
    assert_eq!(used_rooms("let x = crate::scan::read(other_crate::y);"), ["scan"]);
    let words: BTreeSet<String> = unfinished().into_iter().collect();
    assert_eq!(words.len(), 4);
    assert!(Path::new(&project()).join("Cargo.toml").is_file());
}
