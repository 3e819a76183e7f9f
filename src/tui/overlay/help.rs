//! The lines of the key help: every binding as it is now, filtered by what the user types into it.

use crate::tui::command::{CommandSpec, Context, commands, is_listed};
use crate::tui::keymap::{Bound, Keymap, shown};

/// The keys that lead to one command in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLine {
    /// None for a command without a key.
    pub context: Option<Context>,
    pub keys: String,
    pub bound: Bound,
}

/// The order of the contexts in the help: what a pane's keys do comes before what is true everywhere.
const ORDER: [Context; 6] = [
    Context::Pane(crate::tui::panes::pack::ID),
    Context::Normal,
    Context::Task,
    Context::Field,
    Context::Overlay,
    Context::Global,
];

/// The lines whose words fit `filter`, or whose keys contain what follows an `@`; those without a key come last.
pub fn key_lines(keymap: &Keymap, filter: &str) -> Vec<KeyLine> {
    let filter = filter.trim();
    let others = Context::all().into_iter().filter(|context| !ORDER.contains(context));
    let mut lines: Vec<KeyLine> = Vec::new();
    for context in others.chain(ORDER) {
        let first = lines.len();
        for listed in keymap.bindings(context) {
            match lines[first..].iter_mut().find(|line| line.bound == listed.bound) {
                Some(line) => line.keys = format!("{} {}", line.keys, shown(&listed.keys)),
                None => {
                    let keys = shown(&listed.keys);
                    lines.push(KeyLine { context: Some(context), keys, bound: listed.bound });
                }
            }
        }
        lines[first..].sort_by_key(|line| line.bound.command.position());
    }
    let keyless =
        |entry: &&CommandSpec| is_listed(entry) && !lines.iter().any(|line| line.bound.command == entry.command);
    let bare = |entry: &CommandSpec| KeyLine {
        context: None,
        keys: String::new(),
        bound: Bound { command: entry.command, argument: String::new() },
    };
    let keyless: Vec<KeyLine> = commands().filter(keyless).map(bare).collect();
    lines.extend(keyless);
    lines.retain(|line| fits(line, filter));
    lines
}

fn fits(line: &KeyLine, filter: &str) -> bool {
    match filter.strip_prefix('@') {
        Some(key) => line.keys.split(' ').any(|keys| keys.contains(key)) && line.context.is_some(),
        None => {
            let words = format!("{} {}", line.bound.spec().name, line.bound.words()).to_lowercase();
            filter.to_lowercase().split_whitespace().all(|part| words.contains(part))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_keys_filter_the_lines() {
        let keymap = Keymap::new();
        let lines = |filter| key_lines(&keymap, filter);
        assert_eq!(lines("larger budget").len(), 1);
        assert!(lines("@C-z").iter().all(|line| line.bound.spec().name == "app.suspend"));
        assert!(lines("").len() >= commands().count());
        assert!(lines("no such thing").is_empty());
        let mouse = lines("app.mouse");
        assert_eq!((mouse[0].context, mouse[0].keys.as_str()), (None, ""));
    }

    #[test]
    fn several_keys_of_a_command_share_a_line() {
        let lines = key_lines(&Keymap::new(), "move.down");
        let normal = lines.iter().find(|line| line.context == Some(Context::Normal)).unwrap();
        assert_eq!(normal.keys, "j Down");
    }
}
