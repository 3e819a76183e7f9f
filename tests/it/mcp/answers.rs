//! Answers: packs, deltas, symbols, errors with the next step, steering, the journal.

use std::fs;

use knowing_retrieval::engine::FeedbackEvent;
use knowing_retrieval::exchange::{
    Exchange, Outcome, RequestJournal, RequestSubject, SentPack, SteeredSymbol, SteeringEntry, SteeringScope,
};
use serde_json::{Value, json};

use super::client::{Client, LEGACY, STATELESS, text};
use crate::cli::{Shop, program};

const CONTEXT: &str = "knowing_context";
const SYMBOL: &str = "knowing_symbol";
const TASK: &str = "sessions expire too early";

fn start() -> (Shop, Client) {
    let shop = Shop::new();
    let client = Client::start(&shop.root(), LEGACY);
    (shop, client)
}

fn exchange(shop: &Shop) -> Exchange {
    Exchange::for_engine(&crate::cli::open(&shop.root()))
}

fn symbol(shop: &Shop, name: &str) -> SteeredSymbol {
    let reader = crate::cli::open(&shop.root()).reader().unwrap();
    let symbols = reader.symbols_named(name, 9).unwrap();
    SteeredSymbol::new(&symbols[0])
}

#[test]
fn a_pack_has_numbered_source_within_its_budget() {
    let (shop, mut client) = start();
    let result = client.call(CONTEXT, json!({ "task": TASK, "budget": 900 }));
    let (text, structured) = (text(&result), &result["structuredContent"]);
    let source = fs::read_to_string(shop.root().join("shop/session.py")).unwrap();
    let line = source.lines().position(|line| line.contains("def is_expired")).unwrap() + 1;
    assert!(text.contains(&format!("{line}\t    def is_expired")), "{text}");
    assert_eq!(structured["tokens"], knowing_analysis::text::tokens::count(&text));
    assert!(structured["tokens"].as_u64().unwrap() <= 900);
    assert!(knowing_analysis::text::tokens::count(&structured.to_string()) <= 924, "{structured}");
    let first = &structured["symbols"][0];
    assert!(first["source"].as_str().is_some() && first["file"] == "shop/session.py", "{structured}");
    let mut same = Client::start(&shop.root(), LEGACY);
    let again = same.call(CONTEXT, json!({ "task": TASK, "budget": 900 }));
    assert_eq!(again["structuredContent"]["symbols"], structured["symbols"]);
    let cli = shop.run(&["context", TASK, "--format", "text", "--budget", "780", "--no-learn"]);
    let pack = text.split_once("# ").unwrap().1;
    assert_eq!(String::from_utf8(cli.stdout).unwrap().trim_start_matches("# "), pack, "the twin prints the same");
}

#[test]
fn an_answer_has_places_before_sources_and_no_hash() {
    let (_shop, mut client) = start();
    let text = client.text(CONTEXT, json!({ "task": "sessions expire too early, frobnicated" }));
    let line =
        |part: &str| text.lines().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {text}"));
    let head = line("# places for");
    let missing = line("# no symbol matches");
    let place = line("method Session.is_expired");
    let source = line("\t    def is_expired");
    assert!(head < missing && missing < place && place < source, "{text}");
    assert!(text.lines().nth(place).unwrap().starts_with("shop/session.py:"), "{text}");
    assert!(!text.contains("sha256:"), "{text}");
}

