//! Two runs, task by task: which rose, which fell, and why.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::bootstrap::{Interval, interval};
use super::matcher::{Matcher, Name};
use super::metrics::Metrics;
use super::run::{Outcome, Placed, Results, Run};
use super::summary::{Group, summary};

/// What changed from one run to another, over the tasks that both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What was measured before and after, if that is not the same.
    pub unlike: Option<(Results, Results)>,
    pub groups: Vec<GroupChange>,
    /// Tasks with another outcome: the largest rises first, the largest falls last.
    pub tasks: Vec<TaskChange>,
    /// How many tasks both runs have.
    pub common: usize,
    /// `repository/id` of tasks that only the first run has.
    pub only_before: Vec<String>,
    /// `repository/id` of tasks that only the second run has.
    pub only_after: Vec<String>,
}

/// How the means of a group moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupChange {
    /// With the metrics of the second run.
    #[serde(flatten)]
    pub group: Group,
    pub dotted_change: Interval,
    pub strict_change: Interval,
}

/// How one task moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskChange {
    pub repository: String,
    pub id: String,
    pub task: String,
    /// Mean difference of all metrics under both rules: above zero when the task rose.
    pub change: f64,
    pub dotted: Metrics,
    pub strict: Metrics,
    pub error: Option<String>,
    /// The ground truth whose best symbol moved.
    pub moves: Vec<Move>,
    /// Symbols that came into the first ten from below, and are no ground truth.
    pub entered: Vec<Move>,
}

/// A symbol that took another place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    pub name: String,
    /// Places in the whole ranking, from 1; `None` where the run kept no trace of the symbol, being too far down.
    pub before: Option<usize>,
    pub after: Option<usize>,
    /// Whether the symbol was among the measured results, which a budget may have left it out of.
    pub was_result: bool,
    pub is_result: bool,
    /// Differences of contributions, the largest first; empty unless both runs have the symbol.
    pub components: Vec<(String, f64)>,
}

/// How deep the first page of a ranking is.
const TOP: usize = 10;
/// Differences below this are rounding.
const NOTHING: f64 = 1e-9;

/// Compares the tasks that both runs have.
pub fn compare(before: &Run, after: &Run) -> Comparison {
    let key = |task: &Outcome| (task.repository.clone(), task.id.clone());
    let known: HashMap<(String, String), &Outcome> = before.tasks.iter().map(|task| (key(task), task)).collect();
    let pairs: Vec<(&Outcome, &Outcome)> =
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
        unlike: (before.results != after.results).then_some((before.results, after.results)),
        groups: group_changes(&pairs),
        tasks,
        common: pairs.len(),
        only_before: only(before),
        only_after: only(after),
    }
}

