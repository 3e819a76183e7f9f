//! The program on a small repository: the screen after each key of a session.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::pty::Pty;
use crate::cli::copy;
use crate::index::history::commit;

/// A concept of the repository, which is independent of the built-in ones.
const TILL: &str = r#"[[class]]
concept = "TILL"
phrases = ["ring up"]
targets = ["Cart.checkout", "charge"]
ref = "the shop's handbook"
"#;

/// Creates a folder whose `repository` has a commit on `main` and another on `topic`, which is checked out.
pub fn shop() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repository");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), &root);
    fs::create_dir_all(root.join(".knowing/seeds")).unwrap();
    fs::write(root.join(".knowing/seeds/till.toml"), TILL).unwrap();
    let options = &mut git2::RepositoryInitOptions::new();
    let repository = git2::Repository::init_opts(&root, options.initial_head("main")).unwrap();
    commit(&repository, "Open the shop", 1_000);
    let first = repository.head().unwrap().peel_to_commit().unwrap();
    repository.branch("topic", &first, false).unwrap();
    repository.set_head("refs/heads/topic").unwrap();
    let payment = root.join("shop/payment.py");
    let text = fs::read_to_string(&payment).unwrap();
    fs::write(&payment, text.replace("cents <= 0", "cents < 1")).unwrap();
    commit(&repository, "Count from one", 2_000);
    folder
}

