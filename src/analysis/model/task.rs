//! Tasks and their options.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::SymbolId;

/// The input of the retrieval pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A task in natural language.
    Task(String),
    /// Changed files, as paths relative to the repository's root.
    Files(Vec<String>),
    /// A branch, tag or commit to compare the working tree with.
    PullRequest(String),
}

/// A request with its token budget and options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub request: Request,
    /// Maximum size of the pack, in cl100k_base tokens of the rendered text.
    pub budget_tokens: usize,
    pub options: Options,
}

/// The intent of a task; some ranking weights depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Understand how something works: the symbols that an expert would name.
    Explore,
    /// Find the code to change: the symbols that the real change touched.
    Locate,
}

impl Intent {
    /// Every intent.
    pub const ALL: [Intent; 2] = [Intent::Explore, Intent::Locate];

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Intent::Explore => "explore",
            Intent::Locate => "locate",
        }
    }
}

/// Changes to a ranking: components to leave out, concepts to mute, symbols to pin or drop, and hypothetical votes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Components by their names, and channels as `channel:NAME`, that are left out.
    pub without: BTreeSet<String>,
    /// Concepts that are ignored: names of concepts, or of layers or seed files for all of theirs.
    pub muted_concepts: BTreeSet<String>,
    /// Symbols at the top of the pack, whatever their score, as far as they fit the budget.
    pub pinned: BTreeSet<SymbolId>,
    /// Symbols that are never in the pack.
    pub dropped: BTreeSet<SymbolId>,
    /// Votes (useful or not) that count in this ranking as if they were recorded for its task.
    pub hypothetical_votes: BTreeMap<SymbolId, bool>,
    /// Whether features that contribute nothing are computed, too, for fitting a model.
    pub every_feature: bool,
    /// The intent of the task; `None` if the form of its text decides.
    pub intent: Option<Intent>,
    /// The detail of the text for agents.
    pub detail: Detail,
    /// Whether documents are asked for: they are listed first, and more of them.
    pub documents: bool,
    /// The symbols that its reader has seen, which are not shown again.
    pub seen: BTreeMap<SymbolId, Seen>,
}

/// The part of a symbol that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seen {
    pub start_line: u32,
    pub end_line: u32,
    /// A hash of the definition; `None` if only its place was shown.
    pub source: Option<u64>,
}

/// The detail of the text for agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// The symbols that are likely to matter: less than the budget where the ranking is sure.
    #[default]
    Short,
    /// As much as fits the budget.
    More,
}

impl Options {
    /// Returns whether a concept is muted under any of its names.
    pub fn mutes(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.muted_concepts.contains(*name))
    }
}

impl Task {
    /// Default budget of every request.
    pub const DEFAULT_BUDGET: usize = 8_000;

    /// Returns a task in natural language with the default budget.
    pub fn from_text(text: impl Into<String>) -> Task {
        let request = Request::Task(text.into());
        Task { request, budget_tokens: Self::DEFAULT_BUDGET, options: Options::default() }
    }
}
