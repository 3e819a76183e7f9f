//! Spelling: no common misspelling and no British variant in code, comments, tests and documents.
//!
//! The dictionaries are those of the `typos` program. A word that they reject and that is right here (a name, a test's
//! input) has a line in `tests/words.txt`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use typos::tokens::{Case, Identifier, Tokenizer, Word};
use typos::{Dictionary, Status, check_str};
use typos_vars::Category;

/// Folders and files that are checked, relative to the project.
const CHECKED: &[&str] = &["src", "tests/it", "tests/eval", "benches", "migrations", "themes", "assets/guide"];
/// Documents that are checked.
const DOCUMENTS: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", ".github/SECURITY.md"];
const EXTENSIONS: &[&str] = &["rs", "md", "sql", "toml", "scm"];

/// American English without common misspellings.
struct American {
    /// Accepted words, in lower case.
    accepted: Vec<String>,
}

impl American {
    fn read() -> American {
        let text = fs::read_to_string(project().join("tests/words.txt")).unwrap();
        let words = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        American { accepted: words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect() }
    }

    fn accepts(&self, word: &str) -> bool {
        self.accepted.contains(&word.to_lowercase())
    }
}

impl Dictionary for American {
    fn correct_ident<'s>(&'s self, identifier: Identifier<'_>) -> Option<Status<'s>> {
        self.accepts(identifier.token()).then_some(Status::Valid)
    }

    fn correct_word<'s>(&'s self, word: Word<'_>) -> Option<Status<'s>> {
        // Splitting leaves fragments such as `ba` of hexadecimal numbers.
        if word.case() == Case::None || word.token().len() < 4 || self.accepts(word.token()) {
            return Some(Status::Valid);
        }
        let key = unicase::UniCase::new(word.token());
        if let Some(corrections) = typos_dict::WORD.find(&key) {
            return Some(Status::Corrections(corrections.iter().map(|word| (*word).into()).collect()));
        }
        let variants = typos_vars::VARS.find(&key)?;
        let is_american =
            |categories: u8| typos_vars::CategorySet::from_bits_truncate(categories).contains(Category::American);
        if variants.iter().any(|(categories, _)| is_american(*categories)) {
            return Some(Status::Valid);
        }
        let american = variants.iter().flat_map(|(_, map)| typos_vars::corrections(Category::American, **map));
        Some(Status::Corrections(american.map(|word| (*word).into()).collect()))
    }
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
        found.push(path.to_owned());
    }
}

/// Returns the misspellings of a text with their lines. `right` has the parts of texts without any: most are there many times, and
/// splitting them into words takes longest.
fn misspellings(text: &str, dictionary: &American, right: &mut HashSet<String>) -> Vec<String> {
    let (mut found, tokenizer) = (Vec::new(), Tokenizer::new());
    for (line, text) in (1..).zip(text.lines()) {
        for part in text.split_whitespace() {
            if right.contains(part) {
                continue;
            }
            let before = found.len();
            for typo in check_str(part, &tokenizer, dictionary) {
                let corrections: Vec<&str> = match &typo.corrections {
                    Status::Corrections(words) => words.iter().map(AsRef::as_ref).collect(),
                    Status::Valid | Status::Invalid => Vec::new(),
                };
                found.push(format!("{line}: {} -> {}", typo.typo, corrections.join(" or ")));
            }
            if found.len() == before {
                right.insert(part.to_owned());
            }
        }
    }
    found
}

#[test]
fn words_are_spelled_as_in_american_dictionaries() {
    let dictionary = American::read();
    let mut paths = Vec::new();
    for path in CHECKED.iter().chain(DOCUMENTS) {
        assert!(project().join(path).exists(), "{path} does not exist");
        files(&project().join(path), &mut paths);
    }
    paths.sort();
    let (mut problems, mut right) = (Vec::new(), HashSet::new());
    // The examples below are misspelled on purpose.
    paths.retain(|path| !path.ends_with(file!()));
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(project()).unwrap().display().to_string();
        problems.extend(
            misspellings(&text, &dictionary, &mut right).into_iter().map(|problem| format!("{name}:{problem}")),
        );
    }
    assert!(problems.is_empty(), "correct these, or add the word to tests/words.txt:\n{}", problems.join("\n"));
}

#[test]
fn misspellings_and_british_variants_are_found() {
    let dictionary = American { accepted: vec!["colour".to_owned()] };
    let found = misspellings("let recieved = colour(neighbour);\n// normalize", &dictionary, &mut HashSet::new());
    assert_eq!(found, ["1: recieved -> received", "1: neighbour -> neighbor"]);
}