#[test]
fn more_of_an_answer_repeats_nothing_but_what_was_edited() {
    let (shop, mut client) = start();
    let task = json!({ "task": TASK, "budget": 260 });
    let first = client.text(CONTEXT, task.clone());
    let more = json!({ "task": TASK, "detail": "more" });
    let rest = client.text(CONTEXT, more.clone());
    let places = |text: &str| -> Vec<String> {
        let list = text.split("\n\n").next().unwrap();
        list.lines().filter(|line| line.starts_with("shop/")).map(str::to_owned).collect()
    };
    assert!(!places(&first).is_empty() && !places(&rest).is_empty(), "{first}\n{rest}");
    let repeated: Vec<String> = places(&first).into_iter().filter(|line| places(&rest).contains(line)).collect();
    assert!(repeated.is_empty(), "{repeated:?}\n{first}\n{rest}");
    assert!(rest.contains("were sent before"), "{rest}");
    let whole = client.text(CONTEXT, more.clone());
    // The heads of sources are places, and they have lines.
    let sources = |text: &str| -> Vec<String> {
        let blocks = text.split("\n\n").skip(1).filter_map(|block| block.lines().next());
        blocks.filter(|line| line.starts_with("shop/")).map(str::to_owned).collect()
    };
    let sent: Vec<String> = [sources(&first), sources(&rest)].concat();
    assert!(!sent.is_empty() && !sources(&whole).is_empty(), "{first}\n{rest}\n{whole}");
    assert!(sources(&whole).iter().all(|head| !sent.contains(head)), "{sent:?}\n{whole}");
    let file = shop.root().join("shop/session.py");
    let source = fs::read_to_string(&file).unwrap();
    fs::write(&file, source.replace("def is_expired(self", "def is_expired(self, grace=0")).unwrap();
    let edited = client.text(CONTEXT, more);
    assert!(edited.contains("def is_expired(self, grace=0"), "{edited}");
    // The same request may be that of a sub-agent, which has seen nothing. Reasons name ranks, which the edit changes.
    let plain = |text: &str| -> Vec<String> {
        places(text).iter().map(|line| line.split(" — ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(plain(&client.text(CONTEXT, task)), plain(&first));
}

#[test]
fn a_symbol_comes_with_the_lines_of_its_users_and_the_command_of_its_tests() {
    let (shop, mut client) = start();
    let test = "from shop.cart import Cart\n\n\ndef test_checkout():\n    Cart(None).checkout()\n";
    fs::create_dir_all(shop.root().join("tests")).unwrap();
    fs::write(shop.root().join("tests/test_cart.py"), test).unwrap();
    let session = client.text(SYMBOL, json!({ "symbol": "Session.is_expired" }));
    assert!(session.contains("calls, line 33: if session is None or session.is_expired():"), "{session}");
    let cart = client.text(SYMBOL, json!({ "symbol": "Cart.checkout" }));
    assert!(cart.contains("run: ") && cart.contains("test_cart.py"), "{cart}");
    let callers = client.text(SYMBOL, json!({ "symbol": "Session.is_expired", "question": "callers" }));
    assert!(callers.contains(": if session is None or session.is_expired():"), "{callers}");
}

#[test]
fn a_text_that_is_not_a_name_leads_to_its_lines() {
    let (shop, mut client) = start();
    let routes = "URLS = [path(r\"^/v1/users/(?P<key>[^/]+)/posts$\", None)]\n\n\ndef main(parser):\n    parser.add(\"--dry-run\")\n";
    fs::write(shop.root().join("shop/urls.py"), routes).unwrap();
    let option = client.text(SYMBOL, json!({ "symbol": "--dry-run" }));
    assert!(option.contains("shop/urls.py:5  in main: parser.add(\"--dry-run\")"), "{option}");
    let route = client.text(SYMBOL, json!({ "symbol": "GET /v1/users/<id>/posts" }));
    assert!(route.contains("1 line has the text") && route.contains("shop/urls.py:1"), "{route}");
    assert!(client.error(SYMBOL, json!({ "symbol": "--wet-run" })).contains("no symbol is called"));
}

#[test]
fn several_symbols_are_answered_in_one_call() {
    let (_shop, mut client) = start();
    let both = client.text(SYMBOL, json!({ "symbol": "Cart.checkout, Session.is_expired" }));
    assert!(both.contains("def checkout(self)") && both.contains("def is_expired(self"), "{both}");
    let some = client.text(SYMBOL, json!({ "symbol": ["Cart.checkout", "Cart.nothing_like_it"] }));
    assert!(some.contains("def checkout(self)") && some.contains("no symbol is called"), "{some}");
    assert!(client.error(SYMBOL, json!({ "symbol": "qqqq_one, qqqq_two" })).contains("qqqq_two"));
    let callers = client.text(SYMBOL, json!({ "symbol": "Cart.checkout\nSession.is_expired", "question": "callees" }));
    assert!(
        callers.contains("callees of Cart.checkout") && callers.contains("callees of Session.is_expired"),
        "{callers}"
    );
}

#[test]
fn an_edit_refreshes_the_pack_and_a_root_returns_only_changes() {
    let (shop, mut client) = start();
    let root = |result: &Value| result["structuredContent"]["pack_root"].as_str().unwrap().to_owned();
    let first = client.call(CONTEXT, json!({ "task": TASK }));
    let unchanged = client.call(CONTEXT, json!({ "task": TASK, "pack_root": root(&first) }));
    assert_eq!(unchanged["structuredContent"]["kind"], "unchanged");
    let file = shop.root().join("shop/session.py");
    let source = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{source}\n\ndef session_expiry_grace(session):\n    return session.is_expired()\n"))
        .unwrap();
    let changed = client.call(CONTEXT, json!({ "task": TASK, "pack_root": root(&first) }));
    assert!(text(&changed).contains("1 file changed since; refreshed in"), "{changed}");
    assert!(text(&changed).contains("session_expiry_grace"), "{changed}");
    assert_eq!(changed["structuredContent"]["index"]["changed_files"], 1);
}

#[test]
fn a_request_right_after_an_edit_has_the_edit() {
    let (shop, mut client) = start();
    client.call(SYMBOL, json!({ "symbol": "Session" }));
    let file = shop.root().join("shop/session.py");
    for round in 0..30 {
        let name = format!("renamed_{round}");
        let source = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{source}\n\ndef {name}():\n    return {round}\n")).unwrap();
        let answer = client.call(SYMBOL, json!({ "symbol": name }));
        assert_ne!(answer["isError"], json!(true), "round {round}: {answer}");
    }
}

#[test]
fn questions_about_the_structure_are_answered_from_the_graph() {
    let (_shop, mut client) = start();
    let by_task = client.call(CONTEXT, json!({ "task": "who calls Session.is_expired?" }));
    assert_eq!(by_task["structuredContent"]["kind"], "answer", "{by_task}");
    assert!(text(&by_task).contains("Cart.checkout"), "{by_task}");
    let by_symbol = client.text(SYMBOL, json!({ "symbol": "Session.is_expired", "question": "callers" }));
    assert!(text(&by_task).ends_with(by_symbol.trim_start_matches("note: ")), "{by_symbol}");
    for question in ["callees", "impact", "tests"] {
        let answer = client.text(SYMBOL, json!({ "symbol": "Cart.checkout", "question": question }));
        assert!(answer.contains(&format!("{question} of Cart.checkout")), "{answer}");
    }
    let unknown = client.call(CONTEXT, json!({ "task": "who calls Session.nothing" }));
    assert_ne!(unknown["structuredContent"]["kind"], "answer", "a task with an unknown name is ranked");
}

#[test]
fn files_and_revisions_are_requests_too() {
    let (_shop, mut client) = start();
    assert!(client.text(CONTEXT, json!({ "files": ["shop/cart.py"] })).contains("Cart.checkout"));
    let unknown = client.error(CONTEXT, json!({ "files": ["shop/nothing.py"] }));
    assert!(unknown.contains("paths are relative to the repository's root"), "{unknown}");
    let unknown = client.error(CONTEXT, json!({ "revision": "no-such-branch" }));
    assert!(unknown.contains("no-such-branch") || unknown.contains("git"), "{unknown}");
}

#[test]
fn wrong_arguments_are_errors_with_the_next_step() {
    let (_shop, mut client) = start();
    for (arguments, part) in [
        (json!({}), "give `task`"),
        (json!({ "task": "x", "k": 1 }), "arguments are task"),
        (json!({ "task": ["x"] }), "must be a string"),
        (json!({ "task": "x", "budget": 1 }), "from 200 to"),
        (json!({ "task": "x".repeat(3 << 20) }), "shorten it"),
    ] {
        let error = client.error(CONTEXT, arguments);
        assert!(error.contains(part), "{error}");
    }
    assert!(client.error(SYMBOL, json!({ "symbol": "\u{1b}[2J\u{202e}x" })).contains('\u{241b}'));
    assert!(client.error(SYMBOL, json!({ "symbol": "" })).contains("give `symbol`"));
    let nothing = client.call(CONTEXT, json!({ "task": "qqqq zzzz wwww" }));
    assert_eq!(nothing["structuredContent"]["kind"], "nothing");
    assert!(text(&nothing).contains("try other words"), "{nothing}");
}

#[test]
fn a_symbol_is_found_by_name_or_location_and_never_replaced() {
    let (shop, mut client) = start();
    client.text(SYMBOL, json!({ "symbol": "Cart.total" }));
    let by_name = client.text(SYMBOL, json!({ "symbol": "Cart.checkout" }));
    assert!(by_name.contains("def checkout(self)") && by_name.contains("Session.is_expired"), "{by_name}");
    let source = fs::read_to_string(shop.root().join("shop/cart.py")).unwrap();
    let line = source.lines().position(|line| line.contains("def checkout")).unwrap() + 1;
    assert_eq!(client.text(SYMBOL, json!({ "symbol": format!("shop/cart.py:{line}") })), by_name);
    let unknown = client.error(SYMBOL, json!({ "symbol": "Cart.checkouts" }));
    assert!(unknown.contains("no symbol is called") && unknown.contains("checkout"), "{unknown}");
}

#[test]
fn pins_and_sent_packs_of_a_person_reach_the_agent() {
    let (shop, mut client) = start();
    let plain = client.text(CONTEXT, json!({ "task": TASK, "budget": 300 }));
    assert!(!plain.contains("charge") && !plain.contains("by the user"), "{plain}");
    let ranker = crate::cli::open(&shop.root()).ranker().unwrap();
    let keywords = ranker.cluster(TASK).unwrap().words().to_vec();
    let scope = SteeringScope::Task { keywords };
    let (charge, expired) = (symbol(&shop, "charge"), symbol(&shop, "is_expired"));
    let exchange = exchange(&shop);
    exchange.steer(SteeringEntry::new(scope, TASK, vec![charge.clone()], vec![expired])).unwrap();
    let steered = client.text(CONTEXT, json!({ "task": "session expires early", "budget": 300 }));
    assert!(steered.contains("pinned by the user: charge"), "{steered}");
    assert!(steered.contains("function charge") && !steered.contains("method Session.is_expired"), "{steered}");
    let other = client.text(CONTEXT, json!({ "task": "total of a cart" }));
    assert!(!other.contains("by the user"), "{other}");

    exchange.send(SentPack::new("refunds", "start here", vec![charge])).unwrap();
    let steering = client.request("resources/read", json!({ "uri": "knowing://steering" }));
    assert!(steering["result"]["contents"][0]["text"].as_str().unwrap().contains("start here"), "{steering}");
    let sent = client.text(CONTEXT, json!({ "task": "total of a cart" }));
    assert!(sent.contains("sent by the user for \"refunds\": charge; note: start here"), "{sent}");
    assert!(!client.text(CONTEXT, json!({ "task": "total of a cart" })).contains("sent by the user"));
}

#[test]
fn requests_are_journaled_unless_switched_off() {
    let (shop, mut client) = start();
    client.text(CONTEXT, json!({ "task": TASK }));
    client.error(SYMBOL, json!({ "symbol": "nothing_like_this" }));
    let (records, skipped) = RequestJournal::new(exchange(&shop)).latest(9).unwrap();
    let (first, second) = (&records[0], &records[1]);
    assert_eq!((records.len(), skipped), (2, 0));
    assert_eq!((first.client.name.as_str(), first.operation.as_str()), ("test", CONTEXT));
    assert_eq!((&first.subject, first.outcome), (&RequestSubject::Task(TASK.into()), Outcome::Answered));
    let pack = first.pack.as_ref().unwrap();
    assert!(pack.tokens > 0 && pack.pack_root.starts_with("sha256:") && !pack.symbols.is_empty());
    assert_eq!((second.outcome, second.message.is_some()), (Outcome::Failed, true));

    let mut command = program(&shop.root(), &["mcp"]);
    command.env("KNOWING_JOURNAL", "off");
    let mut quiet = Client::spawn(command, super::client::STATELESS);
    quiet.text(CONTEXT, json!({ "task": TASK }));
    assert_eq!(RequestJournal::new(exchange(&shop)).latest(9).unwrap().0.len(), 2);
}

#[test]
fn resources_show_pack_and_index() {
    let (_shop, mut client) = start();
    let read = |client: &mut Client, uri: &str| {
        let answer = client.request("resources/read", json!({ "uri": uri }));
        answer["result"]["contents"][0]["text"].as_str().map(str::to_owned)
    };
    assert!(read(&mut client, "knowing://index").unwrap().contains("\"state\":\"none\""));
    assert!(read(&mut client, "knowing://pack").unwrap().contains("no pack yet"));
    let text = client.text(CONTEXT, json!({ "task": TASK }));
    let pack = text.split_at(text.find("# ").unwrap()).1;
    assert_eq!(read(&mut client, "knowing://pack").unwrap(), pack);
    let again = client.call(CONTEXT, json!({ "task": TASK }));
    let root = again["structuredContent"]["pack_root"].as_str().unwrap();
    assert!(client.text(CONTEXT, json!({ "task": TASK, "pack_root": root })).contains("unchanged"));
    assert_eq!(read(&mut client, "knowing://pack").unwrap(), pack, "the whole pack");
    let index: Value = serde_json::from_str(&read(&mut client, "knowing://index").unwrap()).unwrap();
    assert!(index["state"] == "complete" && index["symbols"].as_u64().unwrap() > 10, "{index}");
    assert_eq!(read(&mut client, "file:///etc/passwd"), None);
    let listed = client.request("resources/list", json!({}));
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 3);
}

#[test]
fn a_home_folder_is_not_indexed_without_consent() {
    let shop = Shop::new();
    let mut command = program(&shop.root(), &["mcp"]);
    command.env("HOME", shop.root());
    let mut client = Client::spawn(command, super::client::STATELESS);
    let error = client.error(CONTEXT, json!({ "task": TASK }));
    assert!(error.contains("home folder") && error.contains("--yes"), "{error}");
    assert!(!crate::cli::data_home(&shop.root()).exists());
}

#[test]
fn a_repository_without_a_supported_language_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.nim"), "int main() => 0;\n").unwrap();
    let mut client = Client::start(folder.path(), LEGACY);
    let answer = client.text(CONTEXT, json!({ "task": TASK }));
    assert!(answer.contains("no file in a supported language here"), "{answer}");
    assert!(answer.contains("no grammar for 1 .nim (Nim)") && !answer.contains("other words"), "{answer}");
}

#[test]
fn an_answer_names_code_that_is_not_read() {
    let shop = Shop::new();
    for name in ["page", "screen"] {
        fs::write(shop.root().join(format!("{name}.nim")), "class SendPage {}\n").unwrap();
    }
    let mut client = Client::start(&shop.root(), LEGACY);
    let unread = "2 .nim files (Nim) are not read";
    let lines = client.text(SYMBOL, json!({ "symbol": "SendPage" }));
    assert!(lines.contains("no symbol is called `SendPage`") && lines.contains(unread), "{lines}");
    assert!(lines.contains("2 lines have the text:\n  page.nim:1: class SendPage {}\n"), "{lines}");
    let answer = client.text(CONTEXT, json!({ "task": "SendPage colors" }));
    assert!(answer.contains(unread), "{answer}");
    assert!(!client.text(CONTEXT, json!({ "task": "cart total" })).contains(unread), "every word matches");
    for arguments in
        [&["query", "SendPage"][..], &["symbol", "SendPage"], &["callers", "SendPage"], &["context", "SendPage colors"]]
    {
        let output = shop.run(arguments);
        assert!(crate::cli::stderr(&output).contains(unread), "{arguments:?}: {}", crate::cli::stderr(&output));
    }
}

#[test]
fn two_servers_share_one_repository() {
    let (shop, mut one) = start();
    let mut two = Client::start(&shop.root(), LEGACY);
    for number in 0..5 {
        let file = shop.root().join(format!("shop/extra{number}.py"));
        fs::write(file, format!("def extra_{number}():\n    return {number}\n")).unwrap();
        for client in [&mut one, &mut two] {
            let found = (0..200).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(25));
                let answer = client.call(SYMBOL, json!({ "symbol": format!("extra_{number}") }));
                answer["isError"] != true
            });
            assert!(found, "{number}");
        }
    }
    let (records, skipped) = RequestJournal::new(exchange(&shop)).latest(10_000).unwrap();
    assert!(records.len() >= 10 && skipped == 0);
}

