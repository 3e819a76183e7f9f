//! The answers of a run in the forms that tables and plots need: by system, by group, in pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use serde::Serialize;

use crate::bootstrap;
use crate::cross::measure::{MAIN, Measure, Scored};
use crate::cross::record::{Label, SystemRecord};
use crate::cross::run::CrossRun;
use crate::cross::statistics::{Comparison, Estimate, compare_all, mean, median, sd};
use crate::matcher::Matcher;

/// Name of this program among the systems.
const OWN: &str = "knowing";
/// Budget that systems are compared at, if the run has it; else the largest.
const BUDGET: usize = 5_000;

/// A run with its answers measured.
pub struct Frame<'a> {
    pub run: &'a CrossRun,
    /// Systems with answers, in the order of the run.
    pub systems: Vec<&'a SystemRecord>,
    /// The label and budget that systems are compared at.
    pub label: Label,
    pub budget: usize,
    rows: HashMap<&'a str, BTreeMap<(Label, usize), Vec<Scored<'a>>>>,
    /// The tasks that every system which was asked half of all tasks with several budgets has with each of them.
    budget_tasks: BTreeSet<Key<'a>>,
    /// Statistics of every group, computed once: they take most of a report's time.
    statistics: BTreeMap<Dimension, BTreeMap<&'a str, GroupStatistics<'a>>>,
}

/// The means and comparisons of a group of tasks.
struct GroupStatistics<'a> {
    summaries: Vec<(&'a SystemRecord, Summary)>,
    /// For each main measure, the comparisons with the other systems.
    comparisons: [Vec<(&'a SystemRecord, Comparison)>; MAIN.len()],
}

/// A way to divide tasks into groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    All,
    Set,
    Tier,
    Language,
    Kind,
    Home,
    Repository,
}

impl Dimension {
    /// The dimensions that divide, in the order of a report.
    pub const GROUPS: [Dimension; 6] =
        [Dimension::Set, Dimension::Kind, Dimension::Tier, Dimension::Language, Dimension::Home, Dimension::Repository];

    /// Returns the name of the dimension.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::All => "all",
            Dimension::Set => "set",
            Dimension::Tier => "tier",
            Dimension::Language => "language",
            Dimension::Kind => "kind",
            Dimension::Home => "home or away",
            Dimension::Repository => "repository",
        }
    }

    /// Returns the group of an answer.
    pub fn group<'a>(self, row: &Scored<'a>) -> &'a str {
        match self {
            Dimension::All => "all",
            Dimension::Set => &row.answer.set,
            Dimension::Tier => &row.answer.tier,
            Dimension::Language => &row.answer.language,
            Dimension::Kind => &row.answer.kind,
            Dimension::Home => match row.answer.home {
                true => "home",
                false => "away",
            },
            Dimension::Repository => &row.answer.repository,
        }
    }
}

/// Means of a system over a group of tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub tasks: usize,
    /// Tasks without an answer. They count as zero.
    pub errors: usize,
    /// The main measures with their intervals.
    pub main: Vec<(Measure, Estimate)>,
    /// Mean and standard deviation of every measure.
    #[serde(serialize_with = "by_name")]
    pub measures: Vec<(Measure, f64, f64)>,
    /// Mean number of tokens that were printed.
    pub tokens: f64,
    /// All printed tokens by all relevant symbols in them; `None` without one.
    pub tokens_per_relevant: Option<f64>,
    /// Median of the times of the answers.
    pub seconds: Option<f64>,
}

