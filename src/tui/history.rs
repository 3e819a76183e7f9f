//! The history of tasks, in a file of the user: one JSON string a line, oldest first.
//!
//! Tasks may be confidential, so only the owner may read the file and its folder.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum number of tasks in the history; a file with twice as many lines is rewritten.
const MAX_TASKS: usize = 500;
/// Longer tasks are not recorded.
const MAX_TASK_BYTES: usize = 8_000;

/// The tasks, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    tasks: Vec<String>,
}

impl History {
    /// Parses the text of a history file. Invalid lines are skipped, as another version may have written them.
    pub fn parse(text: &str) -> History {
        let mut history = History::default();
        for task in text.lines().filter_map(|line| serde_json::from_str::<String>(line).ok()) {
            history.add(&task);
        }
        history
    }

    /// Returns the tasks, newest first.
    pub fn tasks(&self) -> &[String] {
        &self.tasks
    }

    /// Adds a task as the newest. Returns false if it already is the newest, is empty, or is too long.
    pub fn add(&mut self, task: &str) -> bool {
        let task = task.trim();
        if task.is_empty() || task.len() > MAX_TASK_BYTES || self.tasks.first().is_some_and(|newest| newest == task) {
            return false;
        }
        self.tasks.retain(|other| other != task);
        self.tasks.insert(0, task.to_owned());
        self.tasks.truncate(MAX_TASKS);
        true
    }

    /// Formats the history file.
    fn format(&self) -> String {
        self.tasks.iter().rev().map(|task| line(task)).collect()
    }
}

/// Formats a task as a line of the file.
fn line(task: &str) -> String {
    format!("{}\n", serde_json::Value::from(task))
}

/// The history file.
#[derive(Debug, Clone)]
pub struct HistoryFile {
    path: PathBuf,
}

impl HistoryFile {
    /// Creates a handle of the file at `path`, which need not exist.
    pub fn new(path: PathBuf) -> HistoryFile {
        HistoryFile { path }
    }

    /// Reads the history; a missing file is an empty history.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn load(&self) -> io::Result<History> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(History::parse(&String::from_utf8_lossy(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(History::default()),
            Err(error) => Err(error),
        }
    }

    /// Appends a task. Each line is one write, as another explorer may append at the same time.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn append(&self, task: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            create_private_folder(folder)?;
        }
        open_private(OpenOptions::new().append(true).create(true), &self.path)?.write_all(line(task).as_bytes())?;
        let text = String::from_utf8_lossy(&fs::read(&self.path)?).into_owned();
        if text.lines().count() >= 2 * MAX_TASKS {
            let fresh = self.path.with_extension("new");
            let mut options = OpenOptions::new();
            open_private(options.write(true).create(true).truncate(true), &fresh)?
                .write_all(History::parse(&text).format().as_bytes())?;
            fs::rename(&fresh, &self.path)?;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn open_private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600).open(path)
}

#[cfg(not(unix))]
fn open_private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

#[cfg(unix)]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_task_moves_to_the_top() {
        let mut history = History::default();
        assert!(history.add("a") && history.add(" b\nc ") && history.add("a"));
        assert!(!history.add("a") && !history.add("  ") && !history.add(&"x".repeat(MAX_TASK_BYTES + 1)));
        assert_eq!(history.tasks(), ["a", "b\nc"]);
        assert_eq!(History::parse(&history.format()), history);
        assert_eq!(History::parse("garbage\n\"fine\"\n{}\n").tasks(), ["fine"]);
    }

    #[test]
    fn file_is_private_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile::new(folder.path().join("new/history.jsonl"));
        assert_eq!(file.load().unwrap(), History::default());
        for number in 0..2 * MAX_TASKS + 3 {
            file.append(&format!("task {number}")).unwrap();
        }
        let history = file.load().unwrap();
        assert_eq!(history.tasks().len(), MAX_TASKS);
        assert_eq!(history.tasks()[0], format!("task {}", 2 * MAX_TASKS + 2));
        assert!(fs::read_to_string(&file.path).unwrap().lines().count() < MAX_TASKS + 10);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&file.path), mode(file.path.parent().unwrap())), (0o600, 0o700));
        }
    }
}
