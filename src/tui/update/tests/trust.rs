//! The symbols that a key acts on: looking records no feedback, one symbol is current, drops and changes on disk keep
//! the cursor.

use super::*;
use crate::engine::{Relation, Users, Vote};
use crate::model::{ContextPack, EdgeType, Symbol, SymbolId};
use crate::tui::backend::{Recorded, Response};
use crate::tui::effect::Record;
use crate::tui::model::feedback::PinState;
use crate::tui::panes::graph;

fn records(effects: &[Effect]) -> Vec<Record> {
    let record = |effect: &Effect| match effect {
        Effect::Record(record) => Some(record.clone()),
        _ => None,
    };
    effects.iter().filter_map(record).collect()
}

fn recorded(harness: &mut Harness, record: Record, recorded: Recorded) -> Vec<Effect> {
    harness.act(Action::Report(Report::Recorded { record, answer: Ok(recorded) }))
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

fn id(row: usize) -> SymbolId {
    let pack = fixture::pack();
    pack.symbols.iter().chain(&pack.omitted).nth(row).unwrap().symbol.id
}

fn selected(harness: &Harness) -> SymbolId {
    harness.model.panes.pack.selected_symbol().unwrap().symbol.id
}

/// Returns a symbol that is not ranked.
fn unranked() -> Symbol {
    let mut symbol = fixture::pack().symbols[1].symbol.clone();
    symbol.id.0[0] ^= 1;
    symbol.name = "unranked".into();
    symbol
}

/// Goes to the unranked symbol through the users of the current symbol.
fn visit_unranked(harness: &mut Harness) {
    harness.keys("g r");
    let relation =
        Relation { symbol: unranked(), edge_type: EdgeType::Calls, confidence: 0.9, lines: Vec::new(), may_run: false };
    let number = harness.model.last_question;
    harness.act(Action::Report(Report::Answered {
        number,
        response: Ok(Response::Users(Users { relations: vec![relation], caveats: Vec::new() })),
    }));
    harness.keys("Enter");
}

#[test]
fn looking_records_nothing() {
    let mut harness = Harness::ranked();
    let effects = harness.keys("j Enter 2 l 2 K 3 2 Z Esc g g");
    assert_eq!(records(&effects), []);
}

#[test]
fn a_copy_is_announced_as_use_and_undone() {
    let mut harness = Harness::ranked();
    let effects = harness.keys("y l");
    let [used @ Record::Used { .. }] = &records(&effects)[..] else { panic!("{effects:?}") };
    harness.act(Action::Report(Report::OutputDone(Ok("copied it".into()))));
    assert_eq!(message(&harness), "✓ copied it · counts as useful +0.03 · u undoes it");
    recorded(&mut harness, used.clone(), Recorded::Used { event: 7 });
    assert_eq!(records(&harness.keys("y l")), [], "a second copy changes nothing");
    harness.act(Action::Report(Report::OutputDone(Ok("copied it".into()))));
    assert_eq!(message(&harness), "copied it");
    let undone = records(&harness.keys("u"));
    assert_eq!(undone, [Record::SetUndone { entry: 7, undone: true }]);
    assert_eq!(depths(&recorded(&mut harness, undone[0].clone(), Recorded::Done)), [Depth::Full]);
    rank(&mut harness, |_| {});
    assert_eq!(message(&harness), "✓ copying or editing open_session no longer counts as useful · stays #1");
    assert!(matches!(records(&harness.keys("y l"))[..], [Record::Used { .. }]), "it counts again");
}

#[test]
fn a_visit_outside_of_the_list_moves_the_focus() {
    let mut harness = Harness::ranked();
    visit_unranked(&mut harness);
    assert_eq!(harness.model.focus, Focus::Pane(source::ID), "the symbol that keys act on is in the pane in focus");
    let effects = harness.keys("+");
    assert!(
        records(&effects)
            .iter()
            .any(|record| matches!(record, Record::Vote { symbol, .. } if symbol.name == "unranked"))
    );
    harness.keys("2");
    let effects = harness.keys("+");
    let is_first = |record: &Record| matches!(record, Record::Vote { symbol, .. } if symbol.id == id(0));
    assert!(records(&effects).iter().any(is_first), "in the list the highlighted row is the current symbol");
    visit_unranked(&mut harness);
    harness.keys("2 H");
    assert_eq!(harness.model.focus, Focus::Pane(source::ID), "going back to a symbol that is not listed");
}

#[test]
fn no_row_is_highlighted_while_another_symbol_is_current() {
    use ratatui::style::Modifier;
    let mut harness = Harness::ranked();
    let reversed = |model: &Model| {
        let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(120, 40)).unwrap();
        terminal.draw(|frame| crate::tui::view::view(model, frame)).unwrap();
        let list = model.areas().content(pack::ID);
        let styled = |y| {
            let style = terminal.backend().buffer()[(list.x + 20, y)].style();
            style.add_modifier.contains(Modifier::REVERSED)
                || style.bg.is_some_and(|color| color != ratatui::style::Color::Reset)
        };
        (list.top()..list.bottom()).filter(|y| styled(*y)).count()
    };
    assert_eq!(reversed(&harness.model), 1);
    visit_unranked(&mut harness);
    assert_eq!(reversed(&harness.model), 0);
}

