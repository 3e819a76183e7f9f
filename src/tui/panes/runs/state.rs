//! The state of the runs pane: the rankings of the session with their settings and results.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::requests::AgentRequest;
use crate::model::{PackedSymbol, SymbolId};
use crate::tui::model::task::EntryPoint;

/// Older runs are dropped.
const MAX_RUNS: usize = 200;

/// A pane with fewer rows shows no sparklines.
const MIN_ROWS_WITH_TREND: usize = 6;

/// Everything that a ranking depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunSettings {
    pub entry_point: EntryPoint,
    /// The text of the task line, which other entry points leave unchanged.
    pub text: String,
    pub budget_tokens: usize,
    pub index_version: u64,
    /// Names of muted concepts.
    pub muted: BTreeSet<String>,
    pub pinned: BTreeSet<SymbolId>,
    pub dropped: BTreeSet<SymbolId>,
    /// 1 is useful, -1 not useful.
    pub votes: BTreeMap<SymbolId, i8>,
}

impl RunSettings {
    /// Returns the task, or the label of another entry point.
    pub fn task(&self) -> String {
        self.entry_point.label().unwrap_or_else(|| self.text.clone())
    }
}

/// One ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Counts from 1.
    pub number: usize,
    /// The time since the first run of the session.
    pub at: Duration,
    pub settings: RunSettings,
    /// In rank order; the first `packed` are in the pack.
    pub rows: Vec<RunRow>,
    pub packed: usize,
    pub tokens_used: usize,
    pub took: Duration,
}

/// A symbol as a run ranked it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    pub id: SymbolId,
    pub name: String,
    pub scope: String,
    pub score: f64,
    pub tokens: usize,
    /// Names and contributions of the score's components.
    pub components: Vec<(&'static str, f64)>,
}

/// The runs of a session with the user's marks, and the state of the pane.
#[derive(Debug, Clone, Default)]
pub struct Runs {
    /// Oldest first.
    pub list: Vec<Run>,
    /// Oldest first.
    pub requests: Vec<AgentRequest>,
    /// Run numbers by mark.
    pub marks: BTreeMap<char, usize>,
    /// Words that a task must contain to be shown.
    pub filter: String,
    /// Index among the shown rows.
    pub selected: usize,
    pub offset: usize,
    /// Numbers of the compared runs, the older one first.
    pub compared: Option<(usize, usize)>,
    /// The first visible line of the comparison.
    pub diff_top: usize,
    first_at: Option<Instant>,
    last_number: usize,
}

impl Runs {
    /// Adds a run. A run with the settings of the last one replaces its results.
    pub fn push(
        &mut self,
        now: Instant,
        settings: RunSettings,
        rows: &[PackedSymbol],
        packed: usize,
        figures: Figures,
    ) {
        if self.list.last().is_some_and(|last| last.settings == settings) {
            if let Some(last) = self.list.last_mut() {
                last.rows = rows.iter().map(RunRow::from).collect();
                (last.packed, last.tokens_used, last.took) = (packed, figures.tokens_used, figures.took);
            }
            return;
        }
        self.last_number += 1;
        let at = now.saturating_duration_since(*self.first_at.get_or_insert(now));
        self.list.push(Run {
            number: self.last_number,
            at,
            settings,
            rows: rows.iter().map(RunRow::from).collect(),
            packed,
            tokens_used: figures.tokens_used,
            took: figures.took,
        });
        self.list.drain(..self.list.len().saturating_sub(MAX_RUNS));
        let first = self.list.first().map_or(0, |run| run.number);
        self.marks.retain(|_, number| *number >= first);
        self.compared = self.compared.filter(|(older, _)| *older >= first);
        self.selected = 0;
        self.offset = 0;
    }

    /// Returns the run with this number.
    pub fn get(&self, number: usize) -> Option<&Run> {
        let index = self.list.binary_search_by_key(&number, |run| run.number).ok()?;
        self.list.get(index)
    }

    /// Returns the time since a run.
    pub fn age(&self, run: &Run, now: Instant) -> Duration {
        self.first_at.map_or(Duration::ZERO, |first| now.saturating_duration_since(first + run.at))
    }

    /// Returns the newest run.
    pub fn newest(&self) -> Option<&Run> {
        self.list.last()
    }

    /// Returns the time of the newest run.
    pub fn newest_at(&self) -> Option<Instant> {
        Some(self.first_at? + self.newest()?.at)
    }

    /// Returns the mark of a run.
    pub fn mark_of(&self, number: usize) -> Option<char> {
        self.marks.iter().find(|(_, marked)| **marked == number).map(|(letter, _)| *letter)
    }

    /// Marks the selected or the newest run. Returns its number.
    pub fn mark(&mut self, letter: char, selected: bool) -> Option<usize> {
        let run = if selected { self.selected_run() } else { self.list.last() };
        let number = run?.number;
        self.marks.insert(letter, number);
        Some(number)
    }

    /// Returns the rows of the list in a pane of this height; the comparison has the others.
    pub fn list_rows(&self, height: usize) -> usize {
        match self.compared {
            Some(_) => (height / 3).max(1).min(height),
            None => height - usize::from(self.has_trend(height)),
        }
    }

    /// Returns whether the last row of a pane of this height shows sparklines of score, latency and tokens.
    pub fn has_trend(&self, height: usize) -> bool {
        height >= MIN_ROWS_WITH_TREND && self.list.len() > 1 && self.compared.is_none()
    }

