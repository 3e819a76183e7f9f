//! The record of what was installed, in the user's data folder: how each file is changed back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use super::files::{self, FileError};

/// A changed file and how the change is reversed. Of the file only the part from the first to the last change is kept,
/// readable by the user alone, since it may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    pub path: PathBuf,
    /// The agents for which it was changed.
    pub agents: BTreeSet<String>,
    /// Whether the file was created.
    pub created: bool,
    /// The folders that were created for it, the deepest first.
    pub folders: Vec<PathBuf>,
    /// Byte offset of the text that was inserted.
    offset: usize,
    inserted: String,
    /// The text in its place before.
    removed: String,
}

impl Reversal {
    /// Returns the reversal of a change from `before` to `after`.
    pub fn new(path: &Path, agents: BTreeSet<String>, before: Option<&str>, after: &str) -> Reversal {
        let old = before.unwrap_or("");
        let common = |left: &mut dyn Iterator<Item = char>, right: &mut dyn Iterator<Item = char>| -> usize {
            left.zip(right).take_while(|(left, right)| left == right).map(|(letter, _)| letter.len_utf8()).sum()
        };
        let offset = common(&mut old.chars(), &mut after.chars());
        let (old, new) = (&old[offset..], &after[offset..]);
        let end = common(&mut old.chars().rev(), &mut new.chars().rev());
        Reversal {
            path: path.to_owned(),
            agents,
            created: before.is_none(),
            folders: if before.is_none() { files::missing_folders(path) } else { Vec::new() },
            offset,
            inserted: new[..new.len() - end].to_owned(),
            removed: old[..old.len() - end].to_owned(),
        }
    }

    /// Returns the same reversal for other agents.
    pub fn for_agents(self, agents: BTreeSet<String>) -> Reversal {
        Reversal { agents, ..self }
    }

    /// Returns the file's text without the change: in its place, or where the inserted text is if it moved. `None` if
    /// that text was edited or occurs several times.
    pub fn apply(&self, text: &str) -> Option<String> {
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
    /// When it can't be read or is damaged, or there is no home folder.
    pub fn load() -> Result<Record, FileError> {
        let strategy = etcetera::choose_base_strategy();
        let strategy = strategy.map_err(|error| FileError::new(Path::new("~"), error))?;
        let path = strategy.data_dir().join("knowing").join("installed.json");
        let Some(text) = files::read(&path)? else { return Ok(Record { path, ..Record::default() }) };
        let record: Record = serde_json::from_str(&text)
            .map_err(|error| FileError::new(&path, format!("{error}; remove the file to start anew")))?;
        Ok(Record { path, ..record })
    }

    /// Takes over what was stored since for other files than `own`.
    ///
    /// # Errors
    /// Those of [`Record::load`].
    pub fn reload<'a>(&mut self, own: impl Iterator<Item = &'a Path>) -> Result<(), FileError> {
        let own: BTreeSet<&Path> = own.collect();
        let stored = Record::load()?.files;
        let is_known = |path: &Path| self.files.iter().any(|known| known.path == path);
        let new: Vec<Reversal> = (stored.into_iter())
            .filter(|other| !own.contains(other.path.as_path()) && !is_known(&other.path))
            .collect();
        self.files.extend(new);
        Ok(())
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
        Reversal::new(Path::new("x"), BTreeSet::new(), Some(before), after)
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
}
