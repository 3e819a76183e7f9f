//! The rows above and below the ranked ones: the notice, and the fold of what likely changes with them.

use ratatui::layout::Position;

use super::*;
use crate::engine::Beside;
use crate::model::{Also, ContextPack, Symbol, SymbolId, SymbolKind};
use crate::tui::backend::Response;
use crate::tui::effect::Topic;
use crate::tui::panes::pack::DisplayLine;
use crate::tui::panes::pack::fold::Fold;
use crate::tui::update::navigation;

fn companion(number: u8) -> Also {
    let mut symbol = fixture::pack().symbols[0].symbol.clone();
    symbol.id.0[0] ^= number;
    symbol.name = format!("companion_{number}");
    Also { symbol, reason: format!("caller of #{number}") }
}

fn section(number: u8) -> Also {
    let mut section = companion(0x80 | number);
    section.symbol.kind = SymbolKind::Section;
    section.symbol.name = format!("Section {number}");
    Also { reason: "says how".into(), ..section }
}

/// Returns a ranked list with three symbols that likely change with its first ones, and two sections of documents.
fn folded() -> Harness {
    let mut harness = Harness::ranked();
    harness.model.size = Size { width: 80, height: 24 };
    harness.keys("i");
    let asked = harness.keys("Esc j k");
    assert!(asked.iter().all(|effect| !is_beside(effect)), "asked once for a ranking");
    beside(&mut harness, &[1, 2, 3], &[1, 2]);
    assert_eq!(harness.model.panes.pack.folds.beside.also.len(), 3);
    harness
}

fn is_beside(effect: &Effect) -> bool {
    matches!(effect, Effect::Ask(question) if matches!(question.topic, Topic::Beside { .. }))
}

/// Answers the question for what is beside the list, whichever it was.
fn beside(harness: &mut Harness, also: &[u8], documents: &[u8]) {
    for number in 1..=harness.model.last_question {
        let (also, documents) = (also.iter().copied(), documents.iter().copied());
        let beside = Beside { also: also.map(companion).collect(), documents: documents.map(section).collect() };
        harness.act(Action::Report(Report::Answered { number, response: Ok(Response::Beside(beside)) }));
    }
}

/// Answers a vote, the ranking that follows and the question for what likely changes with it.
fn ranked_again(harness: &mut Harness, effects: &[Effect], pack: ContextPack, also: &[u8]) {
    let Some(Effect::Record(record)) = effects.first() else { panic!("{effects:?}") };
    let answer = Ok(crate::tui::backend::Recorded::Done);
    harness.act(Action::Report(Report::Recorded { record: record.clone(), answer }));
    let generation = harness.model.search.generation;
    harness.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
    beside(harness, also, &[]);
}

fn current(harness: &Harness) -> String {
    navigation::current_symbol(&harness.model).map(|symbol: &Symbol| symbol.name.clone()).unwrap_or_default()
}

#[test]
fn it_is_asked_for_once_the_list_is_read() {
    let mut harness = Harness::ready();
    harness.keys("s e s s i o n Enter");
    assert!(!harness.rank(Duration::ZERO).iter().any(is_beside), "not while the task is typed");
    assert!(harness.keys("Esc").iter().any(is_beside));
    assert!(!harness.keys("j").iter().any(is_beside));
}

#[test]
fn documents_alone_are_shown_at_once() {
    let mut harness = Harness::ranked();
    let generation = harness.model.search.generation;
    let pack = Ok(Some(ContextPack { task: "session".into(), ..ContextPack::default() }));
    harness.act(Action::Report(Report::Ranked { generation, pack, took: Duration::ZERO }));
    beside(&mut harness, &[], &[1, 2]);
    assert_eq!((harness.model.panes.pack.folds.open, current(&harness).as_str()), (Some(Fold::Documents), "Section 1"));
    let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(80, 24)).unwrap();
    harness.act(Action::Resize(Size { width: 80, height: 24 }));
    terminal.draw(|frame| crate::tui::view::view(&harness.model, frame)).unwrap();
    let screen = terminal.backend().to_string();
    assert!(screen.contains("Section 2"), "{screen}");
}

