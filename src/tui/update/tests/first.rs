//! Commands before the first index is complete, and their results after it.

use std::time::Duration;

use super::{Action, Harness, depths};
use crate::model::{NodeId, Symbol};
use crate::tui::action::Report;
use crate::tui::backend::{Examples, Indexed, Progress, Response, Status};
use crate::tui::effect::{Effect, Topic};
use crate::tui::fixture;
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, IndexState, Phases};
use crate::tui::panes::pack;

/// Returns an explorer whose first index is being built.
fn building() -> Harness {
    let mut harness = Harness::new();
    harness.act(Action::Report(Report::Status(Ok(Status::default()))));
    assert_eq!(harness.model.index, IndexState::Building(Phases::default()));
    harness
}

fn parsed(harness: &mut Harness, done: usize) -> Vec<Effect> {
    harness.act(Action::Report(Report::Progress(Progress { phase: "parse", done, total: 9 })))
}

fn indexed(harness: &mut Harness) -> Vec<Effect> {
    let status = Status { usable: true, files: 3, ..Status::default() };
    harness.act(Action::Report(Report::Indexed(Ok(Indexed { status, changed: true, ..Indexed::default() }))))
}

fn asked(effects: &[Effect]) -> Vec<(u64, Topic)> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ask(question) => Some((question.number, question.topic.clone())),
            _ => None,
        })
        .filter(|(_, topic)| matches!(topic, Topic::Symbols(_) | Topic::Files { .. } | Topic::Relocate(_)))
        .collect()
}

fn question(effects: &[Effect]) -> (u64, Topic) {
    let asked = asked(effects);
    let [one] = &asked[..] else { panic!("{asked:?}") };
    one.clone()
}

fn answer(harness: &mut Harness, number: u64, response: Response) -> Vec<Effect> {
    harness.act(Action::Report(Report::Answered { number, response: Ok(response) }))
}

fn symbols() -> Vec<Symbol> {
    fixture::pack().symbols.into_iter().map(|packed| packed.symbol).collect()
}

#[test]
fn the_finder_renews_and_keeps_its_selection() {
    let mut harness = building();
    let (number, topic) = question(&harness.keys("C-t s"));
    assert_eq!(topic, Topic::Symbols("s".into()));
    answer(&mut harness, number, Response::Symbols(symbols()[..2].to_vec()));
    harness.keys("Down");
    let (number, topic) = question(&parsed(&mut harness, 3));
    assert_eq!(topic, Topic::Symbols("s".into()));
    let more = [2, 3, 1, 0].map(|index| symbols()[index].clone()).to_vec();
    answer(&mut harness, number, Response::Symbols(more));
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 339, "the selection is still on save_session");
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.chosen.as_ref().unwrap().name, "save_session");
    assert!(matches!(&harness.keys("e")[..], [Effect::Edit { line: 339, .. }, ..]));
}

#[test]
fn a_slow_search_is_answered_before_the_next_one() {
    let mut harness = building();
    let (number, _) = question(&harness.keys("C-t s"));
    assert_eq!(asked(&parsed(&mut harness, 3)).len(), 0, "no new question before the answer");
    answer(&mut harness, number, Response::Symbols(symbols()));
    harness.keys("Esc C-t s");
    assert_eq!(asked(&parsed(&mut harness, 4)).len(), 0);
    // Until the selection moves it stays on the first row.
    let mut harness = building();
    let (number, _) = question(&harness.keys("C-t s"));
    answer(&mut harness, number, Response::Symbols(symbols()[..1].to_vec()));
    let (number, _) = question(&parsed(&mut harness, 4));
    answer(&mut harness, number, Response::Symbols(symbols()[1..3].iter().chain(&symbols()[..1]).cloned().collect()));
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.chosen.as_ref().unwrap().name, symbols()[1].name);
}

#[test]
fn equal_names_of_a_package_can_be_selected() {
    let mut harness = building();
    let (number, _) = question(&harness.keys("C-t s"));
    let file = |name: &str| Symbol { file: name.to_owned(), ..symbols()[0].clone() };
    let equals = vec![file("a_linux.go"), file("a_darwin.go"), file("a_windows.go")];
    answer(&mut harness, number, Response::Symbols(equals.clone()));
    for _ in 0..2 {
        harness.keys("Down");
        let (number, _) = question(&parsed(&mut harness, 3));
        answer(&mut harness, number, Response::Symbols(equals.clone()));
    }
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.chosen.as_ref().unwrap().file, "a_windows.go");
}

#[test]
fn the_finder_drops_symbols_of_an_old_index() {
    let mut harness = building();
    let (number, _) = question(&harness.keys("C-t s"));
    answer(&mut harness, number, Response::Symbols(symbols()));
    let (number, topic) = question(&indexed(&mut harness));
    assert_eq!(topic, Topic::Symbols("s".into()));
    let mut other = harness.clone();
    other.keys("Enter");
    assert_eq!(other.model.panes.source.chosen, None, "old symbols can't be visited");
    answer(&mut harness, number, Response::Symbols(symbols()));
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.chosen.as_ref().unwrap().name, symbols()[0].name);
}

