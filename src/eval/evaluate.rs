//! Ranks tasks with the engine and measures the results.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::matcher::{Matcher, Name};
use super::metrics::{Metrics, measure};
use super::run::{Results, TaskResult, Trace};
use super::task_file::EvalTask;
use crate::engine::{Engine, EngineError, Ranker};
use crate::model::{Options, PackedSymbol, Task};
use crate::render::gcf::Gcf;

/// The tasks about one repository.
#[derive(Debug)]
pub struct Job {
    pub repository: String,
    /// The engine with an up-to-date index.
    pub engine: Result<Engine, NoIndex>,
    pub tasks: Vec<EvalTask>,
}

/// The reason why a repository has no usable index.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct NoIndex(pub String);

/// An error in evaluating the tasks of a repository.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    #[error("{repository}: {reason}")]
    NoIndex { repository: String, reason: NoIndex },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Job {
    /// Returns the engine.
    ///
    /// # Errors
    /// When the repository has no usable index.
    pub fn engine(&self) -> Result<&Engine, EvalError> {
        let no_index =
            |reason: &NoIndex| EvalError::NoIndex { repository: self.repository.clone(), reason: reason.clone() };
        self.engine.as_ref().map_err(no_index)
    }
}

/// Number of top-ranked symbols that a run records per task.
const TRACED: usize = 20;
/// Budget of the packs when the ranking before packing is measured, in tokens. It does not affect the ranking.
const UNMEASURED_BUDGET: usize = 5_000;

/// Ranks and measures every task. Returns the results in the order of the jobs and their tasks; a task that can't be
/// ranked has an error and zeros. Repositories, and parts of large ones, are evaluated in parallel, each with its own
/// ranker.
pub fn evaluate(jobs: &[Job], results: Results, options: &Options) -> Vec<TaskResult> {
    let threads = rayon::current_num_threads();
    let shares: Vec<(&Job, &[EvalTask])> = (jobs.iter())
        .flat_map(|job| job.tasks.chunks(job.tasks.len().div_ceil(threads).max(1)).map(move |tasks| (job, tasks)))
        .collect();
    let task_results: Vec<Vec<TaskResult>> = shares
        .into_par_iter()
        .with_max_len(1)
        .map(|(job, tasks)| evaluate_share(job, tasks, results, options))
        .collect();
    task_results.into_iter().flatten().collect()
}

fn evaluate_share(job: &Job, tasks: &[EvalTask], results: Results, options: &Options) -> Vec<TaskResult> {
    let ranker = match &job.engine {
        Ok(engine) => engine.ranker().map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let evaluate_task = |task: &EvalTask| {
        let result = TaskResult {
            repository: job.repository.clone(),
            id: task.id.clone(),
            intent: task.intent,
            tier: task.tier.clone(),
            task: task.task.clone(),
            ground_truth: task.ground_truth.clone(),
            error: None,
            dotted: Metrics::default(),
            strict: Metrics::default(),
            results: Vec::new(),
            traces: Vec::new(),
        };
        let ranking = match &ranker {
            Ok(ranker) => ranking(ranker, task, results, options).map_err(|error| error.to_string()),
            Err(error) => Err(error.clone()),
        };
        match ranking {
            Ok(ranking) => measure_ranking(result, ranking),
            Err(error) => TaskResult { error: Some(error), ..result },
        }
    };
    tasks.iter().map(evaluate_task).collect()
}

/// Returns the task's ranking, best first. Each symbol is paired with whether it is one of the measured results.
fn ranking(
    ranker: &Ranker,
    task: &EvalTask,
    results: Results,
    options: &Options,
) -> Result<Vec<(PackedSymbol, bool)>, EngineError> {
    let (budget_tokens, with_omitted) = match results {
        Results::Packed { budget_tokens } => (budget_tokens, false),
        Results::Ranked => (UNMEASURED_BUDGET, true),
    };
    let task = Task { budget_tokens, options: options.clone(), ..Task::from_text(&task.task) };
    let pack = ranker.pack(&task, &Gcf, false, &|| false)?.unwrap_or_default();
    let packed = pack.symbols.into_iter().map(|symbol| (symbol, true));
    let mut all: Vec<(PackedSymbol, bool)> =
        packed.chain(pack.omitted.into_iter().map(|symbol| (symbol, with_omitted))).collect();
    // Merges the packed and the omitted symbols into one ranking.
    all.sort_by(|(one, _), (two, _)| {
        let names = one.symbol.qualified_name.cmp(&two.symbol.qualified_name);
        two.score.total_cmp(&one.score).then(names)
    });
    Ok(all)
}

fn measure_ranking(mut result: TaskResult, ranking: Vec<(PackedSymbol, bool)>) -> TaskResult {
    let names: Vec<Name> = ranking.iter().map(|(symbol, _)| Name::new(symbol.symbol.short_name())).collect();
    let truth: Vec<Name> = result.ground_truth.iter().map(|name| Name::new(name)).collect();
    let results: Vec<Name> =
        names.iter().zip(&ranking).filter(|(_, (_, is_result))| *is_result).map(|(name, _)| name.clone()).collect();
    result.dotted = measure(Matcher::Dotted, &results, &truth);
    result.strict = measure(Matcher::Strict, &results, &truth);
    let mut traced: Vec<usize> = (0..names.len().min(TRACED)).collect();
    for truth in &truth {
        traced.extend(names.iter().position(|name| Matcher::Strict.matches(name, truth)));
    }
    traced.sort_unstable();
    traced.dedup();
    result.traces = traced.into_iter().map(|index| trace(index, &ranking[index])).collect();
    let results = ranking.into_iter().filter(|(_, is_result)| *is_result);
    result.results = results.map(|(symbol, _)| symbol.symbol.short_name().to_owned()).collect();
    result
}

fn trace(index: usize, (symbol, is_result): &(PackedSymbol, bool)) -> Trace {
    let mut components = BTreeMap::new();
    for component in &symbol.components {
        *components.entry(component.name.to_owned()).or_insert(0.0) += component.contribution;
    }
    let name = symbol.symbol.short_name().to_owned();
    Trace { name, rank: index + 1, is_result: *is_result, score: symbol.score, components }
}
