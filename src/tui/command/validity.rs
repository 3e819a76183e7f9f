//! Which commands do something now, and why the others do not.

use super::{Command, CommandSpec, Context};
use crate::tui::model::Model;
use crate::tui::panes::{PANES, pack::Stage};
use crate::tui::update::navigation;

/// Returns whether the palette and the key help list a command. The keys of text fields and windows are not listed.
pub fn is_listed(spec: &CommandSpec) -> bool {
    let inner = |context| {
        matches!(context, Context::Field | Context::Export | Context::Votes | Context::Picker | Context::Overlay)
    };
    spec.bindings.is_empty() || !spec.bindings.iter().all(|(context, _)| inner(*context))
}

/// Returns why a command would do nothing now; `None` when it would do something.
pub fn disabled_reason(model: &Model, command: Command) -> Option<&'static str> {
    match command {
        Command::CopySymbol
        | Command::CopyLocation
        | Command::CopySource
        | Command::CopyExplanation
        | Command::VoteUp
        | Command::VoteDown
        | Command::Pin
        | Command::Drop => without_symbol(model),
        Command::Undo => model.feedback.done.is_empty().then_some("there is nothing to undo"),
        Command::Redo => model.feedback.undone.is_empty().then_some("there is nothing to redo"),
        Command::NextMatch | Command::PreviousMatch => {
            let is_empty = model.concepts.concepts().iter().all(|concept| concept.symbols.is_empty());
            is_empty.then_some("no concept of the task has a symbol here")
        }
        Command::MuteConcept => model.concepts.current().is_none().then_some("the task matches no concept"),
        Command::ExampleOne => (model.examples.tasks.is_empty()).then_some("there is no example"),
        Command::ExampleTwo => (model.examples.tasks.len() < 2).then_some("there is no such example"),
        Command::ExampleThree => (model.examples.tasks.len() < 3).then_some("there is no such example"),
        Command::CopyMatches => model.concepts.current().is_none().then_some("the task matches no concept"),
        Command::Concepts
        | Command::CopyPack
        | Command::CopyGcf
        | Command::CopyJson
        | Command::CopyMarkdown
        | Command::CopyXml
        | Command::Export
        | Command::ExportFile
        | Command::PrintPack
        | Command::CopyCommand
        | Command::Submit => model.task.is_empty().then_some("there is no task yet"),
        Command::Back => {
            (!model.zoomed && model.panes.pack.stage == Stage::Empty).then_some("there is nothing to go back to")
        }
        Command::Pane(_) => PANES.iter().find_map(|pane| pane.disabled_reason(model, command)),
        _ => None,
    }
}

/// Returns whether a command records feedback, changes the pack or the task, or ends the program. The palette offers
/// such a command first only for its name.
pub fn changes_data(command: Command) -> bool {
    matches!(
        command,
        Command::VoteUp
            | Command::VoteDown
            | Command::Pin
            | Command::Drop
            | Command::SteerBranch
            | Command::Send
            | Command::Undo
            | Command::Redo
            | Command::MuteConcept
            | Command::LearnToggle
            | Command::ClearBefore
            | Command::ExampleOne
            | Command::ExampleTwo
            | Command::ExampleThree
            | Command::UndoTyping
            | Command::RedoTyping
            | Command::PrintPack
            | Command::ExportFile
            | Command::Quit
            | Command::Cancel
    )
}

/// Returns the reason of a command that needs a symbol while there is none.
pub fn without_symbol(model: &Model) -> Option<&'static str> {
    navigation::targets(model).is_err().then_some("no symbol is selected")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::command::commands;
    use crate::tui::fixture;
    use crate::tui::panes::{pack, source};

    #[test]
    fn commands_are_disabled_until_there_is_a_symbol() {
        let mut model = fixture::model(80, 24);
        let editor = Command::Pane(source::EDITOR);
        assert_eq!(disabled_reason(&model, editor), Some("no symbol is selected"));
        assert_eq!(disabled_reason(&model, Command::Quit), None);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        assert_eq!(disabled_reason(&model, editor), None);
        assert_eq!(disabled_reason(&model, Command::Pane(pack::GO_CUT)), None);
    }

    #[test]
    fn keys_of_text_fields_are_not_listed() {
        let listed = |name: &str| commands().any(|spec| spec.name == name && is_listed(spec));
        assert!(listed("app.quit") && listed("app.mouse") && listed("graph.open"));
        assert!(!listed("edit.word") && !listed("window.close"));
    }
}
