//! The registry of commands. Keymap, hint bar, key help, palette and the README's table are computed from it.
//!
//! Commands that belong to no pane are rows of `table.rs`; those of a pane are declared in its module.

mod key_table;
mod line;
pub mod search;
mod table;

pub use key_table::{KeyRow, key_table};
pub use line::{
    Argument, BUDGETS, BudgetError, CommandError, alias, argument, parse, parse_budget, parse_tokens, split,
};
pub use table::{Command, without_definition, without_symbol};

use std::time::Instant;

use super::effect::Effect;
use super::model::Model;
use super::panes::{PANES, PaneId};

/// The part of the screen in which a key binding applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere, unless a nearer context binds the key.
    Global,
    /// In every text field.
    Field,
    /// In the task line.
    Task,
    /// In the task line while it is empty: what no task begins with can be a key.
    Empty,
    /// In every pane.
    Normal,
    /// In one pane.
    Pane(PaneId),
    /// In the export dialog.
    Export,
    /// In every window on top of the panes.
    Overlay,
    /// In the window of concepts.
    Concepts,
    /// In the window of files or branches.
    Picker,
    /// In the window of votes and learned terms.
    Votes,
    /// In the window of the reading trail.
    Trail,
}

impl Context {
    /// Returns every context in the order in which the settings' errors list them.
    pub fn all() -> Vec<Context> {
        let mut all = vec![Context::Global, Context::Field, Context::Task, Context::Empty, Context::Normal];
        all.extend(PANES.iter().map(|pane| Context::Pane(pane.id())));
        all.extend([
            Context::Export,
            Context::Overlay,
            Context::Concepts,
            Context::Votes,
            Context::Trail,
            Context::Picker,
        ]);
        all
    }

    /// Returns the name of the context in the settings.
    pub fn id(self) -> &'static str {
        match self {
            Context::Global => "global",
            Context::Field => "field",
            Context::Task => "task",
            Context::Empty => "empty",
            Context::Normal => "normal",
            Context::Pane(id) => id.0,
            Context::Export => "export",
            Context::Overlay => "window",
            Context::Concepts => "concepts",
            Context::Votes => "votes",
            Context::Trail => "trail",
            Context::Picker => "picker",
        }
    }

    /// Returns the context with this name in the settings.
    pub fn named(id: &str) -> Option<Context> {
        Context::all().into_iter().find(|context| context.id() == id)
    }

    /// Returns the label of the context in the key help.
    pub fn name(self) -> &'static str {
        match self {
            Context::Global => "everywhere",
            Context::Field => "text",
            Context::Empty => "empty task",
            Context::Normal => "panes",
            Context::Overlay => "windows",
            _ => self.id(),
        }
    }
}

/// A command as keymap, help and palette list it.
#[derive(Debug)]
pub struct CommandSpec {
    pub command: Command,
    /// The stable name that the palette and the settings use, such as `budget.less`.
    pub name: &'static str,
    /// A description of a few words.
    pub title: &'static str,
    /// The word in the hint bar; empty for commands that are not hinted at.
    pub hint: &'static str,
    pub bindings: &'static [Binding],
    /// Returns why the command would do nothing now; `None` when it would do something.
    pub disabled: fn(&Model) -> Option<&'static str>,
    /// Whether the jump list records the location before the command.
    pub is_jump: bool,
    /// Whether the command records feedback, changes the pack or the task, or ends the program. The palette offers such a
    /// command first only for its name.
    pub changes_data: bool,
    /// The function that does it, unless the window on top handles the command in its own way; `None` for commands of
    /// windows alone, and for those that show a pane.
    pub run: Option<Run>,
}

/// Changes the model at a moment and adds what the model can't do itself to the effects.
pub type Run = fn(&mut Model, Instant, &mut Vec<Effect>);

