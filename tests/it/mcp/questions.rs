//! Answers to questions about the structure: rows by file, the rest of an answer, names that few or no symbols have.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::client::{Client, LEGACY};
use crate::cli::answers::repository;

const CONTEXT: &str = "knowing_context";
const SYMBOL: &str = "knowing_symbol";

/// Returns a function that is called from many functions of two files.
fn called_often() -> Vec<(&'static str, String)> {
    let mut callers = "from load import load\n".to_owned();
    for number in 0..60 {
        write!(callers, "\n\ndef use_{number}():\n    return load({number})\n").unwrap();
    }
    let other = "from load import load\n\n\ndef other():\n    return load(99)\n";
    vec![("load.py", "def load(x):\n    return x\n".to_owned()), ("many.py", callers), ("one.py", other.to_owned())]
}

fn start(files: &[(&str, String)]) -> (tempfile::TempDir, Client) {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = repository(&files);
    let client = Client::start(folder.path(), LEGACY);
    (folder, client)
}

#[test]
fn rows_of_one_file_have_its_path_once() {
    let (_folder, mut client) = start(&called_often());
    let text = client.text(SYMBOL, json!({ "symbol": "load", "question": "callers", "budget": 5000 }));
    assert!(text.contains("\n  many.py\n    use_0:4  calls, line 5: return load(0)\n    use_1:8  calls"), "{text}");
    assert!(text.contains("\n  other  one.py:4  calls, line 5: return load(99)\n"), "{text}");
    assert_eq!(text.matches("many.py").count(), 1, "{text}");
    let details = client.text(SYMBOL, json!({ "symbol": "load", "budget": 5000 }));
    assert_eq!(details.matches("many.py").count(), 1, "{details}");
}

#[test]
fn the_rest_of_an_answer_goes_on_where_it_was_cut() {
    let (_folder, mut client) = start(&called_often());
    // The first answer has a note on the first index.
    client.text(SYMBOL, json!({ "symbol": "load" }));
    let task = "who calls load";
    let names = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.contains("  calls, line"));
        rows.map(|line| line.trim().split([':', ' ']).next().unwrap_or_default().to_owned()).collect()
    };
    let first = client.text(CONTEXT, json!({ "task": task, "budget": 500 }));
    assert!(first.contains("farther or less certain (call again with `detail` more)"), "{first}");
    let more = client.text(CONTEXT, json!({ "task": task, "detail": "more", "budget": 500 }));
    assert!(more.contains("rows were sent before"), "{more}");
    let rest = client.text(CONTEXT, json!({ "task": task, "detail": "more" }));
    let all: Vec<String> = [names(&first), names(&more), names(&rest)].concat();
    assert!(!names(&more).is_empty() && !names(&rest).is_empty(), "{first}\n{more}\n{rest}");
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "nothing is repeated: {all:?}");
    assert_eq!(all.len(), 61, "{all:?}");
    let last = client.text(CONTEXT, json!({ "task": task, "detail": "more" }));
    assert!(last.contains("all of it was sent before"), "{last}");
    // The same request may be that of a sub-agent, which has seen nothing.
    assert_eq!(client.text(CONTEXT, json!({ "task": task, "budget": 500 })), first);
}

#[test]
fn what_is_left_out_of_lines_that_name_a_symbol_says_what_it_is() {
    let unknown: String = (0..20).map(|number| format!("\n\ndef f{number}(a):\n    a.send({number})\n")).collect();
    let comments: String = (0..9).map(|number| format!("# how to send {number}\n")).collect();
    let client = "class Client:\n    def send(self, x):\n        return x\n\n\nClient().send(1)\n".to_owned();
    let page = "function page(client) {\n  client.send(1);\n}\n".to_owned();
    let files = [("client.py", client), ("use.py", unknown), ("notes.py", comments), ("a.js", page)];
    let (_folder, mut client) = start(&files);
    let text = client.text(SYMBOL, json!({ "symbol": "Client.send", "question": "callers" }));
    assert!(text.contains("  use.py\n    4: a.send(0)\n"), "{text}");
    assert!(text.contains("… 8 more: not resolved\n"), "{text}");
    assert!(text.contains("… 1 more in other languages\n") && !text.contains("a.js"), "{text}");
}

