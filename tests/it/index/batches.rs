//! Random batches of edits to real sources: an update equals a rebuild after each.
//!
//! Names are replaced by names of the same repository, lines move between files, files are deleted, copied and moved,
//! and some of it is broken syntax. `KNOWING_BATCHES` sets the number of batches, `KNOWING_BATCHES_SEED` the seed, and
//! `KNOWING_BATCHES_SOURCES` a repository whose sources are copied. Without it the fixtures are used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use knowing_analysis::lang::language_of;

use super::dump::{difference, dump};
use super::incremental::{run, write};
use super::source::Dice;

/// Number of batches, unless `KNOWING_BATCHES` says another.
const BATCHES: u64 = 2;
/// Maximum number of edits of a batch.
const MAX_EDITS: u64 = 12;

/// The texts of a repository by path.
pub(super) type Texts = BTreeMap<PathBuf, String>;

#[test]
fn random_batches_equal_a_rebuild() {
    let number = |name: &str, default| std::env::var(name).ok().map_or(default, |number| number.parse().unwrap());
    let (batches, seed) = (number("KNOWING_BATCHES", BATCHES), number("KNOWING_BATCHES_SEED", 1));
    let fixtures = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let sources = std::env::var_os("KNOWING_BATCHES_SOURCES").map_or_else(fixtures, PathBuf::from);
    let original = texts(&sources);
    let dice = &mut Dice::new(seed);
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let mut current = Texts::new();
    change(&root, &mut current, original.clone());
    run(&root, &database, 2);
    let (mut differing, mut resolved) = (Vec::new(), 0);
    for batch in 0..batches {
        let mut next = if dice.roll(6) == 0 { original.clone() } else { current.clone() };
        let edits: Vec<String> = (0..=dice.roll(MAX_EDITS)).map(|_| edit(&mut next, &original, dice)).collect();
        change(&root, &mut current, next);
        resolved += run(&root, &database, 2).resolved_files;
        let rebuilt = folder.path().join("rebuilt.db");
        run(&root, &rebuilt, 2);
        let lines = difference(&dump(&database), &dump(&rebuilt));
        if lines.is_empty() {
            std::fs::remove_file(&rebuilt).unwrap();
        } else {
            differing.push(format!("batch {batch}\n  {}\n{}", edits.join("\n  "), lines.join("\n")));
            // The next batch starts from a correct index.
            std::fs::rename(&rebuilt, &database).unwrap();
        }
    }
    let files = original.len();
    println!("{batches} batches, {files} files, {resolved} resolved again, {} batches differ", differing.len());
    assert!(differing.is_empty(), "updated (-) and rebuilt (+):\n{}", differing.join("\n\n"));
}

/// Returns the source files and manifests of a folder.
pub(super) fn texts(folder: &Path) -> Texts {
    const MANIFESTS: &[&str] = &["Cargo.toml", "go.mod", "package.json", "tsconfig.json", "pyproject.toml"];
    let mut texts = Texts::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = std::fs::symlink_metadata(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if metadata.is_dir() && ![".git", "target", "node_modules"].contains(&name.as_str()) {
                folders.push(path);
            } else if metadata.is_file()
                && (language_of(&name).is_some() || MANIFESTS.contains(&name.as_str()))
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                texts.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            }
        }
    }
    texts
}

/// Writes and deletes the files whose texts differ.
pub(super) fn change(root: &Path, current: &mut Texts, next: Texts) {
    for path in current.keys().filter(|path| !next.contains_key(*path)) {
        std::fs::remove_file(root.join(path)).unwrap();
    }
    for (path, text) in next.iter().filter(|(path, text)| current.get(*path) != Some(text)) {
        write(&root.join(path), text);
    }
    *current = next;
}

/// Makes one edit, and returns a description.
fn edit(texts: &mut Texts, original: &Texts, dice: &mut Dice) -> String {
    let (path, other) = (any_path(texts, dice), any_path(texts, dice));
    let (text, from) = (texts[&path].clone(), texts[&other].clone());
    let shown = path.display();
    match dice.roll(16) {
        0..5 => {
            let (old, new) = (any_word(&text, dice), any_word(&from, dice));
            texts.insert(path.clone(), replace_word(&text, &old, &new, dice));
            format!("{shown}: {old} becomes {new}")
        }
        5..8 => {
            // A definition or an import is at the start of a line.
            let line = any_line(&from, dice);
            let mut lines: Vec<&str> = text.lines().collect();
            lines.insert(dice.roll(lines.len() as u64 + 1) as usize, &line);
            texts.insert(path.clone(), lines.join("\n") + "\n");
            format!("{shown}: a line of {}: {line}", other.display())
        }
        8..11 => {
            let mut lines: Vec<&str> = text.lines().collect();
            let at = dice.roll(lines.len().max(1) as u64) as usize;
            let count = (1 + dice.roll(3) as usize).min(lines.len() - at.min(lines.len()));
            let removed = lines.drain(at..at + count).collect::<Vec<_>>().join(" / ");
            texts.insert(path.clone(), lines.join("\n") + "\n");
            format!("{shown}: without {removed}")
        }
        11 => {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.truncate(dice.roll(lines.len() as u64 + 1) as usize);
            texts.insert(path.clone(), lines.join("\n") + "\n");
            format!("{shown}: cut after {} lines", lines.len())
        }
        12 => {
            if texts.len() > 1 {
                texts.remove(&path);
            }
            format!("{shown} is deleted")
        }
        13 => {
            texts.insert(path.clone(), from);
            format!("{} is copied over {shown}", other.display())
        }
        14 => {
            let target = other.parent().unwrap().join(path.file_name().unwrap());
            texts.remove(&path);
            texts.insert(target.clone(), text);
            format!("{shown} moves to {}", target.display())
        }
        _ => {
            let path = any_path(original, dice);
            texts.insert(path.clone(), original[&path].clone());
            format!("{} is restored", path.display())
        }
    }
}

fn any_path(texts: &Texts, dice: &mut Dice) -> PathBuf {
    texts.keys().nth(dice.roll(texts.len() as u64) as usize).unwrap().clone()
}

/// Returns a line, rather one that is not indented.
fn any_line(text: &str, dice: &mut Dice) -> String {
    let top: Vec<&str> = text.lines().filter(|line| line.starts_with(char::is_alphabetic)).collect();
    let lines = if top.is_empty() || dice.roll(4) == 0 { text.lines().collect() } else { top };
    lines.get(dice.roll(lines.len().max(1) as u64) as usize).copied().unwrap_or_default().to_owned()
}

/// Returns a name of a text, or `x`.
fn any_word(text: &str, dice: &mut Dice) -> String {
    let words: Vec<&str> = words(text).map(|(_, word)| word).collect();
    words.get(dice.roll(words.len().max(1) as u64) as usize).copied().unwrap_or("x").to_owned()
}

/// Replaces one occurrence of a name, or all of them.
fn replace_word(text: &str, old: &str, new: &str, dice: &mut Dice) -> String {
    let mut at: Vec<usize> = words(text).filter(|(_, word)| *word == old).map(|(at, _)| at).collect();
    if dice.roll(3) != 0 && !at.is_empty() {
        at = vec![at[dice.roll(at.len() as u64) as usize]];
    }
    let mut text = text.to_owned();
    at.into_iter().rev().for_each(|at| text.replace_range(at..at + old.len(), new));
    text
}

/// Returns the names of a text with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(move |letter| !is_part(letter))
        .filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_'))
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
