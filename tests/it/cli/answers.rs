//! Facts beside the rows of an answer: lines of routes and imports, what was removed or could not be read, where commands run.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{code, run_in, stderr, stdout};

/// Returns a repository of these files.
fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    folder
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

fn commit(root: &Path) {
    let git = git2::Repository::init(root).unwrap();
    let mut index = git.index().unwrap();
    index.add_all(["*.py"], git2::IndexAddOption::DEFAULT, None).unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    index.write().unwrap();
    let author = git2::Signature::new("a", "a@example.com", &git2::Time::new(1_700_000_000, 0)).unwrap();
    let parent = git.head().ok().and_then(|head| head.peel_to_commit().ok());
    git.commit(Some("HEAD"), &author, &author, "next", &tree, &Vec::from_iter(&parent)).unwrap();
}

#[test]
fn a_route_is_at_the_line_that_registers_it() {
    let web = "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.post(\"/login\")\ndef login():\n    return fine()\n\n\n\
               def fine():\n    return 1\n";
    let folder = repository(&[("web.py", web)]);
    let run = |arguments: &[&str]| stdout(&run_in(folder.path(), arguments));
    let text = run(&["impact", "fine"]);
    assert!(text.contains("POST /login") && text.contains("web.py:6 "), "{text}");
    assert!(run(&["symbol", "POST /login"]).starts_with("POST /login  route_handler web.py:6-6\n"));
    assert!(run(&["impact", "fine", "--format", "lines"]).contains("web.py:6:1: route_handler POST /login"));
    assert!(run(&["query", "POST /login", "--format", "json"]).contains("\"line\":6"));
}

const CALLED: [(&str, &str); 2] = [
    ("m.py", "def keep():\n    return 1\n\n\ndef gone():\n    return 2\n"),
    ("u.py", "from m import gone, keep\n\ndef use():\n    return gone() + keep()\n"),
];

#[test]
fn a_removed_definition_is_named_with_the_lines_that_still_name_it() {
    let folder = repository(&CALLED);
    commit(folder.path());
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    write(folder.path(), &[("m.py", "def keep():\n    return 1\n")]);
    let text = stdout(&run(&["impact", "--diff", "HEAD"]));
    assert!(text.starts_with("impact of the changes since HEAD (0 changed symbols): none\n"), "{text}");
    assert!(text.contains("note: removed: `gone` (m.py), still named at u.py:1, u.py:4\n"), "{text}");
    let context = run(&["context", "--pr", "HEAD", "--no-learn"]);
    assert!(stderr(&context).contains("removed: `gone` (m.py), still named at u.py:1, u.py:4"), "{}", stderr(&context));
    assert!(!stdout(&context).contains("keep 1.31 changed"), "{}", stdout(&context));
    // Its last statement is part of a function, as is one between others.
    write(
        folder.path(),
        &[("m.py", "def keep():\n    x = 1\n    return 1\n\n\ndef gone():\n    y = 2\n    return 2\n")],
    );
    commit(folder.path());
    write(folder.path(), &[("m.py", "def keep():\n    x = 1\n\n\ndef gone():\n    return 2\n")]);
    let text = stdout(&run(&["impact", "--diff", "HEAD"]));
    assert!(text.starts_with("impact of the changes since HEAD (2 changed symbols)"), "{text}");
    // What has moved to another file is not removed.
    write(
        folder.path(),
        &[("m.py", "def keep():\n    x = 1\n    return 1\n"), ("n.py", "def gone():\n    return 2\n")],
    );
    write(
        folder.path(),
        &[("u.py", "from m import keep\nfrom n import gone\n\ndef use():\n    return gone() + keep()\n")],
    );
    let text = stdout(&run(&["impact", "--diff", "HEAD"]));
    assert!(!text.contains("removed:"), "{text}");
}

#[test]
fn what_is_in_syntax_errors_is_not_known() {
    let conflict = "def beta():\n    return 1\n\n\ndef alpha():\n<<<<<<< HEAD\n    return beta()\n=======\n    return beta() + 1\n>>>>>>> other\n";
    let folder = repository(&[("m.py", conflict)]);
    let run = |arguments: &[&str]| stdout(&run_in(folder.path(), arguments));
    let text = run(&["callees", "alpha"]);
    assert!(text.contains("note: m.py has syntax errors at lines "), "{text}");
    assert!(run(&["symbol", "alpha"]).contains("note: m.py has syntax errors at lines "));
    assert!(!run(&["callees", "beta", "--depth", "2"]).contains("\n  beta"));
}

