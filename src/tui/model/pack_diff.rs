//! The difference between two rankings, and its causes: changed settings and changed evidence.

use std::collections::HashMap;

use super::runs::{Run, RunRow};
use crate::engine::is_about_task;
use crate::model::SymbolId;
use crate::text::display::thousands;
use crate::tui::panes::why::waterfall::ROUNDING;

/// The difference between two packs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PackDiff {
    /// Descriptions of the settings that differ.
    pub settings: Vec<String>,
    /// Symbols that entered, left, then moved; each in rank order.
    pub changes: Vec<SymbolChange>,
}

/// The change of one symbol.
#[derive(Debug, Clone, PartialEq)]
pub struct SymbolChange {
    pub id: SymbolId,
    pub name: String,
    pub scope: String,
    pub kind: ChangeKind,
    pub cause: Cause,
}

/// The kind of a change; ranks are 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Entered { rank: usize },
    Left { rank: usize },
    Moved { from: usize, to: usize },
}

/// The cause of a symbol's change.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    Pinned,
    Unpinned,
    Dropped,
    Readmitted,
    /// The user's vote on this symbol.
    Vote,
    /// The component of the score that changed most in the direction of the symbol, and by how much.
    Component {
        name: &'static str,
        by: f64,
    },
    /// Its score is the same; the number of symbols that passed it.
    Overtaken(usize),
    /// Its score is the same; the number of symbols before it that left or fell behind.
    Passed(usize),
    /// Its score is the same; the budget changed.
    Budget,
    /// Its score is the same; other symbols need more or fewer tokens.
    OtherSymbols,
}

impl Cause {
    /// Describes the cause.
    pub fn words(&self) -> String {
        match self {
            Cause::Pinned => "kept".into(),
            Cause::Unpinned => "no longer kept".into(),
            Cause::Dropped => "dropped".into(),
            Cause::Readmitted => "restored".into(),
            Cause::Vote => "your vote".into(),
            Cause::Component { name, .. } => (*name).into(),
            Cause::Overtaken(count) => format!("overtaken by {count}"),
            Cause::Passed(count) => format!("{count} before it fell behind"),
            Cause::Budget => "the budget".into(),
            Cause::OtherSymbols => "other symbols".into(),
        }
    }
}

impl PackDiff {
    /// Compares two runs.
    pub fn new(older: &Run, newer: &Run) -> PackDiff {
        let was: HashMap<SymbolId, usize> = older.rows.iter().enumerate().map(|(rank, row)| (row.id, rank)).collect();
        let is: HashMap<SymbolId, usize> = newer.rows.iter().enumerate().map(|(rank, row)| (row.id, rank)).collect();
        let [mut entered, mut left, mut moved] = [const { Vec::new() }; 3];
        for (rank, row) in newer.rows.iter().enumerate().take(newer.packed) {
            match was.get(&row.id) {
                Some(&before) if before < older.packed => {
                    if before != rank {
                        moved.push((ChangeKind::Moved { from: before + 1, to: rank + 1 }, row));
                    }
                }
                _ => entered.push((ChangeKind::Entered { rank: rank + 1 }, row)),
            }
        }
        for (rank, row) in older.rows.iter().enumerate().take(older.packed) {
            if is.get(&row.id).is_none_or(|&after| after >= newer.packed) {
                left.push((ChangeKind::Left { rank: rank + 1 }, row));
            }
        }
        let usual = [usual(older), usual(newer)];
        let change = |(kind, row): (ChangeKind, &RunRow)| {
            let before = was.get(&row.id).map(|&rank| (rank, &older.rows[rank]));
            let after = is.get(&row.id).map(|&rank| (rank, &newer.rows[rank]));
            let cause = cause(kind, (older, before, &usual[0]), (newer, after, &usual[1]));
            SymbolChange { id: row.id, name: row.name.clone(), scope: row.scope.clone(), kind, cause }
        };
        PackDiff {
            settings: changed_settings(older, newer),
            changes: entered.into_iter().chain(left).chain(moved).map(change).collect(),
        }
    }

    /// Returns how many symbols entered, left and moved.
    pub fn counts(&self) -> [usize; 3] {
        let count = |wanted: fn(&ChangeKind) -> bool| self.changes.iter().filter(|change| wanted(&change.kind)).count();
        [
            count(|kind| matches!(kind, ChangeKind::Entered { .. })),
            count(|kind| matches!(kind, ChangeKind::Left { .. })),
            count(|kind| matches!(kind, ChangeKind::Moved { .. })),
        ]
    }
}