/// Returns kind, task and symbols of each event of feedback.
fn events(shop: &Shop) -> Vec<(String, String, Vec<String>)> {
    let engine = crate::cli::open(&shop.root());
    let events = engine.feedback_recorder(None).unwrap().events().unwrap();
    let symbols = |event: &FeedbackEvent| -> Vec<String> {
        event.votes.iter().map(|vote| vote.subject.short_name().to_owned()).collect()
    };
    events.iter().map(|event| (event.kind.name().to_owned(), event.task.clone(), symbols(event))).collect()
}

#[test]
fn what_an_agent_edits_counts_as_use_once() {
    let (shop, mut client) = start();
    client.call(CONTEXT, json!({ "task": TASK }));
    let file = shop.root().join("shop/session.py");
    let source = fs::read_to_string(&file).unwrap();
    fs::write(&file, source.replace("def is_expired(self", "def is_expired(self, now=None, grace=0")).unwrap();
    let edited = vec!["shop/session.py.Session.is_expired".to_owned()];
    let expected = ("agent_edit".to_owned(), TASK.to_owned(), edited);
    client.call(SYMBOL, json!({ "symbol": "Session" }));
    assert_eq!(events(&shop), std::slice::from_ref(&expected), "the class around the method does not count");
    // What follows the last request is noticed when the client leaves.
    client.call(CONTEXT, json!({ "task": TASK }));
    fs::write(&file, source).unwrap();
    assert_eq!(client.end(), 0);
    assert_eq!(events(&shop), [expected.clone(), expected]);
    let undone = shop.run(&["feedback", "undo"]);
    assert!(!undone.status.success(), "use is not an action of the user");
}

