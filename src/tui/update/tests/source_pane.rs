//! The source pane: cursor, definitions of words, search.

use std::time::Duration;

use ratatui::layout::Size;

use super::{Action, Harness, fixture, update};
use crate::engine::{LocalName, Relation, Users, Vote};
use crate::model::{ContextPack, EdgeType, Symbol};
use crate::tui::action::Report;
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Focus;
use crate::tui::model::feedback::PinState;
use crate::tui::overlay::Overlay;
use crate::tui::panes::{Pane, pack, page_rows, source, why};
use crate::tui::update::navigation;

/// Returns the fixture's ranking with the source of its first symbol in focus.
fn reading() -> Harness {
    let mut harness = Harness::ranked();
    load(&mut harness);
    harness.keys("l");
    assert_eq!(harness.model.focus, Focus::Pane(source::ID));
    harness
}

fn load(harness: &mut Harness) {
    let generation = harness.model.panes.source.generation;
    let file = harness.model.panes.source.wanted.as_ref().unwrap().file.clone();
    harness.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
}

fn word(harness: &Harness) -> String {
    harness.model.panes.source.cursor_word().unwrap_or_default()
}

fn asked(effects: &[Effect]) -> (u64, Topic) {
    let questions: Vec<(u64, Topic)> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ask(question) => Some((question.number, question.topic.clone())),
            _ => None,
        })
        .filter(|(_, topic)| matches!(topic, Topic::Definitions { .. } | Topic::Uses(_) | Topic::Users(_)))
        .collect();
    let [one] = &questions[..] else { panic!("{questions:?}") };
    one.clone()
}

fn answer(harness: &mut Harness, number: u64, response: Answer<Response>) -> Vec<Effect> {
    harness.act(Action::Report(Report::Answered { number, response }))
}

fn definitions(symbols: &[Symbol]) -> Answer<Response> {
    let relation = |symbol: &Symbol| Relation {
        symbol: symbol.clone(),
        edge_type: EdgeType::Calls,
        confidence: 1.0,
        lines: Vec::new(),
        may_run: false,
    };
    Ok(Response::Definitions(symbols.iter().map(relation).collect()))
}

fn symbol(row: usize) -> Symbol {
    let pack = fixture::pack();
    pack.symbols.into_iter().chain(pack.omitted).nth(row).unwrap().symbol
}

#[test]
fn a_definition_is_visible_in_the_list() {
    let mut scrolled = 0;
    for height in 10..40 {
        let mut harness = reading();
        harness.act(Action::Resize(Size { width: 80, height }));
        let (number, _) = asked(&harness.keys("j g d"));
        let last = *harness.model.panes.pack.shown.last().unwrap();
        let symbol = harness.model.panes.pack.symbols[last].symbol.clone();
        answer(&mut harness, number, definitions(&[symbol]));
        let list = &harness.model.panes.pack;
        let rows = harness.model.areas().content(pack::ID).height as usize;
        let visible = list.offset..list.offset + rows;
        assert!(list.selected == last && (rows == 0 || visible.contains(&list.selected_line())), "{height}");
        scrolled += usize::from(list.offset > 0);
    }
    assert!(scrolled > 0, "the list is always whole");
}

#[test]
fn the_cursor_moves_and_the_editor_opens_at_its_line() {
    let mut harness = reading();
    assert_eq!((harness.model.panes.source.cursor, word(&harness).as_str()), (324, "line_324"));
    harness.keys("j j k j");
    assert_eq!((harness.model.panes.source.cursor, word(&harness).as_str()), (326, "line_326"));
    assert!(matches!(&harness.keys("e")[..], [Effect::Edit { line: 326, .. }, ..]));
    let copied = harness.keys("y l");
    assert!(
        matches!(&copied[..], [Effect::Copy { text, .. }, ..] if text == "src/flask/sessions.py:326"),
        "{copied:?}"
    );
    harness.keys("w");
    assert_eq!((harness.model.panes.source.cursor, word(&harness).as_str()), (327, "line_327"));
    harness.keys("b");
    assert_eq!(harness.model.panes.source.cursor, 326);
    harness.keys("G");
    assert_eq!(harness.model.panes.source.cursor, 400);
    harness.keys("H");
    assert_eq!(harness.model.panes.source.cursor, 326, "the jump list has the line of the cursor");
    harness.keys("C-e C-e C-e C-e C-e C-e C-e C-e C-e C-e C-e C-e");
    let view = &harness.model.panes.source;
    assert!(view.cursor > view.top && view.cursor > 326, "scrolling keeps the cursor in sight");
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 326);
}

#[test]
fn in_the_list_the_editor_opens_at_the_definition() {
    let mut harness = reading();
    harness.keys("j j h");
    assert!(matches!(&harness.keys("e")[..], [Effect::Edit { line: 324, .. }, ..]));
}

