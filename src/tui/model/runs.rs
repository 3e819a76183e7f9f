//! The rankings of this session: what was asked, with which settings, and what came.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::task::Entry;
use crate::model::{PackedSymbol, SymbolId};

/// Older runs are forgotten.
const KEPT: usize = 200;

/// A pane lower than this has runs only.
const TREND_FROM: usize = 6;

/// Everything that decides a ranking.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The way in.
    pub entry: Entry,
    /// The words of the task line, which another way in leaves as they are.
    pub words: String,
    pub budget_tokens: usize,
    pub index_version: u64,
    /// Names of muted classes.
    pub muted: BTreeSet<String>,
    pub pinned: BTreeSet<SymbolId>,
    pub dropped: BTreeSet<SymbolId>,
    /// Useful is positive.
    pub votes: BTreeMap<SymbolId, i8>,
}

impl Settings {
    /// What was asked, in words.
    pub fn task(&self) -> String {
        self.entry.label().unwrap_or_else(|| self.words.clone())
    }
}

/// One ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Counts the runs of the session from 1.
    pub number: usize,
    /// Since the first run of the session.
    pub at: Duration,
    pub settings: Settings,
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
    /// Names and contributions of the score's parts.
    pub parts: Vec<(&'static str, f64)>,
}

/// The runs of a session, oldest first, with the user's marks and the state of their pane.
#[derive(Debug, Clone, Default)]
pub struct Runs {
    pub list: Vec<Run>,
    /// Letters and the numbers of the runs that they mark.
    pub marks: BTreeMap<char, usize>,
    /// Words that a run's task must have to be shown.
    pub filter: String,
    /// Place among the shown runs.
    pub selected: usize,
    pub offset: usize,
    /// Numbers of the runs that are compared, the older first.
    pub compared: Option<(usize, usize)>,
    /// Lines of the comparison scrolled away at the top.
    pub diff_top: usize,
    /// What the next letter is for.
    pub letter: Option<Letter>,
    first_at: Option<Instant>,
    last_number: usize,
}

/// What a letter can be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter {
    Mark,
    Restore,
}

impl Runs {
    /// Takes in a run. One that repeats the settings of the last one takes its place: nothing new was asked.
    pub fn note(&mut self, now: Instant, settings: Settings, rows: &[PackedSymbol], packed: usize, figures: Figures) {
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
        self.list.drain(..self.list.len().saturating_sub(KEPT));
        let first = self.list.first().map_or(0, |run| run.number);
        self.marks.retain(|_, number| *number >= first);
        self.compared = self.compared.filter(|(older, _)| *older >= first);
        self.selected = 0;
        self.offset = 0;
    }

    /// The run of this number.
    pub fn get(&self, number: usize) -> Option<&Run> {
        let place = self.list.binary_search_by_key(&number, |run| run.number).ok()?;
        self.list.get(place)
    }

    /// The newest run.
    pub fn newest(&self) -> Option<&Run> {
        self.list.last()
    }

