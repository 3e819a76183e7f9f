//! Key sequences, palette, export, settings, history, file changes.

use super::*;
use crate::tui::command::Command;
use crate::tui::model::export::Written;
use crate::tui::model::task::EntryPoint;
use crate::tui::panes::source;
use crate::tui::workspace::Response;

fn copies<'a>(effects: &'a [Effect]) -> Vec<&'a str> {
    let text = |effect: &'a Effect| match effect {
        Effect::Copy { text, .. } => Some(text.as_str()),
        _ => None,
    };
    effects.iter().filter_map(text).collect()
}

/// Answers the newest question with a text.
fn written(bench: &mut Bench, text: &str) -> Vec<Effect> {
    let response = Ok(Response::Text(Written { text: text.into(), tokens: 1, symbols: 1, missing: 0 }));
    let number = bench.model.last_question;
    bench.act(Action::Report(Report::Answered { number, response }))
}

#[test]
fn continuations_appear_after_a_delay() {
    let mut bench = Bench::ranked();
    bench.keys("y");
    assert!(!bench.model.pending.shown);
    bench.wait(Duration::from_millis(299));
    assert!(!bench.model.pending.shown);
    bench.wait(Duration::from_millis(2));
    assert!(bench.model.pending.shown && bench.model.deadline().is_none());
    bench.keys("Backspace");
    assert!(bench.model.pending.keys.is_empty() && !bench.model.pending.shown);
    bench.keys("g");
    bench.keys("Esc");
    assert!(bench.model.pending.keys.is_empty());
    bench.keys("g");
    bench.keys("?");
    assert_eq!(bench.model.overlays.len(), 1, "? shows all keys");
}

#[test]
fn copies_are_of_the_current_symbol() {
    let mut bench = Bench::ranked();
    assert_eq!(copies(&bench.keys("y l")), ["src/flask/sessions.py:324"]);
    assert_eq!(copies(&bench.keys("y y")), ["def open_session(self, app, request)  src/flask/sessions.py:324"]);
    assert_eq!(copies(&bench.keys("y c")), ["knowing context --task 'session' --budget 1400"]);
    assert!(copies(&bench.keys("y x"))[0].contains("| **score** |"));
}

#[test]
fn symbols_of_a_concept_are_copied_as_lines() {
    let mut bench = Bench::ranked();
    assert!(copies(&bench.keys("y n")).is_empty());
    assert!(bench.model.message.as_ref().unwrap().is_error, "the task matches no concept");
    bench.model.concepts.set_answer(Ok(vec![fixture::concept_match()]));
    let expected = "open_session  src/flask/sessions.py:324\n\
                    save_session  src/flask/sessions.py:339\n";
    assert_eq!(copies(&bench.keys("y n")), [expected]);
    assert_eq!(copies(&bench.keys("* y")), [expected]);
}

#[test]
fn a_pack_is_copied_when_its_text_arrives() {
    let mut bench = Bench::ranked();
    assert!(copies(&bench.keys("y j")).is_empty());
    assert_eq!(copies(&written(&mut bench, "{}")), ["{}"]);
    assert!(copies(&written(&mut bench, "{}")).is_empty(), "nothing was requested");
}

