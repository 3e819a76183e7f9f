//! Reasons, neighborhood, runs, costs and the ways from symbol to symbol.

use std::time::Duration;

use super::{Action, Bench};
use crate::engine::Relation;
use crate::model::EdgeType;
use crate::tui::action::Report;
use crate::tui::effect::{Effect, Topic};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::pack::Delta;
use crate::tui::model::task::Entry;
use crate::tui::model::why::Otherwise;
use crate::tui::workspace::{Answer, Response};

fn questions(effects: &[Effect]) -> Vec<(u64, Topic)> {
    let question = |effect: &Effect| match effect {
        Effect::Ask(question) => Some((question.number, question.topic.clone())),
        _ => None,
    };
    effects.iter().filter_map(question).collect()
}

fn found(bench: &mut Bench, number: u64, finding: Answer<Response>) -> Vec<Effect> {
    bench.act(Action::Report(Report::Found { number, finding }))
}

#[test]
fn reasons_follow_the_selection_and_late_answers_are_dropped() {
    let mut bench = Bench::ranked();
    let first = bench.model.why.asked[0];
    let asked = questions(&bench.keys("j"));
    assert!(matches!(asked[..], [(_, Topic::Why(_))]), "{asked:?}");
    found(&mut bench, first, Ok(Response::Why(Box::new(fixture::explained(0)))));
    assert_eq!(bench.model.why.answer, None);
    found(&mut bench, asked[0].0, Ok(Response::Why(Box::new(fixture::explained(1)))));
    assert_eq!(bench.model.why.answer, Some(fixture::explained(1)));
    assert_eq!(questions(&bench.keys("g x")), [], "nothing moved, nothing is asked");
}

#[test]
fn what_would_be_without_a_class_is_asked_once_somebody_is_at_the_reasons() {
    let mut bench = Bench::ranked();
    let number = bench.model.why.asked[0];
    assert_eq!(questions(&found(&mut bench, number, Ok(Response::Why(Box::new(fixture::explained(0)))))), []);
    let asked = questions(&bench.keys("K"));
    let [(number, Topic::Otherwise { concepts, .. })] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(concepts, &["WEB_SESSION"]);
    let without = Otherwise { supposed: "without WEB_SESSION".into(), place: Some(4) };
    found(&mut bench, *number, Ok(Response::Counterfactuals(vec![without.clone()])));
    assert_eq!(bench.model.why.otherwise, [without]);
    assert_eq!(questions(&bench.keys("z")), [], "once is enough");
}

#[test]
fn a_new_ranking_explains_the_same_symbol_anew() {
    let mut bench = Bench::ranked();
    bench.keys(">");
    let asked = questions(&bench.rank(Duration::ZERO));
    assert!(asked.iter().any(|(_, topic)| matches!(topic, Topic::Why(_))), "{asked:?}");
}

