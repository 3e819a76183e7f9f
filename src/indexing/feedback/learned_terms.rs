//! Learned terms: keywords of tasks with the symbols that were useful for them.
//!
//! Except for imported ones they are derived from the records: each useful record is an observation of every keyword of
//! its task. Undoing a vote therefore removes its observations. Use alone is one observation however often it occurs:
//! what is copied or exported is not always what was looked for.

use std::collections::{BTreeSet, HashMap};

use super::event::{EventKind, Subject};
use super::state::FeedbackState;
use crate::model::SymbolId;

/// Minimum number of observations of a term with a weight, and of one with the full weight.
pub const ACTIVE: u32 = 2;
const FULL: u32 = 10;
/// Weights at [`ACTIVE`] and at [`FULL`] observations.
const MIN_WEIGHT: f64 = 0.3;
const MAX_WEIGHT: f64 = 0.8;
/// Limit of the observations of a term by use alone: below [`ACTIVE`].
const MAX_OF_USE: i64 = 1;
/// Minimum length of a keyword that is learned.
const MIN_LEN: usize = 3;

/// Returns the weight of a term by its observations: 0 below [`ACTIVE`], then from 0.3 to 0.8.
pub fn weight(observations: u32) -> f64 {
    if observations < ACTIVE {
        return 0.0;
    }
    let share = f64::from(observations - ACTIVE) / f64::from(FULL - ACTIVE);
    MIN_WEIGHT + (MAX_WEIGHT - MIN_WEIGHT) * share.min(1.0)
}

/// Returns whether a keyword is learned. Stop words and verbs are never keywords.
pub fn is_learnable(keyword: &str) -> bool {
    keyword.chars().count() >= MIN_LEN && keyword.chars().any(char::is_alphabetic)
}

/// The observations of a keyword for one symbol.
#[derive(Debug, Clone, PartialEq)]
pub struct TermObservations<'a> {
    pub subject: &'a Subject,
    /// Records for the symbol minus votes against it; without a vote for it or an import at most 1.
    pub observations: u32,
    /// Observations that do not count because the symbol's package has changed.
    pub expired: u32,
}

/// The observations of a symbol while they are counted.
#[derive(Default)]
struct Counts {
    sum: i64,
    /// Whether a vote for it or an import is among them.
    is_voted: bool,
}

/// Returns the symbols that were useful for a keyword, in the order of their first observation. `is_current` returns
/// whether a subject's package is unchanged.
///
/// # Errors
/// Those of `is_current`.
pub fn observations<'a, E>(
    state: &'a FeedbackState,
    keyword: &str,
    is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
) -> Result<Vec<TermObservations<'a>>, E> {
    if !is_learnable(keyword) {
        return Ok(Vec::new());
    }
    let forgotten = |id: SymbolId| state.forgotten.get(&(keyword.to_owned(), id)).copied().unwrap_or(0);
    let mut indexes: HashMap<SymbolId, usize> = HashMap::new();
    let mut found: Vec<(TermObservations<'a>, Counts)> = Vec::new();
    let mut add = |subject: &'a Subject, event: i64, count: i64, is_use: bool| -> Result<(), E> {
        if event <= forgotten(subject.id) {
            return Ok(());
        }
        let index = *indexes.entry(subject.id).or_insert_with(|| {
            found.push((TermObservations { subject, observations: 0, expired: 0 }, Counts::default()));
            found.len() - 1
        });
        let (observed, counted) = &mut found[index];
        match is_current(subject)? {
            true => {
                observed.subject = subject;
                counted.sum += count;
                counted.is_voted |= count > 0 && !is_use;
            }
            false if count > 0 => observed.expired = observed.expired.saturating_add(count as u32),
            false => (),
        }
        Ok(())
    };
    for imported in state.imported.get(keyword).into_iter().flatten() {
        add(&imported.subject, imported.event, i64::from(imported.observations), false)?;
    }
    for record in state.records_of(keyword) {
        match (record.useful, record.kind) {
            (true, kind) => add(&record.subject, record.event, 1, kind.is_use())?,
            (false, EventKind::Vote) => add(&record.subject, record.event, -1, false)?,
            (false, _) => (),
        }
    }
    let counted = found.into_iter().map(|(observed, counted)| {
        let most = if counted.is_voted { i64::MAX } else { MAX_OF_USE };
        let observations = u32::try_from(counted.sum.clamp(0, most)).unwrap_or(u32::MAX);
        TermObservations { observations, ..observed }
    });
    Ok(counted.filter(|observed| observed.observations > 0 || observed.expired > 0).collect())
}

/// Returns every keyword with observations, sorted.
pub fn keywords(state: &FeedbackState) -> BTreeSet<&str> {
    let of_tasks = state.clusters.iter().flat_map(|known| known.cluster.words()).map(String::as_str);
    let all = of_tasks.chain(state.imported.keys().map(String::as_str));
    all.filter(|keyword| is_learnable(keyword)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_begins_at_the_second_observation() {
        let close = |observations: u32, expected: f64| assert!((weight(observations) - expected).abs() < 1e-12);
        close(0, 0.0);
        close(1, 0.0);
        close(2, 0.3);
        close(6, 0.55); // 0.3 + 0.5 * 4/8
        close(10, 0.8);
        close(500, 0.8);
    }

    #[test]
    fn short_words_and_numbers_are_not_learned() {
        assert!(is_learnable("till") && !is_learnable("go") && !is_learnable("404"));
    }
}
