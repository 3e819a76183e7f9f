//! A file of `seeds/` as it is written: equivalence classes in TOML, each known by its line.
//!
//! # Why
//!
//! The build script reads the embedded files with this very code and stores what it read, so that nothing is parsed when
//! the program starts; a user's files go through the same code at run time. It therefore knows no other room.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A file of classes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedFile {
    /// Where it is, for messages: relative to `seeds/` when embedded.
    pub path: String,
    /// What the classes are about: a framework's name as people write it.
    pub name: String,
    /// The language whose repositories the classes are for: `go`, `python`, `typescript` or `rust`.
    pub language: Option<String>,
    /// Packages that a repository must use, or be, for the classes to fire; as manifests and imports write them.
    pub packages: Vec<String>,
    /// Concepts of other files that this one switches off.
    pub disable: Vec<String>,
    pub classes: Vec<Entry>,
}

/// A class of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub concept: String,
    pub phrases: Vec<Phrase>,
    /// Names of symbols, plain or `Type.member`.
    pub targets: Vec<String>,
    /// Where a reader finds that the phrases mean the targets; empty when the file does not say.
    pub reference: String,
    /// Line of its concept, from 1.
    pub line: u32,
}

/// What people say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    pub text: String,
    /// Its words without articles, stemmed, between blanks.
    pub stems: String,
}

/// Something wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub path: String,
    /// From 1; 0 when the file as a whole is meant.
    pub line: u32,
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Phrases of a class, and targets, at most: a concept with more is several.
const MOST: usize = 100;

