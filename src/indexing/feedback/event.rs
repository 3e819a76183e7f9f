//! The events of the journal, one for each action of a user.

use serde::{Deserialize, Serialize};

use super::Cluster;
use crate::model::SymbolId;

/// A symbol with feedback, and the source hash of its package at that time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    pub id: SymbolId,
    pub qualified_name: String,
    /// The file, or the folder of a Go package.
    pub package: String,
    /// Hash of the package's source.
    pub package_root: [u8; 32],
}

/// A vote on a symbol for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vote {
    Useful,
    NotUseful,
    /// Clears earlier votes, those of other sessions included.
    Clear,
}

impl Subject {
    /// Returns whether the symbol belongs to this repository.
    pub fn is_in(&self, repository: &str) -> bool {
        self.qualified_name.split_once("://").is_some_and(|(own, _)| own == repository)
    }

    /// Returns the symbol's name without the repository.
    pub fn short_name(&self) -> &str {
        self.qualified_name.split_once("://").map_or(&self.qualified_name, |(_, rest)| rest)
    }
}

impl Vote {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Vote::Useful => "useful",
            Vote::NotUseful => "not_useful",
            Vote::Clear => "clear",
        }
    }
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// The user voted.
    Vote,
    /// The symbol's source was viewed. Earlier versions recorded it; it does not count, as most results are read only
    /// to judge them.
    Open,
    /// The symbol was opened in an editor.
    Edit,
    Copy,
    Export,
    /// The symbol was edited after an agent had it in a pack.
    AgentEdit,
    /// The symbol was among the first results, and others were used instead. Earlier versions recorded it; it does not
    /// count.
    PassedOver,
    /// Learned terms were imported.
    ImportTerms,
    /// Learned terms were removed.
    ForgetTerms,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [EventKind; 9] = [
        EventKind::Vote,
        EventKind::Open,
        EventKind::Edit,
        EventKind::Copy,
        EventKind::Export,
        EventKind::AgentEdit,
        EventKind::PassedOver,
        EventKind::ImportTerms,
        EventKind::ForgetTerms,
    ];

    /// Returns the name used in output and in the store.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Vote => "vote",
            EventKind::Open => "open",
            EventKind::Edit => "edit",
            EventKind::Copy => "copy",
            EventKind::Export => "export",
            EventKind::AgentEdit => "agent_edit",
            EventKind::PassedOver => "passed_over",
            EventKind::ImportTerms => "words",
            EventKind::ForgetTerms => "forget",
        }
    }

    /// Returns the kind of this name.
    pub fn named(name: &str) -> Option<EventKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns whether the event was inferred from use.
    pub fn is_implicit(self) -> bool {
        self.is_use() || matches!(self, EventKind::Open | EventKind::PassedOver)
    }

    /// Returns whether the event shows that a symbol was useful.
    pub fn is_use(self) -> bool {
        matches!(self, EventKind::Edit | EventKind::Copy | EventKind::Export | EventKind::AgentEdit)
    }

    /// Returns whether votes of this kind count.
    pub fn counts(self) -> bool {
        self.is_use() || self == EventKind::Vote
    }

    /// Returns the weight of the event as feedback; a vote has 1.
    pub fn weight(self) -> f64 {
        match self {
            EventKind::Vote | EventKind::ImportTerms | EventKind::ForgetTerms => 1.0,
            // Use breaks near ties: the evidence of the text outweighs it.
            EventKind::Edit | EventKind::Copy | EventKind::Export => 0.03,
            // An agent may have edited it by mistake, or a person for another task.
            EventKind::AgentEdit => 0.02,
            EventKind::Open | EventKind::PassedOver => 0.0,
        }
    }
}

/// The vote of one event on one symbol. Use counts as [`Vote::Useful`], being passed over as [`Vote::NotUseful`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolVote {
    pub subject: Subject,
    pub vote: Vote,
}

/// A learned term that was imported, or one with 0 observations that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermObservation {
    pub keyword: String,
    pub subject: Subject,
    pub observations: u32,
}

/// An entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackEvent {
    /// Number in the journal, ascending.
    pub id: i64,
    /// Number of the first event of its batch. A batch is appended, undone and redone as a whole.
    pub batch: i64,
    /// Seconds since 1970.
    pub at: i64,
    pub session: String,
    pub kind: EventKind,
    /// The task's text; empty for terms.
    pub task: String,
    pub cluster: Cluster,
    pub undone: bool,
    pub votes: Vec<SymbolVote>,
    pub terms: Vec<TermObservation>,
}