#[test]
fn edits_are_not_recorded_without_a_journal_or_on_another_branch() {
    let shop = Shop::new();
    let mut command = program(&shop.root(), &["mcp"]);
    command.env("KNOWING_JOURNAL", "off");
    let mut client = Client::spawn(command, STATELESS);
    client.call(CONTEXT, json!({ "task": TASK }));
    let file = shop.root().join("shop/session.py");
    let source = fs::read_to_string(&file).unwrap();
    let edit = || fs::write(&file, source.replace("def is_expired(self", "def is_expired(self, now=None")).unwrap();
    edit();
    assert_eq!(client.end(), 0);
    assert!(events(&shop).is_empty());

    fs::write(&file, &source).unwrap();
    let mut client = Client::start(&shop.root(), LEGACY);
    client.call(CONTEXT, json!({ "task": TASK }));
    fs::create_dir(shop.root().join(".git")).unwrap();
    fs::write(shop.root().join(".git/HEAD"), "ref: refs/heads/other\n").unwrap();
    edit();
    assert_eq!(client.end(), 0);
    assert!(events(&shop).is_empty());
}

#[test]
fn a_large_repository_is_answered_before_its_first_index() {
    let shop = Shop::new();
    let comment = "# words that no task has\n".repeat(40_000);
    (0..35).for_each(|number| fs::write(shop.root().join(format!("filler{number}.py")), &comment).unwrap());
    let mut client = Client::start(&shop.root(), LEGACY);
    let result = client.call(CONTEXT, json!({ "task": TASK }));
    let (first, structured) = (text(&result), &result["structuredContent"]);
    assert!(first.starts_with("note: partial answer, from "), "{first}");
    assert!(first.contains("method Session.is_expired") && first.contains("\t    def is_expired"), "{first}");
    assert_eq!(structured["index"]["state"], "partial");
    let unknown = client.call(SYMBOL, json!({ "symbol": "frobnicate" }));
    assert!(unknown["isError"] == true && text(&unknown).contains("partial answer"), "{unknown}");
    let (records, _) = RequestJournal::new(exchange(&shop)).latest(9).unwrap();
    assert!(records.iter().any(|record| record.outcome == Outcome::Partial), "{records:?}");
}