#[test]
fn the_definition_of_the_word_under_the_cursor_is_shown() {
    let mut harness = reading();
    let (number, topic) = asked(&harness.keys("j g d"));
    let file = "src/flask/sessions.py".to_owned();
    assert_eq!(topic, Topic::Definitions { word: "line_325".into(), file, line: 325, is_plain: true });
    answer(&mut harness, number, definitions(&[symbol(3)]));
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/app.py");
    assert_eq!(harness.model.focus, Focus::Pane(source::ID));
    load(&mut harness);
    harness.keys("H");
    load(&mut harness);
    assert_eq!(harness.model.panes.source.cursor, 325, "back at the word");
    let (number, _) = asked(&harness.keys("g d"));
    answer(&mut harness, number, definitions(&[]));
    assert!(harness.model.message.as_ref().unwrap().text.contains("line_325"));
    let (number, _) = asked(&harness.keys("g d"));
    answer(&mut harness, number, definitions(&[symbol(1), symbol(3)]));
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Relations(_))), "several definitions are listed");
}

#[test]
fn on_its_definition_a_word_lists_what_it_uses_and_what_uses_it() {
    let mut harness = reading();
    let (number, _) = asked(&harness.keys("g d"));
    let (_, topic) = asked(&answer(&mut harness, number, definitions(&[symbol(0)])));
    assert!(matches!(topic, Topic::Uses(node) if node.id == symbol(0).id));
    let (number, _) = asked(&harness.keys("Esc j g r"));
    let (_, topic) = asked(&answer(&mut harness, number, definitions(&[symbol(3)])));
    assert!(matches!(topic, Topic::Users(node) if node.id == symbol(3).id));
}

#[test]
fn a_late_definition_does_not_move_the_reader() {
    let mut harness = reading();
    let (number, _) = asked(&harness.keys("j g d"));
    harness.keys("h");
    answer(&mut harness, number, definitions(&[symbol(3)]));
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
    assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().file, "src/flask/sessions.py");
}

#[test]
fn the_search_goes_through_the_matches_of_the_file() {
    let mut harness = reading();
    harness.keys("/ L i n e _ 3 5");
    assert_eq!(source::SourcePane.filter_counts(&harness.model), (0, 0), "a capital letter matches only itself");
    harness.keys("C-u l i n e _ 3 5");
    assert_eq!(harness.model.panes.source.cursor, 350, "the first match below the cursor");
    assert_eq!(source::SourcePane.filter_counts(&harness.model), (2, 11));
    harness.keys("Enter n");
    assert_eq!(harness.model.panes.source.cursor, 351);
    let status = source::SourcePane.status(&harness.model);
    assert!(status.starts_with("match 3 of 11"), "the title says where the search is: {status}");
    harness.keys("N N");
    assert_eq!(harness.model.panes.source.cursor, 35);
    harness.keys("N");
    assert_eq!(harness.model.panes.source.cursor, 359, "the search wraps");
    harness.keys("Esc");
    assert_eq!(source::SourcePane.filter(&harness.model), Some(""));
    assert_eq!(harness.model.focus, Focus::Pane(source::ID));
    harness.keys("/ l i n e _ 9 9 Esc");
    assert_eq!(harness.model.panes.source.cursor, 359, "Esc ends the search where it began");
}

#[test]
fn a_search_waits_in_another_file() {
    let mut harness = reading();
    harness.keys("/ l i n e _ 3 5 Enter");
    let status = |harness: &Harness| source::SourcePane.status(&harness.model);
    assert!(status(&harness).starts_with("match 2 of 11"), "{}", status(&harness));
    let visit = |harness: &mut Harness, file: &str| {
        let other = Symbol { file: file.to_owned(), ..symbol(3) };
        harness.model.panes.source.chosen = Some(other);
        harness.act(Action::Ignore);
        load(harness);
    };
    visit(&mut harness, "src/flask/app.py");
    assert_eq!(harness.model.panes.source.needle(), "", "nothing is marked");
    assert!(status(&harness).starts_with("/line_35 (n, Esc)"), "{}", status(&harness));
    visit(&mut harness, "src/flask/sessions.py");
    assert_eq!(harness.model.panes.source.needle(), "line_35", "its own file has it still");
    visit(&mut harness, "src/flask/app.py");
    harness.keys("n");
    assert!(status(&harness).starts_with("match "), "{}", status(&harness));
    visit(&mut harness, "src/flask/sessions.py");
    harness.keys("Esc");
    assert!(!status(&harness).contains("line_35") && harness.model.panes.source.search.needle.is_empty());
    assert_eq!(harness.model.focus, Focus::Pane(source::ID), "the first Esc only ends the search");
}

