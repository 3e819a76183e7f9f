//! Feedback on one repository: recording votes and use, and reading them for rankings.
//!
//! [`FeedbackRecorder`] appends events to the journal and undoes them; [`reader`] reads the journal for ranking;
//! [`learned_terms`] lists and edits the terms derived from it. The meaning of events is in `crate::feedback`.

mod exchange;
mod learned_terms;
mod reader;
mod renamed;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::pipeline::Pipeline;
use super::{Engine, EngineError};
use crate::atomic_file;
use crate::concepts::Vocabulary;
use crate::feedback::{
    Cluster, EventKind, FeedbackEvent, FeedbackState, Subject, SymbolVote, TermObservation, Vote, event_line,
    parse_events, term_line,
};
use crate::model::{Symbol, SymbolId};
use crate::store::{Journal, Reader, StoreError, untrusted_events};
use reader::{SESSION_PAUSE, now};

pub use learned_terms::LearnedTerm;
pub use reader::FeedbackEpoch;
pub(super) use reader::{FeedbackReader, JournalState};

/// The effect of one use on the score of a symbol for the same task, rounded; that of a vote is 0.6.
pub const USE_EFFECT: f64 = 0.03;

/// Records feedback in the journal of one repository, and undoes it. Each action is one event, which applies from the
/// next ranking on, in every process.
pub struct FeedbackRecorder {
    journal: Journal,
    database: PathBuf,
    vocabulary: Arc<Vocabulary>,
    session: String,
}

/// The effective vote on a symbol for a task.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveVote {
    pub symbol: SymbolId,
    pub qualified_name: String,
    pub vote: Vote,
    /// Whether the symbol's package is unchanged, so that the vote applies.
    pub applies: bool,
}

impl Engine {
    /// Opens the journal of this repository for writing. Events belong to `session`, or else to the current session, or
    /// else to a new one.
    ///
    /// # Errors
    /// When there is no index of this version, or it can't be written.
    pub fn feedback_recorder(&self, session: Option<&str>) -> Result<FeedbackRecorder, EngineError> {
        Ok(FeedbackRecorder::open(self.database(), self.vocabulary(), session)?)
    }
}

impl FeedbackRecorder {
    fn open(
        database: &Path,
        vocabulary: Arc<Vocabulary>,
        session: Option<&str>,
    ) -> Result<FeedbackRecorder, StoreError> {
        let journal = Journal::open_to_write(database)?;
        let session = match session {
            Some(session) => session.to_owned(),
            None => match journal.last_session(now() - SESSION_PAUSE)? {
                Some(session) => session,
                None => format!("{}-{}", now(), std::process::id()),
            },
        };
        Ok(FeedbackRecorder { journal, database: database.to_owned(), vocabulary, session })
    }

    /// Returns the session of the recorded events.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Returns the cluster of a task, by which feedback and steering apply to it.
    ///
    /// # Errors
    /// When the store can't be read; likewise for every function here that reads.
    pub fn cluster(&self, task: &str) -> Result<Cluster, EngineError> {
        Ok(Pipeline::cluster(&Reader::open(&self.database)?, &self.vocabulary, task)?)
    }

    /// Votes on one symbol.
    ///
    /// # Errors
    /// When the task has no keyword, or the store can't be written; likewise for every function here that writes.
    pub fn vote(&mut self, task: &str, symbol: &Symbol, vote: Vote) -> Result<FeedbackEvent, EngineError> {
        self.votes(task, &[(symbol, vote)])
    }

    /// Votes on several symbols with one event.
    pub fn votes(&mut self, task: &str, votes: &[(&Symbol, Vote)]) -> Result<FeedbackEvent, EngineError> {
        self.record(EventKind::Vote, task, votes)
    }

    /// Records the use of a symbol for a task: edited, copied or exported.
    pub fn record_use(&mut self, task: &str, symbol: &Symbol, how: EventKind) -> Result<FeedbackEvent, EngineError> {
        self.record(how, task, &[(symbol, Vote::Useful)])
    }

    /// Records that symbols of an agent's pack for a task were edited. The event is of this recorder's session, which
    /// does not become the user's.
    pub fn record_agent_edits(&mut self, task: &str, symbols: &[Symbol]) -> Result<FeedbackEvent, EngineError> {
        let reader = Reader::open(&self.database)?;
        let votes: Vec<(&Symbol, Vote)> = symbols.iter().map(|symbol| (symbol, Vote::Useful)).collect();
        let event = vote_event(&reader, &self.vocabulary, EventKind::AgentEdit, task, &votes)?;
        let event = FeedbackEvent { session: self.session.clone(), ..event };
        Ok(self.journal.append(vec![event.clone()])?.pop().unwrap_or(event))
    }

