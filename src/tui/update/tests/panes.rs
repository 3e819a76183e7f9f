//! The panes, and navigation between symbols.

use std::time::Duration;

use super::{Action, Bench};
use crate::engine::Relation;
use crate::model::EdgeType;
use crate::tui::action::Report;
use crate::tui::effect::{Effect, Topic};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::task::EntryPoint;
use crate::tui::panes::pack::Delta;
use crate::tui::panes::why::Counterfactual;
use crate::tui::panes::{graph, pack, source};
use crate::tui::workspace::{Answer, Response};

fn questions(effects: &[Effect]) -> Vec<(u64, Topic)> {
    let question = |effect: &Effect| match effect {
        Effect::Ask(question) => Some((question.number, question.topic.clone())),
        _ => None,
    };
    effects.iter().filter_map(question).collect()
}

fn found(bench: &mut Bench, number: u64, response: Answer<Response>) -> Vec<Effect> {
    bench.act(Action::Report(Report::Answered { number, response }))
}

#[test]
fn explanations_follow_and_late_answers_are_dropped() {
    let mut bench = Bench::ranked();
    let first = bench.model.panes.why.questions[0];
    let asked = questions(&bench.keys("j"));
    assert!(matches!(asked[..], [(_, Topic::Why(_))]), "{asked:?}");
    found(&mut bench, first, Ok(Response::Why(Box::new(fixture::explained(0)))));
    assert_eq!(bench.model.panes.why.answer, None);
    found(&mut bench, asked[0].0, Ok(Response::Why(Box::new(fixture::explained(1)))));
    assert_eq!(bench.model.panes.why.answer, Some(fixture::explained(1)));
    assert_eq!(questions(&bench.keys("g x")), [], "without a change there is no question");
}

#[test]
fn counterfactuals_are_requested_once_why_has_the_focus() {
    let mut bench = Bench::ranked();
    let number = bench.model.panes.why.questions[0];
    assert_eq!(questions(&found(&mut bench, number, Ok(Response::Why(Box::new(fixture::explained(0)))))), []);
    let asked = questions(&bench.keys("K"));
    let [(number, Topic::Counterfactuals { concepts, .. })] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(concepts, &["WEB_SESSION"]);
    let without = Counterfactual { change: "without WEB_SESSION".into(), rank: Some(4) };
    found(&mut bench, *number, Ok(Response::Counterfactuals(vec![without.clone()])));
    assert_eq!(bench.model.panes.why.counterfactuals, [without]);
    assert_eq!(questions(&bench.keys("z")), [], "asked once");
}

#[test]
fn a_new_ranking_requests_the_explanation_again() {
    let mut bench = Bench::ranked();
    bench.keys(">");
    let asked = questions(&bench.rank(Duration::ZERO));
    assert!(asked.iter().any(|(_, topic)| matches!(topic, Topic::Why(_))), "{asked:?}");
}

