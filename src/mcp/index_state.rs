//! The state of the index that an answer was computed from.

use std::time::Duration;

use serde_json::{Value, json};

use crate::engine::LiveState;
use crate::exchange::IndexRecord;

/// The kind of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// No file changed since the previous request, as far as the system reports changes.
    Current,
    /// The index was updated for this request.
    Refreshed,
    /// The last complete index: it could not be updated.
    Stale,
    /// An index of the files that the request seems to be about: the first one is being built.
    Partial,
}

/// The state of the index at a request.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexState {
    pub kind: IndexKind,
    pub changed_files: usize,
    pub duration: Duration,
    /// A sentence for the agent, unless there is nothing to say.
    pub note: Option<String>,
}

impl IndexState {
    /// Returns the state of an index without changes.
    pub fn current() -> IndexState {
        IndexState { kind: IndexKind::Current, changed_files: 0, duration: Duration::ZERO, note: None }
    }

    /// Returns the state after an attempt to update an index that there is.
    pub fn after_update(state: &LiveState) -> IndexState {
        match state {
            LiveState::Ready(update) if update.changed_files == 0 => IndexState::current(),
            LiveState::Ready(update) => IndexState::refreshed(update.changed_files, update.took),
            LiveState::Failed(reason) => IndexState::stale(reason),
            LiveState::Busy | LiveState::Missing | LiveState::Partial(_) => {
                IndexState::stale("another process is updating it")
            }
        }
    }

    /// Returns the state after an update.
    pub fn refreshed(changed_files: usize, duration: Duration) -> IndexState {
        let files = if changed_files == 1 { "1 file".to_owned() } else { format!("{changed_files} files") };
        let note = format!("{files} changed since; refreshed in {:.1} s", duration.as_secs_f64());
        IndexState { kind: IndexKind::Refreshed, changed_files, duration, note: Some(note) }
    }

    /// Returns the state after the first run.
    pub fn built(files: usize, duration: Duration) -> IndexState {
        let note = format!("first index built: {files} files in {:.1} s", duration.as_secs_f64());
        IndexState { kind: IndexKind::Refreshed, changed_files: files, duration, note: Some(note) }
    }

    /// Returns the state of an index that could not be updated.
    pub fn stale(reason: &str) -> IndexState {
        let note = format!("answered from the last complete index, which may be out of date: {reason}");
        IndexState { kind: IndexKind::Stale, changed_files: 0, duration: Duration::ZERO, note: Some(note) }
    }

    /// Returns the state during the first run. `notice` says what was read.
    pub fn partial(notice: &str) -> IndexState {
        let note = format!(
            "partial answer, {notice}: uses in other files are not known yet. Ask again in a while for the whole answer"
        );
        IndexState { kind: IndexKind::Partial, changed_files: 0, duration: Duration::ZERO, note: Some(note) }
    }

    /// Returns the state of several indexes with their labels: the least certain one, and all notes.
    pub fn joined(states: Vec<(String, IndexState)>) -> IndexState {
        let mut joined = IndexState::current();
        let order = [IndexKind::Current, IndexKind::Refreshed, IndexKind::Stale, IndexKind::Partial];
        let rank = |kind: IndexKind| order.iter().position(|known| *known == kind);
        for (label, state) in states {
            joined.kind = if rank(state.kind) > rank(joined.kind) { state.kind } else { joined.kind };
            joined.changed_files += state.changed_files;
            joined.duration = joined.duration.max(state.duration);
            if let Some(note) = &state.note {
                joined.add_note(&format!("{label}: {note}"));
            }
        }
        joined
    }

    /// Adds a sentence for the agent.
    pub fn add_note(&mut self, note: &str) {
        self.note = Some(self.note.take().map_or_else(|| note.to_owned(), |known| format!("{known}; {note}")));
    }

    fn name(&self) -> &'static str {
        match self.kind {
            IndexKind::Current => "current",
            IndexKind::Refreshed => "refreshed",
            IndexKind::Stale => "stale",
            IndexKind::Partial => "partial",
        }
    }

    /// Returns the state for structured answers.
    pub fn structured(&self) -> Value {
        let mut value = json!({ "state": self.name() });
        if self.kind == IndexKind::Refreshed {
            value["changed_files"] = json!(self.changed_files);
            value["refresh_ms"] = json!(self.milliseconds());
        }
        value
    }

    /// Returns the state for the journal.
    pub fn record(&self) -> IndexRecord {
        let refresh_ms = self.milliseconds();
        IndexRecord { state: self.name().to_owned(), changed_files: self.changed_files, refresh_ms }
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX)
    }
}