/// A default binding: a key, or a sequence of keys with blanks between them, in a context.
pub type Binding = (Context, &'static str);

impl CommandSpec {
    /// Declares a command that does something at any time, in a window alone.
    pub const fn new(
        command: Command,
        name: &'static str,
        title: &'static str,
        hint: &'static str,
        bindings: &'static [Binding],
    ) -> CommandSpec {
        CommandSpec {
            command,
            name,
            title,
            hint,
            bindings,
            disabled: |_| None,
            is_jump: false,
            changes_data: false,
            run: None,
        }
    }

    /// Sets the function that returns why the command would do nothing now.
    pub const fn unless(self, disabled: fn(&Model) -> Option<&'static str>) -> CommandSpec {
        CommandSpec { disabled, ..self }
    }

    /// Makes the jump list record the location before the command.
    pub const fn jumps(self) -> CommandSpec {
        CommandSpec { is_jump: true, ..self }
    }

    /// Marks the command as one that changes data.
    pub const fn changes(self) -> CommandSpec {
        CommandSpec { changes_data: true, ..self }
    }

    /// Sets what the command does.
    pub const fn does(self, run: Run) -> CommandSpec {
        CommandSpec { run: Some(run), ..self }
    }

    /// Returns whether the palette and the key help list the command. The keys of text fields and windows are not
    /// listed.
    pub fn is_listed(&self) -> bool {
        let inner = |context| {
            matches!(
                context,
                Context::Field | Context::Export | Context::Votes | Context::Trail | Context::Picker | Context::Overlay
            )
        };
        self.bindings.is_empty() || !self.bindings.iter().all(|(context, _)| inner(*context))
    }

    /// Declares the command that shows a pane; `name` is `pane.` and the pane's id.
    pub const fn focus_pane(
        id: PaneId,
        name: &'static str,
        title: &'static str,
        hint: &'static str,
        bindings: &'static [Binding],
    ) -> CommandSpec {
        CommandSpec::new(Command::FocusPane(id), name, title, hint, bindings).jumps()
    }

    /// Declares a command of a pane, whose name is that of its [`Command::Pane`].
    pub const fn pane(
        name: &'static str,
        title: &'static str,
        hint: &'static str,
        bindings: &'static [Binding],
    ) -> CommandSpec {
        CommandSpec::new(Command::Pane(name), name, title, hint, bindings)
    }
}

/// Returns every command, in the order of the key help and of the hint bar.
pub fn commands() -> impl Iterator<Item = &'static CommandSpec> {
    let of_panes = PANES.iter().flat_map(|pane| pane.commands());
    table::BEFORE_PANES.iter().chain(of_panes).chain(table::AFTER_PANES)
}

impl Command {
    /// Returns the command's row in the registry.
    pub fn spec(self) -> &'static CommandSpec {
        commands().find(|spec| spec.command == self).expect("every command has a row in the registry")
    }

    /// Returns the index of the command's row among [`commands`].
    pub fn position(self) -> usize {
        commands().position(|spec| spec.command == self).unwrap_or(usize::MAX)
    }

    /// Returns why the command would do nothing now; `None` when it would do something.
    pub fn disabled_reason(self, model: &Model) -> Option<&'static str> {
        (self.spec().disabled)(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;
    use crate::tui::panes::{pack, source};

    #[test]
    fn commands_are_disabled_until_there_is_a_symbol() {
        let mut model = fixture::model(80, 24);
        let editor = Command::Pane(source::EDITOR);
        assert_eq!(editor.disabled_reason(&model), Some("no symbol is selected"));
        assert_eq!(Command::Quit.disabled_reason(&model), None);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        assert_eq!(editor.disabled_reason(&model), None);
        assert_eq!(Command::Pane(pack::GO_CUT).disabled_reason(&model), None);
    }

    #[test]
    fn keys_of_text_fields_are_not_listed() {
        let listed = |name: &str| commands().any(|spec| spec.name == name && spec.is_listed());
        assert!(listed("app.quit") && listed("app.mouse") && listed("graph.open"));
        assert!(!listed("edit.word") && !listed("window.close"));
    }
}
