//! What the explorer asks of the program beneath it: one repository, its index, and rankings from it.

use std::path::PathBuf;

use super::effect::{Record, Topic};
use super::model::concepts::MuteEffect;
use super::model::export::Written;
use super::panes::why::{Counterfactual, Explained};
use crate::engine::classes::FiredClass;
use crate::engine::{Act, LearnedWord, Neighborhood, Relation, SourceFile, Vote};
use crate::model::{ContextPack, PackedSymbol, Symbol, SymbolId, Task};

/// Errors reach the user as a line of words, so words are all they carry here.
pub type Answer<T> = Result<T, String>;

/// One repository. Shared by the threads; each opens what it needs for itself.
pub trait Workspace: Send + Sync {
    /// What is known without indexing; cheap.
    fn status(&self) -> Answer<Status>;
    /// Brings the index up to date; progress may be told from any thread.
    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed>;
    /// A reader of the index as it is now.
    fn reader(&self) -> Answer<Box<dyn Reader>>;
    /// What to watch, so that the index can follow the files.
    fn watched(&self) -> Answer<Watched>;
    /// Whoever writes down what the user teaches.
    fn scribe(&self) -> Answer<Box<dyn Scribe>>;
    /// A file of the repository, by its path relative to the root.
    fn source(&self, file: &str) -> Answer<SourceFile>;
}

/// Ranks against one state of the index.
pub trait Reader {
    /// The best matches by words alone, best first; must be fast.
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>>;
    /// The whole retrieval; gives up early, with nothing, once `cancelled` says so.
    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>>;
    /// The answer to a question.
    fn ask(&mut self, topic: &Topic) -> Answer<Finding>;
}

/// The folders that hold indexed files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watched {
    pub root: PathBuf,
    /// Each by itself, without those below it.
    pub folders: Vec<PathBuf>,
    /// The index's own file: its changes are not news.
    pub database: PathBuf,
}

/// The answer to a question; one variant for each topic.
#[derive(Debug, Clone)]
pub enum Finding {
    Classes(Vec<FiredClass>),
    Text(Written),
    Examples(Vec<String>),
    Why(Box<Explained>),
    Versus(Box<Explained>),
    Otherwise(Vec<Counterfactual>),
    Without(MuteEffect),
    Around(Neighborhood),
    Uses(Vec<Relation>),
    Users(Vec<Relation>),
    Symbols(Vec<Symbol>),
    Files(Vec<String>),
    Bases(Vec<String>),
    /// In the order of the question; none for a symbol that is gone.
    Again(Vec<Option<Symbol>>),
}

/// Writes down what the user teaches, and reads it back.
pub trait Scribe {
    /// Does what the record says.
    fn record(&mut self, record: &Record) -> Answer<Recorded>;
}

/// What comes back of a record.
#[derive(Debug, Clone)]
pub enum Recorded {
    Done,
    Votes(Vec<(SymbolId, Vote)>),
    Journal(Journal),
}

/// What was taught so far.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    /// Oldest first.
    pub acts: Vec<Act>,
    pub words: Vec<LearnedWord>,
}

/// What is known about the repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    pub repository: String,
    pub files: usize,
    pub symbols: usize,
    /// False before the first index is complete.
    pub usable: bool,
}

/// One step of indexing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The phase's name, such as `parse`.
    pub phase: &'static str,
    pub done: usize,
    /// Zero when it is not known.
    pub total: usize,
}

/// How indexing ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Indexed {
    pub status: Status,
    /// False when the index was already up to date.
    pub changed: bool,
}
