//! Answers tasks with the engine and measures the answers.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::matcher::{Matcher, Name};
use super::metrics::{Metrics, measure};
use super::run::{Outcome, Placed, Results};
use super::task_file::EvalTask;
use crate::engine::{Engine, EngineError, Ranker};
use crate::model::{Options, PackedSymbol, Task};
use crate::render::gcf::Gcf;

/// The tasks about one repository.
#[derive(Debug)]
pub struct Job {
    pub repository: String,
    /// The engine with an index that is up to date, or why there is none.
    pub engine: Result<Engine, String>,
    pub tasks: Vec<EvalTask>,
}

/// How many symbols at the top of every ranking a run keeps.
const TRACED: usize = 20;
/// What packs cost when the ranking before packing is measured: any budget gives the same ranking.
const UNMEASURED_BUDGET: usize = 5_000;

/// Answers and measures every task with these options, in the order of the jobs and their tasks. A task without an answer has an error and
/// zeros. Repositories, and halves of large ones, are answered in parallel, each by a ranker of its own.
pub fn evaluate(jobs: &[Job], results: Results, options: &Options) -> Vec<Outcome> {
    let threads = rayon::current_num_threads();
    let shares: Vec<(&Job, &[EvalTask])> = (jobs.iter())
        .flat_map(|job| job.tasks.chunks(job.tasks.len().div_ceil(threads).max(1)).map(move |tasks| (job, tasks)))
        .collect();
    let outcomes: Vec<Vec<Outcome>> =
        shares.into_par_iter().with_max_len(1).map(|(job, tasks)| answer(job, tasks, results, options)).collect();
    outcomes.into_iter().flatten().collect()
}

fn answer(job: &Job, tasks: &[EvalTask], results: Results, options: &Options) -> Vec<Outcome> {
    let ranker = match &job.engine {
        Ok(engine) => engine.ranker().map_err(|error| error.to_string()),
        Err(error) => Err(error.clone()),
    };
    let outcome = |task: &EvalTask| {
        let outcome = Outcome {
            repository: job.repository.clone(),
            id: task.id.clone(),
            kind: task.kind,
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
            Ok(ranking) => measured(outcome, ranking),
            Err(error) => Outcome { error: Some(error), ..outcome },
        }
    };
    tasks.iter().map(outcome).collect()
}

/// The task's ranking, best first, each symbol with whether it is one of the results to measure.
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
    // Both parts come in this order.
    all.sort_by(|(one, _), (two, _)| {
        let names = one.symbol.qualified_name.cmp(&two.symbol.qualified_name);
        two.score.total_cmp(&one.score).then(names)
    });
    Ok(all)
}

fn measured(mut outcome: Outcome, ranking: Vec<(PackedSymbol, bool)>) -> Outcome {
    let names: Vec<Name> = ranking.iter().map(|(symbol, _)| Name::new(symbol.symbol.short_name())).collect();
    let truth: Vec<Name> = outcome.ground_truth.iter().map(|name| Name::new(name)).collect();
    let results: Vec<Name> =
        names.iter().zip(&ranking).filter(|(_, (_, is_result))| *is_result).map(|(name, _)| name.clone()).collect();
    outcome.dotted = measure(Matcher::Dotted, &results, &truth);
    outcome.strict = measure(Matcher::Strict, &results, &truth);
    let mut traced: Vec<usize> = (0..names.len().min(TRACED)).collect();
    for truth in &truth {
        traced.extend(names.iter().position(|name| Matcher::Strict.matches(name, truth)));
    }
    traced.sort_unstable();
    traced.dedup();
    outcome.traces = traced.into_iter().map(|place| placed(place, &ranking[place])).collect();
    let results = ranking.into_iter().filter(|(_, is_result)| *is_result);
    outcome.results = results.map(|(symbol, _)| symbol.symbol.short_name().to_owned()).collect();
    outcome
}

fn placed(place: usize, (symbol, is_result): &(PackedSymbol, bool)) -> Placed {
    let mut components = BTreeMap::new();
    for component in &symbol.components {
        *components.entry(component.name.to_owned()).or_insert(0.0) += component.contribution;
    }
    let name = symbol.symbol.short_name().to_owned();
    Placed { name, place: place + 1, is_result: *is_result, score: symbol.score, components }
}
