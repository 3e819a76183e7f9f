//! Snapshots of panes, of a review, and of the history.

use std::time::{Duration, Instant};

use ratatui::layout::Size;

use super::{ranked, screen};
use crate::engine::{ChangeRole, Changes, Neighborhood, Vote};
use crate::exchange::{Outcome, RequestRecord, RequestSubject};
use crate::tui::fixture;
use crate::tui::glyphs;
use crate::tui::model::runs::RunSettings;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::history;
use crate::tui::panes::{graph, pack, why};

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
        model.runs.push(now + Duration::from_secs(seconds), settings, &rows, (fixture::PACKED, tokens_used));
    }
    model.focus = focus;
    model.now = Some(now + Duration::from_secs(64));
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
        node.symbol.name = "get_cookie_partitioned_everywhere_and_for_each_of_the_sessions".into();
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
fn comparison_of_rankings_at_100x30() {
    let mut model = full(100, 30, Focus::Pane(pack::ID));
    history::compare_last(&mut model, &mut Vec::new());
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn history_with_requests_of_agents_at_100x30() {
    let mut model = full(100, 30, Focus::Pane(pack::ID));
    let now = model.now.unwrap() + Duration::from_secs(26);
    let symbol = RequestRecord {
        subject: RequestSubject::Symbol("Flask.push\u{1b}[31m".into()),
        outcome: Outcome::Failed,
        pack: None,
        ..fixture::request("")
    };
    let delta = RequestRecord { outcome: Outcome::Delta, ..fixture::request("expire cookies") };
    model.runs.add_requests(vec![(symbol, Duration::from_secs(300)), (delta, Duration::ZERO)], now);
    model.now = Some(now);
    history::open(&mut model, &mut Vec::new());
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn files_have_sums_of_tokens_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(pack::ID));
    model.panes.pack.arrangement.by_file = true;
    model.panes.pack.arrange();
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn a_pack_being_made_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(pack::ID));
    pack::make_pack(&mut model);
    insta::assert_snapshot!(screen(&model));
}

#[test]
fn long_lines_of_source_wrap_at_80x24() {
    let mut model = full(80, 24, Focus::Pane(pack::ID));
    let mut lines = fixture::source().to_vec();
    let long = "    def get_signing_serializer(self, app: Flask, key: str) -> URLSafeTimedSerializer | None:";
    lines[323] = vec![(crate::tui::theme::Slot::Text, long.into())];
    model.panes.source.lines = std::sync::Arc::new(lines);
    let shown = screen(&model);
    assert!(
        shown.contains("def get_signing_serializer(self") && shown.contains("URLSafeTimedSerializer | None:"),
        "{shown}"
    );
    assert!(shown.contains('↳'), "{shown}");
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
