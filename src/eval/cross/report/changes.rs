//! Sections on change over time: learning from feedback, and answers after an edit of the checkout.

use std::collections::BTreeMap;

use super::chart::{Point, Series, XyChart};
use super::cost::title;
use super::document::{Document, Table};
use super::format::number;
use super::frame::Frame;
use crate::cross::record::{Change, Group, LearningRecord, Update};

/// Returns the name of a group of tasks in texts.
fn group_name(group: Group) -> &'static str {
    match group {
        Group::Voted => "tasks with votes",
        Group::HeldOut => "held out",
        Group::VotedElsewhere => "votes elsewhere",
    }
}

/// NDCG@10, MRR and number of tasks by system, group and round; repositories weighted by their tasks.
type Curves<'a> = BTreeMap<(&'a str, Group), BTreeMap<usize, [f64; 3]>>;

fn curves(records: &[LearningRecord]) -> Curves<'_> {
    let mut curves: Curves = BTreeMap::new();
    for it in records {
        let rounds = curves.entry((&it.system, it.group)).or_default();
        let sums = rounds.entry(it.round).or_default();
        let tasks = it.tasks as f64;
        [it.ndcg10 * tasks, it.mrr * tasks, tasks].iter().zip(sums).for_each(|(value, sum)| *sum += value);
    }
    for sums in curves.values_mut().flat_map(BTreeMap::values_mut) {
        let tasks = sums[2].max(1.0);
        sums[0] /= tasks;
        sums[1] /= tasks;
    }
    curves
}

/// Adds the learning curves.
pub fn learning(document: &mut Document, frame: &Frame) {
    let curves = curves(&frame.run.learning);
    if curves.is_empty() {
        return;
    }
    document.section("Learning");
    document.paragraph(
        "Quality after rounds of feedback, on the tasks that votes were given on, on held-out tasks of the same repository, \
         and on tasks of a repository after votes in other ones only. The gain is that over round 0. By the dotted rule \
         each result that matches counts, so NDCG can exceed 1.",
    );
    let columns = ["system", "tasks measured", "round", "tasks", "dotted NDCG@10", "gain", "dotted MRR", "gain"];
    let mut table = Table::new("quality by round", &columns);
    let mut chart = XyChart {
        description: "NDCG@10 by round of feedback".to_owned(),
        x_title: "rounds of feedback".to_owned(),
        y_title: "dotted NDCG@10".to_owned(),
        is_joined: true,
        ..XyChart::default()
    };
    for (number, ((system, group), rounds)) in curves.iter().enumerate() {
        let name = format!("{}, {}", title(frame, system), group_name(*group));
        let first = rounds.values().next().copied().unwrap_or_default();
        let mut points = Vec::new();
        for (round, [ndcg, mrr, tasks]) in rounds {
            table.row([
                title(frame, system),
                group_name(*group).to_owned(),
                round.to_string(),
                format!("{tasks:.0}"),
                format!("{ndcg:.3}"),
                super::format::signed(ndcg - first[0]),
                format!("{mrr:.3}"),
                super::format::signed(mrr - first[1]),
            ]);
            points.push(Point { x: *round as f64, y: *ndcg, hint: format!("{name}, round {round}: {ndcg:.3}") });
        }
        chart.series.push(Series { name, number, points });
    }
    document.figure("learning", "NDCG@10 by rounds of feedback.", chart.draw());
    document.table(table);
}

fn change_name(change: Change) -> &'static str {
    match change {
        Change::Rename => "renamed function",
        Change::NewFunction => "new function",
        Change::MovedFile => "moved file",
        Change::DeletedFile => "deleted file",
        Change::BranchSwitch => "switched branch",
    }
}

/// Adds the time until answers are right after a change.
pub fn staleness(document: &mut Document, frame: &Frame) {
    if frame.run.staleness.is_empty() {
        return;
    }
    document.section("Staleness");
    document.paragraph(
        "Time from a change of the checkout to the first right answer, and whether an answer before that was wrong without a \
         notice that the index is old. Automatic: the system updates its index when it is asked; by command: the user runs \
         the update, whose time counts.",
    );
    let columns = ["change", "repository", "system", "update", "seconds until right", "silently wrong", "error"];
    let mut table = Table::new("answers after a change", &columns);
    let mut sorted: Vec<_> = frame.run.staleness.iter().collect();
    let position = |name: &str| frame.run.systems.iter().position(|system| system.name == name);
    sorted.sort_by_key(|it| (it.change, it.repository.as_str(), position(&it.system), it.update));
    for it in sorted {
        table.row([
            change_name(it.change).to_owned(),
            it.repository.clone(),
            title(frame, &it.system),
            match it.update {
                Update::Automatic => "automatic".to_owned(),
                Update::Command => "by command".to_owned(),
            },
            it.seconds_until_right.map_or("never".to_owned(), number),
            if it.silently_wrong { "yes" } else { "no" }.to_owned(),
            it.error.clone().unwrap_or_default(),
        ]);
    }
    document.table(table);
}