#[test]
fn names_are_taken_as_models_write_them() {
    let (shop, mut client) = start();
    let web =
        "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.post(\"/login\")\ndef sign_in():\n    return 1\n";
    fs::write(shop.root().join("shop/web.py"), web).unwrap();
    let route = client.text(SYMBOL, json!({ "symbol": "/login" }));
    assert!(route.contains("shop/web.py:6"), "{route}");
    let twice = client.text(SYMBOL, json!({ "symbol": "`sign_in`, sign_in" }));
    assert_eq!(twice.matches("def sign_in()").count(), 2, "the signature and the source: {twice}");
    for place in ["shop/web.py:6-8", "shop/web.py:7:1", "shop/web.py#L7", "shop/web.py:L7", "shop/web.py#L6-L8"] {
        let found = client.text(SYMBOL, json!({ "symbol": place }));
        assert!(found.starts_with("sign_in  function"), "{place}: {found}");
    }
    assert!(client.error(SYMBOL, json!({ "symbol": "shop/nope.py:3" })).contains("there is no file shop/nope.py"));
}

#[test]
fn a_name_in_another_case_is_only_similar() {
    let (shop, mut client) = start();
    let text = "SETTING = \"SHOP_APP\"\n\n\ndef shop_app():\n    return SETTING\n";
    fs::write(shop.root().join("shop/setting.py"), text).unwrap();
    let lines = client.text(SYMBOL, json!({ "symbol": "SHOP_APP" }));
    assert!(lines.contains("did you mean") && lines.contains("shop_app?"), "{lines}");
    assert!(lines.contains("shop/setting.py:1"), "{lines}");
    assert!(client.text(SYMBOL, json!({ "symbol": "Shop_App" })).starts_with("shop_app  function"), "no line has it");
}