    /// Returns the effective votes for a task, of all sessions.
    pub fn votes_for(&self, task: &str) -> Result<Vec<EffectiveVote>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let cluster = Pipeline::cluster(&reader, &self.vocabulary, task)?;
        let mut votes: HashMap<SymbolId, EffectiveVote> = HashMap::new();
        let state = FeedbackState::fold(&self.events()?);
        for record in state.records.iter().filter(|record| record.kind == EventKind::Vote) {
            if state.clusters[record.cluster].cluster == cluster {
                let Subject { id, qualified_name, .. } = record.subject.clone();
                let vote = if record.useful { Vote::Useful } else { Vote::NotUseful };
                let applies = is_current(&reader, &record.subject)?;
                votes.insert(id, EffectiveVote { symbol: id, qualified_name, vote, applies });
            }
        }
        let mut votes: Vec<EffectiveVote> = votes.into_values().collect();
        votes.sort_by(|one, two| (&one.qualified_name, one.symbol).cmp(&(&two.qualified_name, two.symbol)));
        Ok(votes)
    }

    /// Returns the journal, oldest event first. Symbols have the names that they have in this repository.
    pub fn events(&self) -> Result<Vec<FeedbackEvent>, EngineError> {
        let mut events = self.journal.events()?;
        renamed::rename_all(&mut events, &Reader::open(&self.database)?)?;
        Ok(events)
    }

    /// Returns the subjects whose packages have changed, so that their feedback does not apply.
    pub fn expired(&self) -> Result<HashSet<Subject>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let subjects = self.events()?.into_iter().flat_map(|event| {
            let of_terms = event.terms.into_iter().map(|term| term.subject);
            event.votes.into_iter().map(|vote| vote.subject).chain(of_terms)
        });
        // A large journal is mostly about few subjects, and each check reads the store.
        let mut expired = HashSet::new();
        for subject in subjects.collect::<HashSet<Subject>>() {
            if !is_current(&reader, &subject)? {
                expired.insert(subject);
            }
        }
        Ok(expired)
    }

    /// Undoes the batch of the user's last explicit event: a vote, or imported or forgotten terms. Returns its events.
    pub fn undo(&mut self) -> Result<Vec<FeedbackEvent>, EngineError> {
        let last = self.journal.events()?.into_iter().rev().find(|event| !event.undone && is_explicit(event));
        self.set_batch_undone(last.map(|event| event.batch), true)
    }

    /// Redoes the batch that was undone last, unless another explicit event followed.
    pub fn redo(&mut self) -> Result<Vec<FeedbackEvent>, EngineError> {
        let events = self.journal.events()?;
        let explicit = events.iter().filter(|event| is_explicit(event));
        let first = explicit.rev().take_while(|event| event.undone).last().map(|event| event.batch);
        self.set_batch_undone(first, false)
    }

    /// Undoes or redoes the batch of the event `id`. Returns the changed events: none if there is no such event or it
    /// has this state already.
    pub fn set_undone(&mut self, id: i64, undone: bool) -> Result<Vec<FeedbackEvent>, EngineError> {
        let events = self.journal.events()?;
        let event = events.iter().find(|event| event.id == id && event.undone != undone);
        self.set_batch_undone(event.map(|event| event.batch), undone)
    }

    fn set_batch_undone(&mut self, batch: Option<i64>, undone: bool) -> Result<Vec<FeedbackEvent>, EngineError> {
        let Some(batch) = batch else { return Ok(Vec::new()) };
        self.journal.set_undone(batch, undone)?;
        Ok(self.events()?.into_iter().filter(|event| event.batch == batch).collect())
    }

    /// Returns the votes and uses that are not undone, as JSON lines.
    pub fn export(&self) -> Result<Vec<String>, EngineError> {
        let events = self.events()?;
        Ok(events.iter().filter(|event| !event.undone).filter_map(event_line).collect())
    }

    /// Imports the events of an export as one batch, without those that exist already. Returns the added events.
    ///
    /// # Errors
    /// When a line is not an event, or the store can't be written.
    pub fn import(&mut self, text: &str) -> Result<Vec<FeedbackEvent>, EngineError> {
        let events = self.new_events(parse_events(text)?)?;
        self.import_events(events)
    }

    /// Reads the events of another database, without those that exist already or are undone. It is untrusted: a copy of it is checked first.
    ///
    /// # Errors
    /// When it is not an intact database of this version.
    pub fn events_of_database(&self, database: &Path) -> Result<Vec<FeedbackEvent>, EngineError> {
        let folder = atomic_file::folder(&self.database);
        let events = untrusted_events(database, folder)?.into_iter().filter(|event| !event.undone);
        self.new_events(events.map(|event| FeedbackEvent { id: 0, batch: 0, ..event }).collect())
    }

    /// Appends events as one batch. Returns them with their ids.
    pub fn import_events(&mut self, events: Vec<FeedbackEvent>) -> Result<Vec<FeedbackEvent>, EngineError> {
        Ok(self.journal.append(events)?)
    }

    /// Returns those of the events that the journal does not have, under the present name of the repository.
    fn new_events(&self, mut events: Vec<FeedbackEvent>) -> Result<Vec<FeedbackEvent>, EngineError> {
        let mut known: HashSet<String> = self.events()?.iter().filter(|event| !event.undone).map(content).collect();
        renamed::rename_all(&mut events, &Reader::open(&self.database)?)?;
        events.retain(|event| !(event.votes.is_empty() && event.terms.is_empty()) && known.insert(content(event)));
        Ok(events)
    }

    fn record(&mut self, kind: EventKind, task: &str, votes: &[(&Symbol, Vote)]) -> Result<FeedbackEvent, EngineError> {
        let reader = Reader::open(&self.database)?;
        let event = vote_event(&reader, &self.vocabulary, kind, task, votes)?;
        if kind == EventKind::Vote && event.cluster.words().is_empty() {
            return Err(EngineError::NoKeywords { task: task.to_owned() });
        }
        let event = FeedbackEvent { session: self.session.clone(), ..event };
        self.journal.put_session(&self.session, event.at)?;
        let mut added = self.journal.append(vec![event.clone()])?;
        Ok(added.pop().unwrap_or(event))
    }

    fn event(
        &self,
        kind: EventKind,
        task: &str,
        cluster: Cluster,
        votes: Vec<SymbolVote>,
        terms: Vec<TermObservation>,
    ) -> FeedbackEvent {
        let (session, task) = (self.session.clone(), task.to_owned());
        FeedbackEvent { id: 0, batch: 0, at: now(), session, kind, task, cluster, undone: false, votes, terms }
    }
}

