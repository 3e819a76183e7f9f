//! A system at work in one checkout: indexes, answers, updates.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::adapter::{Adapter, Found, cut};
use super::baseline::words::task_words;
use super::install::Cache;
use super::process::{CommandLine, Finished, run};
use super::system::{Budget, Each, Step, System, Values};
use crate::text::tokens;

/// A system in one checkout.
#[derive(Debug)]
pub struct Subject<'a> {
    pub system: &'a System,
    may_learn: bool,
    adapter: Adapter,
    values: Values,
    checkout: PathBuf,
    language: &'a str,
    timeout: Duration,
}

/// The executables of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    /// The one that is measured, `{knowing}`.
    pub measured: PathBuf,
    /// The one that runs the benchmark, `{benchmark}`, which has the baselines.
    pub running: PathBuf,
}

/// The folders and limits of a subject.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub cache: &'a Cache,
    pub programs: &'a Programs,
    /// A copy of the repository that the system may write to.
    pub checkout: &'a Path,
    /// A folder for the system's index.
    pub state: &'a Path,
    pub timeout: Duration,
}

/// The results that a system printed within a budget.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    pub results: Vec<Found>,
    /// All that it printed.
    pub uncut: Vec<Found>,
    pub tokens: usize,
}

impl<'a> Subject<'a> {
    /// Returns the system in a checkout whose main language is `language`.
    ///
    /// # Errors
    /// When a pattern of its adapter is invalid.
    pub fn new(system: &'a System, place: Place<'_>, language: &'a str) -> Result<Subject<'a>, regex::Error> {
        let values = values(system, place.cache, place.programs)
            .with_path("repo", place.checkout)
            .with_path("state", place.state)
            .with_path("home", &place.state.join("home"))
            .with("language", language);
        Ok(Subject {
            system,
            may_learn: false,
            adapter: Adapter::new(&system.query)?,
            values,
            checkout: place.checkout.to_owned(),
            language,
            timeout: place.timeout,
        })
    }

    /// Returns the system with the environment in which it learns.
    #[must_use]
    pub fn learning(self) -> Subject<'a> {
        Subject { may_learn: true, ..self }
    }

    /// Builds the index. A system without one returns at once.
    pub fn index(&self) -> Finished {
        self.step(self.system.index.as_ref())
    }

    /// Brings the index up to date, by the update command or else the index command.
    pub fn update(&self) -> Finished {
        self.step(self.system.update.as_ref().or(self.system.index.as_ref()))
    }

    /// Returns the number of symbols that the index command printed.
    pub fn printed_symbols(&self, indexed: &Finished) -> Option<u64> {
        let pattern = self.system.index.as_ref()?.symbols.as_deref()?;
        let pattern = regex::Regex::new(pattern).ok()?;
        let captures = pattern.captures(&indexed.stdout).or_else(|| pattern.captures(&indexed.stderr))?;
        captures.get(1)?.as_str().replace(',', "").parse().ok()
    }

    /// Asks a task. A system whose output is cut is asked once for all budgets.
    pub fn ask(&self, task: &str, budget: usize) -> Finished {
        let words = task_words(task);
        let count = self.system.query.max_words.unwrap_or(words.len()).min(words.len());
        let values = self.values.clone().with("task", task).with("budget", budget.to_string());
        let values = values.with("words", words[..count].join(" "));
        match self.system.query.each {
            Each::Task => self.run(&self.system.query.command, &values),
            Each::Word => {
                let mut all = Finished::default();
                for word in words {
                    let one = self.run(&self.system.query.command, &values.clone().with("word", word));
                    all.stdout.push_str(&one.stdout);
                    all.stderr.push_str(&one.stderr);
                    all.seconds += one.seconds;
                    all.cpu_seconds += one.cpu_seconds;
                    all.peak_memory_bytes = all.peak_memory_bytes.max(one.peak_memory_bytes);
                    all.failure = all.failure.or(one.failure);
                }
                all
            }
        }
    }