#[test]
fn an_edit_of_the_file_keeps_what_is_read_in_place() {
    let mut harness = reading();
    harness.keys("j j j j j j j j");
    let (top, cursor) = (harness.model.panes.source.top, harness.model.panes.source.cursor);
    for packed in &mut harness.model.panes.pack.symbols {
        packed.symbol.span.start_line += 10;
        packed.symbol.span.end_line += 10;
        packed.symbol.span.name_line += 10;
    }
    let now = harness.now;
    update(&mut harness.model, Action::Ignore, now);
    assert_eq!((harness.model.panes.source.top, harness.model.panes.source.cursor), (top + 10, cursor + 10));
}

#[test]
fn the_title_has_the_place_and_while_reading_the_definitions_around_the_cursor() {
    let mut harness = reading();
    let title = |harness: &Harness, columns| source::SourcePane.title(&harness.model, columns);
    assert_eq!(title(&harness, 120), "src/flask/sessions.py:324 › SecureCookieSessionInterface › open_session");
    assert_eq!(title(&harness, 35), "…/sessions.py:324 › open_session");
    assert_eq!(title(&harness, 18), "…/sessions.py:324", "the line is never cut");
    harness.keys("g g");
    assert_eq!(title(&harness, 120), "src/flask/sessions.py:1");
    harness.keys("h");
    assert_eq!(title(&harness, 120), "src/flask/sessions.py:1");
}

#[test]
fn users_are_of_the_symbol_until_the_cursor_is_moved() {
    let mut harness = reading();
    let (_, topic) = asked(&harness.keys("g r"));
    assert_eq!(topic, Topic::Users(crate::tui::effect::Node::from(&symbol(0))));
    harness.keys("Esc j");
    let (number, topic) = asked(&harness.keys("g r"));
    assert!(matches!(topic, Topic::Definitions { .. }), "the word under the cursor: {topic:?}");
    let (_, topic) = asked(&answer(&mut harness, number, definitions(&[])));
    assert_eq!(topic, Topic::Users(crate::tui::effect::Node::from(&symbol(0))), "of a word without a definition");
}

#[test]
fn every_line_of_a_use_has_a_row() {
    let mut harness = reading();
    let (number, _) = asked(&harness.keys("g r"));
    let user = Relation {
        symbol: symbol(1),
        edge_type: EdgeType::Calls,
        confidence: 1.0,
        lines: vec![341, 343],
        may_run: false,
    };
    answer(&mut harness, number, Ok(Response::Users(Users { relations: vec![user], caveats: Vec::new() })));
    let line = |harness: &Harness| harness.model.overlays.last().and_then(|window| window.window().selected_line());
    assert_eq!(line(&harness), Some(341));
    harness.keys("Down");
    assert_eq!(line(&harness), Some(343));
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.wanted.as_ref().map(|wanted| wanted.line), Some(343));
}

#[test]
fn the_reason_is_not_shown_beside_another_definition() {
    let mut harness = reading();
    harness.model.panes.why.answer = Some(fixture::explained(0));
    let subtitle = |harness: &Harness| source::SourcePane.subtitle(&harness.model);
    assert!(subtitle(&harness).starts_with("its name has"), "{}", subtitle(&harness));
    harness.keys("G");
    assert_eq!(subtitle(&harness), "");
    let next = symbol(1).span.name_line as usize;
    harness.model.panes.source.move_to(next, 0);
    assert_eq!(subtitle(&harness), "#2 of the list");
}

#[test]
fn a_line_that_the_task_names_is_in_view() {
    let mut harness = Harness::ranked();
    harness.model.size = Size { width: 80, height: 24 };
    harness.model.task.input = "why does src/flask/sessions.py:329 fail".into();
    load(&mut harness);
    harness.keys("j k");
    let view = &harness.model.panes.source;
    assert_eq!(view.cursor, 329);
    let rows = harness.model.areas().content(source::ID).height as usize;
    assert!((view.top + 1..=view.top + rows).contains(&329));
}

#[test]
fn back_from_a_user_in_the_same_file_row_source_and_copied_place_agree() {
    let mut harness = reading();
    assert_eq!(symbol(0).file, symbol(1).file);
    let (number, _) = asked(&harness.keys("g r"));
    let line = symbol(1).span.name_line + 4;
    let user =
        Relation { symbol: symbol(1), edge_type: EdgeType::Calls, confidence: 1.0, lines: vec![line], may_run: false };
    answer(&mut harness, number, Ok(Response::Users(Users { relations: vec![user], caveats: Vec::new() })));
    harness.keys("Enter");
    assert_eq!(harness.model.panes.source.cursor, line as usize);
    harness.keys("H");
    let own = symbol(0).span.name_line;
    for keys in [None, Some("Esc")] {
        keys.map(|keys| harness.keys(keys));
        assert_eq!(harness.model.panes.pack.selected_symbol().map(|packed| packed.symbol.id), Some(symbol(0).id));
        assert_eq!(harness.model.panes.source.shown.as_ref().map(|shown| shown.line), Some(own as usize));
        assert_eq!(harness.model.panes.source.cursor, own as usize);
        let copied = harness.keys("y l");
        let place = format!("{}:{own}", symbol(0).file);
        assert!(matches!(&copied[..], [Effect::Copy { text, .. }, ..] if *text == place), "{copied:?}");
    }
}

