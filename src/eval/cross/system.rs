//! Systems as data: how each is installed, run and read, from `tests/eval/systems/*.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::record::{SystemRecord, SystemStatus};

/// A system under test.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Short name, as for `--only`.
    pub name: String,
    pub title: String,
    /// The version that is installed.
    pub version: String,
    pub license: String,
    /// Whether it updates an index; the others index again.
    pub updates: bool,
    /// Whether it learns from feedback.
    pub learns: bool,
    /// Whether it prints scores.
    pub gives_scores: bool,
    /// Limits of the system, and how they are bridged.
    #[serde(default)]
    pub notes: Vec<String>,
    pub install: Install,
    /// Variables of the environment of each of its processes.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Absent for a system without an index.
    pub index: Option<Step>,
    /// The system before it in the order of a report that makes the same index, which is then made once for both.
    pub index_of: Option<String>,
    /// Brings the index up to date. Absent if the index command does.
    pub update: Option<Step>,
    pub query: Query,
    /// Searches for `{word}`, to tell a symbol that is not in the index from one that was not found.
    pub lookup: Option<Step>,
    /// Records votes. Absent for a system that does not learn, or has no command for it.
    pub feedback: Option<Feedback>,
    /// Files and folders of its index.
    #[serde(default)]
    pub database: Vec<String>,
}

/// The installation of a system.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    pub registry: Registry,
    /// Folder in the cache; systems with the same packages share one.
    #[serde(default)]
    pub folder: String,
    /// Packages with their versions, in the registry's notation.
    #[serde(default)]
    pub packages: Vec<String>,
    /// A command that fails when the system can't run here.
    #[serde(default)]
    pub check: Vec<String>,
    /// Text that the check must print.
    #[serde(default)]
    pub check_prints: String,
    /// Scripts of ours that are written beside the packages.
    #[serde(default)]
    pub scripts: Vec<String>,
}

/// The origin of packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Registry {
    /// This program.
    Own,
    /// A program that must be on the path.
    Path,
    Npm,
    Pypi,
    Crates,
}

/// A command.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The program and its arguments, with placeholders.
    pub command: Vec<String>,
    /// The command for a repository by its main language, instead of `command`.
    #[serde(default)]
    pub languages: BTreeMap<String, Vec<String>>,
    /// A regular expression whose first group is the number of symbols in the output.
    pub symbols: Option<String>,
}

/// The command that records votes on the results of `{task}`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    pub command: Vec<String>,
    /// Arguments for each relevant result: `{symbol}` is its name as printed, `{name}` as normalized.
    pub useful: Vec<String>,
    /// The same for each result that is not relevant.
    pub not_useful: Vec<String>,
    /// Variables that differ from the system's when it may learn.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
}

/// The command that answers a task, and how its output is read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    pub command: Vec<String>,
    #[serde(default)]
    pub each: Each,
    /// Number of words of the task in `{words}`, without stop words; all if absent.
    pub max_words: Option<usize>,
    pub budget: Budget,
    pub adapter: AdapterKind,
    /// Regular expressions of the adapter `patterns`.
    #[serde(default)]
    pub patterns: Vec<String>,
    /// Kinds of results that are not symbols, such as files.
    #[serde(default)]
    pub skipped_kinds: Vec<String>,
    /// A line after which the output lists the ranking for this benchmark. It costs no tokens.
    pub ranking_after: Option<String>,
}

/// The part of a task that the query command runs once for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Each {
    #[default]
    Task,
    /// Each word of the task that is not a stop word, as `{word}`; the outputs are joined.
    Word,
}

/// The way in which a budget is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// The system has a parameter for it.
    Native,
    /// Its output is cut after the last line within the budget.
    Cut,
}

/// The way from output to ranked names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdapterKind {
    /// Graph Context Format: a line a symbol, with its qualified name and score. The ranking is by score.
    Gcf,
    /// Matches of regular expressions with the groups `path`, `line`, `end` (the last line of a printed part of a
    /// file), `name`, `kind` and `list` (names with lines in one file).
    Patterns,
}

