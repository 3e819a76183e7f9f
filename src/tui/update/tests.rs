//! Tests of the update: actions in, model and effects out.

mod agents;
mod export;
mod first;
mod fold;
mod fuzz;
mod feedback;
mod messages;
mod mouse;
mod panes;
mod shell;
mod source_pane;
mod tasks;
mod trust;
mod windows;

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event as TerminalEvent, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

use super::*;
use crate::tui::action::{self, Report};
use crate::tui::backend::{Indexed, Progress, Status};
use crate::tui::command::commands;
use crate::tui::effect::Depth;
use crate::tui::fixture;
use crate::tui::key::Key;
use crate::tui::model::{Focus, IndexState, Phases};
use crate::tui::overlay::Overlay;
use crate::tui::panes::pack::Stage;
use crate::tui::panes::{Pane, pack, source, why};

/// A model with a clock.
#[derive(Clone)]
struct Harness {
    model: Model,
    now: Instant,
}

impl Harness {
    fn new() -> Harness {
        Harness { model: fixture::model(120, 40), now: Instant::now() }
    }

    /// Returns a harness with an index.
    fn ready() -> Harness {
        let mut harness = Harness::new();
        harness.model.index = IndexState::Ready;
        harness
    }

    /// Returns a harness with the fixture's pack and the list in focus.
    fn ranked() -> Harness {
        let mut harness = Harness::ready();
        harness.keys("s e s s i o n");
        harness.keys("Enter");
        harness.rank(Duration::from_millis(100));
        harness.keys("Esc");
        harness
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        update(&mut self.model, action, self.now)
    }

    /// Presses keys, written as in the keymap.
    fn keys(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in Key::sequence(keys).unwrap() {
            let mut modifiers = KeyModifiers::NONE;
            modifiers.set(KeyModifiers::CONTROL, key.control);
            modifiers.set(KeyModifiers::ALT, key.alt);
            let event = TerminalEvent::Key(KeyEvent::new(key.code, modifiers));
            let action = action::translate(&self.model, event).unwrap();
            effects.extend(self.act(action));
        }
        effects
    }

    fn wait(&mut self, time: Duration) -> Vec<Effect> {
        self.now += time;
        self.act(Action::Tick)
    }

    /// Answers the newest search with the fixture's pack.
    fn rank(&mut self, took: Duration) -> Vec<Effect> {
        let generation = self.model.search.generation;
        self.act(Action::Report(Report::Ranked { generation, pack: Ok(Some(fixture::pack())), took }))
    }

    fn words(&mut self) -> Vec<Effect> {
        let generation = self.model.search.generation;
        let rows = Ok(fixture::pack().symbols);
        self.act(Action::Report(Report::Lexical { generation, rows, took: Duration::ZERO }))
    }
}

fn depths(effects: &[Effect]) -> Vec<Depth> {
    let depth = |effect: &Effect| match effect {
        Effect::Search(request) => Some(request.depth),
        _ => None,
    };
    effects.iter().filter_map(depth).collect()
}

#[test]
fn typing_requests_lexical_matches_then_the_full_ranking() {
    let mut harness = Harness::ready();
    harness.model.search.last_full = Duration::from_millis(100);
    assert_eq!(depths(&harness.keys("a")), [Depth::Lexical]);
    assert_eq!(depths(&harness.wait(Duration::from_millis(30))), []);
    assert_eq!(depths(&harness.keys("b")), [Depth::Lexical]);
    assert_eq!(depths(&harness.wait(Duration::from_millis(30))), []);
    assert_eq!(depths(&harness.wait(Duration::from_millis(21))), [Depth::Full]);
    assert_eq!(depths(&harness.wait(Duration::from_millis(500))), []);
}

#[test]
fn the_debounce_is_capped() {
    let mut harness = Harness::ready();
    harness.model.search.last_full = Duration::from_secs(9);
    harness.keys("a");
    assert_eq!(depths(&harness.wait(Duration::from_millis(120))), [Depth::Full]);
}

#[test]
fn a_quick_ranking_skips_the_lexical_request() {
    let mut harness = Harness::ready();
    harness.keys("a Enter");
    harness.rank(Duration::from_millis(20));
    assert_eq!(depths(&harness.keys("b")), [Depth::Full]);
    harness.rank(Duration::from_millis(31));
    assert_eq!(depths(&harness.keys("c")), [Depth::Lexical]);
}

#[test]
fn enter_and_paste_do_not_wait() {
    let mut harness = Harness::ready();
    harness.model.search.last_full = Duration::from_secs(1);
    harness.keys("a");
    assert_eq!(depths(&harness.keys("Enter")), [Depth::Full]);
    assert_eq!(depths(&harness.act(Action::Paste("two\r\nlines\u{7}".into()))), [Depth::Lexical, Depth::Full]);
    assert_eq!(harness.model.task.input.value(), "atwo\nlines ");
}

