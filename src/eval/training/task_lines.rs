//! Reads training tasks: the YAML files of [`TaskFile`], and JSON lines of commits, issues and questions from documentation.
//!
//! ```json
//! {"id": "just-d18e", "task": "Preserve groups", "ground_truth": [{"file": "src/item.rs", "symbol": "Item.fmt"}]}
//! {"id": "flask-1", "repo": "flask", "release": "2.2.3", "task": "…", "ground_truth": […]}
//! {"id": "click-1-heading", "repo": "click", "kind": "explore", "group": "click-1", "task": "…", "ground_truth": […]}
//! ```
//!
//! Lines with a release are issues, in the folder `flask-2.2.3` of the corpus. Those of the kind `explore` are questions
//! whose answers documentation cites. The others are commits of the repository that the file is named after.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::model::Intent;
use crate::task_file::{TaskFile, TaskFileError};

/// The origin of a task. It decides which candidates match the ground truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataSet {
    /// Commit messages; the ground truth is the changed definitions.
    Commits,
    /// Issues; the ground truth is the functions that the fix changed.
    Issues,
    /// Tasks of YAML files.
    Development,
    /// Questions made from a section of documentation; the ground truth is the definitions that it cites.
    Documents,
}

/// An entry of the ground truth.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
pub struct GoldSymbol {
    /// Path relative to the repository's root. Development tasks have none.
    #[serde(default)]
    pub file: Option<String>,
    /// The name with its scope, such as `Flask.route`.
    pub symbol: String,
}

/// A task with its ground truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingTask {
    pub id: String,
    pub intent: Intent,
    pub task: String,
    pub ground_truth: Vec<GoldSymbol>,
    /// The section that a question of [`DataSet::Documents`] was made from. All questions of a group count as one task.
    pub group: Option<String>,
}

/// The tasks of one set about one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingTasks {
    pub set: DataSet,
    /// Name of the repository's folder in the corpus.
    pub repository: String,
    /// Name of the project: the repository without its release. What is fitted is judged with a project left out.
    pub project: String,
    pub tasks: Vec<TrainingTask>,
}

#[derive(Deserialize)]
struct LineRecord {
    id: String,
    repo: Option<String>,
    release: Option<String>,
    kind: Option<Intent>,
    group: Option<String>,
    task: String,
    ground_truth: Vec<GoldSymbol>,
}

impl TrainingTasks {
    /// Parses the text of the file at `path`: JSON lines if its name ends with `.jsonl` or `.jsonl.gz`, YAML otherwise.
    /// Repositories are in the order of first appearance.
    ///
    /// # Errors
    /// When the file name has no repository, the text is malformed, or a task is invalid.
    pub fn read(path: &Path, text: &str) -> Result<Vec<TrainingTasks>, TaskFileError> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix(".jsonl");
        match stem {
            Some(repository) => read_lines(&path.display().to_string(), repository, text),
            None => Ok(vec![development(TaskFile::read(path, text)?)]),
        }
    }
}

fn development(file: TaskFile) -> TrainingTasks {
    let gold = |symbol: String| GoldSymbol { file: None, symbol };
    let tasks = file.tasks.into_iter().map(|task| TrainingTask {
        id: task.id,
        intent: task.intent,
        task: task.task,
        ground_truth: task.ground_truth.into_iter().map(gold).collect(),
        group: None,
    });
    let tasks = tasks.collect();
    TrainingTasks { set: DataSet::Development, project: file.repository.clone(), repository: file.repository, tasks }
}

fn read_lines(file: &str, name: &str, text: &str) -> Result<Vec<TrainingTasks>, TaskFileError> {
    let mut all: Vec<TrainingTasks> = Vec::new();
    let mut ids = HashSet::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let record: LineRecord = serde_json::from_str(line).map_err(|error| TaskFileError::Malformed {
            file: file.to_owned(),
            reason: format!("line {number}: {error}"),
        })?;
        if let Some(problem) = problem(&record, &mut ids) {
            return Err(TaskFileError::Task { file: file.to_owned(), id: record.id, problem });
        }
        let project = record.repo.as_deref().unwrap_or(name);
        if project.is_empty() {
            return Err(TaskFileError::NoRepositoryName { file: file.to_owned() });
        }
        let intent = record.kind.unwrap_or(Intent::Locate);
        let (set, repository) = match (&record.release, intent) {
            (Some(release), _) => (DataSet::Issues, format!("{project}-{release}")),
            (None, Intent::Explore) => (DataSet::Documents, project.to_owned()),
            (None, Intent::Locate) => (DataSet::Commits, project.to_owned()),
        };
        let LineRecord { id, task, ground_truth, group, .. } = &record;
        let task = TrainingTask {
            id: id.clone(),
            intent,
            group: group.clone(),
            task: task.trim().to_owned(),
            ground_truth: ground_truth.clone(),
        };
        match all.iter_mut().find(|tasks| tasks.repository == repository && tasks.set == set) {
            Some(tasks) => tasks.tasks.push(task),
            None => all.push(TrainingTasks { set, repository, project: project.to_owned(), tasks: vec![task] }),
        }
    }
    if all.is_empty() {
        return Err(TaskFileError::Empty { file: file.to_owned() });
    }
    Ok(all)
}

