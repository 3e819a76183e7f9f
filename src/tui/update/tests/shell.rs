//! Key sequences, palette, export, settings, history, file changes.

use super::*;
use crate::config::UserConfig;
use crate::tui::backend::Response;
use crate::tui::command::Command;
use crate::tui::model::export::Written;
use crate::tui::model::task::EntryPoint;
use crate::tui::panes::source;

fn copies<'a>(effects: &'a [Effect]) -> Vec<&'a str> {
    let text = |effect: &'a Effect| match effect {
        Effect::Copy { text, .. } => Some(text.as_str()),
        _ => None,
    };
    effects.iter().filter_map(text).collect()
}

/// Answers the newest question with a text.
fn written(harness: &mut Harness, text: &str) -> Vec<Effect> {
    let response = Ok(Response::Text(Written { text: text.into(), tokens: 1, symbols: 1, missing: 0, left_out: 0 }));
    let number = harness.model.last_question;
    harness.act(Action::Report(Report::Answered { number, response }))
}

#[test]
fn continuations_appear_after_a_delay() {
    let mut harness = Harness::ranked();
    harness.keys("y");
    assert!(!harness.model.pending.shown);
    harness.wait(Duration::from_millis(299));
    assert!(!harness.model.pending.shown);
    harness.wait(Duration::from_millis(2));
    assert!(harness.model.pending.shown && harness.model.deadline().is_none());
    harness.keys("Backspace");
    assert!(harness.model.pending.keys.is_empty() && !harness.model.pending.shown);
    harness.keys("g");
    harness.keys("Esc");
    assert!(harness.model.pending.keys.is_empty());
    harness.keys("g");
    harness.keys("?");
    assert_eq!(harness.model.overlays.len(), 1, "? shows all keys");
}

#[test]
fn copies_are_of_the_current_symbol() {
    let mut harness = Harness::ranked();
    assert_eq!(copies(&harness.keys("y l")), ["src/flask/sessions.py:324"]);
    assert_eq!(copies(&harness.keys("y y")), ["def open_session(self, app, request)  src/flask/sessions.py:324"]);
    assert_eq!(copies(&harness.keys("y c")), ["knowing context --task 'session' --budget 1400"]);
    assert!(copies(&harness.keys("y x"))[0].contains("| **score** |"));
}

#[test]
fn symbols_of_a_concept_are_copied_as_lines() {
    let mut harness = Harness::ranked();
    assert!(copies(&harness.keys("y n")).is_empty());
    assert!(harness.model.message.as_ref().unwrap().is_error, "the task matches no concept");
    harness.model.concepts.set_answer(Ok(vec![fixture::concept_match()]));
    let expected = "open_session  src/flask/sessions.py:324\n\
                    save_session  src/flask/sessions.py:339\n";
    assert_eq!(copies(&harness.keys("y n")), [expected]);
    assert_eq!(copies(&harness.keys("* y")), [expected]);
}

#[test]
fn a_pack_is_copied_when_its_text_arrives() {
    let mut harness = Harness::ranked();
    assert!(copies(&harness.keys("y j")).is_empty());
    assert_eq!(copies(&written(&mut harness, "{}")), ["{}"]);
    assert!(copies(&written(&mut harness, "{}")).is_empty(), "nothing was requested");
}

#[test]
fn the_export_dialog_copies_the_counted_text() {
    let mut harness = Harness::ranked();
    harness.keys("y e");
    assert!(copies(&harness.keys("Enter")).is_empty(), "the text is not there yet");
    written(&mut harness, "gcf");
    harness.keys("f");
    assert!(copies(&harness.keys("Enter")).is_empty(), "the text of the other format is not there yet");
    written(&mut harness, "json");
    assert_eq!(copies(&harness.keys("Enter")), ["json"]);
    assert!(harness.model.overlays.is_empty());
}

#[test]
fn text_beyond_the_limit_of_osc52_is_not_copied() {
    let mut harness = Harness::ranked();
    harness.keys("y e");
    written(&mut harness, &"x".repeat(80_000));
    assert!(copies(&harness.keys("Enter")).is_empty());
    assert!(harness.model.message.as_ref().is_some_and(|message| message.is_error));
}

#[test]
fn the_pack_is_printed_after_quitting() {
    let mut harness = Harness::ranked();
    harness.keys("Q");
    assert_eq!(written(&mut harness, "GCF\n"), [Effect::Quit]);
    assert_eq!(harness.model.export.printed.as_deref(), Some("GCF\n"));
}

#[test]
fn the_extension_of_a_file_chooses_the_format() {
    let mut harness = Harness::ranked();
    harness.keys("y w a . m d Enter");
    let effects = written(&mut harness, "# pack");
    assert!(matches!(&effects[..], [Effect::Write { path, text, .. }] if path.ends_with("a.md") && text == "# pack"));
}

#[test]
fn the_palette_runs_commands_with_arguments() {
    let mut harness = Harness::ranked();
    harness.keys(": m o u s e Space o f f Enter");
    assert!(!harness.model.settings.mouse && harness.model.overlays.is_empty());
    harness.keys("b 9 0 0 0 Enter");
    assert_eq!(harness.model.task.budget_tokens, 9_000);
    harness.keys("b x Enter");
    assert_eq!(harness.model.task.budget_tokens, 9_000);
    assert!(harness.model.message.as_ref().is_some_and(|message| message.is_error));
}

