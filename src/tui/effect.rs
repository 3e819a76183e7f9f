//! Effects: requests of the update to the main loop and the workers.

use std::mem::discriminant;
use std::path::PathBuf;

use super::model::export::Form;
use super::model::feedback::PinState;
use super::panes::source::SourceLocation;
use super::session::SavedTask;
use crate::engine::{EventKind, Vote};
use crate::model::{NodeId, Symbol, SymbolId, Task};
use crate::render::diagram::DiagramFormat;

/// A request to the main loop or to a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Search(SearchRequest),
    /// Cancel the searches of older generations.
    StopSearch {
        generation: u64,
    },
    Preview(PreviewRequest),
    /// Ask the reader.
    Ask(Question),
    /// Record or read feedback.
    Record(Record),
    /// Update the index.
    Index,
    /// Open the user's editor and wait until it exits.
    Edit {
        file: String,
        line: usize,
    },
    /// Open the user's editor at several lines of files.
    EditMarked(Vec<(String, usize)>),
    /// Copy a text to the clipboard; `what` names it in the message.
    Copy {
        what: String,
        text: String,
    },
    /// Write a text to a new file.
    Write {
        path: PathBuf,
        what: String,
        text: String,
    },
    /// Add the task to the history.
    Remember(String),
    /// Save a trail under its name, or delete it.
    SaveTrail {
        name: String,
        trail: Option<Box<SavedTask>>,
    },
    /// Edit the task in the user's editor.
    Compose(String),
    /// Switch mouse reports on or off.
    Mouse(bool),
    /// Load the theme with this name.
    Theme(String),
    /// Reload the settings.
    Reload,
    Suspend,
    /// Redraw every cell.
    Redraw,
    Quit,
}

/// A request for a ranking. A newer one replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    pub generation: u64,
    pub index_version: u64,
    pub task: Task,
    pub depth: Depth,
}

/// The completeness of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Lexical matches.
    Lexical,
    /// The full ranking.
    Full,
}

/// A request for a file of the source pane. A newer one replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewRequest {
    pub generation: u64,
    pub location: SourceLocation,
    /// Cached files of older versions are dropped.
    pub index_version: u64,
}

/// A question to the reader. A newer one of the same topic replaces it, except for a text: it is asked for to be
/// delivered, not shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The number of the answer.
    pub number: u64,
    pub index_version: u64,
    pub topic: Topic,
}

impl Question {
    /// Returns whether an earlier question needs no answer any more.
    pub fn supersedes(&self, earlier: &Question) -> bool {
        !matches!(earlier.topic, Topic::Text(_)) && discriminant(&self.topic) == discriminant(&earlier.topic)
    }
}

/// The topic of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Topic {
    /// The concepts that a task matches, with their symbols.
    Concepts { task: Task },
    /// The symbols that likely change with the first ones of a task, and the sections of documents that answer it.
    Beside { task: Task },
    /// The explanation of a symbol's rank in the last ranking.
    Why(Node),
    /// The commit that last changed the lines of a symbol.
    LastCommit(Node),
    /// The neighborhood of a symbol.
    Neighborhood(NeighborhoodRequest),
    /// The symbols that a definition uses.
    Uses(Node),
    /// The symbols that use a symbol.
    Users(Node),
    /// The definitions that a word in a line of a file may refer to, and for a plain name in code, what it is local to.
    Definitions { word: String, file: String, line: u32, is_plain: bool },
    /// Symbols whose names match these letters fuzzily.
    Symbols(String),
    /// Example tasks generated from the repository.
    Examples,
    /// A text to export.
    Text(TextRequest),
    /// Files whose paths match fuzzily.
    Files { needle: String },
    /// Indexed files with uncommitted changes.
    DirtyFiles,
    /// Revisions that the working tree can be compared with.
    Bases,
    /// The changes since a revision.
    Changes { base: String },
    /// The repositories, with the age and origin of their indexes and their shares of the last pack.
    Repositories,
    /// The present versions of symbols of an earlier index.
    Relocate(Vec<Symbol>),
}

/// The extent of a neighborhood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeighborhoodRequest {
    pub root: Node,
    /// Distance from the root below which nodes have children.
    pub hops: u32,
    /// Nodes with children at any distance, with the limit of their children.
    pub wider: Vec<(Node, usize)>,
}

/// A request for a text.
#[derive(Debug, Clone, PartialEq)]
pub enum TextRequest {
    /// The pack of a task, within its budget as this format counts tokens.
    Pack { task: Task, form: Form },
    /// The source of one symbol.
    Body { symbol: Symbol },
    /// The neighborhood of a symbol as a diagram for Markdown.
    Diagram(NeighborhoodRequest, DiagramFormat),
}

/// A symbol by its node id, which is valid in one version of the index, and its identity to check that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub number: NodeId,
    pub id: SymbolId,
}

impl From<&Symbol> for Node {
    fn from(symbol: &Symbol) -> Node {
        Node { number: symbol.node, id: symbol.id }
    }
}

/// Feedback to record, or a question about recorded feedback.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A vote, and the vote that it replaces.
    Vote { task: String, symbol: Box<Symbol>, before: Vote, after: Vote },
    /// A symbol was used.
    Used { task: String, symbol: Box<Symbol>, how: EventKind },
    /// Reads the votes for a task.
    Votes { task: String },
    /// Reads the journal and the learned terms.
    Journal,
    /// Undoes or redoes an entry of the journal.
    SetUndone { entry: i64, undone: bool },
    /// Forgets a learned term for symbols of this name.
    Forget { keyword: String, symbol: String },
    /// Changes what agents get.
    Agent(AgentJob),
}

/// A change of what coding agents get, or a question about it.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentJob {
    /// Pins or drops a symbol in agents' packs for a task, or does neither.
    Steer { task: String, symbol: Box<Symbol>, state: PinState },
    /// Moves these pins and drops from the task to the branch, or back.
    SteerBranch { task: String, pinned: Vec<Symbol>, dropped: Vec<Symbol> },
    /// Reads the pins and drops that apply to a task.
    Steering { task: String },
    /// Adds these symbols to the next pack of an agent.
    Send { task: String, symbols: Vec<Symbol> },
    /// Takes back these symbols unless an agent has them.
    TakeBack { symbols: Vec<Symbol> },
}
