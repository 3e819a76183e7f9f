//! Simulates relevance feedback with two-fold cross-validation.
//!
//! In each round every task of one half is ranked, and each symbol of its top ten gets a vote by the ground truth. Then
//! the tasks of the other half, which have no votes, are measured. The halves then change roles. The votes are kept in
//! memory; no journal is read or written.

use rayon::prelude::*;
use serde::Serialize;

use super::evaluate::{EvalError, Job};
use super::matcher::{Matcher, Name};
use super::metrics::{Metrics, measure};
use super::task_file::EvalTask;
use crate::engine::{EngineError, FeedbackEvent, Ranker, Vote};
use crate::model::{NodeId, Symbol, Task};

/// Number of top-ranked symbols that get votes.
const VOTED_DEPTH: usize = 10;
/// Number of top-ranked symbols that are measured.
const MEASURED_DEPTH: usize = 50;

/// Mean metrics after one round. The first round of a simulation has no votes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// Tasks with votes.
    pub voted: Metrics,
    /// Tasks without votes.
    pub held_out: Metrics,
}

/// The simulation of one repository.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Simulation {
    pub repository: String,
    pub tasks: usize,
    /// Votes of all rounds and both halves.
    pub votes: usize,
    pub rounds: Vec<Round>,
    /// All tasks, with the votes of the other repositories only.
    pub with_other_votes: Metrics,
    /// The rule of the votes and metrics.
    pub rule: Matcher,
}

/// Simulates `rounds` rounds of votes in every repository, under one rule.
///
/// # Errors
/// When a repository has no usable index.
pub fn simulate(jobs: &[Job], rounds: usize, rule: Matcher) -> Result<Vec<Simulation>, EvalError> {
    let simulated: Result<Vec<(Simulation, Vec<FeedbackEvent>)>, EvalError> =
        jobs.par_iter().with_max_len(1).map(|job| simulate_job(job, rounds, rule)).collect();
    let simulated = simulated?;
    let with_other_votes = |number: usize| -> Result<Metrics, EvalError> {
        let others = simulated.iter().enumerate().filter(|(other, _)| *other != number);
        let events: Vec<FeedbackEvent> = others.flat_map(|(_, (_, events))| events.iter().cloned()).collect();
        let mut ranker = jobs[number].engine()?.ranker()?;
        ranker.replace_feedback(&events);
        measured(&ranker, &jobs[number].tasks.iter().collect::<Vec<_>>(), rule)
    };
    let with_other_votes: Result<Vec<Metrics>, EvalError> =
        (0..jobs.len()).into_par_iter().with_max_len(1).map(with_other_votes).collect();
    let simulations = simulated.into_iter().zip(with_other_votes?);
    Ok(simulations.map(|((simulation, _), with_other_votes)| Simulation { with_other_votes, ..simulation }).collect())
}

fn simulate_job(job: &Job, rounds: usize, rule: Matcher) -> Result<(Simulation, Vec<FeedbackEvent>), EvalError> {
    let mut ranker = job.engine()?.ranker()?;
    let halves = [0, 1].map(|half| job.tasks.iter().skip(half).step_by(2).collect::<Vec<&EvalTask>>());
    let mut all_events = Vec::new();
    let mut measured_rounds: Vec<Vec<(Round, usize, usize)>> = vec![Vec::new(); rounds + 1];
    for (voted, held_out) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
        let mut events: Vec<FeedbackEvent> = Vec::new();
        ranker.replace_feedback(&events);
        for (number, results) in measured_rounds.iter_mut().enumerate() {
            if number > 0 {
                for task in voted {
                    let id = events.len() as i64 + 1;
                    events.extend(vote_on_top(&ranker, task, &format!("round {number}"), id, rule)?);
                }
                ranker.replace_feedback(&events);
            }
            let round = Round { voted: measured(&ranker, voted, rule)?, held_out: measured(&ranker, held_out, rule)? };
            results.push((round, voted.len(), held_out.len()));
        }
        all_events.extend(events);
    }
    let mean = |parts: &[(Round, usize, usize)]| Round {
        voted: weighted_mean(parts.iter().map(|(round, voted, _)| (round.voted, *voted))),
        held_out: weighted_mean(parts.iter().map(|(round, _, held_out)| (round.held_out, *held_out))),
    };
    let simulation = Simulation {
        repository: job.repository.clone(),
        tasks: job.tasks.len(),
        votes: all_events.iter().map(|event| event.votes.len()).sum(),
        rounds: measured_rounds.iter().map(|parts| mean(parts)).collect(),
        with_other_votes: Metrics::default(),
        rule,
    };
    Ok((simulation, all_events))
}

/// Returns the mean of metrics, weighted by numbers of tasks.
pub fn weighted_mean(parts: impl Iterator<Item = (Metrics, usize)>) -> Metrics {
    let (mut sum, mut count) = (Metrics::default(), 0);
    for (metrics, tasks) in parts {
        sum = sum + metrics.scaled(tasks as f64);
        count += tasks;
    }
    sum.scaled(1.0 / count.max(1) as f64)
}

/// Returns the event of votes on the top-ranked symbols of a task by the ground truth; `None` if nothing is ranked.
fn vote_on_top(
    ranker: &Ranker,
    task: &EvalTask,
    session: &str,
    id: i64,
    rule: Matcher,
) -> Result<Option<FeedbackEvent>, EngineError> {
    let truth = truth(task);
    let top = best(ranker, task, VOTED_DEPTH)?;
    let vote = |symbol: &Symbol| {
        let name = Name::new(symbol.short_name());
        if truth.iter().any(|truth| rule.matches(&name, truth)) { Vote::Useful } else { Vote::NotUseful }
    };
    let votes: Vec<(&Symbol, Vote)> = top.iter().map(|symbol| (symbol, vote(symbol))).collect();
    if votes.is_empty() {
        return Ok(None);
    }
    let event = ranker.vote_event(&task.task, &votes)?;
    Ok(Some(FeedbackEvent { id, batch: id, session: session.to_owned(), ..event }))
}

fn measured(ranker: &Ranker, tasks: &[&EvalTask], rule: Matcher) -> Result<Metrics, EvalError> {
    let metrics: Result<Vec<Metrics>, EngineError> = (tasks.iter())
        .map(|task| {
            let names: Vec<Name> =
                best(ranker, task, MEASURED_DEPTH)?.iter().map(|symbol| Name::new(symbol.short_name())).collect();
            Ok(measure(rule, &names, &truth(task)))
        })
        .collect();
    Ok(Metrics::mean(metrics?.into_iter()))
}

fn truth(task: &EvalTask) -> Vec<Name> {
    task.ground_truth.iter().map(|name| Name::new(name)).collect()
}

/// Returns the first `limit` symbols of a task's ranking.
fn best(ranker: &Ranker, task: &EvalTask, limit: usize) -> Result<Vec<Symbol>, EngineError> {
    let ranking = ranker.rank(&Task::from_text(&task.task), &|| false)?.unwrap_or_default();
    let nodes: Vec<NodeId> = ranking.symbols.iter().take(limit).map(|ranked| ranked.node).collect();
    Ok(ranker.reader().symbols(&nodes)?)
}
