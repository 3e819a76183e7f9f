//! The task box, the history, reading trails, and tasks about changes.

use super::{Action, Harness, fixture};
use crate::engine::{Base, ChangeRole, Changes, Hunk};
use crate::tui::action::Report;
use crate::tui::backend::{RepositoryStatus, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Focus;
use crate::tui::model::task::EntryPoint;
use crate::tui::overlay::Overlay;
use crate::tui::panes::pack;
use crate::tui::session::SavedTask;

fn remembered(effects: &[Effect]) -> Vec<&str> {
    let mut tasks = Vec::new();
    for effect in effects {
        if let Effect::Remember(task) = effect {
            tasks.push(task.as_str());
        }
    }
    tasks
}

fn asked(effects: &[Effect], wanted: impl Fn(&Topic) -> bool) -> u64 {
    let number = |effect: &Effect| match effect {
        Effect::Ask(question) if wanted(&question.topic) => Some(question.number),
        _ => None,
    };
    effects.iter().find_map(number).unwrap()
}

fn answer(harness: &mut Harness, number: u64, response: Response) -> Vec<Effect> {
    harness.act(Action::Report(Report::Answered { number, response: Ok(response) }))
}

#[test]
fn a_large_paste_is_kept_whole() {
    let mut harness = Harness::ready();
    let log = format!("{}\nerror: the last line", "a line of the log\r\n".repeat(4_000));
    harness.act(Action::Paste(log));
    let text = harness.model.task.text();
    assert!(text.ends_with("error: the last line") && text.len() > 70_000 && !text.contains('\r'));
    assert_eq!(harness.model.message.as_ref().unwrap().text, "pasted 4002 lines");
    assert_eq!(harness.model.areas().task.height, 1, "its title and the number of its lines");
    harness.act(Action::Paste("x".repeat(2 << 20)));
    assert_eq!(harness.model.task.input.value().len(), 1 << 20);
    assert!(harness.model.message.as_ref().unwrap().text.contains("1 MB"));
}

#[test]
fn a_paste_into_the_list_is_a_new_task_and_undone() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    let pinned = harness.model.task.options.pinned.clone();
    harness.act(Action::Paste("Traceback:\n  File \"a.py\", line 3\n".into()));
    assert_eq!(harness.model.task.text(), "Traceback:\n  File \"a.py\", line 3");
    assert!(harness.model.task.options.pinned.is_empty(), "pins are those of the task before");
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID), "its places can be walked at once");
    harness.rank(std::time::Duration::ZERO);
    harness.keys("u");
    assert_eq!((harness.model.task.text(), &harness.model.task.options.pinned), ("session", &pinned));
    harness.keys("C-r");
    assert!(harness.model.task.text().starts_with("Traceback:"));
}

#[test]
fn what_is_typed_into_the_emptied_field_is_another_task() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    let pinned = harness.model.task.options.pinned.clone();
    assert!(!pinned.is_empty());
    harness.keys("i C-u C-_");
    assert_eq!((harness.model.task.text(), &harness.model.task.options.pinned), ("session", &pinned));
    harness.keys("C-u");
    harness.keys("e x p i r e");
    harness.keys("Esc");
    assert!(harness.model.task.options.pinned.is_empty(), "what is kept is that of the task before");
    harness.rank(std::time::Duration::ZERO);
    harness.keys("H");
    assert_eq!((harness.model.task.text(), &harness.model.task.options.pinned), ("session", &pinned));
    harness.keys("L");
    assert_eq!(harness.model.task.text(), "expire");
    harness.keys("u");
    assert_eq!(harness.model.task.text(), "session");
    // Letter by letter, no remainder is the task before.
    harness.keys("i Backspace Backspace Backspace Backspace Backspace Backspace Backspace x Esc H");
    assert_eq!((harness.model.task.text(), &harness.model.task.options.pinned), ("session", &pinned));
}

#[test]
fn a_pasted_ticket_shows_its_title_until_the_next_key() {
    let mut harness = Harness::ready();
    harness.act(Action::Paste("The title\n".to_owned() + &"a line of the body\n".repeat(30)));
    let shown = |harness: &Harness| {
        let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(120, 40)).unwrap();
        terminal.draw(|frame| crate::tui::view::view(&harness.model, frame)).unwrap();
        terminal.backend().to_string().contains("The title")
    };
    assert!(shown(&harness));
    assert_eq!(harness.model.areas().task.height, 1);
    harness.keys("End");
    assert!(!shown(&harness), "the field shows where one types");
    assert_eq!(harness.model.areas().task.height, 4);
    harness.keys("Esc");
    assert!(shown(&harness), "its rows are not read in the list");
    assert_eq!(harness.model.areas().task.height, 1);
}

