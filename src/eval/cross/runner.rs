//! The protocol: every system answers every task in a checkout of its own, cold and warm, within each budget.
//!
//! For each system and repository: copy the checkout, so that nothing of an earlier run is left and its files are in the
//! file system's cache; index; ask each task once (cold), then again (warm). A record is written as soon as it is
//! known, and what is recorded is not run again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::folder::{FolderError, RunFolder};
use super::install::Cache;
use super::process::Finished;
use super::record::{AnswerRecord, IndexRecord, Label};
use super::repository::Repository;
use super::score::{Gold, ranks};
use super::sets::CrossTask;
use super::subject::{Place, Programs, Reading, Subject, copy_folder, remove_folder};
use super::system::{Budget, System};
use super::{failure, repository::RepositoryError};
use crate::matcher::Matcher;

/// Longest cold answer, in seconds, after which a warm one is measured once and not several times.
const SLOW: f64 = 10.0;

/// The systems, tasks, folders and limits of a run.
#[derive(Debug)]
pub struct Plan {
    pub systems: Vec<System>,
    pub tasks: Vec<CrossTask>,
    /// Folders that contain the repositories.
    pub corpora: Vec<PathBuf>,
    /// In tokens.
    pub budgets: Vec<usize>,
    /// Number of warm answers, of which the median time is recorded; none are asked for with 0.
    pub repeats: usize,
    pub cache: Cache,
    /// A folder for checkouts and indexes.
    pub work: PathBuf,
    pub programs: Programs,
    /// Time that one command may take.
    pub timeout: Duration,
}

/// An error that ends a run. A system's failure does not: it is recorded.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    #[error("can't prepare {path}: {cause}")]
    Work { path: PathBuf, cause: std::io::Error },
    #[error("a pattern of {system} is invalid: {cause}")]
    Pattern { system: String, cause: regex::Error },
}

/// Receives the progress of a run.
pub trait Progress {
    /// Reports the number of steps of which the run consists: answers of one system to one task.
    fn begin(&self, steps: usize);
    /// Reports finished steps and what is done next.
    fn step(&self, done: usize, next: &str);
}

impl Plan {
    /// Returns the folder of a repository: that of the first corpus that has it.
    pub fn folder(&self, repository: &str) -> Option<PathBuf> {
        self.corpora.iter().map(|corpus| corpus.join(repository)).find(|folder| folder.is_dir())
    }

    /// Returns the names of the repositories, each once, in the order of the tasks.
    pub fn repositories(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for task in &self.tasks {
            if !names.contains(&task.repository.as_str()) {
                names.push(&task.repository);
            }
        }
        names
    }

    /// Returns a repository with its definitions.
    ///
    /// # Errors
    /// When no corpus has it, or it can't be indexed.
    pub fn repository(&self, name: &str) -> Result<Repository, RepositoryError> {
        let missing = || RepositoryError::Missing { repository: name.to_owned() };
        Repository::open(name, &self.folder(name).ok_or_else(missing)?, &self.work.join("definitions"))
    }

    /// Returns an empty folder for a system's work on a repository: a copy of it, and a place for its index.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn workplace(&self, system: &str, repository: &str, source: &Path) -> Result<Workplace, RunError> {
        let path = self.work.join(system).join(repository);
        let failed = |cause| RunError::Work { path: path.clone(), cause };
        remove_folder(&path).map_err(failed)?;
        let workplace = Workplace { checkout: path.join("repo"), state: path.join("state"), path: path.clone() };
        copy_folder(source, &workplace.checkout).map_err(failed)?;
        std::fs::create_dir_all(workplace.state.join("home")).map_err(failed)?;
        Ok(workplace)
    }

    /// Returns a system at work in a workplace.
    ///
    /// # Errors
    /// When a pattern of its adapter is invalid.
    pub fn subject<'a>(
        &'a self,
        system: &'a System,
        workplace: &Workplace,
        language: &'a str,
    ) -> Result<Subject<'a>, RunError> {
        let place = Place {
            cache: &self.cache,
            programs: &self.programs,
            checkout: &workplace.checkout,
            state: &workplace.state,
            timeout: self.timeout,
        };
        Subject::new(system, place, language).map_err(|cause| RunError::Pattern { system: system.name.clone(), cause })
    }
}

/// The folders of one system for one repository.
#[derive(Debug)]
pub struct Workplace {
    path: PathBuf,
    pub checkout: PathBuf,
    pub state: PathBuf,
}

impl Workplace {
    /// Removes the folders.
    ///
    /// # Errors
    /// When they can't be removed.
    pub fn remove(self) -> Result<(), RunError> {
        remove_folder(&self.path).map_err(|cause| RunError::Work { path: self.path, cause })
    }
}

