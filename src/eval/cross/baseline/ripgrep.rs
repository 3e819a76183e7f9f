//! The scripted policy of an agent that has only ripgrep: search each word of the task, read the files with most
//! distinct words first, and in them the definition above each hit.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::BaselineError;
use super::words::task_words;

/// Maximum number of files whose hits are read.
const MAX_FILES: usize = 40;
/// Maximum number of hits of one word in one file.
const MAX_HITS: usize = 20;
/// Lines that are printed around a hit.
const CONTEXT: usize = 2;

/// The hits in one file.
#[derive(Debug, Default)]
struct FileHits {
    path: String,
    /// Number of different words.
    words: usize,
    /// Lines, from 1.
    lines: Vec<usize>,
}

/// Returns the types of ripgrep for a language; none for one that it has no type of.
fn types(language: &str) -> &'static [&'static str] {
    match language {
        "bash" => &["sh"],
        "c" | "cpp" => &["c", "cpp"],
        "csharp" => &["csharp"],
        "go" => &["go"],
        "java" => &["java"],
        "javascript" | "typescript" | "tsx" => &["js", "ts"],
        "kotlin" => &["kotlin"],
        "lua" => &["lua"],
        "php" => &["php"],
        "python" => &["py"],
        "ruby" => &["ruby"],
        "rust" => &["rust"],
        "scala" => &["scala"],
        "swift" => &["swift"],
        _ => &[],
    }
}

/// Returns the text that the policy reads: `path:line: text` of the definition lines and hits, best file first. Only files
/// of the language are searched.
///
/// # Errors
/// When ripgrep can't be started.
pub fn answer(root: &Path, language: &str, task: &str) -> Result<String, BaselineError> {
    let mut files: HashMap<String, FileHits> = HashMap::new();
    for word in task_words(task) {
        for (path, lines) in search(root, types(language), &word)? {
            let file = files.entry(path.clone()).or_insert_with(|| FileHits { path, ..FileHits::default() });
            file.words += 1;
            file.lines.extend(lines);
        }
    }
    let mut files: Vec<FileHits> = files.into_values().collect();
    // Ties: fewer hits are a more specific file, then the path.
    files.sort_by(|one, two| (two.words, one.lines.len(), &one.path).cmp(&(one.words, two.lines.len(), &two.path)));
    let mut text = String::new();
    for file in files.iter_mut().take(MAX_FILES) {
        file.lines.sort_unstable();
        file.lines.dedup();
        let bytes = fs::read(root.join(&file.path))?;
        let source = String::from_utf8_lossy(&bytes);
        excerpt(&file.path, &source.lines().collect::<Vec<_>>(), &file.lines, &mut text);
    }
    Ok(text)
}

/// Returns the files of some types that contain a word, with the lines of its first hits.
fn search(root: &Path, types: &[&str], word: &str) -> Result<HashMap<String, Vec<usize>>, BaselineError> {
    let hits = MAX_HITS.to_string();
    let flags = ["--line-number", "--no-heading", "--with-filename", "--ignore-case", "--fixed-strings", "--sort=path"];
    let output = Command::new("rg")
        .args(flags)
        .args(types.iter().flat_map(|name| ["--type", name]))
        .args(["--max-columns=300", "--max-count", &hits, "--", word, "."])
        .current_dir(root)
        .output()?;
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut parts = line.splitn(3, ':');
        if let (Some(path), Some(Ok(number))) = (parts.next(), parts.next().map(str::parse)) {
            found.entry(path.trim_start_matches("./").to_owned()).or_default().push(number);
        }
    }
    Ok(found)
}

/// Writes the lines around the hits, each with its place, and before them the line of the block that they are in: the
/// nearest one above with less indentation.
fn excerpt(path: &str, lines: &[&str], hits: &[usize], text: &mut String) {
    let mut printed = 0;
    for hit in hits.iter().copied().filter(|hit| (1..=lines.len()).contains(hit)) {
        let indentation = |line: &str| line.len() - line.trim_start().len();
        let own = indentation(lines[hit - 1]);
        let is_head = |number: &usize| !lines[number - 1].trim().is_empty() && indentation(lines[number - 1]) < own;
        let head = (1..hit).rev().find(is_head).filter(|head| *head > printed && hit - head > CONTEXT);
        let first = hit.saturating_sub(CONTEXT).max(printed + 1).max(1);
        // The hit's own line comes first, so that it is the first result of its excerpt.
        for number in head.into_iter().chain(first..=(hit + CONTEXT).min(lines.len())) {
            // Writing to a string succeeds.
            let _ = writeln!(text, "{path}:{number}: {}", lines[number - 1]);
            printed = printed.max(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_language_are_searched() {
        if Command::new("rg").arg("--version").output().is_err() {
            // Without ripgrep the system is absent from a run, too.
            return;
        }
        let temporary = tempfile::tempdir().unwrap();
        fs::write(temporary.path().join("cart.py"), "def total():\n    pass\n").unwrap();
        fs::write(temporary.path().join("cart.md"), "The total of a cart.\n").unwrap();
        let text = |language| answer(temporary.path(), language, "total").unwrap();
        assert!(text("python").starts_with("cart.py:1:") && !text("python").contains("cart.md"));
        assert!(text("").contains("cart.md"));
    }

    #[test]
    fn excerpt_has_the_block_and_the_lines_around_a_hit() {
        let lines =
            ["class Cart:", "    a = 1", "    b = 2", "    c = 3", "    total = 4", "    d = 5", "    e = 6", "    f"];
        let mut text = String::new();
        excerpt("cart.py", &lines, &[5, 6], &mut text);
        let numbers: Vec<&str> = text.lines().map(|line| line.split(':').nth(1).unwrap()).collect();
        assert_eq!(numbers, ["1", "3", "4", "5", "6", "7", "8"]);
    }
}
