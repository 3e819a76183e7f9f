//! What counts of a journal: of each symbol, session and cluster the last word; of learned words the observations.

use std::collections::{HashMap, HashSet};

use super::journal::{Act, ActKind, Subject, Vote};
use super::{Cluster, session};
use crate::model::SymbolId;

/// What one session says of one symbol for one cluster of tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub subject: Subject,
    /// Place of its cluster in [`Standing::clusters`].
    pub cluster: usize,
    pub kind: ActKind,
    pub useful: bool,
    /// The entry that says it.
    pub act: i64,
    pub at: i64,
}

impl Record {
    /// How much it says, negative when against the symbol.
    pub fn weight(&self) -> f64 {
        if self.useful { self.kind.weight() } else { -self.kind.weight() }
    }
}

/// A cluster and one of the tasks that are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownCluster {
    pub cluster: Cluster,
    pub task: String,
}

/// Observations of a word that came from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    pub subject: Subject,
    pub observations: u32,
    pub act: i64,
}

/// Use of a symbol in a session, newest last.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamps {
    pub id: SymbolId,
    pub at: Vec<i64>,
}

/// What counts of a journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    pub clusters: Vec<KnownCluster>,
    /// In the order of the journal.
    pub records: Vec<Record>,
    /// Words that came from elsewhere, by keyword.
    pub brought: HashMap<String, Vec<Brought>>,
    /// The last entry that had this word forgotten for this symbol.
    pub forgotten: HashMap<(String, SymbolId), i64>,
    /// Times of use by session.
    pub stamps: HashMap<String, Vec<Stamps>>,
}

/// What one record is the last word of.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct Place<'a> {
    symbol: SymbolId,
    session: &'a str,
    cluster: usize,
}

/// The last of each sort of act at one place.
#[derive(Default)]
struct Said {
    vote: Option<(usize, bool)>,
    used: Option<usize>,
    passed_over: Option<usize>,
}

impl Standing {
    /// What counts of these entries, which come in the order of the journal. Linear in their judgements.
    pub fn of(acts: &[Act]) -> Standing {
        let mut standing = Standing::default();
        let mut known: HashMap<&Cluster, usize> = HashMap::new();
        let mut said: HashMap<Place<'_>, Said> = HashMap::new();
        // Who takes a vote back sees those of all sessions: it ends them all.
        let mut cleared: HashMap<(SymbolId, usize), Vec<usize>> = HashMap::new();
        let mut subjects: Vec<(Place<'_>, &Act, &Subject)> = Vec::new();
        for act in acts.iter().filter(|act| !act.undone) {
            standing.take_words(act);
            if act.judgements.is_empty() {
                continue;
            }
            let cluster = *known.entry(&act.cluster).or_insert_with(|| {
                standing.clusters.push(KnownCluster { cluster: act.cluster.clone(), task: act.task.clone() });
                standing.clusters.len() - 1
            });
            for judgement in &act.judgements {
                let place = Place { symbol: judgement.subject.id, session: &act.session, cluster };
                let number = subjects.len();
                subjects.push((place, act, &judgement.subject));
                let said = said.entry(place).or_default();
                match act.kind {
                    ActKind::Vote => match judgement.vote {
                        Vote::Clear => cleared.entry((place.symbol, cluster)).or_default().push(number),
                        vote => said.vote = Some((number, vote == Vote::Useful)),
                    },
                    // The strongest of several uses counts, once.
                    kind if kind.is_use() => {
                        let before = said.used.map_or(0.0, |used| subjects[used].1.kind.weight());
                        if kind.weight() >= before {
                            said.used = Some(number);
                        }
                        standing.stamp(&act.session, judgement.subject.id, act.at);
                    }
                    _ => said.passed_over = Some(number),
                }
            }
        }
        // What another's journal brought stands after votes that were cast later: such a vote stays.
        let ends = |clear: usize, vote: usize| vote < clear && subjects[vote].1.at <= subjects[clear].1.at;
        let is_cleared = |place: &Place<'_>, vote: usize| {
            let clears = cleared.get(&(place.symbol, place.cluster));
            clears.is_some_and(|clears| clears.iter().any(|clear| ends(*clear, vote)))
        };
        let last = said.iter().filter_map(|(place, said)| said.last(|vote| is_cleared(place, vote)));
        let mut last: Vec<(usize, bool)> = last.collect();
        last.sort_unstable();
        // To have been passed over means nothing when what was used instead is taken back.
        let used: HashSet<(&str, usize)> = (last.iter().filter(|(_, useful)| *useful))
            .map(|(number, _)| (subjects[*number].0.session, subjects[*number].0.cluster))
            .collect();
        last.retain(|(number, _)| {
            let (place, act, _) = &subjects[*number];
            act.kind != ActKind::PassedOver || used.contains(&(place.session, place.cluster))
        });
        standing.records = (last.into_iter())
            .map(|(number, useful)| {
                let (place, act, subject) = subjects[number];
                let (cluster, kind) = (place.cluster, act.kind);
                Record { subject: subject.clone(), cluster, kind, useful, act: act.id, at: act.at }
            })
            .collect();
        standing
    }

