//! Structural questions: callers, callees, impact, tests, paths, and the facts about a symbol.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use super::{code, run_in, stderr, stdout};

/// Sessions behind an interface, with tests.
const FILES: [(&str, &str); 4] = [
    (
        "app/store.py",
        "class Store:\n    def load(self, key):\n        raise NotImplementedError\n\n\n\
         class FileStore(Store):\n    def __init__(self, path):\n        self.path = path\n\n    \
         def load(self, key):\n        return parse(key)\n\n\ndef parse(text):\n    return text.strip()\n",
    ),
    (
        "app/service.py",
        "from app.store import FileStore, Store, parse\n\n\ndef fetch(store: Store, key):\n    return store.load(key)\n\n\n\
         def handle(key):\n    return fetch(FileStore(\"x\"), key)\n\n\ndef table():\n    return {\"parse\": parse}\n\n\n\
         def alone():\n    return 1\n",
    ),
    (
        "tests/test_service.py",
        "from app.service import handle\nfrom app.store import parse\n\n\ndef test_handle():\n    assert handle(\"a\")\n\n\n\
         class TestParse:\n    def test_strips(self):\n        assert parse(\" a\") == \"a\"\n",
    ),
    ("pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"pytest\"]\n"),
];

/// A repository of [`FILES`].
pub struct Repository {
    folder: TempDir,
}

impl Repository {
    pub fn new() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        for (path, text) in FILES {
            repository.write(path, text);
        }
        repository
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("app")
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        run_in(&self.root(), arguments)
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Returns name, distance and certainty of the rows of an answer.
    pub fn rows(&self, arguments: &[&str]) -> Vec<(String, u64, bool)> {
        let answer = self.json(arguments);
        let row = |row: &Value| {
            let name = row["name"].as_str().unwrap().to_owned();
            (name, row["distance"].as_u64().unwrap(), row["certain"].as_bool().unwrap())
        };
        answer["rows"].as_array().unwrap().iter().map(row).collect()
    }
}

pub fn rows(expected: &[(&str, u64, bool)]) -> Vec<(String, u64, bool)> {
    expected.iter().map(|(name, distance, certain)| ((*name).to_owned(), *distance, *certain)).collect()
}

#[test]
fn callers_are_direct_or_by_distance_and_an_interface_may_run_them() {
    let repository = Repository::new();
    let callers = repository.rows(&["callers", "parse"]);
    assert_eq!(callers, rows(&[("FileStore.load", 1, true), ("TestParse.test_strips", 1, true)]));
    let through = [
        ("FileStore.load", 1, true),
        ("TestParse.test_strips", 1, true),
        ("fetch", 2, false),
        ("handle", 3, false),
        ("test_handle", 4, false),
    ];
    assert_eq!(repository.rows(&["callers", "parse", "--depth", "9"]), rows(&through));
    assert_eq!(repository.rows(&["callers", "FileStore.load"]), rows(&[("fetch", 1, false)]));
    // A call of the class runs its constructor.
    assert_eq!(repository.rows(&["callers", "FileStore.__init__"]), rows(&[("handle", 1, true)]));
    let text = stdout(&repository.run(&["callers", "parse"]));
    assert!(text.starts_with("callers of parse (function app/store.py:14): 2 symbols, 1 test among them\n"), "{text}");
    assert!(text.contains("FileStore.load         app/store.py:10           calls, line 11\n"), "{text}");
    assert!(text.ends_with("note: 1 symbol uses it without a call: `table` (app/service.py:13)\n"), "{text}");
}

#[test]
fn paths_are_shown_and_named_relative_to_the_current_folder() {
    let repository = Repository::new();
    git2::Repository::init(repository.root()).unwrap();
    let below = |arguments: &[&str]| stdout(&run_in(&repository.root().join("app"), arguments));
    let text = below(&["callers", "store.py:15"]);
    assert!(text.starts_with("callers of store.py:15 (parse, function store.py:14): 2 symbols"), "{text}");
    assert!(text.contains("  store.py:10  ") && text.contains("  ../tests/test_service.py:10  "), "{text}");
    let lines = below(&["query", "parse", "--format", "lines"]);
    assert!(lines.starts_with("store.py:14:5: function parse\n"), "{lines}");
    let lines = below(&["context", "--files", "service.py", "--format", "lines"]);
    assert!(lines.starts_with("service.py:") && lines.contains("\n../tests/test_service.py:"), "{lines}");
    assert!(below(&["symbol", "../app/store.py:14"]).contains("store.py:14-15"));
    // For programs, paths begin at the root.
    assert!(below(&["query", "parse", "--format", "json"]).contains("\"file\":\"app/store.py\""));
    assert!(stdout(&repository.run(&["query", "parse", "--format", "lines"])).starts_with("app/store.py:14:5:"));
}

#[test]
fn callees_may_be_overriding_methods() {
    let repository = Repository::new();
    let found = repository.rows(&["callees", "fetch"]);
    assert_eq!(found, rows(&[("Store.load", 1, true), ("FileStore.load", 1, false)]));
    let lines = stdout(&repository.run(&["callees", "fetch", "--format", "lines"]));
    let expected = "app/store.py:2:9: method Store.load  calls, line 5\n\
                    app/store.py:10:9: method FileStore.load  calls Store.load → overridden by (may run)\n";
    assert_eq!(lines, expected);
}

