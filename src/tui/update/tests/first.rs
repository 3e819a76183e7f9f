//! What one can do before the first index is there, and what becomes of it afterwards.

use std::time::Duration;

use super::{Action, Bench, depths};
use crate::model::Symbol;
use crate::tui::action::Report;
use crate::tui::effect::{Effect, Topic};
use crate::tui::fixture;
use crate::tui::model::task::Entry;
use crate::tui::model::{Focus, IndexState, Phases};
use crate::tui::workspace::{Indexed, Progress, Response, Status};

/// An explorer whose first index is being made.
fn building() -> Bench {
    let mut bench = Bench::new();
    bench.act(Action::Report(Report::Status(Ok(Status::default()))));
    assert_eq!(bench.model.index, IndexState::Building(Phases::default()));
    bench
}

fn parsed(bench: &mut Bench, done: usize) -> Vec<Effect> {
    bench.act(Action::Report(Report::Progress(Progress { phase: "parse", done, total: 9 })))
}

fn indexed(bench: &mut Bench) -> Vec<Effect> {
    let status = Status { usable: true, files: 3, ..Status::default() };
    bench.act(Action::Report(Report::Indexed(Ok(Indexed { status, changed: true }))))
}

fn asked(effects: &[Effect]) -> Vec<(u64, Topic)> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ask(question) => Some((question.number, question.topic.clone())),
            _ => None,
        })
        .filter(|(_, topic)| matches!(topic, Topic::Symbols(_) | Topic::Files { .. } | Topic::Again(_)))
        .collect()
}

fn question(effects: &[Effect]) -> (u64, Topic) {
    let asked = asked(effects);
    let [one] = &asked[..] else { panic!("{asked:?}") };
    one.clone()
}

fn answer(bench: &mut Bench, number: u64, finding: Response) -> Vec<Effect> {
    bench.act(Action::Report(Report::Found { number, finding: Ok(finding) }))
}

fn symbols() -> Vec<Symbol> {
    fixture::pack().symbols.into_iter().map(|packed| packed.symbol).collect()
}

#[test]
fn the_finder_knows_more_names_the_more_files_are_read_and_stays_on_the_chosen_one() {
    let mut bench = building();
    let (number, topic) = question(&bench.keys("C-t s"));
    assert_eq!(topic, Topic::Symbols("s".into()));
    answer(&mut bench, number, Response::Symbols(symbols()[..2].to_vec()));
    bench.keys("Down");
    let (number, topic) = question(&parsed(&mut bench, 3));
    assert_eq!(topic, Topic::Symbols("s".into()));
    let more = [2, 3, 1, 0].map(|place| symbols()[place].clone()).to_vec();
    answer(&mut bench, number, Response::Symbols(more));
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 339, "the selection is still on save_session");
    bench.keys("Enter");
    assert_eq!(bench.model.source.chosen.as_ref().unwrap().name, "save_session");
    assert!(matches!(&bench.keys("Esc e")[..], [Effect::Edit { line: 339, .. }, ..]));
}

#[test]
fn a_search_that_takes_longer_than_the_next_file_is_heard() {
    let mut bench = building();
    let (number, _) = question(&bench.keys("C-t s"));
    assert_eq!(asked(&parsed(&mut bench, 3)).len(), 0, "the first question waits for its answer");
    answer(&mut bench, number, Response::Symbols(symbols()));
    bench.keys("Esc C-t s");
    assert_eq!(asked(&parsed(&mut bench, 4)).len(), 0);
    // The best match stays the selected one until one moves, whatever comes before it.
    let mut bench = building();
    let (number, _) = question(&bench.keys("C-t s"));
    answer(&mut bench, number, Response::Symbols(symbols()[..1].to_vec()));
    let (number, _) = question(&parsed(&mut bench, 4));
    answer(&mut bench, number, Response::Symbols(symbols()[1..3].iter().chain(&symbols()[..1]).cloned().collect()));
    bench.keys("Enter");
    assert_eq!(bench.model.source.chosen.as_ref().unwrap().name, symbols()[1].name);
}

