//! Votes, pins, drops and muted concepts, and their undo history.

use std::collections::{HashMap, HashSet};

use super::edits::Snapshot;
use super::task::{EntryPoint, TaskEntry};
use super::trail::Trail;
use crate::engine::Vote;
use crate::model::{Options, Symbol, SymbolId};
use crate::tui::panes::pack::PackList;
use crate::tui::view::text::count;

/// Whether a symbol is pinned or dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinState {
    /// The ranking decides.
    Neither,
    /// Always in the pack.
    Pinned,
    /// Never in the pack.
    Dropped,
}

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq)]
pub enum UndoEntry {
    Vote {
        task: String,
        symbol: Symbol,
        before: Vote,
        after: Vote,
    },
    Pin {
        /// The task for which agents get it too; `None` for files and revisions.
        task: Option<String>,
        symbol: Symbol,
        before: PinState,
        after: PinState,
    },
    Mute {
        concept: String,
        muted: bool,
    },
    /// A use that was recorded as this event of the journal.
    Use {
        symbol: Symbol,
        event: i64,
        counts: bool,
    },
    /// Symbols for the next pack of an agent.
    Sent {
        task: String,
        symbols: Vec<Symbol>,
        is_sent: bool,
    },
    /// Another task with its options.
    Task {
        before: Box<TaskState>,
        after: Box<TaskState>,
    },
    /// Changes of several symbols by one key.
    Batch(Vec<UndoEntry>),
}

/// A task as it can be brought back.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskState {
    pub line: Snapshot,
    pub options: Options,
    pub trail: Trail,
}

impl TaskState {
    /// Returns the present task.
    pub fn new(task: &TaskEntry) -> TaskState {
        TaskState { line: task.snapshot(), options: task.options.clone(), trail: task.trail.clone() }
    }

    /// Makes this the task.
    pub fn restore(&self, task: &mut TaskEntry) {
        task.replace(self.line.entry_point.clone(), self.line.input());
        task.options.clone_from(&self.options);
        task.trail.clone_from(&self.trail);
    }

    /// Returns whether there is nothing to rank for.
    pub fn is_empty(&self) -> bool {
        self.line.entry_point == EntryPoint::Text && self.line.text.trim().is_empty()
    }
}

impl UndoEntry {
    /// Returns the change that undoes it.
    pub fn inverse(self) -> UndoEntry {
        match self {
            UndoEntry::Vote { task, symbol, before, after } => {
                UndoEntry::Vote { task, symbol, before: after, after: before }
            }
            UndoEntry::Pin { task, symbol, before, after } => {
                UndoEntry::Pin { task, symbol, before: after, after: before }
            }
            UndoEntry::Sent { task, symbols, is_sent } => UndoEntry::Sent { task, symbols, is_sent: !is_sent },
            UndoEntry::Mute { concept, muted } => UndoEntry::Mute { concept, muted: !muted },
            UndoEntry::Use { symbol, event, counts } => UndoEntry::Use { symbol, event, counts: !counts },
            UndoEntry::Task { before, after } => UndoEntry::Task { before: after, after: before },
            UndoEntry::Batch(entries) => UndoEntry::Batch(entries.into_iter().map(UndoEntry::inverse).collect()),
        }
    }
}

impl UndoEntry {
    /// Returns whether it is a change from this task to another one.
    pub fn is_from(&self, state: &TaskState) -> bool {
        matches!(self, UndoEntry::Task { before, .. } if **before == *state)
    }

    /// Returns whether it is a change from another task to this one.
    pub fn is_to(&self, state: &TaskState) -> bool {
        matches!(self, UndoEntry::Task { after, .. } if **after == *state)
    }

    /// Returns the symbol that was changed; `None` for a concept and for several symbols.
    pub fn symbol(&self) -> Option<&Symbol> {
        match self {
            UndoEntry::Vote { symbol, .. } | UndoEntry::Pin { symbol, .. } | UndoEntry::Use { symbol, .. } => {
                Some(symbol)
            }
            UndoEntry::Mute { .. } | UndoEntry::Sent { .. } | UndoEntry::Task { .. } | UndoEntry::Batch(_) => None,
        }
    }
}

/// A change and the list before it, to describe the effect once the next ranking arrives.
#[derive(Debug, Clone)]
pub struct PendingEffect {
    pub change: UndoEntry,
    /// Ranks before the change.
    before: HashMap<SymbolId, usize>,
    /// Words of the task that the change made mean the symbol.
    pub learned: Vec<String>,
}

/// The state of a pack that was sent to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delivery {
    /// There is none.
    #[default]
    Nothing,
    Waiting,
    /// An agent took it; its request is not in the journal yet.
    Taken,
}

/// The feedback of the session.
#[derive(Debug, Clone, Default)]
pub struct Feedback {
    /// The votes that apply to the task.
    pub votes: HashMap<SymbolId, Vote>,
    /// The task whose votes were last requested.
    pub votes_task: String,
    /// Votes that are not in the store yet; until they are, votes read from it are outdated.
    pub writing: usize,
    /// Changes to undo, oldest first.
    pub done: Vec<UndoEntry>,
    /// Changes to redo, the last undone last.
    pub undone: Vec<UndoEntry>,
    pub pending: Option<PendingEffect>,
    /// Whether editing and copying are not recorded as use.
    pub ignores_use: bool,
    /// Symbols with a recorded use, by task: further uses change nothing.
    pub used: HashSet<(String, SymbolId)>,
    /// Symbols at which the user's editor is open, each with the task for which it was opened.
    pub in_editor: Vec<(Option<String>, Symbol)>,
    /// Whether the next message of a copy says that it counts as useful.
    pub announces_use: bool,
    /// The message about the last change that can be undone.
    pub announced: String,
    /// The message about the last edit that counts as useful. The message about the change of the file does not replace it.
    pub announced_edit: String,
    /// The state of the pack sent to agents.
    pub delivery: Delivery,
}