#[test]
fn lines_of_tests_that_name_a_symbol_come_before_distant_tests() {
    let store = "class Store:\n    def save(self):\n        return 1\n\n\ndef near():\n    return Store().save()\n\n\n\
        def middle():\n    return near()\n";
    let far = "from store import middle\n\n\ndef test_far():\n    assert middle()\n";
    let named = "def test_named(shop):\n    assert shop.save()\n";
    let files = [("store.py", store.to_owned()), ("test_far.py", far.to_owned()), ("test_named.py", named.to_owned())];
    let (_folder, mut client) = start(&files);
    let answer = client.call(SYMBOL, json!({ "symbol": "Store.save", "question": "tests" }));
    let text = super::client::text(&answer);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(
        at("tests that name it, not resolved\n  test_named.py  line 2\n") < at("test_far  test_far.py:4"),
        "{text}"
    );
    assert!(text.contains("run (tests that name it): pytest test_named.py\n"), "{text}");
    let record = &answer["structuredContent"]["answer"];
    assert_eq!(record["file_commands"], json!(["pytest test_named.py"]));
    assert_eq!(record["unresolved_lines"][0]["is_test"], true);
}

#[test]
fn a_file_whose_tests_are_listed_has_no_command_of_its_own() {
    let store = "class Store:\n    def save(self):\n        return 1\n".to_owned();
    let test =
        "from store import Store\n\n\ndef test_save(shop):\n    assert Store().save()\n    shop.save()\n".to_owned();
    let (_folder, mut client) = start(&[("store.py", store), ("test_store.py", test)]);
    let text = client.text(SYMBOL, json!({ "symbol": "Store.save", "question": "tests" }));
    assert!(text.contains("tests that name it, not resolved\n  test_store.py  line 6\n"), "{text}");
    assert!(text.contains("run: ") && !text.contains("run ("), "{text}");
}

#[test]
fn the_lines_of_a_file_of_tests_that_were_left_out_follow() {
    let store = "class Store:\n    def save(self):\n        return 1\n".to_owned();
    let tests: String = (0..15).map(|number| format!("def test_{number}(shop):\n    shop.save()\n\n\n")).collect();
    let (_folder, mut client) = start(&[("store.py", store), ("test_many.py", tests)]);
    let task = "tests for Store.save";
    let first = client.text(CONTEXT, json!({ "task": task }));
    assert!(first.contains("  test_many.py  lines 2, 6,") && first.contains(", 46 and 3 more\n"), "{first}");
    let more = client.text(CONTEXT, json!({ "task": task, "detail": "more" }));
    assert!(more.contains("12 lines were sent before\n"), "{more}");
    assert!(more.contains("  test_many.py  lines 50, 54, 58\n"), "{more}");
    let last = client.text(CONTEXT, json!({ "task": task, "detail": "more" }));
    assert!(last.contains("none known\nall of it was sent before\n"), "lines remain unknown: {last}");
}

#[test]
fn tests_with_the_same_relation_are_on_one_line_and_distant_ones_are_counted() {
    let app = "def run():\n    return 1\n\n\ndef two():\n    return run()\n\n\ndef three():\n    return two()\n\n\n\
        def four():\n    return three()\n";
    let tests = |name: &str| -> String {
        let test = |number: usize| format!("\n\ndef test_{name}_{number}():\n    assert {name}()\n");
        format!("from app import {name}\n") + &(0..12).map(test).collect::<String>()
    };
    let (near, far) = (tests("two"), tests("four"));
    let (_folder, mut client) = start(&[("app.py", app.to_owned()), ("test_a.py", near), ("test_b.py", far)]);
    client.text(SYMBOL, json!({ "symbol": "run" }));
    let task = "tests for run";
    let text = client.text(CONTEXT, json!({ "task": task }));
    assert!(text.contains("test_two_0:4, test_two_1:8") && text.contains("test_two_5:24  calls two\n"), "{text}");
    assert!(!text.contains("test_four_0") && text.contains("… 12 more, farther or less certain (call again"), "{text}");
    let more = client.text(CONTEXT, json!({ "task": task, "detail": "more" }));
    assert!(more.contains("test_four_0") && !more.contains("test_two_0"), "{more}");
    let whole = client.text(SYMBOL, json!({ "symbol": "run", "question": "tests", "budget": 5000 }));
    assert!(whole.contains("test_four_11") && whole.contains("test_two_0"), "{whole}");
}

