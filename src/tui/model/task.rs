//! What is asked for, and how much may be spent on it.

use tui_input::Input;

use super::edits::{Change, Edits, Typed};
use super::judgement::Stance;
use crate::model::{Options, Request, SymbolId, Task};

/// The way in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Entry {
    /// A task in plain words: the text of the line.
    #[default]
    Words,
    /// Changed files.
    Files(Vec<String>),
    /// What differs between a base of the git history and the working tree.
    Changes(String),
}

impl Entry {
    /// What stands for it; none for words, which stand for themselves.
    pub fn label(&self) -> Option<String> {
        match self {
            Entry::Words => None,
            Entry::Files(files) => Some(format!("changed files: {}", files.join(", "))),
            Entry::Changes(base) => Some(format!("changes since {base}")),
        }
    }

    /// True when both are of one kind, so that their rankings can be compared.
    pub fn is_like(&self, other: &Entry) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The task line.
#[derive(Debug, Clone)]
pub struct TaskEntry {
    pub entry: Entry,
    pub input: Input,
    /// How it came to read as it does.
    pub edits: Edits,
    pub budget_tokens: usize,
    /// What the ranking does without.
    pub options: Options,
}

impl TaskEntry {
    /// The task without surrounding blanks.
    pub fn text(&self) -> &str {
        self.input.value().trim()
    }

    /// The task as the learner knows it; none when nothing is asked for.
    pub fn described(&self) -> Option<String> {
        let text = self.label().unwrap_or_else(|| self.text().to_owned());
        Some(text).filter(|text| !text.is_empty())
    }

    /// What stands in the line in place of words; none when it is words.
    pub fn label(&self) -> Option<String> {
        self.entry.label()
    }

    /// The line as it is now.
    pub fn typed(&self) -> Typed {
        Typed { entry: self.entry.clone(), text: self.input.value().to_owned(), cursor: self.input.cursor() }
    }

    /// Goes a step back in what was typed; false when this is how it began.
    pub fn undo(&mut self) -> bool {
        let before = self.edits.undo(self.typed());
        self.restore(before)
    }

    /// Goes a step forward again; false when there is none.
    pub fn redo(&mut self) -> bool {
        let after = self.edits.redo(self.typed());
        self.restore(after)
    }

    fn restore(&mut self, typed: Option<Typed>) -> bool {
        let Some(typed) = typed else { return false };
        self.input = typed.input();
        self.entry = typed.entry;
        true
    }

    /// Asks for something else, which can be undone.
    pub fn ask_for(&mut self, entry: Entry, input: Input) {
        let before = self.typed();
        (self.entry, self.input) = (entry, input);
        if self.typed() != before {
            self.edits.note(before, Change::Many);
        }
    }

    /// True when nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.entry == Entry::Words && self.text().is_empty()
    }

    /// Whether a symbol must be in the pack.
    pub fn stance(&self, id: SymbolId) -> Stance {
        match (self.options.pinned.contains(&id), self.options.dropped.contains(&id)) {
            (true, _) => Stance::Pinned,
            (_, true) => Stance::Dropped,
            _ => Stance::Free,
        }
    }

    /// Says whether a symbol must be in the pack.
    pub fn set_stance(&mut self, id: SymbolId, stance: Stance) {
        self.options.pinned.remove(&id);
        self.options.dropped.remove(&id);
        match stance {
            Stance::Free => false,
            Stance::Pinned => self.options.pinned.insert(id),
            Stance::Dropped => self.options.dropped.insert(id),
        };
    }

    /// What the engine is asked.
    pub fn task(&self) -> Task {
        let request = match &self.entry {
            Entry::Words => Request::Task(self.text().to_owned()),
            Entry::Files(files) => Request::Files(files.clone()),
            Entry::Changes(base) => Request::PullRequest(base.clone()),
        };
        Task { request, budget_tokens: self.budget_tokens, options: self.options.clone() }
    }
}