#[test]
fn the_cursor_of_the_graph_is_on_a_new_root() {
    let mut harness = Harness::ranked();
    harness.keys("5");
    let neighborhood = |harness: &mut Harness, rows: [usize; 2]| {
        let nodes = fixture::neighborhood().nodes;
        let mut shown = fixture::neighborhood();
        shown.nodes = rows.map(|row| nodes[row].clone()).to_vec();
        (shown.nodes[0].parent, shown.links) = (None, Vec::new());
        shown.nodes[1].parent = nodes[1].parent;
        let number = harness.model.panes.graph.question;
        harness.act(Action::Report(Report::Answered { number, response: Ok(Response::Neighborhood(shown)) }));
    };
    neighborhood(&mut harness, [0, 1]);
    harness.keys("j Enter");
    neighborhood(&mut harness, [1, 0]);
    let cursor = |harness: &Harness| graph::GraphPane.cursor_symbol(&harness.model).unwrap().id;
    assert_eq!(cursor(&harness), id(1), "the new root, not the symbol that was selected before");
}

#[test]
fn mark_list_and_source_agree_in_concepts() {
    let mut harness = Harness::ranked();
    harness.model.concepts.set_answer(Ok(vec![fixture::concept_match()]));
    harness.keys("* n");
    assert_eq!(selected(&harness), id(1));
    harness.keys("M");
    rank(&mut harness, |pack| {
        pack.symbols.remove(1);
    });
    let number = harness.model.concepts.question;
    let concepts = Ok(Response::Concepts(vec![fixture::concept_match()]));
    harness.act(Action::Report(Report::Answered { number, response: concepts.clone() }));
    let current = |harness: &Harness| navigation::current_symbol(&harness.model).unwrap().id;
    assert_eq!((harness.model.concepts.selected().unwrap().symbol.id, current(&harness)), (id(1), id(1)));
    harness.keys("M");
    rank(&mut harness, |_| {});
    let number = harness.model.concepts.question;
    harness.act(Action::Report(Report::Answered { number, response: concepts }));
    assert_eq!((selected(&harness), current(&harness)), (id(1), id(1)));
    harness.keys("g g Enter");
    assert_eq!((selected(&harness), current(&harness)), (id(1), id(1)), "Enter goes to the marked match");
    assert!(harness.model.overlays.is_empty());
}

#[test]
fn a_drop_keeps_the_row_and_undo_returns() {
    let mut harness = Harness::ranked();
    harness.keys("j x");
    assert_eq!(harness.model.task.pin_state(id(1)), PinState::Dropped);
    assert_eq!(selected(&harness), id(2), "the next row");
    rank(&mut harness, |pack| {
        let dropped = pack.symbols.remove(1);
        pack.omitted.push(dropped);
    });
    assert_eq!((selected(&harness), harness.model.panes.pack.selected), (id(2), 1), "at the same position");
    harness.keys("x");
    assert_eq!(selected(&harness), id(3));
    harness.keys("u");
    assert_eq!(selected(&harness), id(2), "the restored symbol");
    assert_eq!(harness.model.task.pin_state(id(2)), PinState::Neither);
}

#[test]
fn a_change_on_disk_keeps_what_is_read() {
    let mut harness = Harness::ranked();
    harness.keys("j k");
    let save = |harness: &mut Harness, change: fn(&mut ContextPack)| {
        let status = Status { usable: true, ..Status::default() };
        harness.act(Action::Report(Report::Status(Ok(status.clone()))));
        harness.act(Action::Report(Report::Indexed(Ok(Indexed { status, changed: true, ..Indexed::default() }))));
        rank(harness, change);
    };
    save(&mut harness, |pack| {
        pack.symbols.swap(0, 2);
        (pack.symbols[0].score, pack.symbols[2].score) = (0.95, 0.79);
    });
    assert_eq!(selected(&harness), id(0), "not the new first row");
    assert_eq!(harness.model.panes.pack.moved, Some((1, 3)));
    assert!(pack::status(&harness.model).starts_with("moved #1 → #3 · "), "{}", pack::status(&harness.model));
    harness.keys("k");
    assert_eq!(harness.model.panes.pack.moved, None, "the marker goes once the cursor moves");
    let below = selected(&harness);
    save(&mut harness, |pack| {
        pack.symbols.remove(1);
    });
    assert_eq!(below, id(1));
    assert_eq!(harness.model.panes.pack.selected, 1, "the symbol is gone: the one that took its row");
}