#[test]
fn session_ranks_votes_pins_and_exports() {
    let folder = shop();
    let mut pty = Pty::program(folder.path(), 120, 40);
    type_a_task(&mut pty);
    step_through_a_concept(&mut pty);
    vote_and_undo(&mut pty);
    pin(&mut pty);
    navigate_the_graph(&mut pty);
    rank_for_a_branch(&mut pty);
    export(&mut pty, &folder.path().join("repository"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn the_header_says_that_the_folder_is_gone_until_it_is_back() {
    let folder = shop();
    let mut pty = Pty::program(folder.path(), 120, 40);
    pty.wait_for("· up to date");
    let (root, other) = (folder.path().join("repository"), folder.path().join("elsewhere"));
    fs::rename(&root, &other).unwrap();
    pty.wait_for("· the folder is gone");
    fs::rename(&other, &root).unwrap();
    pty.wait_for("· up to date");
    pty.press("\u{3}");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn redirected_output_receives_only_the_pack() {
    let folder = shop();
    let mut pty = Pty::captured(folder.path(), 120, 40);
    type_a_task(&mut pty);
    pty.press("Q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
    let captured = fs::read_to_string(folder.path().join("captured")).unwrap();
    assert!(captured.starts_with("GCF "), "{captured}");
}

/// A drawn row of the list.
#[derive(Debug, PartialEq)]
struct Row {
    /// `+`, `-`, `*`, `x`, or empty.
    mark: String,
    rank: usize,
    /// The change of its rank: empty, an arrow, with its number where that fits, or `NEW`.
    delta: String,
    name: String,
}

/// Returns the selected row of the list.
fn selected(screen: &str) -> Option<Row> {
    let line = screen.lines().find_map(|line| line.strip_prefix('▌'))?;
    let mut words = line.split_whitespace().peekable();
    let mark = words.next_if(|word| word.starts_with(['+', '-', '*', 'x'])).unwrap_or_default().to_owned();
    let rank = words.next()?.parse().ok()?;
    let delta = words.next_if(|word| word.starts_with(['▲', '▼']) || *word == "NEW").unwrap_or_default().to_owned();
    // A bar precedes the name.
    let name = words.find(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_'))?;
    Some(Row { mark, rank, delta, name: name.to_owned() })
}

/// Waits until the selected row is as expected, and returns it.
fn wait_for_row(pty: &Pty, what: &str, expected: impl Fn(&Row) -> bool) -> Row {
    pty.wait_until(what, |screen| selected(&screen.contents()).is_some_and(|row| expected(&row)));
    selected(&pty.contents()).unwrap()
}

fn type_a_task(pty: &mut Pty) {
    pty.wait_for("what do you want to do?");
    pty.press("ring up visitors before their session expires");
    pty.wait_for(" places");
    pty.wait_for("up to date");
    pty.press("\u{1b}");
    pty.wait_for("q quit");
    let best = wait_for_row(pty, "the best symbol", |row| row.rank == 1);
    pty.wait_for(&format!("def {}", best.name));
}

/// List and source follow the selected match of the concept.
fn step_through_a_concept(pty: &mut Pty) {
    pty.press("*");
    pty.wait_for("\"ring up\" TILL · repository");
    // Once the concepts are loaded, the window opens at the selected match.
    pty.press("\u{1b}");
    pty.wait_for("q quit");
    pty.press("*");
    pty.wait_for("\"ring up\" TILL · repository");
    let matches = [("checkout", "raise PermissionError"), ("charge", "Charges a user and returns")];
    // The best symbol is the first match; the selection wraps around.
    for (key, index) in [("n", 1), ("n", 0), ("n", 1), ("N", 0), ("N", 1)] {
        let (name, source) = matches[index];
        pty.press(key);
        pty.wait_for(&format!("TILL: match {}/2", index + 1));
        wait_for_row(pty, name, |row| row.name == name);
        pty.wait_for(source);
    }
    // Without the concept its last match is further down.
    let unmuted = selected(&pty.contents()).unwrap();
    pty.press("M");
    pty.wait_for("TILL muted");
    wait_for_row(pty, "charge falls", |row| row.name == "charge" && row.rank > unmuted.rank);
    pty.press("u");
    pty.wait_for("TILL unmuted");
    wait_for_row(pty, "charge is back", |row| row.name == "charge" && row.rank == unmuted.rank);
    pty.press("\u{1b}");
    pty.wait_until("the window is closed", |screen| !screen.contents().contains("\"ring up\" TILL"));
}

fn vote_and_undo(pty: &mut Pty) {
    pty.press("G");
    let before = wait_for_row(pty, "the last symbol", |row| row.name != "charge");
    pty.press("+");
    wait_for_row(pty, "the mark", |row| row.mark == "+" && row.name == before.name);
    pty.wait_for(&format!("{} useful", before.name));
    let after = wait_for_row(pty, "it rises", |row| row.rank < before.rank && row.delta.starts_with('▲'));
    assert!(["▲".to_owned(), format!("▲{}", before.rank - after.rank)].contains(&after.delta), "{after:?}");
    pty.wait_for(&format!("#{} → #{}", before.rank, after.rank));
    pty.press("u");
    pty.wait_for(&format!("#{} → #{}", after.rank, before.rank));
    wait_for_row(pty, "it is back", |row| {
        (&row.name, row.rank) == (&before.name, before.rank) && row.mark == before.mark
    });
}

fn pin(pty: &mut Pty) {
    let before = selected(&pty.contents()).unwrap();
    pty.press(" ");
    pty.wait_for(&format!("{} kept", before.name));
    wait_for_row(pty, "the mark", |row| row.mark == "*" && row.name == before.name);
}

/// Returns the name of the root of the graph once its neighbors are drawn.
fn root(screen: &str) -> Option<&str> {
    let (_, title) = screen.split_once("5 graph · ")?;
    let name = title.split_whitespace().next()?;
    (screen.contains("─▶ ") || screen.contains("─◀ ")).then_some(name)
}

fn navigate_the_graph(pty: &mut Pty) {
    pty.press("gg");
    let first = wait_for_row(pty, "the best symbol", |row| row.rank == 1).name;
    pty.press("5");
    pty.wait_until("a neighborhood", |screen| root(&screen.contents()) == Some(&first));
    pty.press("j\r");
    pty.wait_until("another root", |screen| root(&screen.contents()).is_some_and(|name| name != first));
    pty.press("H");
    pty.wait_until("the first root", |screen| root(&screen.contents()) == Some(&first));
    pty.press("2");
    pty.wait_until("the list", |screen| selected(&screen.contents()).is_some());
}

fn rank_for_a_branch(pty: &mut Pty) {
    pty.press("gb");
    pty.wait_for("review changes");
    pty.wait_for("topic");
    pty.press("main\r");
    pty.wait_for("changes since main");
    pty.wait_until("its pack", |screen| !screen.contents().contains("ranking…"));
}

/// A file and the clipboard of the terminal get the same pack.
fn export(pty: &mut Pty, root: &Path) {
    pty.press("yw");
    pty.wait_for("export.file ");
    pty.press("knowing-pack.gcf\r");
    pty.wait_for("wrote the list to knowing-pack.gcf in ");
    let written = fs::read_to_string(root.join("knowing-pack.gcf")).unwrap();
    pty.press("yg");
    pty.wait_for("sent the list as gcf (");
    let copied = pty.take_clipboard();
    assert_eq!(copied, written);
    let names: Vec<String> =
        gcf::decode(&copied).unwrap().symbols.into_iter().map(|symbol| symbol.qualified_name).collect();
    let changed = copied.lines().find(|line| line.contains("shop/payment.py.charge "));
    assert!(changed.is_some_and(|line| line.ends_with(" changed")), "{copied}");
    for name in ["Cart.checkout", "format_receipt", "PaymentError"] {
        assert!(names.iter().any(|known| known.ends_with(name)), "{name} is not in {names:?}");
    }
}
