//! What the user asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::SymbolId;

/// One of the three ways into the retrieval pipeline (SPEC §6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A task in plain words.
    Task(String),
    /// Changed files, as paths relative to the repository's root.
    Files(Vec<String>),
    /// A branch, tag or commit to compare the working tree with.
    PullRequest(String),
}

/// A request and how much may be spent on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub request: Request,
    /// The pack's size limit, in cl100k_base tokens of the rendered text.
    pub budget_tokens: usize,
    pub options: Options,
}

/// What a task asks for (SPEC §12): the two pull the weights of the ranking apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// What an expert would name.
    #[serde(rename = "orientation")]
    Explore,
    /// What a real change touched.
    #[serde(rename = "localization")]
    Locate,
}

impl Intent {
    pub const ALL: [Intent; 2] = [Intent::Explore, Intent::Locate];

    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Intent::Explore => "orientation",
            Intent::Locate => "localization",
        }
    }
}

/// A complete set of numbers for the ranking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// The best that was found.
    #[default]
    Default,
    /// What the documents of the earlier system describe (SPEC §6.5).
    Reference,
}

impl Preset {
    pub const ALL: [Preset; 2] = [Preset::Default, Preset::Reference];

    /// As users name it.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Reference => "reference",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// By what a ranking is made and without what, and what a pack must or must not have: how the explorer, `why` and
/// evaluations learn what something is worth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Options {
    pub preset: Preset,
    /// Parts of the preset that are left out: components by their names, channels as `channel:NAME`.
    pub without: BTreeSet<String>,
    /// Equivalence classes that count for nothing: concepts, or names of layers or seed files for all of theirs.
    pub muted_classes: BTreeSet<String>,
    /// Symbols that the pack has first, whatever their score, as far as they fit the budget.
    pub pinned: BTreeSet<SymbolId>,
    /// Symbols that the pack never has.
    pub dropped: BTreeSet<SymbolId>,
    /// Votes that count for this ranking as if they had been given for its task: useful or not.
    pub supposed_votes: BTreeMap<SymbolId, bool>,
}

impl Options {
    /// True when a class counts for nothing, by any of its names.
    pub fn mutes(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.muted_classes.contains(*name))
    }
}

impl Task {
    /// Budget for tasks and files when none is given (SPEC §6).
    pub const DEFAULT_BUDGET: usize = 50_000;
    /// Budget for pull requests when none is given (SPEC §6).
    pub const PULL_REQUEST_BUDGET: usize = 8_000;

    /// A task in plain words with the default budget.
    pub fn words(text: impl Into<String>) -> Task {
        let request = Request::Task(text.into());
        Task { request, budget_tokens: Self::DEFAULT_BUDGET, options: Options::default() }
    }
}
