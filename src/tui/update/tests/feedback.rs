//! Votes, pins, drops and muted concepts: shown at once, reported with their effect, undone.

use super::*;
use crate::engine::Vote;
use crate::model::{ContextPack, SymbolId};
use crate::tui::backend::Recorded;
use crate::tui::effect::Record;
use crate::tui::model::feedback::PinState;

fn records(effects: &[Effect]) -> Vec<&Record> {
    let mut records = Vec::new();
    for effect in effects {
        if let Effect::Record(record) = effect {
            records.push(record);
        }
    }
    records
}

fn answer(harness: &mut Harness, record: &Record, answer: Result<Recorded, String>) -> Vec<Effect> {
    harness.act(Action::Report(Report::Recorded { record: record.clone(), answer }))
}

fn rank(harness: &mut Harness, change: impl FnOnce(&mut ContextPack)) {
    let mut pack = fixture::pack();
    change(&mut pack);
    let generation = harness.model.search.generation;
    harness.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
}

fn message(harness: &Harness) -> &str {
    harness.model.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn a_vote_shows_at_once_and_ranks_once_recorded() {
    let mut harness = Harness::ranked();
    harness.keys("j");
    let id = harness.model.panes.pack.symbols[1].symbol.id;
    let effects = harness.keys("+");
    assert_eq!(harness.model.feedback.vote(id), Vote::Useful);
    assert_eq!(depths(&effects), [], "ranks once the vote is in the store");
    let records = records(&effects);
    assert!(matches!(records[..], [Record::Vote { after: Vote::Useful, .. }]), "{records:?}");
    assert_eq!(depths(&answer(&mut harness, records[0], Ok(Recorded::Done))), [Depth::Full]);
    rank(&mut harness, |pack| {
        pack.symbols[1].score = 0.95;
        pack.symbols.swap(0, 1);
    });
    assert_eq!(message(&harness), "✓ save_session useful · #2 → #1");
    assert_eq!(harness.model.panes.pack.selected_symbol().unwrap().symbol.id, id, "the selection follows the symbol");
}

#[test]
fn rows_are_voted_down_one_after_the_other() {
    let mut harness = Harness::ranked();
    let ids: Vec<SymbolId> = harness.model.panes.pack.symbols.iter().map(|packed| packed.symbol.id).collect();
    let effects = harness.keys("-");
    answer(&mut harness, records(&effects)[0], Ok(Recorded::Done));
    rank(&mut harness, |pack| pack.symbols[0].score = 0.001);
    assert_eq!(harness.model.panes.pack.selected_symbol().unwrap().symbol.id, ids[1]);
    harness.keys("-");
    assert_eq!(
        ids[..3].iter().map(|id| harness.model.feedback.vote(*id)).collect::<Vec<_>>(),
        [Vote::NotUseful, Vote::NotUseful, Vote::Clear]
    );
}

#[test]
fn a_vote_says_what_was_learned() {
    let mut harness = Harness::ranked();
    let effects = harness.keys("+");
    let learned = vec!["session".to_owned()];
    answer(&mut harness, records(&effects)[0], Ok(Recorded::Voted { learned }));
    rank(&mut harness, |_| {});
    assert_eq!(message(&harness), "✓ open_session useful · stays #1 · \"session\" now also means open_session here");
}

#[test]
fn repeated_vote_and_undo_clear_the_vote() {
    let mut harness = Harness::ranked();
    let id = harness.model.panes.pack.symbols[0].symbol.id;
    harness.keys("+ +");
    assert_eq!(harness.model.feedback.vote(id), Vote::Clear);
    harness.keys("u");
    assert_eq!(harness.model.feedback.vote(id), Vote::Useful);
    harness.keys("u C-r");
    assert_eq!(harness.model.feedback.vote(id), Vote::Useful);
    harness.keys("u u");
    assert_eq!(message(&harness), "nothing to undo");
}

#[test]
fn a_vote_that_was_not_recorded_is_reverted() {
    let mut harness = Harness::ranked();
    let id = harness.model.panes.pack.symbols[0].symbol.id;
    let effects = harness.keys("+");
    answer(&mut harness, records(&effects)[0], Err("the disk is full".into()));
    assert_eq!(harness.model.feedback.vote(id), Vote::Clear);
    assert!(harness.model.message.as_ref().unwrap().is_error && message(&harness).contains("the disk is full"));
    harness.keys("u");
    assert_eq!(message(&harness), "nothing to undo");
}

#[test]
fn outdated_votes_do_not_replace_a_new_vote() {
    let mut harness = Harness::ranked();
    let id = harness.model.panes.pack.symbols[0].symbol.id;
    let task = harness.model.task.description().unwrap();
    let effects = harness.keys("+");
    answer(&mut harness, &Record::Votes { task: task.clone() }, Ok(Recorded::Votes(Vec::new())));
    assert_eq!(harness.model.feedback.vote(id), Vote::Useful);
    answer(&mut harness, records(&effects)[0], Ok(Recorded::Done));
    rank(&mut harness, |_| {});
    answer(&mut harness, &Record::Votes { task }, Ok(Recorded::Votes(vec![(id, Vote::NotUseful)])));
    assert_eq!(harness.model.feedback.vote(id), Vote::NotUseful);
}

#[test]
fn a_kept_symbol_is_in_the_pack() {
    let mut harness = Harness::ranked();
    harness.keys("g c G");
    let last = harness.model.panes.pack.symbols[7].symbol.id;
    assert_eq!(depths(&harness.keys("Space")), [Depth::Full]);
    assert_eq!(harness.model.task.pin_state(last), PinState::Pinned);
    rank(&mut harness, |pack| {
        let pinned = pack.omitted.pop().unwrap();
        let displaced = pack.symbols.pop().unwrap();
        pack.symbols.push(pinned);
        pack.omitted.insert(0, displaced);
    });
    assert!(message(&harness).ends_with(" kept"), "{}", message(&harness));
    harness.keys("x");
    assert_eq!(harness.model.task.pin_state(last), PinState::Dropped);
    harness.keys("u u");
    assert_eq!(harness.model.task.pin_state(last), PinState::Neither);
}

/// Reports that these files have changed in the editor.
fn edit_ends(harness: &mut Harness, changed: &[&str], is_open: bool) -> Vec<Effect> {
    harness.act(Action::Edited { changed: changed.iter().map(|file| (*file).to_owned()).collect(), is_open })
}

#[test]
fn use_is_recorded_unless_switched_off() {
    let mut harness = Harness::ranked();
    let file = harness.model.panes.pack.symbols[0].symbol.file.clone();
    harness.keys("e");
    let edited = edit_ends(&mut harness, &[&file], false);
    assert!(matches!(records(&edited)[..], [Record::Used { .. }]));
    harness.keys("j");
    let copied = harness.keys("y l");
    assert!(matches!(records(&copied)[..], [Record::Used { .. }]), "only the use");
    harness.act(Action::Command(Command::LearnToggle));
    harness.keys("j e");
    assert!(records(&edit_ends(&mut harness, &[&file], false)).is_empty());
}

#[test]
fn an_editor_left_without_a_change_is_not_a_use() {
    let mut harness = Harness::ranked();
    let file = harness.model.panes.pack.symbols[0].symbol.file.clone();
    assert!(records(&harness.keys("e")).is_empty(), "the editor is still open");
    assert!(records(&edit_ends(&mut harness, &[], false)).is_empty());
    assert!(records(&edit_ends(&mut harness, &[&file], true)).is_empty(), "a change of another editor");
}

#[test]
fn a_later_change_of_an_editor_elsewhere_is_a_use_for_the_same_task() {
    let mut harness = Harness::ranked();
    let file = harness.model.panes.pack.symbols[0].symbol.file.clone();
    harness.keys("e");
    assert!(records(&edit_ends(&mut harness, &[], true)).is_empty());
    assert!(!records(&edit_ends(&mut harness, &[&file], true)).is_empty());
    harness.keys("j e i x Esc");
    assert!(records(&edit_ends(&mut harness, &[&file], true)).is_empty(), "another task is asked by now");
}

#[test]
fn files_are_picked_and_typing_returns_to_text() {
    let mut harness = Harness::ranked();
    harness.keys("g p");
    let number = harness.model.last_question;
    let files = vec!["a.py".to_owned(), "b.py".to_owned()];
    let response = Ok(crate::tui::backend::Response::Files(files.clone()));
    harness.act(Action::Report(Report::Answered { number, response }));
    harness.keys("Tab Tab");
    assert_eq!(depths(&harness.keys("Enter")), [Depth::Full]);
    assert_eq!(harness.model.task.task().request, crate::model::Request::Files(files));
    harness.keys("i x");
    assert_eq!(harness.model.task.task().request, crate::model::Request::Task("sessionx".into()));
}
