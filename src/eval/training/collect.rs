//! Ranks training tasks and collects the feature values of their candidates.

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use super::feature_file::Sample;
use super::is_fixed;
use super::relevance::Relevance;
use super::task_lines::{DataSet, TrainingTask, TrainingTasks};
use crate::engine::{Engine, EngineError, Ranker};
use crate::lang::language_of;
use crate::model::{Component, NodeId, Options, Symbol, Task};
use crate::rank::scoring::BASE;

/// An error in collecting features.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    #[error("the task `{id}` can't be ranked: {error}")]
    Rank { id: String, error: EngineError },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("the task `{id}` has candidates with different features")]
    Features { id: String },
}

/// The names of the features, and the samples of some tasks.
type Collected = (Vec<String>, Vec<Sample>);

/// Ranks the tasks with the program's own model, in parallel, and returns the names of the features and one sample per
/// task, in the order of the tasks. A task without candidates has an empty sample.
///
/// # Errors
/// When the index can't be used or a task can't be ranked.
pub fn collect(engine: &Engine, tasks: &TrainingTasks) -> Result<Collected, CollectError> {
    let size = tasks.tasks.len().div_ceil(rayon::current_num_threads()).max(1);
    let shares: Vec<Collected> = (tasks.tasks.par_chunks(size))
        .map(|share| collect_share(&engine.ranker()?, tasks, share))
        .collect::<Result<_, CollectError>>()?;
    let mut all = Collected::default();
    for (features, samples) in shares {
        if all.0.is_empty() {
            all.0 = features;
        } else if !features.is_empty() && features != all.0 {
            let id = samples.first().map(|sample| sample.id.clone()).unwrap_or_default();
            return Err(CollectError::Features { id });
        }
        all.1.extend(samples);
    }
    Ok(all)
}

fn collect_share(ranker: &Ranker, tasks: &TrainingTasks, share: &[TrainingTask]) -> Result<Collected, CollectError> {
    let mut features = Vec::new();
    let mut samples = Vec::with_capacity(share.len());
    for task in share {
        let failed = |error: EngineError| CollectError::Rank { id: task.id.clone(), error };
        let ranking = ranker.rank(&every_feature(task), &|| false).map_err(failed)?.unwrap_or_default();
        let mut candidates: Vec<Candidate> = Vec::with_capacity(ranking.symbols.len());
        for ranked in ranking.symbols {
            let symbol = ranker.reader().symbol(ranked.node).map_err(|error| failed(error.into()))?;
            candidates.extend(symbol.map(|symbol| Candidate {
                node: ranked.node,
                symbol,
                score: ranked.score,
                components: ranked.components,
            }));
        }
        candidates.sort_by_key(|candidate| candidate.symbol.id);
        if features.is_empty() {
            features = feature_names(&candidates);
        }
        let mut sample = labeled(ranker, tasks, task, &candidates);
        let unknown = || CollectError::Features { id: task.id.clone() };
        sample.values = values(&features, &candidates).ok_or_else(unknown)?;
        samples.push(sample);
    }
    Ok((features, samples))
}

/// Returns a task whose candidates have all features, also those without a shape, and those of its intent.
fn every_feature(task: &TrainingTask) -> Task {
    let options = Options { every_feature: true, intent: Some(task.intent), ..Options::default() };
    Task { options, ..Task::from_text(&task.task) }
}

/// A candidate of a task.
struct Candidate {
    node: NodeId,
    symbol: Symbol,
    score: f64,
    components: Vec<Component>,
}

/// Returns the names of the features that a model can have, in the order of the first candidate's components.
fn feature_names(candidates: &[Candidate]) -> Vec<String> {
    let components = candidates.first().map_or(&[][..], |candidate| &candidate.components);
    let mut seen = HashSet::new();
    let names = components.iter().map(|component| component.name).filter(|name| !is_fixed(name) && seen.insert(*name));
    names.map(str::to_owned).collect()
}

/// Returns the values feature by feature; `None` if a candidate has a feature without a name in `features`.
fn values(features: &[String], candidates: &[Candidate]) -> Option<Vec<f32>> {
    let columns: HashMap<&str, usize> = features.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let mut values = vec![0.0; features.len() * candidates.len()];
    for (row, candidate) in candidates.iter().enumerate() {
        // Without a shape for tests, a second component of this name reduces their scores.
        let mut seen = HashSet::new();
        let features = candidate.components.iter().filter(|part| !is_fixed(part.name) && seen.insert(part.name));
        for component in features {
            let column = *columns.get(component.name)?;
            values[column * candidates.len() + row] = component.value as f32;
        }
    }
    Some(values)
}