#[test]
fn one_can_walk_over_equal_names_of_one_package_while_more_files_are_read() {
    let mut bench = building();
    let (number, _) = question(&bench.keys("C-t s"));
    let file = |name: &str| Symbol { file: name.to_owned(), ..symbols()[0].clone() };
    let equals = vec![file("a_linux.go"), file("a_darwin.go"), file("a_windows.go")];
    answer(&mut bench, number, Response::Symbols(equals.clone()));
    for _ in 0..2 {
        bench.keys("Down");
        let (number, _) = question(&parsed(&mut bench, 3));
        answer(&mut bench, number, Response::Symbols(equals.clone()));
    }
    bench.keys("Enter");
    assert_eq!(bench.model.source.chosen.as_ref().unwrap().file, "a_windows.go");
}

#[test]
fn the_finder_gives_out_no_symbol_of_an_index_that_is_no_more() {
    let mut bench = building();
    let (number, _) = question(&bench.keys("C-t s"));
    answer(&mut bench, number, Response::Symbols(symbols()));
    let (number, topic) = question(&indexed(&mut bench));
    assert_eq!(topic, Topic::Symbols("s".into()));
    let mut other = bench.clone();
    other.keys("Enter");
    assert_eq!(other.model.source.chosen, None, "they are looked for again");
    answer(&mut bench, number, Response::Symbols(symbols()));
    bench.keys("Enter");
    assert_eq!(bench.model.source.chosen.as_ref().unwrap().name, symbols()[0].name);
}

#[test]
fn what_was_gone_to_before_the_index_is_the_indexed_symbol_afterwards() {
    let mut bench = building();
    let (number, _) = question(&bench.keys("C-t s"));
    answer(&mut bench, number, Response::Symbols(symbols()));
    bench.keys("Down Enter");
    let (number, topic) = question(&indexed(&mut bench));
    let Topic::Again(asked) = topic else { panic!("{topic:?}") };
    assert_eq!(asked[0].name, "save_session");
    let mut now = asked[0].clone();
    (now.node, now.span.name_line) = (77, 400);
    answer(&mut bench, number, Response::Relocated(vec![Some(now)]));
    assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 400);
    assert_eq!(bench.model.why.chosen.as_ref().unwrap().node, 77);
}

#[test]
fn files_are_picked_before_the_index_and_ranked_once_it_is_there() {
    let mut bench = building();
    let (number, topic) = question(&bench.keys("Esc g p"));
    assert_eq!(topic, Topic::Files { needle: String::new() });
    answer(&mut bench, number, Response::Files(vec!["a.py".into(), "b.py".into()]));
    assert_eq!(depths(&bench.keys("Down Enter")), []);
    assert_eq!(bench.model.task.entry, Entry::Files(vec!["b.py".into()]));
    assert_eq!(depths(&indexed(&mut bench)).len(), 1);
}

#[test]
fn places_of_before_are_found_again_after_the_index_has_changed_or_are_forgotten() {
    let mut bench = Bench::ranked();
    // Jumps away from the first row, the last one and the third.
    bench.keys("G g g j j Enter 2 k G");
    let (number, topic) = question(&indexed(&mut bench));
    bench.rank(Duration::ZERO);
    let Topic::Again(asked) = topic else { panic!("{topic:?}") };
    assert!(asked.len() >= 2, "{asked:?}");
    let gone = bench.model.pack.symbols[2].symbol.id;
    let again = asked.into_iter().map(|symbol| (symbol.id != gone).then_some(Symbol { node: 50, ..symbol }));
    answer(&mut bench, number, Response::Relocated(again.collect()));
    let mut places = Vec::new();
    for _ in 0..4 {
        bench.keys("H");
        places.push((bench.model.pack.selected, bench.model.focus));
    }
    let place = |row| (row, Focus::Pack);
    assert_eq!(places, [place(1), place(7), place(0), place(0)], "what is gone is no place to go back to");
}
