//! The TOML format of a seed file: concepts with their line numbers.
//!
//! # Why
//!
//! The build script parses the embedded files with this code and stores the result, so that nothing is parsed at start.
//! The files of a user are parsed with the same code at run time. Since the build script includes it, it uses no other
//! module.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A file of concepts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedFile {
    /// Path for messages, relative to `seeds/` if embedded.
    pub path: String,
    /// The framework's name for display.
    pub name: String,
    /// The language of the repositories that the concepts apply to, one of [`LANGUAGES`].
    pub language: Option<String>,
    /// Packages of which the repository must use or be one, as manifests and imports write them.
    pub packages: Vec<String>,
    /// Names of concepts of other files that this file disables.
    pub disable: Vec<String>,
    pub concepts: Vec<SeedConcept>,
}

/// A concept of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedConcept {
    /// Its name.
    pub concept: String,
    pub phrases: Vec<Phrase>,
    /// Names of symbols, plain or `Type.member`.
    pub targets: Vec<String>,
    /// A source that documents that the phrases mean the targets; may be empty.
    pub reference: String,
    /// Line of its name, from 1.
    pub line: u32,
}

/// A phrase of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    pub text: String,
    /// The stems of its words without articles, between spaces.
    pub stems: String,
}

/// A problem of a seed file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub path: String,
    /// From 1; 0 for the whole file.
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

/// Limit of the phrases, and of the targets, of a concept.
const MAX_ENTRIES: usize = 100;

/// Languages that a file may apply to: those of [`crate::lang`], which the build script cannot use.
pub const LANGUAGES: [&str; 39] = [
    "bash",
    "c",
    "clojure",
    "csharp",
    "css",
    "dart",
    "dockerfile",
    "dotenv",
    "elixir",
    "elm",
    "erlang",
    "gdscript",
    "go",
    "graphql",
    "groovy",
    "haskell",
    "java",
    "json",
    "just",
    "kotlin",
    "lua",
    "makefile",
    "nix",
    "php",
    "powershell",
    "proto",
    "python",
    "r",
    "ruby",
    "rust",
    "scala",
    "solidity",
    "sql",
    "swift",
    "template",
    "terraform",
    "typescript",
    "yaml",
    "zig",
];

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
    #[serde(default, rename = "class", alias = "concept")]
    concepts: Vec<RawConcept>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConcept {
    #[serde(alias = "name")]
    concept: Spanned<String>,
    phrases: Vec<String>,
    targets: Vec<String>,
    #[serde(default, rename = "ref")]
    reference: String,
}

/// Parses a file. Invalid concepts are skipped and reported; a file that fails to parse yields one problem. `stems`
/// returns the stems of a text's words.
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
    let mut concepts: Vec<SeedConcept> = Vec::new();
    let mut names = HashSet::new();
    for raw in raw.concepts {
        let line = line_of(raw.concept.span().start);
        let entry = raw.entry(line, stems);
        match entry.problem() {
            Some(message) => problems.push(problem(line, message)),
            None if !names.insert(entry.concept.clone()) => {
                problems.push(problem(line, format!("the concept {} is in this file already", entry.concept)));
            }
            None => concepts.push(entry),
        }
    }
    let language = raw.language.map(Spanned::into_inner);
    let (name, packages, disable) = (raw.name, raw.packages, raw.disable);
    (SeedFile { path: path.to_owned(), name, language, packages, disable, concepts }, problems)
}

/// Joins stems without articles, each between spaces.
fn join_stems(stems: &[String]) -> String {
    let mut joined = String::from(" ");
    for stem in stems.iter().filter(|stem| !is_article(stem)) {
        joined.push_str(stem);
        joined.push(' ');
    }
    joined
}

/// Returns whether a word is an article; `upload a file` and `upload the file` are the same phrase.
pub fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

impl RawConcept {
    fn entry(self, line: u32, stems: &dyn Fn(&str) -> Vec<String>) -> SeedConcept {
        let phrase = |text: String| Phrase { stems: join_stems(&stems(&text)), text };
        SeedConcept {
            concept: self.concept.into_inner(),
            phrases: self.phrases.into_iter().map(phrase).collect(),
            targets: self.targets,
            reference: self.reference,
            line,
        }
    }
}

