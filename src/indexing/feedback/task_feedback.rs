//! The feedback that applies to one task.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::event::{EventKind, Subject};
use super::state::{FeedbackState, Record};
use super::{Cluster, learned_terms, session, votes};
use crate::model::SymbolId;

/// The largest value of use, however often and in however many sessions a symbol was used.
const MAX_USE: f64 = 0.06;

/// The time and session of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moment {
    /// Empty outside a session.
    pub session: String,
    /// Seconds since 1970.
    pub at: i64,
}

/// A record that applies to a symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeedbackSource {
    /// Number of the event.
    pub event: i64,
    #[serde(serialize_with = "by_name")]
    pub kind: EventKind,
    pub useful: bool,
    /// A task of the record's cluster.
    pub task: String,
    pub at: i64,
    /// Overlap of that task's cluster with the current one.
    pub overlap: f64,
    /// Weight of the vote, from 0 to 1.
    #[serde(skip)]
    pub weight: f64,
    /// The name of another person whose vote it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A learned term of the task that leads to a symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchedTerm {
    pub keyword: String,
    pub observations: u32,
    pub weight: f64,
}

/// The feedback on one symbol.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SymbolFeedback {
    /// Balance of votes and use, from -1 to 1.
    pub feedback: f64,
    pub sources: Vec<FeedbackSource>,
    /// Sum of the weights of the learned terms over the number of the task's keywords, from 0 to 1.
    pub learned: f64,
    pub terms: Vec<MatchedTerm>,
    /// Recent use in the session, from 0 to 1.
    pub session: f64,
}

/// The feedback on one task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskFeedback {
    pub symbols: HashMap<SymbolId, SymbolFeedback>,
    /// Number of records and terms that do not apply because their packages have changed.
    pub expired: usize,
}

