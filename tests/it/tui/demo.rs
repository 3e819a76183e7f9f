//! The demonstration of the explorer.

use std::fs;

use knowing::tui::demo::TICKET;

use super::pty::Pty;
use super::screenshots::project;
use super::session::shop;
use crate::cli::{copy, run_in, stdout};

#[test]
fn the_demonstration_leaves_a_person_in_the_sample_and_changes_nothing_of_theirs() {
    let folder = shop();
    let mut pty = Pty::command(folder.path(), &["tui", "--demo"], 100, 30);
    pty.wait_for("paste a ticket");
    pty.wait_for("does not make the session last longer");
    pty.press("x");
    pty.wait_for("this is the sample");
    pty.press("\x1b");
    pty.wait_for("? keys");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["repository"], "no settings, history or database");
}

#[test]
fn the_first_place_of_the_demonstration_is_the_fault_and_the_third_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    copy(&project().join("assets/sample"), folder.path());
    let list = stdout(&run_in(folder.path(), &["context", TICKET, "--format", "lines"]));
    let places: Vec<&str> = list.lines().collect();
    assert!(places[0].starts_with("lending/web.py:70:") && places[0].contains("renew"), "{list}");
    assert!(places[2].contains("SessionStore.touch"), "{list}");
}
