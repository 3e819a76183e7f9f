//! The lines of the key help, filtered by what the user types into it.

use super::super::command::{COMMANDS, Context, Entry};

/// One binding as the key help lists it.
#[derive(Debug, Clone)]
pub struct KeyLine {
    pub context: Context,
    pub keys: String,
    pub entry: &'static Entry,
}

/// The bindings whose words contain `filter`, or whose keys do when it begins with `@`.
pub fn key_lines(filter: &str) -> Vec<KeyLine> {
    let wanted = filter.trim().to_lowercase();
    let mut lines = Vec::new();
    for entry in COMMANDS {
        for binding in entry.bindings {
            let shown: Vec<String> = binding.keys.iter().map(|key| key.replace(' ', "")).collect();
            let fits = match filter.trim().strip_prefix('@') {
                Some(key) => shown.iter().any(|shown| shown.contains(key)),
                None => entry.title.contains(&wanted) || entry.name.contains(&wanted),
            };
            if fits {
                lines.push(KeyLine { context: binding.context, keys: shown.join(" "), entry });
            }
        }
    }
    lines.sort_by_key(|line| match line.context {
        Context::Pack => 0,
        Context::Normal => 1,
        Context::Task => 2,
        Context::Field => 3,
        Context::Overlay => 4,
        Context::Global => 5,
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_keys_filter_the_lines() {
        assert_eq!(key_lines("budget").len(), 2);
        assert!(key_lines("@C-z").iter().all(|line| line.entry.name == "app.suspend"));
        assert!(key_lines("").len() > COMMANDS.len());
        assert!(key_lines("no such thing").is_empty());
    }
}
