//! Which commands make sense now, and why the others don't.

use super::{Command, Context, Entry};
use crate::tui::model::Model;
use crate::tui::model::pack::Stage;
use crate::tui::update::source;

/// True for what a list of commands shows: not the keys of text fields and windows, which nobody looks up by name.
pub fn is_offered(entry: &Entry) -> bool {
    let inner = |context| {
        matches!(context, Context::Field | Context::Export | Context::Votes | Context::Picker | Context::Overlay)
    };
    entry.bindings.is_empty() || !entry.bindings.iter().all(|binding| inner(binding.context))
}

/// Why a command would do nothing now; none when it would do something.
pub fn hindrance(model: &Model, command: Command) -> Option<&'static str> {
    match command {
        Command::Editor
        | Command::Open
        | Command::SourceDown
        | Command::SourceUp
        | Command::Center
        | Command::CopySymbol
        | Command::CopyPlace
        | Command::CopySource
        | Command::CopyReasons => source::subject(model).is_none().then_some("no symbol is selected"),
        Command::CopyMatches => model.classes.current().is_none().then_some("the task fires no class"),
        Command::GoCut => model.pack.cut().is_none().then_some("nothing is left out of the pack"),
        Command::Classes => model.task.is_empty().then_some("there is no task yet"),
        Command::CopyPack
        | Command::CopyGcf
        | Command::CopyJson
        | Command::CopyMarkdown
        | Command::CopyXml
        | Command::Export
        | Command::ExportFile
        | Command::PrintPack
        | Command::CopyCommand => model.task.is_empty().then_some("there is no task yet"),
        Command::Submit => model.task.is_empty().then_some("there is no task yet"),
        Command::Back => {
            (!model.zoomed && model.pack.stage == Stage::Empty).then_some("there is nothing to go back to")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::command::COMMANDS;
    use crate::tui::fixture;

    #[test]
    fn reasons_are_given_until_there_is_something_to_work_on() {
        let mut model = fixture::model(80, 24);
        assert_eq!(hindrance(&model, Command::Editor), Some("no symbol is selected"));
        assert_eq!(hindrance(&model, Command::Quit), None);
        model.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        assert_eq!(hindrance(&model, Command::Editor), None);
        assert_eq!(hindrance(&model, Command::GoCut), None);
    }

    #[test]
    fn keys_of_text_fields_are_not_offered() {
        let offered = |name: &str| COMMANDS.iter().any(|entry| entry.name == name && is_offered(entry));
        assert!(offered("app.quit") && offered("app.mouse"));
        assert!(!offered("edit.word") && !offered("window.close"));
    }
}
