//! What changed from one pack to another, and why: read off the settings and the scores' parts of the two runs.

use std::collections::HashMap;

use super::runs::{Run, RunRow, Settings};
use super::waterfall::ROUNDING;
use crate::model::SymbolId;

/// Two packs compared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PackDiff {
    /// The settings that differ, in words.
    pub settings: Vec<String>,
    /// Those that came, those that went, those that moved; each in rank order.
    pub changes: Vec<Change>,
    /// Tokens of the older and of the newer pack.
    pub tokens: (usize, usize),
}

/// What happened to one symbol.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub id: SymbolId,
    pub name: String,
    pub scope: String,
    pub kind: ChangeKind,
    pub tokens: usize,
    pub cause: Cause,
}

/// Ranks count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Entered { rank: usize },
    Left { rank: usize },
    Moved { from: usize, to: usize },
}

/// Why it happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    Pinned,
    Unpinned,
    Dropped,
    Readmitted,
    /// The user's vote on this symbol, and what it adds now.
    Vote(f64),
    /// A part of the score that changed most, by how much, and what changed it.
    Part {
        name: &'static str,
        by: f64,
        through: Through,
    },
    /// Its score is the same; so many passed it.
    Overtaken(usize),
    /// Its score is the same; so many that stood before it are gone or fell behind.
    Passed(usize),
    /// Its score is the same; the budget is another one.
    Budget,
    /// Its score is the same; others need more or less of the room.
    Room,
}

/// What can change a part of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Through {
    Words,
    Classes,
    Votes,
    Index,
    /// The settings are the same; what was learned in between is not.
    Learning,
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
        let change = |(kind, row): (ChangeKind, &RunRow)| {
            let before = was.get(&row.id).map(|&rank| (rank, &older.rows[rank]));
            let after = is.get(&row.id).map(|&rank| (rank, &newer.rows[rank]));
            let cause = cause(kind, (older, before), (newer, after));
            Change { id: row.id, name: row.name.clone(), scope: row.scope.clone(), kind, tokens: row.tokens, cause }
        };
        PackDiff {
            settings: settings(&older.settings, &newer.settings),
            changes: entered.into_iter().chain(left).chain(moved).map(change).collect(),
            tokens: (older.tokens_used, newer.tokens_used),
        }
    }

    /// How many entered, left and moved.
    pub fn counts(&self) -> [usize; 3] {
        let count = |wanted: fn(&ChangeKind) -> bool| self.changes.iter().filter(|change| wanted(&change.kind)).count();
        [
            count(|kind| matches!(kind, ChangeKind::Entered { .. })),
            count(|kind| matches!(kind, ChangeKind::Left { .. })),
            count(|kind| matches!(kind, ChangeKind::Moved { .. })),
        ]
    }
}

type Placed<'run> = (&'run Run, Option<(usize, &'run RunRow)>);

fn cause(kind: ChangeKind, (older, before): Placed<'_>, (newer, after): Placed<'_>) -> Cause {
    let Some(id) = before.or(after).map(|(_, row)| row.id) else { return Cause::Room };
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
        let score = |placed: Option<(usize, &RunRow)>| placed.map_or(0.0, |(_, row)| row.score);
        return Cause::Vote(score(after) - score(before));
    }
    let parts = |placed: Option<(usize, &RunRow)>| placed.map_or(Vec::new(), |(_, row)| row.parts.clone());
    if let Some((name, by)) = largest_change(&parts(before), &parts(after)) {
        return Cause::Part { name, by, through: through(name, was, is) };
    }
    match kind {
        ChangeKind::Moved { from, to } if to > from => Cause::Overtaken(to - from),
        ChangeKind::Moved { from, to } => Cause::Passed(from - to),
        _ if was.budget_tokens != is.budget_tokens => Cause::Budget,
        _ => Cause::Room,
    }
}

/// The part that differs most, and by how much; none when no difference shows.
fn largest_change(before: &[(&'static str, f64)], after: &[(&'static str, f64)]) -> Option<(&'static str, f64)> {
    let value = |parts: &[(&'static str, f64)], name: &str| {
        parts.iter().filter(|(known, _)| *known == name).map(|(_, value)| value).sum::<f64>()
    };
    let names = after.iter().chain(before).map(|(name, _)| *name);
    let changes = names.map(|name| (name, value(after, name) - value(before, name)));
    changes
        .filter(|(_, by)| by.abs() >= ROUNDING)
        .reduce(|best, next| if next.1.abs() > best.1.abs() { next } else { best })
}

/// What changed a part: what the part is made of, if that changed; else the first setting that did.
fn through(part: &str, was: &Settings, is: &Settings) -> Through {
    let classes = was.muted != is.muted;
    let votes = was.votes != is.votes;
    if classes && part.contains("concept") {
        Through::Classes
    } else if votes && (part.contains("feedback") || part.contains("vote")) {
        Through::Votes
    } else if was.task() != is.task() {
        Through::Words
    } else if was.index_version != is.index_version {
        Through::Index
    } else if classes {
        Through::Classes
    } else if votes {
        Through::Votes
    } else {
        Through::Learning
    }
}

/// The settings that differ, in words.
pub fn settings(was: &Settings, is: &Settings) -> Vec<String> {
    let mut words = Vec::new();
    let (task_before, task) = (was.task(), is.task());
    if !was.entry.is_like(&is.entry) {
        words.push(format!("asked for {task}"));
    } else if task_before != task {
        words.extend(word_changes(&task_before, &task));
    }
    if was.budget_tokens != is.budget_tokens {
        words.push(format!("budget {} to {}", was.budget_tokens, is.budget_tokens));
    }
    words.extend(is.muted.difference(&was.muted).map(|class| format!("{class} muted")));
    words.extend(was.muted.difference(&is.muted).map(|class| format!("{class} heard again")));
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("a {what}")),
        _ => Some(format!("{number} {what}s")),
    };
    words.extend(count(is.pinned.symmetric_difference(&was.pinned).count(), "pin"));
    words.extend(count(is.dropped.symmetric_difference(&was.dropped).count(), "drop"));
    let voted = is.votes.keys().chain(was.votes.keys().filter(|id| !is.votes.contains_key(id)));
    words.extend(count(voted.filter(|id| is.votes.get(id) != was.votes.get(id)).count(), "vote"));
    if was.index_version != is.index_version {
        words.push("the index".into());
    }
    words
}

