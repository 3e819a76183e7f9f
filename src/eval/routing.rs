//! Measures the choice of repositories for tasks: whether the repository of a task is among the first.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use super::random::SplitMix64;
use super::training::TrainingTasks;
use crate::catalog::{Catalog, Router, RouterConfig};

/// Ranks at which recall is measured.
pub const RANKS: [usize; 3] = [1, 5, 10];
/// Seed of simulated repositories.
const SEED: u64 = 18;
/// Number of real repositories that a simulated one is made of; the share of their terms that it has is 1 / this.
const PARTS: usize = 3;

/// A task with the repository that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutingTask {
    /// The repository's id.
    pub repository: String,
    pub id: String,
    pub task: String,
}

/// Measures of tasks about some repositories, each repository with the same weight.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Recall {
    pub repositories: usize,
    pub tasks: usize,
    /// Shares of tasks whose repository is among the first [`RANKS`].
    pub at: [f64; RANKS.len()],
    /// Mean reciprocal rank.
    pub mrr: f64,
}

/// Selects at most `limit` tasks of each repository, evenly from its list. `id_of` returns the id of a project, if it has a
/// catalog.
pub fn routing_tasks(all: &[TrainingTasks], limit: usize, id_of: impl Fn(&str) -> Option<String>) -> Vec<RoutingTask> {
    let mut selected = Vec::new();
    for tasks in all {
        let Some(repository) = id_of(&tasks.project) else { continue };
        let (count, total) = (limit.min(tasks.tasks.len()), tasks.tasks.len());
        selected.extend((0..count).map(|index| {
            let task = &tasks.tasks[index * total / count];
            RoutingTask { repository: repository.clone(), id: task.id.clone(), task: task.task.clone() }
        }));
    }
    selected
}

/// Returns the rank of each task's repository, from 1; `None` beyond the last of [`RANKS`].
pub fn ranks(router: &Router, tasks: &[RoutingTask]) -> Vec<Option<usize>> {
    let limit = RANKS[RANKS.len() - 1];
    let rank = |task: &RoutingTask| {
        let routes = router.route(&task.task, limit);
        routes.iter().position(|route| route.repository == task.repository).map(|index| index + 1)
    };
    tasks.iter().map(rank).collect()
}

/// Averages ranks over repositories.
pub fn recall(tasks: &[RoutingTask], ranks: &[Option<usize>]) -> Recall {
    let mut by_repository: BTreeMap<&str, Vec<Option<usize>>> = BTreeMap::new();
    for (task, rank) in tasks.iter().zip(ranks) {
        by_repository.entry(&task.repository).or_default().push(*rank);
    }
    let mean = |value: &dyn Fn(Option<usize>) -> f64| {
        let means =
            by_repository.values().map(|ranks| ranks.iter().map(|rank| value(*rank)).sum::<f64>() / ranks.len() as f64);
        means.sum::<f64>() / by_repository.len().max(1) as f64
    };
    Recall {
        repositories: by_repository.len(),
        tasks: tasks.len(),
        at: RANKS.map(|limit| mean(&|rank| f64::from(u8::from(rank.is_some_and(|rank| rank <= limit))))),
        mrr: mean(&|rank| rank.map_or(0.0, |rank| 1.0 / rank as f64)),
    }
}

/// Returns simulated catalogs: each has a third of the terms of three of `sources`, by a seeded generator.
pub fn simulated(sources: &[&Catalog], count: usize) -> Vec<Catalog> {
    let mut random = SplitMix64(SEED);
    let simulate = |number: usize| {
        let parts: Vec<&Catalog> = (0..PARTS).map(|_| sources[random.below(sources.len())]).collect();
        Catalog::mixture(format!("simulated-{number}"), &parts, || random.below(PARTS) == 0)
    };
    if sources.is_empty() { Vec::new() } else { (0..count).map(simulate).collect() }
}

