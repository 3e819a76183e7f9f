//! The real program on a small repository, from the first key to the last.

use std::fs;

use tempfile::TempDir;

use super::pty::Pty;

const SHOP: &str = "\
class Basket:
    def add_item(self, item):
        self.items.append(item)

    def remove_item(self, item):
        self.items.remove(item)


def add_discount(basket, share):
    basket.add_item(-share)


def checkout(basket):
    add_discount(basket, 2)
    return len(basket.items)
";

/// A folder whose `repository` holds the shop, and the explorer in it with a task ranked and the list in focus.
fn ranked() -> (TempDir, Pty) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("repository")).unwrap();
    fs::write(folder.path().join("repository/shop.py"), SHOP).unwrap();
    let mut pty = Pty::program(folder.path(), 120, 40);
    pty.wait_for("what do you want to do?");
    pty.press("add an item to the basket");
    pty.wait_for("add_item ‹Basket");
    pty.wait_for("self.items.append(item)");
    pty.wait_for("ranked in");
    pty.wait_for("up to date");
    pty.press("\u{1b}");
    pty.wait_for("NORMAL");
    (folder, pty)
}

fn quit(mut pty: Pty) {
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn a_vote_moves_a_symbol_and_undo_moves_it_back() {
    let (_folder, mut pty) = ranked();
    pty.press("G");
    pty.wait_for("why #5");
    pty.press("+");
    pty.wait_for(" useful +");
    pty.wait_for("#5 → #");
    pty.press("u");
    pty.wait_for(" without vote -");
    pty.wait_for("→ #5");
    pty.press(" ");
    pty.wait_for(" pinned (");
    quit(pty);
}

/// The name in the middle of the neighbourhood, once its neighbours stand around it.
fn root(screen: &str) -> Option<&str> {
    let (_, title) = screen.split_once("5 graph · ")?;
    let name = title.split_whitespace().next()?;
    (screen.contains("─▶ ") || screen.contains("─◀ ")).then_some(name)
}

#[test]
fn the_neighbourhood_is_walked_there_and_back() {
    let (_folder, mut pty) = ranked();
    pty.press("5");
    pty.wait_until("a neighbourhood", |screen| root(&screen.contents()) == Some("add_item"));
    pty.press("j\r");
    pty.wait_until("another root", |screen| root(&screen.contents()).is_some_and(|name| name != "add_item"));
    pty.press("H");
    pty.wait_until("the first root", |screen| root(&screen.contents()) == Some("add_item"));
    quit(pty);
}

#[test]
fn changed_files_are_ranked_and_written_as_gcf() {
    let (folder, mut pty) = ranked();
    pty.press("gp");
    pty.wait_for("▌  shop.py");
    pty.press("\r");
    pty.wait_for("changed files: shop.py");
    pty.press("yw");
    pty.wait_for("export.file knowing-pack.gcf");
    pty.press("\r");
    // The explorer says that it wrote the file, and soon after that a file of the repository has changed.
    pty.wait_until("word of the file", |screen| {
        let shown = screen.contents();
        shown.contains(" to knowing-pack.gcf (") || shown.contains("knowing-pack.gcf changed")
    });
    let text = fs::read_to_string(folder.path().join("repository/knowing-pack.gcf")).unwrap();
    let names: Vec<String> =
        gcf::decode(&text).unwrap().symbols.into_iter().map(|symbol| symbol.qualified_name).collect();
    for name in ["Basket.add_item", "Basket.remove_item", "add_discount", "checkout"] {
        assert!(names.iter().any(|known| known.ends_with(name)), "{name} is not in {names:?}");
    }
    quit(pty);
}
