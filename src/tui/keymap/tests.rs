//! The registry's keys, and the user's on top of them.

use super::*;

fn keys(text: &str) -> Vec<Key> {
    Key::sequence(text).unwrap()
}

fn with(rebindings: &[(&str, &str, Option<&str>)]) -> (Keymap, Vec<String>) {
    let rebindings: Vec<Rebinding> = (1..)
        .zip(rebindings)
        .map(|(line, (context, written, command))| Rebinding {
            context: context.to_string(),
            keys: keys(written),
            command: command.map(str::to_owned),
            line,
        })
        .collect();
    let (keymap, config_errors) = Keymap::new().with(&rebindings);
    (
        keymap,
        config_errors.into_iter().map(|config_error| format!("{}: {}", config_error.line, config_error.text)).collect(),
    )
}

fn command(keymap: &Keymap, context: Context, written: &str) -> Option<Command> {
    match keymap.resolve(&[context], &keys(written)) {
        Resolution::Run(bound) => Some(bound.command),
        _ => None,
    }
}

/// Every binding of the registry as written: context, entry, keys.
fn registry(context: Context) -> Vec<(&'static Entry, &'static str)> {
    let of_context = COMMANDS.iter().flat_map(|entry| entry.bindings.iter().map(move |binding| (entry, binding)));
    let own = of_context.filter(|(_, binding)| binding.context == context);
    own.flat_map(|(entry, binding)| binding.keys.iter().map(move |keys| (entry, *keys))).collect()
}

#[test]
fn every_key_in_the_registry_can_be_read_and_sent() {
    for context in Context::ALL {
        for (entry, text) in registry(context) {
            let keys = Key::sequence(text).unwrap_or_else(|| panic!("{}: {text}", entry.name));
            assert!(keys.iter().all(|key| key.can_be_sent()), "{}: {text}", entry.name);
        }
    }
}

#[test]
fn no_key_has_two_meanings_and_no_key_hides_a_sequence() {
    for context in Context::ALL {
        let all: Vec<_> = registry(context).into_iter().map(|(entry, text)| (entry, text, keys(text))).collect();
        for (index, (entry, text, sequence)) in all.iter().enumerate() {
            for (other, other_text, other_sequence) in &all[index + 1..] {
                let clash = sequence.starts_with(other_sequence) || other_sequence.starts_with(sequence);
                assert!(!clash, "{context:?}: {} {text} and {} {other_text}", entry.name, other.name);
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
    let keymap = Keymap::new();
    let resolve = |contexts: &[Context], written| keymap.resolve(contexts, &keys(written)).clone();
    let normal = [Context::Normal, Context::Global];
    assert_eq!(resolve(&normal, "g"), Resolution::Prefix);
    assert!(matches!(resolve(&normal, "g g"), Resolution::Run(bound) if bound.command == Command::Top));
    assert!(matches!(resolve(&normal, "C-c"), Resolution::Run(bound) if bound.command == Command::Cancel));
    assert_eq!(resolve(&[Context::Task, Context::Field, Context::Global], "q"), Resolution::Nothing);
    assert!(keymap.continuations(&normal, &keys("g")).len() >= 2);
}

#[test]
fn the_users_keys_come_instead_and_beside() {
    let (keymap, config_errors) = with(&[
        ("normal", "G", None),
        ("normal", "G x", Some("budget.more")),
        ("normal", "q", Some("pane.zoom")),
        ("pack", "U", Some("budget.set 8000")),
    ]);
    assert_eq!(config_errors, [""; 0]);
    assert_eq!(command(&keymap, Context::Normal, "G x"), Some(Command::BudgetMore));
    assert_eq!(command(&keymap, Context::Normal, "q"), Some(Command::Zoom));
    assert_eq!(keymap.keys_of(Context::Normal, Command::Zoom), ["Z", "q"]);
    match keymap.resolve(&[Context::Pack], &keys("U")) {
        Resolution::Run(bound) => assert_eq!((bound.command, bound.argument.as_str()), (Command::BudgetSet, "8000")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_be_bound_is_said_and_leaves_the_rest() {
    let (keymap, config_errors) = with(&[
        ("nowhere", "x", Some("app.quit")),
        ("normal", "C-i", Some("app.quit")),
        ("normal", "g", Some("app.quit")),
        ("normal", "G G", Some("app.quit")),
        ("normal", "X", Some("app.leave")),
        ("normal", "X", None),
        ("normal", "q", None),
    ]);
    let expected = [
        "1: there is no context `nowhere`; there are global,",
        "2: `C-i`: terminals send C-i as another key",
        "3: `g` and `g ",
        "4: `G G` and `G` can't both be keys: one begins the other",
        "5: there is no command `app.leave`",
        "6: `X` has no meaning in normal to take away",
    ];
    assert_eq!(config_errors.len(), expected.len(), "{config_errors:?}");
    for (config_error, expected) in config_errors.iter().zip(expected) {
        assert!(config_error.starts_with(expected), "{config_error}");
    }
    assert_eq!(command(&keymap, Context::Normal, "q"), None);
    assert_eq!(command(&keymap, Context::Normal, "g g"), Some(Command::Top));
}

#[test]
fn keys_are_shown_as_people_type_them() {
    assert_eq!(shown(&keys("g c")), "gc");
    assert_eq!(shown(&keys("f Enter")), "f Enter");
    assert_eq!(written(&keys("g c")), "g c");
}
