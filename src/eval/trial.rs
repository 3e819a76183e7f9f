//! Live trials: the same tasks for coding agents with different tools, each command through a wrapper that logs it, and the
//! scores with paired intervals. Anyone with an agent can repeat one; `protocol.md` in the folder of a trial says how.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bootstrap::bounds;
use crate::training::{GoldSymbol, TrainingTask};

const PROTOCOL: &str = include_str!("trial/protocol.md");
const WRAPPER: &str = include_str!("trial/run.sh");
/// Answers of a task that count.
const MAX_ANSWERS: usize = 10;
/// Characters of a token, about, in code and paths.
const TOKEN_CHARS: f64 = 3.3;

/// A trial can't be prepared or scored.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error("can't {action} {path}: {cause}")]
    Io { action: &'static str, path: PathBuf, cause: io::Error },
    #[error("{path}:{line}: {reason}")]
    Malformed { path: PathBuf, line: usize, reason: String },
    #[error("{path} has no answers; protocol.md says where they are written")]
    Empty { path: PathBuf },
}

/// A task of a trial with its relevant places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialTask {
    pub id: String,
    /// The folder in which commands run.
    pub folder: PathBuf,
    pub task: String,
    /// Files and names, such as `src/cart.py:Cart.total`.
    pub gold: Vec<String>,
}

/// The measurements of one task in one arm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Share of the relevant places among the first answers.
    pub found: f64,
    pub first_right: f64,
    pub all_found: f64,
    pub calls: f64,
    pub tokens: f64,
    pub seconds: f64,
}

/// The mean outcome of an arm over the tasks that every arm has, and the differences to the first arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arm {
    pub name: String,
    pub tasks: usize,
    pub mean: Outcome,
    /// Mean, lower and upper bound (95%) of the difference; `None` for the first arm.
    pub difference: Option<[Outcome; 3]>,
}

impl Outcome {
    fn values(&self) -> [f64; 6] {
        [self.found, self.first_right, self.all_found, self.calls, self.tokens, self.seconds]
    }

    fn from_values([found, first_right, all_found, calls, tokens, seconds]: [f64; 6]) -> Outcome {
        Outcome { found, first_right, all_found, calls, tokens, seconds }
    }
}

impl TrialTask {
    /// Makes a trial's task of a training task.
    pub fn new(task: TrainingTask, folder: PathBuf) -> TrialTask {
        let place = |gold: GoldSymbol| format!("{}:{}", gold.file.unwrap_or_default(), gold.symbol);
        let id = task.id.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        TrialTask { id, folder, task: task.task, gold: task.ground_truth.into_iter().map(place).collect() }
    }
}

/// Writes the folder of a trial: the protocol, the wrapper, a file for each task, and the relevant places, which no agent
/// may see.
///
/// # Errors
/// When a file can't be written.
pub fn prepare(folder: &Path, tasks: &[TrialTask]) -> Result<(), TrialError> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        made.map_err(|cause| TrialError::Io { action: "write", path, cause })
    };
    write("protocol.md", PROTOCOL)?;
    write("run.sh", WRAPPER)?;
    let mut gold = String::new();
    for task in tasks {
        write(&format!("tasks/{}.txt", task.id), &format!("{}\n", task.task))?;
        write(&format!("folders/{}", task.id), &format!("{}\n", task.folder.display()))?;
        gold.push_str(&serde_json::to_string(task).unwrap_or_default());
        gold.push('\n');
    }
    write("gold.jsonl", &gold)
}

/// Reads the answers and logs of a trial. `first` is the arm that the others are compared with.
///
/// # Errors
/// When a file can't be read, or there is no answer of that arm.
pub fn score(folder: &Path, first: &str) -> Result<Vec<Arm>, TrialError> {
    let tasks = read_tasks(&folder.join("gold.jsonl"))?;
    let answers = folder.join("answers");
    let mut names: BTreeSet<String> = entries(&answers)?.into_iter().collect();
    if !names.remove(first) {
        return Err(TrialError::Empty { path: answers.join(first) });
    }
    let all: Vec<String> = std::iter::once(first.to_owned()).chain(names).collect();
    let mut outcomes: Vec<BTreeMap<&str, Outcome>> = Vec::new();
    for name in &all {
        let mut of_arm = BTreeMap::new();
        for task in &tasks {
            if let Some(outcome) = outcome(folder, name, task)? {
                of_arm.insert(task.id.as_str(), outcome);
            }
        }
        outcomes.push(of_arm);
    }
    let is_common = |id: &&str| outcomes.iter().all(|of_arm| of_arm.contains_key(id));
    let common: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).filter(is_common).collect();
    if common.is_empty() {
        return Err(TrialError::Empty { path: answers });
    }
    let outcomes = &outcomes;
    let values = |arm: usize| common.iter().map(move |id| outcomes[arm][id].values());
    let arms = all.iter().enumerate().map(|(arm, name)| {
        let own: Vec<[f64; 6]> = values(arm).collect();
        let differences: Vec<[f64; 6]> = (values(arm).zip(values(0)))
            .map(|(own, first)| std::array::from_fn(|column| own[column] - first[column]))
            .collect();
        let [mean, _, _] = bounds(&own);
        let difference = (arm > 0).then(|| bounds(&differences).map(Outcome::from_values));
        Arm { name: name.clone(), tasks: common.len(), mean: Outcome::from_values(mean), difference }
    });
    Ok(arms.collect())
}

