//! Invariants of rankings: a score is the sum of its components, and an answer has the same bytes with any number of
//! threads, with a cold or a warm cache, and after a hypothetical vote.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::task_file::EvalTask;
use crate::engine::{Engine, EngineError, Ranker, Ranking};
use crate::model::{NodeId, Options, Request, Task};
use crate::render::{Renderer, gcf::Gcf};

/// Number of scores per ranking that are compared with the sum of their components.
pub const CHECKED_SCORES: usize = 50;
/// Tolerance between a score and the sum of its components.
pub const MAX_ERROR: f64 = 1e-9;
/// Thread counts of the runs that are compared.
pub const THREADS: [usize; 3] = [1, 2, 4];
/// Budget of the packs that are compared, in tokens.
const BUDGET: usize = 5_000;

/// A violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub task: String,
    pub problem: String,
}

/// Result of checking one repository's tasks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckReport {
    pub scores: usize,
    /// The largest difference between a score and the sum of its components.
    pub largest_error: f64,
    pub violations: Vec<Violation>,
}

/// Ranks every task several times with each number of [`THREADS`] and checks the invariants.
///
/// # Errors
/// When there is no usable index, or threads can't be started.
pub fn check(engine: &Engine, tasks: &[EvalTask], options: &Options) -> Result<CheckReport, EngineError> {
    let runs: Vec<Vec<Answer>> =
        THREADS.par_iter().map(|threads| run(engine, tasks, options, *threads)).collect::<Result<_, EngineError>>()?;
    let mut report = CheckReport::default();
    for (index, task) in tasks.iter().enumerate() {
        let mut answers = runs.iter().map(|answers| &answers[index]);
        let Some(first) = answers.next() else { continue };
        let mut problems = first.problems.clone();
        if !answers.all(|other| other.digest == first.digest) {
            problems.push("the answer depends on the number of threads".to_owned());
        }
        report.scores += first.scores;
        report.largest_error = report.largest_error.max(first.largest_error);
        report.violations.extend(problems.into_iter().map(|problem| Violation { task: task.id.clone(), problem }));
    }
    Ok(report)
}

/// The compared properties of one task's answer.
struct Answer {
    digest: blake3::Hash,
    scores: usize,
    largest_error: f64,
    problems: Vec<String>,
    /// The symbol in the middle of the ranking, which gets the hypothetical vote.
    voted: Option<NodeId>,
}

/// Answers all tasks with a new ranker in a thread pool of its own.
fn run(engine: &Engine, tasks: &[EvalTask], options: &Options, threads: usize) -> Result<Vec<Answer>, EngineError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let ranker = engine.ranker()?;
        let task = |task: &EvalTask| Task {
            request: Request::Task(task.task.clone()),
            budget_tokens: BUDGET,
            options: options.clone(),
        };
        tasks.iter().map(|it| answer_repeatedly(&ranker, &task(it), threads)).collect()
    })
}

/// Answers a task with a cold and a warm cache, with and without a hypothetical vote. Reports a problem if an answer
/// depends on what the ranker has cached.
fn answer_repeatedly(ranker: &Ranker, task: &Task, threads: usize) -> Result<Answer, EngineError> {
    ranker.clear_cache();
    let mut first = answer(ranker, task)?;
    let mut voted = task.clone();
    if let Some(symbol) = first.voted.and_then(|node| ranker.reader().symbol(node).transpose()).transpose()? {
        voted.options.hypothetical_votes.insert(symbol.id, true);
    }
    let again = [answer(ranker, task)?, answer(ranker, &voted)?, answer(ranker, task)?];
    ranker.clear_cache();
    let with_vote = answer(ranker, &voted)?;
    if [&again[0], &again[2]].iter().any(|again| again.digest != first.digest) {
        first.problems.push(format!("the answer differs with a warm cache ({threads} threads)"));
    }
    if again[1].digest != with_vote.digest {
        first
            .problems
            .push(format!("with a hypothetical vote the answer differs with a warm cache ({threads} threads)"));
    }
    Ok(first)
}

fn answer(ranker: &Ranker, task: &Task) -> Result<Answer, EngineError> {
    let ranking = ranker.rank(task, &|| false)?.unwrap_or_default();
    let pack = ranker.pack_ranked(task, &ranking, &Gcf, false)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(Gcf.render(&pack).as_bytes());
    for ranked in &ranking.symbols {
        hasher.update(&ranked.node.get().to_le_bytes()).update(&ranked.score.to_le_bytes());
        for component in &ranked.components {
            hasher.update(component.name.as_bytes()).update(&component.contribution.to_le_bytes());
        }
    }
    let voted = ranking.symbols.get(ranking.symbols.len() / 2).map(|ranked| ranked.node);
    let mut answer = Answer { digest: hasher.finalize(), scores: 0, largest_error: 0.0, problems: Vec::new(), voted };
    check_sums(&ranking, &mut answer);
    Ok(answer)
}

/// Compares the first scores with the sums of their components.
fn check_sums(ranking: &Ranking, answer: &mut Answer) {
    for (index, ranked) in ranking.symbols.iter().take(CHECKED_SCORES).enumerate() {
        let sum: f64 = ranked.components.iter().map(|component| component.contribution).sum();
        let error = (sum - ranked.score).abs();
        // A NaN is neither smaller nor larger than the tolerance.
        if !error.is_finite() || error > MAX_ERROR {
            answer
                .problems
                .push(format!("the score at rank {} differs from the sum of its components by {error:e}", index + 1));
        }
        answer.scores += 1;
        answer.largest_error = answer.largest_error.max(error);
    }
}
