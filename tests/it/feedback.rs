//! Feedback through the built program: it applies at once, can be undone, and survives changes of the index.

use std::process::Output;

use serde_json::Value;

use knowing_analysis::model::Task;
use knowing_retrieval::engine::Change;
use knowing_retrieval::engine::inspect::{NameLookup, lookup_name};

use crate::cli::{Shop, code, run_in, stderr, stdout};

const TASK: &str = "sessions expire too early for signed in visitors";
/// Shares more than half of the keywords.
const SIMILAR: &str = "sessions of signed visitors expire late";
const OTHER: &str = "charge the card for a receipt";
const SYMBOL: &str = "Cart.total";

/// Returns the pack of a task without recording it.
fn answer(shop: &Shop, task: &str) -> String {
    stdout(&shop.run(&["context", "--no-learn", "--task", task]))
}

/// Returns the rank of a symbol for a task.
fn rank(shop: &Shop, task: &str, symbol: &str) -> u64 {
    let why = shop.json(&["why", "--task", task, "--symbol", symbol, "--format", "json"]);
    why["rank"]["rank"].as_u64().unwrap_or(u64::MAX)
}

fn feedback(shop: &Shop, arguments: &[&str]) -> Output {
    shop.run(&[&["feedback"], arguments].concat())
}