#[test]
fn commands_and_places_are_those_of_the_current_folder() {
    let test = "from app.m import one\n\n\ndef test_one():\n    assert one() == 1\n";
    let files = [
        ("app/m.py", "def one():\n    return 1\n"),
        ("app/n.py", "def one():\n    return 2\n"),
        ("tests/test_m.py", test),
    ];
    let folder = repository(&files);
    commit(folder.path());
    let inner = folder.path().join("app");
    let command = stdout(&run_in(&inner, &["tests", "m.py:1", "--format", "commands"]));
    assert_eq!(command, "(cd .. && pytest tests/test_m.py::test_one)\n");
    let at_root = stdout(&run_in(folder.path(), &["tests", "app/m.py:1", "--format", "commands"]));
    assert_eq!(at_root, "pytest tests/test_m.py::test_one\n");
    let ambiguous = stderr(&run_in(&inner, &["callers", "one"]));
    assert!(ambiguous.contains("function m.py:1)") && ambiguous.contains("function n.py:1)"), "{ambiguous}");
    let diagram = stdout(&run_in(&inner, &["query", "app/m.py.one", "--format", "dot"]));
    assert!(diagram.contains("\\nm.py:1\"") && diagram.contains("../tests/test_m.py:4"), "{diagram}");
}

#[test]
fn every_test_has_its_command() {
    let tests: String = (0..130).map(|number| format!("def test_{number}():\n    assert one()\n\n\n")).collect();
    let folder = repository(&[
        ("m.py", "def one():\n    return 1\n"),
        ("test_m.py", &format!("from m import one\n\n\n{tests}")),
    ]);
    let output = run_in(folder.path(), &["tests", "one", "--format", "commands"]);
    assert_eq!(stdout(&output).matches("::test_").count(), 130);
    assert!(!stderr(&output).contains("--limit"), "{}", stderr(&output));
    let text = stdout(&run_in(folder.path(), &["tests", "one"]));
    assert!(text.contains("… 30 more"), "{text}");
}

#[test]
fn a_certain_way_is_preferred_to_an_uncertain_one() {
    let text = "class Base:\n    def top(self):\n        self.run()\n    def run(self):\n        self.setup()\n    \
                def setup(self):\n        self.order()\n    def order(self):\n        pass\n\n\n\
                class Child(Base):\n    def run(self):\n        self.order()\n";
    let folder = repository(&[("m.py", text)]);
    let run = |arguments: &[&str]| stdout(&run_in(folder.path(), arguments));
    let path = run(&["path", "Base.top", "Base.order"]);
    assert!(path.contains("calls Base.setup") && !path.contains("may run"), "{path}");
    let impact = run(&["impact", "Base.order"]);
    let row = impact.lines().find(|line| line.contains("Base.top ")).unwrap();
    assert!(!row.contains("may run"), "{impact}");
}

#[test]
fn a_row_names_the_next_symbol_and_source_comes_before_examples() {
    let files = [
        ("lib/core.py", "def close():\n    pass\n\n\ndef stop():\n    close()\n\n\ndef end():\n    stop()\n"),
        ("docs/examples/a.py", "from lib.core import close\n\n\ndef demo():\n    close()\n"),
        ("tests/test_a.py", "from lib.core import close\n\n\ndef test_a():\n    close()\n"),
    ];
    let folder = repository(&files);
    let text = stdout(&run_in(folder.path(), &["impact", "close"]));
    let at = |name: &str| text.find(&format!("  {name} ")).unwrap_or_else(|| panic!("{name}: {text}"));
    assert!(at("stop") < at("demo") && at("demo") < at("test_a"), "{text}");
    let end = text.lines().find(|line| line.contains("  end ")).unwrap();
    assert!(end.ends_with("calls stop"), "{text}");
}

#[test]
fn documentation_in_the_source_is_printed_once() {
    let text = "def one():\n    \"\"\"Returns the one.\n\n    It is what there is.\n    \"\"\"\n    return 1\n";
    let folder = repository(&[("m.py", text)]);
    let text = stdout(&run_in(folder.path(), &["symbol", "one"]));
    assert_eq!(text.matches("It is what there is.").count(), 1, "{text}");
    let json = stdout(&run_in(folder.path(), &["symbol", "one", "--format", "json"]));
    assert!(json.contains("\"doc\":\"Returns the one."), "{json}");
}