#[test]
fn a_choice_of_an_ambiguous_name_is_asked_about() {
    let mut harness = Harness::ranked();
    let pack = fixture::pack();
    let choices: Vec<(SymbolId, String)> =
        pack.symbols.iter().map(|packed| (packed.symbol.id, format!("who calls {}", packed.symbol.name))).collect();
    let (generation, chosen) = (harness.model.search.generation, choices[1].1.clone());
    let pack = ContextPack { choices: choices.into_iter().collect(), ..pack };
    harness.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
    let effects = harness.keys("j Enter");
    assert_eq!((harness.model.task.text(), harness.model.focus), (chosen.as_str(), Focus::Pane(pack::ID)));
    assert!(depths(&effects).contains(&Depth::Full));
    harness.rank(Duration::ZERO);
    harness.keys("Enter");
    assert_eq!(harness.model.focus, Focus::Pane(source::ID), "an answer has no choices");
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
    assert_eq!((current(&harness), harness.model.panes.pack.folds.open), (row, None));
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
fn the_cursor_follows_a_symbol_out_of_the_fold_and_back() {
    let mut harness = folded();
    harness.keys("z a j");
    let voted = companion(2).symbol;
    let effects = harness.keys("+");
    let mut pack = fixture::pack();
    pack.symbols[3].symbol = voted.clone();
    ranked_again(&mut harness, &effects, pack, &[1, 3]);
    assert_eq!((current(&harness), harness.model.panes.pack.folds.row), (voted.name.clone(), None));
    let effects = harness.keys("u");
    ranked_again(&mut harness, &effects, fixture::pack(), &[1, 2, 3]);
    assert_eq!((current(&harness), harness.model.panes.pack.folds.row), (voted.name, Some(1)));
}

#[test]
fn sections_of_documents_are_read_and_copied_but_not_voted_on() {
    let mut harness = folded();
    harness.keys("z a z d");
    assert_eq!((current(&harness), harness.model.panes.pack.folds.open), ("Section 1".into(), Some(Fold::Documents)));
    harness.keys("j j");
    assert_eq!(current(&harness), "Section 2", "it ends at the last one");
    let copied = harness.keys("y l").into_iter().find_map(|effect| match effect {
        Effect::Copy { text, .. } => Some(text),
        _ => None,
    });
    assert_eq!(copied.as_deref(), Some("src/flask/sessions.py:324"));
    for keys in ["+", "-", "Space", "x", "a", "g r", "g d"] {
        let effects = harness.keys(keys);
        let is_harmless = |effect: &Effect| !matches!(effect, Effect::Record(_) | Effect::Ask(_));
        assert!(effects.iter().all(is_harmless), "{keys}: {effects:?}");
        assert_eq!(
            harness.model.message.as_ref().unwrap().text,
            "a section of a document is not code: read, copy or edit it",
            "{keys}"
        );
    }
    assert!(harness.keys("l").iter().all(|effect| !matches!(effect, Effect::Ask(_))), "it is in no graph");
    harness.keys("h k k");
    assert!(harness.model.panes.pack.folds.row.is_none());
    harness.keys("z d");
    assert_eq!(harness.model.panes.pack.folds.open, None);
}

#[test]
fn the_nearest_sections_are_asked_for_where_none_has_most_of_the_task() {
    let mut harness = folded();
    harness.model.panes.pack.folds.beside.documents.clear();
    let asked = harness.keys("z d").into_iter().find_map(|effect| match effect {
        Effect::Ask(Question { number, topic: Topic::Beside { task }, .. }) => Some((number, task.options.documents)),
        _ => None,
    });
    let Some((number, true)) = asked else { panic!("{asked:?}") };
    let answer = |documents: Vec<Also>| Report::Answered {
        number,
        response: Ok(Response::Beside(Beside { also: vec![companion(1)], documents })),
    };
    harness.act(Action::Report(answer(Vec::new())));
    assert!(harness.model.message.as_ref().unwrap().text.starts_with("no section of a document"));
    assert!(!harness.keys("z d").iter().any(is_beside), "asked once");
    harness.model.panes.pack.folds.beside.documents.push(section(1));
    harness.keys("z d");
    assert_eq!(current(&harness), "Section 1");
}

#[test]
fn a_click_on_a_heading_opens_its_fold() {
    let mut harness = folded();
    let (_, area) = harness.model.panes.pack.folds.split(harness.model.areas().content(pack::ID));
    let heading = |x: u16| Action::Click(Position { x, y: area.y });
    harness.act(heading(30));
    assert_eq!(harness.model.panes.pack.folds.open, Some(Fold::Documents));
    let (_, area) = harness.model.panes.pack.folds.split(harness.model.areas().content(pack::ID));
    harness.act(Action::Click(Position { x: 9, y: area.y + 2 }));
    assert_eq!(current(&harness), "Section 2");
    harness.act(Action::Click(Position { x: 9, y: area.y }));
    assert_eq!(current(&harness), "companion_1");
}

#[test]
fn an_open_fold_leaves_rows_to_the_list() {
    let mut harness = folded();
    let area = harness.model.areas().content(pack::ID);
    let rows = |harness: &Harness| harness.model.panes.pack.folds.rows(area.height);
    assert_eq!((rows(&harness), harness.model.panes.pack.folds.rows(5)), (1, 0), "a low list has no row for it");
    harness.keys("z a");
    assert_eq!(rows(&harness), 4);
    assert_eq!(harness.model.panes.pack.folds.rows(6), 3);
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