#[test]
fn a_name_that_two_symbols_have_is_answered_for_both() {
    let one = "def load():\n    return 1\n\n\ndef first():\n    return load()\n".to_owned();
    let two = "def load():\n    return 2\n\n\ndef second():\n    return load()\n".to_owned();
    let third = "def third(store):\n    return store.load()\n".to_owned();
    let (_folder, mut client) = start(&[("one.py", one), ("two.py", two), ("third.py", third)]);
    let answer = client.call(CONTEXT, json!({ "task": "who calls load" }));
    let text = super::client::text(&answer);
    assert!(text.contains("first") && text.contains("second") && text.matches("callers of").count() == 2, "{text}");
    assert_eq!(answer["structuredContent"]["kind"], "answer");
    assert_eq!(text.matches("store.load()").count(), 1, "the lines of a name are there once: {text}");
    assert!(text.contains("note: 1 line that names it is above\n"), "{text}");
}

#[test]
fn only_the_lines_that_are_above_are_left_out_of_a_later_answer() {
    let cache =
        "class Cache:\n    def load(self, key):\n        return key\n\n    def save(self, key):\n        return key\n";
    let uses = "def one(c):\n    c.save(c.load(1))\n\n\ndef two(c):\n    c.save(2)\n\n\ndef three(c):\n    c.save(3)\n";
    let (_folder, mut client) = start(&[("cache.py", cache.to_owned()), ("uses.py", uses.to_owned())]);
    let answer = client.call(SYMBOL, json!({ "symbol": ["Cache.load", "Cache.save"], "question": "callers" }));
    let text = super::client::text(&answer);
    assert_eq!(text.matches("c.save(c.load(1))").count(), 1, "{text}");
    assert!(text.contains("6: c.save(2)\n") && text.contains("10: c.save(3)\n"), "{text}");
    assert!(text.contains("note: 1 line that names it is above\n"), "{text}");
    assert!(text.contains("not resolved: 3 lines name `save`\n"), "all are counted: {text}");
    assert_eq!(answer["structuredContent"]["symbols"][1]["answer"]["unresolved"], 3);
}

#[test]
fn the_rest_of_answers_about_symbols_of_one_name_is_that_of_each() {
    let load = "def load(x):\n    return x\n".to_owned();
    let body = "return one.load(1), two.load(2)";
    let users: String = (0..40).map(|number| format!("\n\ndef use_{number}():\n    {body}\n")).collect();
    let files = [("one.py", load.clone()), ("two.py", load), ("many.py", format!("import one\nimport two\n{users}"))];
    let (_folder, mut client) = start(&files);
    client.text(SYMBOL, json!({ "symbol": "one.load" }));
    let mut rows: [Vec<String>; 2] = Default::default();
    let mut request = json!({ "task": "who calls load", "budget": 700 });
    for _ in 0..6 {
        let text = client.text(CONTEXT, request.clone());
        let answers: Vec<&str> = text.split("callers of ").skip(1).collect();
        assert_eq!(answers.len(), 2, "{text}");
        for (rows, answer) in rows.iter_mut().zip(answers) {
            let of_answer = answer.lines().filter(|line| line.contains("  calls, line"));
            rows.extend(of_answer.map(|line| line.trim().split([':', ' ']).next().unwrap_or_default().to_owned()));
        }
        request = json!({ "task": "who calls load", "detail": "more", "budget": 2000 });
    }
    for rows in rows {
        let different: BTreeSet<&String> = rows.iter().collect();
        assert_eq!((rows.len(), different.len()), (40, 40), "{rows:?}");
    }
}