#[test]
fn files_that_are_not_indexed_are_notes() {
    let folder = repository(&[("lib/m.py", "def one():\n    return 1\n"), ("notes.bin", "x")]);
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let mixed = run(&["context", "--files", "lib/m.py,notes.bin,lib,gone.py", "--no-learn"]);
    assert_eq!(code(&mixed), 0, "{}", stderr(&mixed));
    assert!(stdout(&mixed).contains("lib/m.py.one"), "{}", stdout(&mixed));
    let notes = stderr(&mixed);
    assert!(notes.contains("notes.bin is not an indexed file: no grammar reads it"), "{notes}");
    assert!(notes.contains("lib is not an indexed file: it is a folder"), "{notes}");
    assert!(notes.contains("gone.py is not an indexed file: there is none"), "{notes}");
    assert_eq!(code(&run(&["context", "--files", "gone.py"])), 2);
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    let around = format!("../../{name}/lib/m.py");
    let inner = run_in(&folder.path().join("lib"), &["context", "--files", &around, "--no-learn"]);
    assert_eq!(code(&inner), 0, "{}", stderr(&inner));
}

#[cfg(unix)]
#[test]
fn a_path_is_found_in_another_unicode_form_and_through_a_link() {
    let decomposed = "src/cafe\u{301}.py";
    let folder = repository(&[(decomposed, "def brew():\n    return 1\n"), ("pkg/m.py", "def one():\n    return 1\n")]);
    std::os::unix::fs::symlink("pkg", folder.path().join("lib")).unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    for (path, name) in [("src/caf\u{e9}.py", "brew"), (decomposed, "brew"), ("lib/m.py", "one"), ("./lib/m.py", "one")]
    {
        let at_line = run(&["symbol", &format!("{path}:1")]);
        assert!(stdout(&at_line).starts_with(&format!("{name}  function")), "{path}: {}", stderr(&at_line));
        assert_eq!(code(&run(&["symbol", path])), 0, "{path}");
        let ranked = run(&["context", "--files", path, "--format", "lines", "--no-learn"]);
        assert!(stdout(&ranked).contains(name), "{path}: {}", stderr(&ranked));
    }
    assert!(stderr(&run(&["symbol", "lib/gone.py:1"])).contains("there is no file lib/gone.py"));
}

#[test]
fn files_are_arguments_or_a_list_on_standard_input() {
    use std::io::Write;
    use std::process::Stdio;
    let one = "def one():\n    return 1\n";
    let folder = repository(&[("a,b.py", one), ("c d.py", "def two():\n    return 1\n")]);
    for files in [&["a,b.py", "c d.py"][..], &["c d.py,a,b.py", "a,b.py"]] {
        let arguments = [&["context", "--format", "lines", "--no-learn", "--files"][..], files].concat();
        let lines = stdout(&run_in(folder.path(), &arguments));
        assert!(lines.contains("one") && lines.contains("two"), "{files:?}: {lines}");
    }
    for list in ["a,b.py\nc d.py\n", "a,b.py\r\n\r\nc d.py", "a,b.py\0c d.py\0"] {
        let arguments = ["context", "--format", "lines", "--no-learn", "--files", "-"];
        let mut command = super::program(folder.path(), &arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(list.as_bytes()).unwrap();
        let lines = stdout(&child.wait_with_output().unwrap());
        assert!(lines.contains("one") && lines.contains("two"), "{list:?}: {lines}");
    }
    let none = run_in(folder.path(), &["context", "--files", "-"]);
    assert!(code(&none) == 2 && stderr(&none).contains("--files has no path"), "{}", stderr(&none));
}

#[test]
fn an_answer_without_rows_says_why() {
    let folder = repository(&CALLED);
    commit(folder.path());
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let none = run(&["callers", "use", "--unresolved"]);
    assert_eq!((code(&none), stderr(&none).contains("no line names it")), (1, true), "{}", stderr(&none));
    let none = run(&["tests", "--diff", "HEAD", "--format", "commands"]);
    assert_eq!((code(&none), stderr(&none).contains("changed since HEAD")), (1, true), "{}", stderr(&none));
    assert_eq!(code(&run(&["query", "--edges", "--limit", "1"])), 2);
    let missing = stderr(&run(&["callers", "lib/nope.py:1"]));
    assert!(missing.contains("there is no file lib/nope.py"), "{missing}");
}

#[test]
fn a_user_that_imports_is_at_the_line_of_the_import() {
    let folder = repository(&[
        ("m.py", "def one():\n    return 1\n"),
        ("u.py", "import os\n\nfrom m import one\n\n\ndef f():\n    return one()\n"),
    ]);
    let lines = stdout(&run_in(folder.path(), &["callers", "m.py", "--format", "lines"]));
    assert!(lines.lines().all(|line| !line.contains("u.py:1:")), "{lines}");
}