fn read_tasks(path: &Path) -> Result<Vec<TrialTask>, TrialError> {
    let text = read(path)?.unwrap_or_default();
    let parse = |(index, line): (usize, &str)| {
        let malformed = |error: serde_json::Error| TrialError::Malformed {
            path: path.to_owned(),
            line: index + 1,
            reason: error.to_string(),
        };
        serde_json::from_str(line).map_err(malformed)
    };
    text.lines().enumerate().map(parse).collect()
}

/// Returns the text of a file; `None` if there is none.
fn read(path: &Path) -> Result<Option<String>, TrialError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(TrialError::Io { action: "read", path: path.to_owned(), cause }),
    }
}

fn entries(folder: &Path) -> Result<Vec<String>, TrialError> {
    let unreadable = |cause| TrialError::Io { action: "read", path: folder.to_owned(), cause };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        names.push(entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

/// Returns the outcome of a task in an arm; `None` without an answer.
fn outcome(folder: &Path, arm: &str, task: &TrialTask) -> Result<Option<Outcome>, TrialError> {
    let Some(answers) = read(&folder.join("answers").join(arm).join(format!("{}.txt", task.id)))? else {
        return Ok(None);
    };
    let log = read(&folder.join("logs").join(arm).join(format!("{}.tsv", task.id)))?.unwrap_or_default();
    let answers: Vec<(String, String)> = answers.lines().filter_map(place).take(MAX_ANSWERS).collect();
    let gold: HashSet<(String, String)> = task.gold.iter().filter_map(|gold| place(gold)).collect();
    let found: HashSet<&(String, String)> = answers.iter().filter(|answer| gold.contains(*answer)).collect();
    let column = |number: usize| -> f64 {
        log.lines().filter_map(|line| line.split('\t').nth(number)?.parse::<f64>().ok()).sum()
    };
    let is = |condition: bool| f64::from(u8::from(condition));
    Ok(Some(Outcome {
        found: found.len() as f64 / gold.len().max(1) as f64,
        first_right: is(answers.first().is_some_and(|first| gold.contains(first))),
        all_found: is(found.len() == gold.len()),
        calls: log.lines().count() as f64,
        tokens: column(1) / TOKEN_CHARS,
        seconds: column(0) / 1_000.0,
    }))
}

/// Returns the file and the last name of a place such as `src/cart.py:Cart.total`.
fn place(line: &str) -> Option<(String, String)> {
    let (file, name) = line.trim().trim_start_matches("./").rsplit_once(':')?;
    let last = name.trim().rsplit(['.', '#', ':']).next().filter(|last| !last.is_empty())?;
    Some((file.trim_end_matches(':').to_owned(), last.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_compared_on_the_tasks_that_all_have() {
        let folder = tempfile::tempdir().unwrap();
        let task = |id: &str, gold: &[&str]| TrialTask {
            id: id.to_owned(),
            folder: "/shop".into(),
            task: "pay".to_owned(),
            gold: gold.iter().map(|place| (*place).to_owned()).collect(),
        };
        let tasks = [
            task("a", &["src/cart.py:Cart.total", "src/pay.py:charge"]),
            task("b", &["x.py:f"]),
            task("c", &["y.py:g"]),
        ];
        prepare(folder.path(), &tasks).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("tasks/a.txt")).unwrap(), "pay\n");
        assert!(matches!(score(folder.path(), "search"), Err(TrialError::Io { .. })), "no answers yet");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("answers/search/a.txt", "src/other.py:x\n./src/cart.py:total\n");
        write("answers/search/b.txt", "x.py:f\n");
        write("logs/search/a.tsv", "1500\t330\tgrep -rn total\n500\t3300\tcat src/cart.py\n");
        write("answers/knowing/a.txt", "src/cart.py:Cart.total\nsrc/pay.py:charge\n");
        write("answers/knowing/b.txt", "x.py:f\n");
        write("answers/knowing/c.txt", "y.py:g\n");
        let arms = score(folder.path(), "search").unwrap();
        let [search, knowing] = arms.as_slice() else { panic!("{arms:?}") };
        assert_eq!((search.name.as_str(), search.tasks, search.difference), ("search", 2, None));
        assert_eq!((search.mean.found, search.mean.first_right, search.mean.all_found), (0.75, 0.5, 0.5));
        assert_eq!((search.mean.calls, search.mean.seconds), (1.0, 1.0));
        assert!((search.mean.tokens - 550.0).abs() < 1.0);
        let [mean, low, high] = knowing.difference.unwrap();
        assert!(mean.found == 0.25 && low.found == 0.0 && high.found == 0.5, "{mean:?}");
        assert!(matches!(score(folder.path(), "both"), Err(TrialError::Empty { .. })));
    }
}
