//! The table of keys for the manual page and `assets/guide/keys.md`, made from the registry of commands.

use super::{CommandSpec, Context, commands};
use crate::tui::keymap::{Keymap, shown};
use crate::tui::panes::pack;

/// The first contexts of the table, in their order.
const ORDER: [Context; 4] = [Context::Normal, Context::Pane(pack::ID), Context::Task, Context::Global];

/// A command and its default keys in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// Key sequences, as they are written in the settings.
    pub keys: Vec<String>,
    /// Name of the context: `panes`, `task`, `everywhere`, or a pane or window.
    pub context: &'static str,
    /// The command's description.
    pub title: &'static str,
}

/// Returns a row for each command and context with default keys, without the keys of text fields and lists in windows.
pub fn key_table() -> Vec<KeyRow> {
    let keymap = Keymap::new();
    let mut rows = Vec::new();
    let others = Context::all().into_iter().filter(|context| !ORDER.contains(context));
    let inner = |context: &Context| matches!(context, Context::Field | Context::Export | Context::Overlay);
    for context in ORDER.into_iter().chain(others.filter(|context| !inner(context))) {
        let bindings = keymap.bindings(context);
        let row = |spec: &CommandSpec| {
            let own = bindings.iter().filter(|listed| listed.bound.command == spec.command);
            let keys: Vec<String> = own.map(|listed| shown(&listed.keys)).collect();
            (!keys.is_empty()).then(|| KeyRow { keys, context: context.name(), title: spec.title })
        };
        rows.extend(commands().filter_map(row));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_appendix_lists_the_keys_of_the_registry() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/guide/keys.md");
        let mut table = String::from(
            "# Keys of the explorer\n\nThe default keys; your settings can change them. The key `?` lists those that do \
             something\nwhere you are.\n\n| keys | where | what they do |\n|---|---|---|\n",
        );
        for row in key_table() {
            let keys: Vec<String> = row.keys.iter().map(|keys| format!("`{keys}`")).collect();
            table.push_str(&format!("| {} | {} | {} |\n", keys.join(" "), row.context, row.title));
        }
        if std::env::var_os("KNOWING_KEYS").is_some_and(|value| value == "write") {
            std::fs::write(path, &table).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(written == table, "assets/guide/keys.md is out of date: KNOWING_KEYS=write cargo test --lib key_table");
    }
}