/// Returns the sample of a task without feature values.
fn labeled(ranker: &Ranker, tasks: &TrainingTasks, task: &TrainingTask, candidates: &[Candidate]) -> Sample {
    let relevance = Relevance::new(tasks.set, &task.ground_truth);
    let gold_files = task.ground_truth.iter().filter_map(|gold| gold.file.as_deref());
    let language = gold_files.clone().find_map(language_of).map(|language| language.name.to_owned());
    // The base is that of the model, not of the candidate.
    let is_fixed = |component: &&Component| is_fixed(component.name) && component.name != BASE;
    let fixed = |candidate: &Candidate| {
        candidate.components.iter().filter(is_fixed).map(|component| component.contribution).sum()
    };
    let mut sample = Sample {
        set: tasks.set,
        repository: tasks.repository.clone(),
        project: tasks.project.clone(),
        id: task.id.clone(),
        intent: task.intent,
        group: task.group.clone(),
        language,
        gold: task.ground_truth.len(),
        candidates: candidates.len(),
        strict: Vec::new(),
        dotted: Vec::new(),
        files: Vec::new(),
        functions: Vec::new(),
        gold_files: Vec::new(),
        nodes: candidates.iter().map(|candidate| candidate.node).collect(),
        places: places(ranker, candidates),
        neighbors: Vec::new(),
        scores: candidates.iter().map(|candidate| candidate.score).collect(),
        fixed: candidates.iter().map(fixed).collect(),
        values: Vec::new(),
    };
    let (mut files, mut functions) = (HashMap::new(), HashMap::new());
    for (index, candidate) in candidates.iter().enumerate() {
        let matches = relevance.matches(&candidate.symbol);
        sample.strict.extend(matches.strict.iter().map(|entry| (index, *entry)));
        sample.dotted.extend(matches.dotted.iter().map(|entry| (index, *entry)));
        if tasks.set == DataSet::Issues {
            let file = relevance.counted_file(&candidate.symbol);
            sample.files.push(file.map(|file| number(&mut files, file.to_owned())));
            let function = relevance.counted_function(&candidate.symbol, &matches);
            sample.functions.push(function.map(|function| number(&mut functions, function)));
        }
    }
    sample.neighbors = neighbors(ranker, candidates, &sample.strict);
    if tasks.set == DataSet::Issues {
        sample.gold_files = gold_files.map(|file| files.get(file).copied()).collect();
    }
    sample
}

/// Returns the numbers of each candidate's file, type and name.
fn places(ranker: &Ranker, candidates: &[Candidate]) -> Vec<[u32; 3]> {
    let graph = ranker.graph();
    let (mut files, mut types, mut names) = (HashMap::new(), HashMap::new(), HashMap::new());
    let place = |candidate: &Candidate| {
        let Candidate { node, symbol, .. } = candidate;
        let own = symbol.kind.is_type().then_some(*node);
        let owner = graph.container(*node).or(own);
        [
            number(&mut files, symbol.file.clone()),
            owner.map_or(u32::MAX, |owner| number(&mut types, owner)),
            number(&mut names, symbol.name.clone()),
        ]
    };
    candidates.iter().map(place).collect()
}

/// Returns the neighbors of each relevant candidate that are candidates, too.
fn neighbors(ranker: &Ranker, candidates: &[Candidate], strict: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let graph = ranker.graph();
    let indexes: HashMap<NodeId, usize> =
        candidates.iter().enumerate().map(|(index, candidate)| (candidate.node, index)).collect();
    let of = |(candidate, _): &(usize, usize)| {
        let node = candidates[*candidate].node;
        let all = graph.outgoing(node).iter().chain(graph.incoming(node));
        let found: BTreeSet<usize> = all.filter_map(|neighbor| indexes.get(&neighbor.node).copied()).collect();
        found.into_iter().collect()
    };
    strict.iter().map(of).collect()
}

/// Returns the number of a key, the next one for a new key.
fn number<K: Eq + std::hash::Hash>(numbers: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(key).or_insert(next)
}