#[test]
fn an_answer_names_the_way_to_rows_beyond_its_limit() {
    let users: String =
        (0..120).map(|number| format!("\n\ndef use_{number}():\n    return load({number})\n")).collect();
    let load = "def load(x):\n    return x\n".to_owned();
    let (_folder, mut client) = start(&[("load.py", load), ("many.py", format!("from load import load\n{users}"))]);
    let text = client.text(SYMBOL, json!({ "symbol": "load", "question": "callers", "budget": 20_000 }));
    assert!(text.contains("… 20 more, farther or less certain\n"), "a larger budget shows no more: {text}");
    let task = "who calls load";
    let first = client.text(CONTEXT, json!({ "task": task, "budget": 20_000 }));
    assert!(first.contains("… 20 more, farther or less certain (call again with `detail` more)\n"), "{first}");
    let rest = client.text(CONTEXT, json!({ "task": task, "detail": "more" }));
    assert!(rest.contains("100 rows were sent before\n"), "{rest}");
    assert_eq!(rest.matches("  calls, line").count(), 20, "{rest}");
}

#[test]
fn an_unknown_name_is_told_and_its_lines_are_found() {
    let app = "import os\n\n\ndef run():\n    return os.environ.get(\"APP_MODE\"), \"--dry-run\"\n".to_owned();
    let (_folder, mut client) = start(&[("app.py", app), ("registry.py", "def registry():\n    pass\n".to_owned())]);
    let unknown = client.text(CONTEXT, json!({ "task": "does ZorkRegistry validate its input" }));
    assert!(unknown.contains("no symbol matches ZorkRegistry") && !unknown.contains("registry, zork"), "{unknown}");
    let option = client.text(CONTEXT, json!({ "task": "where is the dry-run flag set?" }));
    assert!(option.contains("1 line has the text") && option.contains("app.py:5  in run"), "{option}");
    let member = client.text(CONTEXT, json!({ "task": "who reads Request.APP_MODE" }));
    assert!(member.contains("of `APP_MODE`, 1 line has the text:\n  app.py:5  in run"), "{member}");
    let pronoun = client.text(CONTEXT, json!({ "task": "does it run registry" }));
    assert!(!pronoun.contains("`it`"), "{pronoun}");
}

#[test]
fn an_unknown_revision_is_an_error_with_the_way_out() {
    let (folder, mut client) = start(&called_often());
    let task = json!({ "task": "tests for the changes since nowhere~2" });
    assert!(client.error(CONTEXT, task.clone()).contains("git repository"));
    crate::state::git(folder.path(), &["init", "--quiet"]);
    crate::state::git(folder.path(), &["add", "."]);
    crate::state::git(folder.path(), &["commit", "--quiet", "--message", "all"]);
    let mut client = Client::start(folder.path(), LEGACY);
    let error = client.error(CONTEXT, task);
    assert!(error.contains("`nowhere~2` is not a branch, tag, commit") && error.contains("git branch"), "{error}");
    let known = client.text(CONTEXT, json!({ "task": "tests for the changes since HEAD" }));
    assert!(known.starts_with("tests of the changes since HEAD"), "{known}");
}

#[test]
fn a_way_is_found_from_any_of_many_symbols_of_a_name() {
    let main = |body: &str| format!("def main():\n    return {body}\n");
    let mut files = vec![("goal.py", "def goal():\n    return 1\n".to_owned())];
    files.extend(["a.py", "b.py", "c.py", "d.py"].map(|path| (path, main("2"))));
    files.push(("lonely.py", "def lonely():\n    return 1\n".to_owned()));
    files.push(("e.py", format!("from goal import goal\n\n\n{}", main("goal()"))));
    let (_folder, mut client) = start(&files);
    let text = client.text(CONTEXT, json!({ "task": "is goal reachable from main" }));
    assert!(text.contains("path from main to goal: 1 step\n  main  e.py:4\n  calls goal  goal.py:1\n"), "{text}");
    assert!(text.contains("note: 5 symbols are called `main`: the way is from the nearest"), "{text}");
    let found = client.call(CONTEXT, json!({ "task": "is goal reachable from main" }));
    assert_eq!(found["structuredContent"]["answer"]["subjects"][0]["file"], "e.py");
    let none = client.text(CONTEXT, json!({ "task": "is lonely reachable from main" }));
    assert!(none.contains("none of the 5 symbols called `main` is known to lead to it"), "{none}");
    assert!(!none.contains("nearest"), "{none}");
}

