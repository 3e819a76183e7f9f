//! Votes, pins, drops and muted concepts: shown at once, reported with their effect, undone.

use super::*;
use crate::engine::Vote;
use crate::model::ContextPack;
use crate::tui::effect::Record;
use crate::tui::model::feedback::PinState;
use crate::tui::workspace::Recorded;

fn records(effects: &[Effect]) -> Vec<&Record> {
    let mut records = Vec::new();
    for effect in effects {
        if let Effect::Record(record) = effect {
            records.push(record);
        }
    }
    records
}

fn answer(bench: &mut Bench, record: &Record, answer: Result<Recorded, String>) -> Vec<Effect> {
    bench.act(Action::Report(Report::Recorded { record: record.clone(), answer }))
}

fn rank(bench: &mut Bench, change: impl FnOnce(&mut ContextPack)) {
    let mut pack = fixture::pack();
    change(&mut pack);
    let generation = bench.model.search.generation;
    bench.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
}

fn message(bench: &Bench) -> &str {
    bench.model.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn a_vote_shows_at_once_and_ranks_once_recorded() {
    let mut bench = Bench::ranked();
    bench.keys("j");
    let id = bench.model.panes.pack.symbols[1].symbol.id;
    let effects = bench.keys("+");
    assert_eq!(bench.model.feedback.vote(id), Vote::Useful);
    assert_eq!(depths(&effects), [], "ranks once the vote is in the store");
    let records = records(&effects);
    assert!(matches!(records[..], [Record::Shown { .. }, Record::Vote { after: Vote::Useful, .. }]), "{records:?}");
    assert_eq!(depths(&answer(&mut bench, records[1], Ok(Recorded::Done))), [Depth::Full]);
    rank(&mut bench, |pack| {
        pack.symbols[1].score = 0.95;
        pack.symbols.swap(0, 1);
    });
    assert_eq!(message(&bench), "✓ save_session useful +0.070 · #2 → #1");
    assert_eq!(bench.model.panes.pack.selected_symbol().unwrap().symbol.id, id, "the selection follows the symbol");
}

#[test]
fn repeated_vote_and_undo_clear_the_vote() {
    let mut bench = Bench::ranked();
    let id = bench.model.panes.pack.symbols[0].symbol.id;
    bench.keys("- -");
    assert_eq!(bench.model.feedback.vote(id), Vote::Clear);
    bench.keys("u");
    assert_eq!(bench.model.feedback.vote(id), Vote::NotUseful);
    bench.keys("u C-r");
    assert_eq!(bench.model.feedback.vote(id), Vote::NotUseful);
    bench.keys("u u");
    assert_eq!(message(&bench), "nothing to undo");
}

#[test]
fn a_vote_that_was_not_recorded_is_reverted() {
    let mut bench = Bench::ranked();
    let id = bench.model.panes.pack.symbols[0].symbol.id;
    let effects = bench.keys("+");
    answer(&mut bench, records(&effects)[1], Err("the disk is full".into()));
    assert_eq!(bench.model.feedback.vote(id), Vote::Clear);
    assert!(bench.model.message.as_ref().unwrap().is_error && message(&bench).contains("the disk is full"));
    bench.keys("u");
    assert_eq!(message(&bench), "nothing to undo");
}

#[test]
fn outdated_votes_do_not_replace_a_new_vote() {
    let mut bench = Bench::ranked();
    let id = bench.model.panes.pack.symbols[0].symbol.id;
    let task = bench.model.task.description().unwrap();
    let effects = bench.keys("+");
    answer(&mut bench, &Record::Votes { task: task.clone() }, Ok(Recorded::Votes(Vec::new())));
    assert_eq!(bench.model.feedback.vote(id), Vote::Useful);
    answer(&mut bench, records(&effects)[1], Ok(Recorded::Done));
    rank(&mut bench, |_| {});
    answer(&mut bench, &Record::Votes { task }, Ok(Recorded::Votes(vec![(id, Vote::NotUseful)])));
    assert_eq!(bench.model.feedback.vote(id), Vote::NotUseful);
}

#[test]
fn a_pin_names_the_displaced_symbol() {
    let mut bench = Bench::ranked();
    bench.keys("G");
    let last = bench.model.panes.pack.symbols[7].symbol.id;
    assert_eq!(depths(&bench.keys("Space")), [Depth::Full]);
    assert_eq!(bench.model.task.pin_state(last), PinState::Pinned);
    rank(&mut bench, |pack| {
        let pinned = pack.omitted.pop().unwrap();
        let displaced = pack.symbols.pop().unwrap();
        pack.symbols.push(pinned);
        pack.omitted.insert(0, displaced);
    });
    assert!(message(&bench).ends_with("pinned (9 tok) · out: session_interface"), "{}", message(&bench));
    bench.keys("x");
    assert_eq!(bench.model.task.pin_state(last), PinState::Dropped);
    bench.keys("u u");
    assert_eq!(bench.model.task.pin_state(last), PinState::Neither);
}

#[test]
fn use_is_recorded_unless_switched_off() {
    let mut bench = Bench::ranked();
    let opened = bench.keys("Enter");
    assert!(matches!(records(&opened)[..], [Record::Shown { .. }, Record::Used { .. }]));
    bench.keys("2");
    let edited = bench.keys("e");
    assert!(matches!(records(&edited)[..], [Record::Used { .. }]), "an answer is recorded once");
    bench.act(Action::Command(Command::LearnToggle));
    assert!(records(&bench.keys("e")).is_empty());
}

#[test]
fn files_are_picked_and_typing_returns_to_text() {
    let mut bench = Bench::ranked();
    bench.keys("g p");
    let number = bench.model.last_question;
    let files = vec!["a.py".to_owned(), "b.py".to_owned()];
    let response = Ok(crate::tui::workspace::Response::Files(files.clone()));
    bench.act(Action::Report(Report::Answered { number, response }));
    bench.keys("Tab Tab");
    assert_eq!(depths(&bench.keys("Enter")), [Depth::Full]);
    assert_eq!(bench.model.task.task().request, crate::model::Request::Files(files));
    bench.keys("i x");
    assert_eq!(bench.model.task.task().request, crate::model::Request::Task("sessionx".into()));
}