    /// Reads the results from an answer.
    pub fn read(&self, answer: &Finished, budget: usize) -> Reading {
        let visible = self.adapter.visible(&answer.stdout);
        let uncut = self.adapter.results(&answer.stdout);
        match self.system.query.budget {
            Budget::Native => Reading { results: uncut.clone(), uncut, tokens: tokens::count(visible) },
            Budget::Cut => {
                let (within, tokens) = cut(visible, budget);
                Reading { results: self.adapter.results(within), uncut, tokens }
            }
        }
    }

    /// Asks the index for a symbol of that name; `None` if the system can't be asked.
    pub fn lookup(&self, word: &str) -> Option<Finished> {
        let step = self.system.lookup.as_ref()?;
        Some(self.run(&step.command, &self.values.clone().with("word", word)))
    }

    /// Records votes on results of a task: names as printed and as normalized, and whether they are relevant. `None` if
    /// the system has no command for it.
    pub fn vote(&self, task: &str, votes: &[(&str, &str, bool)]) -> Option<Finished> {
        let feedback = self.system.feedback.as_ref()?;
        let values = self.values.clone().with("task", task);
        let arguments = votes.iter().flat_map(|(symbol, name, is_useful)| {
            let values = values.clone().with("symbol", *symbol).with("name", *name);
            let words = if *is_useful { &feedback.useful } else { &feedback.not_useful };
            words.iter().map(move |word| values.expand(word)).collect::<Vec<String>>()
        });
        let command: Vec<String> = feedback.command.iter().map(|word| values.expand(word)).chain(arguments).collect();
        // The words have their values already.
        Some(self.run(&command, &Values::default()))
    }

    /// Returns the size of the index.
    pub fn database_bytes(&self) -> u64 {
        self.system.database.iter().map(|path| size(Path::new(&self.values.expand(path)))).sum()
    }

    fn step(&self, step: Option<&Step>) -> Finished {
        let Some(step) = step else { return Finished::default() };
        match step.for_language(self.language) {
            Some(command) => self.run(command, &self.values),
            None => {
                Finished { failure: Some(format!("it has no indexer for {}", self.language)), ..Finished::default() }
            }
        }
    }

    fn run(&self, command: &[String], values: &Values) -> Finished {
        let expanded = |(name, value): (&String, &String)| (name.clone(), self.values.expand(value));
        let home = ("HOME".to_owned(), self.values.expand("{home}"));
        let learning = self.system.feedback.as_ref().filter(|_| self.may_learn).map(|feedback| &feedback.environment);
        let line = CommandLine {
            words: command.iter().map(|word| values.expand(word)).collect(),
            directory: self.checkout.clone(),
            environment: (self.system.environment.iter().chain(learning.into_iter().flatten()))
                .map(expanded)
                .chain([home])
                .collect(),
            timeout: self.timeout,
        };
        run(&line).unwrap_or_else(|error| Finished { failure: Some(error.to_string()), ..Finished::default() })
    }
}

/// Returns the values of the placeholders that are the same in every checkout.
pub fn values(system: &System, cache: &Cache, programs: &Programs) -> Values {
    Values::default()
        .with_path("install", &cache.folder(system))
        .with_path("knowing", &programs.measured)
        .with_path("benchmark", &programs.running)
}

/// Returns the size of a file or folder; 0 if there is none.
pub fn size(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    match (metadata.is_dir(), fs::read_dir(path)) {
        (true, Ok(entries)) => entries.flatten().map(|entry| size(&entry.path())).sum(),
        _ => metadata.len(),
    }
}

/// Copies a folder with its files; symbolic links are left out.
///
/// # Errors
/// When a file can't be read or written.
pub fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        match () {
            () if kind.is_dir() => copy_folder(&entry.path(), &target)?,
            () if kind.is_file() => fs::copy(entry.path(), &target).map(|_| ())?,
            () => (),
        }
    }
    Ok(())
}

/// Removes a folder if it exists.
///
/// # Errors
/// When it can't be removed.
pub fn remove_folder(path: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
