//! A report as JSON: the numbers of every table and plot, and the measures of every task.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cost::{GROWTHS, growth_points};
use super::frame::{Dimension, Frame, Summary};
use super::losses::{cause_name, counts};
use super::plots::recall_curve;
use crate::cross::measure::{MAIN, Measure};
use crate::cross::record::{IndexRecord, Label, LearningRecord, RunRecord, ScaleRecord, StalenessRecord, SystemRecord};
use crate::cross::statistics::{Comparison, PowerLaw, power_law};
use crate::render::json;

#[derive(Serialize)]
struct Content<'a> {
    runs: &'a [RunRecord],
    systems: &'a [SystemRecord],
    /// The label and budget of the groups, comparisons, curves and tasks.
    label: Label,
    budget: usize,
    groups: Vec<GroupContent<'a>>,
    comparisons: Vec<ComparisonContent<'a>>,
    recall: Vec<RecallContent<'a>>,
    misses: BTreeMap<&'a str, BTreeMap<&'static str, usize>>,
    exponents: Vec<ExponentContent<'a>>,
    indexes: &'a [IndexRecord],
    learning: &'a [LearningRecord],
    staleness: &'a [StalenessRecord],
    scale: &'a [ScaleRecord],
    tasks: Vec<TaskContent<'a>>,
}

#[derive(Serialize)]
struct GroupContent<'a> {
    dimension: Dimension,
    group: &'a str,
    system: &'a str,
    #[serde(flatten)]
    summary: &'a Summary,
}

#[derive(Serialize)]
struct ComparisonContent<'a> {
    dimension: Dimension,
    group: &'a str,
    measure: Measure,
    first: &'a str,
    second: &'a str,
    result: &'a Comparison,
}

#[derive(Serialize)]
struct RecallContent<'a> {
    set: &'a str,
    system: &'a str,
    /// Strict recall at depth 1, 2 and so on.
    recall: Vec<f64>,
}

#[derive(Serialize)]
struct ExponentContent<'a> {
    system: &'a str,
    cost: &'static str,
    law: PowerLaw,
}

#[derive(Serialize)]
struct TaskContent<'a> {
    system: &'a str,
    set: &'a str,
    repository: &'a str,
    task: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// The values of the main measures, in their order in `groups`.
    main: [f64; MAIN.len()],
    tokens: usize,
    seconds: f64,
}

/// Renders a report.
pub fn render(frame: &Frame) -> String {
    let run = frame.run;
    json::line(&Content {
        runs: &run.runs,
        systems: &run.systems,
        label: frame.label,
        budget: frame.budget,
        groups: groups(frame),
        comparisons: comparisons(frame),
        recall: recall(frame),
        misses: misses(frame),
        exponents: exponents(frame),
        indexes: &run.indexes,
        learning: &run.learning,
        staleness: &run.staleness,
        scale: &run.scale,
        tasks: tasks(frame),
    })
}

fn groups<'f>(frame: &'f Frame) -> Vec<GroupContent<'f>> {
    let groups = frame.all_groups().into_iter().flat_map(|(dimension, group)| {
        let summaries = frame.summaries(dimension, group).iter();
        summaries.map(move |(system, summary)| GroupContent { dimension, group, system: &system.name, summary })
    });
    groups.collect()
}

fn comparisons<'f>(frame: &'f Frame) -> Vec<ComparisonContent<'f>> {
    let Some(own) = frame.own() else { return Vec::new() };
    let mut all = Vec::new();
    for (dimension, group) in frame.all_groups() {
        for measure in MAIN {
            let comparisons = frame.comparisons(measure, dimension, group).iter();
            all.extend(comparisons.map(|(system, result)| {
                let (first, second) = (own.name.as_str(), system.name.as_str());
                ComparisonContent { dimension, group, measure, first, second, result }
            }));
        }
    }
    all
}

fn recall<'a>(frame: &Frame<'a>) -> Vec<RecallContent<'a>> {
    let sets = frame.groups(Dimension::Set).into_iter();
    let curves = sets.flat_map(|(set, _)| {
        frame.systems.iter().map(move |system| {
            let recall = recall_curve(&frame.rows(&system.name, Dimension::Set, set));
            RecallContent { set, system: &system.name, recall }
        })
    });
    curves.filter(|curve| !curve.recall.is_empty()).collect()
}

fn misses<'a>(frame: &Frame<'a>) -> BTreeMap<&'a str, BTreeMap<&'static str, usize>> {
    let causes = |system| {
        let counts = counts(frame, system).into_iter().filter(|(_, count)| *count > 0);
        counts.map(|(cause, count)| (cause_name(cause), count)).collect()
    };
    frame.systems.iter().map(|system| (system.name.as_str(), causes(&system.name))).collect()
}

fn exponents<'a>(frame: &Frame<'a>) -> Vec<ExponentContent<'a>> {
    let exponents = frame.run.systems.iter().flat_map(|system| {
        GROWTHS.iter().filter_map(|growth| {
            let law = power_law(&growth_points(frame, &system.name, growth))?;
            Some(ExponentContent { system: &system.name, cost: growth.name, law })
        })
    });
    exponents.collect()
}

fn tasks<'a>(frame: &Frame<'a>) -> Vec<TaskContent<'a>> {
    let mut tasks = Vec::new();
    for system in &frame.systems {
        tasks.extend(frame.rows(&system.name, Dimension::All, "all").into_iter().map(|row| TaskContent {
            system: &system.name,
            set: &row.answer.set,
            repository: &row.answer.repository,
            task: &row.answer.task,
            error: row.answer.error.as_deref(),
            main: MAIN.map(|measure| row.value(measure)),
            tokens: row.answer.tokens,
            seconds: row.answer.seconds,
        }));
    }
    tasks
}
