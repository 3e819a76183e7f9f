//! What an update asks the outside world to do.

use std::path::PathBuf;

use super::model::export::Form;
use super::model::source::Place;
use crate::engine::{EgoRequest, EventKind, Vote};
use crate::model::{Symbol, SymbolId, Task};

/// One request to the outside world.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Search(SearchRequest),
    /// Give up whatever is ranked for older generations.
    StopSearch {
        generation: u64,
    },
    Preview(PreviewRequest),
    /// Ask the reader something besides the ranking.
    Ask(Question),
    /// Write down what the user teaches.
    Record(Record),
    /// Bring the index up to date.
    Index,
    /// Open the user's editor and wait for it.
    Edit {
        file: String,
        line: usize,
    },
    /// Put text where the user can paste it; `what` it is, in words.
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
    /// Let the user write the task in their editor.
    Compose(String),
    /// Take the mouse's reports, or leave the mouse to the terminal.
    Mouse(bool),
    /// Find the theme of this name.
    Theme(String),
    /// Read the settings again.
    Reload,
    Suspend,
    /// Draw every cell again.
    Redraw,
    Quit,
}

/// What to rank. Only the newest request matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    pub generation: u64,
    pub index_version: u64,
    pub task: Task,
    pub depth: Depth,
}

/// How much of the retrieval is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Matches by words, at once.
    Lexical,
    /// Everything.
    Full,
}

/// Which definition to show. Only the newest request matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewRequest {
    pub generation: u64,
    pub place: Place,
    /// Changes when files may have: older copies of them are forgotten.
    pub index_version: u64,
}

/// A question to the reader. Of each topic only the newest matters.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What the answer is recognized by.
    pub number: u64,
    pub index_version: u64,
    pub topic: Topic,
}

/// What can be asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Topic {
    /// The classes that a task fires, and what they lead to.
    Classes { task: Task },
    /// A symbol's place in the last ranking.
    Why(Node),
    /// The same of a second symbol, to compare with.
    Versus(Node),
    /// Where a symbol would stand without each of these classes, and with a vote for it or against it.
    Otherwise { task: Task, node: Node, concepts: Vec<String> },
    /// What of the ranking would be otherwise without this class.
    Without { task: Task, concept: String },
    /// The graph around a symbol.
    Around(EgoRequest),
    /// What a symbol's definition uses.
    Uses(Node),
    /// What uses a symbol.
    Users(Node),
    /// Symbols by the letters of their names.
    Symbols(String),
    /// Tasks made from the repository itself.
    Examples,
    /// A text to give out.
    Text(TextRequest),
    /// Files whose paths are like this.
    Files { needle: String },
    /// What the working tree can be compared with.
    Bases,
    /// These symbols of an earlier state of the index, as they are now.
    Again(Vec<Symbol>),
}

/// What can be given out.
#[derive(Debug, Clone, PartialEq)]
pub enum TextRequest {
    /// The pack of a task in this form, within its budget as this form counts.
    Pack { task: Task, form: Form },
    /// The source of one symbol.
    Body { symbol: Symbol },
}

/// A symbol by its number, which only one state of the index has, and its identity, which tells whether that one is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub number: u32,
    pub id: SymbolId,
}

impl From<&Symbol> for Node {
    fn from(symbol: &Symbol) -> Node {
        Node { number: symbol.node, id: symbol.id }
    }
}

/// What the user teaches, and what is asked of what was taught.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A vote, and the one that it replaces.
    Vote { task: String, symbol: Box<Symbol>, before: Vote, after: Vote },
    /// A symbol was of use.
    Used { task: String, symbol: Box<Symbol>, how: EventKind },
    /// A task was answered with these symbols.
    Shown { task: String, symbols: Vec<Symbol> },
    /// Which votes stand for a task?
    Votes { task: String },
    /// What was taught so far?
    Journal,
    /// An entry of the journal does not count any more, or counts again.
    TakeBack { entry: i64, undone: bool },
    /// A learned word is forgotten for a symbol of this name.
    Forget { keyword: String, symbol: String },
}
