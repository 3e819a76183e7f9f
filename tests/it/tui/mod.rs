//! The explorer on a pseudo-terminal: its screen, and the state of the terminal afterwards.
//!
//! The child process is this test binary: [`child`] runs the explorer if the environment names a role.

mod background;
mod demo;
mod fake;
mod fuzz;
mod learned;
mod pty;
mod screenshots;
mod session;
mod workspace;

use std::sync::Arc;

use knowing::tui::terminal::{TerminalGuard, restore_on_panic};
use knowing::tui::{self, Options};
use signal_hook::consts::SIGUSR1;
use signal_hook::iterator::Signals;

use pty::Pty;

/// The environment variable with the role of the child process.
const ROLE: &str = "KNOWING_TEST_EXPLORER";

/// The child process of the other tests; does nothing without a role.
#[test]
fn child() {
    match std::env::var(ROLE).as_deref() {
        Err(_) => {}
        Ok("panic") => {
            restore_on_panic();
            let _guard = TerminalGuard::new(true, true).unwrap();
            panic!("something broke");
        }
        Ok("leave") => {
            let mut signals = Signals::new([SIGUSR1]).unwrap();
            let guard = TerminalGuard::new(true, true).unwrap();
            // As a process that continues after a stop.
            guard.enter().unwrap();
            println!("holding");
            signals.forever().next();
            drop(guard);
        }
        Ok(role) => {
            let backend = Arc::new(fake::Fake::new(role == "first index"));
            let options = Options {
                task: String::new(),
                budget_tokens: 500,
                color: true,
                theme: None,
                user_dirs: None,
                fresh: false,
                demo: false,
                mouse: true,
            };
            tui::run(backend, options).unwrap();
        }
    }
}