/// Languages that a file may be for.
pub const LANGUAGES: [&str; 4] = ["go", "python", "typescript", "rust"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    name: String,
    language: Option<Spanned<String>>,
    #[serde(default)]
    packages: Vec<String>,
    #[serde(default)]
    disable: Vec<String>,
    #[serde(default, rename = "class")]
    classes: Vec<RawClass>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClass {
    concept: Spanned<String>,
    phrases: Vec<String>,
    targets: Vec<String>,
    #[serde(default, rename = "ref")]
    reference: String,
}

/// Reads a file. A class that can't be used is left out and told of; a file that is no TOML, or has a field that no such
/// file has, gives one problem. `stems` gives the stems of a text's words.
pub fn parse(path: &str, text: &str, stems: &dyn Fn(&str) -> Vec<String>) -> (SeedFile, Vec<Problem>) {
    let problem = |line: u32, message: String| Problem { path: path.to_owned(), line, message };
    let ends: Vec<usize> = text.match_indices('\n').map(|(byte, _)| byte).collect();
    let line_of = |byte: usize| 1 + ends.partition_point(|end| *end < byte) as u32;
    let raw: RawFile = match toml::from_str(text) {
        Ok(raw) => raw,
        Err(error) => {
            let line = error.span().map_or(0, |span| line_of(span.start));
            return (SeedFile::default(), vec![problem(line, error.message().to_owned())]);
        }
    };
    let mut problems = Vec::new();
    if let Some(language) = raw.language.as_ref().filter(|language| !LANGUAGES.contains(&language.as_ref().as_str())) {
        let known = LANGUAGES.join(", ");
        let message = format!("there is no language `{}`; write one of {known}", language.as_ref());
        return (SeedFile::default(), vec![problem(line_of(language.span().start), message)]);
    }
    let mut classes: Vec<Entry> = Vec::new();
    let mut concepts = HashSet::new();
    for class in raw.classes {
        let line = line_of(class.concept.span().start);
        let entry = class.entry(line, stems);
        match entry.flaw() {
            Some(flaw) => problems.push(problem(line, flaw)),
            None if !concepts.insert(entry.concept.clone()) => {
                problems.push(problem(line, format!("the concept {} stands in this file already", entry.concept)));
            }
            None => classes.push(entry),
        }
    }
    let language = raw.language.map(Spanned::into_inner);
    let (name, packages, disable) = (raw.name, raw.packages, raw.disable);
    (SeedFile { path: path.to_owned(), name, language, packages, disable, classes }, problems)
}

/// Stems as they are matched: those of articles left out, each between blanks.
fn between_blanks(stems: &[String]) -> String {
    let mut joined = String::from(" ");
    for stem in stems.iter().filter(|stem| !is_article(stem)) {
        joined.push_str(stem);
        joined.push(' ');
    }
    joined
}

/// True for a word that makes no difference: `upload a file` is `upload the file`.
pub fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

impl RawClass {
    fn entry(self, line: u32, stems: &dyn Fn(&str) -> Vec<String>) -> Entry {
        let phrase = |text: String| Phrase { stems: between_blanks(&stems(&text)), text };
        Entry {
            concept: self.concept.into_inner(),
            phrases: self.phrases.into_iter().map(phrase).collect(),
            targets: self.targets,
            reference: self.reference,
            line,
        }
    }
}

impl Entry {
    /// Why the class can't be used at all.
    fn flaw(&self) -> Option<String> {
        let concept = &self.concept;
        if concept.trim().is_empty() {
            return Some("a class has an empty concept".to_owned());
        }
        if self.phrases.is_empty() {
            return Some(format!("{concept} has no phrases"));
        }
        if self.targets.is_empty() {
            return Some(format!("{concept} has no targets"));
        }
        let most = self.phrases.len().max(self.targets.len());
        if most > MOST {
            return Some(format!("{concept} has {most} phrases or targets; a class has at most {MOST} of each"));
        }
        let wordless = self.phrases.iter().find(|phrase| phrase.stems.trim().is_empty());
        if let Some(phrase) = wordless {
            return Some(format!("{concept} has a phrase without a word: \"{}\"", phrase.text.escape_debug()));
        }
        let unnamed = self.targets.iter().find(|target| !is_target(target));
        unnamed.map(|target| {
            let target = target.escape_debug();
            format!("{concept} has a target that is no name: \"{target}\"; write `Name` or `Type.member`")
        })
    }
}

/// True for `Name` and `Type.member`.
fn is_target(target: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    target.split('.').count() <= 2 && target.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (SeedFile, Vec<String>) {
        let (file, problems) = parse("ours.toml", text, &|text| text.split(' ').map(str::to_owned).collect());
        (file, problems.iter().map(Problem::to_string).collect())
    }

    #[test]
    fn classes_know_their_lines() {
        let text = "language = \"go\"\npackages = [\"a/b\"]\n\n[[class]]\nconcept = \"ONE\"\nphrases = [\"x\"]\ntargets = \
                    [\"X\", \"T.m\"]\nref = \"R\"\n\n[[class]]\nconcept = \"TWO\"\nphrases = [\"y\"]\ntargets = [\"Y\"]\n";
        let (file, problems) = read(text);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(
            file.classes.iter().map(|entry| (entry.concept.as_str(), entry.line)).collect::<Vec<_>>(),
            [("ONE", 5), ("TWO", 11)]
        );
        assert_eq!((file.language.as_deref(), &file.packages[..]), (Some("go"), &["a/b".to_owned()][..]));
        assert_eq!((&file.classes[0].reference[..], &file.classes[1].reference[..]), ("R", ""));
    }

    #[test]
    fn a_bad_class_is_left_out_and_told_of() {
        let text = "[[class]]\nconcept = \"A\"\nphrases = []\ntargets = [\"X\"]\n[[class]]\nconcept = \"B\"\nphrases = \
                    [\"b\"]\ntargets = [\"has blank\"]\n[[class]]\nconcept = \"C\"\nphrases = [\"c\"]\ntargets = \
                    [\"C\"]\n[[class]]\nconcept = \"C\"\nphrases = [\"c\"]\ntargets = [\"C\"]\n";
        let (file, problems) = read(text);
        assert_eq!(file.classes.len(), 1);
        assert_eq!(
            problems,
            [
                "ours.toml:2: A has no phrases",
                "ours.toml:6: B has a target that is no name: \"has blank\"; write `Name` or `Type.member`",
                "ours.toml:14: the concept C stands in this file already",
            ]
        );
    }

    #[test]
    fn a_class_of_thousands_is_none() {
        let phrases: Vec<String> = (0..=MOST).map(|number| format!("\"p{number}\"")).collect();
        let text = format!("[[class]]\nconcept = \"A\"\nphrases = [{}]\ntargets = [\"X\"]\n", phrases.join(", "));
        let (file, problems) = read(&text);
        assert!(file.classes.is_empty());
        assert_eq!(problems, ["ours.toml:2: A has 101 phrases or targets; a class has at most 100 of each"]);
    }

    #[test]
    fn a_bad_file_says_where() {
        for (text, expected) in [
            ("[[class]]\nconcept = \"A\"\nphrase = []\n", "ours.toml:3: unknown field `phrase`"),
            ("[[class]]\nconcept = \"A\"\nphrases = [\n", "ours.toml:"),
            ("language = \"cobol\"\n", "ours.toml:1: there is no language `cobol`"),
            ("[[class]]\nconcept = \"A\"\nphrases = [\"a\"]\n", "ours.toml:1: missing field `targets`"),
        ] {
            let (file, problems) = read(text);
            assert_eq!(file, SeedFile::default());
            assert!(problems.len() == 1 && problems[0].starts_with(expected), "{problems:?}");
        }
    }
}
