//! Changes: those that a ranking is about, with their lines and the roles of symbols, and those of files while the explorer is
//! open.

use std::time::Instant;

use tui_input::Input;

use crate::engine::{ChangeRole, Changes, Elsewhere, FileChanges, Hunk, is_source};
use crate::model::SymbolId;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::model::task::EntryPoint;
use crate::tui::overlay;
use crate::tui::overlay::picker::{self, Kind};
use crate::tui::update::{ask, run};
use crate::tui::worker::shown_text;

/// The changes of the present task.
#[derive(Debug, Clone, Default)]
pub struct TaskChanges {
    question: u64,
    /// Whether the revision was just picked: if there is none of this name, it can be corrected.
    pub is_picked: bool,
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
        EntryPoint::Changes(base) => {
            model.changes.is_picked = false;
            model.changes.question = ask(model, Topic::Changes { base }, effects);
        }
        _ => model.changes = TaskChanges::default(),
    }
}

/// Opens the picker with a picked revision that git does not know, so that it can be corrected, and brings the task
/// before back. Returns false for another error.
pub fn pick_again(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> bool {
    let EntryPoint::Changes(base) = model.task.entry_point.clone() else { return false };
    if !std::mem::take(&mut model.changes.is_picked) {
        return false;
    }
    run(model, Command::GoBack, now, effects);
    picker::open(model, Kind::Base, effects);
    overlay::edit_input(model, |field| *field = Input::new(base), now, effects)
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
        let Elsewhere { absent, unread, removed } = &changes.elsewhere;
        removed.iter().for_each(|note| model.show_message(note.clone()));
        if removed.len() > 1 {
            let count = removed.len();
            model.show_message(format!("{count} notes on removed code are in the messages"));
        }
        let with = |files: Vec<String>, note| files.into_iter().map(move |file| (file, note));
        let others = with(changes.files.keys().cloned().collect(), "changed, no symbols")
            .chain(with(unread.clone(), "changed, not indexed"))
            .chain(with(absent.clone(), "not in the working tree"));
        model.panes.pack.set_others(others);
        model.changes.known = Some(changes);
        // The first change of the shown definition is known now.
        model.panes.source.is_fresh |=
            model.panes.source.shown.as_ref().is_some_and(|shown| shown.line == model.panes.source.cursor);
    }
}

/// Files that are named; more are counted.
const MAX_NAMES: usize = 2;

/// Updates the index after a change, and shows what changed.
pub fn files_changed(model: &mut Model, change: &FileChanges, effects: &mut Vec<Effect>) {
    if !model.settings.watch {
        return;
    }
    effects.push(Effect::Index);
    // Only other files changed, such as an exported pack: update silently, keep the message.
    if change.branch.is_none() && !change.files.iter().any(|file| is_source(file)) {
        return;
    }
    model.changed = describe_changes(change);
    show(model, format!("{}: updating the index", model.changed));
}

/// Shows a message, unless the current one is about the edit that caused the change.
fn show(model: &mut Model, text: String) {
    let announced = &model.feedback.announced_edit;
    let is_about_edit = model.message.as_ref().is_some_and(|message| message.text == *announced);
    if !is_about_edit {
        model.show_message(text);
    }
}

/// Shows that the index is up to date. `has_changed` is whether the index changed.
pub fn indexed(model: &mut Model, has_changed: bool) {
    let changed = std::mem::take(&mut model.changed);
    match (changed.is_empty(), has_changed) {
        (true, _) => {}
        (false, true) => show(model, format!("{changed}: index updated")),
        (false, false) => show(model, format!("{changed}: no change in the index")),
    }
}

/// Describes the changes.
fn describe_changes(change: &FileChanges) -> String {
    // Editors create temporary files beside the edited ones.
    let sources = change.files.iter().filter(|file| is_source(file));
    let names: Vec<&str> = sources.map(|file| file.rsplit('/').next().unwrap_or(file)).collect();
    let files = match names.len() {
        0 => String::new(),
        count if count <= MAX_NAMES => format!("{} changed", names.join(" and ")),
        count => format!("{count} files changed"),
    };
    match &change.branch {
        Some(branch) if files.is_empty() => format!("checked out {branch}"),
        Some(branch) => format!("checked out {branch}, {files}"),
        None => files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn message(model: &Model) -> &str {
        model.message.as_ref().map_or("", |message| &message.text)
    }

    #[test]
    fn the_message_about_an_edit_stays() {
        let mut model = fixture::model(80, 24);
        model.feedback.announced_edit = "edited open_session".into();
        model.show_message("edited open_session");
        files_changed(&mut model, &FileChanges { files: vec!["src/a.py".into()], branch: None }, &mut Vec::new());
        indexed(&mut model, true);
        assert_eq!(message(&model), "edited open_session");
    }

    #[test]
    fn removed_definitions_are_a_message() {
        let mut model = fixture::model(80, 24);
        let mut of = |names: &[&str]| {
            let removed = names.iter().map(|name| format!("removed: `{name}` (m.py), still named at u.py:4")).collect();
            let changes = Changes { elsewhere: Elsewhere { removed, ..Elsewhere::default() }, ..Changes::default() };
            let number = model.changes.question;
            answered(&mut model, number, &Ok(Response::Changes(changes)));
            message(&model).to_owned()
        };
        assert_eq!(of(&["gone"]), "removed: `gone` (m.py), still named at u.py:4");
        assert_eq!(of(&["gone", "lost"]), "2 notes on removed code are in the messages");
    }

    #[test]
    fn a_change_updates_the_index_and_is_shown() {
        let mut model = fixture::model(80, 24);
        let mut effects = Vec::new();
        files_changed(&mut model, &FileChanges { files: vec!["src/a.py".into()], branch: None }, &mut effects);
        assert_eq!(effects, [Effect::Index]);
        assert_eq!(message(&model), "a.py changed: updating the index");
        indexed(&mut model, true);
        assert_eq!(message(&model), "a.py changed: index updated");
        model.message = None;
        indexed(&mut model, true);
        assert_eq!(message(&model), "", "an update without a change shows nothing");
    }

    #[test]
    fn a_file_that_is_not_a_source_keeps_the_message() {
        let mut model = fixture::model(80, 24);
        model.show_message("wrote the pack");
        let mut effects = Vec::new();
        files_changed(&mut model, &FileChanges { files: vec!["knowing-pack.gcf".into()], branch: None }, &mut effects);
        indexed(&mut model, false);
        assert_eq!((effects.as_slice(), message(&model)), ([Effect::Index].as_slice(), "wrote the pack"));
    }

    #[test]
    fn branches_are_named_and_many_files_counted() {
        let files = ["a.py", "b.py", "c.py", "sedXy12"].map(str::to_owned).to_vec();
        assert_eq!(
            describe_changes(&FileChanges { files, branch: Some("topic".into()) }),
            "checked out topic, 3 files changed"
        );
        assert_eq!(
            describe_changes(&FileChanges { files: Vec::new(), branch: Some("topic".into()) }),
            "checked out topic"
        );
    }

    #[test]
    fn watching_can_be_switched_off() {
        let mut model = fixture::model(80, 24);
        model.settings.watch = false;
        let mut effects = Vec::new();
        files_changed(&mut model, &FileChanges { files: vec!["a".into()], branch: None }, &mut effects);
        assert_eq!((effects, model.message), (Vec::new(), None));
    }
}