#[test]
fn typing_ranks_and_quitting_restores_terminal() {
    let mut pty = Pty::start("ready", 120, 40);
    pty.wait_for("Say what you want to do");
    assert!(pty.uses_alternate_screen());
    pty.press("open session");
    pty.wait_for("5 places");
    pty.wait_for("fn open_session");
    pty.press("\u{1b}");
    pty.wait_for("q quit");
    pty.press("j");
    pty.wait_for("src/session.rs:4");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn first_index_shows_phases_then_ranks() {
    let mut pty = Pty::start("first index", 80, 24);
    pty.wait_for("Building the index");
    pty.press("session");
    pty.wait_for("reading code");
    pty.wait_for("5 places");
    pty.wait_for("open_session");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn deadly_signals_restore_terminal() {
    for signal in ["TERM", "HUP", "INT", "QUIT", "USR2", "ALRM", "VTALRM", "PROF", "IO", "XCPU", "PWR", "34", "64"] {
        let mut pty = Pty::start("ready", 100, 30);
        pty.wait_for("Say what you want to do");
        pty.signal(signal);
        assert_ne!(pty.exit_code(), 0, "{signal}");
        pty.expect_restored();
    }
}

#[test]
fn a_signal_that_programs_ignore_changes_nothing() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.signal("PIPE");
    pty.press("session");
    pty.wait_for("5 places");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn a_lost_terminal_ends_the_explorer_without_a_panic() {
    for _ in 0..5 {
        let folder = session::shop();
        let pty = Pty::program(folder.path(), 100, 30);
        pty.wait_for("Say what you want to do");
        let ended = pty.lose();
        // The end of the input or the signal of the system comes first.
        assert!(ended.exit_code() == 3 || ended.signal().is_some_and(|signal| signal.contains("Hangup")), "{ended:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_of_absurd_size_costs_no_more_than_a_large_one() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    let before = pty.frames();
    pty.claim_size(9_999, 9_999);
    assert_eq!(pty.next_frame(before), None, "it draws a frame and goes on");
    assert!(pty.peak_memory_kib() < 600_000, "{} KiB", pty.peak_memory_kib());
    pty.resize(100, 30);
    pty.press("session");
    pty.wait_for("5 places");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn panic_restores_terminal_before_message() {
    let mut pty = Pty::start("panic", 100, 30);
    pty.wait_for("something broke");
    assert_ne!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn suspend_and_continue_switch_the_terminal() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.press("\u{1a}");
    pty.wait_until("the terminal is restored", |screen| !screen.alternate_screen());
    pty.signal("CONT");
    pty.wait_for("Say what you want to do");
    assert!(pty.uses_alternate_screen());
    pty.press("session");
    pty.wait_for("5 places");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn worker_panic_is_shown_as_error() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.press("panic");
    pty.wait_for("error: ranking panicked");
    pty.press("\u{15}session");
    pty.wait_for("5 places");
    pty.press("\u{3}");
    pty.expect_restored();
}

#[test]
fn editor_borrows_the_terminal() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    pty.press("open session\r");
    pty.wait_for("5 places");
    pty.press("\u{1b}");
    pty.wait_for("q quit");
    // The editor of the test is `false`, which fails at once.
    pty.press("e");
    pty.wait_for("false failed: ");
    assert!(pty.uses_alternate_screen());
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn unfinished_paste_does_not_block_restoring() {
    let mut pty = Pty::start("leave", 100, 30);
    pty.wait_for("holding");
    pty.press("\u{1b}[200~unfinished");
    pty.signal("USR1");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn pasted_text_may_arrive_in_pieces() {
    let mut pty = Pty::start("ready", 120, 40);
    pty.wait_for("Say what you want to do");
    pty.press("\u{1b}[200~ses");
    pty.press("sion");
    pty.press("\u{1b}[201~");
    pty.wait_for("5 places");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

// Only Linux reports whether the kernel or a process sent a signal.
#[cfg(target_os = "linux")]
#[test]
fn interrupt_meant_for_editor_is_ignored() {
    let mut pty = Pty::start("ready", 100, 30);
    pty.wait_for("Say what you want to do");
    // With `isig` the key sends a signal, as while an editor has the terminal.
    pty.stty("isig");
    pty.press("\u{3}");
    pty.press("session");
    pty.wait_for("5 places");
    pty.stty("-isig");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn layout_follows_size() {
    let mut pty = Pty::start("ready", 120, 40);
    pty.press("session");
    pty.wait_for("5 places");
    pty.resize(80, 24);
    pty.wait_for("─ src/session.rs:1 ─");
    pty.resize(40, 10);
    pty.wait_until("only the list is left", |screen| !screen.contents().contains("src/session.rs:1 ─"));
    pty.wait_for("open_session");
    pty.resize(200, 60);
    pty.wait_for("5 graph");
    pty.press("\u{3}");
    pty.expect_restored();
}

#[test]
fn plain_mode_prints_lines() {
    let mut output = Vec::new();
    let mut input = "open session\n2\nwhy 1\n99\nprint gcf\nquit\nnever read\n".as_bytes();
    let task = tui::plain::task(String::new(), 500);
    tui::plain::run(&fake::Fake::new(true), task, &mut input, &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let expected = [
        "indexing: scan",
        "example.com/fake: 1 files, 5 symbols.",
        "Type a task",
        "3 of 5 symbols",
        "1. open_session",
        "No more symbols.",
        "open_session scores ",
        "There is no symbol with that number.",
        "GCF open_session",
    ];
    let mut rest = output.as_str();
    for text in expected {
        let index = rest.find(text).unwrap_or_else(|| panic!("{text} is missing, or too early, in:\n{output}"));
        rest = &rest[index..];
    }
    assert!(!output.contains('\u{1b}') && !output.contains("never read"));
}

#[test]
fn plain_mode_takes_budgets_as_other_commands_do() {
    let mut output = Vec::new();
    let mut input = "budget 5\nopen session\nbudget 2k\nbudget of the session\n".as_bytes();
    let task = tui::plain::task("session".to_owned(), 500);
    tui::plain::run(&fake::Fake::new(true), task, &mut input, &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let refused = "> Error: a budget is a number of tokens from 100 to 10000000, such as 8000 or 8k; it stays 500\n";
    assert!(output.contains(refused), "{output}");
    let budgets: Vec<_> = output.lines().filter_map(|line| line.split(" of ").nth(2)).collect();
    assert_eq!(budgets, ["500 tokens.", "500 tokens.", "2000 tokens.", "2000 tokens."], "{output}");
}

#[test]
fn context_is_a_list_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    crate::cli::copy(
        &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample"),
        &folder.path().join("repository"),
    );
    let task = "a session ends while its reader renews loans";
    let pty = Pty::command(folder.path(), &["context", "--no-learn", task, "--budget", "400"], 100, 60);
    pty.wait_for("LoanDesk.renew  lending/loans.py:48");
    pty.wait_for("is in its name");
    assert!(!pty.contents().contains("GCF"), "{}", pty.contents());
    let bodies = ["context", "--no-learn", task, "--budget", "400", "--bodies"];
    let pty = Pty::command(folder.path(), &bodies, 100, 60);
    pty.wait_for("GCF profile=graph");
}
