//! Reads feedback for ranking: the state of the journal, the session, and hypothetical votes.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::renamed;
use crate::engine::EngineError;
use crate::engine::cache::Cache;
use crate::feedback::shared::SharedFeedback;
use crate::feedback::{FeedbackEvent, FeedbackState, Moment};
use crate::share::Experience;
use crate::store::{Journal, Reader, StoreError};

/// Seconds without an event after which a session ends.
pub const SESSION_PAUSE: i64 = 30 * 60;

/// Returns the present time in seconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// The state of the feedback. Each number increases with every change of its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedbackEpoch {
    journal: i64,
    /// Of the votes of other people and their weights.
    shared: i64,
}

/// The events of a journal and their fold.
#[derive(Clone)]
pub struct JournalState {
    events: Arc<Vec<FeedbackEvent>>,
    state: Arc<FeedbackState>,
}

impl JournalState {
    fn new(events: Vec<FeedbackEvent>, shared: SharedFeedback) -> JournalState {
        let state = FeedbackState { shared, ..FeedbackState::fold(&events) };
        JournalState { state: Arc::new(state), events: Arc::new(events) }
    }
}

/// A reader of the journal for rankings.
pub struct FeedbackReader {
    journal: Journal,
    /// Events that replace those of the journal, for simulations.
    replacement: Option<JournalState>,
    /// The votes of other people.
    experience: Option<Experience>,
}

impl FeedbackReader {
    /// Opens the journal of a database.
    pub fn open(database: &Path) -> Result<FeedbackReader, StoreError> {
        Ok(FeedbackReader { journal: Journal::open(database)?, replacement: None, experience: None })
    }

    /// Reopens the journal at `database`, where another file may have replaced the previous one.
    pub fn reopen(&mut self, database: &Path) -> Result<(), StoreError> {
        self.journal = Journal::open(database)?;
        Ok(())
    }

    /// Replaces the events of the journal.
    pub fn replace(&mut self, events: &[FeedbackEvent]) {
        self.replacement = Some(JournalState::new(events.to_vec(), SharedFeedback::default()));
    }

    /// Sets the votes of other people that count.
    pub fn set_experience(&mut self, experience: Option<Experience>) {
        self.experience = experience;
    }

    /// Returns the revisions of the journal and of the votes of other people.
    pub fn epoch(&self) -> Result<FeedbackEpoch, EngineError> {
        let shared = self.experience.as_ref().map_or(Ok(0), Experience::revision)?;
        Ok(FeedbackEpoch { journal: self.journal.revision()?, shared })
    }

    /// Returns the current state. Costs one query while the journal is unchanged.
    pub fn state(&self, index: &Reader, cache: &Cache) -> Result<Arc<FeedbackState>, EngineError> {
        Ok(self.read(index, cache)?.state)
    }

    /// Returns the state with one more event at the end.
    pub fn state_with(
        &self,
        index: &Reader,
        cache: &Cache,
        event: FeedbackEvent,
    ) -> Result<Arc<FeedbackState>, EngineError> {
        let journal = self.read(index, cache)?;
        let id = journal.events.last().map_or(1, |last| last.id + 1);
        let mut events = journal.events.to_vec();
        events.push(FeedbackEvent { id, batch: id, ..event });
        Ok(Arc::new(FeedbackState { shared: journal.state.shared.clone(), ..FeedbackState::fold(&events) }))
    }

    fn read(&self, index: &Reader, cache: &Cache) -> Result<JournalState, EngineError> {
        if let Some(replacement) = &self.replacement {
            return Ok(replacement.clone());
        }
        let shared = || self.experience.as_ref().map_or_else(|| Ok(SharedFeedback::default()), Experience::feedback);
        let read = || {
            let mut events = self.journal.events()?;
            renamed::rename_all(&mut events, index)?;
            Ok(JournalState::new(events, shared()?))
        };
        cache.journal(self.epoch()?, read)
    }

    /// Returns the time and session of a request.
    pub fn moment(&self) -> Result<Moment, StoreError> {
        let at = now();
        let session = self.journal.last_session(at - SESSION_PAUSE)?.unwrap_or_default();
        Ok(Moment { session, at })
    }
}
