//! Ways to pass a task, and the notes about it.

use serde_json::Value;

use super::{Shop, code, run_in, stderr, stdout};

#[test]
fn task_is_an_argument_or_an_option() {
    let shop = Shop::new();
    let context = |words: &[&str]| {
        let output = shop.run(&[&["context", "--no-learn"], words].concat());
        assert_eq!(code(&output), 0, "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    let option = context(&["--task", "sessions expire too early"]);
    assert_eq!(context(&["sessions expire too early"]), option);
    assert_eq!(context(&["sessions", "expire", "too", "early"]), option);
    let both = shop.run(&["context", "sessions", "--task", "sessions"]);
    assert_eq!(code(&both), 2, "{}", stderr(&both));
}

#[test]
fn task_may_begin_with_a_hyphen() {
    let shop = Shop::new();
    let task = "--session expires too early";
    for arguments in [
        &["context", "--task", task][..],
        &["context", "--", task],
        &["why", "--task", task, "--symbol", "is_expired"],
        &["why", "--stage", "keywords", "--task", task],
        &["feedback", "--task", task, "--useful", "is_expired"],
    ] {
        let output = shop.run(arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn quoted_task_in_place_of_a_command_opens_the_explorer() {
    let shop = Shop::new();
    let output = shop.run(&["sessions expire too early"]);
    assert!(stderr(&output).contains("the explorer needs a terminal"), "{}", stderr(&output));
    let output = shop.run(&["\u{4f1a}\u{8bdd}\u{8fc7}\u{671f}"]);
    assert!(stderr(&output).contains("the explorer needs a terminal"), "{}", stderr(&output));
    let output = shop.run(&["sessions"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("unrecognized subcommand"), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("tip: for a task of one word: knowing tui --task sessions"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn chinese_japanese_and_korean_words_are_found_in_comments_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = "class UserStore:
    def check(self, name):
        \"\"\"用户登录：检查密码是否正确\"\"\"
        return name

def verify(name):
    \"\"\"비밀번호를 확인한다. 로그인 실패\"\"\"
    return name

def pay(order):
    \"\"\"ユーザーの注文を支払う。パスワードを確認する\"\"\"
    return order

class 用户管理器:
    pass

def 获取用户信息():
    return 1
";
    std::fs::write(folder.path().join("shop.py"), text).unwrap();
    for (task, expected) in [
        ("密码", "check"),
        ("登录失败", "check"),
        ("修复密码错误的问题", "check"),
        ("비밀번호 확인", "verify"),
        ("로그인이 실패한다", "verify"),
        ("パスワードの確認", "pay"),
        ("fix 支払う", "pay"),
        ("管理器", "用户管理器"),
        ("获取用户信息", "获取用户信息"),
    ] {
        let output = run_in(folder.path(), &["context", task, "--format", "lines", "--no-learn"]);
        let first = stdout(&output).lines().next().unwrap_or_default().to_owned();
        assert!(first.contains(expected), "{task}: {first} {}", stderr(&output));
    }
}

#[test]
fn unmatched_words_are_reported() {
    let shop = Shop::new();
    let output = shop.run(&["context", "session throttling before checkout"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("note: no symbol matches throttling\n"), "{}", stderr(&output));
    let output = shop.run(&["context", "chekout with an expired sesion"]);
    let notice = "note: no symbol matches chekout (nearest: checkout), sesion (nearest: session)\n";
    assert!(stderr(&output).contains(notice), "{}", stderr(&output));
    let output = shop.run(&["context", "sesion"]);
    assert!(stderr(&output).contains("no symbol matches sesion (nearest: session)"), "nothing: {}", stderr(&output));
    let output = shop.run(&["context", "sessions expire"]);
    assert!(!stderr(&output).contains("no symbol matches"), "every word is known: {}", stderr(&output));
}

#[test]
fn lines_are_read_by_editors() {
    let shop = Shop::new();
    let output = shop.run(&["context", "`is_expired`", "--format", "lines"]);
    let first = stdout(&output).lines().next().unwrap().to_owned();
    assert!(first.starts_with("shop/session.py:15:9: method Session.is_expired  "), "{first}");
    let found = shop.run(&["query", "is_expired", "--format", "lines"]);
    assert!(stdout(&found).starts_with("shop/session.py:15:9: method Session.is_expired\n"), "{}", stdout(&found));
}

#[test]
fn unknown_concept_is_an_error() {
    let shop = Shop::new();
    let task = ["--task", "sessions expire"];
    for arguments in [
        &["context", "--mute", "SESION"][..],
        &["why", "--symbol", "is_expired", "--mute", "SESION"],
        &["why", "--symbol", "is_expired", "--without-concept", "SESION"],
    ] {
        let output = shop.run(&[arguments, &task].concat());
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{arguments:?}");
        let error = stderr(&output);
        assert!(error.contains("no concept, layer or seed file is called `SESION`; did you mean SESSION"), "{error}");
    }
    for known in ["SESSION", "universal", "graph"] {
        assert_eq!(code(&shop.run(&[&["context", "--mute", known][..], &task].concat())), 0, "{known}");
    }
}

#[test]
fn folder_without_a_supported_language_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.nim"), "int main() => 0;\n").unwrap();
    for arguments in [&["index"][..], &["context", "return"], &["query", "main"]] {
        let output = run_in(folder.path(), arguments);
        assert_eq!(code(&output), 1, "{arguments:?}");
        let notes = stderr(&output);
        assert!(notes.contains("no file in a supported language here (`knowing help languages` lists"), "{notes}");
        assert!(notes.contains("; no grammar for 1 .nim (Nim)\n"), "{notes}");
        assert!(!notes.contains("try other words"), "{notes}");
    }
}

#[test]
fn statistics_count_files_without_a_grammar() {
    let shop = Shop::new();
    let without_grammar = |command: &str| shop.json(&[command, "--format", "json"])["without_grammar"].clone();
    assert_eq!(without_grammar("index"), serde_json::json!({}));
    std::fs::write(shop.root().join("app.nim"), "int main() => 0;\n").unwrap();
    for command in ["index", "status"] {
        assert_eq!(without_grammar(command), serde_json::json!({ "nim": { "language": "Nim", "files": 1 } }));
    }
    let table = stdout(&shop.run(&["status"]));
    assert!(table.contains("files without a grammar") && table.contains(".nim (Nim)"), "{table}");
    std::fs::remove_file(shop.root().join("app.nim")).unwrap();
    assert_eq!(without_grammar("index"), serde_json::json!({}));
}

#[test]
fn default_budget_is_the_same_for_every_request() {
    let shop = Shop::new();
    for request in [["--task", "sessions"], ["--files", "shop/session.py"]] {
        let pack = shop.json(&[&["context", "--format", "json"][..], &request].concat());
        assert_eq!(pack["token_budget"], 8_000);
        let scores: Vec<f64> =
            pack["symbols"].as_array().unwrap().iter().map(|symbol| symbol["score"].as_f64().unwrap()).collect();
        // Without words, the scores are evidence of an order only.
        assert!(request[0] == "--files" || scores.iter().all(|score| *score >= 0.0), "{scores:?}");
    }
}

#[test]
fn components_are_printed_on_request() {
    let shop = Shop::new();
    let pack = shop.json(&["context", "sessions expire", "--format", "json"]);
    assert!(pack["symbols"][0].get("components").is_none(), "{pack}");
    let pack = shop.json(&["context", "sessions expire", "--format", "json", "--explain"]);
    let top = &pack["symbols"][0];
    let components: Vec<f64> =
        top["components"].as_object().unwrap().values().map(|value| value.as_f64().unwrap()).collect();
    assert!(!components.contains(&0.0), "{top}");
    let score = top["score"].as_f64().unwrap();
    assert!((components.iter().sum::<f64>() - score).abs() < 1e-4, "{top}");
    let refused = shop.run(&["context", "sessions", "--explain"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("--explain works with json, markdown, xml"), "{}", stderr(&refused));
}

#[test]
fn more_jobs_than_the_machine_allows_are_not_an_error() {
    let shop = Shop::new();
    let output = shop.run(&["index", "--jobs", "1000", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["files"], 5);
}

#[test]
fn repeated_files_are_ranked_once() {
    let shop = Shop::new();
    let rank = |files: &str| shop.json(&["context", "--no-learn", "--format", "json", "--files", files]);
    let many = vec!["shop/session.py,./shop/cart.py"; 500].join(",");
    assert_eq!(rank(&many), rank("shop/cart.py,shop/session.py"));
}