#[test]
fn lines_that_are_not_resolved_are_listed() {
    let (shop, mut client) = start();
    let text = "def restock():\n    return 1\n\n\ndef use(q):\n    return q.restock()\n";
    fs::write(shop.root().join("shop/stock.py"), text).unwrap();
    for question in [json!({ "symbol": "restock" }), json!({ "symbol": "restock", "question": "callers" })] {
        let text = client.text(SYMBOL, question);
        assert!(text.contains("shop/stock.py:6: return q.restock()") && !text.contains("--unresolved"), "{text}");
    }
}

#[test]
fn more_with_the_budget_of_the_first_call_goes_on() {
    let (_shop, mut client) = start();
    let first = client.text(CONTEXT, json!({ "task": TASK, "budget": 260 }));
    let more = json!({ "task": TASK, "budget": 260, "detail": "more" });
    let second = client.text(CONTEXT, more.clone());
    let third = client.text(CONTEXT, more);
    assert!(second.contains("were sent before") && third.contains("were sent before"), "{second}\n{third}");
    assert!(first != second && second != third, "{second}\n{third}");
}

#[test]
fn a_question_in_a_task_has_its_format() {
    let (_shop, mut client) = start();
    let task = "who calls Session.is_expired";
    let text = client.text(CONTEXT, json!({ "task": task, "format": "json" }));
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["answer"]["question"], "callers", "{answer}");
    let other = client.text(CONTEXT, json!({ "task": task, "format": "xml" }));
    assert!(other.starts_with("note: a question is answered as text or json, not as xml\n"), "{other}");
}

