//! The tasks typed so far, in a file of the user's own: one JSON string a line, oldest first.
//!
//! Tasks may tell what somebody works on, so the file and its folder are for their owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Tasks kept; a file that has twice as many lines is written anew.
const KEPT: usize = 500;
/// Longer tasks are not worth keeping: nobody finds them again by a word.
const LONGEST: usize = 8_000;

/// The tasks, newest first, and the file that keeps them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    tasks: Vec<String>,
}

impl History {
    /// The tasks of this text. What can't be read is left out: another version may have written it.
    pub fn read(text: &str) -> History {
        let mut history = History::default();
        for task in text.lines().filter_map(|line| serde_json::from_str::<String>(line).ok()) {
            history.add(&task);
        }
        history
    }

    /// Newest first.
    pub fn tasks(&self) -> &[String] {
        &self.tasks
    }

    /// Puts a task on top; false when it already is, or is none.
    pub fn add(&mut self, task: &str) -> bool {
        let task = task.trim();
        if task.is_empty() || task.len() > LONGEST || self.tasks.first().is_some_and(|newest| newest == task) {
            return false;
        }
        self.tasks.retain(|known| known != task);
        self.tasks.insert(0, task.to_owned());
        self.tasks.truncate(KEPT);
        true
    }

    /// The file's text with these tasks only.
    fn written(&self) -> String {
        self.tasks.iter().rev().map(|task| line(task)).collect()
    }
}

/// One task as a line of the file.
fn line(task: &str) -> String {
    format!("{}\n", serde_json::Value::from(task))
}

/// The file that keeps the tasks.
#[derive(Debug, Clone)]
pub struct HistoryFile {
    path: PathBuf,
}

impl HistoryFile {
    /// The file at this place; it need not exist.
    pub fn new(path: PathBuf) -> HistoryFile {
        HistoryFile { path }
    }

    /// What it holds.
    ///
    /// # Errors
    /// When it is there and can't be read.
    pub fn load(&self) -> io::Result<History> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(History::read(&String::from_utf8_lossy(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(History::default()),
            Err(error) => Err(error),
        }
    }

    /// Adds a task. Another explorer may write at the same time: a line is written at once, and whole.
    ///
    /// # Errors
    /// When the folder or the file can't be written.
    pub fn append(&self, task: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            private_folder(folder)?;
        }
        private(OpenOptions::new().append(true).create(true), &self.path)?.write_all(line(task).as_bytes())?;
        let text = String::from_utf8_lossy(&fs::read(&self.path)?).into_owned();
        if text.lines().count() >= 2 * KEPT {
            let fresh = self.path.with_extension("new");
            let mut options = OpenOptions::new();
            private(options.write(true).create(true).truncate(true), &fresh)?
                .write_all(History::read(&text).written().as_bytes())?;
            fs::rename(&fresh, &self.path)?;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600).open(path)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

#[cfg(unix)]
fn private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_task_is_on_top_and_stands_there_once() {
        let mut history = History::default();
        assert!(history.add("a") && history.add(" b\nc ") && history.add("a"));
        assert!(!history.add("a") && !history.add("  ") && !history.add(&"x".repeat(LONGEST + 1)));
        assert_eq!(history.tasks(), ["a", "b\nc"]);
        assert_eq!(History::read(&history.written()), history);
        assert_eq!(History::read("garbage\n\"fine\"\n{}\n").tasks(), ["fine"]);
    }

    #[test]
    fn the_file_is_private_and_stays_short() {
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile::new(folder.path().join("new/history.jsonl"));
        assert_eq!(file.load().unwrap(), History::default());
        for number in 0..2 * KEPT + 3 {
            file.append(&format!("task {number}")).unwrap();
        }
        let history = file.load().unwrap();
        assert_eq!(history.tasks().len(), KEPT);
        assert_eq!(history.tasks()[0], format!("task {}", 2 * KEPT + 2));
        assert!(fs::read_to_string(&file.path).unwrap().lines().count() < KEPT + 10);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&file.path), mode(file.path.parent().unwrap())), (0o600, 0o700));
        }
    }
}
