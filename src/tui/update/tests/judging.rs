//! Votes, pins, drops and muted classes: at once on the screen, told with their effect, and taken back.

use super::*;
use crate::engine::Vote;
use crate::model::ContextPack;
use crate::tui::effect::Record;
use crate::tui::model::judgement::Stance;
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

fn said(bench: &Bench) -> &str {
    bench.model.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn a_vote_shows_at_once_ranks_once_it_is_written_and_tells_its_effect() {
    let mut bench = Bench::ranked();
    bench.keys("j");
    let id = bench.model.pack.symbols[1].symbol.id;
    let effects = bench.keys("+");
    assert_eq!(bench.model.judgements.vote(id), Vote::Useful);
    assert_eq!(depths(&effects), [], "the ranking waits for the store");
    let records = records(&effects);
    assert!(matches!(records[..], [Record::Shown { .. }, Record::Vote { after: Vote::Useful, .. }]), "{records:?}");
    assert_eq!(depths(&answer(&mut bench, records[1], Ok(Recorded::Done))), [Depth::Full]);
    rank(&mut bench, |pack| {
        pack.symbols[1].score = 0.95;
        pack.symbols.swap(0, 1);
    });
    assert_eq!(said(&bench), "✓ save_session useful +0.070 · #2 → #1");
    assert_eq!(bench.model.pack.selected_symbol().unwrap().symbol.id, id, "the selection follows the symbol");
}

#[test]
fn the_same_vote_again_and_undo_take_it_back() {
    let mut bench = Bench::ranked();
    let id = bench.model.pack.symbols[0].symbol.id;
    bench.keys("- -");
    assert_eq!(bench.model.judgements.vote(id), Vote::Clear);
    bench.keys("u");
    assert_eq!(bench.model.judgements.vote(id), Vote::NotUseful);
    bench.keys("u C-r");
    assert_eq!(bench.model.judgements.vote(id), Vote::NotUseful);
    bench.keys("u u");
    assert_eq!(said(&bench), "there is nothing to undo");
}

#[test]
fn a_vote_that_is_not_written_is_shown_no_more() {
    let mut bench = Bench::ranked();
    let id = bench.model.pack.symbols[0].symbol.id;
    let effects = bench.keys("+");
    answer(&mut bench, records(&effects)[1], Err("the disk is full".into()));
    assert_eq!(bench.model.judgements.vote(id), Vote::Clear);
    assert!(bench.model.message.as_ref().unwrap().is_error && said(&bench).contains("the disk is full"));
    bench.keys("u");
    assert_eq!(said(&bench), "there is nothing to undo");
}

#[test]
fn votes_read_before_a_vote_was_written_do_not_hide_it() {
    let mut bench = Bench::ranked();
    let id = bench.model.pack.symbols[0].symbol.id;
    let task = bench.model.task.described().unwrap();
    let effects = bench.keys("+");
    answer(&mut bench, &Record::Votes { task: task.clone() }, Ok(Recorded::Votes(Vec::new())));
    assert_eq!(bench.model.judgements.vote(id), Vote::Useful);
    answer(&mut bench, records(&effects)[1], Ok(Recorded::Done));
    rank(&mut bench, |_| {});
    answer(&mut bench, &Record::Votes { task }, Ok(Recorded::Votes(vec![(id, Vote::NotUseful)])));
    assert_eq!(bench.model.judgements.vote(id), Vote::NotUseful);
}

#[test]
fn a_pin_names_what_it_displaces() {
    let mut bench = Bench::ranked();
    bench.keys("G");
    let last = bench.model.pack.symbols[7].symbol.id;
    assert_eq!(depths(&bench.keys("Space")), [Depth::Full]);
    assert_eq!(bench.model.task.stance(last), Stance::Pinned);
    rank(&mut bench, |pack| {
        let pinned = pack.omitted.pop().unwrap();
        let displaced = pack.symbols.pop().unwrap();
        pack.symbols.push(pinned);
        pack.omitted.insert(0, displaced);
    });
    assert!(said(&bench).ends_with("pinned (9 tok) · displaces session_interface"), "{}", said(&bench));
    bench.keys("x");
    assert_eq!(bench.model.task.stance(last), Stance::Dropped);
    bench.keys("u u");
    assert_eq!(bench.model.task.stance(last), Stance::Free);
}

#[test]
fn use_teaches_unless_it_is_switched_off() {
    let mut bench = Bench::ranked();
    let opened = bench.keys("Enter");
    assert!(matches!(records(&opened)[..], [Record::Shown { .. }, Record::Used { .. }]));
    bench.keys("2");
    let edited = bench.keys("e");
    assert!(matches!(records(&edited)[..], [Record::Used { .. }]), "an answer is told only once");
    bench.act(Action::Command(Command::LearnToggle));
    assert!(records(&bench.keys("e")).is_empty());
}

#[test]
fn changed_files_are_picked_and_typing_goes_back_to_words() {
    let mut bench = Bench::ranked();
    bench.keys("g p");
    let number = bench.model.asked;
    let files = vec!["a.py".to_owned(), "b.py".to_owned()];
    let finding = Ok(crate::tui::workspace::Response::Files(files.clone()));
    bench.act(Action::Report(Report::Found { number, finding }));
    bench.keys("Tab Tab");
    assert_eq!(depths(&bench.keys("Enter")), [Depth::Full]);
    assert_eq!(bench.model.task.task().request, crate::model::Request::Files(files));
    bench.keys("i x");
    assert_eq!(bench.model.task.task().request, crate::model::Request::Task("sessionx".into()));
}
