//! The fold of the journal: the latest vote or use for each symbol, session and cluster, and imported terms.

use std::collections::HashMap;

use super::event::{EventKind, FeedbackEvent, Subject, Vote};
use super::shared::SharedFeedback;
use super::{Cluster, session};
use crate::model::SymbolId;

/// The effective feedback of one session on one symbol for one cluster of tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub subject: Subject,
    /// Index of its cluster in [`FeedbackState::clusters`].
    pub cluster: usize,
    pub kind: EventKind,
    pub useful: bool,
    /// Number of the event.
    pub event: i64,
    pub at: i64,
}

impl Record {
    /// Returns the signed weight of the record: negative if the symbol was not useful.
    pub fn weight(&self) -> f64 {
        if self.useful { self.kind.weight() } else { -self.kind.weight() }
    }
}

/// A cluster with one of its tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterExample {
    pub cluster: Cluster,
    pub task: String,
}

/// The observations of an imported term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedTerm {
    pub subject: Subject,
    pub observations: u32,
    /// Number of the event.
    pub event: i64,
}

/// Times of use of a symbol in a session, newest last.
#[derive(Debug, Clone, PartialEq)]
pub struct UseTimes {
    pub id: SymbolId,
    pub at: Vec<i64>,
}

/// The fold of a journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedbackState {
    pub clusters: Vec<ClusterExample>,
    /// In the order of the journal.
    pub records: Vec<Record>,
    /// Imported terms, by keyword.
    pub imported: HashMap<String, Vec<ImportedTerm>>,
    /// Number of the last event that removed a term, by keyword and symbol.
    pub forgotten: HashMap<(String, SymbolId), i64>,
    /// Times of use, by session.
    pub uses: HashMap<String, Vec<UseTimes>>,
    /// Votes of other people, which are not in the journal.
    pub shared: SharedFeedback,
}

/// The key of a record.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct RecordKey<'a> {
    symbol: SymbolId,
    session: &'a str,
    cluster: usize,
}

/// The latest vote and use for one key, as indexes of votes.
#[derive(Default)]
struct Latest {
    vote: Option<(usize, bool)>,
    used: Option<usize>,
}

impl FeedbackState {
    /// Folds the events of a journal, in its order. Linear in their votes.
    pub fn fold(events: &[FeedbackEvent]) -> FeedbackState {
        let mut state = FeedbackState::default();
        let mut known: HashMap<&Cluster, usize> = HashMap::new();
        let mut latest: HashMap<RecordKey<'_>, Latest> = HashMap::new();
        // Index of each symbol in the uses of its session.
        let mut used: HashMap<(&str, SymbolId), usize> = HashMap::new();
        // Clearing a vote clears those of all sessions, because users see one vote for all of them.
        let mut clears: HashMap<(SymbolId, usize), Vec<usize>> = HashMap::new();
        let mut votes: Vec<(RecordKey<'_>, &FeedbackEvent, &Subject)> = Vec::new();
        for event in events.iter().filter(|event| !event.undone) {
            state.add_terms(event);
            if event.votes.is_empty() || !event.kind.counts() {
                continue;
            }
            let cluster = *known.entry(&event.cluster).or_insert_with(|| {
                state.clusters.push(ClusterExample { cluster: event.cluster.clone(), task: event.task.clone() });
                state.clusters.len() - 1
            });
            for vote in &event.votes {
                let key = RecordKey { symbol: vote.subject.id, session: &event.session, cluster };
                let index = votes.len();
                votes.push((key, event, &vote.subject));
                let latest = latest.entry(key).or_default();
                match event.kind {
                    EventKind::Vote => match vote.vote {
                        Vote::Clear => clears.entry((key.symbol, cluster)).or_default().push(index),
                        vote => latest.vote = Some((index, vote == Vote::Useful)),
                    },
                    // Of several uses only the one with the greatest weight counts.
                    kind => {
                        let before = latest.used.map_or(0.0, |used| votes[used].1.kind.weight());
                        if kind.weight() >= before {
                            latest.used = Some(index);
                        }
                        let uses = state.uses.entry(event.session.clone()).or_default();
                        let index = *used.entry((&event.session, key.symbol)).or_insert(uses.len());
                        add_use(uses, index, key.symbol, event.at);
                    }
                }
            }
        }
        state.records = records(&votes, &latest, &clears);
        state
    }

    /// Returns whether there is no feedback.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.imported.is_empty() && self.shared.sources.is_empty()
    }

    /// Returns the records of the clusters with this keyword, in the order of the journal.
    pub fn records_of<'a>(&'a self, keyword: &str) -> impl Iterator<Item = &'a Record> {
        let has =
            |known: &ClusterExample| known.cluster.words().binary_search_by(|word| word.as_str().cmp(keyword)).is_ok();
        let having: Vec<bool> = self.clusters.iter().map(has).collect();
        self.records.iter().filter(move |record| having[record.cluster])
    }

    fn add_terms(&mut self, event: &FeedbackEvent) {
        for term in &event.terms {
            if term.observations == 0 {
                self.forgotten.insert((term.keyword.clone(), term.subject.id), event.id);
            } else {
                let (subject, observations) = (term.subject.clone(), term.observations);
                let imported = ImportedTerm { subject, observations, event: event.id };
                self.imported.entry(term.keyword.clone()).or_default().push(imported);
            }
        }
    }
}

