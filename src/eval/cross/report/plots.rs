//! Plots of quality: against tokens and latency, by depth, by language.

use super::chart::{BarChart, Point, Series, XyChart};
use super::document::Document;
use super::format::number;
use super::frame::{Dimension, Frame};
use crate::cross::measure::{MAIN, Scored};
use crate::cross::record::{Label, SystemRecord};
use crate::cross::statistics::{Estimate, mean, median};
use crate::matcher::Matcher;

/// Largest depth of the recall curves.
const MAX_DEPTH: usize = 50;

/// Adds the plots.
pub fn add(document: &mut Document, frame: &Frame) {
    document.section("Plots");
    document
        .paragraph("A system that was asked fewer than half of the tasks of a group is left out of the group's plot.");
    document.figure(
        "tokens",
        "Share of the relevant symbols in the whole answer (strict rule) by tokens printed, one point a budget, mean over \
         the tasks that were asked with all budgets. Up and left is better; the dashed line joins the points that no other exceeds.",
        tokens(frame).draw(),
    );
    document.figure(
        "latency",
        "NDCG@10 (strict rule) by the median time of an answer, mean over all tasks. Up and left is better; the dashed line \
         is the Pareto front.",
        latency(frame).draw(),
    );
    document.figure(
        "languages",
        "NDCG@10 (strict rule) by language, with 95% intervals.",
        bars(frame, Dimension::Language).draw(),
    );
    document.figure("sets", "NDCG@10 (strict rule) by set, with 95% intervals.", bars(frame, Dimension::Set).draw());
    for (set, tasks) in frame.groups(Dimension::Set) {
        let caption = format!("Recall by depth (strict rule), {set}, mean over {tasks} tasks.");
        let chart = XyChart { description: caption.clone(), ..recall(frame, set) };
        document.figure(&format!("recall-{}", file_name(set)), &caption, chart.draw());
    }
}

/// Returns the name of a set as the part of a file name.
fn file_name(set: &str) -> String {
    set.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

fn series(frame: &Frame, points: impl Fn(&SystemRecord) -> Vec<Point>) -> Vec<Series> {
    let series = frame.systems.iter().map(|system| {
        let (name, number) = (system.title.clone(), frame.number(system));
        Series { name, number, points: points(system) }
    });
    series.filter(|series| !series.points.is_empty()).collect()
}

fn tokens(frame: &Frame) -> XyChart {
    let budgets = frame.budgets();
    let points = |system: &SystemRecord| {
        let points = budgets.iter().filter_map(|budget| {
            let rows = frame.rows_with(&system.name, *budget);
            let (tokens, recall) =
                tokens_and_recall(&rows).filter(|_| frame.is_covered(&system.name, Dimension::All, "all"))?;
            let hint = format!("{}, budget {budget}: {tokens:.0} tokens, recall {recall:.3}", system.title);
            Some(Point { x: tokens, y: recall, hint })
        });
        points.collect()
    };
    XyChart {
        description: "recall of the whole answer by tokens".to_owned(),
        x_title: "tokens printed (cl100k), mean".to_owned(),
        y_title: "recall of the whole answer".to_owned(),
        is_x_log: true,
        is_joined: true,
        has_front: true,
        series: series(frame, points),
        ..XyChart::default()
    }
}

/// Returns the mean number of printed tokens, and the mean share of the relevant symbols in the whole answer.
pub fn tokens_and_recall(rows: &[&Scored]) -> Option<(f64, f64)> {
    let tokens: Vec<f64> = rows.iter().map(|row| row.answer.tokens as f64).collect();
    let recall: Vec<f64> = rows.iter().map(|row| row.recall(Matcher::Strict, usize::MAX)).collect();
    (!rows.is_empty()).then(|| (mean(&tokens), mean(&recall)))
}

/// Returns the median time of the warm answers of a system, or of the compared ones if there are none.
fn answer_seconds(frame: &Frame, system: &str) -> Option<f64> {
    let seconds = |label| {
        let rows = frame.rows_at(system, label, frame.budget).iter().filter(|row| row.answer.error.is_none());
        median(&rows.map(|row| row.answer.seconds).collect::<Vec<f64>>())
    };
    seconds(Label::Warm).or_else(|| seconds(frame.label))
}

fn latency(frame: &Frame) -> XyChart {
    let points = |system: &SystemRecord| {
        if !frame.is_covered(&system.name, Dimension::All, "all") {
            return Vec::new();
        }
        let rows = frame.rows(&system.name, Dimension::All, "all");
        let quality = mean(&rows.iter().map(|row| row.value(MAIN[0])).collect::<Vec<f64>>());
        let point = answer_seconds(frame, &system.name).map(|seconds| {
            let hint = format!("{}: {} s, NDCG@10 {quality:.3}", system.title, number(seconds));
            Point { x: seconds, y: quality, hint }
        });
        point.into_iter().collect()
    };
    XyChart {
        description: "NDCG@10 by the time of an answer".to_owned(),
        x_title: "seconds an answer, median".to_owned(),
        y_title: "NDCG@10, strict".to_owned(),
        is_x_log: true,
        has_front: true,
        series: series(frame, points),
        ..XyChart::default()
    }
}

fn bars(frame: &Frame, dimension: Dimension) -> BarChart {
    let groups = frame.groups(dimension);
    let values = |system: &SystemRecord| {
        let values = groups.iter().map(|(group, _)| {
            let summaries = frame.summaries(dimension, group);
            let found = summaries.iter().find(|(other, _)| other.name == system.name);
            let found = found.filter(|_| frame.is_covered(&system.name, dimension, group));
            found.map(|(_, summary)| summary.main[0].1)
        });
        values.collect::<Vec<Option<Estimate>>>()
    };
    let systems = frame.systems.iter();
    BarChart {
        description: format!("NDCG@10 by {}", dimension.name()),
        y_title: "NDCG@10, strict".to_owned(),
        groups: groups.iter().map(|(group, tasks)| format!("{group} ({tasks})")).collect(),
        series: systems.map(|system| (system.title.clone(), frame.number(system), values(system))).collect(),
    }
}

fn recall(frame: &Frame, set: &str) -> XyChart {
    let points = |system: &SystemRecord| {
        let rows = frame.rows(&system.name, Dimension::Set, set);
        let is_covered = frame.is_covered(&system.name, Dimension::Set, set);
        let curve = recall_curve(if is_covered { &rows } else { &[] });
        let points = curve.into_iter().zip(1..).map(|(recall, depth)| {
            let hint = format!("{}: R@{depth} {recall:.3}", system.title);
            Point { x: f64::from(depth), y: recall, hint }
        });
        points.collect()
    };
    XyChart {
        x_title: "k, first results".to_owned(),
        y_title: "R@k, strict".to_owned(),
        is_joined: true,
        series: series(frame, points),
        ..XyChart::default()
    }
}

/// Returns the mean recall at the depths from 1.
pub fn recall_curve(rows: &[&Scored]) -> Vec<f64> {
    let recall = |depth| rows.iter().map(|row| row.recall(Matcher::Strict, depth)).collect::<Vec<f64>>();
    let depths = if rows.is_empty() { 0 } else { MAX_DEPTH };
    (1..=depths).map(|depth| mean(&recall(depth))).collect()
}