impl SeedConcept {
    /// Returns why the concept can't be used.
    fn problem(&self) -> Option<String> {
        let concept = &self.concept;
        if concept.trim().is_empty() {
            return Some("a concept has an empty name".to_owned());
        }
        if self.phrases.is_empty() {
            return Some(format!("{concept} has no phrases"));
        }
        if self.targets.is_empty() {
            return Some(format!("{concept} has no targets"));
        }
        let most = self.phrases.len().max(self.targets.len());
        if most > MAX_ENTRIES {
            return Some(format!(
                "{concept} has {most} phrases or targets; a concept has at most {MAX_ENTRIES} of each"
            ));
        }
        let wordless = self.phrases.iter().find(|phrase| phrase.stems.trim().is_empty());
        if let Some(phrase) = wordless {
            return Some(format!("{concept} has a phrase without a word: \"{}\"", phrase.text.escape_debug()));
        }
        let unnamed = self.targets.iter().find(|target| !is_target(target));
        unnamed.map(|target| {
            let target = target.escape_debug();
            format!("{concept} has a target that is not a name: \"{target}\"; write `Name` or `Type.member`")
        })
    }
}

/// Returns whether a target has the form `Name` or `Type.member`. In Ruby a name may end with `?` or `!`.
fn is_target(target: &str) -> bool {
    let target = target.strip_suffix(['?', '!']).unwrap_or(target);
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
    fn concepts_have_their_lines() {
        let text = "language = \"go\"\npackages = [\"a/b\"]\n\n[[class]]\nconcept = \"ONE\"\nphrases = [\"x\"]\ntargets = \
                    [\"X\", \"T.m\"]\nref = \"R\"\n\n[[class]]\nconcept = \"TWO\"\nphrases = [\"y\"]\ntargets = [\"Y\"]\n";
        let (file, problems) = read(text);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(
            file.concepts.iter().map(|entry| (entry.concept.as_str(), entry.line)).collect::<Vec<_>>(),
            [("ONE", 5), ("TWO", 11)]
        );
        assert_eq!((file.language.as_deref(), &file.packages[..]), (Some("go"), &["a/b".to_owned()][..]));
        assert_eq!((&file.concepts[0].reference[..], &file.concepts[1].reference[..]), ("R", ""));
    }

    #[test]
    fn concept_tables_are_accepted() {
        let (file, problems) = read("[[concept]]\nname = \"ONE\"\nphrases = [\"x\"]\ntargets = [\"X\"]\n");
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(file.concepts[0].concept, "ONE");
    }

    #[test]
    fn invalid_concepts_are_skipped_and_reported() {
        let text = "[[class]]\nconcept = \"A\"\nphrases = []\ntargets = [\"X\"]\n[[class]]\nconcept = \"B\"\nphrases = \
                    [\"b\"]\ntargets = [\"has blank\"]\n[[class]]\nconcept = \"C\"\nphrases = [\"c\"]\ntargets = \
                    [\"C\"]\n[[class]]\nconcept = \"C\"\nphrases = [\"c\"]\ntargets = [\"C\"]\n";
        let (file, problems) = read(text);
        assert_eq!(file.concepts.len(), 1);
        assert_eq!(
            problems,
            [
                "ours.toml:2: A has no phrases",
                "ours.toml:6: B has a target that is not a name: \"has blank\"; write `Name` or `Type.member`",
                "ours.toml:14: the concept C is in this file already",
            ]
        );
    }

    #[test]
    fn languages_are_those_of_the_registry() {
        let mut languages = LANGUAGES;
        languages.sort_unstable();
        assert!(crate::lang::LANGUAGES.iter().map(|language| language.name).eq(languages));
    }

    #[test]
    fn too_many_phrases_are_reported() {
        let phrases: Vec<String> = (0..=MAX_ENTRIES).map(|number| format!("\"p{number}\"")).collect();
        let text = format!("[[class]]\nconcept = \"A\"\nphrases = [{}]\ntargets = [\"X\"]\n", phrases.join(", "));
        let (file, problems) = read(&text);
        assert!(file.concepts.is_empty());
        assert_eq!(problems, ["ours.toml:2: A has 101 phrases or targets; a concept has at most 100 of each"]);
    }

    #[test]
    fn parse_errors_have_a_line() {
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