    /// True when nothing was taught.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.brought.is_empty()
    }

    /// The records of the clusters that have this keyword, in the order of the journal.
    pub fn records_of<'a>(&'a self, keyword: &str) -> impl Iterator<Item = &'a Record> {
        let has =
            |known: &KnownCluster| known.cluster.words().binary_search_by(|word| word.as_str().cmp(keyword)).is_ok();
        let having: Vec<bool> = self.clusters.iter().map(has).collect();
        self.records.iter().filter(move |record| having[record.cluster])
    }

    fn take_words(&mut self, act: &Act) {
        for word in &act.words {
            if word.observations == 0 {
                self.forgotten.insert((word.keyword.clone(), word.subject.id), act.id);
            } else {
                let brought = Brought { subject: word.subject.clone(), observations: word.observations, act: act.id };
                self.brought.entry(word.keyword.clone()).or_default().push(brought);
            }
        }
    }

    fn stamp(&mut self, session: &str, id: SymbolId, at: i64) {
        let symbols = self.stamps.entry(session.to_owned()).or_default();
        let place = symbols.iter().position(|stamps| stamps.id == id).unwrap_or_else(|| {
            symbols.push(Stamps { id, at: Vec::new() });
            symbols.len() - 1
        });
        let stamps = &mut symbols[place].at;
        stamps.push(at);
        let old = stamps.len().saturating_sub(session::MOST_STAMPS);
        stamps.drain(..old);
    }
}

