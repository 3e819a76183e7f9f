//! The journal: what users did, one entry for each act.

use serde::{Deserialize, Serialize};

use super::Cluster;
use crate::model::SymbolId;

/// A symbol that something was learned about, and the state of its package at that time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    pub id: SymbolId,
    pub qualified_name: String,
    /// The file, or the folder of a Go package.
    pub package: String,
    /// What the package's source hashed to.
    pub package_root: [u8; 32],
}

/// What a user says of a symbol for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vote {
    Useful,
    NotUseful,
    /// Takes the earlier votes back, those of other sessions too.
    Clear,
}

impl Subject {
    /// True when the symbol is one of this repository: elsewhere, also in a copy of another name, nothing has its identity.
    pub fn is_of(&self, repository: &str) -> bool {
        self.qualified_name.split_once("://").is_some_and(|(own, _)| own == repository)
    }

    /// The symbol's name without the repository.
    pub fn short_name(&self) -> &str {
        self.qualified_name.split_once("://").map_or(&self.qualified_name, |(_, rest)| rest)
    }
}

impl Vote {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Vote::Useful => "useful",
            Vote::NotUseful => "not_useful",
            Vote::Clear => "clear",
        }
    }
}

/// What kind of act an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActKind {
    /// The user said so.
    Vote,
    /// The symbol's source was opened.
    Open,
    /// The symbol was opened in an editor.
    Edit,
    Copy,
    Export,
    /// Shown among the first while others were used.
    PassedOver,
    /// Learned words were brought in.
    Words,
    /// Learned words were forgotten.
    Forget,
}

impl ActKind {
    /// Every kind.
    pub const ALL: [ActKind; 8] = [
        ActKind::Vote,
        ActKind::Open,
        ActKind::Edit,
        ActKind::Copy,
        ActKind::Export,
        ActKind::PassedOver,
        ActKind::Words,
        ActKind::Forget,
    ];

    /// The name used in output and in the store.
    pub fn name(self) -> &'static str {
        match self {
            ActKind::Vote => "vote",
            ActKind::Open => "open",
            ActKind::Edit => "edit",
            ActKind::Copy => "copy",
            ActKind::Export => "export",
            ActKind::PassedOver => "passed_over",
            ActKind::Words => "words",
            ActKind::Forget => "forget",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<ActKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True for what nobody said: it was seen from how the program was used.
    pub fn is_implicit(self) -> bool {
        self.is_use() || self == ActKind::PassedOver
    }

    /// True for what shows that a symbol was of use.
    pub fn is_use(self) -> bool {
        matches!(self, ActKind::Open | ActKind::Edit | ActKind::Copy | ActKind::Export)
    }

    /// How much one such act says beside a vote.
    pub fn weight(self) -> f64 {
        match self {
            ActKind::Vote | ActKind::Words | ActKind::Forget => 1.0,
            // To edit or to copy is to have chosen; to open may be to look and turn away.
            ActKind::Edit | ActKind::Copy => 0.5,
            ActKind::Open | ActKind::Export => 0.3,
            ActKind::PassedOver => 0.1,
        }
    }
}

/// What one act says of one symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub subject: Subject,
    pub vote: Vote,
}

/// A learned word that came from elsewhere, or, with no observations, one that is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub keyword: String,
    pub subject: Subject,
    pub observations: u32,
}

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// Its number in the journal, later ones greater.
    pub id: i64,
    /// The number of the first of the entries that were made, and are undone, together.
    pub batch: i64,
    /// Seconds since 1970.
    pub at: i64,
    pub session: String,
    pub kind: ActKind,
    /// As the user wrote it; empty for words.
    pub task: String,
    pub cluster: Cluster,
    pub undone: bool,
    pub judgements: Vec<Judgement>,
    pub words: Vec<Word>,
}