#[test]
fn enter_focuses_the_list_when_nothing_is_waiting() {
    let mut harness = Harness::ready();
    harness.keys("a Enter");
    harness.rank(Duration::ZERO);
    assert_eq!(harness.model.focus, Focus::Task);
    harness.keys("Enter");
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
}

#[test]
fn moving_the_cursor_requests_nothing() {
    let mut harness = Harness::ready();
    harness.keys("a b");
    assert_eq!(depths(&harness.keys("Left Home End A-b Space")), []);
    assert_eq!(harness.model.task.input.value(), " ab");
}

#[test]
fn a_task_is_ranked_while_the_first_index_is_built() {
    let mut harness = Harness::ready();
    harness.model.index = IndexState::Building(Phases::default());
    harness.keys("a");
    assert_eq!(depths(&harness.keys("Enter")), [], "the index is not begun");
    let progress = |done| Action::Report(Report::Progress(Progress { phase: "parse", done, total: 9 }));
    assert_eq!(depths(&harness.act(progress(1))), [Depth::Full]);
    assert_eq!(depths(&harness.act(progress(2))), []);
    harness.rank(Duration::ZERO);
    assert!(pack::status(&harness.model).ends_with("from part of the files"));
}

#[test]
fn answers_to_older_tasks_are_dropped() {
    let mut harness = Harness::ready();
    harness.keys("a");
    let old = harness.model.search.generation;
    harness.keys("b");
    let pack = Ok(Some(fixture::pack()));
    harness.act(Action::Report(Report::Ranked { generation: old, pack, took: Duration::ZERO }));
    assert_eq!(harness.model.panes.pack.stage, Stage::Empty);
}

#[test]
fn old_rows_are_stale_until_new_ones_arrive() {
    let mut harness = Harness::ranked();
    harness.keys("i x");
    assert!(harness.model.panes.pack.stale && !harness.model.panes.pack.dimmed);
    assert_eq!(harness.model.panes.pack.stage, Stage::Full);
    harness.wait(Duration::from_millis(100));
    assert!(harness.model.panes.pack.dimmed, "dimmed after the delay");
    harness.words();
    assert!(!harness.model.panes.pack.stale);
    assert_eq!(harness.model.panes.pack.stage, Stage::Lexical);
}

#[test]
fn an_answer_in_time_dims_nothing() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    harness.rank(Duration::from_millis(20));
    harness.model.dirty = false;
    harness.wait(Duration::from_millis(100));
    assert!(!harness.model.dirty);
}

#[test]
fn an_empty_task_empties_the_list() {
    let mut harness = Harness::ranked();
    let effects = harness.keys("i C-u");
    assert_eq!(depths(&effects), []);
    assert!(harness.model.panes.pack.symbols.is_empty());
    assert_eq!(harness.model.panes.source.wanted, None);
}

#[test]
fn the_preview_follows_the_selection_and_drops_late_answers() {
    let mut harness = Harness::ranked();
    let first = harness.model.panes.source.generation;
    let effects = harness.keys("j");
    assert!(matches!(&effects[..], [Effect::Preview(request), ..] if request.location.line == 339), "{effects:?}");
    let late = Report::Source { generation: first, file: "src/flask/sessions.py".into(), shown: Ok(fixture::shown()) };
    harness.act(Action::Report(late));
    assert!(harness.model.panes.source.lines.is_empty());
    let generation = harness.model.panes.source.generation;
    let now = Report::Source { generation, file: "src/flask/sessions.py".into(), shown: Ok(fixture::shown()) };
    harness.act(Action::Report(now));
    assert_eq!(harness.model.panes.source.lines.len(), 400);
}

#[test]
fn vim_keys_move_within_the_list() {
    let mut harness = Harness::ranked();
    harness.keys("j j k");
    assert_eq!(harness.model.panes.pack.selected, 1);
    harness.keys("G");
    assert_eq!(harness.model.panes.pack.selected, 7);
    harness.keys("j");
    assert_eq!(harness.model.panes.pack.selected, 7);
    harness.keys("g g");
    assert_eq!(harness.model.panes.pack.selected, 0);
    harness.keys("g c");
    assert_eq!(harness.model.panes.pack.selected, fixture::PACKED - 1);
    harness.keys("g x k");
    assert_eq!(harness.model.panes.pack.selected, fixture::PACKED - 2, "an unbound sequence is ignored");
}

#[test]
fn panes_cycle_and_escape_does_not_quit() {
    let mut harness = Harness::ranked();
    harness.keys("C-w w");
    assert_eq!(harness.model.focus, Focus::Pane(source::ID));
    harness.keys("4");
    assert_eq!(harness.model.focus, Focus::Pane(why::ID));
    harness.keys("Z");
    assert!(harness.model.zoomed);
    harness.keys("Esc");
    assert!(!harness.model.zoomed);
    assert!(harness.keys("Esc Esc Esc").is_empty());
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
    assert_eq!(harness.keys("q"), [Effect::Quit]);
}