/// Adds a use of a symbol, whose index in `uses` may be one past their end.
fn add_use(uses: &mut Vec<UseTimes>, index: usize, id: SymbolId, at: i64) {
    if index == uses.len() {
        uses.push(UseTimes { id, at: Vec::new() });
    }
    let times = &mut uses[index].at;
    times.push(at);
    let surplus = times.len().saturating_sub(session::MAX_USES);
    times.drain(..surplus);
}

/// The clears of one symbol and cluster: index of the vote, and the latest time from this clear on. Indexes and times
/// descend and rise together, so one search finds whether a vote is cleared.
struct Clears(Vec<(usize, i64)>);

impl Clears {
    /// Prepares clears by their indexes, ascending, and times.
    fn new(clears: impl DoubleEndedIterator<Item = (usize, i64)>) -> Clears {
        let mut latest = i64::MIN;
        Clears(
            clears
                .rev()
                .map(|(index, at)| {
                    (index, {
                        latest = latest.max(at);
                        latest
                    })
                })
                .collect(),
        )
    }

    /// Returns whether a clear follows the vote in the journal and is not older. Imported events follow later votes in
    /// the journal; such a vote is not cleared.
    fn clears(&self, vote: usize, at: i64) -> bool {
        let following = self.0.partition_point(|(index, _)| *index > vote);
        following.checked_sub(1).is_some_and(|earliest| at <= self.0[earliest].1)
    }
}

