//! Rules of `ARCHITECTURE.md` and `CONTRIBUTING.md` that a machine can check, read from the sources.

mod structure;
mod wording;

use std::fs;
use std::path::PathBuf;

/// The folders of the crates of the program, from the lowest to the clients.
const CRATES: [&str; 4] = ["src/analysis", "src/indexing", "src/retrieval", "src"];

struct Source {
    /// Path relative to the project, with forward slashes.
    path: String,
    text: String,
}

impl Source {
    /// Returns the module that a file of `src` belongs to: the first folder in its crate, or its own name. The crate
    /// `knowing-eval` counts as one module.
    fn module(&self) -> &str {
        let inside = CRATES.iter().find_map(|folder| self.path.strip_prefix(folder)?.strip_prefix('/'));
        inside.unwrap_or(&self.path).split(['/', '.']).next().unwrap_or_default()
    }

    /// Returns the lines that are compiled into the program. Lines of `#[cfg(test)]` items, test files and the build
    /// script are empty.
    fn product(&self) -> Vec<&str> {
        let is_test =
            self.path.ends_with("tests.rs") || self.path.contains("/tests/") || self.path.ends_with("build.rs");
        if is_test { Vec::new() } else { without_test_items(&self.text) }
    }

    /// Returns the program's lines without comments, each with its number. A `use` over several lines is one line.
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

/// Returns the lines of a source text; those of each item after `#[cfg(test)]` are empty.
fn without_test_items(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim() == "#[cfg(test)]" {
            let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
            // rustfmt aligns the end of an item with its start.
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

/// Returns the files of the program, its tests and its benchmarks, without fixtures.
fn all_sources() -> Vec<Source> {
    ["src", "tests/it", "benches"].into_iter().flat_map(sources).collect()
}

fn assert_none(rule: &str, problems: Vec<String>) {
    assert!(problems.is_empty(), "{rule}:\n{}", problems.join("\n"));
}

#[test]
fn test_items_are_left_out() {
    let text = "mod a;\n#[cfg(test)]\nmod tests;\nuse crate::{\n    model::A,\n    text,\n};\n#[cfg(test)]\n\
                #[allow(clippy::all)]\nmod more {\n    use crate::cli;\n}\nfn f() {}\n";
    let source = Source { path: "src/b.rs".to_owned(), text: text.to_owned() };
    let code = source.code();
    let lines: Vec<(usize, &str)> =
        code.iter().map(|(number, line)| (*number, line.as_str())).filter(|(_, line)| !line.is_empty()).collect();
    assert_eq!(lines, [(1, "mod a;"), (4, "use crate::{model::A,text,};"), (13, "fn f() {}")]);
}
