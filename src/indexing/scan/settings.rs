//! Settings of indexing: which files are read. They are in the user's `config.toml`, and in `.knowing/settings.toml` of
//! the repository for what a team shares.
//!
//! The repository's file is untrusted: only these settings are read from it, from a small regular file. Its patterns are
//! matched with paths that the walk of the repository finds, so they reach nothing outside it.

mod languages;
mod rules;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::patterns::Patterns;
use super::read::{DEFAULT_MAX_FILE_BYTES, read_text_inside};
use super::skip::Rule;
use crate::config::{self, ConfigError, Document, FILE_NAME, FileRules, UserConfig};
use crate::lang::own;

use rules::layer;

pub use languages::register as register_languages;

/// The repository's file.
pub const REPOSITORY_FILE: &str = ".knowing/settings.toml";
/// Maximum size of the repository's file.
const MAX_REPOSITORY_BYTES: u64 = 64 << 10;

/// The settings of a checkout.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// One a file that has settings, the user's first: the first that decides about a path or a limit applies.
    layers: Vec<Layer>,
    /// The problems of the files, each with its line.
    pub problems: Vec<String>,
}

/// The settings of one file.
#[derive(Debug, Clone)]
struct Layer {
    max_file_bytes: Option<u64>,
    include: Patterns,
    exclude: Patterns,
}

/// The effect of the settings on a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing: ignore rules and names decide.
    Unset,
    Included,
    Excluded(Rule),
}

impl Settings {
    /// Reads the settings of the user and of the repository at `root`.
    pub fn load(root: &Path) -> Settings {
        let [user, repository] = texts(root);
        let mut settings = Settings::from_texts(user, repository);
        settings.problems.extend_from_slice(own::problems());
        settings
    }

    fn from_texts(
        user: Result<Option<String>, ConfigError>,
        repository: Result<Option<String>, ConfigError>,
    ) -> Settings {
        let user = UserConfig::from_text(user);
        let (layers, problems) = [
            layer(FILE_NAME, user.files, user.indexing_problems),
            repository_layer(repository.map(Option::unwrap_or_default)),
        ]
        .into_iter()
        .unzip::<_, _, Vec<_>, Vec<_>>();
        let layers = layers.into_iter().flatten().collect();
        Settings { layers, problems: problems.into_iter().flatten().map(|problem| problem.to_string()).collect() }
    }

    /// Returns the maximum size of an indexed file.
    pub fn max_file_bytes(&self) -> u64 {
        self.layers.iter().find_map(|layer| layer.max_file_bytes).unwrap_or(DEFAULT_MAX_FILE_BYTES)
    }

    /// Returns what the settings say about a path relative to the root, without a slash at its end. In one file,
    /// `exclude` outweighs `include`.
    pub fn verdict(&self, path: &str, is_folder: bool) -> Verdict {
        for layer in &self.layers {
            if layer.exclude.selects_within(path, is_folder) == Some(true)
                && let Some(rule) = layer.exclude.rule_within(path, is_folder)
            {
                return Verdict::Excluded(rule);
            }
            if layer.include.selects_within(path, is_folder) == Some(true) {
                return Verdict::Included;
            }
        }
        Verdict::Unset
    }

    /// Returns whether the settings include anything.
    pub fn has_includes(&self) -> bool {
        self.layers.iter().any(|layer| layer.include.texts().next().is_some())
    }

    /// Returns whether a folder that is left out otherwise has to be searched for included files: the folder is included,
    /// or a pattern with a path from the root leads into it. A pattern without a path, such as `*.py`, does not: a
    /// search of every ignored folder would read all of `node_modules`.
    pub fn may_include_within(&self, folder: &str) -> bool {
        for layer in &self.layers {
            if layer.exclude.selects_within(folder, true) == Some(true) {
                return false;
            }
            let leads_into = |pattern: &str| literal_prefix(pattern).is_some_and(|prefix| share_path(&prefix, folder));
            if layer.include.selects_within(folder, true) == Some(true) || layer.include.texts().any(leads_into) {
                return true;
            }
        }
        false
    }

    /// Returns a value that changes when the settings mean something else; empty without settings.
    pub fn key(&self) -> String {
        let is_set = |layer: &&Layer| {
            layer.max_file_bytes.is_some() || layer.include.texts().chain(layer.exclude.texts()).next().is_some()
        };
        let mut hash = blake3::Hasher::new();
        let mut layers = self.layers.iter().filter(is_set).peekable();
        if layers.peek().is_none() {
            return String::new();
        }
        for layer in layers {
            let include: Vec<&str> = layer.include.texts().collect();
            let exclude: Vec<&str> = layer.exclude.texts().collect();
            hash.update(format!("{:?} {include:?} {exclude:?}\n", layer.max_file_bytes).as_bytes());
        }
        hash.finalize().to_hex().to_string()
    }
}

/// Returns the folders at the start of a pattern that has a path from the root, up to its first wildcard.
fn literal_prefix(pattern: &str) -> Option<Vec<&str>> {
    let is_anchored = !pattern.starts_with('!') && pattern.trim_end_matches('/').contains('/');
    let parts = pattern.split('/').filter(|part| !part.is_empty());
    let literal: Vec<&str> = parts.take_while(|part| !part.contains(['*', '?', '[', '{', '\\'])).collect();
    (is_anchored && !literal.is_empty()).then_some(literal)
}

/// Returns whether a folder leads to the prefix or is below it.
fn share_path(prefix: &[&str], folder: &str) -> bool {
    folder.split('/').zip(prefix).all(|(part, expected)| part == *expected)
}

fn repository_layer(text: Result<String, ConfigError>) -> (Option<Layer>, Vec<ConfigError>) {
    let text = match text {
        Ok(text) => text,
        Err(error) => return (None, vec![error]),
    };
    let mut document = Document::new(REPOSITORY_FILE, &text);
    let rules = FileRules::take(&mut document);
    document.report_unknown(FileRules::NAMES);
    layer(REPOSITORY_FILE, rules, document.problems())
}

/// Reads the files of the user and of the repository at `root`; `None` for one that does not exist.
pub(super) fn texts(root: &Path) -> [Result<Option<String>, ConfigError>; 2] {
    [config::text(), repository_text(root)]
}

/// Reads the repository's file; `None` if there is none.
fn repository_text(root: &Path) -> Result<Option<String>, ConfigError> {
    let unused = |reason: String| ConfigError::unused(REPOSITORY_FILE, &reason);
    match fs::symlink_metadata(root.join(REPOSITORY_FILE)) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(unused(error.to_string())),
        Ok(_) => (),
    }
    let bytes = read_text_inside(root, REPOSITORY_FILE, MAX_REPOSITORY_BYTES)
        .map_err(|reason| unused(format!("it {}", reason.description())))?;
    String::from_utf8(bytes).map(Some).map_err(|_| unused("it is not UTF-8".to_owned()))
}

#[cfg(test)]
mod tests;
