//! The changes that a ranking of changes is about: their lines and the roles of symbols.

use crate::engine::{ChangeRole, Changes, Hunk};
use crate::model::SymbolId;
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::model::task::EntryPoint;
use crate::tui::update::ask;
use crate::tui::worker::shown_text;

/// The changes of the present task.
#[derive(Debug, Clone, Default)]
pub struct TaskChanges {
    question: u64,
    /// `None` for a task that is not about changes, and until they are known.
    pub known: Option<Changes>,
}

impl TaskChanges {
    /// Returns the relation of a symbol to the changes.
    pub fn role(&self, id: SymbolId) -> Option<ChangeRole> {
        self.known.as_ref()?.roles.get(&id).copied()
    }

    /// Returns the changed ranges of a file.
    pub fn hunks(&self, file: &str) -> &[Hunk] {
        self.known.as_ref().and_then(|changes| changes.files.get(file)).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a line of a file is new or changed.
    pub fn is_changed(&self, file: &str, line: usize) -> bool {
        let has_line = |hunk: &Hunk| (hunk.start as usize..(hunk.start + hunk.lines) as usize).contains(&line);
        self.hunks(file).iter().any(has_line)
    }

    /// Returns the owners of a changed file.
    pub fn owners(&self, file: &str) -> &[String] {
        self.known.as_ref().and_then(|changes| changes.owners.get(file)).map_or(&[], Vec::as_slice)
    }
}

/// Asks for the changes of a ranking that is about changes.
pub fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.task.entry_point.clone() {
        EntryPoint::Changes(base) => model.changes.question = ask(model, Topic::Changes { base }, effects),
        _ => model.changes = TaskChanges::default(),
    }
}

/// Keeps the changes. The ranking reports errors.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>) {
    if number == model.changes.question
        && let Ok(Response::Changes(changes)) = response
    {
        let mut changes = changes.clone();
        for hunk in changes.files.values_mut().flatten() {
            hunk.removed.iter_mut().for_each(|line| *line = shown_text(line));
        }
        model.changes.known = Some(changes);
    }
}