    /// Moves the selection, and scrolls no further than needed to show it in `height` rows.
    pub fn step(&mut self, by: isize, height: usize) {
        self.selected = self.selected.saturating_add_signed(by).min(self.shown().len().saturating_sub(1));
        self.offset = self.offset.max((self.selected + 1).saturating_sub(height)).min(self.selected);
    }

    /// Compares the newest run with the previous one, or stops comparing. Returns false if there is only one run.
    pub fn compare_last(&mut self) -> bool {
        self.diff_top = 0;
        if self.compared.take().is_some() {
            return true;
        }
        let [.., before, newest] = self.list.as_slice() else { return false };
        self.compared = Some((before.number, newest.number));
        true
    }

    /// Compares a run with the newest one. Returns false if it is the newest one or was dropped.
    pub fn compare_with(&mut self, number: usize) -> bool {
        let newest = self.newest().map(|run| run.number);
        let Some(newest) = newest.filter(|newest| *newest != number && self.get(number).is_some()) else {
            return false;
        };
        self.diff_top = 0;
        self.compared = Some((number, newest));
        true
    }

    /// Returns the scores of a symbol in the runs that ranked it, oldest first.
    pub fn scores_of(&self, id: SymbolId) -> Vec<f64> {
        self.list.iter().filter_map(|run| run.rows.iter().find(|row| row.id == id).map(|row| row.score)).collect()
    }
}

/// Tokens and latency of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    pub tokens_used: usize,
    pub took: Duration,
}

impl From<&PackedSymbol> for RunRow {
    fn from(packed: &PackedSymbol) -> RunRow {
        RunRow {
            id: packed.symbol.id,
            name: packed.symbol.name.clone(),
            scope: packed.symbol.scope.clone(),
            score: packed.score,
            tokens: packed.tokens,
            components: packed.components.iter().map(|component| (component.name, component.contribution)).collect(),
        }
    }
}

/// Returns the last `columns` values as a sparkline; a flat line of middle height if they do not differ.
pub fn sparkline(values: &[f64], columns: usize, steps: &[&'static str]) -> String {
    let values = &values[values.len().saturating_sub(columns)..];
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let top = steps.len().saturating_sub(1);
    let height = |value: f64| match high > low {
        true => (((value - low) / (high - low)) * top as f64).round() as usize,
        false => top / 2,
    };
    values.iter().filter_map(|value| steps.get(height(*value).min(top)).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn runs(tasks: &[&str]) -> Runs {
        let mut runs = Runs::default();
        let figures = Figures { tokens_used: 9, took: Duration::ZERO };
        for task in tasks {
            let settings = RunSettings { text: task.to_string(), ..RunSettings::default() };
            runs.push(Instant::now(), settings, &fixture::pack().symbols, 2, figures);
        }
        runs
    }

    #[test]
    fn equal_settings_add_no_run() {
        let runs = runs(&["a", "b", "b", "a"]);
        let tasks: Vec<&str> = runs.list.iter().map(|run| run.settings.text.as_str()).collect();
        assert_eq!(tasks, ["a", "b", "a"]);
        assert_eq!(runs.selected_run().map(|run| run.number), Some(3));
    }

    #[test]
    fn dropped_runs_lose_marks_and_comparisons() {
        let mut runs = runs(&["a", "b"]);
        assert!(runs.compare_last());
        assert_eq!(runs.compared, Some((1, 2)));
        assert!(runs.compare_last(), "stops comparing");
        assert_eq!(runs.compared, None);
        assert!(!runs.compare_with(2) && !runs.compare_with(9) && runs.compare_with(1));
        runs.step(1, 5);
        assert_eq!(runs.mark('x', true), Some(1));
        assert_eq!(runs.mark_of(1), Some('x'));
        let settings = |task: usize| RunSettings { text: task.to_string(), ..RunSettings::default() };
        for task in 0..MAX_RUNS {
            runs.push(Instant::now(), settings(task), &[], 0, Figures { tokens_used: 0, took: Duration::ZERO });
        }
        assert_eq!((runs.list.len(), runs.marks.len(), runs.compared), (MAX_RUNS, 0, None));
        assert!(runs.get(1).is_none() && runs.get(MAX_RUNS + 2).is_some());
    }

    #[test]
    fn the_filter_matches_words_of_tasks() {
        let mut runs = runs(&["session cookie", "json", "Session auth"]);
        runs.filter = "session".into();
        runs.step(5, 9);
        assert_eq!(runs.selected_run().map(|run| run.number), Some(1));
        runs.filter = "session x".into();
        assert_eq!((runs.shown().len(), runs.selected_run()), (0, None));
    }

    #[test]
    fn a_single_run_is_not_compared() {
        assert!(!runs(&["a"]).compare_last());
        assert!(!Runs::default().compare_with(1));
        assert_eq!(Runs::default().selected_run(), None);
    }

    #[test]
    fn sparklines_show_the_newest_values() {
        let steps = [".", "-", "="];
        assert_eq!(sparkline(&[0.0, 1.0, 2.0], 9, &steps), ".-=");
        assert_eq!(sparkline(&[9.0, 1.0, 2.0], 2, &steps), ".=");
        assert_eq!(sparkline(&[1.0, 1.0], 9, &steps), "--");
        assert_eq!(sparkline(&[], 9, &steps), "");
    }
}