impl Feedback {
    /// Returns the vote on a symbol; `Clear` when there is none.
    pub fn vote(&self, id: SymbolId) -> Vote {
        self.votes.get(&id).copied().unwrap_or(Vote::Clear)
    }

    /// Returns the mark of a symbol: that of its pin or drop, else that of its vote, else `none`.
    pub fn mark(&self, id: SymbolId, task: &TaskEntry, none: &'static str) -> &'static str {
        [Feedback::pin_mark(id, task), self.vote_mark(id)].into_iter().find(|mark| !mark.is_empty()).unwrap_or(none)
    }

    /// Returns `*` for a pinned symbol, `x` for a dropped one, else nothing.
    pub fn pin_mark(id: SymbolId, task: &TaskEntry) -> &'static str {
        match task.pin_state(id) {
            PinState::Pinned => "*",
            PinState::Dropped => "x",
            PinState::Neither => "",
        }
    }

    /// Returns `+` for a symbol voted useful, `-` for one voted not useful, else nothing.
    pub fn vote_mark(&self, id: SymbolId) -> &'static str {
        match self.vote(id) {
            Vote::Useful => "+",
            Vote::NotUseful => "-",
            Vote::Clear => "",
        }
    }

    /// Sets the vote on a symbol.
    pub fn set_vote(&mut self, id: SymbolId, vote: Vote) {
        match vote {
            Vote::Clear => self.votes.remove(&id),
            _ => self.votes.insert(id, vote),
        };
    }
}

impl PendingEffect {
    /// Records the list before a change.
    pub fn new(change: UndoEntry, pack: &PackList) -> PendingEffect {
        let ranked = pack.symbols.iter().zip(&pack.ranks);
        PendingEffect {
            change,
            before: ranked.map(|(packed, rank)| (packed.symbol.id, *rank)).collect(),
            learned: Vec::new(),
        }
    }

    /// Describes the change and its effect, given the list after it.
    pub fn summary(&self, pack: &PackList, arrow: &str, dot: &str) -> String {
        let mut words = vec![describe(&self.change, pack)];
        if let UndoEntry::Vote { symbol, .. } | UndoEntry::Use { symbol, .. } = &self.change {
            words.extend(self.rank_change(symbol.id, pack, arrow));
            words.extend(self.lesson(&symbol.name));
        }
        words.join(&format!(" {dot} "))
    }

    /// Describes what was learned for other tasks.
    fn lesson(&self, name: &str) -> Option<String> {
        const MAX_WORDS: usize = 2;
        let named: Vec<String> = self.learned.iter().take(MAX_WORDS).map(|word| format!("\"{word}\"")).collect();
        let verb = if named.len() == 1 { "means" } else { "mean" };
        (!named.is_empty()).then(|| format!("{} now also {verb} {name} here", named.join(" and ")))
    }

    fn rank_change(&self, id: SymbolId, pack: &PackList, arrow: &str) -> Option<String> {
        let old = self.before.get(&id)?;
        let new = pack.ranks[pack.index_of(id)?];
        Some(if *old == new { format!("stays #{new}") } else { format!("#{old} {arrow} #{new}") })
    }
}

/// Describes a change, given the list after it.
fn describe(change: &UndoEntry, pack: &PackList) -> String {
    match change {
        UndoEntry::Vote { symbol, after, .. } => format!("{} {}", symbol.name, vote_state(*after)),
        UndoEntry::Pin { symbol, before, after, .. } => match pack.index_of(symbol.id) {
            Some(index) if *after == PinState::Pinned && !pack.is_packed(index) => {
                format!("{} kept, but its {} tokens do not fit", symbol.name, pack.symbols[index].tokens)
            }
            _ => format!("{} {}", symbol.name, pin_state(*before, *after)),
        },
        UndoEntry::Sent { symbols, is_sent, .. } => {
            format!("{} {}", count(symbols.len(), "symbol"), if *is_sent { "sent" } else { "taken back" })
        }
        UndoEntry::Mute { concept, muted } => format!("{concept} {}", if *muted { "muted" } else { "unmuted" }),
        UndoEntry::Use { symbol, counts, .. } => {
            let state = if *counts { "counts again as useful" } else { "no longer counts as useful" };
            format!("copying or editing {} {state}", symbol.name)
        }
        UndoEntry::Task { .. } => "another task".to_owned(),
        UndoEntry::Batch(changes) => match changes.as_slice() {
            [only] => describe(only, pack),
            [UndoEntry::Vote { after: Vote::Clear, .. }, ..] => format!("{} votes cleared", changes.len()),
            changes => format!("{} symbols {}", changes.len(), changes.first().map_or("", state)),
        },
    }
}

/// Describes the change of a vote, a pin or a drop without its symbol.
fn state(change: &UndoEntry) -> &'static str {
    match change {
        UndoEntry::Vote { after, .. } => vote_state(*after),
        UndoEntry::Pin { before, after, .. } => pin_state(*before, *after),
        _ => "changed",
    }
}

fn vote_state(vote: Vote) -> &'static str {
    match vote {
        Vote::Useful => "useful",
        Vote::NotUseful => "not useful",
        Vote::Clear => "vote cleared",
    }
}

fn pin_state(before: PinState, after: PinState) -> &'static str {
    match (after, before) {
        (PinState::Pinned, _) => "kept",
        (PinState::Dropped, _) => "dropped",
        (PinState::Neither, PinState::Dropped) => "restored",
        (PinState::Neither, _) => "no longer kept",
    }
}