/// Runs what is not recorded yet: repository by repository, system by system.
///
/// # Errors
/// When the run's folder or the work folder can't be used, or this program can't index a repository.
pub fn run(plan: &Plan, folder: &mut RunFolder, progress: &dyn Progress) -> Result<(), RunError> {
    progress.begin(plan.tasks.len() * plan.systems.len());
    let mut done = 0;
    for name in plan.repositories() {
        let tasks: Vec<&CrossTask> = plan.tasks.iter().filter(|task| task.repository == name).collect();
        let repository = plan.repository(name)?;
        let mut made: Option<Indexed> = None;
        for system in &plan.systems {
            progress.step(done, &format!("{} on {name}", system.name));
            let runner = Runner { plan, system, repository: &repository };
            let shared = match made.take() {
                Some(made) if system.index_of.as_deref() == Some(&made.system) => Some(made),
                Some(made) => made.workplace.remove().map(|()| None)?,
                None => None,
            };
            let step = |task| progress.step(done + task, &format!("{} on {name}", system.name));
            made = runner.run(&tasks, folder, shared, &step)?;
            done += tasks.len();
        }
        made.map_or(Ok(()), |made| made.workplace.remove())?;
    }
    progress.step(done, "done");
    Ok(())
}

/// An index that is made, for the next system that has the same one.
struct Indexed {
    system: String,
    workplace: Workplace,
    finished: Finished,
}

/// One system and one repository.
struct Runner<'a> {
    plan: &'a Plan,
    system: &'a System,
    repository: &'a Repository,
}

impl Runner<'_> {
    /// Records the missing answers and the cost of the index. Returns the index, unless nothing was missing.
    fn run(
        &self,
        tasks: &[&CrossTask],
        folder: &mut RunFolder,
        shared: Option<Indexed>,
        step: &dyn Fn(usize),
    ) -> Result<Option<Indexed>, RunError> {
        let labels = if self.plan.repeats == 0 { &[Label::Cold][..] } else { &[Label::Cold, Label::Warm] };
        let is_done = |task: &CrossTask, folder: &RunFolder| {
            let keys = labels.iter().copied().flat_map(|label| {
                self.plan.budgets.iter().map(move |budget| {
                    let [system, set, name] = [&self.system.name, task.set, &self.repository.name].map(str::to_owned);
                    (system, label, set, name, task.id.clone(), *budget)
                })
            });
            keys.into_iter().all(|key| folder.has_answer(&key))
        };
        let has_index = folder.has_index(&self.system.name, &self.repository.name);
        let open: Vec<(usize, &&CrossTask)> =
            tasks.iter().enumerate().filter(|(_, task)| !is_done(task, folder)).collect();
        if open.is_empty() && has_index {
            return Ok(shared);
        }
        let (workplace, indexed) = match shared {
            Some(shared) => (shared.workplace, Some(shared.finished)),
            None => (self.plan.workplace(&self.system.name, &self.repository.name, &self.repository.folder)?, None),
        };
        let subject = self.plan.subject(self.system, &workplace, &self.repository.language)?;
        let indexed = indexed.unwrap_or_else(|| subject.index());
        let (mut first, mut later, mut peak) = (None, Vec::new(), indexed.peak_memory_bytes);
        for (number, task) in open {
            let answers = self.answers(&subject, task, indexed.failure.as_deref(), folder)?;
            let is_first = usize::from(first.is_none());
            first = first.or(answers.first().map(|answer| answer.seconds));
            later.extend(answers.iter().skip(is_first).map(|answer| answer.seconds));
            peak = peak.max(answers.iter().map(|answer| answer.peak_memory_bytes).max().unwrap_or_default());
            step(number + 1);
        }
        if !has_index {
            folder.add_index(&IndexRecord {
                system: self.system.name.clone(),
                repository: self.repository.name.clone(),
                files: self.repository.files,
                source_bytes: self.repository.source_bytes,
                symbols: subject.printed_symbols(&indexed),
                seconds: indexed.seconds,
                first_answer_seconds: first.unwrap_or_default(),
                warm_answer_seconds: median(&mut later),
                peak_memory_bytes: peak,
                database_bytes: subject.database_bytes(),
                error: indexed.failure.clone(),
            })?;
        }
        drop(subject);
        Ok(Some(Indexed { system: self.system.name.clone(), workplace, finished: indexed }))
    }

    /// Asks a task within each budget and records the answers, cold and warm. Returns their costs.
    fn answers(
        &self,
        subject: &Subject<'_>,
        task: &CrossTask,
        index_failure: Option<&str>,
        folder: &mut RunFolder,
    ) -> Result<Vec<Cost>, RunError> {
        let mut costs = Vec::new();
        let mut shared: Option<(Finished, Option<Finished>)> = None;
        for budget in &self.plan.budgets {
            let (cold, warm) = match (&shared, index_failure) {
                (Some(pair), _) => pair.clone(),
                (None, Some(failure)) => {
                    let failed = Finished { failure: Some(failure.to_owned()), ..Finished::default() };
                    (failed.clone(), (self.plan.repeats > 0).then_some(failed))
                }
                (None, None) => self.cold_and_warm(subject, task, *budget),
            };
            for (label, answer) in std::iter::once((Label::Cold, &cold)).chain(warm.iter().map(|it| (Label::Warm, it)))
            {
                let (seconds, peak_memory_bytes) = (answer.seconds, answer.peak_memory_bytes);
                costs.push(Cost { seconds, peak_memory_bytes });
                let record = self.record(subject, task, *budget, label, answer);
                if !folder.has_answer(&super::folder::answer_key(&record)) {
                    folder.add_answer(&record)?;
                }
            }
            if self.system.query.budget == Budget::Cut {
                shared = Some((cold, warm));
            }
        }
        Ok(costs)
    }

    /// Asks once, and again with the same words. The second has the median time of its repetitions.
    fn cold_and_warm(&self, subject: &Subject<'_>, task: &CrossTask, budget: usize) -> (Finished, Option<Finished>) {
        let cold = subject.ask(&task.text, budget);
        if self.plan.repeats == 0 {
            return (cold, None);
        }
        let repeats = if cold.seconds > SLOW || cold.failure.is_some() { 1 } else { self.plan.repeats };
        let mut times = Vec::with_capacity(repeats);
        let mut warm = Finished::default();
        for _ in 0..repeats {
            warm = subject.ask(&task.text, budget);
            times.push(warm.seconds);
        }
        warm.seconds = median(&mut times);
        (cold, Some(warm))
    }

    fn record(
        &self,
        subject: &Subject<'_>,
        task: &CrossTask,
        budget: usize,
        label: Label,
        answer: &Finished,
    ) -> AnswerRecord {
        let record = answer_record(subject, self.repository, task, budget, label, answer);
        if label != Label::Cold {
            return record;
        }
        let uncut = match answer.failure {
            None => self.repository.normalized(&subject.read(answer, budget).uncut),
            Some(_) => Vec::new(),
        };
        let about = failure::Answer {
            results: &record.ranked,
            ranks: &record.strict_ranks,
            uncut_ranks: &self.uncut_ranks(&uncut, task),
            has_error: answer.failure.is_some(),
        };
        let misses = self.misses(subject, about, task);
        AnswerRecord { misses, ..record }
    }

    /// Returns the ranks in all that the system ranked. This program's ranking goes on behind what it prints.
    fn uncut_ranks(&self, uncut: &[String], task: &CrossTask) -> Vec<Option<usize>> {
        match self.repository.is_own(self.system) {
            true => ranks(Matcher::Strict, &self.repository.whole_ranking(&task.text), &task.gold),
            false => ranks(Matcher::Strict, uncut, &task.gold),
        }
    }

    fn misses(&self, subject: &Subject<'_>, about: failure::Answer<'_>, task: &CrossTask) -> Vec<super::record::Miss> {
        let is_own = self.repository.is_own(self.system);
        let is_indexed = |gold: &Gold| match is_own {
            true => Some(true),
            false => self.repository.is_indexed(subject, gold),
        };
        let component = |gold: &Gold| if is_own { self.repository.leading_component(&task.text, gold) } else { None };
        failure::misses(about, &task.gold, &self.repository.definitions, is_indexed, component)
    }
}

