//! Live trials: the same tasks for coding agents with different tools, each command through a wrapper that logs it, and the
//! scores with paired intervals. Anyone with an agent can repeat one; `protocol.md` in the folder of a trial says how.

mod prepare;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bootstrap::bounds;
use crate::training::{GoldSymbol, TrainingTask};

pub use prepare::{Extent, prepare};

/// The text that tells an agent about the program.
const PROGRAM: &str = include_str!("trial/program.txt");
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

/// The tools of an arm.
#[derive(Debug)]
struct Arm {
    name: &'static str,
    has_search: bool,
    has_program: bool,
}

/// The arms of a trial. The others are compared with the first.
const ARMS: [Arm; 3] = [
    Arm { name: "search", has_search: true, has_program: false },
    Arm { name: "knowing", has_search: false, has_program: true },
    Arm { name: "both", has_search: true, has_program: true },
];

/// The mean outcome of an arm over the tasks that every arm has, and the differences to the first arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    pub name: &'static str,
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

/// Reads the answers and logs of a trial, and compares each arm with the first.
///
/// # Errors
/// When a file can't be read, or an arm has no answer.
pub fn score(folder: &Path) -> Result<Vec<Scores>, TrialError> {
    let tasks = read_tasks(&folder.join("gold.jsonl"))?;
    let mut outcomes: Vec<BTreeMap<&str, Outcome>> = Vec::new();
    for arm in &ARMS {
        let of_arm = outcomes_of(&folder.join(arm.name), &tasks)?;
        if of_arm.is_empty() {
            return Err(TrialError::Empty { path: folder.join(arm.name) });
        }
        outcomes.push(of_arm);
    }
    let is_common = |id: &&str| outcomes.iter().all(|of_arm| of_arm.contains_key(id));
    let common: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).filter(is_common).collect();
    let values = |arm: usize| -> Vec<[f64; 6]> { common.iter().map(|id| outcomes[arm][id].values()).collect() };
    let arms = ARMS.iter().enumerate().map(|(arm, Arm { name, .. })| {
        let own = values(arm);
        let differences: Vec<[f64; 6]> = (own.iter().zip(values(0)))
            .map(|(own, first)| std::array::from_fn(|column| own[column] - first[column]))
            .collect();
        let [mean, _, _] = bounds(&own);
        let difference = (arm > 0).then(|| bounds(&differences).map(Outcome::from_values));
        Scores { name, tasks: common.len(), mean: Outcome::from_values(mean), difference }
    });
    Ok(arms.collect())
}

/// Returns the outcomes of the tasks that an arm has answered.
fn outcomes_of<'a>(folder: &Path, tasks: &'a [TrialTask]) -> Result<BTreeMap<&'a str, Outcome>, TrialError> {
    let mut found = BTreeMap::new();
    for group in entries(folder)? {
        for task in tasks {
            if let Some(outcome) = outcome(&folder.join(&group), task)? {
                found.insert(task.id.as_str(), outcome);
            }
        }
    }
    Ok(found)
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

/// Returns the outcome of a task in the folder of a group; `None` without an answer.
fn outcome(folder: &Path, task: &TrialTask) -> Result<Option<Outcome>, TrialError> {
    let Some(answers) = read(&folder.join("answers").join(format!("{}.txt", task.id)))? else { return Ok(None) };
    let log = read(&folder.join("logs").join(format!("{}.tsv", task.id)))?.unwrap_or_default();
    let answers: Vec<(String, String)> = answers.lines().filter_map(place).take(MAX_ANSWERS).collect();
    let gold: HashSet<(String, String)> = task.gold.iter().filter_map(|gold| place(gold)).collect();
    let found: HashSet<&(String, String)> = answers.iter().filter(|answer| gold.contains(*answer)).collect();
    let calls: Vec<[f64; 3]> = log.lines().filter_map(numbers).collect();
    let first = calls.first().map_or(0.0, |[start, _, _]| *start);
    let last = calls.last().map_or(0.0, |[start, took, _]| start + took);
    let is = |condition: bool| f64::from(u8::from(condition));
    Ok(Some(Outcome {
        found: found.len() as f64 / gold.len().max(1) as f64,
        first_right: is(answers.first().is_some_and(|first| gold.contains(first))),
        all_found: is(found.len() == gold.len()),
        calls: calls.len() as f64,
        tokens: calls.iter().map(|[_, _, characters]| characters).sum::<f64>() / TOKEN_CHARS,
        seconds: (last - first) / 1_000.0,
    }))
}

/// Returns start, milliseconds and characters of a line of a log.
fn numbers(line: &str) -> Option<[f64; 3]> {
    let mut columns = line.split('\t').map(|column| column.parse::<f64>().ok());
    Some([columns.next()??, columns.next()??, columns.next()??])
}

