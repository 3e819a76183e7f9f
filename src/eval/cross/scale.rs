//! Growth with size: what indexing and an answer cost in repositories of different sizes. No quality is measured, so no task
//! file is needed.

use super::folder::RunFolder;
use super::record::{ScaleRecord, file};
use super::repository::Repository;
use super::runner::{Plan, RunError, median};
use super::system::System;

/// Questions that any repository can be asked. The time of an answer is the median over them.
const TASKS: [&str; 5] = [
    "parse the options of the command line",
    "retry a request when the connection was closed",
    "write the configuration to a file",
    "why is a cached value returned after it expired",
    "convert a value to a string",
];
/// Budget of the answers, in tokens.
const BUDGET: usize = 5_000;

/// Measures every system in each of the repositories, unless it is recorded.
///
/// # Errors
/// When the run's folder or the work folder can't be used, or this program can't index a repository.
pub fn run(plan: &Plan, repositories: &[String], folder: &RunFolder, step: &dyn Fn(&str)) -> Result<(), RunError> {
    let known: Vec<ScaleRecord> = folder.read(file::SCALE)?;
    for name in repositories {
        let is_known = |system: &System| known.iter().any(|it| (&it.system, &it.repository) == (&system.name, name));
        let systems: Vec<&System> = plan.systems.iter().filter(|system| !is_known(system)).collect();
        if systems.is_empty() {
            continue;
        }
        let repository = plan.repository(name)?;
        for system in systems {
            step(&format!("{} on {name}", system.name));
            folder.append(file::SCALE, &measure(plan, system, &repository)?)?;
        }
    }
    Ok(())
}

fn measure(plan: &Plan, system: &System, repository: &Repository) -> Result<ScaleRecord, RunError> {
    let workplace = plan.workplace(&system.name, &repository.name, &repository.folder)?;
    let subject = plan.subject(system, &workplace, &repository.language)?;
    let indexed = subject.index();
    let mut error = indexed.failure.clone();
    let mut peak = indexed.peak_memory_bytes;
    let mut times = Vec::with_capacity(TASKS.len());
    for task in TASKS {
        if error.is_some() {
            break;
        }
        let answer = subject.ask(task, BUDGET);
        times.push(answer.seconds);
        peak = peak.max(answer.peak_memory_bytes);
        error = answer.failure;
    }
    let record = ScaleRecord {
        system: system.name.clone(),
        repository: repository.name.clone(),
        files: repository.files,
        symbols: subject.printed_symbols(&indexed),
        source_bytes: repository.source_bytes,
        index_seconds: indexed.seconds,
        query_seconds: median(&mut times),
        peak_memory_bytes: peak,
        database_bytes: subject.database_bytes(),
        error,
    };
    drop(subject);
    workplace.remove()?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::runner::tests::plan;

    #[test]
    fn each_system_and_repository_is_measured_once() {
        let temporary = tempfile::tempdir().unwrap();
        let plan = plan(temporary.path(), "true");
        let folder = RunFolder::open(&temporary.path().join("run")).unwrap();
        for _ in 0..2 {
            run(&plan, &["shop".to_owned()], &folder, &|_| {}).unwrap();
        }
        let records: Vec<ScaleRecord> = folder.read(file::SCALE).unwrap();
        assert_eq!(records.len(), 1);
        assert_eq!((records[0].files, records[0].error.as_deref()), (5, None));
        assert!(run(&plan, &["absent".to_owned()], &folder, &|_| {}).is_err());
    }
}
