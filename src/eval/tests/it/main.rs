//! Tests of the evaluation: the scoreboard of our own tasks, `knowing-eval`, and the fit of the ranking model.

// `allow-unwrap-in-tests` of clippy.toml does not cover helper functions of tests.
#![allow(clippy::unwrap_used)]

mod command;
mod scoreboard;
mod training;

use std::path::{Path, PathBuf};
use std::process::Output;

use knowing_eval::{Job, TaskFile};
use knowing_retrieval::engine::Engine;

/// The fixtures with tasks, one per language.
const FIXTURES: [&str; 4] = ["shop", "relay", "planner", "ledger"];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the path of a repository's task file.
fn task_path(repository: &str) -> PathBuf {
    project().join("tests/eval").join(format!("{repository}.yaml"))
}

/// Indexes the copy of a repository in `folder` and returns it with its tasks.
fn job(repository: &str, folder: &Path) -> Job {
    let database = folder.join(format!("{repository}.db"));
    let mut engine = Engine::open(&folder.join(repository), Some(&database)).unwrap();
    engine.index(false, None, &|_| ()).unwrap();
    let path = task_path(repository);
    let file = TaskFile::read(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(file.repository, repository);
    Job { repository: file.repository, engine: Ok(engine), tasks: file.tasks }
}

/// Returns the exit code.
fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Returns standard output as text.
fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns standard error as text.
fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
