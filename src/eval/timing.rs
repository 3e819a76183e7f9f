//! What answers cost in a process that has its index loaded, stage by stage.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::task_file::EvalTask;
use crate::engine::{Engine, EngineError, Ranker, STAGES};
use crate::model::{Options, Request, Task};
use crate::render::{Renderer, gcf::Gcf};

/// How often each task is answered, after once that does not count.
const ROUNDS: usize = 5;
/// Budget of the packs, in tokens.
const BUDGET: usize = 5_000;

/// How long one stage took, over all tasks and rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    pub stage: &'static str,
    /// Ascending.
    pub times: Vec<Duration>,
}

impl Timing {
    /// The smallest time that at least `share` of all do not exceed; nothing where none was measured.
    pub fn percentile(&self, share: f64) -> Duration {
        let rank = (share * self.times.len() as f64).ceil() as usize;
        self.times.get(rank.clamp(1, self.times.len().max(1)) - 1).copied().unwrap_or_default()
    }
}

/// Times loading the index, each stage of ranking, packing and writing, and answers as a whole. Runs on one thread, but
/// for what the stages themselves do on more.
///
/// # Errors
/// When the index can't be used, or a task can't be answered.
pub fn timings(engine: &Engine, tasks: &[EvalTask], options: &Options) -> Result<Vec<Timing>, EngineError> {
    let mut load = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        engine.ranker()?;
        load.push(started.elapsed());
    }
    let ranker = engine.ranker()?;
    let mut stages: Vec<Timing> =
        STAGES.iter().chain(&["pack", "write", "answer"]).map(|stage| timing(stage)).collect();
    for task in tasks {
        let task = Task { request: Request::Task(task.task.clone()), budget_tokens: BUDGET, options: options.clone() };
        for round in 0..=ROUNDS {
            ranker.clear_cache();
            let spans = answer(&ranker, &task)?;
            if round > 0 {
                stages.iter_mut().zip(spans).for_each(|(stage, span)| stage.times.push(span));
            }
        }
    }
    stages.insert(0, Timing { stage: "load", times: load });
    stages.iter_mut().for_each(|stage| stage.times.sort_unstable());
    Ok(stages)
}

fn timing(stage: &'static str) -> Timing {
    Timing { stage, times: Vec::new() }
}

/// How long the stages of ranking, packing and writing took, and all of it.
fn answer(ranker: &Ranker, task: &Task) -> Result<Vec<Duration>, EngineError> {
    let moments = RefCell::new(vec![Instant::now()]);
    // A ranking asks between its stages whether it is still wanted.
    let look_at_the_clock = || {
        moments.borrow_mut().push(Instant::now());
        false
    };
    let ranking = ranker.rank(task, &look_at_the_clock)?.unwrap_or_default();
    look_at_the_clock();
    let pack = ranker.pack_ranked(task, &ranking, &Gcf, false)?;
    look_at_the_clock();
    Gcf.render(&pack);
    look_at_the_clock();
    let moments = moments.into_inner();
    let mut spans: Vec<Duration> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spans.push(spans.iter().sum());
    Ok(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let milliseconds = |times: &[u64]| times.iter().map(|time| Duration::from_millis(*time)).collect();
        let timing = Timing { stage: "walk", times: milliseconds(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 50]) };
        assert_eq!([0.0, 0.5, 0.95, 1.0].map(|share| timing.percentile(share).as_millis()), [1, 5, 50, 50]);
        assert_eq!(Timing { stage: "walk", times: Vec::new() }.percentile(0.5), Duration::ZERO);
    }
}
