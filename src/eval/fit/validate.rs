//! Validation: models measured on projects that they were not fitted on.
//!
//! A project is left out with all its tasks: commits, issues, development tasks and questions from documentation. The
//! questions of a group are one task, with the means of their measures.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::data::Data;
use super::measure::{LOSSES, MAX_METRICS, Measures, Suite, losses};
use super::{Fitted, TOLERANCE_MEASURED, Trainer, scores};
use crate::bootstrap::bounds;
use crate::training::{DataSet, Sample};

/// Number of folds of a learning curve.
const CURVE_FOLDS: usize = 5;

/// The means of some tasks before and after, with the 95% confidence interval of the difference.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Change {
    /// In the ranking that the features were written with.
    pub before: Measures,
    /// In the ranking of models that were fitted without the task's project.
    pub after: Measures,
    pub difference: Measures,
    pub low: Measures,
    pub high: Measures,
}

/// A line of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The project or language; empty for a mean over all.
    pub name: String,
    pub tasks: usize,
    pub change: Change,
}

/// The measures of a suite.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteReport {
    pub suite: Suite,
    pub projects: Vec<Line>,
    pub languages: Vec<Line>,
    /// The mean over projects of their means.
    pub mean_of_projects: Line,
    pub mean_of_tasks: Line,
    /// The mean of the tasks, before by BM25F alone and after by the model.
    pub beside_bm25f: Line,
    /// Means of the lost recall by cause, before and after.
    pub losses: [[f64; LOSSES.len()]; 2],
}

/// The measures of commits with models of a few repositories.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    pub repositories: usize,
    /// Means over repositories of strict R@10 and MRR.
    pub measures: [f64; 2],
}

/// A task's measures, before and after.
#[derive(Clone, Copy)]
struct Measured<'a> {
    sample: &'a Sample,
    before: Measures,
    after: Measures,
    /// In the order of the lexical scores.
    bm25f: Measures,
    /// Lost recall by cause, before and after.
    losses: [[f64; LOSSES.len()]; 2],
}

/// Returns the projects in `count` folds of about equal size.
pub fn folds(data: &Data, count: usize) -> Vec<Vec<&str>> {
    let projects = data.projects();
    let count = count.clamp(1, projects.len().max(1));
    (0..count).map(|fold| projects.iter().copied().skip(fold).step_by(count).collect()).collect()
}

/// Fits a model without each fold and measures its projects. `fitted` is the model of all tasks, from which the others
/// start.
pub fn validate(trainer: &Trainer, fitted: &Fitted, folds: &[Vec<&str>]) -> Vec<SuiteReport> {
    let measured: Vec<Vec<Measured>> = (folds.par_iter())
        .map(|fold| {
            let is_held_out = |sample: &Sample| fold.contains(&sample.project.as_str());
            let without = trainer.fit_tasks(Some(fitted), TOLERANCE_MEASURED, |sample| !is_held_out(sample));
            measure(trainer.data, &without, is_held_out)
        })
        .collect();
    let measured: Vec<Measured> = measured.into_iter().flatten().collect();
    let of =
        |suite: Suite| measured.iter().filter(move |task| Suite::from_sample(task.sample) == suite).collect::<Vec<_>>();
    Suite::ALL.into_iter().map(|suite| (suite, of(suite))).filter(|(_, tasks)| !tasks.is_empty()).map(report).collect()
}

fn measure<'a>(data: &'a Data, fitted: &Fitted, is_measured: impl Fn(&Sample) -> bool) -> Vec<Measured<'a>> {
    let samples = data.samples.iter().filter(|sample| is_measured(sample));
    let measured = samples.map(|sample| {
        let suite = Suite::from_sample(sample);
        let ranked = scores(data, fitted.model.shapes(sample.intent), sample);
        let after = suite.measure(sample, &ranked);
        let losses = [&sample.scores, &ranked].map(|scores| losses(sample, scores));
        let by_words: Vec<f64> = match sample.candidates {
            0 => Vec::new(),
            _ => sample.column(data.by_words).iter().map(|score| f64::from(*score)).collect(),
        };
        let bm25f = suite.measure(sample, &by_words);
        Measured { sample, before: suite.measure(sample, &sample.scores), after, bm25f, losses }
    });
    by_group(measured.collect())
}

