//! Growth with size: what indexing, an update and an answer cost in repositories of different sizes. No quality is measured,
//! so no task file is needed.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use knowing_indexing::scan::{DiscoveredFile, discover};

use super::folder::RunFolder;
use super::record::{ScaleRecord, file};
use super::repository::RepositoryError;
use super::runner::{Plan, RunError, median};
use super::subject::Subject;
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

/// Code that is added to a file to measure an update, by language.
const ADDITIONS: [(&str, &str); 8] = [
    ("c", "\nint added_function(int value)\n{\n\treturn value;\n}\n"),
    ("csharp", "\nclass AddedType { int Added(int value) { return value; } }\n"),
    ("go", "\nfunc addedFunction(value string) string {\n\treturn value\n}\n"),
    ("java", "\nclass AddedType { int added(int value) { return value; } }\n"),
    ("python", "\n\ndef added_function(value):\n    return value\n"),
    ("ruby", "\ndef added_function(value)\n  value\nend\n"),
    ("rust", "\nfn added_function(value: u32) -> u32 {\n    value\n}\n"),
    ("typescript", "\nexport function addedFunction(value: string): string {\n  return value;\n}\n"),
];

/// A repository as a walk sees it.
struct Source {
    name: String,
    folder: PathBuf,
    files: Vec<DiscoveredFile>,
    /// The language of most files.
    language: &'static str,
}

impl Source {
    fn read(plan: &Plan, name: &str) -> Result<Source, RepositoryError> {
        let missing = || RepositoryError::Missing { repository: name.to_owned() };
        let folder = plan.folder(name).ok_or_else(missing)?;
        let files = discover(&folder).files;
        let mut counts: HashMap<&'static str, usize> = HashMap::new();
        files.iter().for_each(|file| *counts.entry(file.language.name).or_default() += 1);
        let language = counts.into_iter().max_by_key(|(name, count)| (*count, *name)).map_or("", |(name, _)| name);
        Ok(Source { name: name.to_owned(), folder, files, language })
    }

    /// Returns the file to change: the one in the middle of the list of files of the main language.
    fn middle_file(&self) -> Option<&str> {
        let files: Vec<&DiscoveredFile> =
            self.files.iter().filter(|file| file.language.name == self.language).collect();
        files.get(files.len() / 2).map(|file| file.path.as_str())
    }

    /// Adds a function or type to a file of a copy of the repository. Returns whether that is possible in its language.
    fn edit(&self, checkout: &Path) -> std::io::Result<bool> {
        let addition = ADDITIONS.iter().find(|(language, _)| *language == self.language);
        let (Some((_, addition)), Some(path)) = (addition, self.middle_file()) else { return Ok(false) };
        OpenOptions::new().append(true).open(checkout.join(path))?.write_all(addition.as_bytes())?;
        Ok(true)
    }
}

/// Measures every system in each of the repositories, unless it is recorded.
///
/// # Errors
/// When a repository is in no corpus, or the run's folder or the work folder can't be used.
pub fn run(plan: &Plan, repositories: &[String], folder: &RunFolder, step: &dyn Fn(&str)) -> Result<(), RunError> {
    let known: Vec<ScaleRecord> = folder.read(file::SCALE)?;
    for name in repositories {
        let is_known = |system: &System| known.iter().any(|it| (&it.system, &it.repository) == (&system.name, name));
        let systems: Vec<&System> = plan.systems.iter().filter(|system| !is_known(system)).collect();
        if systems.is_empty() {
            continue;
        }
        let source = Source::read(plan, name)?;
        for system in systems {
            step(&format!("{} on {name}", system.name));
            folder.append(file::SCALE, &measure(plan, system, &source)?)?;
        }
    }
    Ok(())
}

fn measure(plan: &Plan, system: &System, source: &Source) -> Result<ScaleRecord, RunError> {
    let workplace = plan.workplace(&system.name, &source.name, &source.folder)?;
    let subject = plan.subject(system, &workplace, source.language)?;
    let indexed = subject.index();
    let mut record = ScaleRecord {
        system: system.name.clone(),
        repository: source.name.clone(),
        files: source.files.len(),
        symbols: subject.printed_symbols(&indexed),
        source_bytes: source.files.iter().map(|file| file.size).sum(),
        index_seconds: indexed.seconds,
        index_cpu_seconds: Some(indexed.cpu_seconds),
        query_seconds: 0.0,
        unchanged_seconds: None,
        edit_seconds: None,
        peak_memory_bytes: indexed.peak_memory_bytes,
        query_memory_bytes: None,
        database_bytes: subject.database_bytes(),
        error: indexed.failure.clone(),
    };
    if record.error.is_none() {
        record.error = ask(&subject, &mut record);
    }
    if record.error.is_none() && system.updates {
        let failed = |cause| RunError::Work { path: workplace.checkout.clone(), cause };
        let unchanged = subject.update();
        (record.unchanged_seconds, record.error) = (Some(unchanged.seconds), unchanged.failure);
        if record.error.is_none() && source.edit(&workplace.checkout).map_err(failed)? {
            let edited = subject.update();
            (record.edit_seconds, record.error) = (Some(edited.seconds), edited.failure);
        }
    }
    drop(subject);
    workplace.remove()?;
    Ok(record)
}

/// Asks the questions and records what they cost. Returns the reason why one was not answered.
fn ask(subject: &Subject<'_>, record: &mut ScaleRecord) -> Option<String> {
    let mut times = Vec::with_capacity(TASKS.len());
    let mut failure = None;
    for task in TASKS {
        let answer = subject.ask(task, BUDGET);
        times.push(answer.seconds);
        record.query_memory_bytes = record.query_memory_bytes.max(Some(answer.peak_memory_bytes));
        failure = answer.failure;
        if failure.is_some() {
            break;
        }
    }
    record.query_seconds = median(&mut times);
    record.peak_memory_bytes = record.peak_memory_bytes.max(record.query_memory_bytes.unwrap_or_default());
    failure
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
        assert_eq!(records[0].edit_seconds.is_some(), plan.systems[0].updates);
        assert!(run(&plan, &["absent".to_owned()], &folder, &|_| {}).is_err());
    }

    #[test]
    fn one_file_of_the_main_language_is_edited() {
        let temporary = tempfile::tempdir().unwrap();
        let plan = plan(temporary.path(), "true");
        let source = Source::read(&plan, "shop").unwrap();
        let path = source.middle_file().unwrap();
        std::fs::create_dir_all(temporary.path().join(path).parent().unwrap()).unwrap();
        std::fs::write(temporary.path().join(path), "def pay():\n    pass\n").unwrap();
        assert!(source.edit(temporary.path()).unwrap());
        let text = std::fs::read_to_string(temporary.path().join(path)).unwrap();
        assert!(text.starts_with("def pay") && text.contains("def added_function"), "{text}");
        assert!(!Source { language: "sql", ..source }.edit(temporary.path()).unwrap());
    }
}
