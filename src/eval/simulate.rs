//! Learning, simulated as a person would teach: in each round the person asks every task of one half, marks what the
//! program itself shows in the top ten, right or wrong by the ground truth, and nothing else; then the tasks of the other
//! half are measured, which were never marked. Both halves take their turn. What is taught lives in memory: no journal
//! is read or written.

use rayon::prelude::*;
use serde::Serialize;

use super::evaluate::Job;
use super::matcher::{Matcher, Name};
use super::metrics::{Metrics, measure};
use super::task_file::EvalTask;
use crate::engine::{EngineError, FeedbackEvent, Ranker, Vote};
use crate::model::{Symbol, Task};

/// What the person looks at.
const SHOWN: usize = 10;
/// What is measured of a ranking.
const MEASURED: usize = 50;

/// How well tasks are answered after one round; the first stands before any.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// The tasks that were marked in this and the earlier rounds.
    pub marked: Metrics,
    /// The tasks that never were.
    pub held_out: Metrics,
}

/// How one repository learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Simulation {
    pub repository: String,
    pub tasks: usize,
    /// Votes of all rounds, both halves together.
    pub votes: usize,
    pub rounds: Vec<Round>,
    /// All tasks, with everything that was taught of the other repositories instead.
    pub elsewhere: Metrics,
    /// Under which rule a marked symbol is right, and by which the metrics are.
    pub rule: Matcher,
}

/// Teaches every repository for so many rounds and measures, under one rule.
///
/// # Errors
/// When a repository has no usable index.
pub fn simulate(jobs: &[Job], rounds: usize, rule: Matcher) -> Result<Vec<Simulation>, EngineError> {
    let taught: Result<Vec<(Simulation, Vec<FeedbackEvent>)>, EngineError> =
        jobs.par_iter().with_max_len(1).map(|job| teach(job, rounds, rule)).collect();
    let taught = taught?;
    let elsewhere = |number: usize| -> Result<Metrics, EngineError> {
        let others = taught.iter().enumerate().filter(|(other, _)| *other != number);
        let acts: Vec<FeedbackEvent> = others.flat_map(|(_, (_, acts))| acts.iter().cloned()).collect();
        let mut ranker = ranker(&jobs[number])?;
        ranker.replace_feedback(&acts);
        measured(&ranker, &jobs[number].tasks.iter().collect::<Vec<_>>(), rule)
    };
    let elsewhere: Result<Vec<Metrics>, EngineError> =
        (0..jobs.len()).into_par_iter().with_max_len(1).map(elsewhere).collect();
    let simulations = taught.into_iter().zip(elsewhere?);
    Ok(simulations.map(|((simulation, _), elsewhere)| Simulation { elsewhere, ..simulation }).collect())
}

fn ranker(job: &Job) -> Result<Ranker, EngineError> {
    match &job.engine {
        Ok(engine) => engine.ranker(),
        Err(reason) => Err(EngineError::Task { reason: reason.clone() }),
    }
}

fn teach(job: &Job, rounds: usize, rule: Matcher) -> Result<(Simulation, Vec<FeedbackEvent>), EngineError> {
    let mut ranker = ranker(job)?;
    let halves = [0, 1].map(|half| job.tasks.iter().skip(half).step_by(2).collect::<Vec<&EvalTask>>());
    let mut all_acts = Vec::new();
    let mut measured_rounds: Vec<Vec<(Round, usize, usize)>> = vec![Vec::new(); rounds + 1];
    for (marked, held_out) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
        let mut acts: Vec<FeedbackEvent> = Vec::new();
        ranker.replace_feedback(&acts);
        for (number, results) in measured_rounds.iter_mut().enumerate() {
            if number > 0 {
                for task in marked {
                    let act = mark(&ranker, task, &format!("round {number}"), acts.len() as i64 + 1, rule)?;
                    acts.extend(act);
                }
                ranker.replace_feedback(&acts);
            }
            let round =
                Round { marked: measured(&ranker, marked, rule)?, held_out: measured(&ranker, held_out, rule)? };
            results.push((round, marked.len(), held_out.len()));
        }
        all_acts.extend(acts);
    }
    let mean = |parts: &[(Round, usize, usize)]| Round {
        marked: weighted(parts.iter().map(|(round, marked, _)| (round.marked, *marked))),
        held_out: weighted(parts.iter().map(|(round, _, held_out)| (round.held_out, *held_out))),
    };
    let simulation = Simulation {
        repository: job.repository.clone(),
        tasks: job.tasks.len(),
        votes: all_acts.iter().map(|act| act.votes.len()).sum(),
        rounds: measured_rounds.iter().map(|parts| mean(parts)).collect(),
        elsewhere: Metrics::default(),
        rule,
    };
    Ok((simulation, all_acts))
}

/// The mean of means over so many tasks each.
pub fn weighted(parts: impl Iterator<Item = (Metrics, usize)>) -> Metrics {
    let (mut sum, mut count) = (Metrics::default(), 0);
    for (metrics, tasks) in parts {
        sum = sum + metrics.scaled(tasks as f64);
        count += tasks;
    }
    sum.scaled(1.0 / count.max(1) as f64)
}

/// The person asks a task and marks each of the symbols at the top as right or wrong.
fn mark(
    ranker: &Ranker,
    task: &EvalTask,
    session: &str,
    id: i64,
    rule: Matcher,
) -> Result<Option<FeedbackEvent>, EngineError> {
    let truth = truth(task);
    let shown = best(ranker, task, SHOWN)?;
    let vote = |symbol: &Symbol| {
        let name = Name::new(symbol.short_name());
        if truth.iter().any(|truth| rule.matches(&name, truth)) { Vote::Useful } else { Vote::NotUseful }
    };
    let votes: Vec<(&Symbol, Vote)> = shown.iter().map(|symbol| (symbol, vote(symbol))).collect();
    if votes.is_empty() {
        return Ok(None);
    }
    let act = ranker.vote_event(&task.task, &votes)?;
    Ok(Some(FeedbackEvent { id, batch: id, session: session.to_owned(), ..act }))
}

fn measured(ranker: &Ranker, tasks: &[&EvalTask], rule: Matcher) -> Result<Metrics, EngineError> {
    let metrics: Result<Vec<Metrics>, EngineError> = (tasks.iter())
        .map(|task| {
            let names: Vec<Name> =
                best(ranker, task, MEASURED)?.iter().map(|symbol| Name::new(symbol.short_name())).collect();
            Ok(measure(rule, &names, &truth(task)))
        })
        .collect();
    Ok(Metrics::mean(metrics?.into_iter()))
}

fn truth(task: &EvalTask) -> Vec<Name> {
    task.ground_truth.iter().map(|name| Name::new(name)).collect()
}

/// The first symbols of a task's ranking.
fn best(ranker: &Ranker, task: &EvalTask, most: usize) -> Result<Vec<Symbol>, EngineError> {
    let ranking = ranker.rank(&Task::words(&task.task), &|| false)?.unwrap_or_default();
    let nodes: Vec<u32> = ranking.symbols.iter().take(most).map(|ranked| ranked.node).collect();
    Ok(ranker.reader().symbols(&nodes)?)
}
