//! The screens, pinned at every size and for every state.

mod panes;
mod shell;

use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

use super::*;
use crate::tui::command::Command;
use crate::tui::fixture;
use crate::tui::glyphs;
use crate::tui::model::source::Place;
use crate::tui::model::{Focus, IndexState, Message, Model, Phases};
use crate::tui::overlay::Overlay;
use crate::tui::overlay::keys::Keys;
use crate::tui::workspace::Status;

fn draw(model: &Model) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(model.size.width, model.size.height)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    terminal
}

fn screen(model: &Model) -> String {
    draw(model).backend().to_string()
}

/// A model with the fixture's pack, ranked in a pinned time.
fn ranked(width: u16, height: u16) -> Model {
    let mut model = fixture::model(width, height);
    model.status = Status { repository: "github.com/pallets/flask".into(), files: 83, symbols: 1_284, usable: true };
    model.index = IndexState::Ready;
    model.task.input = "refactor session cookie auth".into();
    model.focus = Focus::Pack;
    model.pack.set_pack(fixture::pack(), Duration::from_millis(11));
    let place =
        Place { file: "src/flask/sessions.py".into(), start_line: 324, end_line: 329, line: 324, is_use: false };
    model.source.turn_to(place);
    model.source.show("src/flask/sessions.py", fixture::shown());
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
    // The fixture's hostile symbol is the one thing that is not ours to spell.
    model.pack.symbols.pop();
    let shown = screen(&model);
    assert!(shown.is_ascii(), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn why_at_80x24() {
    let mut model = ranked(80, 24);
    model.focus = Focus::Why;
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
    phases.note("scan", 83, 83);
    phases.note("parse", 40, 83);
    model.index = IndexState::Building(phases);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn empty_task_at_120x40() {
    let mut model = fixture::model(120, 40);
    model.status = Status { repository: "github.com/pallets/flask".into(), files: 83, symbols: 1_284, usable: true };
    model.index = IndexState::Ready;
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn hostile_names_reach_no_cell() {
    let mut model = ranked(120, 40);
    model.message = Some(Message { text: "bad \u{1b}]52;c;x\u{7}".into(), is_error: true });
    model.pack.select(7);
    let shown = screen(&model);
    assert!(!shown.chars().any(|letter| letter.is_control() && letter != '\n'), "{shown:?}");
    assert!(!shown.contains('\u{202e}'));
    assert!(shown.contains("evil\u{241b}[31m"), "{shown}");
}

#[test]
fn every_size_draws_every_state() {
    for (width, height) in
        [(0, 0), (1, 1), (3, 3), (12, 2), (59, 14), (60, 15), (99, 24), (100, 15), (160, 16), (250, 80)]
    {
        for focus in [Focus::Task, Focus::Pack, Focus::Source, Focus::Why] {
            for zoomed in [false, true] {
                let mut model = ranked(width, height);
                model.focus = focus;
                model.zoomed = zoomed;
                model.pack.dimmed = true;
                draw(&model);
                model.overlays = vec![Overlay::Keys(Keys::default())];
                draw(&model);
                draw(&fixture::model(width, height));
            }
        }
    }
}

#[test]
fn stale_rows_are_dimmed_and_the_selection_is_reversed() {
    let mut model = ranked(120, 40);
    let (_, list) = model.areas().list();
    let modifier = |model: &Model, row: u16| draw(model).backend().buffer()[(list.x + 20, list.y + row)].modifier;
    assert!(modifier(&model, 0).contains(Modifier::REVERSED));
    assert!(!modifier(&model, 1).contains(Modifier::DIM));
    model.pack.dimmed = true;
    assert!(modifier(&model, 1).contains(Modifier::DIM));
    assert!(screen(&model).contains("of an older task"), "words say it too");
}

#[test]
fn the_parts_of_a_score_sum_to_it_on_the_screen() {
    let mut model = ranked(120, 40);
    assert!(!screen(&model).contains("residual"));
    model.pack.symbols[0].score += 0.25;
    assert!(screen(&model).contains("residual"));
}
