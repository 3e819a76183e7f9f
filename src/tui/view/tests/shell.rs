//! Snapshots of windows and of the start screen.

use std::time::{Duration, Instant};

use super::{draw, ranked, screen};
use crate::engine::concepts::MatchedConcept;
use crate::model::{ContextPack, UnmatchedWord};
use crate::tui::action::{self, Action, Report};
use crate::tui::backend::Response;
use crate::tui::key::Key;
use crate::tui::links::Link;
use crate::tui::model::export::Written;
use crate::tui::model::{IndexState, Model};
use crate::tui::update::update;
use crate::tui::view::view_with_links;
use crate::tui::{fixture, glyphs};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event as TerminalEvent, KeyEvent, KeyModifiers};

/// Presses keys, written as in the keymap, and waits.
fn press(model: &mut Model, keys: &str) {
    let now = Instant::now();
    for key in Key::sequence(keys).unwrap() {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::CONTROL, key.control);
        modifiers.set(KeyModifiers::ALT, key.alt);
        let action = action::translate(model, TerminalEvent::Key(KeyEvent::new(key.code, modifiers))).unwrap();
        update(model, action, now);
    }
    update(model, Action::Tick, now + Duration::from_secs(1));
}

#[test]
fn palette_at_80x24() {
    let mut model = ranked(80, 24);
    press(&mut model, ": b u d");
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn palette_arguments_at_80x24() {
    let mut model = fixture::model(80, 24);
    press(&mut model, "F2");
    press(&mut model, "m o u s e Space");
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn palette_shows_why_commands_are_disabled() {
    let mut model = fixture::model(120, 40);
    press(&mut model, "F2");
    press(&mut model, "g o . e d");
    assert!(screen(&model).contains("(no symbol is selected)"));
}

#[test]
fn an_empty_pack_names_the_nearest_words() {
    let mut model = fixture::model(80, 24);
    model.index = IndexState::Ready;
    let sesion = UnmatchedWord { word: "sesion".into(), nearest: vec!["session".into()] };
    let pack = ContextPack { unmatched_words: vec![sesion], ..ContextPack::default() };
    model.panes.pack.set_pack(pack, Duration::ZERO);
    assert!(screen(&model).contains("no symbol matches sesion (nearest: session)"), "{}", screen(&model));
}

#[test]
fn concepts_at_80x24() {
    let mut model = ranked(80, 24);
    let quiet = MatchedConcept { concept: "COOKIE".into(), muted: true, ..fixture::concept_match() };
    model.concepts.answer = Some(Ok(vec![fixture::concept_match(), quiet]));
    press(&mut model, "* / s a v");
    insta::assert_snapshot!(screen(&model));
    press(&mut model, "Esc Tab");
    assert!(screen(&model).contains("COOKIE is muted"));
}

#[test]
fn a_container_that_the_file_names_is_not_cut() {
    let mut model = ranked(120, 40);
    let symbol = &mut model.panes.pack.symbols[0].symbol;
    (symbol.name, symbol.scope) = ("createEnumDeserializer".into(), "BasicDeserializerFactory".into());
    assert!(screen(&model).contains("createEnumDeserializer ‹Ba"));
    model.panes.pack.symbols[0].symbol.file = "deser/BasicDeserializerFactory.java".into();
    assert!(screen(&model).contains("createEnumDeserializer  "), "{}", screen(&model));
}

#[test]
fn commands_are_listed_by_what_they_do_before_their_names() {
    let mut model = ranked(80, 24);
    press(&mut model, ": s e s s i o n . c");
    let shown = screen(&model);
    let line = shown.lines().find(|line| line.contains("session.clear ")).unwrap();
    assert!(line.find("start over") < line.find("session.clear"), "{line}");
    assert!(line.contains("start over"), "{line}");
}

#[test]
fn export_formats_fit_on_the_smallest_boxed_screen() {
    let mut model = ranked(80, 24);
    press(&mut model, "y e");
    assert!(screen(&model).contains("( ) text"), "{}", screen(&model));
}

#[test]
fn locations_are_links_unless_a_window_covers_them() {
    let mut model = ranked(120, 40);
    let links = |model: &Model| {
        let mut links = Vec::new();
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        let drawn = terminal.draw(|frame| links = view_with_links(model, frame)).unwrap();
        let text = |link: &Link| link.area.positions().map(|cell| drawn.buffer[cell].symbol()).collect::<String>();
        links.iter().map(|link| (text(link), link.file.clone(), link.line)).collect::<Vec<_>>()
    };
    let all = links(&model);
    let has = |text: &str, file: &str, line| all.contains(&(text.to_owned(), file.to_owned(), line));
    assert!(has("sessions.py:324", "src/flask/sessions.py", 324) && has("json/tag.py:97", "src/flask/json/tag.py", 97));
    assert!(has("src/flask/sessions.py:324", "src/flask/sessions.py", 324), "{all:?}");
    press(&mut model, "? Tab");
    let covered = links(&model);
    assert!(covered.is_empty(), "{covered:?}");
}

#[test]
fn a_folder_without_source_has_a_message() {
    let mut model = fixture::model(80, 24);
    model.index = IndexState::Ready;
    model.status.usable = true;
    model.status.nothing_indexed =
        Some("no file in a supported language here (Python); no grammar for 312 .dart".into());
    let lines = screen(&model);
    for text in
        ["Nothing is indexed", "no file in a supported language here (Python); no", "312 .dart", "knowing tui DIR"]
    {
        assert!(lines.contains(text), "{lines}");
    }
    model.status.files = 1;
    assert!(screen(&model).contains("Say what you want to do"));
}

#[test]
fn the_header_has_repository_state_and_places() {
    for width in [60, 80, 200] {
        let shown = screen(&ranked(width, 20));
        let header = shown.lines().next().unwrap();
        assert!(header.contains(" flask · up to date ") && header.contains(" 8 places"), "{header}");
    }
}

#[test]
fn continuations_at_80x24() {
    let mut model = ranked(80, 24);
    press(&mut model, "y");
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn continuations_at_120x40() {
    let mut model = ranked(120, 40);
    press(&mut model, "y");
    insta::assert_snapshot!(screen(&model));
}

/// Returns a model with the export dialog open.
fn export(width: u16, height: u16) -> Model {
    let mut model = ranked(width, height);
    press(&mut model, "y e");
    let text = "GCF v=1 task=\"refactor session cookie auth\"\n@0 open_session\n@1 evil\u{1b}[31mname\n".to_owned();
    let response = Ok(Response::Text(Written { text, tokens: 3_378, symbols: 12, missing: 1, left_out: 0 }));
    let number = model.last_question;
    update(&mut model, Action::Report(Report::Answered { number, response }), Instant::now());
    model
}

#[test]
fn export_at_80x24() {
    insta::assert_snapshot!(screen(&export(80, 24)));
}

#[test]
fn export_in_ascii_at_120x40() {
    let mut model = export(120, 40);
    model.appearance.glyphs = glyphs::ASCII;
    model.panes.pack.symbols.pop();
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn history_at_80x24() {
    let mut model = ranked(80, 24);
    model.history.add("where are cookies signed?");
    model.history.add("retry uploads\nwith a backoff");
    press(&mut model, "i C-r");
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn examples_at_80x24() {
    let mut model = fixture::model(80, 24);
    model.index = crate::tui::model::IndexState::Ready;
    model.examples.tasks = vec!["creates a cookie for the session".into(), "what breaks when Flask changes".into()];
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn every_window_at_every_size_does_not_panic() {
    for (width, height) in [(0, 0), (1, 1), (7, 3), (12, 2), (40, 10), (59, 14), (80, 24), (250, 80)] {
        for keys in [":", "?", "y", "y e", "g", "i C-r"] {
            let mut model = ranked(width, height);
            press(&mut model, keys);
            draw(&model);
        }
    }
}
