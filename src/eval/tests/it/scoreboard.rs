//! Compares the metrics of our own tasks with `tests/eval/scoreboard.txt`.
//!
//! A ranking change is a difference in that file, task by task. If it is intended, update the file:
//!
//! ```sh
//! KNOWING_SCOREBOARD=write cargo test -p knowing-eval --test it scoreboard
//! ```

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use knowing_eval::cross::subject::copy_folder;
use knowing_eval::summary::{Group, summary};
use knowing_eval::{Job, Metrics, Results, TaskResult, evaluate, missing_ground_truth};
use knowing_retrieval::model::Options;

use super::{FIXTURES, job, project};

/// The budget of published results of other systems.
const RESULTS: Results = Results::Packed { budget_tokens: 5_000 };
/// Heads the part about the frozen sources of this program.
const FROZEN: &str = "# tests/fixtures/knowing.tar.zst: this program's sources of 2026-11-22";

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

/// Writes a fixture's files into `folder`. The frozen sources are an archive, so that no search of the project finds
/// them.
fn unpack(name: &str, folder: &Path) {
    let fixture = project().join("tests/fixtures").join(name);
    if fixture.is_dir() {
        return copy_folder(&fixture, folder).unwrap();
    }
    let archive = fs::File::open(fixture.with_extension("tar.zst")).unwrap();
    tar::Archive::new(zstd::Decoder::new(archive).unwrap()).unpack(folder).unwrap();
}

/// Indexes copies of fixtures and returns the metrics of their tasks: means first, then each task.
fn board(fixtures: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let indexed = |name: &&str| {
        unpack(name, &folder.path().join(name));
        job(name, folder.path())
    };
    let jobs: Vec<Job> = fixtures.iter().map(indexed).collect();
    jobs.iter().for_each(assert_nothing_missing);
    let tasks = evaluate(&jobs, RESULTS, &Options::default());
    let mut board = String::new();
    group_lines(&mut board, &summary(&tasks));
    board.push('\n');
    for task in &tasks {
        assert_eq!(task.error, None, "{}", task.id);
        line(&mut board, &task.id, &task.dotted, &task.strict);
        writeln!(board, "  {}", ranks(task)).unwrap();
    }
    board
}

#[test]
fn scoreboard_is_up_to_date() {
    let mut board_now = format!("# {}\n", RESULTS.describe());
    writeln!(board_now, "{:<24} dotted P@10 R@10 NDCG@10 MRR | strict P@10 R@10 NDCG@10 MRR", "#").unwrap();
    write!(board_now, "{}\n{FROZEN}\n{}", board(&FIXTURES), board(&["knowing"])).unwrap();
    if is_writing() {
        fs::write(path(), board_now).unwrap();
        return;
    }
    let recorded = fs::read_to_string(path()).unwrap();
    let changed: Vec<String> = (recorded.lines().zip(board_now.lines()))
        .filter(|(old, new)| old != new)
        .map(|(old, new)| format!("- {old}\n+ {new}"))
        .collect();
    let hint = "if this is intended: KNOWING_SCOREBOARD=write cargo test -p knowing-eval --test it scoreboard";
    assert!(recorded == board_now, "the ranking of the tasks in tests/eval changed; {hint}\n{}", changed.join("\n"));
}
