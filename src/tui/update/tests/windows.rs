//! Windows with lists: paging, filters, and the effect of muting a concept.

use ratatui::layout::Size;

use super::{Action, Harness};
use crate::engine::LearnedTerm;
use crate::tui::action::Report;
use crate::tui::backend::{Journal, Recorded, Response};
use crate::tui::effect::{Effect, Record};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::panes::{pack, source};

fn word(keyword: &str, symbol: &str) -> LearnedTerm {
    let (keyword, symbol) = (keyword.to_owned(), symbol.to_owned());
    LearnedTerm { keyword, symbol, observations: 2, weight: 0.5, expired: 0 }
}

/// Returns an explorer with one concept.
fn with_concept() -> Harness {
    let mut harness = Harness::ranked();
    harness.model.concepts.answer = Some(Ok(vec![fixture::concept_match()]));
    harness
}

#[test]
fn windows_preview_the_source_on_narrow_terminals() {
    let mut harness = Harness::ranked();
    harness.act(Action::Resize(Size { width: 80, height: 24 }));
    let rows = |harness: &Harness| harness.model.areas().content(source::ID).height;
    let before = rows(&harness);
    harness.keys("g o p");
    let number = harness.model.last_question;
    assert_eq!(rows(&harness), before, "no symbol to preview yet");
    let push = fixture::pack().omitted[0].symbol.clone();
    harness.act(Action::Report(Report::Answered { number, response: Ok(Response::Symbols(vec![push])) }));
    assert!(rows(&harness) > before, "the window needs the place below the list");
    let window = harness.model.overlays[0].window().area(&harness.model);
    let free = window.y - harness.model.areas().content(source::ID).y;
    assert!(free >= 6, "{free}");
    assert_eq!(harness.model.panes.source.height, free as usize);
    let seen = harness.model.clone();
    harness.keys("Esc");
    assert_eq!(rows(&harness), before);
    harness.model = seen;
    harness.keys("Enter");
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID), "the source below the list shows it");
}

#[test]
fn the_filter_line_pages_through_the_list() {
    let mut harness = Harness::ranked();
    harness.keys("/ End");
    assert_eq!(harness.model.panes.pack.selected, 7);
    harness.keys("Home");
    assert_eq!(harness.model.panes.pack.selected, 0);
    harness.keys("PageDown");
    assert_eq!(harness.model.panes.pack.selected, 7);
    harness.keys("PageUp");
    assert_eq!(harness.model.panes.pack.selected, 0);
}

#[test]
fn learned_terms_are_filtered_and_selected() {
    let mut harness = Harness::ranked();
    harness.keys("g v");
    let words = vec![word("cookie", "open_session"), word("expire", "is_expired"), word("cook", "stew")];
    let answer = Ok(Recorded::Journal(Journal { events: Vec::new(), learned_terms: words }));
    harness.act(Action::Report(Report::Recorded { record: Record::Journal, answer }));
    harness.keys("Tab / x p");
    let forgotten = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Record(Record::Forget { keyword, .. })] => keyword.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(harness.keys("Enter"), [], "Enter keeps the filter and undoes nothing");
    assert_eq!(forgotten(harness.keys("x")), "expire");
    harness.keys("Esc");
    assert_eq!(harness.model.overlays.len(), 1, "Esc clears the filter first");
    harness.keys("End");
    assert_eq!(forgotten(harness.keys("Enter")), "cook");
    harness.keys("Esc");
    assert!(harness.model.overlays.is_empty());
}

#[test]
fn symbols_of_a_concept_are_filtered_and_paged() {
    let mut harness = with_concept();
    harness.keys("* End");
    assert_eq!((harness.model.concepts.symbol, harness.model.panes.pack.selected), (Some(1), 1));
    harness.keys("Home");
    assert_eq!(harness.model.concepts.symbol, Some(0));
    harness.keys("PageDown PageDown");
    assert_eq!(harness.model.concepts.symbol, Some(1));
    harness.keys("/ o p n Enter");
    assert_eq!(
        (harness.model.concepts.symbol, harness.model.panes.pack.selected),
        (Some(0), 0),
        "the first match is selected"
    );
    harness.keys("n n N");
    assert_eq!(harness.model.concepts.symbol, Some(0));
    harness.keys("Esc n");
    assert_eq!(harness.model.concepts.symbol, Some(1), "without the filter all symbols are stepped through");
    harness.keys("/ o p Esc Esc");
    assert_eq!((harness.model.overlays.len(), harness.model.concepts.filter.as_str()), (0, ""));
}

#[test]
fn a_line_that_is_not_a_command_runs_nothing_until_one_is_chosen() {
    let mut harness = Harness::ranked();
    let before = harness.model.focus;
    harness.keys(": a b c Enter");
    let message = harness.model.message.clone().unwrap();
    assert!(message.is_error && message.text.starts_with("no command `abc`; nearest: "), "{message:?}");
    assert_eq!((harness.model.focus, harness.model.overlays.len()), (before, 1), "the window stays open");
    harness.keys("Esc : h s t r y Down Enter");
    assert!(harness.model.message.is_none(), "the chosen line runs: {:?}", harness.model.message);
    harness.keys("Esc Esc : z o o m Enter");
    assert!(harness.model.zoomed);
}

#[test]
fn symbols_to_explain_are_suggested() {
    let mut harness = Harness::ranked();
    let pack = fixture::pack();
    let selected = |harness: &Harness| harness.model.overlays[0].window().selected_symbol().map(|symbol| symbol.id);
    harness.keys("4 w");
    assert_eq!(selected(&harness), Some(pack.omitted[0].symbol.id), "the best symbol outside of the pack");
}
