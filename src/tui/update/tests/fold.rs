//! The rows above and below the ranked ones: the notice, and the fold of what likely changes with them.

use super::*;
use crate::model::{Also, ContextPack, Symbol};
use crate::tui::backend::Response;
use crate::tui::effect::Topic;
use crate::tui::panes::pack::DisplayLine;
use crate::tui::update::navigation;

fn companion(number: u8) -> Also {
    let mut symbol = fixture::pack().symbols[0].symbol.clone();
    symbol.id.0[0] ^= number;
    symbol.name = format!("companion_{number}");
    Also { symbol, reason: format!("caller of #{number}") }
}

/// Returns a ranked list with three symbols that likely change with its first ones.
fn folded() -> Harness {
    let mut harness = Harness::ranked();
    harness.model.size = Size { width: 80, height: 24 };
    harness.keys("i");
    let asked = harness.keys("Esc j k");
    assert!(asked.iter().all(|effect| !is_also(effect)), "asked once for a ranking");
    let number = harness.model.last_question;
    let questions: Vec<u64> = (1..=number).collect();
    for number in questions {
        let response = Ok(Response::Also((1..=3).map(companion).collect()));
        harness.act(Action::Report(Report::Answered { number, response }));
    }
    assert_eq!(harness.model.panes.pack.fold.list.len(), 3);
    harness
}

fn is_also(effect: &Effect) -> bool {
    matches!(effect, Effect::Ask(question) if matches!(question.topic, Topic::Also { .. }))
}

fn current(harness: &Harness) -> String {
    navigation::current_symbol(&harness.model).map(|symbol: &Symbol| symbol.name.clone()).unwrap_or_default()
}

#[test]
fn it_is_asked_for_once_the_list_is_read() {
    let mut harness = Harness::ready();
    harness.keys("s e s s i o n Enter");
    assert!(!harness.rank(Duration::ZERO).iter().any(is_also), "not while the task is typed");
    assert!(harness.keys("Esc").iter().any(is_also));
    assert!(!harness.keys("j").iter().any(is_also));
}

#[test]
fn the_cursor_goes_into_the_fold_and_back_to_its_row() {
    let mut harness = folded();
    harness.keys("j");
    let row = current(&harness);
    harness.keys("z a");
    assert_eq!(current(&harness), "companion_1");
    harness.keys("j j j");
    assert_eq!(current(&harness), "companion_3", "it ends at the last one");
    harness.keys("l");
    assert_eq!((harness.model.focus, current(&harness)), (Focus::Pane(source::ID), "companion_3".into()));
    harness.keys("h");
    assert_eq!(current(&harness), "companion_3", "the list has the cursor where it was");
    harness.keys("k k k");
    assert_eq!(current(&harness), row);
    harness.keys("z a z a");
    assert_eq!(current(&harness), "companion_1");
    harness.keys("Esc");
    assert_eq!((current(&harness), harness.model.panes.pack.fold.is_open), (row, false));
}

#[test]
fn votes_are_of_the_symbol_in_the_fold() {
    let mut harness = folded();
    harness.keys("z a j");
    let effects = harness.keys("+");
    let voted = effects.iter().find_map(|effect| match effect {
        Effect::Record(crate::tui::effect::Record::Vote { symbol, .. }) => Some(symbol.name.clone()),
        _ => None,
    });
    assert_eq!(voted.as_deref(), Some("companion_2"));
}

#[test]
fn an_open_fold_leaves_rows_to_the_list() {
    let mut harness = folded();
    let area = harness.model.areas().content(pack::ID);
    let rows = |harness: &Harness| harness.model.panes.pack.fold.rows(area.height);
    assert_eq!((rows(&harness), harness.model.panes.pack.fold.rows(5)), (1, 0), "a low list has no row for it");
    harness.keys("z a");
    assert_eq!(rows(&harness), 4);
    assert_eq!(harness.model.panes.pack.fold.rows(6), 3);
}

#[test]
fn a_question_has_its_answer_or_a_notice_above_the_rows() {
    let mut harness = Harness::ranked();
    let rank = |harness: &mut Harness, pack: ContextPack| {
        let generation = harness.model.search.generation;
        harness.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
        harness.model.panes.pack.display(0)
    };
    assert_eq!(rank(&mut harness, fixture::pack()), Some(DisplayLine::Symbol(0)));
    let unknown = Some("no symbol is called `frobnicate`; did you mean frob?".to_owned());
    assert_eq!(
        rank(&mut harness, ContextPack { unknown_name: unknown.clone(), ..fixture::pack() }),
        Some(DisplayLine::Notice)
    );
    assert_eq!(harness.model.panes.pack.notice, unknown);
    let answer = Some("callers of open_session: 3 symbols".to_owned());
    rank(&mut harness, ContextPack { answer: answer.clone(), ..fixture::pack() });
    assert_eq!(harness.model.panes.pack.notice, answer);
}
