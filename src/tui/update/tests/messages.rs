//! Messages of the session, and mistakes in the settings.

use super::*;
use crate::tui::settings::SettingsLoader;

/// Applies settings with these mistakes.
fn configured(harness: &mut Harness, errors: &[&str]) {
    let loader =
        SettingsLoader { user_dirs: None, color: true, theme: None, mouse: true, background: None, lookup: |_| None };
    let mut settings = loader.load().unwrap();
    settings.config_errors = errors.iter().map(|error| (*error).to_owned()).collect();
    harness.act(Action::Configured(Box::new(settings)));
}

const MISTAKES: [&str; 3] = [
    "config.toml line 3: unknown setting `mous`; there are theme, glyphs, mouse",
    "config.toml line 5: glyphs must be \"unicode\" or \"ascii\"",
    "config.toml line 9: unknown command `app.nothing`",
];

fn shown(harness: &Harness) -> &str {
    harness.model.message.as_ref().map_or("", |message| &message.text)
}

#[test]
fn all_mistakes_are_messages_and_the_last_line_counts_them() {
    let mut harness = Harness::ranked();
    configured(&mut harness, &MISTAKES);
    let summary = "config.toml: 3 mistakes · :messages shows them · line 3: unknown setting `mous`";
    assert_eq!(shown(&harness), summary);
    let logged: Vec<&str> = harness.model.messages.list.iter().rev().map(|message| message.text.as_str()).collect();
    assert_eq!(logged[..3], [MISTAKES[2], MISTAKES[1], MISTAKES[0]]);
    harness.keys("j");
    assert_eq!(harness.model.message, None);
    configured(&mut harness, &MISTAKES);
    assert_eq!(shown(&harness), summary, "reloading shows them again");
    configured(&mut harness, &MISTAKES[..1]);
    assert_eq!(shown(&harness), MISTAKES[0]);
    configured(&mut harness, &["theme x: unknown slot y", MISTAKES[0]]);
    assert_eq!(shown(&harness), "settings: 2 mistakes · :messages shows them · theme x: unknown slot y");
}

#[test]
fn messages_are_listed_whole_and_copied() {
    let mut harness = Harness::ranked();
    configured(&mut harness, &MISTAKES);
    harness.keys(": m e s s a g e s Enter");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Messages(_))));
    let effects = harness.keys("Enter");
    assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if text == MISTAKES[2]), "the newest is first");
    let effects = harness.keys("Down Enter");
    assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if text == MISTAKES[1]));
    harness.keys("Esc");
    assert!(harness.model.overlays.is_empty());
    harness.keys("g m");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Messages(_))));
}