    /// The runs that the filter lets through, the newest first.
    pub fn shown(&self) -> Vec<&Run> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let passes = |run: &&Run| {
            let task = run.settings.task().to_lowercase();
            words.iter().all(|word| task.contains(word))
        };
        self.list.iter().rev().filter(passes).collect()
    }

    /// The run under the selection.
    pub fn selected_run(&self) -> Option<&Run> {
        self.shown().get(self.selected).copied()
    }

    /// The letter that marks a run.
    pub fn mark_of(&self, number: usize) -> Option<char> {
        self.marks.iter().find(|(_, marked)| **marked == number).map(|(letter, _)| *letter)
    }

    /// Marks the selected run, or the newest one; gives back its number.
    pub fn mark(&mut self, letter: char, selected: bool) -> Option<usize> {
        let run = if selected { self.selected_run() } else { self.list.last() };
        let number = run?.number;
        self.marks.insert(letter, number);
        Some(number)
    }

    /// Rows of the list of runs in a pane of this height: the rest is for a comparison.
    pub fn list_rows(&self, height: usize) -> usize {
        match self.compared {
            Some(_) => (height / 3).max(1).min(height),
            None => height - usize::from(self.has_trend(height)),
        }
    }

    /// True when the last row of a pane of this height draws scores, latency and tokens over the runs.
    pub fn has_trend(&self, height: usize) -> bool {
        height >= TREND_FROM && self.list.len() > 1 && self.compared.is_none()
    }

    /// Moves the selection and scrolls as little as shows it in `height` lines.
    pub fn step(&mut self, by: isize, height: usize) {
        self.selected = self.selected.saturating_add_signed(by).min(self.shown().len().saturating_sub(1));
        self.offset = self.offset.max((self.selected + 1).saturating_sub(height)).min(self.selected);
    }

    /// Compares the newest run with the one before it, or stops comparing; false when there is only one.
    pub fn compare_last(&mut self) -> bool {
        self.diff_top = 0;
        if self.compared.take().is_some() {
            return true;
        }
        let [.., before, newest] = self.list.as_slice() else { return false };
        self.compared = Some((before.number, newest.number));
        true
    }

    /// Compares a run with the newest one; false when it is that one, or forgotten.
    pub fn compare_with(&mut self, number: usize) -> bool {
        let newest = self.newest().map(|run| run.number);
        let Some(newest) = newest.filter(|newest| *newest != number && self.get(number).is_some()) else {
            return false;
        };
        self.diff_top = 0;
        self.compared = Some((number, newest));
        true
    }

    /// Scores of one symbol over the runs that ranked it, oldest first.
    pub fn scores_of(&self, id: SymbolId) -> Vec<f64> {
        self.list.iter().filter_map(|run| run.rows.iter().find(|row| row.id == id).map(|row| row.score)).collect()
    }
}

/// What a run cost.
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
            parts: packed.components.iter().map(|part| (part.name, part.contribution)).collect(),
        }
    }
}

/// Values as a row of eight heights, the largest the highest; flat where they do not differ.
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
            let settings = Settings { words: task.to_string(), ..Settings::default() };
            runs.note(Instant::now(), settings, &fixture::pack().symbols, 2, figures);
        }
        runs
    }

    #[test]
    fn asking_the_same_again_is_no_new_run() {
        let runs = runs(&["a", "b", "b", "a"]);
        let tasks: Vec<&str> = runs.list.iter().map(|run| run.settings.words.as_str()).collect();
        assert_eq!(tasks, ["a", "b", "a"]);
        assert_eq!(runs.selected_run().map(|run| run.number), Some(3));
    }

    #[test]
    fn marks_and_comparisons_end_with_their_runs() {
        let mut runs = runs(&["a", "b"]);
        assert!(runs.compare_last());
        assert_eq!(runs.compared, Some((1, 2)));
        assert!(runs.compare_last(), "and back");
        assert_eq!(runs.compared, None);
        assert!(!runs.compare_with(2) && !runs.compare_with(9) && runs.compare_with(1));
        runs.step(1, 5);
        assert_eq!(runs.mark('x', true), Some(1));
        assert_eq!(runs.mark_of(1), Some('x'));
        let settings = |task: usize| Settings { words: task.to_string(), ..Settings::default() };
        for task in 0..KEPT {
            runs.note(Instant::now(), settings(task), &[], 0, Figures { tokens_used: 0, took: Duration::ZERO });
        }
        assert_eq!((runs.list.len(), runs.marks.len(), runs.compared), (KEPT, 0, None));
        assert!(runs.get(1).is_none() && runs.get(KEPT + 2).is_some());
    }

    #[test]
    fn the_filter_lets_runs_through_by_the_words_of_their_tasks() {
        let mut runs = runs(&["session cookie", "json", "Session auth"]);
        runs.filter = "session".into();
        runs.step(5, 9);
        assert_eq!(runs.selected_run().map(|run| run.number), Some(1));
        runs.filter = "session x".into();
        assert_eq!((runs.shown().len(), runs.selected_run()), (0, None));
    }

    #[test]
    fn a_single_run_has_nothing_to_be_compared_with() {
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
