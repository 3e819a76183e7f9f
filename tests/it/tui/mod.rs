//! The explorer on a pseudo-terminal: what a user sees, and the terminal they get back.
//!
//! The child is this test binary again: [`child`] runs the explorer when the environment asks for it.

mod fake;
mod fuzz;
mod pty;
mod session;

use std::sync::Arc;

use knowing::tui::terminal::{Guard, restore_on_panic};
use knowing::tui::{self, Options};
use signal_hook::consts::SIGUSR1;
use signal_hook::iterator::Signals;

use pty::Pty;

/// Says what the child should do.
const ROLE: &str = "KNOWING_TEST_EXPLORER";

/// Not a test of its own: the program the others watch.
#[test]
fn child() {
    match std::env::var(ROLE).as_deref() {
        Err(_) => {}
        Ok("panic") => {
            restore_on_panic();
            let _guard = Guard::take(true).unwrap();
            panic!("something broke");
        }
        Ok("leave") => {
            let mut signals = Signals::new([SIGUSR1]).unwrap();
            let guard = Guard::take(true).unwrap();
            println!("holding");
            signals.forever().next();
            drop(guard);
        }
        Ok(role) => {
            let workspace = Arc::new(fake::Fake::new(role == "first index"));
            let options = Options {
                root: std::env::current_dir().unwrap(),
                task: String::new(),
                budget_tokens: 500,
                color: true,
                theme: None,
                places: None,
                mouse: true,
            };
            tui::run(workspace, options).unwrap();
        }
    }
}

#[test]
fn typing_ranks_shows_source_and_quitting_restores() {
    let mut pty = Pty::start("ready", 120, 40);
    pty.wait_for("Say what you want to do");
    assert!(pty.uses_alternate_screen());
    pty.press("open session");
    pty.wait_for("3 of 5");
    pty.wait_for("fn open_session");
    pty.press("\u{1b}");
    pty.wait_for("NORMAL");
    pty.press("j");
    pty.wait_for("why #2");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn the_first_index_is_shown_by_phase_while_the_task_waits() {
    let mut pty = Pty::start("first index", 80, 24);
    pty.wait_for("Building the index");
    pty.press("session");
    pty.wait_for("parse");
    pty.wait_for("of 5");
    pty.wait_for("open_session");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn deadly_signals_restore_the_terminal() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut pty = Pty::start("ready", 100, 30);
        pty.wait_for("Say what you want to do");
        pty.signal(signal);
        assert_ne!(pty.exit_code(), 0, "{signal}");
        pty.expect_restored();
    }
}

#[test]
fn a_panic_restores_the_terminal_before_it_is_printed() {
    let mut pty = Pty::start("panic", 100, 30);
    pty.wait_for("something broke");
    assert_ne!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn suspending_gives_the_terminal_back_and_going_on_takes_it_again() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.press("\u{1a}");
    pty.wait_until("the terminal is given back", |screen| !screen.alternate_screen());
    pty.signal("CONT");
    pty.wait_for("Say what you want to do");
    assert!(pty.uses_alternate_screen());
    pty.press("session");
    pty.wait_for("of 5");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn a_worker_that_panics_is_an_error_in_words() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.press("panic");
    pty.wait_for("error: ranking broke");
    pty.press("\u{15}session");
    pty.wait_for("of 5");
    pty.press("\u{3}");
    pty.expect_restored();
}

#[test]
fn the_editor_gets_the_terminal_and_gives_it_back() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.press("open session\r");
    pty.wait_for("3 of 5");
    pty.press("\u{1b}");
    pty.wait_for("NORMAL");
    // The test's editor is `false`: it ends at once and says that something went wrong.
    pty.press("e");
    pty.wait_for("false ended with");
    assert!(pty.uses_alternate_screen());
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn the_terminal_is_given_back_although_a_paste_has_not_ended() {
    let mut pty = Pty::start("leave", 100, 30);
    pty.wait_for("holding");
    pty.press("\u{1b}[200~unfinished");
    pty.signal("USR1");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

// Only Linux tells such an interrupt from one that a program sent.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_that_a_key_made_for_an_editor_does_not_end_the_explorer() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    // As while an editor has the terminal: the key becomes a signal, and comes when the terminal is ours again.
    pty.stty("isig");
    pty.press("\u{3}");
    pty.press("session");
    pty.wait_for("of 5");
    pty.stty("-isig");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn the_layout_follows_the_size() {
    let mut pty = Pty::start("ready", 120, 40);
    pty.wait_for("2 pack ─");
    pty.press("session");
    pty.wait_for("of 5");
    pty.resize(80, 24);
    pty.wait_for("[2 pack]");
    pty.resize(40, 10);
    pty.wait_until("only the list is left", |screen| !screen.contents().contains("[2 pack]"));
    pty.wait_for("open_session");
    pty.resize(200, 60);
    pty.wait_for("4 why #1");
    pty.press("\u{3}");
    pty.expect_restored();
}

#[test]
fn plain_talks_in_lines_without_a_terminal() {
    let mut said = Vec::new();
    let mut heard = "open session\n2\nwhy 1\n99\nprint gcf\nquit\nnever heard\n".as_bytes();
    let task = tui::plain::task(String::new(), 500);
    tui::plain::run(&fake::Fake::new(true), task, &mut heard, &mut said).unwrap();
    let said = String::from_utf8(said).unwrap();
    let expected = [
        "indexing: scan",
        "example.com/fake: 1 files, 5 symbols.",
        "Say what you want to do",
        "3 of 5 symbols",
        "1. open_session",
        "That is all.",
        "There is no symbol of that number.",
        "GCF open_session",
    ];
    let mut rest = said.as_str();
    for words in expected {
        let place = rest.find(words).unwrap_or_else(|| panic!("{words} is missing, or too early, in:\n{said}"));
        rest = &rest[place..];
    }
    assert!(!said.contains('\u{1b}') && !said.contains("never heard"));
}
