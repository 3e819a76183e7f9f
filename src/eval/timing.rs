//! Latency of answers by stage, in a process that has the index loaded.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::task_file::EvalTask;
use crate::engine::{Engine, EngineError, Ranker, STAGES};
use crate::model::{Options, Request, Task};
use crate::render::{Renderer, gcf::Gcf};

/// Number of measured answers per task, after one warm-up.
const ROUNDS: usize = 5;
/// Budget of the packs, in tokens.
const BUDGET: usize = 5_000;

/// Durations of one stage, over all tasks and rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    pub stage: &'static str,
    /// Ascending.
    pub times: Vec<Duration>,
}

impl Timing {
    /// Returns the percentile `share` by the nearest-rank method; zero if there are no times.
    pub fn percentile(&self, share: f64) -> Duration {
        let rank = (share * self.times.len() as f64).ceil() as usize;
        self.times.get(rank.clamp(1, self.times.len().max(1)) - 1).copied().unwrap_or_default()
    }
}

/// Measures loading the index, each stage of ranking, packing, rendering, and whole answers. Tasks run one after the
/// other; a stage may use several threads.
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
            let durations = answer(&ranker, &task)?;
            if round > 0 {
                stages.iter_mut().zip(durations).for_each(|(stage, duration)| stage.times.push(duration));
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

/// Answers a task. Returns the durations of the stages of ranking, of packing and of rendering, and their sum.
fn answer(ranker: &Ranker, task: &Task) -> Result<Vec<Duration>, EngineError> {
    let moments = RefCell::new(vec![Instant::now()]);
    // Ranking calls the cancellation check between its stages, so the check records the time.
    let record_time = || {
        moments.borrow_mut().push(Instant::now());
        false
    };
    let ranking = ranker.rank(task, &record_time)?.unwrap_or_default();
    record_time();
    let pack = ranker.pack_ranked(task, &ranking, &Gcf, false)?;
    record_time();
    Gcf.render(&pack);
    record_time();
    let moments = moments.into_inner();
    let mut durations: Vec<Duration> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
    durations.push(durations.iter().sum());
    Ok(durations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_times() {
        let milliseconds = |times: &[u64]| times.iter().map(|time| Duration::from_millis(*time)).collect();
        let timing = Timing { stage: "walk", times: milliseconds(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 50]) };
        assert_eq!([0.0, 0.5, 0.95, 1.0].map(|share| timing.percentile(share).as_millis()), [1, 5, 50, 50]);
        assert_eq!(Timing { stage: "walk", times: Vec::new() }.percentile(0.5), Duration::ZERO);
    }
}
