//! Windows with lists: paging, filters, and the effect of muting a concept.

use ratatui::layout::Size;

use super::{Action, Bench};
use crate::engine::LearnedTerm;
use crate::tui::action::Report;
use crate::tui::effect::{Effect, Record, Topic};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::concepts::MuteEffect;
use crate::tui::panes::source;
use crate::tui::workspace::{Journal, Recorded, Response};

fn word(keyword: &str, symbol: &str) -> LearnedTerm {
    let (keyword, symbol) = (keyword.to_owned(), symbol.to_owned());
    LearnedTerm { keyword, symbol, observations: 2, weight: 0.5, expired: 0 }
}

/// Returns an explorer with one concept.
fn with_concept() -> Bench {
    let mut bench = Bench::ranked();
    bench.model.concepts.answer = Some(Ok(vec![fixture::concept_match()]));
    bench
}

fn withouts(effects: &[Effect]) -> Vec<(u64, String)> {
    let asked = |effect: &Effect| match effect {
        Effect::Ask(question) => match &question.topic {
            Topic::MuteEffect { concept, .. } => Some((question.number, concept.clone())),
            _ => None,
        },
        _ => None,
    };
    effects.iter().filter_map(asked).collect()
}

#[test]
fn windows_preview_the_source_on_narrow_terminals() {
    let mut bench = Bench::ranked();
    bench.act(Action::Resize(Size { width: 80, height: 24 }));
    assert!(bench.model.areas().pane(source::ID).is_empty());
    bench.keys("g o p");
    let number = bench.model.last_question;
    assert!(bench.model.areas().pane(source::ID).is_empty(), "no symbol to preview yet");
    let push = fixture::pack().omitted[0].symbol.clone();
    bench.act(Action::Report(Report::Answered { number, response: Ok(Response::Symbols(vec![push])) }));
    assert!(!bench.model.areas().pane(source::ID).is_empty());
    let window = bench.model.overlays[0].window().area(&bench.model);
    let free = window.y - bench.model.areas().pane(source::ID).y;
    assert!(free >= 6, "{free}");
    assert_eq!(bench.model.panes.source.height, free as usize);
    let seen = bench.model.clone();
    bench.keys("Esc");
    assert!(bench.model.areas().pane(source::ID).is_empty());
    bench.model = seen;
    bench.keys("Enter");
    assert_eq!(bench.model.focus, Focus::Pane(source::ID), "visiting focuses the source");
}

#[test]
fn the_filter_line_pages_through_the_list() {
    let mut bench = Bench::ranked();
    bench.keys("/ End");
    assert_eq!(bench.model.panes.pack.selected, 7);
    bench.keys("Home");
    assert_eq!(bench.model.panes.pack.selected, 0);
    bench.keys("PageDown");
    assert_eq!(bench.model.panes.pack.selected, 7);
    bench.keys("PageUp");
    assert_eq!(bench.model.panes.pack.selected, 0);
}

#[test]
fn learned_terms_are_filtered_and_selected() {
    let mut bench = Bench::ranked();
    bench.keys("g v");
    let words = vec![word("cookie", "open_session"), word("expire", "is_expired"), word("cook", "stew")];
    let answer = Ok(Recorded::Journal(Journal { events: Vec::new(), learned_terms: words }));
    bench.act(Action::Report(Report::Recorded { record: Record::Journal, answer }));
    bench.keys("Tab / x p");
    let forgotten = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Record(Record::Forget { keyword, .. })] => keyword.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(bench.keys("Enter"), [], "Enter keeps the filter and undoes nothing");
    assert_eq!(forgotten(bench.keys("x")), "expire");
    bench.keys("Esc");
    assert_eq!(bench.model.overlays.len(), 1, "Esc clears the filter first");
    bench.keys("End");
    assert_eq!(forgotten(bench.keys("Enter")), "cook");
    bench.keys("Esc");
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn symbols_of_a_concept_are_filtered_and_paged() {
    let mut bench = with_concept();
    bench.keys("* End");
    assert_eq!((bench.model.concepts.symbol, bench.model.panes.pack.selected), (Some(1), 1));
    bench.keys("Home");
    assert_eq!(bench.model.concepts.symbol, Some(0));
    bench.keys("PageDown PageDown");
    assert_eq!(bench.model.concepts.symbol, Some(1));
    bench.keys("/ o p n Enter");
    assert_eq!(
        (bench.model.concepts.symbol, bench.model.panes.pack.selected),
        (Some(0), 0),
        "the first match is selected"
    );
    bench.keys("n n N");
    assert_eq!(bench.model.concepts.symbol, Some(0));
    bench.keys("Esc n");
    assert_eq!(bench.model.concepts.symbol, Some(1), "without the filter all symbols are stepped through");
    bench.keys("/ o p Esc Esc");
    assert_eq!((bench.model.overlays.len(), bench.model.concepts.filter.as_str()), (0, ""));
}

#[test]
fn the_effect_of_muting_is_requested_once() {
    let mut bench = with_concept();
    assert_eq!(withouts(&bench.keys("n")), []);
    let asked = withouts(&bench.keys("*"));
    let [(number, concept)] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(concept, "WEB_SESSION");
    assert_eq!(withouts(&bench.keys("n n Tab")), []);
    let without = MuteEffect { concept: concept.clone(), moved: 3, most: 4, left: 1, first: Some(2) };
    bench
        .act(Action::Report(Report::Answered { number: *number, response: Ok(Response::MuteEffect(without.clone())) }));
    assert_eq!(bench.model.concepts.mute_effect(), Some(&without));
    assert_eq!(withouts(&bench.keys("n")), []);
    assert_eq!(withouts(&bench.keys("M")), [], "the ranking is outdated");
    bench.rank(std::time::Duration::ZERO);
    let number = bench.model.concepts.question;
    bench.act(Action::Report(Report::Answered {
        number,
        response: Ok(Response::Concepts(vec![fixture::concept_match()])),
    }));
    assert_eq!(withouts(&bench.keys("n")).len(), 0, "asked with the answer");
    assert_eq!(bench.model.concepts.mute_effect(), None);
}
