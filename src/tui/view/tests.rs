//! Snapshots of the screens.

mod explanation;
mod graph;
mod panes;
mod shell;

use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

use super::*;
use crate::tui::backend::{Status, WAITING};
use crate::tui::command::Command;
use crate::tui::fixture;
use crate::tui::glyphs;
use crate::tui::model::{Focus, IndexState, Message, Model, Phases};
use crate::tui::overlay::Overlay;
use crate::tui::overlay::keys::Keys;
use crate::tui::panes::source::SourceLocation;
use crate::tui::panes::{pack, source, why};

fn draw(model: &Model) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(model.size.width, model.size.height)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    terminal
}

fn screen(model: &Model) -> String {
    draw(model).backend().to_string()
}

/// Returns a model with the fixture's pack.
fn ranked(width: u16, height: u16) -> Model {
    let mut model = fixture::model(width, height);
    let repository = "github.com/pallets/flask".into();
    model.status = Status { repository, files: 83, symbols: 1_284, usable: true, ..Status::default() };
    model.index = IndexState::Ready;
    model.task.input = "refactor session cookie auth".into();
    model.focus = Focus::Pane(pack::ID);
    model.panes.pack.set_pack(fixture::pack(), Duration::from_millis(11));
    let location = SourceLocation {
        file: "src/flask/sessions.py".into(),
        start_line: 324,
        end_line: 329,
        line: 324,
        ..SourceLocation::default()
    };
    model.panes.source.go_to(location);
    model.panes.source.show("src/flask/sessions.py", fixture::shown());
    model
}

#[test]
fn ranked_at_80x24() {
    insta::assert_snapshot!(screen(&ranked(80, 24)));
}

#[test]
fn ranked_at_120x40() {
    insta::assert_snapshot!(screen(&ranked(120, 40)));
}

#[test]
fn ranked_at_200x60() {
    insta::assert_snapshot!(screen(&ranked(200, 60)));
}

#[test]
fn ranked_at_40x10() {
    insta::assert_snapshot!(screen(&ranked(40, 10)));
}

#[test]
fn ascii_at_120x40_is_ascii() {
    let mut model = ranked(120, 40);
    model.appearance.glyphs = glyphs::ASCII;
    // The fixture's hostile symbol is not ASCII.
    model.panes.pack.symbols.pop();
    let shown = screen(&model);
    assert!(shown.is_ascii(), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn why_at_80x24() {
    let mut model = ranked(80, 24);
    model.focus = Focus::Pane(why::ID);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn key_help_at_80x24() {
    let mut model = ranked(80, 24);
    let mut keys = Keys { filter: "move".into(), ..Keys::default() };
    keys.selected.apply(Command::OverlayDown, 2);
    keys.selected.apply(Command::OverlayDown, 3);
    model.overlays = vec![Overlay::Keys(keys)];
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn first_index_at_80x24() {
    let mut model = fixture::model(80, 24);
    model.status.repository = "github.com/pallets/flask".into();
    let mut phases = Phases::default();
    // The last report of a phase may be about fewer than all.
    phases.update("scan", 64, 83);
    phases.update("parse", 40, 83);
    model.index = IndexState::Building(phases);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn the_screen_waits_while_another_process_builds_the_index() {
    let mut model = fixture::model(80, 24);
    model.status.repository = "github.com/pallets/flask".into();
    let mut phases = Phases::default();
    phases.update(WAITING, 0, 0);
    model.index = IndexState::Building(phases);
    assert!(!model.can_rank());
    let screen = screen(&model);
    assert!(screen.contains(" flask · waiting for another process "), "{screen}");
    assert!(screen.contains("Another process builds the index of this repository"), "{screen}");
}

#[test]
fn empty_task_at_120x40() {
    let mut model = fixture::model(120, 40);
    let repository = "github.com/pallets/flask".into();
    model.status = Status { repository, files: 83, symbols: 1_284, usable: true, ..Status::default() };
    model.index = IndexState::Ready;
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn control_characters_in_names_are_not_drawn() {
    let mut model = ranked(120, 40);
    model.message = Some(Message { text: "bad \u{1b}]52;c;x\u{7}".into(), is_error: true });
    model.panes.pack.select(7);
    let shown = screen(&model);
    assert!(!shown.chars().any(|letter| letter.is_control() && letter != '\n'), "{shown:?}");
    assert!(!shown.contains('\u{202e}'));
    assert!(shown.contains("evil\u{241b}[31m"), "{shown}");
}

#[test]
fn every_state_at_every_size_does_not_panic() {
    for (width, height) in
        [(0, 0), (1, 1), (3, 3), (12, 2), (59, 14), (60, 15), (99, 24), (100, 15), (160, 16), (250, 80)]
    {
        for focus in [Focus::Task, Focus::Pane(pack::ID), Focus::Pane(source::ID), Focus::Pane(why::ID)] {
            for zoomed in [false, true] {
                let mut model = ranked(width, height);
                model.focus = focus;
                model.zoomed = zoomed;
                model.panes.pack.dimmed = true;
                draw(&model);
                model.overlays = vec![Overlay::Keys(Keys::default())];
                draw(&model);
                draw(&fixture::model(width, height));
            }
        }
    }
}

#[test]
fn stale_rows_are_dimmed() {
    let mut model = ranked(120, 40);
    let list = model.areas().content(pack::ID);
    let modifier = |model: &Model, row: u16| draw(model).backend().buffer()[(list.x + 20, list.y + row)].modifier;
    assert!(modifier(&model, 0).contains(Modifier::REVERSED));
    assert!(!modifier(&model, 1).contains(Modifier::DIM));
    model.panes.pack.dimmed = true;
    assert!(modifier(&model, 1).contains(Modifier::DIM));
    assert!(screen(&model).contains("of an older task"), "the status has it in words");
}

#[test]
fn a_residual_is_shown_only_if_needed() {
    let mut model = ranked(160, 60);
    model.panes.why.has_numbers = true;
    assert!(!screen(&model).contains("residual"));
    model.panes.pack.symbols[0].score += 0.25;
    assert!(screen(&model).contains("residual"));
}