#[test]
fn the_neighborhood_is_requested_when_visible() {
    let mut bench = Bench::ranked();
    let asked = questions(&bench.keys("5"));
    let [(number, Topic::Neighborhood(request))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((request.root.get(), request.hops), (0, 1));
    found(&mut bench, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    assert_eq!(bench.model.panes.graph.shown.nodes.len(), 5);
    bench.keys("j");
    assert_eq!(
        bench.model.panes.source.wanted.as_ref().unwrap().line,
        339,
        "the source follows the cursor of the tree"
    );
    assert!(matches!(&bench.keys("e")[..], [Effect::Edit { line: 339, .. }, ..]));
    bench.keys("k");
    // Set the next node as root, and go back.
    let asked = questions(&bench.keys("j Enter"));
    let [(number, Topic::Neighborhood(request))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(request.root.get(), 1);
    found(&mut bench, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    assert!(bench.model.panes.graph.error.is_some(), "the answer has another root");
    let asked = questions(&bench.keys("H"));
    assert!(matches!(&asked[..], [(_, Topic::Neighborhood(request))] if request.root.get() == 0), "{asked:?}");
    assert!(matches!(&questions(&bench.keys(")"))[..], [(_, Topic::Neighborhood(request))] if request.hops == 2));
    bench.keys("Esc");
    assert_eq!(bench.model.focus, Focus::Pane(graph::ID), "the first Esc follows the list again");
    bench.keys("Esc");
    assert_eq!(bench.model.focus, Focus::Pane(pack::ID));
}

#[test]
fn runs_are_recorded_marked_compared_and_restored() {
    let mut bench = Bench::ranked();
    bench.keys("m a");
    assert_eq!(bench.model.panes.runs.marks.get(&'a'), Some(&1));
    bench.keys("d");
    assert!(bench.model.message.is_some(), "there is one run");
    bench.keys("i x Enter");
    bench.rank(Duration::ZERO);
    bench.keys("Esc d");
    assert_eq!(bench.model.panes.runs.compared, Some((1, 2)));
    bench.keys("' a");
    assert_eq!(bench.model.task.text(), "session");
    bench.rank(Duration::ZERO);
    assert_eq!(bench.model.panes.runs.list.len(), 3);
    bench.keys("m Esc");
    assert_eq!((bench.model.pending.letter_command, bench.model.panes.runs.marks.len()), (None, 1));
    bench.keys("' z");
    assert!(bench.model.message.as_ref().unwrap().is_error);
}

#[test]
fn a_run_of_files_is_restored_with_its_entry_point() {
    let mut bench = Bench::ranked();
    bench.keys("j j");
    bench.model.task.entry_point = EntryPoint::Files(vec!["a.py".into()]);
    bench.keys("r");
    bench.rank(Duration::ZERO);
    assert_eq!(bench.model.panes.pack.selected, 0, "the first row is selected");
    assert!(
        bench.model.panes.pack.deltas.iter().all(|delta| *delta == Delta::Same),
        "{:?}",
        bench.model.panes.pack.deltas
    );
    assert_eq!(bench.model.panes.runs.list.len(), 2);
    bench.keys("m f 6 j Enter");
    assert_eq!(bench.model.task.entry_point, EntryPoint::Text);
    bench.rank(Duration::ZERO);
    bench.keys("' f");
    assert_eq!(bench.model.task.entry_point, EntryPoint::Files(vec!["a.py".into()]));
    assert_eq!(bench.model.task.text(), "session", "the text is kept");
}

#[test]
fn the_jump_list_goes_back_and_forward() {
    let mut bench = Bench::ranked();
    let location = |bench: &Bench| (bench.model.panes.pack.selected, bench.model.focus);
    bench.keys("H");
    assert_eq!(bench.model.message.as_ref().unwrap().text, "at the oldest location");
    bench.keys("j j Enter");
    assert_eq!(location(&bench), (2, Focus::Pane(source::ID)));
    bench.keys("2 G");
    assert_eq!(location(&bench), (7, Focus::Pane(pack::ID)));
    bench.keys("H");
    assert_eq!(location(&bench), (2, Focus::Pane(pack::ID)));
    bench.keys("H H");
    assert_eq!(location(&bench), (2, Focus::Pane(pack::ID)), "moving by rows adds no jumps");
    bench.keys("L L L");
    assert_eq!(location(&bench), (7, Focus::Pane(pack::ID)));
    bench.keys("H g g L");
    assert_eq!(location(&bench), (0, Focus::Pane(pack::ID)), "a jump drops the next locations");
}

#[test]
fn cost_and_runs_have_filters_and_cost_folds() {
    let mut bench = Bench::ranked();
    bench.keys("7 / a p p Enter");
    assert_eq!(bench.model.panes.cost.filter, "app");
    bench.keys("Enter");
    assert_eq!(bench.model.panes.pack.selected_symbol().unwrap().symbol.file, "src/flask/app.py");
    bench.keys("7 / Esc");
    assert_eq!(bench.model.panes.cost.filter, "");
    bench.keys("z a");
    assert!(bench.model.message.is_some(), "there is one folder");
    bench.keys("6 / z Enter");
    assert!(bench.model.panes.runs.shown().is_empty());
    bench.keys("/ Backspace Enter");
    assert_eq!(bench.model.panes.runs.shown().len(), 1);
    assert_eq!(bench.model.panes.pack.arrangement.filter, "", "panes have their own filters");
}

#[test]
fn enter_in_cost_selects_the_best_symbol_of_a_file() {
    let mut bench = Bench::ranked();
    bench.keys("7 G Enter");
    assert_eq!(bench.model.focus, Focus::Pane(pack::ID));
    assert_eq!(bench.model.panes.pack.selected_symbol().unwrap().symbol.file, "src/flask/app.py");
}

#[test]
fn a_user_that_is_not_ranked_can_be_visited() {
    let mut bench = Bench::ranked();
    let asked = questions(&bench.keys("g r"));
    let [(number, Topic::Users(_))] = asked[..] else { panic!("{asked:?}") };
    let mut stranger = fixture::pack().symbols[1].symbol.clone();
    stranger.id.0[0] ^= 1;
    stranger.file = "src/flask/testing.py".into();
    let relation = Relation { symbol: stranger.clone(), edge_type: EdgeType::Calls, confidence: 0.9, line: None };
    found(&mut bench, number, Ok(Response::Users(vec![relation])));
    assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/testing.py", "previewed");
    bench.keys("Esc");
    assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/sessions.py", "the preview ends");
    let asked = questions(&bench.keys("g r"));
    let relation = Relation { symbol: stranger.clone(), edge_type: EdgeType::Calls, confidence: 0.9, line: None };
    found(&mut bench, asked[0].0, Ok(Response::Users(vec![relation])));
    let effects = bench.keys("Enter");
    assert!(bench.model.overlays.is_empty());
    assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/testing.py");
    assert!(questions(&effects).iter().any(|(_, topic)| matches!(topic, Topic::Why(node) if node.id == stranger.id)));
    bench.keys("j");
    assert_eq!(
        bench.model.panes.source.wanted.as_ref().unwrap().file,
        "src/flask/sessions.py",
        "the list is followed again"
    );
}

#[test]
fn a_use_is_shown_at_its_line_and_esc_restores_the_view() {
    let mut bench = Bench::ranked();
    let shown = |bench: &mut Bench| {
        let generation = bench.model.panes.source.generation;
        let file = bench.model.panes.source.wanted.as_ref().unwrap().file.clone();
        bench.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    };
    shown(&mut bench);
    bench.keys("C-e C-e C-e C-e C-e");
    let scrolled = bench.model.panes.source.top;
    let users = |bench: &mut Bench, line| {
        let asked = questions(&bench.keys("g r"));
        let mut symbol = fixture::pack().omitted[0].symbol.clone();
        symbol.span.end_line = 390;
        let relation = Relation { symbol, edge_type: EdgeType::Calls, confidence: 0.9, line };
        found(bench, asked[0].0, Ok(Response::Users(vec![relation])));
        shown(bench);
    };
    users(&mut bench, Some(385));
    let location = bench.model.panes.source.shown.clone().unwrap();
    assert_eq!((location.start_line, location.line), (367, 385));
    let top = bench.model.panes.source.top;
    assert!((368..385).contains(&top), "the use is in sight: {top}");
    bench.keys("Esc");
    shown(&mut bench);
    assert_eq!(bench.model.panes.source.top, scrolled);
    users(&mut bench, Some(385));
    bench.keys("Enter");
    assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().line, 385, "visiting shows the line of the preview");
    assert!(matches!(&bench.keys("e")[..], [Effect::Edit { line: 385, .. }, ..]));
    bench.keys("g g H");
    assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().line, 385, "the jump list restores the line");
    bench.keys("g g G k k k");
    assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().line, 367, "selecting shows the definition");
    users(&mut bench, None);
    assert_eq!(bench.model.panes.source.shown.as_ref().unwrap().line, 367);
}

#[test]
fn the_source_scrolls_sideways_and_left_returns_to_the_list() {
    let mut bench = Bench::ranked();
    let generation = bench.model.panes.source.generation;
    let file = "src/flask/sessions.py".to_owned();
    bench.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    bench.keys("l");
    assert_eq!((bench.model.focus, bench.model.panes.source.left), (Focus::Pane(source::ID), 0));
    bench.keys("l");
    assert_eq!(bench.model.panes.source.left, 8);
    bench.keys("l l l");
    assert!(
        bench.model.message.is_some() && bench.model.panes.source.left < 24,
        "scrolls to the end of the longest line"
    );
    bench.keys("}");
    assert_eq!(bench.model.panes.source.left, 0, "another definition resets the scroll position");
    bench.keys("l h h");
    assert_eq!(bench.model.focus, Focus::Pane(pack::ID));
}

#[test]
fn braces_step_through_the_definitions_of_a_file() {
    let mut bench = Bench::ranked();
    let generation = bench.model.panes.source.generation;
    let file = "src/flask/sessions.py".to_owned();
    bench.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    let line = |bench: &Bench| bench.model.panes.source.wanted.as_ref().unwrap().line;
    assert_eq!(line(&bench), 324);
    bench.keys("}");
    assert_eq!(line(&bench), 339);
    bench.keys("}");
    assert!(bench.model.message.is_some(), "the last definition");
    bench.keys("{ {");
    assert_eq!(line(&bench), 26);
}

#[test]
fn the_finder_requests_while_typing_and_sets_the_root() {
    let mut bench = Bench::ranked();
    bench.keys("5 o");
    let asked = questions(&bench.keys("p u"));
    assert_eq!(
        asked.iter().map(|(_, topic)| topic.clone()).collect::<Vec<_>>(),
        [Topic::Symbols("p".into()), Topic::Symbols("pu".into())]
    );
    let push = fixture::pack().omitted[0].symbol.clone();
    found(&mut bench, asked[0].0, Ok(Response::Symbols(vec![])));
    found(&mut bench, asked[1].0, Ok(Response::Symbols(vec![push.clone()])));
    let asked = questions(&bench.keys("Enter"));
    assert!(matches!(&asked[..], [(_, Topic::Neighborhood(request))] if request.root == push.node), "{asked:?}");
}