/// Returns the record of an answer, without the causes of its misses.
pub fn answer_record(
    subject: &Subject<'_>,
    repository: &Repository,
    task: &CrossTask,
    budget: usize,
    label: Label,
    answer: &Finished,
) -> AnswerRecord {
    let Reading { results, tokens, .. } = match answer.failure {
        None => subject.read(answer, budget),
        Some(_) => Reading::default(),
    };
    let ranked = repository.normalized(&results);
    AnswerRecord {
        system: subject.system.name.clone(),
        label,
        set: task.set.to_owned(),
        repository: repository.name.clone(),
        language: repository.language.clone(),
        kind: task.kind.to_owned(),
        tier: task.tier.clone(),
        task: task.id.clone(),
        budget,
        home: repository.is_home,
        ranks: ranks(Matcher::Dotted, &ranked, &task.gold),
        strict_ranks: ranks(Matcher::Strict, &ranked, &task.gold),
        gold: task.gold.iter().map(Gold::name).collect(),
        ranked,
        tokens,
        seconds: answer.seconds,
        error: answer.failure.clone(),
        misses: Vec::new(),
    }
}

/// The cost of an answer.
struct Cost {
    seconds: f64,
    peak_memory_bytes: u64,
}

/// Returns the median, the mean of the middle two of an even number; 0 of none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    match (values.len(), values.len() / 2) {
        (0, _) => 0.0,
        (count, middle) if count % 2 == 1 => values[middle],
        (_, middle) => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
pub mod tests;