#[test]
fn the_neighborhood_is_asked_for_once_somebody_looks() {
    let mut bench = Bench::ranked();
    let asked = questions(&bench.keys("5"));
    let [(number, Topic::Around(request))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((request.root, request.hops), (0, 1));
    found(&mut bench, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    assert_eq!(bench.model.graph.shown.nodes.len(), 5);
    bench.keys("j");
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 339, "the source follows the tree");
    assert!(matches!(&bench.keys("e")[..], [Effect::Edit { line: 339, .. }, ..]));
    bench.keys("k");
    // One node further down, in the middle, opened, and back.
    let asked = questions(&bench.keys("j Enter"));
    let [(number, Topic::Around(request))] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(request.root, 1);
    found(&mut bench, *number, Ok(Response::Neighborhood(fixture::neighborhood())));
    assert!(bench.model.graph.trouble.is_some(), "another root than was asked for");
    let asked = questions(&bench.keys("H"));
    assert!(matches!(&asked[..], [(_, Topic::Around(request))] if request.root == 0), "{asked:?}");
    assert!(matches!(&questions(&bench.keys(")"))[..], [(_, Topic::Around(request))] if request.hops == 2));
    bench.keys("Esc");
    assert_eq!(bench.model.focus, Focus::Graph, "the first Esc follows the list again");
    bench.keys("Esc");
    assert_eq!(bench.model.focus, Focus::Pack);
}

#[test]
fn runs_are_noted_marked_compared_and_restored() {
    let mut bench = Bench::ranked();
    bench.keys("m a");
    assert_eq!(bench.model.runs.marks.get(&'a'), Some(&1));
    bench.keys("d");
    assert!(bench.model.message.is_some(), "there is nothing to compare with");
    bench.keys("i x Enter");
    bench.rank(Duration::ZERO);
    bench.keys("Esc d");
    assert_eq!(bench.model.runs.compared, Some((1, 2)));
    bench.keys("' a");
    assert_eq!(bench.model.task.text(), "session");
    bench.rank(Duration::ZERO);
    assert_eq!(bench.model.runs.list.len(), 3);
    bench.keys("m Esc");
    assert_eq!((bench.model.runs.letter, bench.model.runs.marks.len()), (None, 1));
    bench.keys("' z");
    assert!(bench.model.message.as_ref().unwrap().is_error);
}

#[test]
fn a_run_of_changed_files_comes_back_as_such_and_nothing_in_it_has_moved() {
    let mut bench = Bench::ranked();
    bench.keys("j j");
    bench.model.task.entry = Entry::Files(vec!["a.py".into()]);
    bench.keys("r");
    bench.rank(Duration::ZERO);
    assert_eq!(bench.model.pack.selected, 0, "the answer is read from its top");
    assert!(bench.model.pack.deltas.iter().all(|delta| *delta == Delta::Same), "{:?}", bench.model.pack.deltas);
    assert_eq!(bench.model.runs.list.len(), 2);
    bench.keys("m f 6 j Enter");
    assert_eq!(bench.model.task.entry, Entry::Words);
    bench.rank(Duration::ZERO);
    bench.keys("' f");
    assert_eq!(bench.model.task.entry, Entry::Files(vec!["a.py".into()]));
    assert_eq!(bench.model.task.text(), "session", "the words wait for their turn");
}

#[test]
fn one_walks_back_over_jumps_and_forward_again() {
    let mut bench = Bench::ranked();
    let place = |bench: &Bench| (bench.model.pack.selected, bench.model.focus);
    bench.keys("H");
    assert_eq!(bench.model.message.as_ref().unwrap().text, "this is where you began");
    bench.keys("j j Enter");
    assert_eq!(place(&bench), (2, Focus::Source));
    bench.keys("2 G");
    assert_eq!(place(&bench), (7, Focus::Pack));
    bench.keys("H");
    assert_eq!(place(&bench), (2, Focus::Pack));
    bench.keys("H H");
    assert_eq!(place(&bench), (2, Focus::Pack), "rows that one only passed are no places");
    bench.keys("L L L");
    assert_eq!(place(&bench), (7, Focus::Pack));
    bench.keys("H g g L");
    assert_eq!(place(&bench), (0, Focus::Pack), "whoever jumps has chosen another way");
}

#[test]
fn the_map_and_the_runs_are_filtered_and_the_map_folds() {
    let mut bench = Bench::ranked();
    bench.keys("7 / a p p Enter");
    assert_eq!(bench.model.cost.filter, "app");
    bench.keys("Enter");
    assert_eq!(bench.model.pack.selected_symbol().unwrap().symbol.file, "src/flask/app.py");
    bench.keys("7 / Esc");
    assert_eq!(bench.model.cost.filter, "");
    bench.keys("z a");
    assert!(bench.model.message.is_some(), "all files lie in one folder");
    bench.keys("6 / z Enter");
    assert!(bench.model.runs.shown().is_empty());
    bench.keys("/ Backspace Enter");
    assert_eq!(bench.model.runs.shown().len(), 1);
    assert_eq!(bench.model.pack.arrangement.filter, "", "the list has a filter of its own");
}

#[test]
fn the_map_leads_to_the_best_symbol_of_a_file() {
    let mut bench = Bench::ranked();
    bench.keys("7 G Enter");
    assert_eq!(bench.model.focus, Focus::Pack);
    assert_eq!(bench.model.pack.selected_symbol().unwrap().symbol.file, "src/flask/app.py");
}

#[test]
fn what_uses_a_symbol_can_be_gone_to_although_it_is_not_in_the_list() {
    let mut bench = Bench::ranked();
    let asked = questions(&bench.keys("g r"));
    let [(number, Topic::Users(_))] = asked[..] else { panic!("{asked:?}") };
    let mut stranger = fixture::pack().symbols[1].symbol.clone();
    stranger.id.0[0] ^= 1;
    stranger.file = "src/flask/testing.py".into();
    let relation = Relation { symbol: stranger.clone(), edge_type: EdgeType::Calls, confidence: 0.9, line: None };
    found(&mut bench, number, Ok(Response::Users(vec![relation])));
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().file, "src/flask/testing.py", "seen before it is chosen");
    bench.keys("Esc");
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().file, "src/flask/sessions.py", "and put back");
    let asked = questions(&bench.keys("g r"));
    let relation = Relation { symbol: stranger.clone(), edge_type: EdgeType::Calls, confidence: 0.9, line: None };
    found(&mut bench, asked[0].0, Ok(Response::Users(vec![relation])));
    let effects = bench.keys("Enter");
    assert!(bench.model.overlays.is_empty());
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().file, "src/flask/testing.py");
    assert!(questions(&effects).iter().any(|(_, topic)| matches!(topic, Topic::Why(node) if node.id == stranger.id)));
    bench.keys("j");
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().file, "src/flask/sessions.py", "back in the list");
}

