//! Finds the command for a key: nearest context first, sequences by prefix.

use super::command::{Binding, COMMANDS, Command, Context, Entry};
use super::key::Key;

/// What the keys pressed so far mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    Run(Command),
    /// A longer sequence begins like this.
    Prefix,
    Nothing,
}

/// The meaning of `keys` in the first of these contexts that knows them.
pub fn resolve(contexts: &[Context], keys: &[Key]) -> Resolution {
    let found = contexts.iter().map(|context| look(*context, keys));
    found.into_iter().find(|found| *found != Resolution::Nothing).unwrap_or(Resolution::Nothing)
}

fn look(context: Context, keys: &[Key]) -> Resolution {
    let mut found = Resolution::Nothing;
    for (entry, _, sequence) in bindings(context) {
        if sequence == keys {
            return Resolution::Run(entry.command);
        }
        if sequence.starts_with(keys) {
            found = Resolution::Prefix;
        }
    }
    found
}

/// Every sequence bound in `context`; a key that does not parse is missing, and a test says so.
pub fn bindings(context: Context) -> impl Iterator<Item = (&'static Entry, &'static str, Vec<Key>)> {
    COMMANDS.iter().flat_map(move |entry| {
        let of_context = entry.bindings.iter().filter(move |binding: &&Binding| binding.context == context);
        of_context
            .flat_map(|binding| binding.keys.iter().copied())
            .filter_map(move |text| Some((entry, text, Key::sequence(text)?)))
    })
}

/// What may follow `keys`, as pairs of the next key and the command's title.
pub fn continuations(contexts: &[Context], keys: &[Key]) -> Vec<(String, &'static str)> {
    let all = contexts.iter().flat_map(|context| bindings(*context));
    all.filter(|(_, _, sequence)| sequence.len() > keys.len() && sequence.starts_with(keys))
        .map(|(entry, _, sequence)| (sequence[keys.len()].to_string(), entry.title))
        .collect()
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyCode;

    use super::*;

    #[test]
    fn every_key_in_the_registry_parses() {
        for entry in COMMANDS {
            for key in entry.bindings.iter().flat_map(|binding| binding.keys) {
                assert!(Key::sequence(key).is_some(), "{}: {key}", entry.name);
            }
        }
    }

    #[test]
    fn no_key_has_two_meanings_and_no_key_hides_a_sequence() {
        for context in Context::ALL {
            let all: Vec<_> = bindings(context).collect();
            for (index, (entry, text, sequence)) in all.iter().enumerate() {
                for (other, other_text, other_sequence) in &all[index + 1..] {
                    let clash = sequence.starts_with(other_sequence) || other_sequence.starts_with(sequence);
                    assert!(!clash, "{context:?}: {} {text} and {} {other_text}", entry.name, other.name);
                }
            }
        }
    }

    #[test]
    fn no_key_is_one_that_terminals_send_as_another() {
        for context in Context::ALL {
            for (entry, text, sequence) in bindings(context) {
                for key in sequence {
                    let twin = key.control && matches!(key.code, KeyCode::Char('i' | 'm' | 'h' | 'j' | '['));
                    assert!(!twin, "{}: {text}", entry.name);
                }
            }
        }
    }

    #[test]
    fn names_are_unique_and_entries_stand_at_their_own_place() {
        let mut names: Vec<_> = COMMANDS.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COMMANDS.len());
        for entry in COMMANDS {
            assert_eq!(entry.command.entry().name, entry.name);
        }
    }

    #[test]
    fn a_nearer_context_wins_and_prefixes_wait() {
        let key = |text| Key::parse(text).unwrap();
        assert_eq!(resolve(&[Context::Pack, Context::Normal, Context::Global], &[key("g")]), Resolution::Prefix);
        assert_eq!(
            resolve(&[Context::Pack, Context::Normal, Context::Global], &[key("g"), key("g")]),
            Resolution::Run(Command::Top)
        );
        assert_eq!(
            resolve(&[Context::Pack, Context::Normal, Context::Global], &[key("C-c")]),
            Resolution::Run(Command::Cancel)
        );
        assert_eq!(resolve(&[Context::Task, Context::Field, Context::Global], &[key("q")]), Resolution::Nothing);
        assert_eq!(continuations(&[Context::Normal], &[key("g")]).len(), 2);
    }
}