#[test]
fn an_edit_of_the_file_keeps_the_scroll_position() {
    let mut harness = Harness::ranked();
    let generation = harness.model.panes.source.generation;
    let file = "src/flask/sessions.py".to_owned();
    harness.act(Action::Report(Report::Source { generation, file, shown: Ok(fixture::shown()) }));
    harness.keys("C-e C-e C-e");
    let top = harness.model.panes.source.top;
    rank(&mut harness, |pack| {
        let span = &mut pack.symbols[0].symbol.span;
        (span.start_line, span.name_line, span.end_line) = (span.start_line + 4, span.name_line + 4, span.end_line + 4);
    });
    assert_eq!(harness.model.panes.source.wanted.as_ref().map(|location| location.line), Some(328));
    assert_eq!(harness.model.panes.source.top, top + 4, "the same lines are on the screen");
}

#[test]
fn exact_names_come_first_by_rank_and_why_not_lists_the_unpacked_before_others() {
    let mut harness = Harness::ranked();
    let symbols = |names: &[(usize, &str)]| {
        let pack = fixture::pack();
        let all: Vec<Symbol> = pack.symbols.iter().chain(&pack.omitted).map(|packed| packed.symbol.clone()).collect();
        let symbol = |(row, name): &(usize, &str)| Symbol { name: (*name).to_owned(), ..all[*row].clone() };
        Ok(Response::Symbols(names.iter().map(symbol).collect()))
    };
    let first = |harness: &Harness| harness.model.overlays[0].window().selected_symbol().map(|symbol| symbol.id);
    harness.keys("g o r e n d e r");
    let number = harness.model.last_question;
    let response = symbols(&[(3, "renders"), (4, "render"), (1, "Render")]);
    harness.act(Action::Report(Report::Answered { number, response }));
    assert_eq!(first(&harness), Some(id(1)));
    harness.keys("Esc 4 w r");
    let number = harness.model.last_question;
    let response = symbols(&[(1, "rs"), (2, "re"), (5, "ren")]);
    harness.act(Action::Report(Report::Answered { number, response }));
    assert_eq!(first(&harness), Some(id(5)), "the others are in the pack");
    harness.keys("e");
    let number = harness.model.last_question;
    let response = symbols(&[(5, "ren"), (2, "re")]);
    harness.act(Action::Report(Report::Answered { number, response }));
    assert_eq!(first(&harness), Some(id(2)), "its name is the typed one");
}

#[test]
fn uses_inside_the_repository_come_first() {
    let mut harness = Harness::ranked();
    harness.keys("g d");
    let relation = |symbol: Symbol| Relation {
        symbol,
        edge_type: EdgeType::Calls,
        confidence: 0.9,
        lines: Vec::new(),
        may_run: false,
    };
    let external = Symbol { file: String::new(), ..unranked() };
    let number = harness.model.last_question;
    let response = Ok(Response::Uses(vec![relation(external), relation(unranked())]));
    harness.act(Action::Report(Report::Answered { number, response }));
    let selected = harness.model.overlays[0].window().selected_symbol().unwrap();
    assert_eq!(selected.file, unranked().file);
}

#[test]
fn an_empty_task_forgets_its_concepts() {
    let mut harness = Harness::ranked();
    harness.model.concepts.set_answer(Ok(vec![fixture::concept_match()]));
    let number = harness.model.concepts.question;
    harness.keys("i C-u");
    assert!(harness.model.concepts.concepts().is_empty());
    let late = Ok(Response::Concepts(vec![fixture::concept_match()]));
    harness.act(Action::Report(Report::Answered { number, response: late }));
    assert!(harness.model.concepts.concepts().is_empty());
}

#[test]
fn the_cut_line_is_on_the_screen_after_going_to_it() {
    let mut harness = Harness::ranked();
    harness.act(Action::Resize(Size { width: 120, height: 12 }));
    harness.keys("g c");
    let list = &harness.model.panes.pack;
    let rows = harness.model.areas().content(pack::ID);
    let cut = list.cut().unwrap();
    assert!((list.offset..list.offset + rows.height as usize).contains(&cut), "{cut} from {}", list.offset);
}

