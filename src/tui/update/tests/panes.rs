//! The panes, and navigation between symbols.

use std::time::Duration;

use ratatui::layout::Size;

use super::{Action, Harness};
use crate::engine::{LastCommit, Relation, Users};
use crate::model::EdgeType;
use crate::tui::action::Report;
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::task::EntryPoint;
use crate::tui::overlay::Overlay;
use crate::tui::panes::pack::Delta;
use crate::tui::panes::{Pane, graph, pack, source};

fn questions(effects: &[Effect]) -> Vec<(u64, Topic)> {
    let question = |effect: &Effect| match effect {
        Effect::Ask(question) => Some((question.number, question.topic.clone())),
        _ => None,
    };
    effects.iter().filter_map(question).collect()
}

/// Returns the questions but those of the why pane, which follows the current symbol everywhere.
fn others(effects: &[Effect]) -> Vec<(u64, Topic)> {
    questions(effects).into_iter().filter(|(_, topic)| !matches!(topic, Topic::Why(_))).collect()
}

fn found(harness: &mut Harness, number: u64, response: Answer<Response>) -> Vec<Effect> {
    harness.act(Action::Report(Report::Answered { number, response }))
}

#[test]
fn explanations_follow_and_late_answers_are_dropped() {
    let mut harness = Harness::ranked();
    let first = harness.model.panes.why.question;
    let asked = questions(&harness.keys("j"));
    assert!(matches!(asked[..], [(_, Topic::Why(_))]), "{asked:?}");
    found(&mut harness, first, Ok(Response::Why(Box::new(fixture::explained(0)))));
    assert_eq!(harness.model.panes.why.answer, None);
    found(&mut harness, asked[0].0, Ok(Response::Why(Box::new(fixture::explained(1)))));
    assert_eq!(harness.model.panes.why.answer, Some(fixture::explained(1)));
    assert_eq!(questions(&harness.keys("g x")), [], "without a change there is no question");
}