/// Returns the catalogs of `needed`, and others chosen by a seeded generator, `count` in all.
pub fn sample<'a>(catalogs: &'a [Catalog], needed: &[&str], count: usize) -> Vec<&'a Catalog> {
    let (mut chosen, others): (Vec<&Catalog>, Vec<&Catalog>) =
        catalogs.iter().partition(|catalog| needed.contains(&catalog.repository()));
    let left = count.saturating_sub(chosen.len());
    let indexes = SplitMix64(SEED).choose((0..others.len()).collect(), left);
    chosen.extend(indexes.into_iter().map(|index| others[index]));
    chosen
}

/// Costs of routing among some repositories, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RoutingCost {
    pub decode_ms: f64,
    pub invert_ms: f64,
    pub route_median_ms: f64,
    pub route_max_ms: f64,
    /// Resident memory of the router, by the system's count.
    pub memory_bytes: u64,
    /// Sum of the encoded catalogs.
    pub encoded_bytes: usize,
}

/// Measures loading encoded catalogs, and routing each task.
pub fn cost(encoded: &[Vec<u8>], tasks: &[RoutingTask]) -> RoutingCost {
    let milliseconds = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    let before = resident_bytes();
    let start = Instant::now();
    let catalogs: Vec<Catalog> = encoded.iter().filter_map(|bytes| Catalog::from_bytes(bytes).ok()).collect();
    let decode_ms = milliseconds(start);
    let start = Instant::now();
    let router = Router::new(&catalogs);
    let invert_ms = milliseconds(start);
    drop(catalogs);
    let memory_bytes = resident_bytes().saturating_sub(before);
    let mut times: Vec<f64> = (tasks.iter())
        .map(|task| {
            let start = Instant::now();
            std::hint::black_box(router.route(&task.task, RANKS[RANKS.len() - 1]));
            milliseconds(start)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    RoutingCost {
        decode_ms,
        invert_ms,
        route_median_ms: times.get(times.len() / 2).copied().unwrap_or_default(),
        route_max_ms: times.last().copied().unwrap_or_default(),
        memory_bytes,
        encoded_bytes: encoded.iter().map(Vec::len).sum(),
    }
}

/// Returns the resident memory of this process; 0 where the system does not tell.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    line.unwrap_or_default() * 1024
}

/// Factors by which a parameter is tried.
const FACTORS: [f64; 4] = [0.4, 0.7, 1.4, 2.5];
/// Maximum number of passes over all parameters.
const MAX_PASSES: usize = 3;

/// Fits the parameters of routing by coordinate ascent on the mean reciprocal rank. `progress` is called after each
/// improvement.
pub fn fit(
    catalogs: &[Catalog],
    tasks: &[RoutingTask],
    progress: &mut dyn FnMut(&RouterConfig, &Recall),
) -> RouterConfig {
    let mut best = RouterConfig::default();
    let measure = |config: RouterConfig| recall(tasks, &ranks(&Router::with_config(catalogs, config), tasks));
    let mut reached = measure(best);
    progress(&best, &reached);
    for _ in 0..MAX_PASSES {
        let before = reached.mrr;
        for parameter in 0..best.weights.len() + 3 {
            for factor in FACTORS {
                let config = scaled(best, parameter, factor);
                let found = measure(config);
                // Smaller gains are noise.
                if found.mrr > reached.mrr + 2e-4 {
                    (best, reached) = (config, found);
                    progress(&best, &reached);
                }
            }
        }
        if reached.mrr <= before {
            break;
        }
    }
    best
}

/// Returns parameters of which one is multiplied: the weight of a field, `smoothing`, `k1`, or the weight of segments.
fn scaled(mut config: RouterConfig, parameter: usize, factor: f64) -> RouterConfig {
    let fields = config.weights.len();
    let value = match parameter {
        field if field < fields => &mut config.weights[field],
        last if last == fields => &mut config.smoothing,
        last if last == fields + 1 => &mut config.k1,
        _ => &mut config.segment,
    };
    *value *= factor;
    config
}
