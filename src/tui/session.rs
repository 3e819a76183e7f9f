//! The state of a repository that outlives a session: the last task with its trail, the trails of other tasks, the history of tasks.
//!
//! The files are in the user's data folder, not in the repository: a repository is untrusted and may contain links.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tui_input::Input;

use super::command::{BUDGETS, Command, Context};
use super::history::{HistoryFile, lock_beside, replace_private};
use super::model::task::EntryPoint;
use super::model::trail::Trail;
use super::model::{Focus, Model};
use super::panes::pack;
use crate::model::SymbolId;

/// A task with everything that its pack depends on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTask {
    pub task: String,
    /// The files, or the revision, that are ranked for instead of the text.
    pub files: Vec<String>,
    pub since: Option<String>,
    pub budget_tokens: usize,
    #[serde(with = "hex_ids")]
    pub pinned: BTreeSet<SymbolId>,
    #[serde(with = "hex_ids")]
    pub dropped: BTreeSet<SymbolId>,
    pub muted_concepts: BTreeSet<String>,
    /// The kept symbols in order, with notes.
    pub trail: Trail,
}

impl SavedTask {
    /// Returns the task of the explorer.
    pub fn from_model(model: &Model) -> SavedTask {
        let options = &model.task.options;
        let (files, since) = match &model.task.entry_point {
            EntryPoint::Text => (Vec::new(), None),
            EntryPoint::Files(files) => (files.clone(), None),
            EntryPoint::Changes(base) => (Vec::new(), Some(base.clone())),
        };
        SavedTask {
            task: model.task.text().to_owned(),
            files,
            since,
            budget_tokens: model.task.budget_tokens,
            pinned: options.pinned.clone(),
            dropped: options.dropped.clone(),
            muted_concepts: options.muted_concepts.clone(),
            trail: model.task.trail.clone(),
        }
    }

    /// Returns whether there is nothing to rank for and nothing is pinned or dropped.
    pub fn is_empty(&self) -> bool {
        !self.has_task() && self.pinned.is_empty() && self.dropped.is_empty()
    }

    fn has_task(&self) -> bool {
        !self.task.is_empty() || !self.files.is_empty() || self.since.is_some()
    }

    /// Returns what is ranked for.
    pub fn entry_point(&self) -> EntryPoint {
        match (&self.since, self.files.is_empty()) {
            (Some(base), _) => EntryPoint::Changes(base.clone()),
            (None, false) => EntryPoint::Files(self.files.clone()),
            (None, true) => EntryPoint::Text,
        }
    }

    /// Returns whether both are of one task.
    pub fn is_same_task(&self, other: &SavedTask) -> bool {
        let is_text = self.entry_point() == EntryPoint::Text;
        self.entry_point() == other.entry_point() && (!is_text || self.task == other.task)
    }

    /// Makes what is kept and dropped that of the explorer.
    pub fn restore_trail(&self, model: &mut Model) {
        let options = &mut model.task.options;
        options.pinned.clone_from(&self.pinned);
        options.dropped.clone_from(&self.dropped);
        options.muted_concepts.clone_from(&self.muted_concepts);
        model.task.trail = self.trail.clone();
    }

    /// Makes this the task of the explorer. The focus is in the list, or without a task in its line.
    pub fn restore(&self, model: &mut Model) {
        model.task.replace(self.entry_point(), Input::new(self.task.clone()));
        // The file may have been edited.
        if BUDGETS.contains(&self.budget_tokens) {
            model.task.budget_tokens = self.budget_tokens;
        }
        self.restore_trail(model);
        model.focus = if self.has_task() { Focus::Pane(pack::ID) } else { Focus::Task };
    }
}

/// Identities as strings of 32 hexadecimal digits.
mod hex_ids {
    use std::collections::BTreeSet;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::model::SymbolId;

    /// Writes the digits of each identity.
    pub fn serialize<S: Serializer>(ids: &BTreeSet<SymbolId>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(ids.iter().map(SymbolId::hex))
    }

    /// Reads the digits of each identity.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeSet<SymbolId>, D::Error> {
        let parse = |digits: String| {
            SymbolId::from_hex(&digits).ok_or_else(|| D::Error::custom(format!("`{digits}` is not a symbol")))
        };
        Vec::<String>::deserialize(deserializer)?.into_iter().map(parse).collect()
    }
}

/// The saved trails by name: that of each task with one, and those that the user named.
pub type NamedTrails = BTreeMap<String, SavedTask>;

/// The folder with the files of a repository.
#[derive(Debug, Clone)]
pub struct SessionFolder {
    folder: PathBuf,
}

impl SessionFolder {
    /// Creates a handle of the folder, which need not exist.
    pub fn new(folder: PathBuf) -> SessionFolder {
        SessionFolder { folder }
    }

    /// Returns the file with the history of tasks.
    pub fn history(&self) -> HistoryFile {
        HistoryFile::new(self.folder.join("history.jsonl"))
    }

