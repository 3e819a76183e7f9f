//! The task line, the token budget and the options of the ranking.

use tui_input::Input;

use super::Focus;
use super::edits::{EditKind, Edits, Snapshot};
use super::feedback::{PinState, TaskState};
use super::trail::Trail;
use crate::model::{Options, Request, Symbol, SymbolId, Task};

/// The origin of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EntryPoint {
    /// The text of the task line.
    #[default]
    Text,
    /// These files.
    Files(Vec<String>),
    /// The changes between this git revision and the working tree.
    Changes(String),
}

impl EntryPoint {
    /// Returns the label for the task line; `None` for a text, which the line shows itself.
    pub fn label(&self) -> Option<String> {
        match self {
            EntryPoint::Text => None,
            EntryPoint::Files(files) => Some(format!("files: {}", files.join(", "))),
            EntryPoint::Changes(base) => Some(changes_label(base)),
        }
    }

    /// Returns whether both are of one kind, so that their rankings can be compared.
    pub fn is_like(&self, other: &EntryPoint) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// Describes the changes since a revision, or those of one commit.
pub fn changes_label(base: &str) -> String {
    let is_hash = |text: &str| text.len() > SHORT_HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match base.strip_suffix("^!") {
        Some(commit) if is_hash(commit) => format!("changes of commit {}", &commit[..SHORT_HASH]),
        Some(commit) => format!("changes of commit {commit}"),
        None if base.contains("..") => format!("changes of {base}"),
        None => format!("changes since {base}"),
    }
}

/// Digits of a hash that are shown.
const SHORT_HASH: usize = 10;

/// The task line.
#[derive(Debug, Clone)]
pub struct TaskEntry {
    pub entry_point: EntryPoint,
    pub input: Input,
    /// Whether several lines were just pasted: their title is shown until the next key.
    pub is_pasted: bool,
    /// Whether the whole text is selected, until the next key: what is typed then replaces it.
    pub is_selected: bool,
    /// The undo history of the line.
    pub edits: Edits,
    pub budget_tokens: usize,
    /// Muted concepts, pinned and dropped symbols.
    pub options: Options,
    /// The kept symbols in the order of reading, with notes.
    pub trail: Trail,
    /// The task before it was edited, until the field is left.
    pub edited: Option<Box<Edited>>,
}

/// A task that is edited.
#[derive(Debug, Clone)]
pub struct Edited {
    pub before: TaskState,
    /// Whether its text was deleted whole: what is typed then is another task.
    pub is_deleted: bool,
}

impl TaskEntry {
    /// Returns the text without surrounding blanks.
    pub fn text(&self) -> &str {
        self.input.value().trim()
    }

    /// Returns the task as feedback is recorded for it; `None` when it is empty.
    pub fn description(&self) -> Option<String> {
        let text = self.label().unwrap_or_else(|| self.text().to_owned());
        Some(text).filter(|text| !text.is_empty())
    }

    /// Returns the label shown instead of the text; `None` when the text is ranked for.
    pub fn label(&self) -> Option<String> {
        self.entry_point.label()
    }

    /// Returns whether the line shows the title of several lines: until they are edited.
    pub fn is_folded(&self, focus: Focus) -> bool {
        (focus != Focus::Task || self.is_pasted || self.is_selected) && self.text().contains('\n')
    }

    /// Returns the line for the undo history.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            entry_point: self.entry_point.clone(),
            text: self.input.value().to_owned(),
            cursor: self.input.cursor(),
        }
    }

    /// Undoes an edit. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let before = self.edits.undo(self.snapshot());
        self.restore(before)
    }

    /// Redoes an edit. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let after = self.edits.redo(self.snapshot());
        self.restore(after)
    }

    fn restore(&mut self, snapshot: Option<Snapshot>) -> bool {
        let Some(snapshot) = snapshot else { return false };
        self.input = snapshot.input();
        self.entry_point = snapshot.entry_point;
        true
    }

    /// Replaces entry point and text as one edit.
    pub fn replace(&mut self, entry_point: EntryPoint, input: Input) {
        let before = self.snapshot();
        (self.entry_point, self.input) = (entry_point, input);
        if self.snapshot() != before {
            self.edits.push(before, EditKind::Many);
        }
    }

    /// Returns whether there is nothing to rank for.
    pub fn is_empty(&self) -> bool {
        self.entry_point == EntryPoint::Text && self.text().is_empty()
    }

    /// Returns whether a symbol is pinned or dropped.
    pub fn pin_state(&self, id: SymbolId) -> PinState {
        match (self.options.pinned.contains(&id), self.options.dropped.contains(&id)) {
            (true, _) => PinState::Pinned,
            (_, true) => PinState::Dropped,
            _ => PinState::Neither,
        }
    }

    /// Keeps or drops a symbol, or does neither.
    pub fn set_pin_state(&mut self, symbol: &Symbol, state: PinState) {
        let id = symbol.id;
        self.trail.set(symbol, state == PinState::Pinned);
        self.options.pinned.remove(&id);
        self.options.dropped.remove(&id);
        match state {
            PinState::Neither => false,
            PinState::Pinned => self.options.pinned.insert(id),
            PinState::Dropped => self.options.dropped.insert(id),
        };
    }

    /// Returns the task for the engine.
    pub fn task(&self) -> Task {
        let request = match &self.entry_point {
            EntryPoint::Text => Request::Task(self.text().to_owned()),
            EntryPoint::Files(files) => Request::Files(files.clone()),
            EntryPoint::Changes(base) => Request::PullRequest(base.clone()),
        };
        Task { request, budget_tokens: self.budget_tokens, options: self.options.clone() }
    }
}