#[test]
fn the_export_dialog_copies_the_counted_text() {
    let mut bench = Bench::ranked();
    bench.keys("y e");
    assert!(copies(&bench.keys("Enter")).is_empty(), "the text is not there yet");
    written(&mut bench, "gcf");
    bench.keys("f");
    assert!(copies(&bench.keys("Enter")).is_empty(), "the text of the other format is not there yet");
    written(&mut bench, "json");
    assert_eq!(copies(&bench.keys("Enter")), ["json"]);
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn text_beyond_the_limit_of_osc52_is_not_copied() {
    let mut bench = Bench::ranked();
    bench.keys("y e");
    written(&mut bench, &"x".repeat(80_000));
    assert!(copies(&bench.keys("Enter")).is_empty());
    assert!(bench.model.message.as_ref().is_some_and(|message| message.is_error));
}

#[test]
fn the_pack_is_printed_after_quitting() {
    let mut bench = Bench::ranked();
    bench.keys("Q");
    assert_eq!(written(&mut bench, "GCF\n"), [Effect::Quit]);
    assert_eq!(bench.model.export.printed.as_deref(), Some("GCF\n"));
}

#[test]
fn the_extension_of_a_file_chooses_the_format() {
    let mut bench = Bench::ranked();
    bench.keys("y w");
    bench.keys("C-u");
    bench.keys("e x p o r t . f i l e Space a . m d Enter");
    let effects = written(&mut bench, "# pack");
    assert!(matches!(&effects[..], [Effect::Write { path, text, .. }] if path.ends_with("a.md") && text == "# pack"));
}

#[test]
fn the_palette_runs_commands_with_arguments() {
    let mut bench = Bench::ranked();
    bench.keys(": m o u s e Space o f f Enter");
    assert!(!bench.model.settings.mouse && bench.model.overlays.is_empty());
    bench.keys("b 9 0 0 0 Enter");
    assert_eq!(bench.model.task.budget_tokens, 9_000);
    bench.keys("b x Enter");
    assert_eq!(bench.model.task.budget_tokens, 9_000);
    assert!(bench.model.message.as_ref().is_some_and(|message| message.is_error));
}

#[test]
fn user_bindings_have_arguments() {
    let mut bench = Bench::ranked();
    let (config, config_errors) = crate::tui::config::parse("[keys.pack]\nU = \"budget.set 123\"\n");
    assert_eq!(config_errors, []);
    let (keymap, _) = bench.model.keymap.as_ref().clone().with(&config.keys);
    bench.model.keymap = std::sync::Arc::new(keymap);
    bench.keys("U");
    assert_eq!(bench.model.task.budget_tokens, 123);
}

#[test]
fn submitted_tasks_are_in_the_history() {
    let mut bench = Bench::ready();
    bench.keys("a b");
    let effects = bench.keys("Enter");
    assert!(effects.contains(&Effect::Remember("ab".into())));
    assert!(!bench.keys("Enter").contains(&Effect::Remember("ab".into())), "a task is added once");
    bench.keys("i C-u x y Enter C-r");
    bench.keys("b Enter");
    assert_eq!(bench.model.task.text(), "ab");
}

#[test]
fn typing_and_entry_points_are_undone() {
    let mut bench = Bench::ranked();
    bench.keys("i Space c o o k i e");
    assert_eq!(depths(&bench.keys("C-_")), [Depth::Lexical]);
    assert_eq!(bench.model.task.text(), "session");
    bench.keys("A-_");
    assert_eq!(bench.model.task.text(), "session cookie");
    bench.keys("C-w C-_");
    assert_eq!(bench.model.task.text(), "session cookie");
    let input = bench.model.task.input.clone();
    bench.model.task.replace(EntryPoint::Changes("main".into()), input);
    bench.keys("C-_");
    assert_eq!((bench.model.task.label(), bench.model.task.text()), (None, "session cookie"));
    bench.keys("C-_ C-_ C-_ C-_");
    assert_eq!(bench.model.task.text(), "");
    assert_eq!(bench.model.message.as_ref().unwrap().text, "nothing to undo");
}

#[test]
fn a_task_from_the_editor_is_ranked_at_once() {
    let mut bench = Bench::ready();
    assert_eq!(bench.keys("a C-o"), [lexical_request(&bench), Effect::Compose("a".into())]);
    let effects = bench.act(Action::Composed(Ok("line one\nline\u{1b} two".into())));
    assert_eq!(bench.model.task.text(), "line one\nline  two");
    assert!(depths(&effects).contains(&Depth::Full));
    bench.act(Action::Composed(Err("vi ended".into())));
    assert_eq!(bench.model.task.text(), "line one\nline  two");
}

/// Returns the request for lexical matches that typing sent.
fn lexical_request(bench: &Bench) -> Effect {
    Effect::Search(crate::tui::effect::SearchRequest {
        generation: bench.model.search.generation,
        index_version: bench.model.index_version,
        task: bench.model.task.task(),
        depth: Depth::Lexical,
    })
}

#[test]
fn examples_are_taken_by_their_keys() {
    let mut bench = Bench::ready();
    bench.model.examples = vec!["one".into(), "two".into()];
    bench.keys("A-2");
    assert_eq!(bench.model.task.text(), "two");
    bench.keys("A-3");
    assert_eq!(bench.model.task.text(), "two");
}

#[test]
fn a_change_on_disk_is_indexed_and_shown() {
    let mut bench = Bench::ranked();
    let change = action::FileChanges { files: vec!["src/a.py".into()], branch: None };
    assert_eq!(bench.act(Action::Report(Report::Changed(change))), [Effect::Index]);
    let indexed = Indexed { changed: true, ..Indexed::default() };
    bench.act(Action::Report(Report::Indexed(Ok(indexed))));
    assert_eq!(bench.model.message.as_ref().unwrap().text, "a.py changed: index updated");
}

#[test]
fn disabled_commands_show_their_reason_in_the_palette() {
    let mut bench = Bench::ready();
    bench.keys("F2");
    bench.keys("g o . e d i t o r Enter");
    assert_eq!(bench.model.overlays.len(), 1);
    assert!(bench.model.message.as_ref().unwrap().text.contains("no symbol is selected"));
    assert_eq!(Command::Pane(source::EDITOR).spec().name, source::EDITOR);
}
