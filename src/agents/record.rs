//! The record of what was installed, in the user's data folder: how each file is changed back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::files::{self, FileError};
use crate::atomic_file::{self, PRIVATE};
use crate::file_lock::{self, FileLock};
use crate::user_dirs;

/// A changed file and how the change is reversed. Of the file only the changed ranges are kept, readable by the user
/// alone, since they may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    pub path: PathBuf,
    /// The agents for which it was changed.
    pub agents: BTreeSet<String>,
    /// Whether the file was created.
    pub created: bool,
    /// The folders that were created for it, the deepest first.
    pub folders: Vec<PathBuf>,
    /// The ranges in the order of the changes, each in the text that the changes before it left.
    ranges: Vec<ChangedRange>,
}

/// A range of a text that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ChangedRange {
    /// Byte offset of the text that was inserted.
    offset: usize,
    inserted: String,
    /// The text in its place before.
    removed: String,
}

impl ChangedRange {
    /// Returns the range from the first to the last difference.
    fn between(old: &str, new: &str) -> ChangedRange {
        let common = |left: &mut dyn Iterator<Item = char>, right: &mut dyn Iterator<Item = char>| -> usize {
            left.zip(right).take_while(|(left, right)| left == right).map(|(letter, _)| letter.len_utf8()).sum()
        };
        let offset = common(&mut old.chars(), &mut new.chars());
        let (old, new) = (&old[offset..], &new[offset..]);
        let end = common(&mut old.chars().rev(), &mut new.chars().rev());
        ChangedRange { offset, inserted: new[..new.len() - end].to_owned(), removed: old[..old.len() - end].to_owned() }
    }

    /// Returns a text without the change: in its place, or where the inserted text is if it moved. `None` if that text
    /// was edited or occurs several times.
    fn reverse(&self, text: &str) -> Option<String> {
        let offset = if text.get(self.offset..).is_some_and(|rest| rest.starts_with(&self.inserted)) {
            self.offset
        } else {
            let mut found = text.match_indices(&self.inserted);
            let (offset, _) = found.next()?;
            if found.next().is_some() {
                return None;
            }
            offset
        };
        Some(format!("{}{}{}", &text[..offset], self.removed, &text[offset + self.inserted.len()..]))
    }
}

impl Reversal {
    /// Returns the reversal of a file's changes. `before` is its text, `None` if there was
    /// no file; `after` has the text after each change.
    pub fn new(path: &Path, agents: BTreeSet<String>, before: Option<&str>, after: &[String]) -> Reversal {
        let mut old = before.unwrap_or("");
        let mut ranges = Vec::with_capacity(after.len());
        for new in after {
            ranges.push(ChangedRange::between(old, new));
            old = new;
        }
        Reversal {
            path: path.to_owned(),
            agents,
            created: before.is_none(),
            folders: if before.is_none() { files::missing_folders(path) } else { Vec::new() },
            ranges,
        }
    }

    /// Returns the same reversal for other agents.
    pub fn for_agents(self, agents: BTreeSet<String>) -> Reversal {
        Reversal { agents, ..self }
    }

    /// Returns the file's text without the changes; `None` if one of them was edited or can't be found.
    pub fn apply(&self, text: &str) -> Option<String> {
        self.ranges.iter().rev().try_fold(text.to_owned(), |text, range| range.reverse(&text))
    }
}

/// Name of the file that is locked while files are planned and changed.
const LOCK: &str = "installed.lock";
/// The time for which a held lock is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

fn data_folder() -> Result<PathBuf, FileError> {
    user_dirs::data().map_err(|error| FileError::new(Path::new("~"), error))
}

/// Every installed change.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Record {
    pub files: Vec<Reversal>,
    #[serde(skip)]
    path: PathBuf,
}

impl Record {
    /// Reads the record.
    ///
    /// # Errors
    /// When it can't be read or is damaged, or there is no data folder.
    pub fn load() -> Result<Record, FileError> {
        let path = data_folder()?.join("installed.json");
        let Some(text) = files::read(&path)? else { return Ok(Record { path, ..Record::default() }) };
        let record: Record = serde_json::from_str(&text)
            .map_err(|error| FileError::new(&path, format!("{error}; remove the file to start over")))?;
        Ok(Record { path, ..record })
    }

    /// Acquires the lock under which files are planned, changed and recorded.
    ///
    /// # Errors
    /// When there is no data folder or it can't be written, or another process keeps the lock too long.
    pub fn lock() -> Result<FileLock, FileError> {
        let path = data_folder()?.join(LOCK);
        let folder = atomic_file::folder(&path);
        fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        let lock = file_lock::acquire(&path, PRIVATE, PATIENCE).map_err(|error| FileError::new(&path, error))?;
        lock.ok_or_else(|| {
            FileError::new(&path, "another `knowing install` or `uninstall` is at work; try again after it")
        })
    }

    /// Returns the file of the record.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reversal of a file's change.
    pub fn reversal(&self, path: &Path) -> Option<&Reversal> {
        self.files.iter().find(|reversal| reversal.path == path)
    }

    /// Replaces or removes the reversal of a file's change.
    pub fn set(&mut self, path: &Path, reversal: Option<Reversal>) {
        self.files.retain(|other| other.path != path);
        self.files.extend(reversal);
    }

    /// Writes the record; an empty one is removed.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn store(&self) -> Result<(), FileError> {
        if self.files.is_empty() {
            return files::remove(&self.path, &[]);
        }
        let text = serde_json::to_string_pretty(self).map_err(|error| FileError::new(&self.path, error))?;
        files::write_private(&self.path, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reversal(before: &str, after: &str) -> Reversal {
        Reversal::new(Path::new("x"), BTreeSet::new(), Some(before), &[after.to_owned()])
    }

    #[test]
    fn reversal_restores_every_byte() {
        for (before, after) in [("{}", "{\n  \"a\": 1\n}"), ("äb", "äüb"), ("aa", "aaaa"), ("", "x"), ("abc", "abc")]
        {
            assert_eq!(reversal(before, after).apply(after).as_deref(), Some(before));
        }
    }

    #[test]
    fn reversal_keeps_later_edits() {
        let reversal = reversal("one\ntwo\n", "one\nours\ntwo\n");
        assert_eq!(reversal.apply("zero\none\nours\ntwo\nthree\n").as_deref(), Some("zero\none\ntwo\nthree\n"));
        assert_eq!(reversal.apply("one\nedited\ntwo\n"), None);
        assert_eq!(reversal.apply("zero\nours\nours\n"), None);
    }

    #[test]
    fn text_between_two_changes_is_not_recorded_and_may_be_edited() {
        let before = "head\ntoken = secret\nfoot\n";
        let after = ["head\nours\ntoken = secret\nfoot\n", "head\nours\ntoken = secret\nalso ours\nfoot\n"];
        let after = after.map(str::to_owned);
        let reversal = Reversal::new(Path::new("x"), BTreeSet::new(), Some(before), &after);
        assert_eq!(reversal.apply(&after[1]).as_deref(), Some(before));
        let edited = after[1].replace("secret", "another secret");
        assert_eq!(reversal.apply(&edited), Some(before.replace("secret", "another secret")));
        let stored = serde_json::to_string(&reversal).unwrap();
        assert!(!stored.contains("secret"), "{stored}");
        assert_eq!(serde_json::from_str::<Reversal>(&stored).unwrap(), reversal);
    }
}
