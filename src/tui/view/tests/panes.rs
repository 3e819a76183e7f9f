//! The panes beside list and source: reasons, neighborhood, runs and costs.

use std::time::{Duration, Instant};

use ratatui::layout::Size;

use super::{ranked, screen};
use crate::engine::Neighborhood;
use crate::tui::fixture;
use crate::tui::glyphs;
use crate::tui::model::runs::{Figures, Settings};
use crate::tui::model::{Focus, Model};

/// A model with everything that the panes show, and one of them in focus.
fn full(width: u16, height: u16, focus: Focus) -> Model {
    let mut model = ranked(width, height);
    model.graph.show(fixture::neighborhood());
    model.why.answer = Some(fixture::explained(0));
    let now = Instant::now();
    for (seconds, task, tokens_used) in [(0, "session cookie", 1_390), (64, "refactor session cookie auth", 1_326)] {
        let settings = Settings { words: task.into(), budget_tokens: 1_400, ..Settings::default() };
        let mut rows = model.pack.symbols.clone();
        if seconds == 0 {
            rows.swap(1, 2);
            rows.swap(3, 5);
            rows[0].components[1].contribution -= 0.1;
        }
        let figures = Figures { tokens_used, took: Duration::from_millis(11) };
        model.runs.note(now + Duration::from_secs(seconds), settings, &rows, fixture::PACKED, figures);
    }
    model.focus = focus;
    model.companion = if focus.is_companion() { focus } else { Focus::Why };
    model
}

#[test]
fn all_panes_at_200x60() {
    insta::assert_snapshot!(screen(&full(200, 60, Focus::Graph)));
}

#[test]
fn why_at_120x40() {
    insta::assert_snapshot!(screen(&full(120, 40, Focus::Why)));
}

#[test]
fn why_not_at_80x24() {
    let mut model = full(80, 24, Focus::Why);
    model.pack.select(5);
    model.why.answer = Some(fixture::explained(5));
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn two_compared_at_120x40() {
    let mut model = full(120, 40, Focus::Why);
    model.why.compare(fixture::explained(2).symbol);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn the_tree_at_80x24() {
    let mut model = full(80, 24, Focus::Graph);
    model.graph.step(1, 20);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn the_canvas_at_80x24() {
    let mut model = full(80, 24, Focus::Graph);
    model.graph.toggle_canvas();
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn the_canvas_in_ascii_is_ascii() {
    let mut model = full(120, 40, Focus::Graph);
    model.graph.toggle_canvas();
    model.appearance.glyphs = glyphs::ASCII;
    model.pack.symbols.pop();
    model.pack.symbols.iter_mut().for_each(|packed| packed.symbol.scope.clear());
    for node in &mut model.graph.shown.nodes {
        node.symbol.scope.clear();
    }
    let text = screen(&model);
    let strange: Vec<char> = text.chars().filter(|letter| !letter.is_ascii()).collect();
    assert!(strange.is_empty(), "{strange:?}\n{text}");
}

#[test]
fn two_packs_compared_at_120x40() {
    let mut model = full(120, 40, Focus::Runs);
    assert!(model.runs.compare_last());
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn the_map_at_80x24() {
    let mut model = full(80, 24, Focus::Cost);
    model.cost.step(1, 4, 20);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn a_pane_without_an_answer_says_so_at_every_size() {
    for focus in Focus::ALL {
        for (width, height) in [(1, 1), (30, 8), (80, 24), (120, 40), (170, 30), (200, 60)] {
            let mut model = full(width, height, focus);
            screen(&model);
            model.graph.show(Neighborhood::default());
            model.why.answer = None;
            model.why.trouble = Some("gone".into());
            model.graph.toggle_canvas();
            screen(&model);
            model.graph.fail("the database is gone".into());
            model.size = Size { width, height };
            screen(&model);
        }
    }
}
