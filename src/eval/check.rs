//! What must hold of every answer, whatever its worth: scores are the sums of their components, and the same question gets
//! the same bytes, in any run, with any number of threads, for the first time and again, with a vote and without.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::task_file::EvalTask;
use crate::engine::{Engine, EngineError, Ranker, Ranking};
use crate::model::{Options, Request, Task};
use crate::render::{Renderer, gcf::Gcf};

/// How many scores of each ranking are added up anew.
pub const SUMMED: usize = 50;
/// By how much a score may differ from the sum of its components.
pub const EXACT: f64 = 1e-9;
/// Threads of each of the runs that are compared.
pub const THREADS: [usize; 3] = [1, 2, 4];
/// Budget of the packs that are compared, in tokens.
const BUDGET: usize = 5_000;

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub task: String,
    pub problem: String,
}

/// What a check of one repository's tasks found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    pub scores: usize,
    /// The largest difference between a score and the sum of its components.
    pub largest_error: f64,
    pub broken: Vec<Broken>,
}

/// Answers every task in one run for each of [`THREADS`], in each several times, and looks at what came out.
///
/// # Errors
/// When there is no usable index, or threads can't be started.
pub fn check(engine: &Engine, tasks: &[EvalTask], options: &Options) -> Result<Checked, EngineError> {
    let runs: Vec<Vec<Answer>> =
        THREADS.par_iter().map(|threads| run(engine, tasks, options, *threads)).collect::<Result<_, EngineError>>()?;
    let mut checked = Checked::default();
    for (place, task) in tasks.iter().enumerate() {
        let mut answers = runs.iter().map(|answers| &answers[place]);
        let Some(first) = answers.next() else { continue };
        let mut problems = first.problems.clone();
        if !answers.all(|other| other.digest == first.digest) {
            problems.push("the answer is not the same with another number of threads".to_owned());
        }
        checked.scores += first.scores;
        checked.largest_error = checked.largest_error.max(first.largest_error);
        checked.broken.extend(problems.into_iter().map(|problem| Broken { task: task.id.clone(), problem }));
    }
    Ok(checked)
}

/// One task's answer, as far as it is compared.
struct Answer {
    digest: blake3::Hash,
    scores: usize,
    largest_error: f64,
    problems: Vec<String>,
    /// A symbol of middling rank.
    voted: Option<u32>,
}

/// All tasks by a new ranker in a pool of its own.
fn run(engine: &Engine, tasks: &[EvalTask], options: &Options, threads: usize) -> Result<Vec<Answer>, EngineError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let ranker = engine.ranker()?;
        let task = |task: &EvalTask| Task {
            request: Request::Task(task.task.clone()),
            budget_tokens: BUDGET,
            options: options.clone(),
        };
        tasks.iter().map(|it| asked_again(&ranker, &task(it), threads)).collect()
    })
}

/// A task's answer, which may not change when it is asked again, before or after it was asked as if one symbol more had got
/// a vote; nor may the answer with that vote. What the ranker keeps of earlier questions shows in none.
fn asked_again(ranker: &Ranker, task: &Task, threads: usize) -> Result<Answer, EngineError> {
    ranker.clear_cache();
    let mut first = answer(ranker, task)?;
    let mut voted = task.clone();
    if let Some(symbol) = first.voted.and_then(|node| ranker.reader().symbol(node).transpose()).transpose()? {
        voted.options.supposed_votes.insert(symbol.id, true);
    }
    let again = [answer(ranker, task)?, answer(ranker, &voted)?, answer(ranker, task)?];
    ranker.clear_cache();
    let with_vote = answer(ranker, &voted)?;
    if [&again[0], &again[2]].iter().any(|again| again.digest != first.digest) {
        first.problems.push(format!("the answer changes when asked again ({threads} threads)"));
    }
    if again[1].digest != with_vote.digest {
        first
            .problems
            .push(format!("with a vote more, the answer depends on what was asked before ({threads} threads)"));
    }
    Ok(first)
}

fn answer(ranker: &Ranker, task: &Task) -> Result<Answer, EngineError> {
    let ranking = ranker.rank(task, &|| false)?.unwrap_or_default();
    let pack = ranker.pack_ranked(task, &ranking, &Gcf, false)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(Gcf.render(&pack).as_bytes());
    for ranked in &ranking.symbols {
        hasher.update(&ranked.node.to_le_bytes()).update(&ranked.score.to_le_bytes());
        for component in &ranked.components {
            hasher.update(component.name.as_bytes()).update(&component.contribution.to_le_bytes());
        }
    }
    let voted = ranking.symbols.get(ranking.symbols.len() / 2).map(|ranked| ranked.node);
    let mut answer = Answer { digest: hasher.finalize(), scores: 0, largest_error: 0.0, problems: Vec::new(), voted };
    add_up(&ranking, &mut answer);
    Ok(answer)
}

/// Adds the first scores up anew.
fn add_up(ranking: &Ranking, answer: &mut Answer) {
    for (place, ranked) in ranking.symbols.iter().take(SUMMED).enumerate() {
        let sum: f64 = ranked.components.iter().map(|component| component.contribution).sum();
        let parts = ranked.components.iter();
        let parts = parts.map(|component| (component.weight * component.value - component.contribution).abs());
        let error = parts.fold((sum - ranked.score).abs(), f64::max);
        // What is no number is in no order with any.
        if !error.is_finite() || error > EXACT {
            answer.problems.push(format!("the score at place {} is {error:e} off the sum of its parts", place + 1));
        }
        answer.scores += 1;
        answer.largest_error = answer.largest_error.max(error);
    }
}
