//! The lines of the key help: every binding of the current keymap, filtered.

use crate::tui::command::{CommandSpec, Context, commands, is_listed};
use crate::tui::keymap::{Bound, Keymap, shown};

/// The keys of one command in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLine {
    /// `None` for a command without a key.
    pub context: Option<Context>,
    pub keys: String,
    pub bound: Bound,
}

/// The contexts that come last in the help, in this order: global bindings after those of a pane.
const ORDER: [Context; 6] = [
    Context::Pane(crate::tui::panes::pack::ID),
    Context::Normal,
    Context::Task,
    Context::Field,
    Context::Overlay,
    Context::Global,
];

/// Returns the lines whose text matches `filter`, or whose keys contain what follows an `@`; commands without keys are
/// last.
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
    let unbound = |entry: &CommandSpec| KeyLine {
        context: None,
        keys: String::new(),
        bound: Bound { command: entry.command, argument: String::new() },
    };
    let keyless: Vec<KeyLine> = commands().filter(keyless).map(unbound).collect();
    lines.extend(keyless);
    lines.retain(|line| matches(line, filter));
    lines
}

fn matches(line: &KeyLine, filter: &str) -> bool {
    match filter.strip_prefix('@') {
        Some(key) => line.keys.split(' ').any(|keys| keys.contains(key)) && line.context.is_some(),
        None => {
            let label = format!("{} {}", line.bound.spec().name, line.bound.label()).to_lowercase();
            filter.to_lowercase().split_whitespace().all(|part| label.contains(part))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_matches_text_and_keys() {
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
    fn keys_of_one_command_share_a_line() {
        let lines = key_lines(&Keymap::new(), "move.down");
        let normal = lines.iter().find(|line| line.context == Some(Context::Normal)).unwrap();
        assert_eq!(normal.keys, "j Down");
    }
}
