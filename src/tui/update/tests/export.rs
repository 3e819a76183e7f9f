//! Exports: what is written equals what was previewed, for every format, content and destination.

use super::*;
use crate::tui::backend::Response;
use crate::tui::effect::{TextRequest, Topic};
use crate::tui::model::export::{Form, Written, formats};

/// Answers the newest request for a pack with a text that names its form.
fn answer(harness: &mut Harness, effects: &[Effect]) -> (String, Vec<Effect>) {
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::Ask(question) => match &question.topic {
            Topic::Text(TextRequest::Pack { form, .. }) => Some((question.number, *form)),
            _ => None,
        },
        _ => None,
    });
    let (number, form) = asked.expect("a pack is requested");
    let text = format!("{form:?}\n");
    let written = Written { text: text.clone(), tokens: 9, symbols: 2, missing: 0, left_out: 0 };
    let report = Report::Answered { number, response: Ok(Response::Text(written)) };
    (text, harness.act(Action::Report(report)))
}

/// Opens the dialog with a form. Returns the previewed text.
fn previewed(harness: &mut Harness, form: Form) -> String {
    let effects = harness.keys("y e");
    let mut text = answer(harness, &effects).0;
    let skipped = formats().iter().position(|format| *format == form.format).unwrap();
    let edges = if form.edges { "" } else { "e" };
    let bodies = if form.bodies { "b" } else { "" };
    for key in std::iter::repeat_n("f", skipped).chain([bodies, edges]).filter(|key| !key.is_empty()) {
        let effects = harness.keys(key);
        text = answer(harness, &effects).0;
    }
    assert_eq!(text, format!("{form:?}\n"));
    text
}

fn forms() -> Vec<Form> {
    let contents = [(false, true), (true, true), (false, false), (true, false)];
    formats().into_iter().flat_map(|format| contents.map(|(bodies, edges)| Form { format, bodies, edges })).collect()
}

#[test]
fn every_destination_gets_the_preview() {
    for form in forms() {
        let mut harness = Harness::ranked();
        let preview = previewed(&mut harness, form);
        let effects = harness.keys("Enter");
        assert!(matches!(&effects[..], [Effect::Copy { text, .. }] if *text == preview), "clipboard, {form:?}");

        for to_file in ["t Enter Enter", "w Enter"] {
            let mut harness = Harness::ranked();
            let preview = previewed(&mut harness, form);
            let effects = harness.keys(to_file);
            assert!(matches!(&effects[..], [Effect::Write { text, .. }] if *text == preview), "{to_file}, {form:?}");
            assert!(harness.model.overlays.is_empty());
        }

        let mut harness = Harness::ranked();
        let preview = previewed(&mut harness, form);
        assert_eq!(harness.keys("t t Enter"), [Effect::Quit]);
        assert_eq!(harness.model.export.printed, Some(preview), "standard output, {form:?}");
    }
}

#[test]
fn a_name_with_another_extension_chooses_the_format_only() {
    let mut harness = Harness::ranked();
    previewed(&mut harness, Form { format: "gcf", bodies: true, edges: false });
    harness.keys("w");
    let effects = harness.keys("C-u e x p o r t . f i l e Space a . x m l Enter");
    let (text, effects) = answer(&mut harness, &effects);
    assert_eq!(text, format!("{:?}\n", Form { format: "xml", bodies: true, edges: false }));
    assert!(matches!(&effects[..], [Effect::Write { text: written, .. }] if *written == text));
}

#[test]
fn escape_returns_to_the_unchanged_dialog() {
    let mut harness = Harness::ranked();
    let preview = previewed(&mut harness, Form { format: "json", bodies: true, edges: true });
    harness.keys("w Esc");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Export(_))));
    let effects = harness.keys("w Enter");
    assert!(matches!(&effects[..], [Effect::Write { text, .. }] if *text == preview));
}

#[test]
fn files_without_the_dialog_have_the_default_contents() {
    for (name, format) in [("a . x m l", "xml"), ("a . m d", "markdown"), ("a . t x t", "gcf")] {
        let mut harness = Harness::ranked();
        let effects = harness.keys(&format!("y w C-u e x p o r t . f i l e Space {name} Enter"));
        let (text, effects) = answer(&mut harness, &effects);
        assert_eq!(text, format!("{:?}\n", Form { format, ..Form::default() }));
        assert!(matches!(&effects[..], [Effect::Write { text: written, .. }] if *written == text));
    }
}

#[test]
fn a_copy_that_follows_a_file_replaces_neither_it_nor_another_copy() {
    let mut harness = Harness::ranked();
    let mut effects = harness.keys("y w Enter");
    effects.extend(harness.keys("y p"));
    effects.extend(harness.keys("y s"));
    let asked: Vec<u64> = (effects.iter())
        .filter_map(|effect| match effect {
            Effect::Ask(question) if matches!(question.topic, Topic::Text(_)) => Some(question.number),
            _ => None,
        })
        .collect();
    assert_eq!(asked.len(), 3, "{effects:?}");
    let delivered: Vec<Effect> = (asked.into_iter())
        .flat_map(|number| {
            let written = Written { text: number.to_string(), tokens: 9, symbols: 2, missing: 0, left_out: 0 };
            let report = Report::Answered { number, response: Ok(Response::Text(written)) };
            harness.act(Action::Report(report))
        })
        .collect();
    assert!(
        matches!(&delivered[..], [Effect::Write { .. }, Effect::Copy { .. }, Effect::Copy { .. }]),
        "{delivered:?}"
    );
    assert!(harness.model.export.waiting.is_empty());
}

#[test]
fn the_present_argument_is_offered_and_a_typed_one_replaces_it() {
    let mut harness = Harness::ranked();
    let budget = harness.model.task.budget_tokens;
    harness.keys("b Enter");
    assert_eq!(harness.model.task.budget_tokens, budget, "Enter keeps the budget");
    harness.keys("b Down Enter");
    assert_ne!(harness.model.task.budget_tokens, budget);
    harness.model.task.budget_tokens = 5_500;
    harness.keys("b Enter");
    assert_eq!(harness.model.task.budget_tokens, 5_500, "one that is not listed");
    harness.keys("b 8 k Enter");
    assert_eq!(harness.model.task.budget_tokens, 8_000);
    let mut harness = Harness::ranked();
    previewed(&mut harness, Form { format: "json", bodies: false, edges: true });
    let effects = harness.keys("t Enter o u t . j s o n Enter");
    assert!(
        matches!(&effects[..], [Effect::Write { path, .. }] if path.as_os_str() == "out.json"),
        "a typed name is not glued to the offered one: {effects:?}"
    );
}
