//! `knowing why` and its stages: explanations of the ranking that users get.

use std::path::{Path, PathBuf};
use std::process::Output;

use knowing_analysis::model::{Request, Task};
use knowing_retrieval::engine::PackStatus;
use knowing_retrieval::render::gcf::Gcf;
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{code, copy, run_in, stderr, stdout};
use crate::index::history::commit;

/// Why `Session.is_expired` is ranked for [`TASK`].
const SENTENCE: &str = "\"expire\" is in its name, \"sessions\" in its container, and `remove_expired` (#2) calls it";
const TASK: &str = "sessions expire too early for signed in visitors";

struct Shop {
    folder: TempDir,
}

impl Shop {
    fn new() -> Shop {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), &folder.path().join("shop"));
        Shop { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run_in(&self.root(), arguments)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn why(&self, task: &str, symbol: &str, budget: &str) -> Value {
        self.json(&["why", "--task", task, "--symbol", symbol, "--budget", budget])
    }
}

#[test]
fn components_sum_to_the_score() {
    let shop = Shop::new();
    let mut engine = crate::cli::open(&shop.root());
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    for task in [TASK, "charge the visitor for the cart", "test that a cart can be checked out"] {
        for budget_tokens in [600, Task::DEFAULT_BUDGET] {
            let task = Task { budget_tokens, ..Task::from_text(task) };
            let pack = ranker.pack(&task, &Gcf, false, &|| false).unwrap().unwrap();
            assert!(!pack.symbols.is_empty() && pack.symbols.len() + pack.omitted.len() > 10);
            for (index, packed) in pack.symbols.iter().chain(&pack.omitted).enumerate() {
                let why = ranker.why(&task, &Gcf, &packed.symbol).unwrap();
                let rank = why.rank.unwrap();
                assert_eq!((rank.score, &rank.components), (packed.score, &packed.components), "{}", why.symbol);
                let components = rank.components.iter();
                assert!(
                    (components.clone().map(|component| component.contribution).sum::<f64>() - rank.score).abs() < 1e-9
                );
                match why.pack {
                    PackStatus::Packed { rank, of, tokens, .. } => {
                        assert_eq!((rank, of, tokens), (index + 1, pack.symbols.len(), packed.tokens));
                    }
                    PackStatus::Omitted { tokens, .. } => {
                        assert!(index >= pack.symbols.len() && tokens == packed.tokens, "{}", why.symbol);
                    }
                    PackStatus::NotOffered => panic!("{} was offered", why.symbol),
                }
            }
        }
    }
}