#[test]
fn the_line_of_a_callee_is_that_of_the_caller() {
    let (shop, mut client) = start();
    fs::write(
        shop.root().join("shop/caller.py"),
        "import callee\n\n\ndef start_here():\n    return callee.helper(1)\n",
    )
    .unwrap();
    let callee = "def helper(x):\n    y = x\n    z = y\n    print(\"line 4\")\n    print(\"line 5\")\n    return z\n";
    fs::write(shop.root().join("shop/callee.py"), callee).unwrap();
    let text = client.text(SYMBOL, json!({ "symbol": "start_here", "question": "callees" }));
    assert!(text.contains("calls, line 5: return callee.helper(1)"), "{text}");
}

#[test]
fn a_question_about_a_text_has_its_lines() {
    let (shop, mut client) = start();
    fs::write(shop.root().join("shop/main.py"), "def main(parser):\n    parser.add(\"dry-run\")\n").unwrap();
    for arguments in [json!({ "symbol": "dry-run" }), json!({ "symbol": "--dry-run", "question": "callers" })] {
        let text = client.text(SYMBOL, arguments);
        assert!(text.contains("shop/main.py:2  in main: parser.add(\"dry-run\")"), "{text}");
    }
}

#[test]
fn a_name_of_a_few_symbols_is_answered_for_each() {
    let (shop, mut client) = start();
    let text = "class Bank:\n    def settle(self):\n        return 1\n\n\nclass Till:\n    def settle(self):\n        return 2\n\n\n\
                def pay(till: Till):\n    return till.settle()\n";
    fs::write(shop.root().join("shop/bank.py"), text).unwrap();
    let callers = client.text(SYMBOL, json!({ "symbol": "settle", "question": "callers" }));
    assert!(callers.starts_with("note: 2 symbols are called `settle`\n"), "{callers}");
    assert!(callers.contains("bank.py.Bank.settle (") && callers.contains("  pay  "), "{callers}");
    let both = client.text(SYMBOL, json!({ "symbol": "settle" }));
    assert!(both.contains("Bank.settle  method") && both.contains("Till.settle  method"), "{both}");
    let path = client.text(CONTEXT, json!({ "task": "does pay call settle?" }));
    assert!(path.contains("1 step\n") && path.contains("calls Till.settle"), "{path}");
}