#[test]
fn a_limit_shortens_the_list_and_not_the_counts() {
    let repository = Repository::new();
    let answer = repository.json(&["callers", "parse", "--depth", "9", "--limit", "1"]);
    assert_eq!((&answer["total"], &answer["shown"]), (&5.into(), &1.into()));
    assert_eq!(answer["by_distance"], serde_json::json!([0, 2, 1, 1, 1]));
    let text = stdout(&repository.run(&["callers", "parse", "--depth", "9", "--limit", "1"]));
    assert!(text.contains("… 4 more, farther or less certain\n"), "{text}");
}

/// The note on a symbol without users that other projects can name.
const VISIBLE: &str = "note: it is visible outside, so that code of other repositories may use it\n";

#[test]
fn no_other_symbol_takes_the_place_of_an_unknown_or_ambiguous_one() {
    let repository = Repository::new();
    for command in ["callers", "callees", "symbol"] {
        let unknown = repository.run(&[command, "parsed"]);
        assert_eq!((code(&unknown), stdout(&unknown)), (1, String::new()), "{command}");
        assert!(stderr(&unknown).contains("no symbol is called `parsed`; did you mean parse?"));
        let ambiguous = repository.run(&[command, "load"]);
        assert_eq!((code(&ambiguous), stdout(&ambiguous)), (2, String::new()), "{command}");
        assert!(stderr(&ambiguous).contains("app/store.py.FileStore.load  (method app/store.py:10)"));
        assert_eq!(code(&repository.run(&[command, " "])), 2);
    }
    let none = repository.run(&["callers", "alone"]);
    let text = format!("callers of alone (function app/service.py:16): none\n{VISIBLE}");
    assert_eq!((code(&none), stdout(&none)), (1, text));
}

#[test]
fn a_location_names_the_innermost_definition() {
    let repository = Repository::new();
    let title = |name: &str| stdout(&repository.run(&["symbol", name])).lines().next().unwrap().to_owned();
    assert_eq!(title("app/store.py:11"), "FileStore.load  method app/store.py:10-11");
    assert_eq!(title("./app/store.py:6"), "FileStore  type app/store.py:6-11");
    assert_eq!(title("app/store.py:5"), "store.py  file app/store.py", "no definition is there");
    assert_eq!(code(&repository.run(&["symbol", "app/stores.py:5"])), 1);
    for command in ["symbol", "callers", "impact"] {
        let outside = repository.run(&[command, "app/store.py:99999"]);
        assert_eq!((code(&outside), stdout(&outside)), (1, String::new()), "{command}");
        let expected = "there is no line `app/store.py:99999`: the file has 15 lines";
        assert!(stderr(&outside).contains(expected), "{}", stderr(&outside));
    }
}