fn vote(shop: &Shop, option: &str, symbol: &str) {
    let output = feedback(shop, &["--task", TASK, option, symbol]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// Returns kinds and states of the journal's events.
fn journal(shop: &Shop) -> Vec<(String, String)> {
    let output = feedback(shop, &["list", "--format", "json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(|line| (text(line, "event"), text(line, "state"))).collect()
}

#[test]
fn vote_applies_to_similar_tasks_and_can_be_undone() {
    let shop = Shop::new();
    let tasks = [TASK, SIMILAR, OTHER];
    let before = tasks.map(|task| answer(&shop, task));
    let ranks = tasks.map(|task| rank(&shop, task, SYMBOL));
    vote(&shop, "--useful", SYMBOL);
    let voted = tasks.map(|task| rank(&shop, task, SYMBOL));
    assert!(voted[0] < ranks[0] && voted[1] < ranks[1], "{ranks:?} {voted:?}");
    assert_eq!(answer(&shop, OTHER), before[2]);
    let why = stdout(&shop.run(&["why", "--task", SIMILAR, "--symbol", SYMBOL]));
    assert!(why.contains(&format!("useful for \"{TASK}\"")), "{why}");
    assert_eq!(code(&feedback(&shop, &["undo"])), 0);
    assert_eq!(tasks.map(|task| answer(&shop, task)), before);
    assert_eq!(code(&feedback(&shop, &["redo"])), 0);
    assert_eq!(tasks.map(|task| rank(&shop, task, SYMBOL)), voted);
    assert_eq!(code(&feedback(&shop, &["redo"])), 1, "nothing to redo");
}

#[test]
fn clearing_a_negative_vote_restores_the_rank() {
    let shop = Shop::new();
    let symbol = "Session.is_expired";
    let (before, first) = (answer(&shop, TASK), rank(&shop, TASK, symbol));
    vote(&shop, "--not-useful", symbol);
    assert!(rank(&shop, TASK, symbol) > first);
    vote(&shop, "--clear", symbol);
    assert_eq!(answer(&shop, TASK), before);
}

#[test]
fn vote_of_an_earlier_session_can_be_cleared() {
    let shop = Shop::new();
    let before = answer(&shop, TASK);
    let record = |session: &str, option: &str| {
        assert_eq!(code(&feedback(&shop, &["--session", session, "--task", TASK, option, SYMBOL])), 0);
    };
    record("monday", "--useful");
    assert_ne!(answer(&shop, TASK), before);
    record("tuesday", "--clear");
    assert_eq!(answer(&shop, TASK), before);
}

#[test]
fn task_without_keywords_is_rejected() {
    let shop = Shop::new();
    let output = feedback(&shop, &["--task", "what is it?", "--useful", SYMBOL]);
    assert!(code(&output) == 2 && stderr(&output).contains("has no keyword"), "{}", stderr(&output));
    assert_eq!(code(&feedback(&shop, &["list"])), 1);
}

#[test]
fn vote_expires_and_returns_with_its_file() {
    let shop = Shop::new();
    let before = answer(&shop, TASK);
    vote(&shop, "--useful", SYMBOL);
    let voted = answer(&shop, TASK);
    assert_ne!(voted, before);
    let path = shop.root().join("shop/cart.py");
    let source = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{source}# seen\n")).unwrap();
    let rank_edited = rank(&shop, TASK, SYMBOL);
    assert_eq!(journal(&shop), [("vote".to_owned(), "expired".to_owned())]);
    let why = stdout(&shop.run(&["why", "--task", TASK, "--symbol", SYMBOL]));
    assert!(why.contains("expired: their files have changed"), "{why}");
    std::fs::write(&path, &source).unwrap();
    assert_eq!(answer(&shop, TASK), voted);
    assert!(rank(&shop, TASK, SYMBOL) < rank_edited);
}

#[test]
fn vote_applies_while_its_package_is_unchanged() {
    let shop = Shop::new();
    let write = |path: &str, text: &str| std::fs::write(shop.root().join(path), text).unwrap();
    let states = || journal(&shop).into_iter().map(|(_, state)| state).collect::<Vec<String>>();
    vote(&shop, "--useful", SYMBOL);
    write("test_more.py", "from shop.cart import Cart\n\n\ndef test_more():\n    assert Cart().total() == 0\n");
    assert_eq!(states(), ["active"], "a new test changes edges only");
    std::fs::create_dir(shop.root().join("till")).unwrap();
    write("till/open.go", "package till\n\n// RingDrawer opens the drawer.\nfunc RingDrawer() {}\n");
    assert_eq!(code(&feedback(&shop, &["--task", "open the drawer", "--useful", "RingDrawer"])), 0);
    assert_eq!(states(), ["active", "active"]);
    write("till/shut.go", "package till\n\n// Shut shuts it.\nfunc Shut() {}\n");
    assert_eq!(states(), ["active", "expired"], "a Go package is its folder");
    std::fs::remove_file(shop.root().join("till/shut.go")).unwrap();
    assert_eq!(states(), ["active", "active"]);
}

#[test]
fn rebuilt_index_keeps_feedback() {
    let shop = Shop::new();
    vote(&shop, "--useful", SYMBOL);
    let voted = answer(&shop, TASK);
    for arguments in [&["index", "--force"][..], &["index"]] {
        assert_eq!(code(&shop.run(arguments)), 0);
        assert_eq!(answer(&shop, TASK), voted);
    }
    // A database of a newer schema is rebuilt; the journal is copied.
    let exported = stdout(&feedback(&shop, &["export"]));
    let connection = rusqlite::Connection::open(crate::cli::database(&shop.root())).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert_eq!(code(&shop.run(&["index", "--force"])), 0);
    assert_eq!(answer(&shop, TASK), voted);
    assert_eq!(stdout(&feedback(&shop, &["export"])), exported);
}

#[test]
fn journal_is_exported_and_imported() {
    let (one, two) = (Shop::new(), Shop::new());
    vote(&one, "--useful", SYMBOL);
    vote(&one, "--not-useful", "charge");
    let lines = stdout(&feedback(&one, &["export"]));
    assert_eq!(lines.lines().count(), 2);
    let before = answer(&two, TASK);
    let file = two.root().join("feedback.jsonl");
    std::fs::write(&file, &lines).unwrap();
    let import = || feedback(&two, &["import", file.to_str().unwrap()]);
    assert_eq!(code(&import()), 0);
    assert_eq!(answer(&two, TASK), answer(&one, TASK));
    assert_eq!(code(&import()), 1, "nothing in it is new");
    assert_eq!(code(&feedback(&two, &["undo"])), 0);
    std::fs::write(&file, format!("{lines}{lines}")).unwrap();
    let output = import();
    assert!(stderr(&output).contains("imported 2 entries; `knowing feedback undo 3`"), "{}", stderr(&output));
    assert_eq!(code(&feedback(&two, &["undo"])), 0);
    assert_eq!(answer(&two, TASK), before);
    std::fs::write(&file, "{\"act\":").unwrap();
    let output = import();
    assert!(code(&output) == 2 && stderr(&output).contains("line 1 of the import is invalid"), "{}", stderr(&output));
    std::fs::write(&file, " \n").unwrap();
    let output = import();
    assert!(code(&output) == 2 && stderr(&output).contains("has no lines to import"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_imported() {
    let shop = Shop::new();
    crate::hostile::git::pipe(&shop.root().join("pipe"));
    let output = crate::hostile::git::run(&shop.root(), &["feedback", "import", "pipe"]);
    assert!(code(&output) == 2 && stderr(&output).contains("is not a regular file"), "{}", stderr(&output));
}

#[test]
fn import_reports_undo_and_expired_events() {
    let shop = Shop::new();
    vote(&shop, "--useful", SYMBOL);
    let voted = answer(&shop, TASK);
    let line = stdout(&feedback(&shop, &["export"]));
    let root = line.split("package_root\":\"").nth(1).unwrap().split('"').next().unwrap();
    let other_repository = line.replace("\"vote\",", "\"open\",").replace(root, &"7".repeat(64));
    let file = shop.root().join("feedback.jsonl");
    std::fs::write(&file, other_repository).unwrap();
    let output = feedback(&shop, &["import", file.to_str().unwrap()]);
    let said = stderr(&output);
    assert!(
        said.contains("imported 1 entry; `knowing feedback undo 2`") && said.contains("1 of them expired"),
        "{said}"
    );
    let elsewhere =
        line.replace("\"repository\":\"shop\"", "\"repository\":\"other\"").replace("\"vote\",", "\"copy\",");
    std::fs::write(&file, elsewhere).unwrap();
    let said = stderr(&feedback(&shop, &["import", file.to_str().unwrap()]));
    assert!(said.contains("1 of them expired"), "{said}");
    // Undo without an id skips events inferred from use.
    for entry in ["3", "2"] {
        assert_eq!(code(&feedback(&shop, &["undo", entry])), 0);
    }
    assert_eq!(answer(&shop, TASK), voted);
    let output = feedback(&shop, &["undo", "99"]);
    assert!(code(&output) == 1 && stderr(&output).contains("no entry 99 to undo"), "{}", stderr(&output));
}

#[test]
fn term_is_forgotten_as_listed() {
    let shop = Shop::new();
    for task in ["databases stuck", "slow databases"] {
        assert_eq!(code(&feedback(&shop, &["--task", task, "--useful", SYMBOL])), 0);
    }
    let list = stdout(&shop.run(&["feedback", "terms", "list"]));
    assert!(list.contains("databas "), "{list}");
    assert_eq!(code(&shop.run(&["feedback", "terms", "forget", "databas"])), 0);
    let list = stdout(&shop.run(&["feedback", "terms", "list"]));
    assert!(!list.contains("databas"), "{list}");
    let entries = stdout(&feedback(&shop, &["list"]));
    assert!(entries.contains("databas "), "the event shows the forgotten term: {entries}");
}

#[test]
fn symbol_names_are_resolved_as_for_why() {
    let shop = Shop::new();
    let output = feedback(&shop, &["--task", TASK, "--useful", "__init__"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("shop/cart.py.Cart.__init__"), "{}", stderr(&output));
    let output = feedback(&shop, &["--task", TASK, "--useful", "is_expird"]);
    assert!(code(&output) == 1 && stderr(&output).contains("did you mean"), "{}", stderr(&output));
    assert_eq!(code(&feedback(&shop, &["--task", TASK])), 2);
    assert_eq!(code(&feedback(&shop, &["--task", TASK, "--useful", SYMBOL, "--not-useful", SYMBOL])), 2);
    assert_eq!(code(&feedback(&shop, &["list"])), 1, "nothing was recorded");
}

#[test]
fn printing_answers_records_no_feedback() {
    let shop = Shop::new();
    let before = answer(&shop, TASK);
    vote(&shop, "--useful", "Session.is_expired");
    for task in [TASK, OTHER, TASK, OTHER] {
        assert_eq!(code(&shop.run(&["context", "--task", task])), 0);
    }
    assert_eq!(journal(&shop).len(), 1, "only the vote");
    assert_eq!(code(&feedback(&shop, &["undo"])), 0);
    assert_eq!(answer(&shop, TASK), before);
}

#[test]
fn terms_are_learned_and_forgotten() {
    let shop = Shop::new();
    let learned = || {
        let output = shop.run(&["feedback", "terms", "list", "--format", "json"]);
        let list: Value = serde_json::from_slice(&output.stdout).unwrap();
        let words = list.as_array().unwrap().iter().filter(|word| word["weight"].as_f64().unwrap() > 0.0);
        words.map(|word| word["keyword"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    let till = "the till is stuck at noon";
    let before = answer(&shop, till);
    for task in ["ring up the till twice", "empty till drawer"] {
        assert_eq!(code(&feedback(&shop, &["--task", task, "--useful", "Cart.checkout"])), 0);
    }
    assert_eq!(learned(), ["till"]);
    assert!(answer(&shop, till).contains("checkout"), "the term leads to the symbol in another task");
    let lines = stdout(&shop.run(&["feedback", "terms", "export"]));
    assert!(lines.lines().any(|line| line.contains("\"till\"")), "{lines}");
    assert_eq!(code(&shop.run(&["feedback", "terms", "forget", "tills"])), 0);
    assert_eq!((learned(), answer(&shop, till)), (vec![], before));
    assert_eq!(code(&shop.run(&["feedback", "undo"])), 0);
    assert_eq!(learned(), ["till"]);

    let other = Shop::new();
    let file = other.root().join("words.jsonl");
    std::fs::write(&file, lines).unwrap();
    assert_eq!(code(&other.run(&["feedback", "terms", "import", file.to_str().unwrap()])), 0);
    let imported = answer(&other, till);
    assert!(imported.contains("checkout"));
    assert_eq!(code(&other.run(&["feedback", "terms", "import", file.to_str().unwrap()])), 1, "it is known already");
    assert_eq!(answer(&other, till), imported);
}

#[test]
fn two_votes_lead_the_next_task_with_their_word_to_the_symbol() {
    let shop = Shop::new();
    let mut text = String::from("def open_drawer(coin):\n    return coin\n\n\n");
    for number in 0..60 {
        text += &format!("def till_{number}(slot):\n    \"\"\"Counts the till at noon.\"\"\"\n    return slot\n\n\n");
    }
    std::fs::write(shop.root().join("shop/till.py"), text).unwrap();
    let third = "the till is stuck at noon";
    let rank = || {
        let why: Value =
            serde_json::from_slice(&shop.run(&["why", "open_drawer", third, "--format", "json"]).stdout).unwrap();
        assert!(why["rank"].is_null() || (sum(&why) - why["rank"]["score"].as_f64().unwrap()).abs() < 1e-9, "{why}");
        (why["rank"]["rank"].as_u64(), why["reason"]["sentence"].as_str().unwrap().to_owned())
    };
    assert!(rank().0.is_none_or(|rank| rank > 10));
    for task in ["ring up the till twice", "empty till coins"] {
        assert!(rank().0.is_none_or(|rank| rank > 10), "one vote is a single observation");
        assert_eq!(code(&feedback(&shop, &["--task", task, "--useful", "open_drawer"])), 0);
    }
    let (rank, sentence) = rank();
    assert!(rank.is_some_and(|rank| rank <= 10), "{rank:?}");
    assert!(sentence.contains("\"till\" led to it twice before"), "{sentence}");
    let list = stdout(&shop.run(&["feedback", "terms", "list"]));
    assert!(list.contains("till ") && !list.contains(" 0.00 "), "{list}");
}

#[test]
fn votes_are_evidence_and_no_more_for_a_symbol_that_has_the_word() {
    let shop = Shop::new();
    let mut text = String::new();
    for number in 0..60 {
        text += &format!("def drawer_{number}(slot):\n    \"\"\"Counts the till at noon.\"\"\"\n    return slot\n\n\n");
    }
    text += "def last(slot):\n    return \"till\"\n";
    std::fs::write(shop.root().join("shop/till.py"), text).unwrap();
    for task in ["ring up the till twice", "empty till coins"] {
        assert_eq!(code(&feedback(&shop, &["--task", task, "--useful", "last"])), 0);
    }
    let output = shop.run(&["why", "last", "the till is stuck at noon", "--format", "json"]);
    let why: Value = serde_json::from_slice(&output.stdout).unwrap();
    let components = why["rank"]["components"].as_array().unwrap();
    let learned = components.iter().find(|component| component["name"] == "learned").unwrap();
    let [value, contribution] = ["value", "contribution"].map(|key| learned[key].as_f64().unwrap());
    assert!(value > 0.0 && (contribution - 0.5 * value).abs() < 1e-3, "{learned}");
}

/// Returns the sum of the components of an explained score.
fn sum(why: &Value) -> f64 {
    let components = why["rank"]["components"].as_array().unwrap().iter();
    components.map(|component| component["contribution"].as_f64().unwrap()).sum()
}

#[test]
fn feedback_is_recorded_in_a_chosen_database() {
    let shop = Shop::new();
    let database = shop.root().join("elsewhere.db");
    let run = |arguments: &[&str]| run_in(&shop.root(), &[&["--db", database.to_str().unwrap()], arguments].concat());
    assert_eq!(code(&run(&["feedback", "--task", TASK, "--useful", SYMBOL])), 0);
    assert!(!crate::cli::database(&shop.root()).exists());
    assert_eq!(stdout(&run(&["feedback", "list"])).lines().count(), 2);
}

#[test]
fn hypothetical_vote_ranks_like_a_real_one() {
    let shop = Shop::new();
    let mut engine = crate::cli::open(&shop.root());
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let task = Task::from_text(TASK);
    let rank_now = || ranker.rank(&task, &|| false).unwrap().unwrap();
    let before = rank_now();
    let NameLookup::One(symbol) = lookup_name(ranker.reader(), SYMBOL).unwrap() else {
        panic!("{SYMBOL} is one symbol")
    };
    let change = Change::Vote { symbol: symbol.id, useful: true };
    let expected = ranker.rank(&change.apply(&task), &|| false).unwrap().unwrap();
    let moves = ranker.moves(&before, &expected, 10).unwrap();
    assert!(moves.iter().any(|moved| moved.node == symbol.node && moved.after < moved.before), "{moves:?}");
    assert_eq!(rank_now().symbols, before.symbols, "a counterfactual changes nothing");
    // Another process votes; the open ranker applies it.
    vote(&shop, "--useful", SYMBOL);
    assert_eq!(rank_now().symbols, expected.symbols);
    let against = Change::Vote { symbol: symbol.id, useful: false };
    let expected = ranker.rank(&against.apply(&task), &|| false).unwrap().unwrap();
    vote(&shop, "--not-useful", SYMBOL);
    assert_eq!(rank_now().symbols, expected.symbols);

    let why = ["why", "--task", OTHER, "--symbol", "charge", "--with-vote", "not-useful", "--without-concept", "graph"];
    let text = stdout(&shop.run(&why));
    assert!(text.contains("with a not-useful vote  #") && text.contains("without graph  #"), "{text}");
}
