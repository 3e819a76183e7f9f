//! The one registry of commands: keymap, hint bar, key help, palette and the README's table are all computed from it.

mod line;
#[cfg(test)]
mod readme;
mod table;
mod validity;

pub use line::{Argument, argument, parse};
pub use table::{COMMANDS, Command};
pub use validity::{hindrance, is_offered};

/// Where a key has its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere, unless a nearer context says otherwise.
    Global,
    /// In every text field.
    Field,
    /// While the task line has the focus.
    Task,
    /// While any other pane has the focus.
    Normal,
    /// While the list has the focus.
    Pack,
    /// In the export dialog.
    Export,
    /// While the reasons have the focus.
    Why,
    /// While the neighborhood has the focus.
    Graph,
    /// While the runs have the focus.
    Runs,
    /// While the map of costs has the focus.
    Cost,
    /// In everything that lies on top of the panes.
    Overlay,
    /// In the window of classes.
    Classes,
    /// In the window of files or branches.
    Picker,
    /// In the window of votes and learned words.
    Votes,
}

impl Context {
    /// Every context, nearest last.
    pub const ALL: [Context; 14] = [
        Context::Global,
        Context::Field,
        Context::Task,
        Context::Normal,
        Context::Pack,
        Context::Why,
        Context::Graph,
        Context::Runs,
        Context::Cost,
        Context::Export,
        Context::Overlay,
        Context::Classes,
        Context::Votes,
        Context::Picker,
    ];

    /// Its name in the settings.
    pub fn id(self) -> &'static str {
        match self {
            Context::Global => "global",
            Context::Field => "field",
            Context::Task => "task",
            Context::Normal => "normal",
            Context::Pack => "pack",
            Context::Why => "why",
            Context::Graph => "graph",
            Context::Runs => "runs",
            Context::Cost => "cost",
            Context::Export => "export",
            Context::Overlay => "window",
            Context::Classes => "classes",
            Context::Votes => "votes",
            Context::Picker => "picker",
        }
    }

    /// The context with this name in the settings.
    pub fn named(id: &str) -> Option<Context> {
        Context::ALL.into_iter().find(|context| context.id() == id)
    }

    /// The word shown in the key help.
    pub fn name(self) -> &'static str {
        match self {
            Context::Global => "everywhere",
            Context::Field => "text",
            Context::Task => "task",
            Context::Normal => "panes",
            Context::Pack => "pack",
            Context::Export => "export",
            Context::Why => "why",
            Context::Graph => "graph",
            Context::Runs => "runs",
            Context::Cost => "cost",
            Context::Overlay => "windows",
            Context::Classes => "classes",
            Context::Votes => "votes",
            Context::Picker => "picker",
        }
    }
}

/// One command as the user meets it.
#[derive(Debug)]
pub struct Entry {
    pub command: Command,
    /// Its stable name, such as `budget.less`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// Its word in the hint bar; empty keeps it out.
    pub hint: &'static str,
    pub bindings: &'static [Binding],
}

/// Keys of one command in one context; a sequence is written with spaces.
#[derive(Debug)]
pub struct Binding {
    pub context: Context,
    pub keys: &'static [&'static str],
}

impl Command {
    /// Its entry in the registry.
    pub fn entry(self) -> &'static Entry {
        &COMMANDS[self as usize]
    }
}