#[test]
fn questions_in_words_ask_for_uses_and_implementations() {
    let repository = Repository::new();
    let answer = |task: &str| {
        let output = repository.run(&["context", task, "--format", "lines"]);
        stdout(&output).lines().map(|line| line.split_whitespace().nth(2).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(answer("what implements Store?"), ["Store", "FileStore"]);
    assert_eq!(answer("who overrides Store.load"), ["Store.load", "FileStore.load"]);
    assert_eq!(answer("where is FileStore used"), ["FileStore", "handle", "fetch"]);
    assert_eq!(answer("which functions call fetch?"), ["fetch", "handle"]);
}

#[test]
fn an_ambiguous_name_in_words_lists_its_choices() {
    let repository = Repository::new();
    let ambiguous = repository.run(&["context", "who calls load", "--format", "json"]);
    let note =
        "note: `load` is ambiguous: 2 symbols match; ask about one, as in \"who calls app/store.py.FileStore.load\"";
    assert!(stderr(&ambiguous).contains(note), "{}", stderr(&ambiguous));
    let pack: serde_json::Value = serde_json::from_str(&stdout(&ambiguous)).unwrap();
    let listed = pack["symbols"].as_array().unwrap().iter();
    let listed: Vec<&str> = listed.map(|symbol| symbol["qualified_name"].as_str().unwrap()).collect();
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert!(listed.iter().all(|name| name.ends_with("Store.load")), "{listed:?}");
    let asked = repository.run(&["context", "who calls app/store.py.FileStore.load", "--format", "lines"]);
    assert!(stderr(&asked).contains("note: callers of app/store.py.FileStore.load"), "{}", stderr(&asked));
    let text = stdout(&repository.run(&["context", "who calls load", "--format", "text"]));
    assert!(text.contains("ask \"who calls app/store.py.Store.load\""), "{text}");
    let unknown = repository.run(&["context", "who calls loaded"]);
    assert_eq!(code(&unknown), 0, "an unknown name is ranked like other words");
}

#[test]
fn each_offered_name_is_of_one_symbol_and_overloads_are_told() {
    let repository = Repository::new();
    repository.write(
        "Box.java",
        "class Box {\n  int size;\n  int size() { return size; }\n  void put(int a) { put(a, 1); }\n  void put(int a, int b) {}\n}\n",
    );
    let ambiguous = stderr(&repository.run(&["callers", "Box.size"]));
    let offered: Vec<&str> = ambiguous
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(offered.len(), 2, "{ambiguous}");
    for name in offered {
        assert!(stdout(&repository.run(&["symbol", name])).starts_with("Box.size"), "{name}");
    }
    let both = stdout(&repository.run(&["callers", "Box.put"]));
    assert!(both.contains("note: 2 overloads are asked about together"), "{both}");
    let one = stdout(&repository.run(&["callers", "Box.java:5"]));
    assert!(one.contains("1 symbol\n") && !one.contains("overloads"), "{one}");
}

#[test]
fn a_path_that_is_not_a_chain_of_calls_says_so() {
    let repository = Repository::new();
    let calls = stdout(&repository.run(&["path", "handle", "FileStore.load"]));
    assert!(!calls.contains("no chain of calls"), "{calls}");
    let uses = stdout(&repository.run(&["path", "table", "parse"]));
    assert!(uses.contains("note: no chain of calls leads there; some steps are other uses"), "{uses}");
}

#[test]
fn names_and_paths_are_understood_as_people_write_them() {
    let repository = Repository::new();
    repository.write("app/bundle.min.js", "var a=1;");
    repository.write("Account.java", "package org.bank;\npublic class Account { public int total() { return 1; } }\n");
    repository.write("account.rb", "class Ledger\n  def open?; end\nend\n");
    repository.write("Mailer.php", "<?php\nnamespace Shop\\Mail;\nclass Mailer { function send() {} }\n");
    repository.write("src/lib.rs", "pub struct Pool;\nimpl Pool { pub fn take(&self) {} }\n");
    repository.write("net/net.go", "package net\n\ntype Conn struct{}\n\nfunc (c *Conn) Close() {}\n");
    repository.write("cafe.py", "def cafe\u{301}():\n    return 1\n");
    let title = |name: &str| {
        let output = repository.run(&["symbol", name]);
        stdout(&output).lines().next().map_or_else(|| stderr(&output), str::to_owned)
    };
    for (name, expected) in [
        ("org.bank.Account.total", "Account.total  method Account.java:2-2"),
        ("Account#total", "Account.total  method Account.java:2-2"),
        ("Ledger#open?", "Ledger.open?  method account.rb:2-2"),
        (r"Shop\Mail\Mailer::send", "Mailer.send  method Mailer.php:3-3"),
        (r"\Shop\Mail\Mailer::send()", "Mailer.send  method Mailer.php:3-3"),
        ("ShopMailMailer::send", "Mailer.send  method Mailer.php:3-3"),
        ("crate::Pool::take", "Pool.take  method src/lib.rs:2-2"),
        ("(*Conn).Close", "Conn.Close  method net/net.go:5-5"),
        ("net.(*Conn).Close", "Conn.Close  method net/net.go:5-5"),
        ("app.store.FileStore.load", "FileStore.load  method app/store.py:10-11"),
        ("caf\u{e9}", "caf\u{e9}  function cafe.py:1-2"),
    ] {
        assert_eq!(title(name), expected, "{name}");
    }
    for name in ["store.py", "app/store.py", "./app/store.py"] {
        let file = title(name);
        assert!(file.starts_with("app/store.py") || file.starts_with("store.py"), "{name}: {file}");
    }
    let query = stdout(&repository.run(&["query", "store.py"]));
    assert!(!query.contains("no symbol is called") && query.contains("app/store.py"), "{query}");
    assert!(title("other.module.FileStore.load").contains("no symbol is called"));

    let file = repository.root().canonicalize().unwrap().join("app/store.py");
    let file = file.to_str().unwrap();
    assert_eq!(title(&format!("{file}:11")), "FileStore.load  method app/store.py:10-11");
    let lines = |file: &str| stdout(&repository.run(&["context", "--files", file, "--format", "lines"]));
    for written in [file, "app//store.py", "app/../app/./store.py"] {
        assert_eq!(lines(written), lines("app/store.py"), "{written}");
    }
    let outside = stderr(&repository.run(&["context", "--files", "../elsewhere/a.py"]));
    assert!(outside.contains("is not an indexed file: it is outside of this repository"), "{outside}");
    let skipped = repository.run(&["context", "--files", "app/bundle.min.js"]);
    assert!(
        stderr(&skipped).contains("app/bundle.min.js is not an indexed file: it is minified"),
        "{}",
        stderr(&skipped)
    );
}

#[test]
fn symbol_has_source_uses_users_and_tests_within_its_budget() {
    let repository = Repository::new();
    let text = stdout(&repository.run(&["symbol", "FileStore"]));
    for part in [
        "class FileStore(Store)\n",
        "source\n6\tclass FileStore(Store):\n7\t    def __init__(self, path):\n",
        "members (3)\n",
        "uses (1 symbol)\n  Store  app/store.py:1  extends",
        "used by (1 symbol)\n  handle  app/service.py:8  calls, line 9: return fetch(FileStore(\"x\"), key)\n",
        "tests (1 test)\n  test_handle  tests/test_service.py:5  calls handle\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let method = stdout(&repository.run(&["symbol", "FileStore.load"]));
    assert!(method.contains("\t    def load"), "the first line keeps its indentation: {method}");
    let short = stdout(&repository.run(&["symbol", "FileStore", "--budget", "60"]));
    assert!(
        short.contains("more lines, app/store.py:") && knowing_analysis::text::tokens::count(&short) <= 60,
        "{short}"
    );
    let json = repository.json(&["symbol", "FileStore", "--budget", "60"]);
    assert!(json["source"]["shown_lines"].as_u64() < json["source"]["lines"].as_u64());
    let task = stdout(&repository.run(&["symbol", "FileStore", "--task", "file store path"]));
    assert!(task.contains("why it ranks\n  \"file store\" is its name") && task.contains("\n  rank 2 of "), "{task}");
}

#[test]
fn symbol_has_the_tests_that_are_a_few_uses_away() {
    let repository = Repository::new();
    let chain: String = (1..20).map(|step| format!("def link_{step}():\n    return link_{}()\n\n", step - 1)).collect();
    repository.write("app/chain.py", &format!("def link_0():\n    return 0\n\n{chain}"));
    let test = |step: u32| format!("def test_link_{step}():\n    assert link_{step}() == 0\n\n");
    let tests = [2, 9, 19].map(test).concat();
    repository.write("tests/test_chain.py", &format!("from app.chain import link_2, link_9, link_19\n\n{tests}"));
    for (name, tests, note) in [
        ("link_0", "\ntests (1 test)\n  test_link_2 ", Some("farther than 3 uses away")),
        ("link_4", "\ntests (1 test)\n  test_link_9 ", Some("farther than 6 uses away")),
        ("link_11", "\ntests: none known\n", Some("farther than 6 uses away")),
        ("link_19", "\ntests (1 test)\n  test_link_19 ", None),
    ] {
        let text = stdout(&repository.run(&["symbol", name]));
        assert!(text.contains(tests), "{name}: {text}");
        assert_eq!(text.contains("farther"), note.is_some_and(|note| text.contains(note)), "{name}: {text}");
    }
}

#[test]
fn impact_goes_through_uses_overrides_and_interfaces() {
    let repository = Repository::new();
    let affected = [
        ("table", 1, true),
        ("FileStore.load", 1, true),
        ("TestParse.test_strips", 1, true),
        ("fetch", 2, false),
        ("handle", 3, false),
        ("test_handle", 4, false),
    ];
    assert_eq!(repository.rows(&["impact", "parse"]), rows(&affected));
    // A type stands for its members; methods that override a changed one are affected.
    let of_type = repository.rows(&["impact", "Store", "--depth", "1"]);
    assert_eq!(of_type, rows(&[("fetch", 1, true), ("FileStore", 1, true), ("FileStore.load", 1, true)]));
    let text = stdout(&repository.run(&["impact", "parse"]));
    let path = "calls Store.load → overridden by FileStore.load (may run)\n";
    assert!(text.contains(path), "{text}");
    let answer = repository.json(&["impact", "parse"]);
    assert_eq!(answer["rows"][3]["path"][1]["type"], "overrides");
    assert_eq!(answer["rows"][3]["path"][1]["forward"], false);
}

#[test]
fn tests_are_those_that_a_runner_can_run() {
    let repository = Repository::new();
    repository.write(
        "tests/test_more.py",
        "import pytest\nfrom app.store import parse\n\n\n@pytest.fixture\ndef text():\n    return parse(\"a\")\n\n\n\
         def helper():\n    return parse(\"b\")\n\n\ndef test_helper():\n    assert helper()\n\n\n\
         def test_nested():\n    def inner():\n        return parse(\"c\")\n    assert inner\n",
    );
    let tests = [
        ("test_nested", 1, true),
        ("TestParse.test_strips", 1, true),
        ("test_helper", 2, true),
        ("test_handle", 4, false),
    ];
    assert_eq!(repository.rows(&["tests", "parse"]), rows(&tests));
    let commands = stdout(&repository.run(&["tests", "parse", "--format", "commands"]));
    let expected = "pytest tests/test_more.py::test_helper tests/test_more.py::test_nested \
                    tests/test_service.py::TestParse::test_strips tests/test_service.py::test_handle\n";
    assert_eq!(commands, expected);
    assert_eq!(code(&repository.run(&["tests", "alone"])), 1);
    assert_eq!(code(&repository.run(&["tests"])), 2);
}

#[test]
fn every_line_of_a_use_is_told() {
    let repository = Repository::new();
    repository.write(
        "app/twice.py",
        "from app.store import parse\n\n\ndef twice(a):\n    parse(a)\n    b = parse\n    return parse(b(a))\n",
    );
    let text = stdout(&repository.run(&["callers", "parse"]));
    assert!(text.contains("calls, lines 5, 7\n"), "{text}");
    let answer = repository.json(&["callers", "parse"]);
    let row = answer["rows"].as_array().unwrap().iter().find(|row| row["name"] == "twice").unwrap();
    assert_eq!((&row["use_line"], &row["use_lines"]), (&serde_json::json!(5), &serde_json::json!([5, 7])));
}

#[test]
fn changes_since_a_revision_are_a_subject() {
    let repository = Repository::new();
    let none = repository.run(&["tests", "--diff", "HEAD"]);
    assert_eq!(code(&none), 3, "no git repository");
    commit(&repository.root());
    let none = repository.run(&["tests", "--diff", "HEAD"]);
    assert_eq!(
        (code(&none), stdout(&none).as_str()),
        (1, "tests of the changes since HEAD (0 changed symbols): none\n")
    );
    repository.write("app/store.py", &FILES[0].1.replace("return parse(key)", "return parse(key + key)"));
    repository.write(
        "tests/test_service.py",
        &FILES[2].1.replace("parse(\" a\") ==", "parse(\" a \") ==").replace("import handle\n", "import handle\n\n"),
    );
    let tests = repository.rows(&["tests", "--diff", "HEAD"]);
    assert_eq!(tests, rows(&[("TestParse.test_strips", 0, true), ("test_handle", 3, false)]));
    let text = stdout(&repository.run(&["tests", "--diff", "HEAD"]));
    assert!(text.starts_with("tests of the changes since HEAD (2 changed symbols): 2 tests, 1 uncertain"), "{text}");
    let run = "run: pytest tests/test_service.py::TestParse::test_strips tests/test_service.py::test_handle\n";
    let end = format!("note: 1 file changed outside definitions, such as imports\n{run}");
    assert!(text.ends_with(&end), "{text}");
    fs::remove_file(repository.root().join("tests/test_service.py")).unwrap();
    let text = stdout(&repository.run(&["impact", "--diff", "HEAD"]));
    let deleted = "note: 1 file deleted (tests/test_service.py)\n";
    assert!(text.ends_with(deleted), "{text}");
    repository.write("tests/test_service.py", FILES[2].1);
    let impact = repository.rows(&["impact", "--diff", "HEAD"]);
    assert_eq!(impact, rows(&[("fetch", 1, false), ("handle", 2, false), ("test_handle", 3, false)]));
    assert_eq!(code(&repository.run(&["impact", "--diff", "no-such-branch"])), 2);
}

fn commit(root: &std::path::Path) {
    let git = git2::Repository::init(root).unwrap();
    let mut index = git.index().unwrap();
    index.add_all(["app", "tests", "pyproject.toml"], git2::IndexAddOption::DEFAULT, None).unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    index.write().unwrap();
    let author = git2::Signature::new("a", "a@example.com", &git2::Time::new(1_700_000_000, 0)).unwrap();
    git.commit(Some("HEAD"), &author, &author, "first", &tree, &[]).unwrap();
}

#[test]
fn a_path_is_the_shortest_chain_of_calls_or_it_is_said_that_there_is_none() {
    let repository = Repository::new();
    let path = "path from test_handle to parse: 5 steps\n  \
                test_handle  tests/test_service.py:5\n  \
                calls handle  app/service.py:8\n  \
                calls fetch  app/service.py:4\n  \
                calls Store.load  app/store.py:2\n  \
                overridden by FileStore.load  app/store.py:10  (may run)\n  \
                calls parse  app/store.py:14\n";
    assert_eq!(stdout(&repository.run(&["path", "test_handle", "parse"])), path);
    // Without a chain of calls, any use is followed; a type stands for its members.
    let use_only = repository.rows(&["path", "table", "parse"]);
    assert_eq!(use_only, rows(&[("parse", 1, true)]));
    assert_eq!(code(&repository.run(&["path", "fetch", "FileStore"])), 0);
    let none = repository.run(&["path", "parse", "test_handle"]);
    let text = "path from parse to test_handle: none known; callbacks and calls that are not resolved may lead there\n";
    assert_eq!((code(&none), stdout(&none).as_str()), (1, text));
}

#[test]
fn stale_compares_and_writes_nothing() {
    let repository = Repository::new();
    let stale = || {
        let output = repository.run(&["status", "--check"]);
        (code(&output), stdout(&output))
    };
    assert_eq!(stale(), (1, "no index; `knowing index` builds it\n".to_owned()));
    assert!(!crate::cli::data_home(&repository.root()).exists());
    assert_eq!(code(&repository.run(&["index"])), 0);
    assert_eq!(stale(), (0, "the index is up to date\n".to_owned()));
    // Equal content with another time is not a change.
    repository.write("app/store.py", FILES[0].1);
    assert_eq!(stale().0, 0);
    repository.write("app/store.py", "def parse(text):\n    return text\n");
    repository.write("app/other.py", "x = 1\n");
    fs::remove_file(repository.root().join("tests/test_service.py")).unwrap();
    let text = "the index is behind: 1 changed file, 1 new file, 1 removed file\n";
    assert_eq!((stale(), stale()), ((1, text.to_owned()), (1, text.to_owned())));
    assert_eq!(code(&repository.run(&["query", "parse"])), 0);
    assert_eq!(stale().0, 0);
    // The history is in the index, too: a run would update it.
    commit(&repository.root());
    assert_eq!(stale(), (1, "the index is behind: the checked-out commit or the history changed\n".to_owned()));
    assert_eq!(code(&repository.run(&["query", "parse"])), 0);
    assert_eq!(stale().0, 0);
}

#[test]
fn a_task_that_is_a_question_is_answered_from_the_graph() {
    let repository = Repository::new();
    let output = repository.run(&["context", "who calls `parse`?", "--no-learn", "--format", "lines"]);
    let names: Vec<String> =
        stdout(&output).lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    assert_eq!(names, ["parse", "FileStore.load", "TestParse.test_strips"]);
    let note = "note: callers of parse (function app/store.py:14): 2 symbols";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    let why = stdout(&repository.run(&["why", "--task", "callers of parse", "--symbol", "FileStore.load"]));
    assert!(why.contains("\ncallers of parse: calls, line 11\n"), "{why}");
}

/// Two types with a method of one name, and calls of it on receivers without a type, the last on one line.
const UNKNOWN_RECEIVERS: &str = "def close(thing):\n    thing.settle()\n    # settle\n    thing.settle(); thing.settle()\n\n\n\
                                 class Bank:\n    def settle(self):\n        pass\n\n\n\
                                 class Shop:\n    def settle(self):\n        pass\n";

#[test]
fn an_answer_counts_the_lines_that_were_not_resolved_and_lists_them() {
    let repository = Repository::new();
    repository.write("app/bank.py", UNKNOWN_RECEIVERS);
    let output = repository.run(&["callers", "Bank.settle"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1);
    assert!(text.starts_with("callers of Bank.settle (method app/bank.py:8): none known\n"), "{text}");
    let mentions = "not resolved: 2 lines name `settle`; 1 other definition has it; 1 line has it in comments or texts";
    assert!(text.ends_with(&format!("{mentions} (`--unresolved` lists them)\n")), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&repository.run(&["callers", "Bank.settle", "--format", "json"]))).unwrap();
    assert_eq!(json["unresolved"], 2);
    assert_eq!(json["mentions"], serde_json::json!({ "unresolved": 2, "definition": 1, "text": 1 }));
    assert_eq!(json["unresolved_lines"][3]["meaning"], "text");
    for question in ["callers", "impact", "tests"] {
        let lines = repository.run(&[question, "Bank.settle", "--unresolved"]);
        assert_eq!(code(&lines), 0, "{question}");
        let expected = "app/bank.py:2: thing.settle()\napp/bank.py:4: thing.settle(); thing.settle()\n\
                        app/bank.py:13: def settle(self):  (defines something else)\n\
                        app/bank.py:3: # settle  (comment or text)\n";
        assert_eq!(stdout(&lines), expected, "{question}");
    }
    let symbol = stdout(&repository.run(&["symbol", "Shop.settle"]));
    assert!(symbol.contains("used by: none known\n"), "{symbol}");
    assert!(symbol.contains(&format!("  {mentions}\n")), "{symbol}");
    let certain = stdout(&repository.run(&["callers", "alone"]));
    assert!(certain.ends_with(&format!("alone (function app/service.py:16): none\n{VISIBLE}")), "{certain}");
    assert_eq!(code(&repository.run(&["callers", "alone", "--unresolved"])), 1);

    // An update counts like a build.
    repository.write("app/bank.py", &format!("# moved\n{UNKNOWN_RECEIVERS}"));
    let moved = stdout(&repository.run(&["callers", "Bank.settle", "--unresolved"]));
    assert!(moved.starts_with("app/bank.py:3: thing.settle()\n"), "{moved}");
    repository.write("app/bank.py", &UNKNOWN_RECEIVERS.replace("def close(thing)", "def close(thing: Bank)"));
    assert_eq!(repository.rows(&["callers", "Bank.settle"]), rows(&[("close", 1, true)]));
}

#[test]
fn an_unresolved_call_counts_where_names_of_callees_are_marked() {
    let repository = Repository::new();
    let readers = "class Reader { public int Settle(int x) { return x; } }\n\
                   class Other { public int Settle(int x) { return x; } }\n\
                   class User { int Run(dynamic d) { return d.Settle(1); } }\n";
    repository.write("Reader.cs", readers);
    let text = stdout(&repository.run(&["callers", "Reader.Settle"]));
    assert!(text.contains("none known\n") && text.contains("1 line names `Settle`"), "{text}");
    let listed = stdout(&repository.run(&["context", "callers of Reader.Settle", "--format", "text"]));
    assert!(listed.contains("none known; 1 line names `Settle`, not resolved\n"), "{listed}");
    let lines = stdout(&repository.run(&["callers", "Reader.Settle", "--unresolved"]));
    assert!(lines.starts_with("Reader.cs:3: class User"), "{lines}");
}

#[test]
fn calls_that_are_not_resolved_are_counted_among_callees() {
    let repository = Repository::new();
    let source = "def one(x):\n    x.load_it()\n    return missing(x)\n\n\n\
                  def two(x):\n    one(x)\n    x.load_it()\n\n\n\
                  def three():\n    pass\n";
    repository.write("app/called.py", source);
    let none = stdout(&repository.run(&["callees", "one"]));
    assert!(none.starts_with("callees of one (function app/called.py:1): none known\n"), "{none}");
    assert!(none.contains("note: 2 calls in it are not resolved\n"), "{none}");
    let some = stdout(&repository.run(&["callees", "two"]));
    assert!(some.contains(": 1 symbol\n") && some.contains("note: 1 call in it is not resolved\n"), "{some}");
    let certain = stdout(&repository.run(&["callees", "three"]));
    assert!(certain.starts_with("callees of three (function app/called.py:11): none\n"), "{certain}");
}

#[test]
fn lines_that_are_not_parsed_are_named_where_they_may_concern() {
    let repository = Repository::new();
    repository.write("broken.py", "def one():\n    return 1\n\n%%% settle(one) ??? <<\n");
    repository.write("ledger.py", "def settle(x):\n    return x\n");
    let callers = repository.run(&["callers", "settle"]);
    let text = stdout(&callers);
    assert!(text.contains("none known\n") && text.contains("not resolved: 1 line names `settle`"), "{text}");
    let lines = stdout(&repository.run(&["callers", "settle", "--unresolved"]));
    assert_eq!(lines, "broken.py:4: %%% settle(one) ??? <<\n");
    let stats = stdout(&repository.run(&["status", "--skips"]));
    assert!(stats.contains("partly_parsed  broken.py  1 line in syntax errors"), "{stats}");
    assert!(stdout(&repository.run(&["status"])).contains("lines not parsed"));
    // The same after an edit that only moves the line.
    repository.write("broken.py", "# A comment.\ndef one():\n    return 1\n\n%%% settle(one) ??? <<\n");
    let moved = stdout(&repository.run(&["callers", "settle", "--unresolved"]));
    assert_eq!(moved, "broken.py:5: %%% settle(one) ??? <<\n");
    let unknown = stderr(&repository.run(&["callers", "store.absent"]));
    assert!(!unknown.contains("line names it"), "{unknown}");
    repository.write("user.py", "import ledger\n\n\ndef use(q):\n    return q.absent()\n");
    let named = stderr(&repository.run(&["callers", "absent"]));
    assert!(named.contains("1 line names it, user.py:5"), "{named}");
}

/// Returns the lines of the rows of an answer about a repository of these files.
fn answer(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        fs::write(folder.path().join(path), text).unwrap();
    }
    let text = stdout(&run_in(folder.path(), arguments));
    let row = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().filter(|line| line.starts_with("  ")).map(row).collect()
}

#[test]
fn an_override_runs_only_in_the_class_of_the_receiver_and_below() {
    let text = "class Shape:
    def area(self): pass
class Round(Shape):
    def area(self): pass
class Square(Shape):
    def twice(self): self.area()
class Disc(Square, Round):
    pass
class Plate(Square):
    pass
def plate(p: Plate): p.area()
def square(s: Square): s.area()
def shape(s: Shape): s.area()
def both(p: Plate, s: Shape):
    p.area()
    s.area()
";
    let files = [("a.py", text)];
    let callers = answer(&files, &["callers", "Round.area"]);
    let names: Vec<&str> = callers.iter().filter_map(|row| row.split(' ').next()).collect();
    // A disc is a square and round; a plate is not.
    assert_eq!(names, ["Square.twice", "square", "shape", "both"], "{callers:#?}");
    assert_eq!(answer(&files, &["callees", "plate"]).len(), 1);
    assert_eq!(answer(&files, &["callees", "both"]).len(), 2);
    let impact = answer(&files, &["impact", "Round.area"]);
    assert!(impact.len() > 3 && !impact.iter().any(|row| row.starts_with("plate ")), "{impact:?}");
}

#[test]
fn a_call_of_a_table_may_run_its_entries() {
    let files = [
        (
            "t.py",
            "def run(): pass\nTABLE = {'run': run}\ndef go(key):\n    return TABLE[key]()\ndef see(): return TABLE\n",
        ),
        (
            "o.c",
            "struct ops { int (*open)(void); };\nstatic int disk_open(void) { return 0; }\n\
             static struct ops disk = { .open = disk_open };\nint start(void) { return disk.open(); }\n",
        ),
    ];
    assert_eq!(answer(&files, &["callers", "run"]), ["go t.py:3 calls TABLE → refers to, line 4 (may run)"]);
    assert_eq!(answer(&files, &["callers", "disk_open"]), ["start o.c:4 calls disk → refers to, line 4 (may run)"]);
    let callees = answer(&files, &["callees", "go"]);
    assert!(callees.iter().any(|row| row.starts_with("run ") && row.ends_with("(may run)")), "{callees:?}");
    let path = answer(&files, &["path", "go", "run"]);
    assert_eq!(path.len(), 3, "{path:?}");
    let impact = answer(&files, &["impact", "run"]);
    assert!(impact.iter().any(|row| row.starts_with("see ")), "{impact:?}");
}

#[test]
fn an_alias_leads_to_what_it_stands_for() {
    let go = [(
        "a.go",
        "package ex\n\nfunc build(x int) int { return x }\n\nvar Build = build\n\nfunc Use() int { return Build(1) }\n",
    )];
    assert_eq!(answer(&go, &["callers", "build"]), ["Use a.go:7 calls Build → refers to, line 7 (may run)"]);
    let impact = answer(&go, &["impact", "build"]);
    assert!(impact.iter().any(|row| row.starts_with("Use ")), "{impact:?}");
    let typescript = [
        ("a.ts", "export function build(x: number) { return x }\nexport const alias = build\n"),
        ("b.ts", "import { alias } from './a'\nexport function use() { return alias(1) }\n"),
    ];
    let impact = answer(&typescript, &["impact", "build"]);
    assert!(impact.iter().any(|row| row.starts_with("use ")), "{impact:?}");
}

#[test]
fn what_was_read_of_a_file_and_the_edges_of_a_line_are_shown() {
    let repository = Repository::new();
    let facts = stdout(&repository.run(&["why", "--facts", "app/service.py"]));
    for part in [
        "definitions\n  4-5  function fetch\n",
        "1  app.store name FileStore",
        "key in scope",
        "9  call fetch  by handle\n",
        "5  call store.load  by fetch\n",
    ] {
        assert!(facts.contains(part), "{part}: {facts}");
    }
    let edges = stdout(&repository.run(&["why", "--edge", "app/service.py:5"]));
    assert!(
        edges.contains(
            "5  call store.load  by fetch\n    calls app/store.py.Store.load (app/store.py:2), ast_resolved 0.90\n"
        ),
        "{edges}"
    );
    repository.write("app/late.py", "def late(q):\n    return q.absent()\n");
    let unresolved = stdout(&repository.run(&["why", "--edge", "app/late.py:2"]));
    assert!(unresolved.contains("2  call q.absent  by late\n    not resolved: "), "{unresolved}");
    repository.write("Late.java", "class Late { void late() { early(); other.gone(); } void early() {} }\n");
    let calls = stdout(&repository.run(&["why", "--edge", "Late.java:1"]));
    assert!(calls.contains("1  call early()()  by Late.late\n    calls Late.early (Late.java:1)"), "{calls}");
    assert!(calls.contains("1  call other.gone()()  by Late.late\n    not resolved: "), "{calls}");
    let unknown = repository.run(&["why", "--facts", "nothing.py"]);
    assert_eq!(code(&unknown), 2);
    assert!(stderr(&unknown).contains("nothing.py is not an indexed file"), "{}", stderr(&unknown));
    assert_eq!(code(&repository.run(&["why", "--edge", "app/late.py"])), 2);
    let empty = repository.run(&["why", "--edge", "app/late.py:1"]);
    assert_eq!((code(&empty), &*stdout(&empty)), (1, "no reference is on line 1\n"));
    let outside = repository.run(&["why", "--edge", "app/late.py:3"]);
    assert!(stderr(&outside).contains("no line `app/late.py:3`: the file has 2 lines"), "{}", stderr(&outside));
}

#[test]
fn a_format_that_an_answer_does_not_have_is_refused() {
    let repository = Repository::new();
    for arguments in [
        &["callers", "FileStore", "--unresolved", "--format", "json"][..],
        &["impact", "FileStore", "--unresolved", "--limit", "3"],
        &["tests", "FileStore", "--unresolved", "--format", "commands"],
        &["why", "--facts", "app/store.py", "--format", "json"],
        &["why", "--edge", "app/store.py:1", "--format", "json"],
        &["query", "--unused", "--format", "dot"],
    ] {
        let output = repository.run(arguments);
        assert!(
            code(&output) == 2 && stderr(&output).contains("--format") || arguments.contains(&"--limit"),
            "{arguments:?}"
        );
        assert!(stdout(&output).is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_answer_without_users_names_code_that_no_grammar_reads() {
    let repository = Repository::new();
    repository.write("app/page.nim", "void main() { alone(); }\n");
    let none = stdout(&repository.run(&["callers", "alone"]));
    assert!(none.contains(&format!(": none known\n{VISIBLE}note: 1 .nim file (Nim) is not read\n")), "{none}");
    assert!(none.contains("\n1 line has `alone` in files that are not indexed ("), "{none}");
    assert_eq!(
        stdout(&repository.run(&["callers", "alone", "--unresolved"])),
        "app/page.nim:1: void main() { alone(); }  (not indexed)\n"
    );
    let some = stdout(&repository.run(&["callers", "fetch"]));
    assert!(!some.contains("not read"), "{some}");
}

#[test]
fn a_word_that_only_comments_and_texts_have_leads_to_their_lines() {
    let repository = Repository::new();
    repository.write(
        "app/cache.py",
        "LIMIT = 3\n\n\ndef sweep(rows):\n    # The quokka stays.\n    return [row for row in rows if row]\n",
    );
    let answer = repository.run(&["context", "quokka", "--format", "text"]);
    assert_eq!(code(&answer), 0, "{}", stderr(&answer));
    let text = stdout(&answer);
    assert!(text.contains("lines with quokka: 1 symbol") && text.contains("app/cache.py:4-6"), "{text}");
    let why = stdout(&repository.run(&["why", "sweep", "quokka"]));
    assert!(why.contains("line") && why.contains('5') && !why.contains("no word"), "{why}");
    assert_eq!(code(&repository.run(&["context", "zeppelin"])), 1);
    // Names come first: the comment is not looked for.
    let named = stdout(&repository.run(&["context", "store", "--format", "lines"]));
    assert!(!named.contains("lines with"), "{named}");
}
