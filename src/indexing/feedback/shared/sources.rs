//! The effect of other writers' votes on a task, bounded for each of them.
//!
//! A writer has one opinion on a symbol, however often it was given, of at most the weight that the user gives this
//! writer, and opinions on at most [`MAX_SYMBOLS`] symbols for a task. Opinions of several writers are averaged, so one
//! does not outweigh many. Where the user has voted, others' votes do not count. A learned term needs the observations
//! of two persons.

use std::collections::HashMap;

use super::batch::{hashed_cluster, hashed_keyword};
use super::log::WriterLog;
use crate::feedback::{Cluster, EventKind, FeedbackSource, FeedbackState, Subject, learned_terms, votes};
use crate::model::SymbolId;

/// Weight of a writer, unless the user has set another. Half a vote: one opinion alone is a hint.
pub const DEFAULT_WEIGHT: f64 = 0.5;
/// Maximum number of symbols of a writer that count for one task, the most recent first.
const MAX_SYMBOLS: usize = 20;

/// The votes of one writer.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The public key, in hexadecimal.
    pub writer: String,
    /// The name that the writer chose, or the beginning of the key.
    pub name: String,
    /// From 0, muted, to 1, as much as the user's own vote.
    pub weight: f64,
    /// The fold of the writer's events, whose keywords are hashes.
    pub state: FeedbackState,
}

/// The votes of other writers on the symbols of a repository.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SharedFeedback {
    pub repository: String,
    pub sources: Vec<Source>,
}

impl Source {
    /// Folds the log of a writer.
    pub fn new(log: &WriterLog, weight: f64) -> Source {
        let name = if log.name.is_empty() { log.writer.get(..8).unwrap_or(&log.writer) } else { &log.name };
        let (writer, name, state) = (log.writer.clone(), name.to_owned(), FeedbackState::fold(&log.events));
        Source { writer, name, weight: weight.clamp(0.0, 1.0), state }
    }
}

impl SharedFeedback {
    /// Returns the opinion of each source on each symbol for the tasks of a cluster.
    pub(in crate::feedback) fn votes<E>(
        &self,
        cluster: &Cluster,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<Vec<(SymbolId, FeedbackSource)>, E> {
        let cluster = hashed_cluster(&self.repository, cluster);
        let mut found = Vec::new();
        for source in self.sources.iter().filter(|source| source.weight > 0.0) {
            let state = &source.state;
            let overlaps: Vec<f64> = state.clusters.iter().map(|known| known.cluster.overlap(&cluster)).collect();
            let mut opinions: HashMap<SymbolId, Opinion<'_>> = HashMap::new();
            for record in state.records.iter().filter(|record| overlaps[record.cluster] > 0.0) {
                if is_current(&record.subject)? {
                    let opinion = opinions.entry(record.subject.id).or_default();
                    let overlap = overlaps[record.cluster];
                    opinion.votes.push((record.weight(), overlap));
                    opinion.overlap = opinion.overlap.max(overlap);
                    opinion.task = &state.clusters[record.cluster].task;
                    (opinion.event, opinion.at) = (record.event, record.at);
                }
            }
            let mut opinions: Vec<(SymbolId, Opinion<'_>)> = opinions.into_iter().collect();
            opinions.sort_by_key(|(id, opinion)| (std::cmp::Reverse(opinion.event), *id));
            found.extend(
                opinions.into_iter().take(MAX_SYMBOLS).map(|(id, opinion)| (id, opinion.with_provenance(source))),
            );
        }
        Ok(found)
    }

    /// Returns the symbols that sources found useful for a keyword, with the number of these sources. Muted ones, and those
    /// with less than the default weight, do not count.
    pub(in crate::feedback) fn observers<E>(
        &self,
        keyword: &str,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<Vec<(Subject, u32)>, E> {
        let hash = hashed_keyword(&self.repository, keyword);
        let mut found: Vec<(Subject, u32)> = Vec::new();
        for source in self.sources.iter().filter(|source| source.weight >= DEFAULT_WEIGHT) {
            for observed in learned_terms::observations(&source.state, &hash, is_current)? {
                if observed.observations > 0 {
                    match found.iter_mut().find(|(subject, _)| subject.id == observed.subject.id) {
                        Some((_, count)) => *count += 1,
                        None => found.push((observed.subject.clone(), 1)),
                    }
                }
            }
        }
        Ok(found)
    }
}

/// The opinion of one source on a symbol.
#[derive(Default)]
struct Opinion<'a> {
    /// Signed weight and overlap of each vote.
    votes: Vec<(f64, f64)>,
    overlap: f64,
    task: &'a str,
    event: i64,
    at: i64,
}

impl Opinion<'_> {
    fn with_provenance(&self, source: &Source) -> FeedbackSource {
        let balance = votes::balance(self.votes.iter().copied());
        FeedbackSource {
            event: self.event,
            kind: EventKind::Vote,
            useful: balance > 0.0,
            task: self.task.to_owned(),
            at: self.at,
            overlap: self.overlap,
            weight: if self.overlap > 0.0 { (balance.abs() / self.overlap).min(1.0) * source.weight } else { 0.0 },
            by: Some(source.name.clone()),
        }
    }
}