/// Returns one task for each group, with the means of its tasks. The tasks of a group follow each other.
fn by_group(tasks: Vec<Measured<'_>>) -> Vec<Measured<'_>> {
    let is_same = |one: &Measured, two: &Measured| {
        one.sample.group.is_some() && one.sample.set == two.sample.set && one.sample.group == two.sample.group
    };
    let groups = tasks.chunk_by(is_same).map(|group| {
        let mean = |of: fn(&Measured) -> Measures| -> Measures {
            std::array::from_fn(|metric| group.iter().map(|task| of(task)[metric]).sum::<f64>() / group.len() as f64)
        };
        let (before, after, bm25f) = (mean(|task| task.before), mean(|task| task.after), mean(|task| task.bm25f));
        let losses = std::array::from_fn(|of| {
            std::array::from_fn(|cause| {
                group.iter().map(|task| task.losses[of][cause]).sum::<f64>() / group.len() as f64
            })
        });
        Measured { sample: group[0].sample, before, after, bm25f, losses }
    });
    groups.collect()
}

fn report((suite, tasks): (Suite, Vec<&Measured>)) -> SuiteReport {
    let projects = grouped(&tasks, |sample| Some(&sample.project));
    let languages = grouped(&tasks, |sample| sample.language.as_ref());
    // Weighs tasks so that every project has the same share of the mean.
    let sizes: BTreeMap<&str, f64> = projects.iter().map(|line| (line.name.as_str(), line.tasks as f64)).collect();
    let weight = |task: &Measured| tasks.len() as f64 / (sizes.len() as f64 * sizes[task.sample.project.as_str()]);
    let beside: Vec<Measured> = tasks.iter().map(|task| Measured { before: task.bm25f, ..**task }).collect();
    let lost =
        |of: usize, cause: usize| tasks.iter().map(|task| task.losses[of][cause]).sum::<f64>() / tasks.len() as f64;
    SuiteReport {
        suite,
        losses: std::array::from_fn(|of| std::array::from_fn(|cause| lost(of, cause))),
        beside_bm25f: line("", &beside.iter().collect::<Vec<&Measured>>(), |_| 1.0),
        mean_of_projects: line("", &tasks, weight),
        mean_of_tasks: line("", &tasks, |_| 1.0),
        projects,
        languages,
    }
}

/// Returns a line for each group of tasks, in the order of their names. Tasks without a name are in none.
fn grouped<'a>(tasks: &[&'a Measured], name: impl Fn(&'a Sample) -> Option<&'a String>) -> Vec<Line> {
    let mut groups: BTreeMap<&str, Vec<&Measured>> = BTreeMap::new();
    for task in tasks {
        if let Some(name) = name(task.sample) {
            groups.entry(name).or_default().push(task);
        }
    }
    groups.iter().map(|(name, tasks)| line(name, tasks, |_| 1.0)).collect()
}

fn line(name: &str, tasks: &[&Measured], weight: impl Fn(&Measured) -> f64) -> Line {
    let weighed: Vec<(Measures, Measures)> = (tasks.iter())
        .map(|task| (task.before.map(|value| value * weight(task)), task.after.map(|value| value * weight(task))))
        .collect();
    let mean = |value: &dyn Fn(&(Measures, Measures), usize) -> f64| -> Measures {
        std::array::from_fn(|metric| weighed.iter().map(|task| value(task, metric)).sum::<f64>() / tasks.len() as f64)
    };
    let differences: Vec<Measures> =
        weighed.iter().map(|(before, after)| std::array::from_fn(|metric| after[metric] - before[metric])).collect();
    let [difference, low, high] = bounds::<MAX_METRICS>(&differences);
    let change = Change {
        before: mean(&|task, metric| task.0[metric]),
        after: mean(&|task, metric| task.1[metric]),
        difference,
        low,
        high,
    };
    Line { name: name.to_owned(), tasks: tasks.len(), change }
}

/// Measures commits with models of 5, 10 and all other repositories' commits, in five folds.
pub fn learning_curve(trainer: &Trainer, fitted: &Fitted) -> Vec<CurvePoint> {
    let commits = || trainer.data.samples.iter().filter(|sample| sample.set == DataSet::Commits);
    let mut repositories: Vec<&str> = commits().map(|sample| sample.project.as_str()).collect();
    repositories.dedup();
    // An order that is independent of the names' beginnings.
    let mut shuffled = repositories.clone();
    shuffled.sort_by_key(|name| xxhash_rust::xxh3::xxh3_64(name.as_bytes()));
    let point = |count: usize| {
        let folds: Vec<Vec<Measured>> = (0..CURVE_FOLDS.min(repositories.len()))
            .into_par_iter()
            .map(|fold| {
                let held_out: Vec<&str> = repositories.iter().copied().skip(fold).step_by(CURVE_FOLDS).collect();
                let others = shuffled.iter().copied().filter(|name| !held_out.contains(name));
                let used: Vec<&str> = others.take(count).collect();
                let is_of = |sample: &Sample, names: &[&str]| {
                    sample.set == DataSet::Commits && names.contains(&sample.project.as_str())
                };
                let of_few = trainer.fit_tasks(Some(fitted), TOLERANCE_MEASURED, |sample| is_of(sample, &used));
                measure(trainer.data, &of_few, |sample| is_of(sample, &held_out))
            })
            .collect();
        let tasks: Vec<&Measured> = folds.iter().flatten().collect();
        let [recall, reciprocal, ..] = report((Suite::Commits, tasks)).mean_of_projects.change.after;
        CurvePoint { repositories: count, measures: [recall, reciprocal] }
    };
    let counts = [5, 10, repositories.len()];
    counts.into_iter().filter(|count| *count <= repositories.len() && *count > 0).map(point).collect()
}
