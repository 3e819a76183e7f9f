//! Generates the README's table of keys from the registry and tests that the README has it.

use super::{CommandSpec, Context, commands};
use crate::tui::keymap::{Keymap, shown};
use crate::tui::panes::pack;

/// The first contexts of the table, in their order.
const ORDER: [Context; 4] = [Context::Normal, Context::Pane(pack::ID), Context::Task, Context::Global];

/// Returns the table: one row for each command with a key outside of text fields and windows.
fn table() -> String {
    let keymap = Keymap::new();
    let mut rows = String::from("| keys | where | what they do |\n|---|---|---|\n");
    let others = Context::all().into_iter().filter(|context| !ORDER.contains(context));
    let inner = |context: &Context| matches!(context, Context::Field | Context::Export | Context::Overlay);
    for context in ORDER.into_iter().chain(others.filter(|context| !inner(context))) {
        let bindings = keymap.bindings(context);
        let row = |spec: &CommandSpec| {
            let own = bindings.iter().filter(|listed| listed.bound.command == spec.command);
            let keys: Vec<String> = own.map(|listed| format!("`{}`", shown(&listed.keys))).collect();
            (!keys.is_empty()).then(|| format!("| {} | {} | {} |\n", keys.join(" "), context.name(), spec.title))
        };
        rows.extend(commands().filter_map(row));
    }
    rows
}

#[test]
fn readme_lists_the_keys_of_the_registry() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- keys: made from src/tui/command/table.rs -->\n", "<!-- keys end -->");
    let stands = readme.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).map(|(table, _)| table);
    let table = table();
    assert!(stands == Some(&table), "put this between the markers of README.md:\n{table}");
}