#[test]
fn what_is_typed_after_the_start_replaces_the_last_task() {
    let start = || {
        let mut harness = Harness::ranked();
        (harness.model.focus, harness.model.task.is_selected) = (Focus::Task, true);
        harness
    };
    let mut harness = start();
    harness.keys("e d i t");
    assert_eq!((harness.model.task.text(), harness.model.focus), ("edit", Focus::Task));
    harness.keys("Esc H");
    assert_eq!(harness.model.task.text(), "session", "the task before is not lost");
    let mut harness = start();
    harness.keys("Down j");
    assert_eq!((harness.model.task.text(), harness.model.focus), ("session", Focus::Pane(pack::ID)));
    assert_eq!(harness.model.panes.pack.selected, 2);
    let mut harness = start();
    harness.keys("Esc j");
    assert_eq!((harness.model.task.text(), harness.model.panes.pack.selected), ("session", 1));
    let mut harness = start();
    harness.keys("End x");
    assert_eq!(harness.model.task.text(), "sessionx", "a movement of the cursor edits it");
    let mut harness = start();
    harness.keys("Backspace");
    assert_eq!(harness.model.task.text(), "");
    let mut harness = start();
    harness.act(Action::Paste("another task".into()));
    assert_eq!(harness.model.task.text(), "another task");
}

#[test]
fn colors_of_a_paste_are_left_out() {
    let mut harness = Harness::ready();
    harness.act(Action::Paste("\u{1b}[0m\u{1b}[35msrc/app.py\u{1b}[0m:12".into()));
    assert_eq!(harness.model.task.text(), "src/app.py:12");
}

#[test]
fn a_mistyped_revision_can_be_corrected() {
    let mut harness = Harness::ranked();
    let number = asked(&harness.keys("g b"), |topic| *topic == Topic::Bases);
    answer(&mut harness, number, Response::Bases(Vec::new()));
    harness.keys("m a i m Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("maim".into()));
    let generation = harness.model.search.generation;
    let failed = Report::Ranked { generation, pack: Err("no revision maim".into()), took: std::time::Duration::ZERO };
    harness.act(Action::Report(failed));
    assert_eq!((harness.model.task.entry_point.clone(), harness.model.task.text()), (EntryPoint::Text, "session"));
    let typed = harness.model.overlays.last().and_then(|overlay| overlay.window().input()).map(|input| input.value());
    assert_eq!(typed, Some("maim"));
    assert_eq!(harness.model.message.as_ref().unwrap().text, "no revision maim");
}

#[test]
fn the_end_of_a_pasted_line_is_not_a_new_line() {
    let mut harness = Harness::ready();
    harness.act(Action::Paste("panic: boom\n  at main.go:3\r\n\n".into()));
    assert_eq!(harness.model.task.text(), "panic: boom\n  at main.go:3");
}

#[test]
fn the_box_grows_with_the_task() {
    let mut harness = Harness::ready();
    assert_eq!(harness.model.areas().task.height, 1);
    harness.keys("a A-Enter b A-Enter c");
    assert_eq!(harness.model.areas().task.height, 3);
    harness.keys("C-u");
    assert_eq!(harness.model.areas().task.height, 1);
}

#[test]
fn a_question_mark_is_help_in_an_empty_field_only() {
    let mut harness = Harness::ready();
    harness.keys("?");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Keys(_))));
    harness.keys("Esc w h o ?");
    assert_eq!((harness.model.task.text(), harness.model.overlays.len()), ("who?", 0));
}

#[test]
fn whole_tasks_leave_the_focus_in_the_list() {
    let mut harness = Harness::ranked();
    harness.model.history.add("an earlier task");
    harness.keys("i C-r");
    harness.keys("e a r l Enter");
    assert_eq!((harness.model.task.text(), harness.model.focus), ("an earlier task", Focus::Pane(pack::ID)));
    harness.keys("b Esc");
    assert_eq!(harness.model.task.text(), "an earlier task", "a letter is a key of the list");
    harness.act(Action::Composed(Ok("written in the editor".into())));
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
    harness.act(Action::Composed(Ok(" ".into())));
    assert_eq!(harness.model.focus, Focus::Task, "there is nothing to read");
}