fn by_name<S: serde::Serializer>(measures: &[(Measure, f64, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Value {
        mean: f64,
        sd: f64,
    }
    serializer.collect_map(measures.iter().map(|(measure, mean, sd)| (measure, Value { mean: *mean, sd: *sd })))
}

impl Summary {
    /// Averages over the answers of one system.
    pub fn new(rows: &[&Scored]) -> Summary {
        let values = |measure: Measure| rows.iter().map(|row| row.value(measure)).collect::<Vec<f64>>();
        let measures = Measure::all().into_iter().map(|measure| {
            let values = values(measure);
            (measure, mean(&values), sd(&values))
        });
        let vectors: Vec<[f64; MAIN.len()]> = rows.iter().map(|row| MAIN.map(|measure| row.value(measure))).collect();
        let [means, lows, highs] = bootstrap::bounds(&vectors);
        let estimate = |index: usize| Estimate { mean: means[index], low: lows[index], high: highs[index] };
        let tokens: usize = rows.iter().map(|row| row.answer.tokens).sum();
        let relevant: usize = rows.iter().map(|row| row.found(Matcher::Strict, usize::MAX)).sum();
        let answered = rows.iter().filter(|row| row.answer.error.is_none());
        let seconds: Vec<f64> = answered.map(|row| row.answer.seconds).collect();
        Summary {
            tasks: rows.len(),
            errors: rows.iter().filter(|row| row.answer.error.is_some()).count(),
            main: (0..MAIN.len()).map(|index| (MAIN[index], estimate(index))).collect(),
            measures: measures.collect(),
            tokens: tokens as f64 / rows.len().max(1) as f64,
            tokens_per_relevant: (relevant > 0).then(|| tokens as f64 / relevant as f64),
            seconds: median(&seconds),
        }
    }

    /// Returns mean and standard deviation of a measure.
    pub fn measure(&self, measure: Measure) -> (f64, f64) {
        let found = self.measures.iter().find(|(other, ..)| *other == measure);
        found.map_or((0.0, 0.0), |(_, mean, sd)| (*mean, *sd))
    }
}

impl<'a> Frame<'a> {
    /// Measures the answers of a run.
    pub fn new(run: &'a CrossRun) -> Frame<'a> {
        let mut rows: HashMap<&str, BTreeMap<(Label, usize), Vec<Scored>>> = HashMap::new();
        for answer in &run.answers {
            let conditions = rows.entry(&answer.system).or_default();
            conditions.entry((answer.label, answer.budget)).or_default().push(Scored::new(answer));
        }
        let labels: BTreeSet<Label> = run.answers.iter().map(|answer| answer.label).collect();
        let budgets: BTreeSet<usize> = run.answers.iter().map(|answer| answer.budget).collect();
        let label = labels.first().copied().unwrap_or(Label::Cold);
        let budget = if budgets.contains(&BUDGET) { BUDGET } else { budgets.last().copied().unwrap_or(BUDGET) };
        let has_answers = |system: &&SystemRecord| run.answers.iter().any(|answer| answer.system == system.name);
        let systems = run.systems.iter().filter(has_answers).collect();
        let budget_tasks = budget_tasks(&rows, label);
        let mut frame = Frame { run, systems, label, budget, rows, budget_tasks, statistics: BTreeMap::new() };
        let groups = frame.all_groups();
        let statistics = groups.par_iter().map(|(dimension, group)| {
            let comparisons = MAIN.map(|measure| frame.compare(measure, *dimension, group));
            (*dimension, *group, GroupStatistics { summaries: frame.summarize(*dimension, group), comparisons })
        });
        for (dimension, group, statistics) in statistics.collect::<Vec<_>>() {
            frame.statistics.entry(dimension).or_default().insert(group, statistics);
        }
        frame
    }

    /// Returns the groups of all dimensions, first that of all tasks.
    pub fn all_groups(&self) -> Vec<(Dimension, &'a str)> {
        let groups = |dimension| self.groups(dimension).into_iter().map(move |(group, _)| (dimension, group));
        std::iter::once(Dimension::All).chain(Dimension::GROUPS).flat_map(groups).collect()
    }

    /// Returns the means of each system with answers in a group.
    pub fn summaries(&self, dimension: Dimension, group: &str) -> &[(&'a SystemRecord, Summary)] {
        self.statistics_of(dimension, group).map_or(&[], |statistics| &statistics.summaries)
    }

    /// Returns the comparisons of this program with every other system by a main measure, on the tasks of a group that
    /// both have.
    pub fn comparisons(
        &self,
        measure: Measure,
        dimension: Dimension,
        group: &str,
    ) -> &[(&'a SystemRecord, Comparison)] {
        let index = MAIN.iter().position(|main| *main == measure);
        let statistics = self.statistics_of(dimension, group);
        statistics.zip(index).map_or(&[], |(statistics, index)| &statistics.comparisons[index])
    }

    fn statistics_of(&self, dimension: Dimension, group: &str) -> Option<&GroupStatistics<'a>> {
        self.statistics.get(&dimension)?.get(group)
    }

    fn summarize(&self, dimension: Dimension, group: &str) -> Vec<(&'a SystemRecord, Summary)> {
        let rows = self.systems.iter().map(|system| (*system, self.rows(&system.name, dimension, group)));
        let rows = rows.filter(|(_, rows)| !rows.is_empty());
        rows.map(|(system, rows)| (system, Summary::new(&rows))).collect()
    }

    /// Returns the system that the others are compared with: this program, or the first one.
    pub fn own(&self) -> Option<&'a SystemRecord> {
        let own = self.systems.iter().find(|system| system.name == OWN);
        own.or(self.systems.first()).copied()
    }

    /// Returns the other systems.
    pub fn others(&self) -> Vec<&'a SystemRecord> {
        let own = self.own().map(|system| &system.name);
        self.systems.iter().filter(|system| Some(&system.name) != own).copied().collect()
    }

    /// Returns the number of a system, which selects its color and mark: 0 is the program itself. Systems count that have
    /// answers or were measured by size.
    pub fn number(&self, system: &SystemRecord) -> usize {
        let own = self.own().map_or(OWN, |system| &system.name);
        let is_measured = |other: &&SystemRecord| {
            let has_answers = self.rows.contains_key(other.name.as_str());
            has_answers || self.run.scale.iter().any(|record| record.system == other.name)
        };
        let mut others = self.run.systems.iter().filter(is_measured).filter(|other| other.name != own);
        others.position(|other| other.name == system.name).map_or(0, |position| position + 1)
    }

    /// Returns the answers of a system with one label and budget.
    pub fn rows_at(&self, system: &str, label: Label, budget: usize) -> &[Scored<'a>] {
        let rows = self.rows.get(system).and_then(|conditions| conditions.get(&(label, budget)));
        rows.map_or(&[], Vec::as_slice)
    }

    /// Returns whether a system was asked at least half of the tasks of a group. Plots leave out those with fewer: their
    /// means are of other tasks.
    pub fn is_covered(&self, system: &str, dimension: Dimension, group: &str) -> bool {
        let tasks = self.groups(dimension).into_iter().find(|(name, _)| *name == group).map_or(0, |(_, tasks)| tasks);
        let asked = self.rows(system, dimension, group).len();
        asked > 0 && asked * 2 >= tasks
    }

    /// Returns the answers that budgets are compared by.
    pub fn rows_with(&self, system: &str, budget: usize) -> Vec<&Scored<'a>> {
        let rows = self.rows_at(system, self.label, budget).iter();
        rows.filter(|row| self.budget_tasks.contains(&key(row))).collect()
    }

    /// Returns the budgets of the answers that systems are compared by.
    pub fn budgets(&self) -> Vec<usize> {
        self.conditions().into_iter().filter(|(label, _)| *label == self.label).map(|(_, budget)| budget).collect()
    }

    /// Returns the answers that systems are compared by, of one group.
    pub fn rows(&self, system: &str, dimension: Dimension, group: &str) -> Vec<&Scored<'a>> {
        let rows = self.rows_at(system, self.label, self.budget).iter();
        rows.filter(|row| dimension.group(row) == group).collect()
    }

    /// Returns the labels and budgets with answers.
    pub fn conditions(&self) -> BTreeSet<(Label, usize)> {
        self.rows.values().flat_map(BTreeMap::keys).copied().collect()
    }

    /// Returns the groups of a dimension with their number of tasks: sets in the order of the run, others by name.
    pub fn groups(&self, dimension: Dimension) -> Vec<(&'a str, usize)> {
        let mut tasks: BTreeMap<&str, BTreeSet<Key>> = BTreeMap::new();
        for system in &self.systems {
            for row in self.rows_at(&system.name, self.label, self.budget) {
                tasks.entry(dimension.group(row)).or_default().insert(key(row));
            }
        }
        let mut groups: Vec<(&str, usize)> = tasks.into_iter().map(|(group, tasks)| (group, tasks.len())).collect();
        if dimension == Dimension::Set {
            let position = |set: &str| self.run.runs.iter().flat_map(|run| &run.sets).position(|name| name == set);
            groups.sort_by_key(|(set, _)| position(set).unwrap_or(usize::MAX));
        }
        groups
    }

    fn compare(&self, measure: Measure, dimension: Dimension, group: &str) -> Vec<(&'a SystemRecord, Comparison)> {
        let Some(own) = self.own() else { return Vec::new() };
        let own: HashMap<Key, f64> = self.values(&own.name, measure, dimension, group);
        let pairs = self.others().into_iter().filter_map(|system| {
            let rows = self.rows(&system.name, dimension, group);
            let paired = rows.iter().filter_map(|row| Some((*own.get(&key(row))?, row.value(measure))));
            let paired: (Vec<f64>, Vec<f64>) = paired.unzip();
            (!paired.0.is_empty()).then_some((system, paired))
        });
        let (systems, pairs): (Vec<_>, Vec<_>) = pairs.unzip();
        systems.into_iter().zip(compare_all(&pairs)).collect()
    }

    fn values(&self, system: &str, measure: Measure, dimension: Dimension, group: &str) -> HashMap<Key<'a>, f64> {
        self.rows(system, dimension, group).into_iter().map(|row| (key(row), row.value(measure))).collect()
    }
}