/// Words that came with a plus, words that went with a minus.
fn word_changes(was: &str, is: &str) -> Vec<String> {
    let missing_in = |text: &str, other: &str, sign: char| -> Vec<String> {
        let known: Vec<&str> = other.split_whitespace().collect();
        text.split_whitespace().filter(|word| !known.contains(word)).map(|word| format!("{sign}{word}")).collect()
    };
    let mut words = missing_in(is, was, '+');
    words.extend(missing_in(was, is, '-'));
    if words.is_empty() {
        words.push("the order of the words".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::model::PackedSymbol;
    use crate::tui::fixture;
    use crate::tui::model::runs::{Figures, Runs};

    fn rows() -> Vec<PackedSymbol> {
        let pack = fixture::pack();
        pack.symbols.into_iter().chain(pack.omitted).collect()
    }

    fn diff(change: impl FnOnce(&mut Settings, &mut Vec<PackedSymbol>, &mut usize)) -> (PackDiff, Vec<PackedSymbol>) {
        let (rows, mut runs) = (rows(), Runs::default());
        let settings = Settings { words: "old words".into(), budget_tokens: 1_400, ..Settings::default() };
        let figures = Figures { tokens_used: 100, took: Duration::ZERO };
        runs.note(Instant::now(), settings.clone(), &rows, fixture::PACKED, figures);
        let (mut settings, mut newer, mut packed) = (settings, rows.clone(), fixture::PACKED);
        change(&mut settings, &mut newer, &mut packed);
        runs.note(Instant::now(), settings, &newer, packed, figures);
        (PackDiff::new(&runs.list[0], &runs.list[1]), rows)
    }

    fn told(diff: &PackDiff) -> Vec<(&str, ChangeKind, Cause)> {
        diff.changes.iter().map(|change| (change.name.as_str(), change.kind, change.cause.clone())).collect()
    }

    #[test]
    fn a_larger_budget_lets_the_next_one_in() {
        let (diff, rows) = diff(|settings, _, packed| {
            settings.budget_tokens = 9_000;
            *packed += 1;
        });
        assert_eq!(diff.settings, ["budget 1400 to 9000"]);
        let rank = fixture::PACKED + 1;
        let name = rows[fixture::PACKED].symbol.name.as_str();
        assert_eq!(told(&diff), [(name, ChangeKind::Entered { rank }, Cause::Budget)]);
        assert_eq!(diff.counts(), [1, 0, 0]);
    }

    #[test]
    fn a_vote_moves_one_up_and_others_are_overtaken() {
        let (diff, rows) = diff(|settings, newer, _| {
            let mut voted = newer.remove(2);
            voted.score += 0.2;
            settings.votes.insert(voted.symbol.id, 1);
            newer.insert(0, voted);
        });
        assert_eq!(diff.settings, ["a vote"]);
        let told = told(&diff);
        assert_eq!(told[0].1, ChangeKind::Moved { from: 3, to: 1 });
        assert!(matches!(told[0].2, Cause::Vote(by) if (by - 0.2).abs() < 1e-9), "{told:?}");
        assert_eq!(told[1], (rows[0].symbol.name.as_str(), ChangeKind::Moved { from: 1, to: 2 }, Cause::Overtaken(1)));
    }

    #[test]
    fn other_words_and_muted_classes_are_told_by_the_part_they_changed() {
        let (words, _) = diff(|settings, newer, _| {
            settings.words = "new words".into();
            newer[1].components[1].contribution += 0.3;
            newer.swap(0, 1);
        });
        assert_eq!(words.settings, ["+new", "-old"]);
        let Cause::Part { name, by, through } = words.changes[0].cause else { panic!("{words:?}") };
        assert_eq!((name, through), ("lexical", Through::Words));
        assert!((by - 0.3).abs() < 1e-9);
        let (muted, _) = diff(|settings, newer, _| {
            settings.muted.insert("AUTH".into());
            newer[0].components[0].contribution -= 0.1;
            newer.swap(0, 1);
        });
        assert_eq!(muted.settings, ["AUTH muted"]);
        assert!(
            muted.changes.iter().any(|change| matches!(change.cause, Cause::Part { through: Through::Classes, .. }))
        );
    }

    #[test]
    fn a_pin_pushes_another_one_out() {
        let (diff, rows) = diff(|settings, newer, _| {
            let pinned = newer.remove(6);
            settings.pinned.insert(pinned.symbol.id);
            newer.insert(3, pinned);
        });
        let told = told(&diff);
        assert_eq!(told[0], (rows[6].symbol.name.as_str(), ChangeKind::Entered { rank: 4 }, Cause::Pinned));
        assert_eq!(told[1], (rows[3].symbol.name.as_str(), ChangeKind::Left { rank: 4 }, Cause::Room));
    }

    #[test]
    fn equal_runs_do_not_differ() {
        let (diff, _) = diff(|settings, _, _| settings.index_version += 1);
        assert_eq!((diff.settings, diff.changes), (vec!["the index".to_owned()], vec![]));
    }
}