#[test]
fn the_back_key_leads_from_a_review_to_the_task_and_its_row() {
    let mut harness = Harness::ranked();
    harness.keys("j j");
    let selected = |harness: &Harness| harness.model.panes.pack.selected_symbol().map(|packed| packed.symbol.id);
    let before = selected(&harness);
    let number = asked(&harness.keys("g b"), |topic| *topic == Topic::Bases);
    answer(&mut harness, number, Response::Bases(vec![Base { name: "main".into(), subject: String::new() }]));
    harness.keys("Enter");
    harness.rank(std::time::Duration::ZERO);
    harness.keys("G Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("main".into()));
    for key in ["H", "H", "H"] {
        harness.keys(key);
    }
    assert_eq!((harness.model.task.entry_point.clone(), harness.model.task.text()), (EntryPoint::Text, "session"));
    harness.rank(std::time::Duration::ZERO);
    assert_eq!((selected(&harness), harness.model.focus), (before, Focus::Pane(pack::ID)));
    harness.keys("L");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("main".into()), "and forward again");
    harness.keys("u");
    assert_eq!(harness.model.task.text(), "session", "undoing leads there, too");
}

#[test]
fn a_commit_alone_and_a_range_are_reviewed() {
    for (keys, expected) in
        [("v 1 Tab", "v1^!"), ("v 1 Enter", "v1"), ("a . . b Enter", "a..b"), ("a . . b Tab", "a..b")]
    {
        let mut harness = Harness::ranked();
        let number = asked(&harness.keys("g b"), |topic| *topic == Topic::Bases);
        answer(&mut harness, number, Response::Bases(Vec::new()));
        harness.keys(keys);
        assert_eq!(harness.model.task.entry_point, EntryPoint::Changes(expected.into()), "{keys}");
    }
}

#[test]
fn leaving_a_task_saves_it_to_the_history() {
    let mut harness = Harness::ready();
    assert_eq!(remembered(&harness.keys("o n e Tab")), ["one"]);
    assert_eq!(remembered(&harness.keys("i Enter")), [""; 0], "it is the newest already");
    harness.rank(std::time::Duration::ZERO);
    assert_eq!(remembered(&harness.keys("i C-u t w o")), [""; 0]);
    harness.keys("Enter");
    harness.rank(std::time::Duration::ZERO);
    harness.keys("t");
    harness.wait(std::time::Duration::from_secs(1));
    harness.rank(std::time::Duration::ZERO);
    assert_eq!(remembered(&harness.keys("C-u")), ["twot"], "typed and read");
}

/// Returns the trails that effects save, by name, with the names of their symbols and the notes.
fn saved(effects: &[Effect]) -> Vec<(String, Vec<(String, String)>)> {
    let steps = |trail: &SavedTask| {
        let steps = trail.trail.steps.iter();
        steps.map(|step| (step.symbol.name.clone(), step.note.clone())).collect()
    };
    let saved = |effect: &Effect| match effect {
        Effect::SaveTrail { name, trail } => Some((name.clone(), trail.as_deref().map(steps).unwrap_or_default())),
        _ => None,
    };
    effects.iter().filter_map(saved).collect()
}

#[test]
fn a_trail_is_kept_with_its_task_and_reopened_with_it() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    harness.rank(std::time::Duration::ZERO);
    let effects = harness.keys("j j a s e e Space h e r e Enter");
    let step = |name: &str, note: &str| (name.to_owned(), note.to_owned());
    let expected = vec![step("open_session", ""), step("SessionMixin", "see here")];
    assert_eq!(saved(&effects).last(), Some(&("session".to_owned(), expected.clone())));
    let names = |harness: &Harness| {
        harness.model.task.trail.steps.iter().map(|step| step.symbol.name.clone()).collect::<Vec<_>>()
    };
    harness.act(Action::Paste("another task".into()));
    assert!(names(&harness).is_empty() && harness.model.task.options.pinned.is_empty());
    harness.keys("i C-u s e s s i o n Enter");
    assert_eq!(names(&harness), ["open_session", "SessionMixin"], "typed again");
    assert_eq!(harness.model.task.options.pinned.len(), 2);
    harness.rank(std::time::Duration::ZERO);
    harness.keys("Esc t K");
    assert_eq!(names(&harness), ["open_session", "SessionMixin"], "the first step is the first");
    harness.keys("j K");
    assert_eq!(names(&harness), ["SessionMixin", "open_session"]);
    harness.keys("x u");
    assert_eq!(names(&harness), ["SessionMixin", "open_session"]);
    assert_eq!(harness.model.task.trail.steps[0].note, "see here", "undone with its note");
    harness.keys("x");
    assert_eq!(names(&harness), ["open_session"]);
    assert_eq!(harness.model.task.options.pinned.len(), 1);
    harness.keys("Enter");
    assert_eq!(harness.model.panes.pack.selected_symbol().unwrap().symbol.name, "open_session");
    let effects = harness.keys("Space");
    assert_eq!(saved(&effects), [("session".to_owned(), vec![])], "an empty trail is deleted");
    harness.keys("u");
    assert_eq!(names(&harness), ["open_session"], "undone");
}

