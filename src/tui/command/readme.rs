//! The README's table of keys, which is the registry's.

use super::{COMMANDS, Context, Entry};
use crate::tui::keymap::{Keymap, shown};

/// The contexts in the order in which a reader meets them.
const ORDER: [Context; 4] = [Context::Normal, Context::Pack, Context::Task, Context::Global];

/// One row for each command with a key of the panes, the task line or everywhere.
fn table() -> String {
    let keymap = Keymap::new();
    let mut rows = String::from("| keys | where | what they do |\n|---|---|---|\n");
    let others = Context::ALL.into_iter().filter(|context| !ORDER.contains(context));
    let inner = |context: &Context| matches!(context, Context::Field | Context::Export | Context::Overlay);
    for context in ORDER.into_iter().chain(others.filter(|context| !inner(context))) {
        let bindings = keymap.bindings(context);
        let row = |entry: &Entry| {
            let own = bindings.iter().filter(|listed| listed.bound.command == entry.command);
            let keys: Vec<String> = own.map(|listed| format!("`{}`", shown(&listed.keys))).collect();
            (!keys.is_empty()).then(|| format!("| {} | {} | {} |\n", keys.join(" "), context.name(), entry.title))
        };
        rows.extend(COMMANDS.iter().filter_map(row));
    }
    rows
}

#[test]
fn the_readme_has_the_keys_of_the_registry() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- keys: made from src/tui/command/table.rs -->\n", "<!-- keys end -->");
    let stands = readme.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).map(|(table, _)| table);
    let table = table();
    assert!(stands == Some(&table), "put this between the markers of README.md:\n{table}");
}
