//! Snapshots of why, graph, runs and cost.

use std::time::{Duration, Instant};

use ratatui::layout::Size;

use super::{ranked, screen};
use crate::engine::{ChangeRole, Changes, Neighborhood, Vote};
use crate::exchange::{Outcome, RequestRecord, RequestSubject};
use crate::tui::fixture;
use crate::tui::glyphs;
use crate::tui::model::{Focus, Model};
use crate::tui::panes::runs::{Figures, RunSettings};
use crate::tui::panes::{self, cost, graph, pack, runs, why};

/// Returns a model with data for every pane.
fn full(width: u16, height: u16, focus: Focus) -> Model {
    let mut model = ranked(width, height);
    model.panes.graph.show(fixture::neighborhood());
    model.panes.why.answer = Some(fixture::explained(0));
    let now = Instant::now();
    for (seconds, task, tokens_used) in [(0, "session cookie", 1_390), (64, "refactor session cookie auth", 1_326)] {
        let settings = RunSettings { text: task.into(), budget_tokens: 1_400, ..RunSettings::default() };
        let mut rows = model.panes.pack.symbols.clone();
        if seconds == 0 {
            rows.swap(1, 2);
            rows.swap(3, 5);
            rows[0].components[1].contribution -= 0.1;
        }
        let figures = Figures { tokens_used, took: Duration::from_millis(11) };
        model.panes.runs.push(now + Duration::from_secs(seconds), settings, &rows, fixture::PACKED, figures);
    }
    model.focus = focus;
    model.companion = if panes::pane(focus.pane()).region().is_companion() { focus.pane() } else { why::ID };
    model
}

#[test]
fn a_pinned_symbol_keeps_the_mark_of_its_vote() {
    let mut model = ranked(120, 40);
    let id = model.panes.pack.symbols[0].symbol.id;
    model.task.options.pinned.insert(id);
    model.feedback.set_vote(id, Vote::Useful);
    assert!(screen(&model).contains("*+"), "{}", screen(&model));
}

#[test]
fn a_long_name_in_the_graph_takes_the_place_of_the_hidden_neighbors() {
    let mut model = full(120, 40, Focus::Pane(graph::ID));
    model.panes.graph.shown.nodes.iter_mut().for_each(|node| node.hidden = 77);
    assert!(screen(&model).contains(" +77"), "{}", screen(&model));
    for node in &mut model.panes.graph.shown.nodes {
        node.symbol.name = "get_cookie_partitioned_everywhere".into();
    }
    assert!(!screen(&model).contains("+77"), "{}", screen(&model));
}

#[test]
fn all_panes_at_200x60() {
    insta::assert_snapshot!(screen(&full(200, 60, Focus::Pane(graph::ID))));
}

#[test]
fn changes_at_120x40() {
    let mut model = full(120, 40, Focus::Pane(pack::ID));
    let packed = model.panes.pack.symbols.clone();
    let roles = [ChangeRole::Untested, ChangeRole::Changed, ChangeRole::Calls, ChangeRole::Tests];
    let roles = packed.iter().zip(roles).map(|(packed, role)| (packed.symbol.id, role)).collect();
    let owners = [(packed[0].symbol.file.clone(), vec!["@core".to_owned()])].into();
    model.changes.known = Some(Changes { roles, owners, ..Changes::default() });
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn why_at_120x40() {
    insta::assert_snapshot!(screen(&full(120, 40, Focus::Pane(why::ID))));
}

#[test]
fn why_not_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(why::ID));
    model.panes.pack.select(5);
    model.panes.why.answer = Some(fixture::explained(5));
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn comparison_at_120x40() {
    let mut model = full(120, 40, Focus::Pane(why::ID));
    model.panes.why.compare(fixture::explained(2).symbol);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn graph_tree_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(graph::ID));
    model.panes.graph.step(1, 20);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn graph_canvas_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(graph::ID));
    model.panes.graph.toggle_canvas();
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn ascii_canvas_is_ascii() {
    let mut model = full(120, 40, Focus::Pane(graph::ID));
    model.panes.graph.toggle_canvas();
    model.appearance.glyphs = glyphs::ASCII;
    model.panes.pack.symbols.pop();
    model.panes.pack.symbols.iter_mut().for_each(|packed| packed.symbol.scope.clear());
    for node in &mut model.panes.graph.shown.nodes {
        node.symbol.scope.clear();
    }
    let text = screen(&model);
    let strange: Vec<char> = text.chars().filter(|letter| !letter.is_ascii()).collect();
    assert!(strange.is_empty(), "{strange:?}\n{text}");
}

#[test]
fn pack_diff_at_120x40() {
    let mut model = full(120, 40, Focus::Pane(runs::ID));
    assert!(model.panes.runs.compare_last());
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn requests_of_agents_at_120x40() {
    let mut model = full(120, 40, Focus::Pane(runs::ID));
    let now = Instant::now() + Duration::from_secs(90);
    let symbol = RequestRecord {
        subject: RequestSubject::Symbol("Flask.push\u{1b}[31m".into()),
        outcome: Outcome::Failed,
        pack: None,
        ..fixture::request("")
    };
    let delta = RequestRecord { outcome: Outcome::Delta, ..fixture::request("expire cookies") };
    let requests = vec![(symbol, Duration::from_secs(300)), (delta, Duration::ZERO)];
    model.panes.runs.add_requests(requests, now, true, 20);
    model.now = Some(now);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn cost_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(cost::ID));
    model.panes.cost.step(1, 4, 20);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn panes_without_answers_do_not_panic() {
    for focus in Focus::all() {
        for (width, height) in [(1, 1), (30, 8), (80, 24), (120, 40), (170, 30), (200, 60)] {
            let mut model = full(width, height, focus);
            screen(&model);
            model.panes.graph.show(Neighborhood::default());
            model.panes.why.answer = None;
            model.panes.why.error = Some("gone".into());
            model.panes.graph.toggle_canvas();
            screen(&model);
            model.panes.graph.fail("the database is gone".into());
            model.size = Size { width, height };
            screen(&model);
        }
    }
}