#[test]
fn a_trail_is_copied_as_markdown() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    let number = asked(&harness.keys("y t"), |topic| *topic == Topic::Repositories);
    let repository =
        RepositoryStatus { id: "github.com/pallets/flask".into(), commit: "12ab".into(), ..Default::default() };
    let effects = answer(&mut harness, number, Response::Repositories(vec![repository]));
    let [Effect::Copy { text, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert!(
        text.starts_with("### session\n\n1. [`open_session`](https://github.com/pallets/flask/blob/12ab/"),
        "{text}"
    );
}

#[test]
fn a_trail_is_saved_by_name_opened_and_deleted() {
    let mut harness = Harness::ranked();
    harness.keys("Space");
    let effects = harness.keys(": t r a i l . s a v e Space l o g i n Enter");
    assert_eq!(saved(&effects), [("login".to_owned(), vec![("open_session".to_owned(), String::new())])]);
    harness.keys(": s e s s i o n . c l e a r Enter");
    assert!(harness.model.task.is_empty() && harness.model.task.options.pinned.is_empty());
    harness.keys("Esc : t r a i l . o p e n Enter");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Trail(_))));
    harness.keys("Enter");
    assert_eq!((harness.model.task.text(), harness.model.task.options.pinned.len()), ("session", 1));
    let effects = harness.keys("Esc : t r a i l . d e l e t e Space l o g i n Enter");
    assert_eq!(saved(&effects), [("login".to_owned(), vec![])]);
    assert!(!harness.model.trails.contains_key("login"));
}

#[test]
fn any_revision_can_be_typed_and_recent_ones_are_listed() {
    let mut harness = Harness::ranked();
    let number = asked(&harness.keys("g b"), |topic| *topic == Topic::Bases);
    let base = |name: &str, subject: &str| Base { name: name.into(), subject: subject.into() };
    let bases = vec![base("HEAD", "now"), base("main", "Add a till"), base("HEAD~1", "Open the till")];
    answer(&mut harness, number, Response::Bases(bases));
    harness.keys("H E A D ~ 5 Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("HEAD~5".into()));
    let number = asked(&harness.keys("g b"), |topic| *topic == Topic::Bases);
    answer(&mut harness, number, Response::Bases(vec![base("HEAD~1", "Open the till")]));
    harness.keys("t i l l Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("HEAD~1".into()), "found by its subject");
}

#[test]
fn files_with_uncommitted_changes_come_first() {
    let mut harness = Harness::ranked();
    let effects = harness.keys("g p");
    let files = asked(&effects, |topic| matches!(topic, Topic::Files { .. }));
    let dirty = asked(&effects, |topic| *topic == Topic::DirtyFiles);
    answer(&mut harness, files, Response::Files(vec!["a.py".into(), "b.py".into()]));
    answer(&mut harness, dirty, Response::DirtyFiles(vec!["b.py".into()]));
    harness.keys("Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Files(vec!["b.py".into()]));
}

#[test]
fn symbols_and_lines_of_a_change_are_marked() {
    let mut harness = Harness::ranked();
    harness.model.task.entry_point = EntryPoint::Changes("HEAD".into());
    harness.keys("r");
    let effects = harness.rank(std::time::Duration::ZERO);
    let number = asked(&effects, |topic| matches!(topic, Topic::Changes { .. }));
    let id = fixture::pack().symbols[0].symbol.id;
    let hunk = Hunk { start: 324, lines: 3, removed: vec!["\told".into()] };
    let files = [("src/flask/sessions.py".to_owned(), vec![hunk])].into();
    let roles = [(id, ChangeRole::Untested)].into();
    answer(&mut harness, number, Response::Changes(Changes { files, roles, ..Changes::default() }));
    assert_eq!(harness.model.changes.role(id).map(ChangeRole::label), Some("untested"));
    assert_eq!(harness.model.changes.hunks("src/flask/sessions.py")[0].removed, ["    old"]);
    assert!(harness.model.changes.is_changed("src/flask/sessions.py", 325));
    assert!(!harness.model.changes.is_changed("src/flask/sessions.py", 327));
    harness.model.task.entry_point = EntryPoint::Text;
    harness.keys("r");
    harness.rank(std::time::Duration::ZERO);
    assert!(harness.model.changes.known.is_none());
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
}