/// Returns the event of these votes on a task; its number and session are not set.
///
/// # Errors
/// When the store can't be read.
pub fn vote_event(
    reader: &Reader,
    vocabulary: &Vocabulary,
    kind: EventKind,
    task: &str,
    votes: &[(&Symbol, Vote)],
) -> Result<FeedbackEvent, StoreError> {
    let symbol_vote = |(symbol, vote): &(&Symbol, Vote)| -> Result<SymbolVote, StoreError> {
        Ok(SymbolVote { subject: subject(reader, symbol)?, vote: *vote })
    };
    let votes: Result<Vec<SymbolVote>, StoreError> = votes.iter().map(symbol_vote).collect();
    Ok(FeedbackEvent {
        id: 0,
        batch: 0,
        at: now(),
        session: String::new(),
        kind,
        task: task.to_owned(),
        cluster: Pipeline::cluster(reader, vocabulary, task)?,
        undone: false,
        votes: votes?,
        terms: Vec::new(),
    })
}

/// Returns what an event says, as text; equal for an event and its copy.
fn content(event: &FeedbackEvent) -> String {
    let terms = event.terms.iter().map(|term| format!("{} {} {}", event.kind.name(), event.at, term_line(term)));
    event_line(event).into_iter().chain(terms).collect::<Vec<String>>().join("\n")
}

/// Returns whether the event is an explicit action; others are inferred from use.
fn is_explicit(event: &FeedbackEvent) -> bool {
    !event.kind.is_implicit()
}

/// Returns a symbol as a subject of feedback, with the current source hash of its package.
fn subject(reader: &Reader, symbol: &Symbol) -> Result<Subject, StoreError> {
    let (package, package_root) = reader.package_of_symbol(symbol)?;
    Ok(Subject { id: symbol.id, qualified_name: symbol.qualified_name.clone(), package, package_root })
}

/// Returns whether a subject's package is unchanged.
fn is_current(reader: &Reader, subject: &Subject) -> Result<bool, StoreError> {
    Ok(subject.is_in(reader.repository()) && reader.package_hash(&subject.package)? == Some(subject.package_root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Intent;
    use crate::rank::scoring::Model;

    #[test]
    fn the_displayed_effect_of_a_use_is_the_computed_one() {
        let model = Model::embedded();
        let weight = |name: &'static str| {
            let contribution = model.get(name, Some(Intent::Explore)).expect("feedback has a weight");
            contribution.component(name, 1.0).contribution
        };
        // The first use in a session has half of the largest value of recent use.
        let effect = EventKind::Copy.weight() * weight("feedback") + 0.5 * weight("session");
        assert!((effect - USE_EFFECT).abs() < 0.005, "{effect}");
    }
}