/// Names and contributions of components.
type Components = [(&'static str, f64)];

/// A run, a symbol's index and row in it, and what is usual in it.
type Ranked<'run> = (&'run Run, Option<(usize, &'run RunRow)>, &'run Components);

fn cause(
    kind: ChangeKind,
    (older, before, before_usual): Ranked<'_>,
    (newer, after, after_usual): Ranked<'_>,
) -> Cause {
    let Some(id) = before.or(after).map(|(_, row)| row.id) else { return Cause::OtherSymbols };
    let (was, is) = (&older.settings, &newer.settings);
    match (was.pinned.contains(&id), is.pinned.contains(&id)) {
        (false, true) => return Cause::Pinned,
        (true, false) => return Cause::Unpinned,
        _ => (),
    }
    match (was.dropped.contains(&id), is.dropped.contains(&id)) {
        (false, true) => return Cause::Dropped,
        (true, false) => return Cause::Readmitted,
        _ => (),
    }
    if was.votes.get(&id) != is.votes.get(&id) {
        return Cause::Vote;
    }
    // What a ranking lacks is compared with what is usual in the other one.
    let before = before.map_or(after_usual, |(_, row)| &row.components);
    let after = after.map_or(before_usual, |(_, row)| &row.components);
    let is_gain = match kind {
        ChangeKind::Entered { .. } => true,
        ChangeKind::Left { .. } => false,
        ChangeKind::Moved { from, to } => to < from,
    };
    if let Some((name, by)) = largest_change(before, after, is_gain) {
        return Cause::Component { name, by };
    }
    match kind {
        ChangeKind::Moved { from, to } if to > from => Cause::Overtaken(to - from),
        ChangeKind::Moved { from, to } => Cause::Passed(from - to),
        _ if was.budget_tokens != is.budget_tokens => Cause::Budget,
        _ => Cause::OtherSymbols,
    }
}

/// Returns the mean of each component over the rows of a run: what speaks for every symbol explains none.
fn usual(run: &Run) -> Vec<(&'static str, f64)> {
    let mut sums: Vec<(&'static str, f64)> = Vec::new();
    for (name, value) in run.rows.iter().flat_map(|row| &row.components) {
        match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += value,
            None => sums.push((*name, *value)),
        }
    }
    let rows = run.rows.len().max(1) as f64;
    sums.into_iter().map(|(name, sum)| (name, sum / rows)).collect()
}

/// Returns the component that grew most, or shrank most, and by how much; `None` when every such change rounds to 0. What is
/// the same for every symbol explains nothing, nor does what a symbol is, whatever the task.
fn largest_change(before: &Components, after: &Components, is_gain: bool) -> Option<(&'static str, f64)> {
    let value = |components: &Components, name: &str| {
        components.iter().filter(|(known, _)| *known == name).map(|(_, value)| value).sum::<f64>()
    };
    let names = after.iter().chain(before).map(|(name, _)| *name).filter(|name| is_about_task(name));
    let changes = names.map(|name| (name, value(after, name) - value(before, name)));
    changes
        .filter(|(_, by)| by.abs() >= ROUNDING && (*by > 0.0) == is_gain)
        .reduce(|best, next| if next.1.abs() > best.1.abs() { next } else { best })
}

/// Describes the settings that differ between two runs.
pub fn changed_settings(older: &Run, newer: &Run) -> Vec<String> {
    let (was, is) = (&older.settings, &newer.settings);
    let mut words = Vec::new();
    let (task_before, task) = (was.task(), is.task());
    if !was.entry_point.is_like(&is.entry_point) {
        words.push(task);
    } else if task_before != task {
        words.extend(word_changes(&task_before, &task).into_iter().take(MAX_WORDS));
    }
    if was.budget_tokens != is.budget_tokens {
        words.push(format!("budget {} to {}", thousands(was.budget_tokens), thousands(is.budget_tokens)));
    }
    words.extend(is.muted.difference(&was.muted).map(|concept| format!("mute {concept}")));
    words.extend(was.muted.difference(&is.muted).map(|concept| format!("unmute {concept}")));
    let name = |id: &SymbolId| {
        let mut rows = newer.rows.iter().chain(&older.rows);
        rows.find(|row| row.id == *id).map_or("a symbol", |row| row.name.as_str()).to_owned()
    };
    let mut describe = |ids: Vec<&SymbolId>, label: &dyn Fn(&SymbolId) -> String, noun: &str| match ids.len() {
        0..=MAX_NAMED => words.extend(ids.into_iter().map(label)),
        many => words.push(format!("{many} {noun}")),
    };
    describe(is.pinned.difference(&was.pinned).collect(), &|id| format!("keep {}", name(id)), "kept");
    describe(
        was.pinned.difference(&is.pinned).collect(),
        &|id| format!("no longer keep {}", name(id)),
        "no longer kept",
    );
    describe(is.dropped.difference(&was.dropped).collect(), &|id| format!("drop {}", name(id)), "dropped");
    describe(was.dropped.difference(&is.dropped).collect(), &|id| format!("restore {}", name(id)), "restored");
    let vote = |id: &SymbolId| match is.votes.get(id) {
        Some(1..) => format!("vote: {} useful", name(id)),
        Some(_) => format!("vote: {} not useful", name(id)),
        None => format!("undo vote {}", name(id)),
    };
    let voted = is.votes.keys().chain(was.votes.keys().filter(|id| !is.votes.contains_key(id)));
    describe(voted.filter(|id| is.votes.get(id) != was.votes.get(id)).collect(), &vote, "votes");
    if was.index_version != is.index_version {
        words.push("files changed".into());
    }
    words
}

/// Words of the task that are named.
const MAX_WORDS: usize = 12;

/// More changes of one kind are counted.
const MAX_NAMED: usize = 2;

/// Returns added words with a plus and removed words with a minus.
fn word_changes(was: &str, is: &str) -> Vec<String> {
    let missing_in = |text: &str, other: &str, sign: char| -> Vec<String> {
        let known: Vec<&str> = other.split_whitespace().collect();
        text.split_whitespace().filter(|word| !known.contains(word)).map(|word| format!("{sign}{word}")).collect()
    };
    let mut words = missing_in(is, was, '+');
    words.extend(missing_in(was, is, '-'));
    if words.is_empty() {
        words.push("word order".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::runs::{RunSettings, Runs};
    use super::*;
    use crate::model::PackedSymbol;
    use crate::tui::fixture;
    use crate::tui::panes::why::waterfall::INTERCEPT;

    fn rows() -> Vec<PackedSymbol> {
        let pack = fixture::pack();
        pack.symbols.into_iter().chain(pack.omitted).collect()
    }

    fn diff(
        change: impl FnOnce(&mut RunSettings, &mut Vec<PackedSymbol>, &mut usize),
    ) -> (PackDiff, Vec<PackedSymbol>) {
        let (rows, mut runs) = (rows(), Runs::default());
        let settings = RunSettings { text: "old words".into(), budget_tokens: 1_400, ..RunSettings::default() };
        runs.push(Instant::now(), settings.clone(), &rows, (fixture::PACKED, 100));
        let (mut settings, mut newer, mut packed) = (settings, rows.clone(), fixture::PACKED);
        change(&mut settings, &mut newer, &mut packed);
        runs.push(Instant::now(), settings, &newer, (packed, 100));
        (PackDiff::new(&runs.list[0], &runs.list[1]), rows)
    }

    fn changes(diff: &PackDiff) -> Vec<(&str, ChangeKind, Cause)> {
        diff.changes.iter().map(|change| (change.name.as_str(), change.kind, change.cause.clone())).collect()
    }

    #[test]
    fn a_larger_budget_admits_the_next_symbol() {
        let (diff, rows) = diff(|settings, _, packed| {
            settings.budget_tokens = 9_000;
            *packed += 1;
        });
        assert_eq!(diff.settings, ["budget 1,400 to 9,000"]);
        let rank = fixture::PACKED + 1;
        let name = rows[fixture::PACKED].symbol.name.as_str();
        assert_eq!(changes(&diff), [(name, ChangeKind::Entered { rank }, Cause::Budget)]);
        assert_eq!(diff.counts(), [1, 0, 0]);
    }

    #[test]
    fn a_vote_moves_a_symbol_past_others() {
        let (diff, rows) = diff(|settings, newer, _| {
            let mut voted = newer.remove(2);
            voted.score += 0.2;
            settings.votes.insert(voted.symbol.id, 1);
            newer.insert(0, voted);
        });
        assert_eq!(diff.settings, [format!("vote: {} useful", rows[2].symbol.name)]);
        let changes = changes(&diff);
        assert_eq!(changes[0].1, ChangeKind::Moved { from: 3, to: 1 });
        assert_eq!(changes[0].2, Cause::Vote);
        assert_eq!(
            changes[1],
            (rows[0].symbol.name.as_str(), ChangeKind::Moved { from: 1, to: 2 }, Cause::Overtaken(1))
        );
    }

    #[test]
    fn task_and_muted_concepts_change_components() {
        let (words, _) = diff(|settings, newer, _| {
            settings.text = "new words".into();
            newer[1].components[1].contribution += 0.3;
            newer.swap(0, 1);
        });
        assert_eq!(words.settings, ["+new", "-old"]);
        let Cause::Component { name, by } = words.changes[0].cause else { panic!("{words:?}") };
        assert_eq!(name, "lexical");
        assert!((by - 0.3).abs() < 1e-9);
        let (muted, _) = diff(|settings, newer, _| {
            settings.muted.insert("AUTH".into());
            newer[0].components[0].contribution -= 0.1;
            newer.swap(0, 1);
        });
        assert_eq!(muted.settings, ["mute AUTH"]);
        assert!(muted.changes.iter().any(|change| matches!(change.cause, Cause::Component { .. })));
    }

    #[test]
    fn what_is_the_same_for_every_symbol_is_not_a_cause() {
        let (diff, _) = diff(|settings, newer, _| {
            settings.text = "new words".into();
            for packed in newer.iter_mut() {
                packed.components.push(crate::model::Component { name: INTERCEPT, value: 1.0, contribution: -0.9 });
            }
            newer[1].components[1].contribution += 0.3;
            newer.swap(0, 1);
        });
        let Cause::Component { name, .. } = diff.changes[0].cause else { panic!("{diff:?}") };
        assert_eq!(name, "lexical");
    }

    #[test]
    fn a_new_symbol_has_the_reason_that_it_has_more_than_others() {
        let (diff, rows) = diff(|settings, newer, _| {
            settings.text = "new words".into();
            for packed in newer.iter_mut() {
                packed.components.push(crate::model::Component { name: "history", value: 0.0, contribution: 0.4 });
            }
            let mut new = newer[0].clone();
            (new.symbol.id.0, new.symbol.name) = ([9; 16], "added".into());
            new.components[1].contribution += 0.3;
            new.components.push(crate::model::Component { name: "callable", value: 1.0, contribution: -0.9 });
            newer.insert(1, new);
        });
        let added = diff.changes.iter().find(|change| change.name == "added").unwrap();
        let Cause::Component { name, by } = added.cause else { panic!("{added:?}") };
        assert_eq!((name, by > 0.0), ("lexical", true), "neither what all have nor what speaks against it: {rows:?}");
    }

    #[test]
    fn a_pin_displaces_a_symbol() {
        let (diff, rows) = diff(|settings, newer, _| {
            let pinned = newer.remove(6);
            settings.pinned.insert(pinned.symbol.id);
            newer.insert(3, pinned);
        });
        let changes = changes(&diff);
        assert_eq!(changes[0], (rows[6].symbol.name.as_str(), ChangeKind::Entered { rank: 4 }, Cause::Pinned));
        assert_eq!(changes[1], (rows[3].symbol.name.as_str(), ChangeKind::Left { rank: 4 }, Cause::OtherSymbols));
    }

    #[test]
    fn changes_name_the_symbol_and_what_was_undone() {
        let rows = rows();
        let [first, second] = [0, 1].map(|row: usize| (rows[row].symbol.id, rows[row].symbol.name.clone()));
        let run = |change: &dyn Fn(&mut RunSettings)| {
            let (mut runs, mut settings) = (Runs::default(), RunSettings::default());
            change(&mut settings);
            runs.push(Instant::now(), settings, &rows, (2, 1));
            runs.list.remove(0)
        };
        let plain = run(&|_| ());
        let changed = run(&|settings| {
            settings.pinned.insert(first.0);
            settings.dropped.insert(second.0);
            settings.votes.insert(first.0, -1);
        });
        let (one, two) = (&first.1, &second.1);
        let done = [format!("keep {one}"), format!("drop {two}"), format!("vote: {one} not useful")];
        let undone = [format!("no longer keep {one}"), format!("restore {two}"), format!("undo vote {one}")];
        assert_eq!(changed_settings(&plain, &changed), done);
        assert_eq!(changed_settings(&changed, &plain), undone);
        let many = run(&|settings| settings.votes.extend(rows.iter().map(|packed| (packed.symbol.id, 1))));
        assert_eq!(changed_settings(&plain, &many), [format!("{} votes", rows.len())]);
    }

    #[test]
    fn equal_runs_have_no_changes() {
        let (diff, _) = diff(|settings, _, _| settings.index_version += 1);
        assert_eq!((diff.settings, diff.changes), (vec!["files changed".to_owned()], vec![]));
    }
}