impl TaskFeedback {
    /// Returns the feedback on the tasks of a cluster. `is_current` returns whether a subject's package is unchanged.
    ///
    /// # Errors
    /// Those of `is_current`.
    pub fn for_cluster<E>(
        state: &FeedbackState,
        cluster: &Cluster,
        moment: &Moment,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<TaskFeedback, E> {
        let mut feedback = TaskFeedback::default();
        if state.is_empty() {
            return Ok(feedback);
        }
        feedback.add_votes(state, cluster, is_current)?;
        feedback.add_terms(state, cluster, is_current)?;
        feedback.add_recent_use(state, moment);
        Ok(feedback)
    }

    fn add_votes<E>(
        &mut self,
        state: &FeedbackState,
        cluster: &Cluster,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<(), E> {
        let overlaps: Vec<f64> = state.clusters.iter().map(|known| known.cluster.overlap(cluster)).collect();
        let applying = state.records.iter().filter(|record| applies(record.useful, overlaps[record.cluster]));
        for record in applying {
            if !is_current(&record.subject)? {
                self.expired += 1;
                continue;
            }
            let task = state.clusters[record.cluster].task.clone();
            let &Record { event, kind, useful, at, .. } = record;
            let overlap = overlaps[record.cluster];
            let source = FeedbackSource { event, kind, useful, task, at, overlap, weight: kind.weight(), by: None };
            self.symbol(record.subject.id).sources.push(source);
        }
        for (symbol, source) in state.shared.votes(cluster, is_current)? {
            let sources = &mut self.symbol(symbol).sources;
            // The user's own vote is the last word.
            let is_first = !sources.iter().any(|own| own.by.is_none() && !own.kind.is_implicit());
            if is_first && applies(source.useful, source.overlap) {
                sources.push(source);
            }
        }
        for symbol in self.symbols.values_mut() {
            symbol.feedback = value(&symbol.sources);
        }
        Ok(())
    }

    fn add_terms<E>(
        &mut self,
        state: &FeedbackState,
        cluster: &Cluster,
        is_current: &mut dyn FnMut(&Subject) -> Result<bool, E>,
    ) -> Result<(), E> {
        let all = cluster.words().len().max(1) as f64;
        for keyword in cluster.words() {
            let mut observed: Vec<(SymbolId, u32)> = Vec::new();
            for own in learned_terms::observations(state, keyword, is_current)? {
                self.expired += usize::from(own.expired > 0);
                observed.push((own.subject.id, own.observations));
            }
            for (subject, persons) in state.shared.observers(keyword, is_current)? {
                match observed.iter_mut().find(|(id, _)| *id == subject.id) {
                    Some((_, observations)) => *observations += persons,
                    None => observed.push((subject.id, persons)),
                }
            }
            for (id, observations) in observed {
                let weight = learned_terms::weight(observations);
                if weight > 0.0 {
                    let symbol = self.symbol(id);
                    let keyword = keyword.clone();
                    symbol.terms.push(MatchedTerm { keyword, observations, weight });
                    symbol.learned += weight / all;
                }
            }
        }
        Ok(())
    }

    fn add_recent_use(&mut self, state: &FeedbackState, moment: &Moment) {
        if moment.session.is_empty() {
            return;
        }
        let Some(symbols) = state.uses.get(&moment.session) else { return };
        let last = symbols.iter().flat_map(|uses| &uses.at).max().copied().unwrap_or(0);
        for uses in symbols {
            let value = session::recent_use(&uses.at, last, moment.at);
            if value > 0.0 {
                self.symbol(uses.id).session = value;
            }
        }
    }

    fn symbol(&mut self, id: SymbolId) -> &mut SymbolFeedback {
        self.symbols.entry(id).or_default()
    }
}

/// Returns whether a record applies to a task whose cluster overlaps its own this much: one against a symbol only if the
/// words are the same, because what one task has no use for is often what a similar one is about.
fn applies(useful: bool, overlap: f64) -> bool {
    if useful { overlap > 0.0 } else { overlap >= 1.0 }
}

/// Returns the balance of votes plus the balance of use, which is at most [`MAX_USE`].
fn value(sources: &[FeedbackSource]) -> f64 {
    let signed = |source: &FeedbackSource| if source.useful { source.weight } else { -source.weight };
    let balance = |implicit: bool| {
        let sources = sources.iter().filter(|source| source.kind.is_implicit() == implicit);
        votes::balance(sources.map(|source| (signed(source), source.overlap)))
    };
    (balance(false) + balance(true).clamp(-MAX_USE, MAX_USE)).clamp(-1.0, 1.0)
}

fn by_name<S: Serializer>(kind: &EventKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::{FeedbackEvent, SymbolVote, Vote};

    const SYMBOL: SymbolId = SymbolId([1; 16]);

    fn vote(id: i64, task: &str, vote: Vote) -> FeedbackEvent {
        let subject = Subject {
            id: SYMBOL,
            qualified_name: "r://a.py.f".to_owned(),
            package: "a.py".to_owned(),
            package_root: [id as u8; 32],
        };
        FeedbackEvent {
            id,
            batch: id,
            at: id,
            session: "s".to_owned(),
            kind: EventKind::Vote,
            task: task.to_owned(),
            cluster: cluster(task),
            undone: false,
            votes: vec![SymbolVote { subject, vote }],
            terms: Vec::new(),
        }
    }

    fn cluster(task: &str) -> Cluster {
        Cluster::new(task.split(' ').map(str::to_owned))
    }

    fn feedback(events: &[FeedbackEvent], task: &str, expired: &[u8]) -> (SymbolFeedback, usize) {
        let mut is_current = |subject: &Subject| Ok::<bool, ()>(!expired.contains(&subject.package_root[0]));
        let (state, moment) = (FeedbackState::fold(events), Moment::default());
        let mut feedback = TaskFeedback::for_cluster(&state, &cluster(task), &moment, &mut is_current).unwrap();
        (feedback.symbols.remove(&SYMBOL).unwrap_or_default(), feedback.expired)
    }

    #[test]
    fn vote_counts_in_proportion_to_overlap() {
        let events = [vote(1, "session cookie expires early", Vote::Useful)];
        let value = |events: &[FeedbackEvent], task| feedback(events, task, &[]).0.feedback;
        assert_eq!(value(&events, "early session cookie expires"), 1.0);
        assert_eq!(value(&events, "session cookie lost again"), 0.5);
        assert_eq!(feedback(&events, "session lost again today", &[]).0, SymbolFeedback::default());
    }

    #[test]
    fn vote_against_counts_only_for_the_same_words() {
        let events = [vote(1, "session cookie expires early", Vote::NotUseful)];
        assert_eq!(feedback(&events, "early session cookie expires", &[]).0.feedback, -1.0);
        assert_eq!(feedback(&events, "session cookie lost again", &[]).0, SymbolFeedback::default());
    }

    #[test]
    fn recent_use_needs_a_session() {
        let used =
            FeedbackEvent { kind: EventKind::Copy, session: String::new(), ..vote(1, "session cookie", Vote::Useful) };
        assert_eq!(feedback(&[used], "session cookie", &[]).0.session, 0.0);
    }

    #[test]
    fn use_counts_little_however_often() {
        let used = |id: i64| FeedbackEvent {
            kind: EventKind::Copy,
            session: id.to_string(),
            ..vote(id, "session cookie", Vote::Useful)
        };
        assert_eq!(feedback(&[used(1)], "session cookie", &[]).0.feedback, EventKind::Copy.weight());
        let uses: Vec<FeedbackEvent> = (1..=50).map(used).collect();
        assert_eq!(feedback(&uses, "session cookie", &[]).0.feedback, MAX_USE);
        let voted = [&uses[..], &[vote(60, "session cookie", Vote::NotUseful)]].concat();
        assert!(feedback(&voted, "session cookie", &[]).0.feedback < -0.9, "a vote outweighs use");
    }

    #[test]
    fn use_alone_makes_no_learned_term() {
        let used = |id: i64| FeedbackEvent {
            kind: [EventKind::Copy, EventKind::Export, EventKind::AgentEdit][id as usize % 3],
            session: id.to_string(),
            ..vote(id, "session cookie", Vote::Useful)
        };
        let mut events: Vec<FeedbackEvent> = (1..=20).map(used).collect();
        assert_eq!(feedback(&events, "session cookie", &[]).0.terms.len(), 0);
        events.push(vote(60, "session cookie", Vote::Useful));
        assert_eq!(feedback(&events, "session cookie", &[]).0.terms.len(), 2, "a vote and use make one");
    }

    #[test]
    fn feedback_expires_with_its_package() {
        let events = [vote(1, "session cookie", Vote::Useful), vote(2, "session till", Vote::Useful)];
        let (now, expired) = feedback(&events, "session cookie", &[]);
        assert_eq!((now.sources.len(), expired), (2, 0));
        assert_eq!(now.terms.len(), 1, "`session` was seen twice");
        assert!((now.learned - 0.15).abs() < 1e-12); // 0.3 over two keywords
        let (then, expired) = feedback(&events, "session cookie", &[1]);
        assert_eq!((then.sources.len(), then.terms.len()), (1, 0));
        assert!(expired > 0);
    }
}
