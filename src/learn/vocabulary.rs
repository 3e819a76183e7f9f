//! Learned words: a task's keyword and a symbol that was used for it.
//!
//! Nothing of this is stored but words that came from elsewhere: every useful record observes each keyword of its task, so
//! a vote that is undone takes its observations with it.

use std::collections::{BTreeSet, HashMap};

use super::journal::{ActKind, Subject};
use super::standing::Standing;
use crate::model::SymbolId;

/// Observations from which a word counts, and from which it counts in full.
pub const ACTIVE: u32 = 2;
const FULL: u32 = 10;
/// What a word weighs at either end.
const LEAST: f64 = 0.3;
const MOST: f64 = 0.8;
/// A shorter keyword is an accident of spelling.
const SHORTEST: usize = 3;

/// How much a word counts after so many observations (SPEC §8): nothing before the second, then 0.3 to 0.8.
pub fn weight(observations: u32) -> f64 {
    if observations < ACTIVE {
        return 0.0;
    }
    let share = f64::from(observations - ACTIVE) / f64::from(FULL - ACTIVE);
    LEAST + (MOST - LEAST) * share.min(1.0)
}

/// True for a keyword that can be worth learning. Stop words and verbs never become keywords.
pub fn is_worth_learning(keyword: &str) -> bool {
    keyword.chars().count() >= SHORTEST && keyword.chars().any(char::is_alphabetic)
}

/// A keyword and a symbol that was used for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed<'a> {
    pub subject: &'a Subject,
    /// Records that found it useful, less the votes that did not.
    pub observations: u32,
    /// Observations that don't count, because the symbol's package has changed since.
    pub expired: u32,
}

/// The symbols that were used for a keyword, in the order in which they first were. `is_current` tells whether a subject's
/// package still is what it was.
///
/// # Errors
/// Those of `is_current`.
pub fn observed<'a, E>(
    standing: &'a Standing,
    keyword: &str,
    is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
) -> Result<Vec<Observed<'a>>, E> {
    if !is_worth_learning(keyword) {
        return Ok(Vec::new());
    }
    let forgotten = |id: SymbolId| standing.forgotten.get(&(keyword.to_owned(), id)).copied().unwrap_or(0);
    let mut places: HashMap<SymbolId, usize> = HashMap::new();
    let mut found: Vec<(Observed<'a>, i64)> = Vec::new();
    let mut add = |subject: &'a Subject, act: i64, count: i64| -> Result<(), E> {
        if act <= forgotten(subject.id) {
            return Ok(());
        }
        let place = *places.entry(subject.id).or_insert_with(|| {
            found.push((Observed { subject, observations: 0, expired: 0 }, 0));
            found.len() - 1
        });
        let (observed, counted) = &mut found[place];
        match is_current(subject)? {
            true => {
                observed.subject = subject;
                *counted += count;
            }
            false if count > 0 => observed.expired = observed.expired.saturating_add(count as u32),
            false => (),
        }
        Ok(())
    };
    for brought in standing.brought.get(keyword).into_iter().flatten() {
        add(&brought.subject, brought.act, i64::from(brought.observations))?;
    }
    for record in standing.records_of(keyword) {
        match (record.useful, record.kind) {
            (true, _) => add(&record.subject, record.act, 1)?,
            (false, ActKind::Vote) => add(&record.subject, record.act, -1)?,
            (false, _) => (),
        }
    }
    let counted = found.into_iter().map(|(observed, counted)| {
        let observations = u32::try_from(counted.max(0)).unwrap_or(u32::MAX);
        Observed { observations, ..observed }
    });
    Ok(counted.filter(|observed| observed.observations > 0 || observed.expired > 0).collect())
}

/// Every keyword that something was observed of, sorted.
pub fn keywords(standing: &Standing) -> BTreeSet<&str> {
    let of_tasks = standing.clusters.iter().flat_map(|known| known.cluster.words()).map(String::as_str);
    let all = of_tasks.chain(standing.brought.keys().map(String::as_str));
    all.filter(|keyword| is_worth_learning(keyword)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_from_the_second_observation() {
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
        assert!(is_worth_learning("till") && !is_worth_learning("go") && !is_worth_learning("404"));
    }
}
