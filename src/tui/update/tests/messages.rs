//! Messages of the session, and errors in the settings.

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::tui::backend::{RepositoryStatus, Response};
use crate::tui::settings::SettingsLoader;
use crate::tui::view::view;

/// Applies settings with these errors.
fn configured(harness: &mut Harness, errors: &[&str]) {
    let loader =
        SettingsLoader { user_dirs: None, color: true, theme: None, mouse: true, background: None, lookup: |_| None };
    let mut settings = loader.load().unwrap();
    settings.config_errors = errors.iter().map(|error| (*error).to_owned()).collect();
    harness.act(Action::Configured(Box::new(settings)));
}

const ERRORS: [&str; 3] = [
    "config.toml line 3: unknown setting `mous`; there are theme, glyphs, mouse",
    "config.toml line 5: glyphs must be \"unicode\" or \"ascii\"",
    "config.toml line 9: unknown command `app.nothing`",
];

fn shown(harness: &Harness) -> &str {
    harness.model.message.as_ref().map_or("", |message| &message.text)
}

fn screen(harness: &Harness) -> String {
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    terminal.draw(|frame| view(&harness.model, frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn all_errors_are_messages_and_the_last_line_counts_them() {
    let mut harness = Harness::ranked();
    configured(&mut harness, &ERRORS);
    let summary = "config.toml: 3 errors · :messages lists them · line 3: unknown setting `mous`";
    assert_eq!(shown(&harness), summary);
    let logged: Vec<&str> = harness.model.messages.list.iter().rev().map(|message| message.text.as_str()).collect();
    assert_eq!(logged[..3], [ERRORS[2], ERRORS[1], ERRORS[0]]);
    harness.keys("j");
    assert_eq!(harness.model.message, None);
    configured(&mut harness, &ERRORS);
    assert_eq!(shown(&harness), summary, "reloading shows them again");
    configured(&mut harness, &ERRORS[..1]);
    assert_eq!(shown(&harness), ERRORS[0]);
    configured(&mut harness, &["theme x: unknown slot y", ERRORS[0]]);
    assert_eq!(shown(&harness), "settings: 2 errors · :messages lists them · theme x: unknown slot y");
}

#[test]
fn repositories_are_listed_with_share_and_origin() {
    let mut harness = Harness::ranked();
    let effects = harness.keys("g R");
    let [Effect::Ask(question)] = &effects[..] else { panic!("{effects:?}") };
    let row = |label: &str, packed, began_from| RepositoryStatus {
        label: label.to_owned(),
        id: format!("example.com/{label}"),
        root: format!("/src/{label}"),
        packed,
        probability: 40,
        began_from,
        ..RepositoryStatus::default()
    };
    let fetched = Some(("fetched the index of 1a2b, 1 commit behind".to_owned(), Duration::from_secs(7_300)));
    let rows = vec![row("shop", 12, None), row("till", 3, fetched)];
    harness
        .act(Action::Report(Report::Answered { number: question.number, response: Ok(Response::Repositories(rows)) }));
    let shown_rows = screen(&harness);
    for shown in
        ["repositories · 2", "shop", "40%", "12 packed", "example.com/shop in /src/shop", "built from the files"]
    {
        assert!(shown_rows.contains(shown), "{shown}:\n{shown_rows}");
    }
    let effects = harness.keys("Down Enter");
    assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if text == "/src/till"));
    assert!(screen(&harness).contains("fetched the index of 1a2b, 1 commit behind, 2 h ago"));
    harness.keys("Esc");
    assert!(harness.model.overlays.is_empty());
}

#[test]
fn messages_are_listed_whole_and_copied() {
    let mut harness = Harness::ranked();
    configured(&mut harness, &ERRORS);
    harness.keys(": m e s s a g e s Enter");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Messages(_))));
    let effects = harness.keys("Enter");
    assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if text == ERRORS[2]), "the newest is first");
    let effects = harness.keys("Down Enter");
    assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if text == ERRORS[1]));
    harness.keys("Esc");
    assert!(harness.model.overlays.is_empty());
    harness.keys("g m");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Messages(_))));
}