#[test]
fn history_channel_finds_touched_symbols() {
    let shop = Shop::new();
    let found = || {
        let stage = shop.json(&["why", "--stage", "channels", "--task", "card rounding of the loyalty scheme"]);
        let channels = stage["channels"].as_array().unwrap();
        let history = channels.iter().find(|channel| channel["channel"] == "history").unwrap();
        let names = history["symbols"].as_array().unwrap().iter().map(|symbol| symbol["symbol"].as_str().unwrap());
        names.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(found(), [""; 0], "no git, no history");
    let repository = git2::Repository::init(shop.root()).unwrap();
    commit(&repository, "start", 1_700_000_000);
    let path = shop.root().join("shop/payment.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text + "\n\ndef refund(card):\n    return card\n").unwrap();
    commit(&repository, "the loyalty scheme rounds down", 1_700_000_100);
    let found = found();
    assert!(!found.is_empty() && found.iter().all(|name| name.contains("payment.py")), "{found:?}");
    assert!(found.iter().any(|name| name.ends_with("refund")), "{found:?}");
}

#[test]
fn omitted_symbols_are_explained() {
    let shop = Shop::new();
    let names = |budget: &str| {
        let text = stdout(&shop.run(&["context", "--no-learn", "--task", TASK, "--budget", budget]));
        let symbols = gcf::decode(&text).unwrap().symbols.into_iter();
        symbols.map(|symbol| symbol.qualified_name).collect::<Vec<String>>()
    };
    let small = names("300");
    let left_out = names("50000").into_iter().find(|name| !small.contains(name)).unwrap();
    let why = shop.why(TASK, &left_out, "300");
    assert_eq!((&why["pack"]["state"], &why["pack"]["budget_tokens"]), (&"omitted".into(), &300.into()));
    let missing = why["missing"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    assert!(missing.starts_with("over budget: "), "{missing}");
    assert!(why["rank"]["rank"].as_u64().unwrap() >= 1);
}

#[test]
fn unranked_symbols_are_explained() {
    let shop = Shop::new();
    let extra = "def paint_the_ceiling(color):\n    return color\n";
    std::fs::write(shop.root().join("shop/decoration.py"), extra).unwrap();
    let why = shop.why(TASK, "paint_the_ceiling", "50000");
    assert_eq!((&why["rank"], &why["pack"]["state"]), (&Value::Null, &"not_offered".into()));
    let text = stdout(&shop.run(&["why", "--task", TASK, "--symbol", "paint_the_ceiling"]));
    for reason in ["not ranked", "have no word of the task", "no search found it directly", "nothing in the task"] {
        assert!(text.contains(reason), "{reason} is missing:\n{text}");
    }
}

#[test]
fn why_prints_every_stage() {
    let shop = Shop::new();
    let arguments = ["why", "--task", TASK, "--symbol", "Session.is_expired"];
    let short = stdout(&shop.run(&arguments));
    let text = stdout(&shop.run(&[&arguments[..], &["--numbers"]].concat()));
    assert!(text.starts_with(&short) && !short.contains("component"), "{short}");
    assert_eq!(short.lines().nth(1), Some(SENTENCE), "{short}");
    let heads = [
        "Session.is_expired  method shop/session.py:",
        "rank ",
        "matches ",
        "component ",
        "score ",
        "found by ",
        "walk  ",
    ];
    for head in heads {
        assert!(text.lines().any(|line| line.starts_with(head)), "{head} is missing:\n{text}");
    }
    let matched = text.lines().find(|line| line.starts_with("matches ")).unwrap();
    assert!(matched.starts_with("matches expire (name) · sessions (container) · "), "{matched}");
    let by_size: Vec<f64> = text
        .lines()
        .skip_while(|line| !line.starts_with("component "))
        .skip(1)
        .take_while(|line| !["+ ", "score "].iter().any(|start| line.starts_with(start)))
        .map(|line| line.split(['+', '-']).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(by_size.len() > 2 && by_size.is_sorted_by(|one, two| one >= two), "{text}");
    assert!(!text.contains("+0.000") && !text.contains("-0.000"), "{text}");
    let why = shop.why(TASK, "Session.is_expired", "50000");
    let words = why["words"].as_array().unwrap();
    assert_eq!(words[0], serde_json::json!({"word": "sessions", "found_in": "container", "is_related": false}));
    let expire = why["terms"].as_array().unwrap().iter().find(|term| term["term"] == "expir").unwrap();
    assert!(expire["found_in"].as_array().unwrap().contains(&"symbol_name".into()), "{expire}");
    assert!(why["channels"].as_array().unwrap().iter().any(|channel| channel["found"]["rank"].is_u64()), "{why}");
    // The path of a symbol that is not a seed begins at a seed.
    let seeds = shop.json(&["why", "--stage", "walk", "--task", TASK])["seeds"].clone();
    let is_seed = |name: &Value| seeds.as_array().unwrap().iter().any(|seed| seed["symbol"] == *name);
    let walk = shop.json(&["why", "--stage", "walk", "--task", TASK, "--limit", "1000"]);
    for walked in walk["symbols"].as_array().unwrap() {
        let path = walked["path"].as_array().unwrap();
        assert_eq!(path.len() as u64, walked["hops"].as_u64().unwrap(), "{walked}");
        let start = path.first().map_or(&walked["symbol"], |step| &step["from"]);
        assert!(is_seed(start), "{walked}");
        assert!(path.windows(2).all(|pair| pair[0]["to"] == pair[1]["from"]), "{walked}");
    }
}

#[test]
fn ambiguous_names_are_listed() {
    let shop = Shop::new();
    let output = shop.run(&["why", "--task", TASK, "--symbol", "__init__"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (2, ""));
    let text = stderr(&output);
    for name in
        ["shop/session.py.Session.__init__", "shop/session.py.SessionStore.__init__", "shop/cart.py.Cart.__init__"]
    {
        assert!(text.contains(name), "{text}");
        assert_eq!(code(&shop.run(&["why", "--task", TASK, "--symbol", name])), 0);
    }

    let twice = "def again():\n    return 1\n\n\ndef again():\n    return 2\n";
    std::fs::write(shop.root().join("shop/twice.py"), twice).unwrap();
    let text = stderr(&shop.run(&["why", "--task", TASK, "--symbol", "again"]));
    assert!(text.contains("shop/twice.py.again#1  (function shop/twice.py:1)"), "{text}");
    assert_eq!(shop.why(TASK, "again#2", "50000")["line"], 5);
}

#[test]
fn unknown_names_have_suggestions() {
    let shop = Shop::new();
    let output = shop.run(&["why", "--task", TASK, "--symbol", "Session.is_expierd"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("did you mean is_expired"), "{}", stderr(&output));
    let output = shop.run(&["why", "--task", TASK, "--symbol", "zzzzqqqq"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("no symbol is called `zzzzqqqq`"), "{}", stderr(&output));
}

#[test]
fn stages_are_tables_and_json() {
    let shop = Shop::new();
    for (stage, heads) in
        [("keywords", ["line", "term"]), ("channels", ["tiered (weight", "fused"]), ("walk", ["seed", "walk"])]
    {
        let text = stdout(&shop.run(&["why", "--stage", stage, "--task", TASK]));
        for head in heads {
            assert!(
                text.lines().any(|line| line.trim_start().starts_with(head)),
                "{stage}: {head} is missing:\n{text}"
            );
        }
        assert!(shop.json(&["why", "--stage", stage, "--task", TASK]).is_object());
    }
    let keywords = shop.json(&["why", "--stage", "keywords", "--task", "fix `Session.is_expired`"]);
    assert_eq!(keywords["parts"][0]["part"], "subject", "{keywords}");
    let first = &keywords["keywords"][0];
    assert_eq!((&first["text"], &first["form"]), (&"Session.is_expired".into(), &"quoted".into()), "{keywords}");
    let channels = shop.json(&["why", "--stage", "channels", "--task", TASK, "--limit", "3"]);
    assert!(channels["fused"].as_array().unwrap().len() == 3 && channels["fused"][0]["restart"].is_f64(), "{channels}");
}

#[test]
fn usage_errors_exit_with_two() {
    let shop = Shop::new();
    for arguments in [
        &["why", "--task", "a"][..],
        &["why", "a"],
        &["why", "a", "b", "--task", "c"],
        &["why", "--task", " ", "--symbol", "a"],
        &["why", "--task", "a", "--symbol", " "],
        &["why", "--task", "a", "--symbol", "charge", "--budget", "3"],
        &["why", "--stage", "--task", "a"],
        &["why", "--stage", "nothing", "--task", "a"],
    ] {
        let output = shop.run(arguments);
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn a_request_without_words_is_not_explained_by_channels() {
    let shop = Shop::new();
    let mut engine = crate::cli::open(&shop.root());
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let file = ranker.reader().all_symbols().unwrap().into_iter().find(|symbol| !symbol.file.is_empty()).unwrap().file;
    let task = Task { request: Request::Files(vec![file.clone()]), ..Task::from_text("") };
    for symbol in ranker.reader().symbols_of_file(&file).unwrap() {
        let reasons: Vec<String> =
            ranker.why(&task, &Gcf, &symbol).unwrap().missing.iter().map(ToString::to_string).collect();
        assert!(!reasons.iter().any(|reason| reason.contains("channel") || reason.contains("fused")), "{reasons:?}");
    }
}

#[test]
fn changed_symbols_are_first_in_the_channel_of_changed_files() {
    let shop = Shop::new();
    let repository = git2::Repository::init(shop.root()).unwrap();
    commit(&repository, "start", 1_700_000_000);
    let path = shop.root().join("shop/payment.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "\n\ndef refund(card):\n    return card\n").unwrap();
    let mut engine = crate::cli::open(&shop.root());
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let task = Task { request: Request::PullRequest("HEAD".into()), ..Task::from_text("") };
    let symbols = ranker.reader().symbols_of_file("shop/payment.py").unwrap();
    let refund = symbols.iter().find(|symbol| symbol.name == "refund").unwrap();
    let why = ranker.why(&task, &Gcf, refund).unwrap();
    let found = why.channels.iter().find_map(|channel| channel.found).unwrap();
    assert_eq!((found.rank, found.of), (1, symbols.len()), "the last definition of the file");
}

#[test]
fn the_sentence_is_in_every_output() {
    let shop = Shop::new();
    let why = shop.json(&["why", "Session.is_expired", TASK]);
    let sentence = why["reason"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("\"expire\" is in its name"), "{sentence}");
    assert!(why["reason"]["short"].as_str().unwrap().split(' ').count() <= 8, "{why}");
    for (format, expected) in [("json", "\\\"expire\\\" is in its name"), ("markdown", "\"expire\" is in its name")] {
        let text = stdout(&shop.run(&["context", "--no-learn", "--explain", "--format", format, TASK]));
        assert!(text.contains(expected), "{text}");
    }
    let plain = shop.json(&["context", "--no-learn", TASK]);
    let symbols = plain["symbols"].as_array().unwrap();
    assert!(!symbols.is_empty() && symbols.iter().all(|symbol| symbol.get("why").is_none()), "{plain}");
}

#[test]
fn the_last_commit_of_the_lines_is_named() {
    let shop = Shop::new();
    let repository = git2::Repository::init(shop.root()).unwrap();
    commit(&repository, "start", 1_700_000_000);
    let path = shop.root().join("shop/payment.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "\n\ndef refund(card):\n    return card\n").unwrap();
    commit(&repository, "refund cards (#12)", 1_700_000_100);
    let text = stdout(&shop.run(&["why", "refund", "refund a card"]));
    let line = text.lines().nth(2).unwrap();
    assert!(line.starts_with("last changed 2023-11-14 by "), "{text}");
    assert!(line.ends_with(", pull request 12: refund cards (#12)"), "{text}");
    let why = shop.json(&["why", "refund", "refund a card"]);
    let last = &why["last_commit"];
    assert_eq!((&last["pull_request"], &last["subject"]), (&12.into(), &"refund cards (#12)".into()));
    // The commit alone can be ranked.
    let revision = format!("{}^!", last["id"].as_str().unwrap());
    let pack = shop.json(&["context", "--no-learn", "--explain", "--pr", &revision]);
    let first = &pack["symbols"][0];
    assert!(first["qualified_name"].as_str().unwrap().ends_with("payment.py.refund"), "{pack}");
    assert_eq!(first["why"]["short"], "changed");
}

/// Three functions that differ in nothing that the tasks have; past commits tell them apart.
#[test]
fn past_commits_with_similar_messages_lead_to_the_symbol_that_they_changed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("till");
    std::fs::create_dir_all(&root).unwrap();
    let write = |values: [u32; 3]| {
        let [one, two, three] = values;
        let text = format!(
            "def surcharge_one():\n    return {one}\n\n\ndef surcharge_two():\n    return {two}\n\n\ndef surcharge_six():\n    return {three}\n"
        );
        std::fs::write(root.join("till.py"), text).unwrap();
    };
    let repository = git2::Repository::init(&root).unwrap();
    for (time, subject, values) in [
        (100, "Add the till", [0, 0, 0]),
        (200, "Correct the zeppelin surcharge", [0, 1, 0]),
        (300, "Paint the door", [1, 1, 0]),
        (400, "Raise the zeppelin surcharge again", [1, 2, 0]),
    ] {
        write(values);
        commit(&repository, subject, time);
    }
    let run = |arguments: &[&str]| run_in(&root, arguments);
    let task = "lower the zeppelin surcharge";
    let output = run(&["context", "--no-learn", "--task", task, "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pack: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(pack["symbols"][0]["qualified_name"], "till.py.surcharge_two", "{pack}");
    let why = stdout(&run(&["why", "--task", task, "--symbol", "surcharge_two", "--numbers"]));
    assert!(why.contains("Past commits with similar messages changed it"), "{why}");
}