#[test]
fn visited_symbols_are_relocated_after_the_first_index() {
    let mut harness = building();
    let (number, _) = question(&harness.keys("C-t s"));
    answer(&mut harness, number, Response::Symbols(symbols()));
    harness.keys("Down Enter");
    let (number, topic) = question(&indexed(&mut harness));
    let Topic::Relocate(asked) = topic else { panic!("{topic:?}") };
    assert_eq!(asked[0].name, "save_session");
    let mut now = asked[0].clone();
    (now.node, now.span.name_line) = (NodeId::new(77), 400);
    answer(&mut harness, number, Response::Relocated(vec![Some(now)]));
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 400);
    assert_eq!(harness.model.panes.why.chosen.as_ref().unwrap().node, NodeId::new(77));
}

#[test]
fn files_picked_before_the_index_are_ranked_after_it() {
    let mut harness = building();
    let (number, topic) = question(&harness.keys("Esc g p"));
    assert_eq!(topic, Topic::Files { needle: String::new() });
    answer(&mut harness, number, Response::Files(vec!["a.py".into(), "b.py".into()]));
    assert_eq!(depths(&harness.keys("Down Enter")), []);
    assert_eq!(harness.model.task.entry_point, EntryPoint::Files(vec!["b.py".into()]));
    assert_eq!(depths(&indexed(&mut harness)).len(), 1);
}

#[test]
fn what_is_kept_stays_kept_when_the_repository_gets_another_name() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    let old = harness.model.panes.pack.symbols[0].symbol.id;
    let (number, topic) = question(&indexed(&mut harness));
    let Topic::Relocate(asked) = topic else { panic!("{topic:?}") };
    let renamed = |mut symbol: Symbol| {
        symbol.id.0[0] ^= 0x55;
        Some(symbol)
    };
    answer(&mut harness, number, Response::Relocated(asked.into_iter().map(renamed).collect()));
    let kept = harness.model.task.trail.steps[0].symbol.id;
    assert_ne!(kept, old);
    assert_eq!(harness.model.task.options.pinned, [kept].into());
}

#[test]
fn jumps_are_relocated_or_forgotten_after_an_update() {
    let mut harness = Harness::ranked();
    // Jumps from the first, the last and the third row.
    harness.keys("G g g j j Enter 2 k G");
    let (number, topic) = question(&indexed(&mut harness));
    harness.rank(Duration::ZERO);
    let Topic::Relocate(asked) = topic else { panic!("{topic:?}") };
    assert!(asked.len() >= 2, "{asked:?}");
    let gone = harness.model.panes.pack.symbols[2].symbol.id;
    let again =
        asked.into_iter().map(|symbol| (symbol.id != gone).then_some(Symbol { node: NodeId::new(50), ..symbol }));
    answer(&mut harness, number, Response::Relocated(again.collect()));
    let mut locations = Vec::new();
    for _ in 0..4 {
        harness.keys("H");
        locations.push((harness.model.panes.pack.selected, harness.model.focus));
    }
    let location = |row| (row, Focus::Pane(pack::ID));
    assert_eq!(locations, [location(1), location(7), location(0), location(0)], "gone symbols are skipped");
}

#[test]
fn examples_are_searched_only_while_there_is_no_task() {
    let mut harness = building();
    harness.keys("a b");
    let questions = |effects: &[Effect]| {
        let number = |effect: &Effect| match effect {
            Effect::Ask(question) if question.topic == Topic::Examples => Some(question.number),
            _ => None,
        };
        effects.iter().filter_map(number).collect::<Vec<_>>()
    };
    assert!(questions(&indexed(&mut harness)).is_empty(), "there is a task");
    let asked = questions(&harness.keys("C-u"));
    assert_eq!(asked.len(), 1);
    assert!(questions(&harness.keys("a C-u")).is_empty(), "the answer is awaited");
    let answered = |harness: &mut Harness, number, tasks: &[&str], is_complete| {
        let tasks = tasks.iter().map(|task| (*task).to_owned()).collect();
        questions(&answer(harness, number, Response::Examples(Examples { tasks, is_complete })))
    };
    let next = answered(&mut harness, asked[0], &["one task"], false);
    assert_eq!(next.len(), 1, "the search goes on");
    harness.keys("a");
    assert!(answered(&mut harness, next[0], &[], false).is_empty(), "there is a task again");
    let next = questions(&harness.keys("C-u"));
    assert!(answered(&mut harness, next[0], &["one task", "another"], true).is_empty());
    assert_eq!(harness.model.examples.tasks, ["one task", "another"]);
    harness.keys("A-2");
    assert_eq!(harness.model.task.text(), "another");
}