#[test]
fn control_c_cancels_the_ranking_then_quits() {
    let mut harness = Harness::ready();
    harness.keys("a Enter");
    let effects = harness.keys("C-c");
    assert!(matches!(effects[..], [Effect::StopSearch { .. }]));
    assert_eq!(harness.keys("C-c"), [Effect::Quit]);
}

#[test]
fn the_budget_steps_and_ranks_again() {
    let mut harness = Harness::ranked();
    assert_eq!(depths(&harness.keys(">")), [Depth::Full]);
    assert_eq!(harness.model.task.budget_tokens, 2_000);
    harness.keys("< <");
    assert_eq!(harness.model.task.budget_tokens, 500);
    assert_eq!(depths(&harness.keys("<")), []);
    assert!(harness.model.message.is_some());
}

#[test]
fn the_editor_opens_at_the_name() {
    let mut harness = Harness::ranked();
    assert_eq!(harness.keys("e")[0], Effect::Edit { file: "src/flask/sessions.py".into(), line: 324 });
    let mut empty = Harness::ready();
    assert_eq!(empty.keys("Esc e"), []);
    assert!(empty.model.message.unwrap().is_error);
}

#[test]
fn the_first_index_starts_the_waiting_ranking() {
    let mut harness = Harness::new();
    harness.keys("a b");
    let status = Status { usable: false, ..Status::default() };
    harness.act(Action::Report(Report::Status(Ok(status))));
    assert_eq!(harness.model.index, IndexState::Building(Phases::default()));
    harness.act(Action::Report(Report::Progress(Progress { phase: "parse", done: 3, total: 9 })));
    let indexed = Indexed { status: Status { usable: true, ..Status::default() }, changed: true, ..Indexed::default() };
    assert_eq!(depths(&harness.act(Action::Report(Report::Indexed(Ok(indexed))))), [Depth::Full]);
    assert_eq!(harness.model.index_version, 1);
}

#[test]
fn an_update_without_changes_has_no_effects() {
    let mut harness = Harness::ranked();
    harness.act(Action::Report(Report::Status(Ok(Status { usable: true, ..Status::default() }))));
    let effects = harness.act(Action::Report(Report::Indexed(Ok(Indexed::default()))));
    assert_eq!(effects, []);
    assert_eq!(harness.model.index, IndexState::Ready);
}

#[test]
fn errors_become_messages() {
    let mut harness = Harness::ready();
    harness.keys("a Enter");
    let generation = harness.model.search.generation;
    let failed = Report::Ranked { generation, pack: Err("the store is locked".into()), took: Duration::ZERO };
    harness.act(Action::Report(failed));
    assert_eq!(harness.model.message.as_ref().unwrap().text, "the store is locked");
    harness.act(Action::Report(Report::Indexed(Err("no permission".into()))));
    assert_eq!(harness.model.index, IndexState::Ready);
    let mut fresh = Harness::new();
    fresh.act(Action::Report(Report::Indexed(Err("no permission".into()))));
    assert_eq!(fresh.model.index, IndexState::Failed("no permission".into()));
}

fn keys_filter(harness: &Harness) -> &str {
    match harness.model.overlays.last() {
        Some(Overlay::Keys(keys)) => keys.filter.value(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_key_help_filters_and_runs() {
    let mut harness = Harness::ranked();
    harness.keys("? z o o m");
    assert_eq!(keys_filter(&harness), "zoom");
    harness.keys("Enter");
    assert!(harness.model.overlays.is_empty());
    assert!(harness.model.zoomed);
    harness.keys("? Down Down Up Esc");
    assert!(harness.model.overlays.is_empty());
}

#[test]
fn every_key_at_every_size_does_not_panic() {
    let codes = [KeyCode::Enter, KeyCode::Tab, KeyCode::Down, KeyCode::PageDown, KeyCode::End, KeyCode::Backspace];
    let letters = "jkGgcdZ?K1234<>rixezf".chars().map(KeyCode::Char);
    for (width, height) in [(0, 0), (1, 1), (20, 5), (80, 24), (200, 60)] {
        let mut harness = Harness::ranked();
        harness.act(Action::Resize(Size { width, height }));
        for code in codes.into_iter().chain(letters.clone()) {
            for control in [KeyModifiers::NONE, KeyModifiers::CONTROL] {
                let event = TerminalEvent::Key(KeyEvent::new(code, control));
                let action = action::translate(&harness.model, event).unwrap();
                harness.act(action);
            }
        }
    }
}

#[test]
fn a_command_without_a_function_is_one_of_a_window() {
    let harnesses = ["?", ":", "y e", "g v", "g p", "t"].map(|keys| {
        let mut harness = Harness::ranked();
        harness.keys(keys);
        harness
    });
    for spec in commands().filter(|spec| spec.run.is_none() && !matches!(spec.command, Command::FocusPane(_))) {
        let is_handled =
            |harness: &Harness| overlay::run(&mut harness.model.clone(), spec.command, harness.now, &mut Vec::new());
        assert!(harnesses.iter().any(is_handled), "{}", spec.name);
    }
}
