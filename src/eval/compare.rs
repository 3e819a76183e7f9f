//! Compares two runs task by task: metrics, ranks and score components.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::bootstrap::{Interval, interval};
use super::matcher::{Matcher, Name};
use super::metrics::Metrics;
use super::run::{Results, Run, TaskResult, Trace};
use super::summary::{Group, summary};

/// Differences between two runs, over the tasks that both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The measured result lists of both runs, if they differ.
    pub different_results: Option<(Results, Results)>,
    pub groups: Vec<GroupChange>,
    /// Tasks with a different result, from the largest improvement to the largest loss.
    pub tasks: Vec<TaskChange>,
    /// Number of tasks that both runs have.
    pub common: usize,
    /// `repository/id` of tasks that only the first run has.
    pub only_before: Vec<String>,
    /// `repository/id` of tasks that only the second run has.
    pub only_after: Vec<String>,
}

/// Change of a group's mean metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupChange {
    /// With the metrics of the second run.
    #[serde(flatten)]
    pub group: Group,
    pub dotted_change: Interval,
    pub strict_change: Interval,
}

/// Change of one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskChange {
    pub repository: String,
    pub id: String,
    pub task: String,
    /// Mean difference of all metrics under both rules; positive if the task improved.
    pub change: f64,
    pub dotted: Metrics,
    pub strict: Metrics,
    pub error: Option<String>,
    /// Entries of the ground truth whose best symbol changed rank.
    pub moves: Vec<RankChange>,
    /// Symbols outside the ground truth that entered the first ten.
    pub entered: Vec<RankChange>,
}

/// A symbol whose rank changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankChange {
    pub name: String,
    /// Ranks before packing, from 1. `None` if the symbol ranked too low for the run to record it.
    pub before: Option<usize>,
    pub after: Option<usize>,
    /// Whether the symbol was among the measured results. A budget may exclude it.
    pub was_result: bool,
    pub is_result: bool,
    /// Differences of contributions, largest first. Empty unless both runs have the symbol.
    pub components: Vec<(String, f64)>,
}

/// Number of top ranks that symbols can enter.
const TOP: usize = 10;
/// Smaller differences are rounding errors.
const MIN_CHANGE: f64 = 1e-9;

/// Compares the tasks that both runs have.
pub fn compare(before: &Run, after: &Run) -> Comparison {
    let key = |task: &TaskResult| (task.repository.clone(), task.id.clone());
    let known: HashMap<(String, String), &TaskResult> = before.tasks.iter().map(|task| (key(task), task)).collect();
    let pairs: Vec<(&TaskResult, &TaskResult)> =
        after.tasks.iter().filter_map(|task| Some((*known.get(&key(task))?, task))).collect();
    let common: BTreeSet<(String, String)> = pairs.iter().map(|(task, _)| key(task)).collect();
    let only = |run: &Run| {
        let keys = run.tasks.iter().map(key).filter(|key| !common.contains(key));
        keys.map(|(repository, id)| format!("{repository}/{id}")).collect()
    };
    let mut tasks: Vec<TaskChange> = pairs.iter().filter_map(|(before, after)| task_change(before, after)).collect();
    tasks.sort_by(|one, two| {
        two.change.total_cmp(&one.change).then_with(|| (&one.repository, &one.id).cmp(&(&two.repository, &two.id)))
    });
    Comparison {
        different_results: (before.results != after.results).then_some((before.results, after.results)),
        groups: group_changes(&pairs),
        tasks,
        common: pairs.len(),
        only_before: only(before),
        only_after: only(after),
    }
}

fn group_changes(pairs: &[(&TaskResult, &TaskResult)]) -> Vec<GroupChange> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let after: Vec<TaskResult> = pairs.iter().map(|(_, after)| (*after).clone()).collect();
    let change = |group: &Group, matcher: Matcher| {
        let members = group.members(&after).into_iter().map(|index| pairs[index]);
        let differences: Vec<Metrics> =
            members.map(|(before, after)| after.metrics(matcher) - before.metrics(matcher)).collect();
        interval(&differences)
    };
    let groups = summary(&after).into_iter();
    groups
        .map(|group| GroupChange {
            dotted_change: change(&group, Matcher::Dotted),
            strict_change: change(&group, Matcher::Strict),
            group,
        })
        .collect()
}

/// Returns the change of one task. `None` if neither its metrics nor the ranks of its ground truth changed.
fn task_change(before: &TaskResult, after: &TaskResult) -> Option<TaskChange> {
    let (dotted, strict) = (after.dotted - before.dotted, after.strict - before.strict);
    let values = dotted.values().into_iter().chain(strict.values());
    let change = values.clone().sum::<f64>() / (2 * Metrics::COUNT) as f64;
    let moves = truth_moves(before, after);
    if moves.is_empty() && before.error == after.error && values.into_iter().all(|value| value.abs() < MIN_CHANGE) {
        return None;
    }
    Some(TaskChange {
        repository: after.repository.clone(),
        id: after.id.clone(),
        task: after.task.clone(),
        change,
        dotted,
        strict,
        error: after.error.clone(),
        moves,
        entered: entered(before, after),
    })
}

fn truth_moves(before: &TaskResult, after: &TaskResult) -> Vec<RankChange> {
    let mut moves: Vec<RankChange> = Vec::new();
    for truth in &after.ground_truth {
        let (old, new) = (best(before, truth), best(after, truth));
        let found = moved(truth, old, new);
        let is_moved = found.before != found.after || found.was_result != found.is_result;
        if is_moved && !moves.contains(&found) {
            moves.push(found);
        }
    }
    moves
}