/// A definition that is not valid TOML of a system.
#[derive(Debug, thiserror::Error)]
#[error("{file} describes no system: {reason}")]
pub struct SystemError {
    pub file: String,
    pub reason: String,
}

macro_rules! embedded {
    ($($file:literal),+ $(,)?) => {
        &[$(($file, include_str!(concat!("../../../tests/eval/systems/", $file)))),+]
    };
}

/// The embedded systems, in the order of a report.
const SYSTEMS: &[(&str, &str)] = embedded![
    "knowing.toml",
    "knowing-away.toml",
    "reference.toml",
    "codegraph-context.toml",
    "codegraph-query.toml",
    "aider.toml",
    "codegraphcontext.toml",
    "ck.toml",
    "probe.toml",
    "ripgrep.toml",
    "bm25f.toml",
    "scip.toml",
];

/// Scripts for what a system has no command for.
const SCRIPTS: &[(&str, &str)] = embedded!["aider_map.py", "reference_feedback.py"];

/// Returns the embedded systems.
///
/// # Errors
/// When a definition is invalid.
pub fn systems() -> Result<Vec<System>, SystemError> {
    SYSTEMS.iter().map(|(file, text)| System::parse(file, text)).collect()
}

/// Returns the text of an embedded script.
pub fn script(name: &str) -> Option<&'static str> {
    SCRIPTS.iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}

impl Step {
    /// Returns the command for a repository of this main language; `None` if there is none.
    pub fn for_language(&self, language: &str) -> Option<&[String]> {
        match self.languages.is_empty() {
            true => Some(&self.command),
            false => self.languages.get(language).map(Vec::as_slice),
        }
    }
}

impl System {
    /// Parses a definition.
    ///
    /// # Errors
    /// When the text is invalid.
    pub fn parse(file: &str, text: &str) -> Result<System, SystemError> {
        toml::from_str(text).map_err(|error| SystemError { file: file.to_owned(), reason: error.to_string() })
    }

    /// Returns the row of the system in a run; `reason` says why it is absent.
    pub fn record(&self, hash: Option<String>, reason: Option<String>) -> SystemRecord {
        SystemRecord {
            name: self.name.clone(),
            title: self.title.clone(),
            version: self.version.clone(),
            license: self.license.clone(),
            hash,
            status: if reason.is_some() { SystemStatus::Absent } else { SystemStatus::Ran },
            reason,
            updates: self.updates,
            learns: self.learns,
            gives_scores: self.gives_scores,
            notes: self.notes.clone(),
        }
    }
}

/// The values of the placeholders in commands.
#[derive(Debug, Clone, Default)]
pub struct Values(BTreeMap<&'static str, String>);

impl Values {
    /// Adds the value of `{name}`.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Values {
        self.0.insert(name, value.into());
        self
    }

    /// Adds a path as the value of `{name}`.
    #[must_use]
    pub fn with_path(self, name: &'static str, path: &Path) -> Values {
        self.with(name, path.to_string_lossy())
    }

    /// Replaces the placeholders in a text once; values are not searched for placeholders.
    pub fn expand(&self, text: &str) -> String {
        let mut expanded = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            expanded.push_str(before);
            match after.split_once('}').and_then(|(name, tail)| Some((self.0.get(name)?, tail))) {
                Some((value, tail)) => {
                    expanded.push_str(value);
                    rest = tail;
                }
                None => {
                    expanded.push('{');
                    rest = after;
                }
            }
        }
        expanded.push_str(rest);
        expanded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_systems_are_valid_and_have_different_names() {
        let systems = systems().unwrap();
        let mut names: Vec<&str> = systems.iter().map(|system| system.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SYSTEMS.len());
        for system in &systems {
            assert!(system.install.scripts.iter().all(|name| script(name).is_some()), "{}", system.name);
        }
    }

    #[test]
    fn placeholders_are_replaced_once() {
        let values = Values::default().with("task", "use {repo} {").with("repo", "/r");
        assert_eq!(values.expand("{repo}: {task} {other} {"), "/r: use {repo} { {other} {");
    }
}