    /// Reads the task of the last session.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last(&self) -> io::Result<Option<SavedTask>> {
        read(&self.last_file())
    }

    /// Writes the task of the session; an empty one removes the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_last(&self, task: &SavedTask) -> io::Result<()> {
        if !task.is_empty() {
            return self.write(&self.last_file(), task);
        }
        match fs::remove_file(self.last_file()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Reads the trails.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn trails(&self) -> io::Result<NamedTrails> {
        Ok(read(&self.trails_file())?.unwrap_or_default())
    }

    /// Saves a trail, or deletes it; those that another explorer saved are kept.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn save_trail(&self, name: &str, trail: Option<&SavedTask>) -> io::Result<()> {
        let _held = lock_beside(&self.trails_file())?;
        let mut trails = self.trails()?;
        match trail {
            Some(trail) => trails.insert(name.to_owned(), trail.clone()),
            None => trails.remove(name),
        };
        self.write(&self.trails_file(), &trails)
    }

    /// Loads history and trails, and resumes the last session unless the explorer starts with a task or `fresh`.
    /// Returns the errors.
    pub fn resume(&self, model: &mut Model, fresh: bool) -> Vec<String> {
        let mut errors = Vec::new();
        match self.history().load() {
            Ok(history) => model.history = history,
            Err(error) => errors.push(format!("cannot read the history of tasks: {error}")),
        }
        match self.trails() {
            Ok(trails) => model.trails = trails,
            Err(error) => errors.push(format!("cannot read the trails: {error}")),
        }
        if fresh || !model.task.is_empty() {
            return errors;
        }
        match self.last() {
            Ok(Some(last)) => {
                last.restore(model);
                if last.has_task() {
                    // As in the first session, what is typed is a task.
                    (model.focus, model.task.is_selected) = (Focus::Task, true);
                    let leave = model.keymap.key_of(Context::Task, Command::LeaveTask);
                    model.show_message(format!("the last task is back; type another one, or {leave} for its places"));
                }
            }
            Ok(None) => {}
            Err(error) => errors.push(format!("cannot read the last session: {error}")),
        }
        errors
    }

    /// Saves the session when it ends, and adds its task to the history, even if it was only typed.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&self, model: &mut Model) -> io::Result<()> {
        let task = model.task.text().to_owned();
        if model.history.add(&task) {
            self.history().append(&task)?;
        }
        self.save_last(&SavedTask::from_model(model))
    }

    fn last_file(&self) -> PathBuf {
        self.folder.join("session.json")
    }

    fn trails_file(&self) -> PathBuf {
        self.folder.join("packs.json")
    }

    fn write<T: Serialize>(&self, path: &Path, value: &T) -> io::Result<()> {
        replace_private(path, serde_json::to_string_pretty(value)?.as_bytes())
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    let damaged = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{} is damaged: {error}", path.display()));
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(damaged),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn the_last_task_is_restored_with_its_pins() {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionFolder::new(folder.path().join("repository"));
        assert_eq!(store.last().unwrap(), None);
        let mut model = fixture::model(80, 24);
        model.task.input = "fix the cache".into();
        model.task.budget_tokens = 2_000;
        model.task.options.pinned.insert(fixture::pack().symbols[1].symbol.id);
        model.focus = Focus::Pane(pack::ID);
        store.save(&mut model).unwrap();
        let mut other = fixture::model(80, 24);
        assert_eq!(store.resume(&mut other, false), [""; 0]);
        assert_eq!((other.task.text(), other.task.budget_tokens), ("fix the cache", 2_000));
        assert_eq!(other.task.options, model.task.options);
        assert!(other.focus == Focus::Task && other.task.is_selected, "what is typed is a task, as at first");
        let mut fresh = fixture::model(80, 24);
        store.resume(&mut fresh, true);
        assert!(fresh.task.is_empty());
        assert_eq!(fresh.history.tasks(), ["fix the cache"], "typed and read, never sent");
        store.save_last(&SavedTask::default()).unwrap();
        assert_eq!(store.last().unwrap(), None);
    }

    #[test]
    fn a_kept_budget_that_no_pack_fits_is_not_used() {
        let mut model = fixture::model(80, 24);
        let before = model.task.budget_tokens;
        for budget_tokens in [0, 12, 99, 10_000_001] {
            SavedTask { budget_tokens, ..SavedTask::default() }.restore(&mut model);
            assert_eq!(model.task.budget_tokens, before, "{budget_tokens}");
        }
    }

    #[test]
    fn symbols_are_written_and_read_as_digits() {
        let id = fixture::pack().symbols[0].symbol.id;
        let task = SavedTask { pinned: BTreeSet::from([id]), ..SavedTask::default() };
        let text = serde_json::to_string(&task).unwrap();
        assert!(text.contains(&format!("\"pinned\":[\"{}\"]", id.hex())), "{text}");
        assert_eq!(serde_json::from_str::<SavedTask>(&text).unwrap(), task);
        for damaged in ["12", "zz", "+0112233445566778899aabbccddeeff"] {
            assert!(serde_json::from_str::<SavedTask>(&format!("{{\"pinned\":[\"{damaged}\"]}}")).is_err());
        }
    }

    #[test]
    fn trails_saved_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionFolder::new(folder.path().join("repository"));
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let store = &store;
                let save = move |number| store.save_trail(&format!("{writer} {number}"), Some(&SavedTask::default()));
                scope.spawn(move || (0..10).for_each(|number| save(number).unwrap()));
            }
        });
        assert_eq!(store.trails().unwrap().len(), 40);
    }

    #[test]
    fn trails_are_saved_by_name_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionFolder::new(folder.path().join("repository"));
        let pack = |task: &str| SavedTask { task: task.to_owned(), ..SavedTask::default() };
        store.save_trail("a", Some(&pack("one"))).unwrap();
        store.save_trail("b", Some(&pack("two"))).unwrap();
        store.save_trail("a", Some(&pack("three"))).unwrap();
        store.save_trail("b", None).unwrap();
        assert_eq!(store.trails().unwrap(), NamedTrails::from([("a".to_owned(), pack("three"))]));
        fs::write(folder.path().join("repository/packs.json"), "{").unwrap();
        let error = store.save_trail("c", None).unwrap_err().to_string();
        assert!(error.contains("packs.json is damaged: "), "a damaged file is named and not overwritten: {error}");
        assert_eq!(fs::read_to_string(folder.path().join("repository/packs.json")).unwrap(), "{");
    }
}