#[test]
fn a_number_that_no_pack_fits_is_refused_and_the_budget_stays() {
    let mut harness = Harness::ranked();
    let before = harness.model.task.budget_tokens;
    for keys in [": 1 2 Enter", "b 0 Enter", "b 9 9 Enter", "b 1 0 0 0 0 0 0 1 Enter"] {
        harness.keys(keys);
        let message = harness.model.message.as_ref().map(|message| message.text.as_str());
        assert_eq!(message, Some("a budget is a number of tokens from 100 to 10000000, such as 8000 or 8k"), "{keys}");
        assert_eq!(harness.model.task.budget_tokens, before, "{keys}");
        harness.keys("Esc Esc");
    }
}

#[test]
fn user_bindings_have_arguments() {
    let mut harness = Harness::ranked();
    let config = UserConfig::parse("[keys.list]\nU = \"budget.set 123\"\n");
    assert_eq!(config.problems, []);
    let (keymap, _) = harness.model.keymap.as_ref().clone().with(&config.explorer.keys);
    harness.model.keymap = std::sync::Arc::new(keymap);
    harness.keys("U");
    assert_eq!(harness.model.task.budget_tokens, 123);
}

#[test]
fn submitted_tasks_are_in_the_history() {
    let mut harness = Harness::ready();
    harness.keys("a b");
    let effects = harness.keys("Enter");
    assert!(effects.contains(&Effect::Remember("ab".into())));
    assert!(!harness.keys("Enter").contains(&Effect::Remember("ab".into())), "a task is added once");
    harness.keys("i C-u x y Enter C-r");
    harness.keys("b Enter");
    assert_eq!(harness.model.task.text(), "ab");
}

#[test]
fn typing_and_entry_points_are_undone() {
    let mut harness = Harness::ranked();
    harness.keys("i Space c o o k i e");
    assert_eq!(depths(&harness.keys("C-_")), [Depth::Lexical]);
    assert_eq!(harness.model.task.text(), "session");
    harness.keys("A-_");
    assert_eq!(harness.model.task.text(), "session cookie");
    harness.keys("C-w C-_");
    assert_eq!(harness.model.task.text(), "session cookie");
    let input = harness.model.task.input.clone();
    harness.model.task.replace(EntryPoint::Changes("main".into()), input);
    harness.keys("C-_");
    assert_eq!((harness.model.task.label(), harness.model.task.text()), (None, "session cookie"));
    harness.keys("C-_ C-_ C-_ C-_");
    assert_eq!(harness.model.task.text(), "");
    assert_eq!(harness.model.message.as_ref().unwrap().text, "nothing to undo");
}

#[test]
fn a_task_from_the_editor_is_ranked_at_once() {
    let mut harness = Harness::ready();
    assert_eq!(harness.keys("a C-o"), [lexical_request(&harness), Effect::Compose("a".into())]);
    let effects = harness.act(Action::Composed(Ok("line one\nline\u{7} two".into())));
    assert_eq!(harness.model.task.text(), "line one\nline  two");
    assert!(depths(&effects).contains(&Depth::Full));
    harness.act(Action::Composed(Err("vi ended".into())));
    assert_eq!(harness.model.task.text(), "line one\nline  two");
}

/// Returns the request for lexical matches that typing sent.
fn lexical_request(harness: &Harness) -> Effect {
    Effect::Search(crate::tui::effect::SearchRequest {
        generation: harness.model.search.generation,
        index_version: harness.model.index_version,
        task: harness.model.task.task(),
        depth: Depth::Lexical,
    })
}

#[test]
fn examples_are_taken_by_their_keys() {
    let mut harness = Harness::ready();
    harness.model.examples.tasks = vec!["one".into(), "two".into()];
    harness.keys("A-2");
    assert_eq!(harness.model.task.text(), "two");
    harness.keys("A-1");
    assert_eq!((harness.model.task.text(), harness.model.focus), ("two", Focus::Pane(pack::ID)), "it is not replaced");
    harness.keys("A-3");
    let focus = Focus::Pane(source::ID);
    assert_eq!((harness.model.task.text(), harness.model.focus), ("two", focus), "a quick Esc and a digit of a pane");
}

#[test]
fn a_change_on_disk_is_indexed_and_shown() {
    let mut harness = Harness::ranked();
    let change = crate::engine::FileChanges { files: vec!["src/a.py".into()], branch: None };
    assert_eq!(harness.act(Action::Report(Report::Changed(change))), [Effect::Index]);
    let indexed = Indexed { changed: true, ..Indexed::default() };
    harness.act(Action::Report(Report::Indexed(Ok(indexed))));
    assert_eq!(harness.model.message.as_ref().unwrap().text, "a.py changed: index updated");
}

#[test]
fn disabled_commands_show_their_reason_in_the_palette() {
    let mut harness = Harness::ready();
    harness.keys("F2");
    harness.keys("g o . e d i t o r Enter");
    assert_eq!(harness.model.overlays.len(), 1);
    assert!(harness.model.message.as_ref().unwrap().text.contains("no symbol is selected"));
    assert_eq!(Command::Pane(source::EDITOR).spec().name, source::EDITOR);
}
