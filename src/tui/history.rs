//! The history of a repository's tasks, in a file of the user: one JSON object a line, oldest first.
//!
//! Tasks may be confidential, so only the owner may read the file and its folder.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::atomic_file;
use crate::file_lock::{self, FileLock};

/// Maximum number of tasks in the history; a file with twice as many lines is rewritten.
const MAX_TASKS: usize = 500;
/// Name of the file that is locked while another one is read and changed.
const LOCK: &str = "lock";
/// Longer tasks are not recorded.
const MAX_TASK_BYTES: usize = 32_000;

/// A task and when it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedTask {
    /// Seconds since 1970.
    pub at: i64,
    pub task: String,
}

/// The tasks, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    tasks: Vec<AskedTask>,
}

impl History {
    /// Parses the text of a history file. Invalid lines are skipped, as another version may have written them.
    pub fn parse(text: &str) -> History {
        let mut history = History::default();
        for asked in text.lines().filter_map(|line| serde_json::from_str::<AskedTask>(line).ok()) {
            history.insert(&asked.task, asked.at);
        }
        history
    }

    /// Returns the tasks, newest first.
    pub fn tasks(&self) -> Vec<String> {
        self.with(&[])
    }

    /// Returns these tasks and others, newest first, each once.
    pub fn with(&self, others: &[AskedTask]) -> Vec<String> {
        let mut all: Vec<&AskedTask> = self.tasks.iter().chain(others).collect();
        all.sort_by_key(|asked| std::cmp::Reverse(asked.at));
        let mut known = HashSet::new();
        all.retain(|asked| known.insert(&asked.task));
        all.into_iter().map(|asked| asked.task.clone()).collect()
    }

    /// Adds a task as the newest. Returns false if it already is the newest, is empty, or is too long.
    pub fn add(&mut self, task: &str) -> bool {
        // In this session it is newer than all that other programs record.
        self.insert(task, i64::MAX)
    }

    fn insert(&mut self, task: &str, at: i64) -> bool {
        let task = task.trim();
        let is_newest = self.tasks.first().is_some_and(|newest| newest.task == task);
        if task.is_empty() || task.len() > MAX_TASK_BYTES || is_newest {
            return false;
        }
        self.tasks.retain(|other| other.task != task);
        self.tasks.insert(0, AskedTask { at, task: task.to_owned() });
        self.tasks.truncate(MAX_TASKS);
        true
    }

    /// Formats the history file.
    fn format(&self) -> String {
        self.tasks.iter().rev().map(line).collect()
    }
}

/// Formats a task as a line of the file.
fn line(asked: &AskedTask) -> String {
    serde_json::to_string(asked).map(|line| line + "\n").unwrap_or_default()
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

    /// Appends a task.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn append(&self, task: &str) -> io::Result<()> {
        let _held = lock_beside(&self.path)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        let asked = AskedTask { at: now, task: task.to_owned() };
        open_private(OpenOptions::new().append(true).create(true), &self.path)?.write_all(line(&asked).as_bytes())?;
        let text = String::from_utf8_lossy(&fs::read(&self.path)?).into_owned();
        if text.lines().count() >= 2 * MAX_TASKS {
            replace_private(&self.path, History::parse(&text).format().as_bytes())?;
        }
        Ok(())
    }
}

/// The time for which the lock of another explorer is waited for, which holds it for as long as a file is written.
const PATIENCE: Duration = Duration::from_secs(1);

/// Acquires the lock under which the files in a folder are read and changed.
///
/// # Errors
/// When the folder cannot be written, or another explorer holds the lock for long.
pub fn lock_beside(path: &Path) -> io::Result<FileLock> {
    let folder = atomic_file::folder(path);
    create_private_folder(folder)?;
    let busy =
        || io::Error::new(io::ErrorKind::ResourceBusy, format!("another explorer writes in {}", folder.display()));
    file_lock::acquire(&folder.join(LOCK), atomic_file::PRIVATE, PATIENCE)?.ok_or_else(busy)
}

/// Replaces a file as a whole with one that only the owner may read, in a folder that is created for the owner alone.
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_private_folder(atomic_file::folder(path))?;
    atomic_file::replace(path, bytes, atomic_file::PRIVATE)
}

/// Opens a file that only the owner may read.
#[cfg(unix)]
fn open_private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600).open(path)
}

/// Opens a file.
#[cfg(not(unix))]
fn open_private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

/// Creates a folder that only the owner may read, and the folders around it.
#[cfg(unix)]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Creates a folder, and the folders around it.
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
        assert_eq!(History::parse("garbage\n{\"at\":1,\"task\":\"fine\"}\n{}\n").tasks(), ["fine"]);
    }

    #[test]
    fn tasks_of_other_programs_are_merged_by_time() {
        let asked = |at, task: &str| AskedTask { at, task: task.to_owned() };
        let mut history = History { tasks: vec![asked(30, "c"), asked(10, "a")] };
        let others = [asked(20, "b"), asked(5, "c"), asked(40, "a")];
        assert_eq!(history.with(&others), ["a", "c", "b"]);
        history.add("b");
        assert_eq!(history.with(&others), ["b", "a", "c"]);
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
        let left = fs::read_dir(file.path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 2, "no temporary file is left beside the lock");
    }

    #[test]
    fn no_task_is_lost_when_the_file_is_shortened_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile::new(folder.path().join("history.jsonl"));
        (0..2 * MAX_TASKS - 5).for_each(|number| file.append(&format!("old {number}")).unwrap());
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let file = &file;
                scope.spawn(move || (0..5).for_each(|number| file.append(&format!("{writer} {number}")).unwrap()));
            }
        });
        let tasks = file.load().unwrap().tasks();
        let new = tasks.iter().filter(|task| !task.starts_with("old")).count();
        assert_eq!((new, tasks.len()), (20, MAX_TASKS));
    }

    #[test]
    fn files_replaced_at_the_same_time_stay_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for round in 1..50 {
                        replace_private(path, &vec![b'a' + writer; 100 * round]).unwrap();
                    }
                });
            }
        });
        let text = fs::read(&path).unwrap();
        assert!(text.len() == 4_900 && text.iter().all(|byte| *byte == text[0]), "{}", text.len());
    }
}