#[test]
fn a_use_is_seen_and_gone_to_at_its_line_and_esc_restores_what_was_scrolled() {
    let mut bench = Bench::ranked();
    let shown = |bench: &mut Bench| {
        let generation = bench.model.source.generation;
        let file = bench.model.source.wanted.as_ref().unwrap().file.clone();
        bench.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    };
    shown(&mut bench);
    bench.keys("C-e C-e C-e C-e C-e");
    let scrolled = bench.model.source.top;
    let users = |bench: &mut Bench, line| {
        let asked = questions(&bench.keys("g r"));
        let mut symbol = fixture::pack().omitted[0].symbol.clone();
        symbol.span.end_line = 390;
        let relation = Relation { symbol, edge_type: EdgeType::Calls, confidence: 0.9, line };
        found(bench, asked[0].0, Ok(Response::Users(vec![relation])));
        shown(bench);
    };
    users(&mut bench, Some(385));
    let place = bench.model.source.shown.clone().unwrap();
    assert_eq!((place.start_line, place.line), (367, 385));
    let top = bench.model.source.top;
    assert!((368..385).contains(&top), "the use is in sight: {top}");
    bench.keys("Esc");
    shown(&mut bench);
    assert_eq!(bench.model.source.top, scrolled);
    users(&mut bench, Some(385));
    bench.keys("Enter");
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 385, "where one went is where it was seen");
    assert!(matches!(&bench.keys("e")[..], [Effect::Edit { line: 385, .. }, ..]));
    bench.keys("g g H");
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 385, "and what one comes back to");
    bench.keys("g g G k k k");
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 367, "another time it is the definition");
    users(&mut bench, None);
    assert_eq!(bench.model.source.shown.as_ref().unwrap().line, 367);
}

#[test]
fn the_source_scrolls_sideways_and_its_left_edge_leads_back_to_the_list() {
    let mut bench = Bench::ranked();
    let generation = bench.model.source.generation;
    let file = "src/flask/sessions.py".to_owned();
    bench.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    bench.keys("l");
    assert_eq!((bench.model.focus, bench.model.source.left), (Focus::Source, 0));
    bench.keys("l");
    assert_eq!(bench.model.source.left, 8);
    bench.keys("l l l");
    assert!(bench.model.message.is_some() && bench.model.source.left < 24, "a line of sixteen columns goes no further");
    bench.keys("}");
    assert_eq!(bench.model.source.left, 0, "another definition is seen from its beginning");
    bench.keys("l h h");
    assert_eq!(bench.model.focus, Focus::Pack);
}

#[test]
fn braces_step_through_the_definitions_of_a_file() {
    let mut bench = Bench::ranked();
    let generation = bench.model.source.generation;
    let file = "src/flask/sessions.py".to_owned();
    bench.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    let line = |bench: &Bench| bench.model.source.wanted.as_ref().unwrap().line;
    assert_eq!(line(&bench), 324);
    bench.keys("}");
    assert_eq!(line(&bench), 339);
    bench.keys("}");
    assert!(bench.model.message.is_some(), "the last one");
    bench.keys("{ {");
    assert_eq!(line(&bench), 26);
}

#[test]
fn the_finder_asks_as_one_types_and_roots_the_neighborhood() {
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
    assert!(matches!(&asked[..], [(_, Topic::Around(request))] if request.root == push.node), "{asked:?}");
}
