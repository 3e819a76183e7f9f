//! Files that change beneath the index while the explorer is open.

use crate::engine::is_source;
use crate::tui::action::Change;
use crate::tui::effect::Effect;
use crate::tui::model::Model;

/// Files named one by one; more are counted.
const NAMED: usize = 2;

/// Brings the index up to date with a change and says so.
pub fn take(model: &mut Model, change: &Change, effects: &mut Vec<Effect>) {
    if !model.settings.watch {
        return;
    }
    effects.push(Effect::Index);
    // A pack that was just written, or a log: nobody waits to hear of it, and what was said last stays.
    if change.branch.is_none() && !change.files.iter().any(|file| is_source(file)) {
        return;
    }
    model.changed = words(change);
    model.say(format!("{}: updating the index", model.changed));
}

/// The index is up to date; `has_changed` when that took anything.
pub fn indexed(model: &mut Model, has_changed: bool) {
    let what = std::mem::take(&mut model.changed);
    match (what.is_empty(), has_changed) {
        (true, _) => {}
        (false, true) => model.say(format!("{what}: the index is up to date")),
        (false, false) => model.say(format!("{what}: nothing in the index changed")),
    }
}

fn words(change: &Change) -> String {
    // Editors and tools leave other files beside those that they change.
    let sources = change.files.iter().filter(|file| is_source(file));
    let names: Vec<&str> = sources.map(|file| file.rsplit('/').next().unwrap_or(file)).collect();
    let files = match names.len() {
        0 => String::new(),
        count if count <= NAMED => format!("{} changed", names.join(" and ")),
        count => format!("{count} files changed"),
    };
    match &change.branch {
        Some(branch) if files.is_empty() => format!("{branch} is checked out"),
        Some(branch) => format!("{branch} is checked out, {files}"),
        None => files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn said(model: &Model) -> &str {
        model.message.as_ref().map_or("", |message| &message.text)
    }

    #[test]
    fn a_change_is_said_and_brings_the_index_up_to_date() {
        let mut model = fixture::model(80, 24);
        let mut effects = Vec::new();
        take(&mut model, &Change { files: vec!["src/a.py".into()], branch: None }, &mut effects);
        assert_eq!(effects, [Effect::Index]);
        assert_eq!(said(&model), "a.py changed: updating the index");
        indexed(&mut model, true);
        assert_eq!(said(&model), "a.py changed: the index is up to date");
        model.message = None;
        indexed(&mut model, true);
        assert_eq!(said(&model), "", "an update that nobody caused says nothing");
    }

    #[test]
    fn a_file_that_is_no_source_leaves_the_last_word_alone() {
        let mut model = fixture::model(80, 24);
        model.say("wrote the pack");
        let mut effects = Vec::new();
        take(&mut model, &Change { files: vec!["knowing-pack.gcf".into()], branch: None }, &mut effects);
        indexed(&mut model, false);
        assert_eq!((effects.as_slice(), said(&model)), ([Effect::Index].as_slice(), "wrote the pack"));
    }

    #[test]
    fn a_switched_branch_is_named_and_many_files_are_counted() {
        let files = ["a.py", "b.py", "c.py", "sedXy12"].map(str::to_owned).to_vec();
        assert_eq!(words(&Change { files, branch: Some("topic".into()) }), "topic is checked out, 3 files changed");
        assert_eq!(words(&Change { files: Vec::new(), branch: Some("topic".into()) }), "topic is checked out");
    }

    #[test]
    fn watching_can_be_switched_off() {
        let mut model = fixture::model(80, 24);
        model.settings.watch = false;
        let mut effects = Vec::new();
        take(&mut model, &Change { files: vec!["a".into()], branch: None }, &mut effects);
        assert_eq!((effects, model.message), (Vec::new(), None));
    }
}
