//! The demonstration of the explorer.

use std::fs;

use super::pty::Pty;
use super::session::shop;

#[test]
fn the_demonstration_leaves_a_person_in_the_sample_and_changes_nothing_of_theirs() {
    let folder = shop();
    let mut pty = Pty::command(folder.path(), &["tui", "--demo"], 100, 30);
    pty.wait_for("paste a ticket");
    pty.wait_for("Session ends while a reader renews loans");
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
