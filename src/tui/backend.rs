//! The interface between the explorer and the engine: the index, rankings and feedback of what it shows.

use std::collections::BTreeSet;
use std::time::Duration;

use super::effect::{Record, Topic};
use super::model::export::Written;
use super::panes::why::Explained;
use super::roots::Roots;
use crate::engine::concepts::MatchedConcept;
use crate::engine::{
    Base, Beside, Changes, FeedbackEvent, LastCommit, LearnedTerm, LocalName, Neighborhood, Relation, SourceFile,
    Users, Vote, WatchTargets,
};
use crate::exchange::{Exchange, RequestRecord};
use crate::model::{ContextPack, PackedSymbol, Symbol, SymbolId, Task};

/// A result whose error is a message for the user.
pub type Answer<T> = Result<T, String>;

/// A repository. It is shared by the threads; each opens its own reader or writer.
pub trait Backend: Send + Sync {
    /// Returns the status of the index without updating it; cheap.
    fn status(&self) -> Answer<Status>;
    /// Updates the index. Waits for another process that builds the first one. `progress` may be called from any thread.
    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed>;
    /// Opens a reader of the current index.
    fn reader(&self) -> Answer<Box<dyn Reader>>;
    /// Returns the folders to watch for changes.
    fn watch_targets(&self) -> Answer<WatchTargets>;
    /// Opens a writer of feedback.
    fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>>;
    /// Reads a file of the repository, by its path relative to the root.
    fn source(&self, file: &str) -> Answer<SourceFile>;
    /// Returns the folders by which the paths on the screen are opened.
    fn roots(&self) -> Roots;
    /// Returns the exchange of each repository with coding agents.
    fn exchanges(&self) -> Vec<Exchange> {
        Vec::new()
    }
}

/// Ranks and answers questions on one version of the index.
pub trait Reader {
    /// Returns the best lexical matches, best first; must be fast.
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>>;
    /// Ranks a task and packs it. Returns `None` once `cancelled` returns true.
    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>>;
    /// Answers a question.
    fn ask(&mut self, topic: &Topic) -> Answer<Response>;
}

/// The response to a question; one variant for each topic.
#[derive(Debug, Clone)]
pub enum Response {
    Concepts(Vec<MatchedConcept>),
    Text(Written),
    Examples(Examples),
    Beside(Beside),
    Why(Box<Explained>),
    LastCommit(Option<LastCommit>),
    Neighborhood(Neighborhood),
    Uses(Vec<Relation>),
    Users(Users),
    Definitions(Vec<Relation>),
    /// The answer about a name that has no definition: it is local.
    Local(LocalName),
    Symbols(Vec<Symbol>),
    Files(Vec<String>),
    DirtyFiles(Vec<String>),
    Bases(Vec<Base>),
    Changes(Changes),
    Repositories(Vec<RepositoryStatus>),
    /// In the order of the question; `None` for a symbol that was not found.
    Relocated(Vec<Option<Symbol>>),
}

/// One of the repositories that the explorer shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryStatus {
    /// The first folder of its paths on the screen; its id if there is only one repository.
    pub label: String,
    pub id: String,
    pub root: String,
    pub files: usize,
    pub symbols: usize,
    /// The checked-out commit of the index's last change, in hexadecimal; empty without git.
    pub commit: String,
    /// The time since the index last changed.
    pub changed: Option<Duration>,
    /// A sentence about the index that it began from, and the time since; `None` if it was built from the files.
    pub began_from: Option<(String, Duration)>,
    /// Symbols of the last pack that are of it, and their tokens.
    pub packed: usize,
    pub tokens: usize,
    /// The probability that the task is about it, in percent.
    pub probability: u8,
}

/// Example tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examples {
    /// The tasks found so far, by the reader of one version of the index.
    pub tasks: Vec<String>,
    /// Whether no more will be found. Otherwise the next question continues the search.
    pub is_complete: bool,
}

/// Writes and reads feedback.
pub trait FeedbackWriter {
    /// Carries out a record.
    fn record(&mut self, record: &Record) -> Answer<Recorded>;
}

/// The result of a record.
#[derive(Debug, Clone)]
pub enum Recorded {
    Done,
    /// A vote was recorded; these words of the task have come to mean the symbol.
    Voted {
        learned: Vec<String>,
    },
    /// A use was recorded as this event of the journal.
    Used {
        event: i64,
    },
    Votes(Vec<(SymbolId, Vote)>),
    Journal(Journal),
    Agent(AgentAnswer),
}

/// The result of an [`AgentJob`](super::effect::AgentJob).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentAnswer {
    /// Whether agents' packs follow: a task without keywords has no steering.
    Steered(bool),
    /// The pins and drops are those of this branch.
    OnBranch(String),
    /// The pins and drops are those of the task.
    OnTask,
    Steering {
        pinned: BTreeSet<SymbolId>,
        dropped: BTreeSet<SymbolId>,
    },
    Sent,
    /// Whether the pack was still waiting.
    TakenBack(bool),
}

/// The feedback journal.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    /// Oldest first.
    pub events: Vec<FeedbackEvent>,
    pub learned_terms: Vec<LearnedTerm>,
}

/// News of the exchange with coding agents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentNews {
    /// New requests with their ages, oldest first.
    pub requests: Vec<(RequestRecord, Duration)>,
    /// New lines of the journal that can't be read.
    pub damaged_lines: usize,
    /// Whether a sent pack waits for an agent.
    pub is_pack_waiting: bool,
    /// The reason why something else can't be read.
    pub error: Option<String>,
}

/// The status of the index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    pub repository: String,
    pub files: usize,
    pub symbols: usize,
    /// The folders of several repositories; empty for one.
    pub folders: Vec<String>,
    /// Why nothing is indexed and what to do; `None` if a file is indexed.
    pub nothing_indexed: Option<String>,
    /// Whether there is a complete index.
    pub usable: bool,
    /// Says which folders were deleted or renamed; `None` if all are there.
    pub gone: Option<String>,
}

/// The phase in which the first index is built by another process.
pub const WAITING: &str = "wait";

/// The progress of an update of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The name of the phase, such as `parse`, or [`WAITING`].
    pub phase: &'static str,
    pub done: usize,
    /// Zero if unknown.
    pub total: usize,
}

/// The result of an update of the index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Indexed {
    pub status: Status,
    /// Whether the update changed the index.
    pub changed: bool,
    /// A sentence about each repository that could not be updated, while others were.
    pub problems: Vec<String>,
}