/// Returns the file and the last name of a place such as `src/cart.py:Cart.total`.
fn place(line: &str) -> Option<(String, String)> {
    let line = line.trim_start_matches([' ', '-', '*', '`']).trim_start_matches("./");
    let (file, name) = line.split_once(':')?;
    let name = name.split(['(', '<', ' ', '`']).find(|part| !part.is_empty())?;
    let last = name.rsplit(['.', '#', ':']).next().filter(|last| !last.is_empty())?;
    Some((file.to_owned(), last.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn task(id: &str, folder: &Path, gold: &[&str]) -> TrialTask {
        let gold = gold.iter().map(|place| (*place).to_owned()).collect();
        TrialTask { id: id.to_owned(), folder: folder.to_owned(), task: "pay\nnow".to_owned(), gold }
    }

    /// A program that writes the number of its calls.
    fn program(folder: &Path) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join("program");
        write(&path, "#!/bin/sh\necho \"$KNOWING_HOME $*\"\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn an_agent_works_in_the_folder_of_its_prompt_with_the_commands_of_its_arm() {
        let folder = tempfile::tempdir().unwrap();
        let repository = folder.path().join("shop");
        write(&repository.join("cart.py"), "total = 1\n");
        let trial = folder.path().join("trial");
        let tasks: Vec<TrialTask> =
            ["a", "b", "c"].iter().map(|id| task(id, &repository, &["cart.py:total"])).collect();
        let extent = Extent { group: 2, calls: 2 };
        assert_eq!(prepare(&trial, &tasks, &program(folder.path()), extent).unwrap(), 6);
        let prompt = |name: &str| fs::read_to_string(trial.join("prompts").join(name)).unwrap();
        let first = prompt("search-1.txt");
        assert!(first.contains("1. a\n    pay\n    now\n\n2. c\n") && !first.contains("knowing"), "{first}");
        assert!(first.contains(&format!("sh {}/run ID 'COMMAND'", trial.join("search/1").display())), "{first}");
        assert!(prompt("knowing-2.txt").contains("knowing context"), "the program is described");
        let run = |group: &str, command: &str| {
            let mut shell = std::process::Command::new("sh");
            let output = shell.arg(trial.join(group).join("run")).args(["a", command]).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(run("search/1", "grep -Hn total *"), "cart.py:1:total = 1\n");
        assert!(run("search/1", "knowing context x").contains("not found"), "not in this arm");
        assert!(run("search/1", "cat cart.py").starts_with("no calls are left"), "two calls were made");
        assert!(run("knowing/1", "grep -n total *").contains("not found"));
        assert!(run("both/1", "knowing context x").ends_with("both/home context x\n"), "an index for each arm");
        let log = fs::read_to_string(trial.join("search/1/logs/a.tsv")).unwrap();
        assert_eq!((log.lines().count(), numbers(&log).unwrap()[2]), (2, 20.0), "{log}");
    }

    #[test]
    fn arms_are_compared_on_the_tasks_that_all_have() {
        let folder = tempfile::tempdir().unwrap();
        let tasks = [
            task("a", folder.path(), &["src/cart.py:Cart.total", "src/pay.rs:Pay::charge"]),
            task("b", folder.path(), &["x.py:f"]),
            task("c", folder.path(), &["y.py:g"]),
        ];
        prepare(folder.path(), &tasks, &program(folder.path()), Extent { group: 2, calls: 9 }).unwrap();
        assert!(matches!(score(folder.path()), Err(TrialError::Empty { .. })), "no answers yet");
        let write = |name: &str, text: &str| write(&folder.path().join(name), text);
        write("search/1/answers/a.txt", "src/other.py:x\n./src/cart.py:total()\n");
        write("search/2/answers/b.txt", "- `x.py:f`\n");
        write("search/1/logs/a.tsv", "1000\t500\t330\tgrep -rn total\n4000\t500\t3300\tcat src/cart.py\n");
        for arm in ["knowing", "both"] {
            write(&format!("{arm}/1/answers/a.txt"), "src/cart.py:Cart.total\nsrc/pay.rs:Pay::charge\n");
            write(&format!("{arm}/2/answers/b.txt"), "x.py:f\n");
            write(&format!("{arm}/1/answers/c.txt"), "y.py:g\n");
        }
        let arms = score(folder.path()).unwrap();
        let [search, knowing, _] = arms.as_slice() else { panic!("{arms:?}") };
        assert_eq!((search.name, search.tasks, search.difference), ("search", 2, None));
        assert_eq!((search.mean.found, search.mean.first_right, search.mean.all_found), (0.75, 0.5, 0.5));
        assert_eq!((search.mean.calls, search.mean.seconds), (1.0, 1.75));
        assert!((search.mean.tokens - 550.0).abs() < 1.0);
        let [mean, low, high] = knowing.difference.unwrap();
        assert!(mean.found == 0.25 && low.found == 0.0 && high.found == 0.5, "{mean:?}");
    }
}