/// Returns the highest-ranked symbol that strictly matches `truth`.
fn best<'a>(result: &'a TaskResult, truth: &str) -> Option<&'a Trace> {
    let truth = Name::new(truth);
    result.traces.iter().find(|trace| Matcher::Strict.matches(&Name::new(&trace.name), &truth))
}

fn entered(before: &TaskResult, after: &TaskResult) -> Vec<RankChange> {
    let truth: Vec<Name> = after.ground_truth.iter().map(|name| Name::new(name)).collect();
    let is_truth = |trace: &Trace| {
        let name = Name::new(&trace.name);
        truth.iter().any(|truth| Matcher::Strict.matches(&name, truth))
    };
    let top = after.traces.iter().filter(|trace| trace.rank <= TOP && !is_truth(trace));
    top.map(|new| (before.traces.iter().find(|old| old.name == new.name), new))
        .filter(|(old, _)| old.is_none_or(|old| old.rank > TOP))
        .map(|(old, new)| moved(&new.name, old, Some(new)))
        .collect()
}

fn moved(name: &str, before: Option<&Trace>, after: Option<&Trace>) -> RankChange {
    let components = before.zip(after).map(|(before, after)| differences(before, after)).unwrap_or_default();
    let rank = |trace: Option<&Trace>| trace.map(|trace| trace.rank);
    let is_result = |trace: Option<&Trace>| trace.is_some_and(|trace| trace.is_result);
    RankChange {
        name: name.to_owned(),
        before: rank(before),
        after: rank(after),
        was_result: is_result(before),
        is_result: is_result(after),
        components,
    }
}

fn differences(before: &Trace, after: &Trace) -> Vec<(String, f64)> {
    let mut changes: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, value) in &after.components {
        *changes.entry(name).or_default() += value;
    }
    for (name, value) in &before.components {
        *changes.entry(name).or_default() -= value;
    }
    let mut changes: Vec<(String, f64)> = (changes.into_iter())
        .filter(|(_, change)| change.abs() >= MIN_CHANGE)
        .map(|(name, change)| (name.to_owned(), change))
        .collect();
    let larger = |one: &(String, f64), two: &(String, f64)| -> Ordering { two.1.abs().total_cmp(&one.1.abs()) };
    changes.sort_by(|one, two| larger(one, two).then(one.0.cmp(&two.0)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::result;

    fn trace(name: &str, rank: usize, lexical: f64, walk: f64) -> Trace {
        let components = BTreeMap::from([("lexical".to_owned(), lexical), ("walk".to_owned(), walk)]);
        Trace { name: name.to_owned(), rank, is_result: true, score: lexical + walk, components }
    }

    fn run(tasks: Vec<TaskResult>) -> Run {
        Run { version: "1".to_owned(), results: Results::Ranked, ranked_by: String::new(), tasks }
    }

    #[test]
    fn identical_runs_have_no_differences() {
        let one = run(vec![result("shop", "1", 0.5)]);
        let found = compare(&one, &one);
        assert_eq!((found.common, found.tasks.len(), found.different_results), (1, 0, None));
        assert!(found.groups.iter().all(|group| group.strict_change == Interval::default()));
    }

    #[test]
    fn rise_lists_component_differences() {
        let (mut old, mut new) = (result("shop", "1", 0.2), result("shop", "1", 1.0));
        old.traces = vec![trace("a.py.Cart", 1, 0.9, 0.0), trace("a.py.charge", 5, 0.3, 0.0)];
        new.traces = vec![trace("a.py.charge", 1, 0.8, 0.2), trace("a.py.Cart", 2, 0.9, 0.0)];
        let found = compare(&run(vec![old]), &run(vec![new]));
        let [task] = found.tasks.as_slice() else { panic!("{found:?}") };
        assert!((task.change - 2.0 * 0.8 / 14.0).abs() < 1e-12);
        assert_eq!((task.moves[0].before, task.moves[0].after), (Some(5), Some(1)));
        let [(first, lexical), (second, walk)] = task.moves[0].components.as_slice() else { panic!("{task:?}") };
        assert_eq!((first.as_str(), second.as_str()), ("lexical", "walk"));
        assert!((lexical - 0.5).abs() < 1e-12 && (walk - 0.2).abs() < 1e-12);
        assert!(task.entered.is_empty());
    }

    #[test]
    fn symbol_cut_by_the_budget_is_a_change() {
        let (mut old, mut new) = (result("shop", "1", 1.0), result("shop", "1", 0.0));
        old.traces = vec![trace("a.py.charge", 1, 0.8, 0.0)];
        new.traces = vec![Trace { is_result: false, ..trace("a.py.charge", 1, 0.8, 0.0) }];
        let found = compare(&run(vec![old]), &run(vec![new]));
        assert_eq!((found.tasks[0].moves[0].was_result, found.tasks[0].moves[0].is_result), (true, false));
    }

    #[test]
    fn fall_lists_symbols_that_entered_the_top() {
        let (mut old, mut new) = (result("shop", "1", 1.0), result("shop", "1", 0.5));
        old.traces = vec![trace("a.py.charge", 1, 0.8, 0.0), trace("a.py.Cart", 12, 0.1, 0.0)];
        new.traces = vec![trace("a.py.Cart", 1, 0.9, 0.0), trace("a.py.charge", 2, 0.8, 0.0)];
        let found = compare(&run(vec![old, result("shop", "2", 0.0)]), &run(vec![new, result("till", "2", 0.0)]));
        assert_eq!((found.only_before, found.only_after), (vec!["shop/2".to_owned()], vec!["till/2".to_owned()]));
        let task = &found.tasks[0];
        assert!(task.change < 0.0 && task.moves[0].components.is_empty());
        assert_eq!((task.entered[0].name.as_str(), task.entered[0].before), ("a.py.Cart", Some(12)));
    }
}
