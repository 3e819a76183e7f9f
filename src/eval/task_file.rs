//! Reads tasks with their ground truth from YAML files.
//!
//! ```yaml
//! tasks:
//! - id: shop-1
//!   tier: easy                 # any word; tasks of the tier `commit` have the intent `locate`
//!   task: sessions expire too early
//!   ground_truth: [Session.is_expired]
//! ```
//!
//! The file's name is the repository's: the tasks of `flask.yaml` and `flask-commits.yaml` are about `flask`.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;

use crate::model::Intent;

/// A task and its relevant symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalTask {
    pub id: String,
    pub intent: Intent,
    /// Difficulty, as estimated by the task's author.
    pub tier: String,
    pub task: String,
    /// Names of symbols, such as `Flask.route`.
    pub ground_truth: Vec<String>,
}

/// The tasks of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFile {
    /// The repository's name, and that of its folder in a corpus.
    pub repository: String,
    pub tasks: Vec<EvalTask>,
}

/// An invalid task file.
#[derive(Debug, thiserror::Error)]
pub enum TaskFileError {
    #[error("{file} has no repository in its name; name it like `flask.yaml`")]
    NoRepositoryName { file: String },
    #[error("{file} is not a task file: {reason}")]
    Malformed { file: String, reason: String },
    #[error("{file} has no tasks; each has id, tier, task and ground_truth, in a list under `tasks:`")]
    Empty { file: String },
    #[error("{file}: the task `{id}` {problem}")]
    Task { file: String, id: String, problem: &'static str },
}

#[derive(Deserialize)]
struct TaskList {
    tasks: Vec<TaskRecord>,
}

#[derive(Deserialize)]
struct TaskRecord {
    id: String,
    #[serde(default)]
    tier: String,
    task: String,
    ground_truth: Vec<String>,
}

/// The tier of tasks that are commit messages.
const COMMIT: &str = "commit";
/// Suffix of the names of files with such tasks.
const COMMITS: &str = "-commits";

impl TaskFile {
    /// Parses the text of the file at `path`.
    ///
    /// # Errors
    /// When the file name has no repository, the text is malformed, or a task is invalid.
    pub fn read(path: &Path, text: &str) -> Result<TaskFile, TaskFileError> {
        let file = path.display().to_string();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let (repository, is_commits) = match stem.strip_suffix(COMMITS) {
            Some(repository) => (repository, true),
            None => (stem.as_str(), false),
        };
        if repository.is_empty() || repository.starts_with('.') {
            return Err(TaskFileError::NoRepositoryName { file });
        }
        let TaskList { tasks } = serde_saphyr::from_str(text)
            .map_err(|error| TaskFileError::Malformed { file: file.clone(), reason: error.to_string() })?;
        let mut ids = HashSet::new();
        let mut read = Vec::with_capacity(tasks.len());
        for entry in tasks {
            if let Some(problem) = problem(&entry, &mut ids) {
                return Err(TaskFileError::Task { file, id: entry.id, problem });
            }
            let is_commit = is_commits || entry.tier == COMMIT;
            let intent = if is_commit { Intent::Locate } else { Intent::Explore };
            let TaskRecord { id, tier, task, ground_truth } = entry;
            read.push(EvalTask { id, intent, tier, task: task.trim().to_owned(), ground_truth });
        }
        if read.is_empty() {
            return Err(TaskFileError::Empty { file });
        }
        Ok(TaskFile { repository: repository.to_owned(), tasks: read })
    }
}

fn problem(entry: &TaskRecord, ids: &mut HashSet<String>) -> Option<&'static str> {
    if entry.id.trim().is_empty() {
        return Some("has an empty id");
    }
    if !ids.insert(entry.id.clone()) {
        return Some("has a duplicate id");
    }
    if entry.task.trim().is_empty() {
        return Some("has no text");
    }
    if entry.ground_truth.is_empty() || entry.ground_truth.iter().any(|name| name.trim().is_empty()) {
        return Some("has no ground truth, or an empty name in it");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<TaskFile, TaskFileError> {
        TaskFile::read(Path::new(name), text)
    }

    const ONE: &str = "tasks:\n- {id: a, tier: easy, task: ' pay ', ground_truth: [charge], overlap: 0.5}\n";

    #[test]
    fn file_name_has_repository_and_intent() {
        let file = read("tasks/shop.yaml", ONE).unwrap();
        assert_eq!((file.repository.as_str(), file.tasks[0].intent), ("shop", Intent::Explore));
        assert_eq!((file.tasks[0].task.as_str(), file.tasks[0].tier.as_str()), ("pay", "easy"));
        let file = read("shop-commits.yaml", ONE).unwrap();
        assert_eq!((file.repository.as_str(), file.tasks[0].intent), ("shop", Intent::Locate));
        let file = read("shop.yaml", &ONE.replace("easy", "commit")).unwrap();
        assert_eq!(file.tasks[0].intent, Intent::Locate);
        assert!(matches!(read("-commits.yaml", ONE), Err(TaskFileError::NoRepositoryName { .. })));
    }

    #[test]
    fn folded_text_follows_yaml() {
        let text = "tasks:\n- id: a\n  task: 'first\n    line\n\n    second'\n  ground_truth:\n  - charge\n";
        assert_eq!(read("shop.yaml", text).unwrap().tasks[0].task, "first line\nsecond");
    }

    #[test]
    fn malformed_files_are_reported() {
        let message = |text: &str| read("shop.yaml", text).unwrap_err().to_string();
        assert!(message("tasks: 7").starts_with("shop.yaml is not a task file: "));
        assert!(message("tasks: [{id: a}]").contains("task"));
        assert!(message("tasks: []").contains("has no tasks"));
        assert!(message(&ONE.replace("[charge]", "[]")).contains("`a` has no ground truth"));
        assert!(message(&ONE.replace("' pay '", "' '")).contains("`a` has no text"));
        assert!(message(&format!("{ONE}{}", &ONE[7..])).contains("`a` has a duplicate id"));
    }
}