/// Returns the records of the latest votes and uses, in the order of the journal.
fn records(
    votes: &[(RecordKey<'_>, &FeedbackEvent, &Subject)],
    latest: &HashMap<RecordKey<'_>, Latest>,
    clears: &HashMap<(SymbolId, usize), Vec<usize>>,
) -> Vec<Record> {
    let by_key = clears
        .iter()
        .map(|(key, indexes)| (key, Clears::new(indexes.iter().map(|index| (*index, votes[*index].1.at)))));
    let clears: HashMap<&(SymbolId, usize), Clears> = by_key.collect();
    let is_cleared = |key: &RecordKey<'_>, vote: usize| {
        clears.get(&(key.symbol, key.cluster)).is_some_and(|clears| clears.clears(vote, votes[vote].1.at))
    };
    let effective = latest.iter().filter_map(|(key, latest)| latest.effective(|vote| is_cleared(key, vote)));
    let mut effective: Vec<(usize, bool)> = effective.collect();
    effective.sort_unstable();
    let record = |(index, useful): (usize, bool)| {
        let (key, event, subject) = votes[index];
        let (cluster, kind) = (key.cluster, event.kind);
        Record { subject: subject.clone(), cluster, kind, useful, event: event.id, at: event.at }
    };
    effective.into_iter().map(record).collect()
}

impl Latest {
    /// Returns the index of the vote that counts, and whether it is for the symbol: a vote before use. Clearing a vote
    /// leaves use in effect.
    fn effective(&self, is_cleared: impl Fn(usize) -> bool) -> Option<(usize, bool)> {
        let vote = self.vote.filter(|(index, _)| !is_cleared(*index));
        vote.or_else(|| self.used.map(|index| (index, true)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::{SymbolVote, TermObservation, learned_terms};

    fn subject(number: u8) -> Subject {
        let (qualified_name, package) = (format!("r://a.py.f{number}"), "a.py".to_owned());
        Subject { id: SymbolId([number; 16]), qualified_name, package, package_root: [0; 32] }
    }

    /// Returns an event of one session on one task with votes on symbols by number.
    fn event(id: i64, kind: EventKind, votes: &[(u8, Vote)]) -> FeedbackEvent {
        let votes = votes.iter().map(|(number, vote)| SymbolVote { subject: subject(*number), vote: *vote });
        FeedbackEvent {
            id,
            batch: id,
            at: id,
            session: "s".to_owned(),
            kind,
            task: "pay".to_owned(),
            cluster: Cluster::new(["pay".to_owned()].into_iter()),
            undone: false,
            votes: votes.collect(),
            terms: Vec::new(),
        }
    }

    /// Returns the records: event, symbol, useful.
    fn records(events: &[FeedbackEvent]) -> Vec<(i64, u8, bool)> {
        let records = FeedbackState::fold(events).records.into_iter();
        records.map(|record| (record.event, record.subject.id.0[0], record.useful)).collect()
    }

    #[test]
    fn last_vote_of_a_session_counts() {
        let useful = event(1, EventKind::Vote, &[(1, Vote::Useful), (2, Vote::Useful)]);
        let not = event(2, EventKind::Vote, &[(1, Vote::NotUseful)]);
        let cleared = event(3, EventKind::Vote, &[(1, Vote::Clear)]);
        let other = FeedbackEvent { session: "t".to_owned(), ..event(4, EventKind::Vote, &[(1, Vote::Useful)]) };
        assert_eq!(records(&[useful.clone(), not.clone()]), [(1, 2, true), (2, 1, false)]);
        assert_eq!(records(&[useful.clone(), not.clone(), cleared, other]), [(1, 2, true), (4, 1, true)]);
        let undone = FeedbackEvent { undone: true, ..not };
        assert_eq!(records(&[useful, undone]), [(1, 1, true), (1, 2, true)]);
    }

    #[test]
    fn vote_is_cleared_in_a_later_session() {
        let useful = event(1, EventKind::Vote, &[(1, Vote::Useful), (2, Vote::Useful)]);
        let cleared = FeedbackEvent { session: "t".to_owned(), ..event(2, EventKind::Vote, &[(1, Vote::Clear)]) };
        assert_eq!(records(&[useful.clone(), cleared.clone()]), [(1, 2, true)]);
        let again = event(3, EventKind::Vote, &[(1, Vote::NotUseful)]);
        assert_eq!(records(&[useful.clone(), cleared.clone(), again]), [(1, 2, true), (3, 1, false)]);
        assert_eq!(records(&[useful, FeedbackEvent { undone: true, ..cleared }]), [(1, 1, true), (1, 2, true)]);
    }

    #[test]
    fn imported_clear_keeps_newer_votes() {
        let mine = event(5, EventKind::Vote, &[(1, Vote::Useful)]);
        let imported =
            FeedbackEvent { id: 6, at: 2, session: "t".to_owned(), ..event(6, EventKind::Vote, &[(1, Vote::Clear)]) };
        assert_eq!(records(&[mine.clone(), imported.clone()]), [(5, 1, true)]);
        let cleared = event(7, EventKind::Vote, &[(1, Vote::Clear)]);
        assert_eq!(records(&[mine, cleared, FeedbackEvent { id: 8, ..imported }]), []);
    }

    #[test]
    fn searched_clears_equal_compared_ones() {
        let mut state = 7_u64;
        let mut roll = |sides: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % sides
        };
        for _ in 0..200 {
            let count = roll(6) as usize;
            let times: Vec<(usize, i64)> = (0..count).map(|index| (3 * index + 1, roll(8) as i64)).collect();
            let clears = Clears::new(times.iter().copied());
            for (vote, at) in (0..20).flat_map(|vote| (0..9).map(move |at| (vote, at))) {
                let compared = times.iter().any(|(index, time)| vote < *index && at <= *time);
                assert_eq!(clears.clears(vote, at), compared, "{times:?} {vote} {at}");
            }
        }
    }

    #[test]
    fn looking_and_passing_over_do_not_count() {
        let seen =
            [event(1, EventKind::Open, &[(1, Vote::Useful)]), event(2, EventKind::PassedOver, &[(2, Vote::NotUseful)])];
        assert_eq!(FeedbackState::fold(&seen), FeedbackState::default());
    }

    #[test]
    fn vote_counts_before_strongest_use() {
        let used = |id, kind| event(id, kind, &[(1, Vote::Useful)]);
        let uses = [used(1, EventKind::Open), used(2, EventKind::Copy), used(3, EventKind::Edit)];
        assert_eq!(records(&uses), [(3, 1, true)]);
        assert_eq!(FeedbackState::fold(&uses).uses["s"][0].at, [2, 3]);
        let voted = event(4, EventKind::Vote, &[(1, Vote::NotUseful)]);
        assert_eq!(records(&[&uses[..], &[voted]].concat()), [(4, 1, false)]);
    }

    #[test]
    fn only_newest_uses_are_kept() {
        let events: Vec<FeedbackEvent> = (1..=30).map(|id| event(id, EventKind::Copy, &[(1, Vote::Useful)])).collect();
        let uses = &FeedbackState::fold(&events).uses["s"][0].at;
        assert_eq!((uses.len(), uses[0]), (20, 11));
    }

    #[test]
    fn terms_are_imported_and_forgotten() {
        let word = |observations| TermObservation { keyword: "till".to_owned(), subject: subject(1), observations };
        let mut imported = event(1, EventKind::ImportTerms, &[]);
        imported.terms = vec![word(3)];
        let mut forgotten = event(2, EventKind::ForgetTerms, &[]);
        forgotten.terms = vec![word(0)];
        let observed = |events: &[FeedbackEvent]| {
            let state = FeedbackState::fold(events);
            let mut always = |_: &Subject| Ok::<bool, ()>(true);
            let observed = learned_terms::observations(&state, "till", &mut always).unwrap();
            observed.iter().map(|word| word.observations).collect::<Vec<u32>>()
        };
        assert_eq!(observed(&[imported.clone()]), [3]);
        assert!(observed(&[imported, forgotten]).is_empty());
    }
}
