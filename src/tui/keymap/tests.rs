//! The default keys, and the user's bindings.

use super::*;
use crate::tui::panes::pack;

fn keys(text: &str) -> Vec<Key> {
    Key::sequence(text).unwrap()
}

fn with(rebindings: &[(&str, &str, Option<&str>)]) -> (Keymap, Vec<String>) {
    let rebindings: Vec<Rebinding> = (1..)
        .zip(rebindings)
        .map(|(line, (context, written, command))| Rebinding {
            context: context.to_string(),
            keys: written.to_string(),
            command: command.unwrap_or_default().to_owned(),
            line,
        })
        .collect();
    let (keymap, config_errors) = Keymap::new().with(&rebindings);
    (keymap, config_errors.iter().map(|error| error.to_string().replace("config.toml line ", "")).collect())
}

fn command(keymap: &Keymap, context: Context, written: &str) -> Option<Command> {
    match keymap.resolve(&[context], &keys(written)) {
        Resolution::Run(bound) => Some(bound.command),
        _ => None,
    }
}

/// Returns the registry's bindings of a context: command and keys.
fn registry(context: Context) -> Vec<(&'static CommandSpec, &'static str)> {
    let all = commands().flat_map(|spec| spec.bindings.iter().map(move |(context, keys)| (spec, *context, *keys)));
    all.filter(|(_, bound, _)| *bound == context).map(|(spec, _, keys)| (spec, keys)).collect()
}

#[test]
fn default_keys_are_valid_and_can_be_sent() {
    for context in Context::all() {
        for (spec, text) in registry(context) {
            let keys = Key::sequence(text).unwrap_or_else(|| panic!("{}: {text}", spec.name));
            assert!(keys.iter().all(|key| key.can_be_sent()), "{}: {text}", spec.name);
        }
    }
}

#[test]
fn default_keys_do_not_clash() {
    for context in Context::all() {
        let all: Vec<_> = registry(context).into_iter().map(|(spec, text)| (spec, text, keys(text))).collect();
        for (index, (spec, text, sequence)) in all.iter().enumerate() {
            for (other, other_text, other_sequence) in &all[index + 1..] {
                let clash = sequence.starts_with(other_sequence) || other_sequence.starts_with(sequence);
                assert!(!clash, "{context:?}: {} {text} and {} {other_text}", spec.name, other.name);
            }
        }
    }
}

#[test]
fn names_and_commands_are_unique() {
    let mut names: Vec<_> = commands().map(|spec| spec.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), commands().count());
    for spec in commands() {
        assert_eq!(spec.command.spec().name, spec.name);
    }
}

#[test]
fn nearer_contexts_win_and_prefixes_wait() {
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
fn user_bindings_replace_and_add() {
    let (keymap, config_errors) = with(&[
        ("normal", "G", None),
        ("normal", "G x", Some("budget.more")),
        ("normal", "q", Some("pane.zoom")),
        ("list", "U", Some("budget.set 8000")),
    ]);
    assert_eq!(config_errors, [""; 0]);
    assert_eq!(command(&keymap, Context::Normal, "G x"), Some(Command::BudgetMore));
    assert_eq!(command(&keymap, Context::Normal, "q"), Some(Command::Zoom));
    assert_eq!(keymap.keys_of(Context::Normal, Command::Zoom), ["Z", "q"]);
    match keymap.resolve(&[Context::Pane(pack::ID)], &keys("U")) {
        Resolution::Run(bound) => assert_eq!((bound.command, bound.argument.as_str()), (Command::BudgetSet, "8000")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn invalid_bindings_are_reported_and_skipped() {
    let (keymap, config_errors) = with(&[
        ("nowhere", "x", Some("app.quit")),
        ("normal", "C-i", Some("app.quit")),
        ("normal", "g", Some("app.quit")),
        ("normal", "G G", Some("app.quit")),
        ("normal", "X", Some("app.leave")),
        ("normal", "X", None),
        ("normal", "q", None),
        ("typing", "Hyper-x", Some("app.quit")),
        ("normal", "Hyper-x", Some("app.quit")),
    ]);
    let expected = [
        "1: unknown context `nowhere`; there are global,",
        "2: `C-i`: terminals send C-i as another key",
        "3: `g` and `g ",
        "4: `G G` and `G` can't both be bound: one is a prefix of the other",
        "5: unknown command `app.leave`",
        "6: `X` is not bound in normal",
        "8: unknown context `typing`",
        "9: `Hyper-x` is not a key: write x, C-x, A-Enter, F1, or several",
    ];
    assert_eq!(config_errors.len(), expected.len(), "{config_errors:?}");
    for (config_error, expected) in config_errors.iter().zip(expected) {
        assert!(config_error.starts_with(expected), "{config_error}");
    }
    assert_eq!(command(&keymap, Context::Normal, "q"), None);
    assert_eq!(command(&keymap, Context::Normal, "g g"), Some(Command::Top));
}

#[test]
fn keys_are_shown_without_blanks_between_letters() {
    assert_eq!(shown(&keys("g c")), "gc");
    assert_eq!(shown(&keys("f Enter")), "f Enter");
    assert_eq!(written(&keys("g c")), "g c");
}