fn group_changes(pairs: &[(&Outcome, &Outcome)]) -> Vec<GroupChange> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let after: Vec<Outcome> = pairs.iter().map(|(_, after)| (*after).clone()).collect();
    let change = |group: &Group, matcher: Matcher| {
        let members = group.members(&after).into_iter().map(|place| pairs[place]);
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

/// What moved in one task; `None` when neither its metrics nor its ground truth did.
fn task_change(before: &Outcome, after: &Outcome) -> Option<TaskChange> {
    let (dotted, strict) = (after.dotted - before.dotted, after.strict - before.strict);
    let values = dotted.values().into_iter().chain(strict.values());
    let change = values.clone().sum::<f64>() / (2 * Metrics::COUNT) as f64;
    let moves = truth_moves(before, after);
    if moves.is_empty() && before.error == after.error && values.into_iter().all(|value| value.abs() < NOTHING) {
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

fn truth_moves(before: &Outcome, after: &Outcome) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
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

/// The best symbol of a ranking that strictly is `truth`.
fn best<'a>(outcome: &'a Outcome, truth: &str) -> Option<&'a Placed> {
    let truth = Name::new(truth);
    outcome.traces.iter().find(|placed| Matcher::Strict.matches(&Name::new(&placed.name), &truth))
}

fn entered(before: &Outcome, after: &Outcome) -> Vec<Move> {
    let truth: Vec<Name> = after.ground_truth.iter().map(|name| Name::new(name)).collect();
    let is_truth = |placed: &Placed| {
        let name = Name::new(&placed.name);
        truth.iter().any(|truth| Matcher::Strict.matches(&name, truth))
    };
    let top = after.traces.iter().filter(|placed| placed.place <= TOP && !is_truth(placed));
    top.map(|new| (before.traces.iter().find(|old| old.name == new.name), new))
        .filter(|(old, _)| old.is_none_or(|old| old.place > TOP))
        .map(|(old, new)| moved(&new.name, old, Some(new)))
        .collect()
}

fn moved(name: &str, before: Option<&Placed>, after: Option<&Placed>) -> Move {
    let components = before.zip(after).map(|(before, after)| differences(before, after)).unwrap_or_default();
    let place = |placed: Option<&Placed>| placed.map(|placed| placed.place);
    let is_result = |placed: Option<&Placed>| placed.is_some_and(|placed| placed.is_result);
    Move {
        name: name.to_owned(),
        before: place(before),
        after: place(after),
        was_result: is_result(before),
        is_result: is_result(after),
        components,
    }
}

fn differences(before: &Placed, after: &Placed) -> Vec<(String, f64)> {
    let mut changes: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, value) in &after.components {
        *changes.entry(name).or_default() += value;
    }
    for (name, value) in &before.components {
        *changes.entry(name).or_default() -= value;
    }
    let mut changes: Vec<(String, f64)> = (changes.into_iter())
        .filter(|(_, change)| change.abs() >= NOTHING)
        .map(|(name, change)| (name.to_owned(), change))
        .collect();
    let larger = |one: &(String, f64), two: &(String, f64)| -> Ordering { two.1.abs().total_cmp(&one.1.abs()) };
    changes.sort_by(|one, two| larger(one, two).then(one.0.cmp(&two.0)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::run::tests::outcome;

    fn placed(name: &str, place: usize, lexical: f64, walk: f64) -> Placed {
        let components = BTreeMap::from([("lexical".to_owned(), lexical), ("walk".to_owned(), walk)]);
        Placed { name: name.to_owned(), place, is_result: true, score: lexical + walk, components }
    }

    fn run(tasks: Vec<Outcome>) -> Run {
        Run { version: "1".to_owned(), results: Results::Ranked, ranked_by: String::new(), tasks }
    }

    #[test]
    fn a_run_does_not_differ_from_itself() {
        let one = run(vec![outcome("shop", "1", 0.5)]);
        let found = compare(&one, &one);
        assert_eq!((found.common, found.tasks.len(), found.unlike), (1, 0, None));
        assert!(found.groups.iter().all(|group| group.strict_change == Interval::default()));
    }

    #[test]
    fn a_rise_is_explained_by_its_components() {
        let (mut old, mut new) = (outcome("shop", "1", 0.2), outcome("shop", "1", 1.0));
        old.traces = vec![placed("a.py.Cart", 1, 0.9, 0.0), placed("a.py.charge", 5, 0.3, 0.0)];
        new.traces = vec![placed("a.py.charge", 1, 0.8, 0.2), placed("a.py.Cart", 2, 0.9, 0.0)];
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
    fn what_the_budget_leaves_out_has_moved() {
        let (mut old, mut new) = (outcome("shop", "1", 1.0), outcome("shop", "1", 0.0));
        old.traces = vec![placed("a.py.charge", 1, 0.8, 0.0)];
        new.traces = vec![Placed { is_result: false, ..placed("a.py.charge", 1, 0.8, 0.0) }];
        let found = compare(&run(vec![old]), &run(vec![new]));
        assert_eq!((found.tasks[0].moves[0].was_result, found.tasks[0].moves[0].is_result), (true, false));
    }

    #[test]
    fn a_fall_names_what_came_before() {
        let (mut old, mut new) = (outcome("shop", "1", 1.0), outcome("shop", "1", 0.5));
        old.traces = vec![placed("a.py.charge", 1, 0.8, 0.0), placed("a.py.Cart", 12, 0.1, 0.0)];
        new.traces = vec![placed("a.py.Cart", 1, 0.9, 0.0), placed("a.py.charge", 2, 0.8, 0.0)];
        let found = compare(&run(vec![old, outcome("shop", "2", 0.0)]), &run(vec![new, outcome("till", "2", 0.0)]));
        assert_eq!((found.only_before, found.only_after), (vec!["shop/2".to_owned()], vec!["till/2".to_owned()]));
        let task = &found.tasks[0];
        assert!(task.change < 0.0 && task.moves[0].components.is_empty());
        assert_eq!((task.entered[0].name.as_str(), task.entered[0].before), ("a.py.Cart", Some(12)));
    }
}
