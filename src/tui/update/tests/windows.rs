//! Lists in windows: paged through, filtered, and what the window of classes says of its class.

use ratatui::layout::Size;

use super::{Action, Bench};
use crate::engine::LearnedWord;
use crate::tui::action::Report;
use crate::tui::effect::{Effect, Record, Topic};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::classes::Without;
use crate::tui::workspace::{Journal, Recorded, Response};

fn word(keyword: &str, symbol: &str) -> LearnedWord {
    let (keyword, symbol) = (keyword.to_owned(), symbol.to_owned());
    LearnedWord { keyword, symbol, observations: 2, weight: 0.5, expired: 0 }
}

/// With the window of classes open on one class.
fn classes() -> Bench {
    let mut bench = Bench::ranked();
    bench.model.classes.found = Some(Ok(vec![fixture::concept_match()]));
    bench
}

fn withouts(effects: &[Effect]) -> Vec<(u64, String)> {
    let asked = |effect: &Effect| match effect {
        Effect::Ask(question) => match &question.topic {
            Topic::Without { concept, .. } => Some((question.number, concept.clone())),
            _ => None,
        },
        _ => None,
    };
    effects.iter().filter_map(asked).collect()
}

#[test]
fn where_one_pane_is_seen_at_a_time_it_is_the_source_while_a_window_shows_symbols() {
    let mut bench = Bench::ranked();
    bench.act(Action::Resize(Size { width: 80, height: 24 }));
    assert!(bench.model.areas().source.is_empty());
    bench.keys("g o p");
    let number = bench.model.asked;
    assert!(bench.model.areas().source.is_empty(), "nothing is found yet");
    let push = fixture::pack().omitted[0].symbol.clone();
    bench.act(Action::Report(Report::Found { number, finding: Ok(Response::Symbols(vec![push])) }));
    assert!(!bench.model.areas().source.is_empty());
    let window = bench.model.overlays[0].window().area(&bench.model);
    let free = window.y - bench.model.areas().source.y;
    assert!(free >= 6, "{free}");
    assert_eq!(bench.model.source.height, free as usize);
    let seen = bench.model.clone();
    bench.keys("Esc");
    assert!(bench.model.areas().source.is_empty());
    bench.model = seen;
    bench.keys("Enter");
    assert_eq!(bench.model.focus, Focus::Source, "whoever goes there sees it");
}

#[test]
fn the_filter_line_pages_through_what_it_narrows() {
    let mut bench = Bench::ranked();
    bench.keys("/ End");
    assert_eq!(bench.model.pack.selected, 7);
    bench.keys("Home");
    assert_eq!(bench.model.pack.selected, 0);
    bench.keys("PageDown");
    assert_eq!(bench.model.pack.selected, 7);
    bench.keys("PageUp");
    assert_eq!(bench.model.pack.selected, 0);
}

#[test]
fn learned_words_are_filtered_and_the_line_under_the_selection_is_meant() {
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
    assert_eq!(bench.keys("Enter"), [], "Enter keeps the filter and takes nothing back");
    assert_eq!(forgotten(bench.keys("x")), "expire");
    bench.keys("Esc");
    assert_eq!(bench.model.overlays.len(), 1, "Esc takes the filter away first");
    bench.keys("End");
    assert_eq!(forgotten(bench.keys("Enter")), "cook");
    bench.keys("Esc");
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn matches_of_a_class_are_filtered_and_paged_through() {
    let mut bench = classes();
    bench.keys("* End");
    assert_eq!((bench.model.classes.place, bench.model.pack.selected), (Some(1), 1));
    bench.keys("Home");
    assert_eq!(bench.model.classes.place, Some(0));
    bench.keys("PageDown PageDown");
    assert_eq!(bench.model.classes.place, Some(1));
    bench.keys("/ o p n Enter");
    assert_eq!(
        (bench.model.classes.place, bench.model.pack.selected),
        (Some(0), 0),
        "one goes to the first that is left"
    );
    bench.keys("n n N");
    assert_eq!(bench.model.classes.place, Some(0));
    bench.keys("Esc n");
    assert_eq!(bench.model.classes.place, Some(1), "without the filter all are walked through");
    bench.keys("/ o p Esc Esc");
    assert_eq!((bench.model.overlays.len(), bench.model.classes.filter.as_str()), (0, ""));
}

#[test]
fn what_muting_a_class_would_do_is_asked_once_while_its_window_is_open() {
    let mut bench = classes();
    assert_eq!(withouts(&bench.keys("n")), []);
    let asked = withouts(&bench.keys("*"));
    let [(number, concept)] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(concept, "WEB_SESSION");
    assert_eq!(withouts(&bench.keys("n n Tab")), []);
    let without = Without { concept: concept.clone(), moved: 3, most: 4, left: 1, first: Some(2) };
    bench.act(Action::Report(Report::Found { number: *number, finding: Ok(Response::MuteEffect(without.clone())) }));
    assert_eq!(bench.model.classes.without(), Some(&without));
    assert_eq!(withouts(&bench.keys("n")), []);
    assert_eq!(withouts(&bench.keys("M")), [], "the ranking is an old one");
    bench.rank(std::time::Duration::ZERO);
    let number = bench.model.classes.asked;
    bench
        .act(Action::Report(Report::Found { number, finding: Ok(Response::Concepts(vec![fixture::concept_match()])) }));
    assert_eq!(withouts(&bench.keys("n")).len(), 0, "asked with the answer");
    assert_eq!(bench.model.classes.without(), None);
}