fn problem(record: &LineRecord, ids: &mut HashSet<String>) -> Option<&'static str> {
    if record.id.trim().is_empty() {
        return Some("has an empty id");
    }
    if !ids.insert(record.id.clone()) {
        return Some("has a duplicate id");
    }
    if record.task.trim().is_empty() {
        return Some("has no text");
    }
    let is_invalid =
        |gold: &GoldSymbol| gold.symbol.trim().is_empty() || gold.file.as_ref().is_none_or(|file| file.is_empty());
    if record.ground_truth.is_empty() || record.ground_truth.iter().any(is_invalid) {
        return Some("has no ground truth, or an entry without file or symbol");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str =
        r#"{"id": "a", "date": "2025-01-01", "task": " pay ", "ground_truth": [{"file": "a.py", "symbol": "charge"}]}"#;

    fn read(name: &str, text: &str) -> Result<Vec<TrainingTasks>, TaskFileError> {
        TrainingTasks::read(Path::new(name), text)
    }

    #[test]
    fn lines_are_commits_of_the_repository_in_the_name() {
        let all = read("tasks/shop.jsonl.gz", COMMIT).unwrap();
        let [TrainingTasks { set, repository, project, tasks }] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((*set, repository.as_str(), project.as_str()), (DataSet::Commits, "shop", "shop"));
        assert_eq!((tasks[0].task.as_str(), tasks[0].intent), ("pay", Intent::Locate));
        assert_eq!(tasks[0].ground_truth, [GoldSymbol { file: Some("a.py".to_owned()), symbol: "charge".to_owned() }]);
    }

    #[test]
    fn lines_with_a_release_are_issues_of_its_folder() {
        let issue = |id: &str, release: &str| {
            COMMIT.replace("\"a\",", &format!("\"{id}\", \"repo\": \"till\", \"release\": \"{release}\","))
        };
        let text = [issue("a", "1.0"), issue("b", "2.0"), issue("c", "1.0")].join("\n");
        let all = read("issues.jsonl", &text).unwrap();
        let shown: Vec<(&str, &str, usize)> =
            all.iter().map(|it| (it.repository.as_str(), it.project.as_str(), it.tasks.len())).collect();
        assert_eq!(shown, [("till-1.0", "till", 2), ("till-2.0", "till", 1)]);
        assert_eq!(all[0].set, DataSet::Issues);
    }

    #[test]
    fn lines_of_the_kind_explore_are_questions_in_groups() {
        let more = "\"a\", \"repo\": \"till\", \"kind\": \"explore\", \"group\": \"till-1\",";
        let all = read("till.jsonl.gz", &COMMIT.replace("\"a\",", more)).unwrap();
        let [TrainingTasks { set, repository, tasks, .. }] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((*set, repository.as_str(), tasks[0].intent), (DataSet::Documents, "till", Intent::Explore));
        assert_eq!(tasks[0].group.as_deref(), Some("till-1"));
    }

    #[test]
    fn yaml_files_are_development_tasks() {
        let all = read("shop-commits.yaml", "tasks:\n- {id: a, task: pay, ground_truth: [charge]}\n").unwrap();
        assert_eq!((all[0].set, all[0].repository.as_str()), (DataSet::Development, "shop"));
        assert_eq!(all[0].tasks[0].intent, Intent::Locate);
        assert_eq!(all[0].tasks[0].ground_truth[0].file, None);
    }

    #[test]
    fn malformed_lines_are_reported() {
        let message = |text: &str| read("shop.jsonl", text).unwrap_err().to_string();
        assert!(message("\n{}").contains("line 2"));
        assert!(message("").contains("has no tasks"));
        assert!(message(&format!("{COMMIT}\n{COMMIT}")).contains("`a` has a duplicate id"));
        assert!(message(&COMMIT.replace("\"file\": \"a.py\", ", "")).contains("`a` has no ground truth"));
        assert!(matches!(read(".jsonl", COMMIT), Err(TaskFileError::NoRepositoryName { .. })));
    }
}