/// Returns the tasks that every system which answered half of all tasks with several budgets has with each of them; all tasks
/// if there is no such system.
fn budget_tasks<'a>(
    rows: &HashMap<&'a str, BTreeMap<(Label, usize), Vec<Scored<'a>>>>,
    label: Label,
) -> BTreeSet<Key<'a>> {
    let tasks = |rows: &Vec<Scored<'a>>| rows.iter().map(key).collect::<BTreeSet<Key<'a>>>();
    let of_label = |conditions: &BTreeMap<(Label, usize), Vec<Scored<'a>>>| {
        let found = conditions.iter().filter(|((found, _), _)| *found == label);
        found.map(|(_, rows)| tasks(rows)).collect::<Vec<_>>()
    };
    let sets: Vec<Vec<BTreeSet<Key<'a>>>> = rows.values().map(of_label).collect();
    let all: BTreeSet<Key<'a>> = sets.iter().flatten().flatten().copied().collect();
    let is_half = |sets: &&Vec<BTreeSet<Key<'a>>>| sets.len() > 1 && sets.iter().all(|set| set.len() * 2 >= all.len());
    let several = sets.iter().filter(is_half).flatten().cloned();
    several.reduce(|one, two| one.intersection(&two).copied().collect()).unwrap_or(all)
}

/// Set, repository and id of a task.
pub type Key<'a> = (&'a str, &'a str, &'a str);

/// Returns the task of an answer.
pub fn key<'a>(row: &Scored<'a>) -> Key<'a> {
    (&row.answer.set, &row.answer.repository, &row.answer.task)
}