#[test]
fn a_refresh_without_changes_is_reported() {
    let mut harness = Harness::ranked();
    harness.keys("r");
    harness.act(Action::Report(Report::Indexed(Ok(Indexed::default()))));
    assert_eq!(message(&harness), "checked: no change in the index");
}

#[test]
fn help_opens_in_windows_without_text() {
    for keys in ["*", "g v", "y e"] {
        let mut harness = Harness::ranked();
        harness.keys(keys);
        harness.keys("?");
        assert!(matches!(harness.model.overlays.last(), Some(Overlay::Keys(_))), "{keys}");
    }
}

#[test]
fn another_task_starts_at_the_first_row() {
    let mut harness = Harness::ranked();
    harness.keys("i x Enter");
    rank(&mut harness, |pack| {
        pack.task = "sessionx".into();
        pack.symbols.swap(0, 2);
    });
    assert_eq!(harness.model.panes.pack.selected_rank(), 1);
}

#[test]
fn escape_clears_marks_then_filter_and_facet() {
    let mut harness = Harness::ranked();
    harness.keys("/ s e s s Enter f n");
    harness.keys("Tab");
    assert_eq!((harness.model.panes.pack.marked.len(), harness.model.panes.pack.arrangement.is_filtered()), (1, true));
    harness.keys("Esc");
    assert_eq!((harness.model.panes.pack.marked.len(), harness.model.panes.pack.arrangement.is_filtered()), (0, true));
    harness.keys("Esc");
    assert!(!harness.model.panes.pack.arrangement.is_filtered());
}

#[test]
fn commands_act_on_all_marked_rows() {
    let mut harness = Harness::ranked();
    harness.keys("Tab Tab");
    assert_eq!(harness.model.panes.pack.selected, 2, "marking moves down");
    assert!(message(&harness).starts_with("2 marked · "), "{}", message(&harness));
    let effects = harness.keys("+");
    let votes = records(&effects).iter().filter(|record| matches!(record, Record::Vote { .. })).count();
    assert_eq!(
        (votes, harness.model.feedback.vote(id(0)), harness.model.feedback.vote(id(1))),
        (2, Vote::Useful, Vote::Useful)
    );
    assert_eq!(harness.model.feedback.vote(id(2)), Vote::Clear, "the cursor's row is not marked");
    let mut ranked = Vec::new();
    for record in records(&effects).into_iter().filter(|record| matches!(record, Record::Vote { .. })) {
        ranked.extend(depths(&recorded(&mut harness, record, Recorded::Done)));
    }
    assert_eq!(ranked, [Depth::Full], "one ranking for all");
    rank(&mut harness, |_| {});
    assert!(message(&harness).starts_with("✓ 2 symbols useful"), "{}", message(&harness));
    harness.keys("u");
    assert_eq!((harness.model.feedback.vote(id(0)), harness.model.feedback.vote(id(1))), (Vote::Clear, Vote::Clear));
    let copied = harness.keys("y l");
    let lines = "src/flask/sessions.py:324\nsrc/flask/sessions.py:339";
    assert!(copied.iter().any(|effect| matches!(effect, Effect::Copy { text, .. } if text == lines)), "{copied:?}");
    let edited = harness.keys("e");
    assert!(edited.iter().any(|effect| matches!(effect, Effect::EditMarked(files) if files.len() == 2)), "{edited:?}");
    harness.keys("x");
    assert_eq!(
        (harness.model.task.pin_state(id(0)), harness.model.task.pin_state(id(1))),
        (PinState::Dropped, PinState::Dropped)
    );
    harness.keys("y s");
    assert_eq!(message(&harness), "2 symbols are marked; Esc clears the marks");
}

#[test]
fn rows_are_grouped_by_file() {
    let mut harness = Harness::ranked();
    harness.keys("j z g");
    let list = &harness.model.panes.pack;
    let files: Vec<&str> = list.shown.iter().map(|index| list.symbols[*index].symbol.file.as_str()).collect();
    let mut groups = files.clone();
    groups.dedup();
    assert_eq!(groups.len(), 5, "{files:?}");
    assert_eq!(list.display(0), Some(pack::DisplayLine::File(0)));
    assert_eq!((list.selected_line(), list.cut()), (2, None));
    harness.keys("z g g c");
    assert_eq!(harness.model.panes.pack.cut(), Some(fixture::PACKED));
}