#[test]
fn lines_that_read_a_setting_come_before_others_with_its_name() {
    let app = "# APP_MODE says how\n\n\ndef mode(env):\n    return env[\"APP_MODE\"]\n".to_owned();
    let test = "def test_mode(env):\n    assert env[\"APP_MODE\"]\n".to_owned();
    let (_folder, mut client) = start(&[("app.py", app), ("test_app.py", test)]);
    let text = client.text(SYMBOL, json!({ "symbol": "APP_MODE" }));
    let order = ["app.py:5  in mode", "app.py:1: # APP_MODE", "test_app.py:2  in test_mode"];
    let at = order.map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}")));
    assert!(at.is_sorted(), "{text}");
}

#[test]
fn a_line_of_other_code_is_found_behind_many_of_tests() {
    let app = "# APP_MODE says how\n\n\ndef mode(env):\n    return env\n".to_owned();
    let tests: String = (0..20).map(|_| "\n\ndef test_mode(env):\n    assert env[\"APP_MODE\"]\n").collect();
    let (_folder, mut client) = start(&[("a_test.py", tests), ("b.py", app)]);
    let text = client.text(SYMBOL, json!({ "symbol": "APP_MODE" }));
    assert!(text.contains("b.py:1: # APP_MODE") && text.contains("… 9 more\n"), "{text}");
}

#[test]
fn a_type_has_the_members_that_it_inherits() {
    let base = "class Base:\n    def open(self):\n        return 1\n\n\nclass Shop(Base):\n    pass\n".to_owned();
    let (_folder, mut client) = start(&[("base.py", base)]);
    let text = client.text(SYMBOL, json!({ "symbol": "Shop.open" }));
    assert!(text.contains("Base.open  method base.py:2-3\n"), "{text}");
    assert!(client.error(SYMBOL, json!({ "symbol": "Shop.close" })).contains("no symbol is called"), "{text}");
}

#[test]
fn of_unrelated_bases_with_a_member_none_is_taken_for_the_other() {
    let base = "class Base:\n    size = 0\n    kind = 0\n\n\nclass One(Base):\n    size = 1\n\n\n";
    let shop = "class Two:\n    kind = 2\n\n\nclass Shop(Two, One):\n    pass\n";
    let door =
        "interface Opens { wide: number }\nclass Door { wide = 1 }\nclass Gate extends Door implements Opens {}\n";
    let (_folder, mut client) = start(&[("shop.py", format!("{base}{shop}")), ("gate.ts", door.to_owned())]);
    let size = client.text(SYMBOL, json!({ "symbol": "Shop.size" }));
    assert!(size.contains("One.size  field") && !size.contains("are called"), "it overrides that of its base: {size}");
    let kind = client.text(SYMBOL, json!({ "symbol": "Shop.kind" }));
    assert!(kind.contains("note: 2 symbols are called `Shop.kind`"), "{kind}");
    assert!(kind.contains("Two.kind  field") && kind.contains("Base.kind  field"), "{kind}");
    let wide = client.text(SYMBOL, json!({ "symbol": "Gate.wide" }));
    assert!(wide.contains("Door.wide  field") && !wide.contains("are called"), "a class goes first: {wide}");
}

#[test]
fn structured_rows_keep_their_shape() {
    let (_folder, mut client) = start(&called_often());
    let answer = client.call(SYMBOL, json!({ "symbol": "load", "question": "callers", "budget": 9000 }));
    let rows: &Vec<Value> = answer["structuredContent"]["answer"]["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["file"].is_string() && row["line"].is_u64()), "{answer}");
}