#[test]
fn a_local_name_leads_to_the_line_that_binds_it() {
    let mut harness = reading();
    let (number, _) = asked(&harness.keys("j j g d"));
    let local = |line| Ok(Response::Local(LocalName { within: symbol(0), line }));
    answer(&mut harness, number, local(325));
    assert_eq!(harness.model.panes.source.cursor, 325);
    let message = |harness: &Harness| harness.model.message.as_ref().map(|message| message.text.clone());
    assert_eq!(message(&harness).as_deref(), Some("line_326 is local to open_session"));
    harness.keys("H");
    assert_eq!(harness.model.panes.source.cursor, 326, "back at the use");
    let (number, _) = asked(&harness.keys("j k g r"));
    answer(&mut harness, number, local(325));
    assert_eq!(harness.model.panes.source.cursor, 326, "its users are around it");
    assert!(harness.model.overlays.is_empty() && message(&harness).is_some());
}

/// Moves the cursor to the line of the name of the symbol in a row, as a reader would.
fn read_on(harness: &mut Harness, row: usize) {
    let line = symbol(row).span.name_line as usize;
    let height = page_rows(&harness.model, source::ID);
    harness.model.panes.source.move_to(line, height);
    harness.act(Action::Ignore);
}

#[test]
fn keys_in_the_source_act_on_the_definition_around_the_cursor() {
    let mut harness = reading();
    read_on(&mut harness, 1);
    let top = harness.model.panes.source.top;
    let place = |harness: &Harness| (harness.model.panes.source.cursor, harness.model.panes.source.top);
    let id = symbol(1).id;
    harness.keys("+");
    assert_eq!(
        (harness.model.feedback.vote(id), harness.model.feedback.vote(symbol(0).id)),
        (Vote::Useful, Vote::Clear)
    );
    harness.keys("x");
    assert_eq!(harness.model.task.pin_state(id), PinState::Dropped);
    assert_eq!(place(&harness), (339, top), "what is read stays");
    harness.keys("u");
    assert_eq!((harness.model.task.pin_state(id), place(&harness)), (PinState::Neither, (339, top)));
    assert_eq!(harness.model.panes.pack.selected_symbol().map(|packed| packed.symbol.id), Some(symbol(0).id));
    harness.keys("K");
    assert_eq!(why::explained_symbol(&harness.model).map(|symbol| symbol.id), Some(id));
    assert_eq!(place(&harness), (339, top), "the source stays where it was read");
    harness.keys("3 5");
    assert_eq!(
        harness.model.panes.graph.root(navigation::visited_symbol(&harness.model)).map(|root| root.id),
        Some(id)
    );
}

#[test]
fn a_line_outside_of_definitions_is_no_symbol() {
    let mut harness = reading();
    harness.keys("g g +");
    let message = harness.model.message.as_ref().map(|message| message.text.as_str());
    assert_eq!(message, Some("this line is in no definition"));
    assert!(harness.model.feedback.done.is_empty());
}

#[test]
fn what_another_task_names_in_the_shown_symbol_is_in_view() {
    let mut harness = reading();
    harness.keys("G h");
    harness.act(Action::Paste("File \"src/flask/sessions.py\", line 328, in open_session".into()));
    let generation = harness.model.search.generation;
    let pack = ContextPack { task: harness.model.task.text().to_owned(), ..fixture::pack() };
    harness.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
    let view = &harness.model.panes.source;
    let rows = harness.model.areas().content(source::ID).height as usize;
    assert_eq!(view.cursor, 328);
    assert!((view.top + 1..=view.top + rows).contains(&328), "{}", view.top);
}

#[test]
fn a_row_of_an_answer_opens_at_the_line_of_the_use() {
    let mut harness = Harness::ranked();
    let id = symbol(1).id;
    let generation = harness.model.search.generation;
    let pack = ContextPack { use_lines: [(id, 342)].into(), ..fixture::pack() };
    harness.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(pack)), took: Duration::ZERO }));
    harness.keys("j");
    load(&mut harness);
    assert_eq!(
        harness.model.panes.source.wanted.as_ref().map(|wanted| (wanted.line, wanted.is_use)),
        Some((342, true))
    );
    assert!(matches!(&harness.keys("e")[..], [Effect::Edit { line: 342, .. }, ..]));
    harness.keys("l {");
    assert_eq!(harness.model.panes.source.cursor, 339, "the definition itself");
}
