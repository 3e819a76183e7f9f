//! The census of a checkout of which nothing is indexed: which source files there are, and what leaves them out.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::discover::{Discovery, MAX_FOLDER_DEPTH};
use super::history::tip;
use super::repository::git_folder;
use super::skip::{Rule, SkipReason};
use super::tracked::TrackedFiles;
use crate::lang::known::ExtensionCounts;
use crate::lang::{language_of, manifest};

/// Maximum number of files and folders that a census looks at. Beyond, its numbers are too small.
const MAX_ENTRIES: usize = 100_000;
/// Maximum number of extensions and of rules that are kept.
const MAX_KEPT: usize = 100;
/// Maximum length of an extension that is kept.
const MAX_EXTENSION_BYTES: usize = 16;

/// The state of a folder that has no files to index whatever its rules are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckoutState {
    /// A bare git repository.
    Bare,
    /// A git repository without any file of its commit.
    NotCheckedOut,
    /// A sparse checkout that contains no source file.
    Sparse,
    /// A folder without entries.
    Empty,
}

/// Numbers of source files by what leaves them out. Files that were skipped one by one are not counted here.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Census {
    pub state: Option<CheckoutState>,
    /// Files that git tracks and that are not in the working tree.
    pub missing: u64,
    /// Hidden files, and files in hidden folders.
    pub hidden: u64,
    /// Files in folders of vendored code.
    pub vendored: u64,
    /// Files that are ignored or excluded, by the rule; most files first.
    pub rules: Vec<(SkipReason, Rule, u64)>,
    /// Files that are not source of a supported language, by extension; those without one by the empty text.
    pub extensions: ExtensionCounts,
}

impl Census {
    /// Counts the files of the checkout at `root`, of which `discovery` has found none to index.
    pub fn take(root: &Path, discovery: &Discovery) -> Census {
        let mut counter = Counter { entries_left: MAX_ENTRIES };
        let mut rules: BTreeMap<(SkipReason, &Rule), u64> = BTreeMap::new();
        for omission in &discovery.omissions {
            let files = if omission.path.ends_with('/') { counter.sources(root.join(&omission.path)) } else { 1 };
            *rules.entry((omission.reason, &omission.rule)).or_insert(0) += files;
        }
        let mut rules: Vec<(SkipReason, Rule, u64)> = (rules.into_iter())
            .filter(|(_, files)| *files > 0)
            .map(|((reason, rule), files)| (reason, rule.clone(), files))
            .collect();
        rules.sort_by(|one, two| two.2.cmp(&one.2).then_with(|| one.1.cmp(&two.1)));
        rules.truncate(MAX_KEPT);
        let mut census = Census { rules, ..Census::default() };
        let vendored = discovery.skips.iter().filter(|skip| skip.reason == SkipReason::Vendored);
        census.vendored = vendored.map(|skip| counter.sources(root.join(&skip.path))).sum();
        let has_entries = census.count_visible(root, discovery, &mut counter);
        census.missing = TrackedFiles::new(root).missing_sources();
        census.state = state(root, has_entries, census.missing);
        census
    }

    /// Counts hidden source files, and other files by extension. Returns whether there is an entry besides `.git`.
    fn count_visible(&mut self, root: &Path, discovery: &Discovery, counter: &mut Counter) -> bool {
        let omitted = discovery.omissions.iter().map(|omission| &omission.path);
        let skipped = discovery.skips.iter().map(|skip| &skip.path);
        let left_out: HashSet<PathBuf> = omitted.chain(skipped).map(|path| root.join(path)).collect();
        let mut has_entries = false;
        let mut level = vec![root.to_path_buf()];
        for _depth in 0..MAX_FOLDER_DEPTH {
            for folder in std::mem::take(&mut level) {
                for Entry { path, name, is_folder, is_file } in counter.entries(&folder) {
                    has_entries = true;
                    if name.starts_with('.') {
                        self.hidden += match is_folder {
                            true => counter.sources(path),
                            false => u64::from(is_file && language_of(&name).is_some()),
                        };
                    } else if left_out.contains(&path) {
                        // Counted by its reason.
                    } else if is_folder {
                        level.push(path);
                    } else if is_file && language_of(&name).is_none() && !manifest::is_manifest(&name) {
                        *self.extensions.entry(extension_of(&name).to_owned()).or_insert(0) += 1;
                    }
                }
            }
        }
        while self.extensions.len() > MAX_KEPT {
            let rarest = self.extensions.iter().min_by_key(|(_, files)| **files).map(|(name, _)| name.clone());
            rarest.and_then(|name| self.extensions.remove(&name));
        }
        has_entries
    }
}

/// Returns the extension of a file's name; the empty text without one that is worth showing.
fn extension_of(name: &str) -> &str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_shown = |letter: char| letter.is_ascii_alphanumeric() || "+-_#".contains(letter);
    if extension.len() <= MAX_EXTENSION_BYTES && extension.chars().all(is_shown) { extension } else { "" }
}

fn state(root: &Path, has_entries: bool, missing: u64) -> Option<CheckoutState> {
    let Some(git_folder) = git_folder(root) else {
        let is_bare = root.join("HEAD").is_file() && root.join("objects").is_dir() && root.join("refs").is_dir();
        return match is_bare {
            true => Some(CheckoutState::Bare),
            false => (!has_entries).then_some(CheckoutState::Empty),
        };
    };
    if git_folder.join("info/sparse-checkout").is_file() && (missing > 0 || !has_entries) {
        return Some(CheckoutState::Sparse);
    }
    let has_index = git_folder.join("index").is_file();
    if !has_index && tip(root).is_ok_and(|tip| tip.is_some()) {
        return Some(CheckoutState::NotCheckedOut);
    }
    (!has_entries && missing == 0).then_some(CheckoutState::Empty)
}

struct Entry {
    path: PathBuf,
    name: String,
    is_folder: bool,
    is_file: bool,
}

/// Lists folders until it has seen [`MAX_ENTRIES`].
struct Counter {
    entries_left: usize,
}

impl Counter {
    /// Returns the entries of a folder, without those of version control and of this program; none of a link.
    fn entries(&mut self, folder: &Path) -> Vec<Entry> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if self.entries_left == 0 {
                break;
            }
            self.entries_left -= 1;
            if let (Ok(kind), false) = (entry.file_type(), [".git", ".hg", ".jj", ".svn", ".knowing"].contains(&&*name))
            {
                entries.push(Entry { path: entry.path(), name, is_folder: kind.is_dir(), is_file: kind.is_file() });
            }
        }
        // The order of a folder's entries would show where the limit applies.
        entries.sort_by(|one, two| one.name.cmp(&two.name));
        entries
    }

    /// Returns the number of source files below a folder.
    fn sources(&mut self, folder: PathBuf) -> u64 {
        let (mut sources, mut level) = (0, vec![folder]);
        for _depth in 0..MAX_FOLDER_DEPTH {
            for folder in std::mem::take(&mut level) {
                for entry in self.entries(&folder) {
                    if entry.is_folder {
                        level.push(entry.path);
                    } else if entry.is_file && language_of(&entry.name).is_some() {
                        sources += 1;
                    }
                }
            }
        }
        sources
    }
}

#[cfg(test)]
mod tests;
