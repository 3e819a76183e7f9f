//! Compares the metrics of our own tasks with `tests/eval/scoreboard.txt`.
//!
//! A ranking change is a difference in that file, task by task. If it is intended, update the file:
//!
//! ```sh
//! KNOWING_SCOREBOARD=write cargo test --test it scoreboard
//! ```

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use knowing::eval::summary::{Group, summary};
use knowing::eval::{Job, Metrics, Results, TaskResult, evaluate, missing_ground_truth};
use knowing::model::Options;

use super::{FIXTURES, job, project};
use crate::cli::copy;

/// The budget of published results of other systems.
const RESULTS: Results = Results::Packed { budget_tokens: 5_000 };
/// Separates the part that must be equal from the part that must not fall.
const OWN: &str = "# src/ of this repository, which every commit changes: none may fall by more than 0.1\n";
/// Tolerated decrease of the metrics of this repository's own tasks.
const SLACK: f64 = 0.1;

fn path() -> PathBuf {
    project().join("tests/eval/scoreboard.txt")
}

fn is_writing() -> bool {
    std::env::var_os("KNOWING_SCOREBOARD").is_some_and(|value| value == "write")
}

/// Panics if a symbol of the ground truth does not exist.
fn assert_nothing_missing(job: &Job) {
    let reader = job.engine.as_ref().unwrap().reader().unwrap();
    let missing = missing_ground_truth(&reader, &job.tasks).unwrap();
    assert!(missing.is_empty(), "tests/eval/{}.yaml names what does not exist: {missing:?}", job.repository);
}

fn columns(metrics: &Metrics) -> String {
    format!("{:.3} {:.3} {:.3} {:.3}", metrics.p10, metrics.r10, metrics.ndcg10, metrics.mrr)
}

fn line(out: &mut String, name: &str, dotted: &Metrics, strict: &Metrics) {
    writeln!(out, "{name:<24} {} | {}", columns(dotted), columns(strict)).unwrap();
}

fn group_lines(out: &mut String, groups: &[Group]) {
    for group in groups {
        let intent = group.intent.map_or("all", |intent| intent.name());
        let name = match (&group.repository, &group.tier) {
            (Some(repository), _) => format!("{intent} {repository}"),
            (None, Some(_)) => continue,
            (None, None) => intent.to_owned(),
        };
        line(out, &name, &group.dotted, &group.strict);
    }
}

/// Returns the rank of each entry of the ground truth.
fn ranks(task: &TaskResult) -> String {
    let rank = |truth: &String| {
        let found = task
            .traces
            .iter()
            .find(|trace| trace.name.strip_suffix(truth.as_str()).is_some_and(|before| before.ends_with('.')));
        format!("{truth} {}", found.map_or("-".to_owned(), |trace| trace.rank.to_string()))
    };
    task.ground_truth.iter().map(rank).collect::<Vec<_>>().join(", ")
}

fn fixtures_board() -> String {
    let folder = tempfile::tempdir().unwrap();
    let indexed = |name: &&str| {
        copy(&project().join("tests/fixtures").join(name), &folder.path().join(name));
        job(name, folder.path())
    };
    let jobs: Vec<Job> = FIXTURES.iter().map(indexed).collect();
    jobs.iter().for_each(assert_nothing_missing);
    let tasks = evaluate(&jobs, RESULTS, &Options::default());
    let mut board = format!("# {}\n", RESULTS.describe());
    writeln!(board, "{:<24} dotted P@10 R@10 NDCG@10 MRR | strict P@10 R@10 NDCG@10 MRR", "#").unwrap();
    group_lines(&mut board, &summary(&tasks));
    board.push('\n');
    for task in &tasks {
        assert_eq!(task.error, None, "{}", task.id);
        line(&mut board, &task.id, &task.dotted, &task.strict);
        writeln!(board, "  {}", ranks(task)).unwrap();
    }
    board
}

fn own_board() -> String {
    let folder = tempfile::tempdir().unwrap();
    // Sources only, without history and fixtures.
    copy(&project().join("src"), &folder.path().join("knowing/src"));
    fs::copy(project().join("Cargo.toml"), folder.path().join("knowing/Cargo.toml")).unwrap();
    let job = job("knowing", folder.path());
    assert_nothing_missing(&job);
    let mut board = String::new();
    group_lines(&mut board, &summary(&evaluate(&[job], RESULTS, &Options::default())));
    board
}

/// Returns the name and the numbers of each line.
fn numbers(board: &str) -> Vec<(String, Vec<f64>)> {
    let rows = board.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let name = line.split("  ").next().unwrap_or_default().to_owned();
        (name, numbers)
    })
    .collect()
}

#[test]
fn scoreboard_is_up_to_date() {
    let (fixtures, own) = (fixtures_board(), own_board());
    if is_writing() {
        fs::write(path(), format!("{fixtures}\n{OWN}{own}")).unwrap();
        return;
    }
    let recorded = fs::read_to_string(path()).unwrap();
    let (recorded_fixtures, recorded_own) = recorded.split_once(&format!("\n{OWN}")).unwrap();
    let changed: Vec<String> = (recorded_fixtures.lines().zip(fixtures.lines()))
        .filter(|(old, new)| old != new)
        .map(|(old, new)| format!("- {old}\n+ {new}"))
        .collect();
    let hint = "when this is meant: KNOWING_SCOREBOARD=write cargo test --test it scoreboard";
    assert!(recorded_fixtures == fixtures, "the ranking of our tasks changed; {hint}\n{}", changed.join("\n"));

    let (old, new) = (numbers(recorded_own), numbers(&own));
    assert_eq!(old.len(), new.len(), "tests/eval/knowing.yaml has other groups; {hint}\n{own}");
    for ((name, old), (_, new)) in old.iter().zip(&new) {
        let fell = old.iter().zip(new).any(|(old, new)| *new < old - SLACK);
        assert!(!fell && old.len() == new.len(), "{name} of this repository fell; {hint}\n{recorded_own}now\n{own}");
    }
}
