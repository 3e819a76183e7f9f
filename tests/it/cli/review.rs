//! Reviews: what a change leaves behind, such as moved and removed code or conflicts, and the tests that it selects.

use std::fs;

use tempfile::TempDir;

use super::answers::{commit, repository, write};
use super::{code, run_in, stderr, stdout};

fn run(folder: &TempDir, arguments: &[&str]) -> String {
    stdout(&run_in(folder.path(), arguments))
}

/// Returns the names of the changed symbols.
fn changed(folder: &TempDir) -> Vec<String> {
    let json: serde_json::Value =
        serde_json::from_str(&run(folder, &["impact", "--diff", "HEAD", "--format", "json"])).unwrap();
    let mut names: Vec<String> =
        json["subjects"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

const CART: &str = "class Cart:\n    def add(self, item):\n        self.items.append(item)\n        self.count += 1\n\n    \
                    def total(self):\n        def inner(x):\n            y = x + 1\n            return y\n        return inner(2)\n";

#[test]
fn a_function_is_changed_by_what_is_defined_in_it() {
    let ruby = "class Till\n  def open(item)\n    @items << item\n  end\nend\n";
    let folder = repository(&[("cart.py", CART), ("till.rb", ruby)]);
    commit(folder.path());
    write(folder.path(), &[("cart.py", &CART.replace("self.count", "self.touched = True\n        self.count"))]);
    assert_eq!(changed(&folder), ["Cart.add", "Cart.touched"]);
    write(folder.path(), &[("cart.py", CART), ("till.rb", &ruby.replace("@items <<", "@new = 1\n    @items <<"))]);
    assert_eq!(changed(&folder), ["Till.@new", "Till.open"]);
    write(folder.path(), &[("cart.py", &CART.replace("x + 1", "x + 2")), ("till.rb", ruby)]);
    assert_eq!(changed(&folder), ["Cart.total", "Cart.total.inner"]);
    let text = run(&folder, &["impact", "inner"]);
    assert!(text.contains("\naround it\n  Cart.total") || !text.contains("distance"), "{text}");
}

const USED: [(&str, &str); 3] = [
    ("a.py", "def used():\n    return 1\n\n\ndef kept():\n    return 2\n"),
    ("b.py", "from a import used\n\n\ndef caller():\n    return used()\n"),
    ("test_b.py", "from b import caller\n\n\ndef test_c():\n    assert caller() == 1\n"),
];

#[test]
fn removed_code_selects_the_tests_of_what_still_names_it() {
    let folder = repository(&USED);
    commit(folder.path());
    let check = |note: &str| {
        let tests = run(&folder, &["tests", "--diff", "HEAD"]);
        assert!(tests.contains("1 test, 1 uncertain\ndistance 2\n  test_c  test_b.py:4  calls caller"), "{tests}");
        assert!(tests.contains(note), "{tests}");
        let impact = run(&folder, &["impact", "--diff", "HEAD"]);
        assert!(impact.contains("caller  b.py:4       names what was removed, line 5"), "{impact}");
    };
    write(folder.path(), &[("a.py", "def kept():\n    return 2\n")]);
    check("note: removed: `used` (a.py), still named at b.py:1, b.py:5\n");
    fs::remove_file(folder.path().join("a.py")).unwrap();
    check("note: 1 file deleted (a.py)\n");
    let review = stderr(&run_in(folder.path(), &["context", "--pr", "HEAD", "--no-learn"]));
    assert!(review.contains("removed: `used` (a.py), still named at b.py:1, b.py:5"), "{review}");
}

#[test]
fn a_renamed_file_is_neither_deleted_nor_new() {
    let folder = repository(&USED);
    commit(folder.path());
    fs::create_dir(folder.path().join("p")).unwrap();
    fs::rename(folder.path().join("a.py"), folder.path().join("p/a.py")).unwrap();
    let text = run(&folder, &["impact", "--diff", "HEAD"]);
    assert!(text.starts_with("impact of the changes since HEAD (0 changed symbols)"), "{text}");
    assert!(text.contains("note: 1 file renamed (a.py → p/a.py)\n"), "{text}");
    assert!(!text.contains("deleted") && !text.contains("removed:"), "{text}");
    let named = "note: moved: `used` (a.py → p/a.py), still named at b.py:1, b.py:5\n";
    assert!(text.contains(named), "{text}");
    write(folder.path(), &[("b.py", &USED[1].1.replace("from a", "from p.a"))]);
    let text = run(&folder, &["impact", "--diff", "HEAD"]);
    assert!(!text.contains("moved:"), "{text}");
}

#[test]
fn what_moved_within_a_change_is_not_removed() {
    let folder = repository(&[
        ("b.py", "class B:\n    def save(self):\n        return 1\n\n    def keep(self):\n        return 1\n"),
        ("c.py", "class C:\n    pass\n"),
        ("u.py", "def use(x):\n    return x.save()\n"),
    ]);
    commit(folder.path());
    write(
        folder.path(),
        &[
            ("b.py", "class B:\n    def keep(self):\n        return 1\n"),
            ("c.py", "class C:\n    def save(self):\n        return 1\n"),
        ],
    );
    let text = run(&folder, &["impact", "--diff", "HEAD"]);
    assert!(!text.contains("removed:"), "{text}");
    assert_eq!(changed(&folder), ["B", "C.save"]);
}

#[test]
fn the_function_around_a_conflict_is_changed() {
    let text = "def one():\n    return 1\n\n\ndef two():\n    x = 1\n    return 2\n\n\ndef three():\n    return 3\n";
    let folder = repository(&[("a.py", text), ("b.py", "from a import two\n\n\ndef use():\n    return two()\n")]);
    commit(folder.path());
    let sides = "<<<<<<< HEAD\n    return 2\n=======\n    return 22\n>>>>>>> other\n";
    write(folder.path(), &[("a.py", &text.replace("    return 2\n", sides))]);
    let text = run(&folder, &["impact", "--diff", "HEAD"]);
    assert!(text.contains("note: a.py has merge conflicts\n"), "{text}");
    assert!(text.contains("  use  b.py:4"), "{text}");
    assert!(changed(&folder).contains(&"two".to_owned()), "{text}");
}

#[test]
fn callers_and_tests_come_before_what_is_only_in_the_same_file() {
    let others: String = (0..30).map(|number| format!("\n\ndef other_{number}():\n    return helper()\n")).collect();
    let start = "def helper():\n    return 0\n\n\ndef send():\n    return helper()\n";
    let folder = repository(&[
        ("mail.py", &format!("{start}{others}")),
        ("app.py", "from mail import send\n\n\ndef notify():\n    return send()\n"),
        ("test_mail.py", "from mail import send\n\n\ndef test_send():\n    assert send() == 0\n"),
    ]);
    commit(folder.path());
    write(
        folder.path(),
        &[("mail.py", &format!("{}{others}", start.replace("    return helper()", "    return helper() + 1")))],
    );
    let output = run_in(folder.path(), &["context", "--pr", "HEAD", "--no-learn", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let names: Vec<&str> =
        json["symbols"].as_array().unwrap().iter().map(|one| one["qualified_name"].as_str().unwrap()).collect();
    let names: Vec<&str> = names.iter().map(|name| name.rsplit('.').next().unwrap()).collect();
    assert_eq!(names[..3], ["send", "notify", "test_send"], "{names:?}");
}

#[test]
fn a_definition_that_is_new_has_no_commit() {
    let folder = repository(&[("a.py", "def one():\n    return 1\n")]);
    commit(folder.path());
    write(folder.path(), &[("a.py", "def one():\n    return 1\n\n\ndef newest():\n    return 2\n")]);
    let why = |name: &str| run(&folder, &["why", "--task", name, "--symbol", name]);
    assert!(why("newest").contains("\nnot committed yet\n"), "{}", why("newest"));
    assert!(why("one").contains("\nlast changed 2023-11-14 by a in "), "{}", why("one"));
}

#[test]
fn far_uses_are_counted_together() {
    let chain: String = (0..40).map(|number| format!("def f{}():\n    return f{number}()\n\n\n", number + 1)).collect();
    let folder = repository(&[("a.py", &format!("def f0():\n    return 1\n\n\n{chain}"))]);
    let text = run(&folder, &["impact", "f0"]);
    assert!(text.contains(": 40 symbols, by distance: 1 at 1, 1 at 2, 38 farther\n"), "{text}");
    let uses = run_in(folder.path(), &["context", "where is f0 used", "--no-learn"]);
    assert!(stderr(&uses).contains("note: uses of f0 (function a.py:1): 1 symbol"), "{}", stderr(&uses));
    assert_eq!(code(&uses), 0);
}