impl Said {
    /// The number of the judgement that counts and whether it is for the symbol: a vote before use, use before having
    /// been passed over. A vote that was taken back leaves what use said.
    fn last(&self, is_cleared: impl Fn(usize) -> bool) -> Option<(usize, bool)> {
        let vote = self.vote.filter(|(number, _)| !is_cleared(*number));
        let used = || self.used.map(|number| (number, true));
        vote.or_else(used).or(self.passed_over.map(|number| (number, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Judgement, Word};

    fn subject(number: u8) -> Subject {
        let (qualified_name, package) = (format!("r://a.py.f{number}"), "a.py".to_owned());
        Subject { id: SymbolId([number; 16]), qualified_name, package, package_root: [0; 32] }
    }

    /// An act of one session on one task: its kind and what it says of which symbols.
    fn act(id: i64, kind: ActKind, said: &[(u8, Vote)]) -> Act {
        let judgements = said.iter().map(|(number, vote)| Judgement { subject: subject(*number), vote: *vote });
        Act {
            id,
            batch: id,
            at: id,
            session: "s".to_owned(),
            kind,
            task: "pay".to_owned(),
            cluster: Cluster::new(["pay".to_owned()].into_iter()),
            undone: false,
            judgements: judgements.collect(),
            words: Vec::new(),
        }
    }

    /// What counts: entry, symbol, useful.
    fn counted(acts: &[Act]) -> Vec<(i64, u8, bool)> {
        let records = Standing::of(acts).records.into_iter();
        records.map(|record| (record.act, record.subject.id.0[0], record.useful)).collect()
    }

    #[test]
    fn the_last_vote_of_a_session_counts() {
        let useful = act(1, ActKind::Vote, &[(1, Vote::Useful), (2, Vote::Useful)]);
        let not = act(2, ActKind::Vote, &[(1, Vote::NotUseful)]);
        let cleared = act(3, ActKind::Vote, &[(1, Vote::Clear)]);
        let other = Act { session: "t".to_owned(), ..act(4, ActKind::Vote, &[(1, Vote::Useful)]) };
        assert_eq!(counted(&[useful.clone(), not.clone()]), [(1, 2, true), (2, 1, false)]);
        assert_eq!(counted(&[useful.clone(), not.clone(), cleared, other]), [(1, 2, true), (4, 1, true)]);
        let undone = Act { undone: true, ..not };
        assert_eq!(counted(&[useful, undone]), [(1, 1, true), (1, 2, true)]);
    }

    #[test]
    fn a_vote_is_taken_back_in_a_later_session() {
        let useful = act(1, ActKind::Vote, &[(1, Vote::Useful), (2, Vote::Useful)]);
        let cleared = Act { session: "t".to_owned(), ..act(2, ActKind::Vote, &[(1, Vote::Clear)]) };
        assert_eq!(counted(&[useful.clone(), cleared.clone()]), [(1, 2, true)]);
        let again = act(3, ActKind::Vote, &[(1, Vote::NotUseful)]);
        assert_eq!(counted(&[useful.clone(), cleared.clone(), again]), [(1, 2, true), (3, 1, false)]);
        assert_eq!(counted(&[useful, Act { undone: true, ..cleared }]), [(1, 1, true), (1, 2, true)]);
    }

    #[test]
    fn an_older_journal_takes_no_newer_vote_back() {
        let mine = act(5, ActKind::Vote, &[(1, Vote::Useful)]);
        let brought = Act { id: 6, at: 2, session: "t".to_owned(), ..act(6, ActKind::Vote, &[(1, Vote::Clear)]) };
        assert_eq!(counted(&[mine.clone(), brought.clone()]), [(5, 1, true)]);
        let cleared = act(7, ActKind::Vote, &[(1, Vote::Clear)]);
        assert_eq!(counted(&[mine, cleared, Act { id: 8, ..brought }]), []);
    }

    #[test]
    fn the_strongest_use_counts_once_and_a_vote_before_it() {
        let (opened, copied) =
            (act(1, ActKind::Open, &[(1, Vote::Useful)]), act(2, ActKind::Copy, &[(1, Vote::Useful)]));
        let again = act(3, ActKind::Open, &[(1, Vote::Useful)]);
        let uses = [opened, copied, again];
        assert_eq!(counted(&uses), [(2, 1, true)]);
        assert_eq!(Standing::of(&uses).stamps["s"][0].at, [1, 2, 3]);
        let voted = act(4, ActKind::Vote, &[(1, Vote::NotUseful)]);
        assert_eq!(counted(&[&uses[..], &[voted]].concat()), [(4, 1, false)]);
    }

    #[test]
    fn nothing_is_passed_over_for_what_was_taken_back() {
        let vote = act(1, ActKind::Vote, &[(1, Vote::Useful)]);
        let passed = act(2, ActKind::PassedOver, &[(2, Vote::NotUseful)]);
        assert_eq!(counted(&[vote.clone(), passed.clone()]), [(1, 1, true), (2, 2, false)]);
        assert!(counted(&[Act { undone: true, ..vote }, passed]).is_empty());
    }

    #[test]
    fn only_the_newest_stamps_are_kept() {
        let acts: Vec<Act> = (1..=30).map(|id| act(id, ActKind::Open, &[(1, Vote::Useful)])).collect();
        let stamps = &Standing::of(&acts).stamps["s"][0].at;
        assert_eq!((stamps.len(), stamps[0]), (20, 11));
    }

    #[test]
    fn words_are_brought_and_forgotten() {
        let word = |observations| Word { keyword: "till".to_owned(), subject: subject(1), observations };
        let mut brought = act(1, ActKind::Words, &[]);
        brought.words = vec![word(3)];
        let mut forgotten = act(2, ActKind::Forget, &[]);
        forgotten.words = vec![word(0)];
        let observed = |acts: &[Act]| {
            let standing = Standing::of(acts);
            let mut always = |_: &Subject| Ok::<bool, ()>(true);
            let observed = crate::learn::vocabulary::observed(&standing, "till", &mut always).unwrap();
            observed.iter().map(|word| word.observations).collect::<Vec<u32>>()
        };
        assert_eq!(observed(&[brought.clone()]), [3]);
        assert!(observed(&[brought, forgotten]).is_empty());
    }
}