#[test]
fn the_commit_is_requested_once_it_is_shown() {
    let mut harness = Harness::ranked();
    harness.model.size = Size { width: 80, height: 24 };
    let number = harness.model.panes.why.question;
    assert_eq!(questions(&found(&mut harness, number, Ok(Response::Why(Box::new(fixture::explained(0)))))), []);
    let asked = questions(&harness.keys("K"));
    let [(commit, Topic::LastCommit(_))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(questions(&harness.keys("z")), [], "asked once");
    harness.keys("Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Text, "no commit is known");
    let to_come = LastCommit { id: String::new(), ..fixture::last_commit() };
    found(&mut harness, *commit, Ok(Response::LastCommit(Some(to_come))));
    harness.keys("Enter");
    let message = harness.model.message.as_ref().map(|message| message.text.as_str());
    assert_eq!((&harness.model.task.entry_point, message), (&EntryPoint::Text, Some("not committed yet")));
    found(&mut harness, *commit, Ok(Response::LastCommit(Some(fixture::last_commit()))));
    harness.keys("Enter");
    let EntryPoint::Changes(revision) = &harness.model.task.entry_point else { panic!("the commit is not ranked") };
    assert!(revision.starts_with("4f1c2ab9"), "{revision}");
}

#[test]
fn the_title_of_the_source_has_the_last_commit_where_there_is_room() {
    let mut harness = Harness::ranked();
    let number = harness.model.panes.why.question;
    let asked = questions(&found(&mut harness, number, Ok(Response::Why(Box::new(fixture::explained(0))))));
    let [(number, Topic::LastCommit(_))] = asked[..] else { panic!("{asked:?}") };
    let status = |harness: &Harness| source::SourcePane.status(&harness.model);
    assert_eq!(status(&harness), "");
    found(&mut harness, number, Ok(Response::LastCommit(Some(fixture::last_commit()))));
    assert_eq!(status(&harness), "2023-11-14 #412 Ada");
    harness.keys("j");
    assert_eq!(status(&harness), "", "it is of another symbol");
    found(&mut harness, number, Ok(Response::LastCommit(Some(fixture::last_commit()))));
    assert_eq!(status(&harness), "");
}

#[test]
fn a_new_ranking_requests_the_explanation_again() {
    let mut harness = Harness::ranked();
    harness.keys(">");
    let asked = questions(&harness.rank(Duration::ZERO));
    assert!(asked.iter().any(|(_, topic)| matches!(topic, Topic::Why(_))), "{asked:?}");
}

#[test]
fn the_neighborhood_is_requested_when_visible() {
    let mut harness = Harness::ranked();
    let asked = questions(&harness.keys("5"));
    let [(number, Topic::Neighborhood(request))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((request.root.number.get(), request.hops), (0, 1));
    found(&mut harness, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    assert_eq!(harness.model.panes.graph.shown.nodes.len(), 5);
    harness.keys("j");
    assert_eq!(
        harness.model.panes.source.wanted.as_ref().unwrap().line,
        339,
        "the source follows the cursor of the tree"
    );
    assert!(matches!(&harness.keys("e")[..], [Effect::Edit { line: 339, .. }, ..]));
    harness.keys("k");
    // Set the next node as root, and go back.
    let asked = others(&harness.keys("j Enter"));
    let [(number, Topic::Neighborhood(request))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(request.root.number.get(), 1);
    found(&mut harness, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    assert!(harness.model.panes.graph.error.is_some(), "the answer has another root");
    let asked = others(&harness.keys("H"));
    assert!(matches!(&asked[..], [(_, Topic::Neighborhood(request))] if request.root.number.get() == 0), "{asked:?}");
    assert!(matches!(&others(&harness.keys(")"))[..], [(_, Topic::Neighborhood(request))] if request.hops == 2));
    harness.keys("Esc");
    assert_eq!(harness.model.focus, Focus::Pane(graph::ID), "the first Esc follows the list again");
    harness.keys("Esc");
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
}

/// Returns whether the history shows a comparison.
fn compares(harness: &Harness) -> bool {
    let overlay = harness.model.overlays.last();
    overlay.is_some_and(|overlay| matches!(overlay, Overlay::History(_)) && overlay.window().input().is_none())
}

#[test]
fn rankings_are_compared_and_restored_in_the_history() {
    let mut harness = Harness::ranked();
    harness.keys("d");
    assert!(harness.model.overlays.is_empty() && harness.model.message.take().is_some(), "there is one ranking");
    harness.keys("i x Enter");
    harness.rank(Duration::ZERO);
    harness.keys("Esc d");
    assert!(compares(&harness));
    harness.keys("Esc");
    assert!(harness.model.overlays.is_empty(), "one key opened it and one closes it");
    harness.keys("d Tab");
    assert!(!compares(&harness) && harness.model.overlays.len() == 1, "the list of the history");
    harness.keys("Tab");
    assert!(!compares(&harness), "the newest ranking is not compared with itself");
    harness.keys("Down Tab");
    assert!(compares(&harness));
    harness.keys("Esc Enter");
    assert_eq!((harness.model.task.text(), harness.model.overlays.len()), ("session", 0));
    harness.rank(Duration::ZERO);
    assert_eq!(harness.model.runs.list.len(), 3);
}

#[test]
fn a_ranking_of_files_is_restored_with_its_entry_point() {
    let mut harness = Harness::ranked();
    harness.keys("j j");
    harness.model.task.entry_point = EntryPoint::Files(vec!["a.py".into()]);
    harness.keys("r");
    harness.rank(Duration::ZERO);
    assert_eq!(harness.model.panes.pack.selected, 0, "the first row is selected");
    let deltas = &harness.model.panes.pack.deltas;
    assert!(deltas.iter().all(|delta| *delta == Delta::Same), "{deltas:?}");
    harness.keys("g h Down Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Text);
    harness.rank(Duration::ZERO);
    harness.keys("g h f i l e s Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Files(vec!["a.py".into()]));
    assert_eq!(harness.model.task.text(), "session", "the text is kept");
}

#[test]
fn the_source_is_left_for_the_list() {
    let mut harness = Harness::ranked();
    harness.keys("l");
    assert_eq!(harness.model.focus, Focus::Pane(source::ID));
    harness.keys("h");
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
}

#[test]
fn the_jump_list_goes_back_and_forward() {
    let mut harness = Harness::ranked();
    let location = |harness: &Harness| (harness.model.panes.pack.selected, harness.model.focus);
    harness.keys("H");
    assert_eq!(harness.model.message.as_ref().unwrap().text, "at the oldest location");
    harness.keys("j j Enter");
    assert_eq!(location(&harness), (2, Focus::Pane(source::ID)));
    harness.keys("2 G");
    assert_eq!(location(&harness), (7, Focus::Pane(pack::ID)));
    harness.keys("H");
    assert_eq!(location(&harness), (2, Focus::Pane(pack::ID)));
    harness.keys("H H");
    assert_eq!(location(&harness), (2, Focus::Pane(pack::ID)), "moving by rows adds no jumps");
    harness.keys("L L L");
    assert_eq!(location(&harness), (7, Focus::Pane(pack::ID)));
    harness.keys("H g g L");
    assert_eq!(location(&harness), (0, Focus::Pane(pack::ID)), "a jump drops the next locations");
}

#[test]
fn unranked_caller_can_be_visited() {
    let mut harness = Harness::ranked();
    let asked = questions(&harness.keys("g r"));
    let [(number, Topic::Users(_))] = asked[..] else { panic!("{asked:?}") };
    let mut unranked = fixture::pack().symbols[1].symbol.clone();
    unranked.id.0[0] ^= 1;
    unranked.file = "src/flask/testing.py".into();
    let relation = Relation {
        symbol: unranked.clone(),
        edge_type: EdgeType::Calls,
        confidence: 0.9,
        lines: Vec::new(),
        may_run: false,
    };
    found(&mut harness, number, Ok(Response::Users(Users { relations: vec![relation], caveats: Vec::new() })));
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/testing.py", "previewed");
    harness.keys("Esc");
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/sessions.py", "the preview ends");
    let asked = questions(&harness.keys("g r"));
    let relation = Relation {
        symbol: unranked.clone(),
        edge_type: EdgeType::Calls,
        confidence: 0.9,
        lines: Vec::new(),
        may_run: false,
    };
    found(&mut harness, asked[0].0, Ok(Response::Users(Users { relations: vec![relation], caveats: Vec::new() })));
    let effects = harness.keys("Enter");
    assert!(harness.model.overlays.is_empty());
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/testing.py");
    assert!(questions(&effects).iter().any(|(_, topic)| matches!(topic, Topic::Why(node) if node.id == unranked.id)));
    harness.keys("2 j");
    assert_eq!(
        harness.model.panes.source.wanted.as_ref().unwrap().file,
        "src/flask/sessions.py",
        "the list is followed again"
    );
}

#[test]
fn a_use_is_shown_at_its_line_and_esc_restores_the_view() {
    let mut harness = Harness::ranked();
    let shown = |harness: &mut Harness| {
        let generation = harness.model.panes.source.generation;
        let file = harness.model.panes.source.wanted.as_ref().unwrap().file.clone();
        harness.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    };
    shown(&mut harness);
    harness.keys("C-e C-e C-e C-e C-e");
    let scrolled = harness.model.panes.source.top;
    let users = |harness: &mut Harness, line: Option<u32>| {
        let asked = questions(&harness.keys("g r"));
        let mut symbol = fixture::pack().omitted[0].symbol.clone();
        symbol.span.end_line = 390;
        let relation = Relation {
            symbol,
            edge_type: EdgeType::Calls,
            confidence: 0.9,
            lines: line.into_iter().collect(),
            may_run: false,
        };
        found(harness, asked[0].0, Ok(Response::Users(Users { relations: vec![relation], caveats: Vec::new() })));
        shown(harness);
    };
    users(&mut harness, Some(385));
    let location = harness.model.panes.source.shown.clone().unwrap();
    assert_eq!((location.start_line, location.line), (367, 385));
    let top = harness.model.panes.source.top;
    assert!((368..385).contains(&top), "the use is in sight: {top}");
    harness.keys("Esc");
    shown(&mut harness);
    assert_eq!(harness.model.panes.source.top, scrolled);
    users(&mut harness, Some(385));
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 385, "visiting shows the line of the preview");
    assert!(matches!(&harness.keys("e")[..], [Effect::Edit { line: 385, .. }, ..]));
    harness.keys("g g H");
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 385, "the jump list restores the line");
    harness.keys("g g G k k k");
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 367, "selecting shows the definition");
    users(&mut harness, None);
    assert_eq!(harness.model.panes.source.shown.as_ref().unwrap().line, 367);
}

#[test]
fn braces_step_through_the_definitions_of_a_file() {
    let mut harness = Harness::ranked();
    let generation = harness.model.panes.source.generation;
    let file = "src/flask/sessions.py".to_owned();
    harness.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    let line = |harness: &Harness| harness.model.panes.source.wanted.as_ref().unwrap().line;
    assert_eq!(line(&harness), 324);
    harness.keys("}");
    assert_eq!(line(&harness), 339);
    harness.keys("}");
    assert!(harness.model.message.is_some(), "the last definition");
    harness.keys("{ {");
    assert_eq!(line(&harness), 26);
}

#[test]
fn graph_source_and_why_show_one_symbol() {
    let mut harness = Harness::ranked();
    harness.model.size = ratatui::layout::Size { width: 200, height: 60 };
    let asked = questions(&harness.keys("5"));
    let Some((number, _)) = asked.iter().find(|(_, topic)| matches!(topic, Topic::Neighborhood(_))) else {
        panic!("{asked:?}")
    };
    found(&mut harness, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    let asked = questions(&harness.keys("j"));
    let symbol = crate::tui::update::navigation::current_symbol(&harness.model).unwrap();
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, symbol.span.name_line as usize);
    assert!(matches!(&asked[..], [(_, Topic::Why(node))] if node.id == symbol.id), "{asked:?}");
}

#[test]
fn the_finder_requests_while_typing_and_sets_the_root() {
    let mut harness = Harness::ranked();
    harness.keys("5 o");
    let asked = questions(&harness.keys("p u"));
    assert_eq!(
        asked.iter().map(|(_, topic)| topic.clone()).collect::<Vec<_>>(),
        [Topic::Symbols("p".into()), Topic::Symbols("pu".into())]
    );
    let push = fixture::pack().omitted[0].symbol.clone();
    found(&mut harness, asked[0].0, Ok(Response::Symbols(vec![])));
    found(&mut harness, asked[1].0, Ok(Response::Symbols(vec![push.clone()])));
    let asked = others(&harness.keys("Enter"));
    assert!(matches!(&asked[..], [(_, Topic::Neighborhood(request))] if request.root.number == push.node), "{asked:?}");
}

#[test]
fn votes_of_earlier_sessions_do_not_change_a_run() {
    let mut harness = Harness::ranked();
    let voted = fixture::pack().symbols[0].symbol.id;
    let task = harness.model.feedback.votes_task.clone();
    let answer = Ok(crate::tui::backend::Recorded::Votes(vec![(voted, crate::engine::Vote::Useful)]));
    harness.act(Action::Report(Report::Recorded { record: crate::tui::effect::Record::Votes { task }, answer }));
    assert_eq!(harness.model.runs.newest().unwrap().settings.votes, [(voted, 1)].into());
}

#[test]
fn the_cut_line_is_found_among_the_listed_symbols() {
    for keys in ["g c", "f f g c"] {
        let mut harness = Harness::ranked();
        harness.keys(keys);
        let list = &harness.model.panes.pack;
        let cut = list.cut().unwrap_or_else(|| panic!("{keys}: no line between packed and omitted symbols"));
        assert!(list.shown.contains(&list.selected), "{keys}");
        assert_eq!(cut.abs_diff(list.selected_line()), 1, "{keys}");
    }
    // Among the types there is no such line.
    let mut harness = Harness::ranked();
    harness.keys("f t");
    let before = harness.model.panes.pack.selected;
    harness.keys("g c");
    let list = &harness.model.panes.pack;
    assert_eq!((list.cut(), list.selected), (None, before));
}
