//! Tests of `knowing-eval`: output, saved runs, errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{code, project, stderr, stdout, task_path};
use knowing_eval::cross::subject::copy_folder;
use knowing_retrieval::engine::Engine;

/// A corpus with the repository `shop`, in a temporary folder.
pub struct Corpus {
    folder: TempDir,
}

impl Corpus {
    pub fn new() -> Corpus {
        let folder = tempfile::tempdir().unwrap();
        copy_folder(&project().join("tests/fixtures/shop"), &folder.path().join("corpus/shop")).unwrap();
        fs::copy(task_path("shop"), folder.path().join("shop.yaml")).unwrap();
        Corpus { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn eval(&self, arguments: &str) -> Output {
        self.eval_in(self.folder.path(), &arguments.split(' ').collect::<Vec<_>>())
    }

    fn eval_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knowing-eval"));
        command.current_dir(folder).args(arguments).env_remove("NO_COLOR").stdin(Stdio::null());
        command
            .env_remove("KNOWING_HOME")
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"));
        command.env("KNOWING_CACHE", "off").output().unwrap()
    }

    pub fn stdout_of(&self, arguments: &str) -> String {
        let output = self.eval(arguments);
        assert_eq!(code(&output), 0, "{arguments}: {}", stderr(&output));
        stdout(&output)
    }

    fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.stdout_of(arguments)).unwrap()
    }
}

const SHOP: &str = "shop.yaml --corpus corpus --databases db";

#[test]
fn run_is_printed_as_table_and_json() {
    let corpus = Corpus::new();
    let table = corpus.stdout_of(SHOP);
    assert!(table.contains("symbols packed into 5000 tokens, in rank order"), "{table}");
    for row in ["dotted ", "strict ", "explore shop ", "locate shop ", "tier medium ", "all "] {
        assert!(table.lines().any(|line| line.starts_with(row)), "{row} is missing:\n{table}");
    }
    assert!(corpus.path("db/shop.db").exists() && !corpus.path("corpus/shop/.knowing").exists());

    let run = corpus.json(&format!("{SHOP} --format json"));
    assert_eq!(run, corpus.json(&format!("{SHOP} --format json")), "the run is deterministic");
    assert_eq!(run["tasks"].as_array().unwrap().len(), 5);
    assert_eq!(run["results"]["packed"]["budget_tokens"], 5_000);
    let task = &run["tasks"][3];
    assert_eq!((&task["id"], &task["intent"]), (&"shop-4".into(), &"locate".into()));
    let top = task["traces"][0].as_object().unwrap();
    let sum: f64 = top["components"].as_object().unwrap().values().map(|value| value.as_f64().unwrap()).sum();
    assert!((sum - top["score"].as_f64().unwrap()).abs() < 1e-9);
    let all = run["summary"].as_array().unwrap().last().unwrap();
    assert_eq!((&all["tasks"], &all["errors"]), (&5.into(), &0.into()));
}

#[test]
fn small_budget_has_fewer_results_than_whole_ranking() {
    let corpus = Corpus::new();
    let results = |options: &str| {
        let run = corpus.json(&format!("{SHOP} --format json {options}"));
        run["tasks"][0]["results"].as_array().unwrap().len()
    };
    let (small, whole) = (results("--budget 400"), results("--whole"));
    assert!(0 < small && small < whole, "{small} {whole}");
    assert!(corpus.stdout_of(&format!("{SHOP} --whole")).contains("the whole ranking, before packing"));
}

#[test]
fn simulated_votes_are_not_recorded() {
    let corpus = Corpus::new();
    let first = corpus.stdout_of(&format!("{SHOP} --learn 2"));
    assert!(first.contains("round 2: P@10 held out"), "{first}");
    assert_eq!(corpus.stdout_of(&format!("{SHOP} --learn 2")), first);
    let engine = Engine::open(&corpus.path("corpus/shop"), Some(&corpus.path("db/shop.db"))).unwrap();
    assert_eq!(engine.feedback_recorder(None).unwrap().events().unwrap(), []);
}

#[test]
fn saved_runs_are_compared() {
    let corpus = Corpus::new();
    corpus.stdout_of(&format!("{SHOP} --save before.json"));
    let same = corpus.stdout_of("compare before.json before.json");
    assert!(same.contains("rose: 0") && same.contains("fell: 0"), "{same}");

    // A new function ranks above the ground truth of the fourth task.
    let session = fs::read_to_string(corpus.path("corpus/shop/shop/session.py")).unwrap();
    let rival = "\n\ndef clean_up_sessions_that_are_over(sessions):\n    \"\"\"Clean up sessions without waiting.\"\"\"\n    \
                 for session in sessions:\n        session.clean_up(waiting=session.is_over)\n";
    corpus.write("corpus/shop/shop/session.py", &format!("{session}{rival}"));
    let table = corpus.stdout_of(&format!("{SHOP} --save after.json --against before.json"));
    assert!(table.lines().any(|line| line.starts_with("change ")), "{table}");
    let changes = corpus.json("compare before.json after.json --format json");
    let moved: Vec<&str> =
        changes["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap()).collect();
    assert!(moved.contains(&"shop-4"), "{moved:?}");
    let text = corpus.stdout_of("compare before.json after.json");
    assert!(text.contains("shop/shop-4  strict") && text.contains("  SessionStore.remove_expired "), "{text}");
    assert!(text.contains("  now in the top ten: shop/session.py.clean_up_sessions_that_are_over - -> "), "{text}");
}

#[test]
fn missing_ground_truth_is_listed() {
    let corpus = Corpus::new();
    assert!(stderr(&corpus.eval(&format!("{SHOP} --verify"))).contains("symbols exist"));
    assert_eq!(code(&corpus.eval(&format!("{SHOP} --verify"))), 0);
    corpus.write("shop.yaml", "tasks: [{id: a, task: pay, ground_truth: [charge, Cart.refund]}]");
    let output = corpus.eval(&format!("{SHOP} --verify --format json"));
    assert_eq!(code(&output), 1);
    let missing: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(missing, serde_json::json!([{"repository": "shop", "task": "a", "symbol": "Cart.refund"}]));
    assert!(stdout(&corpus.eval(&format!("{SHOP} --verify"))).contains("Cart.refund"));
}

#[test]
fn check_reports_invariants() {
    let corpus = Corpus::new();
    let output = corpus.eval(&format!("{SHOP} --check --format json"));
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let lines: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&lines[0]["repository"], &lines[0]["violations"]), (&"shop".into(), &serde_json::json!([])));
    assert!(lines[0]["scores"].as_u64().unwrap() > 50 && lines[0]["largest_error"].as_f64().unwrap() < 1e-12);
    assert!(stderr(&corpus.eval(&format!("{SHOP} --check"))).contains("the same bytes with 1, 2, 4 threads"));
}

#[test]
fn timings_have_every_stage() {
    let lines = Corpus::new().json(&format!("{SHOP} --timings --format json"));
    let stages: Vec<&str> = lines.as_array().unwrap().iter().map(|line| line["stage"].as_str().unwrap()).collect();
    let expected = ["load", "keywords and words", "names and paths", "walk", "score", "pack", "write", "answer"];
    assert_eq!(stages, expected);
    assert!(lines.as_array().unwrap().iter().all(|line| line["p50_ms"].as_f64() <= line["max_ms"].as_f64()));
}

#[test]
fn failed_tasks_count_as_zero_and_are_listed() {
    let corpus = Corpus::new();
    corpus.write("till.yaml", "tasks: [{id: b, task: pay, ground_truth: [charge]}]");
    let output = corpus.eval(&format!("till.yaml {SHOP} --save run.json"));
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("counted as zero in till: b (") && stderr(&output).contains("does not exist"));
    let run: Value = serde_json::from_str(&fs::read_to_string(corpus.path("run.json")).unwrap()).unwrap();
    assert_eq!((&run["tasks"][0]["strict"]["mrr"], &run["summary"][0]["errors"]), (&0.0.into(), &1.into()));
}

#[test]
fn single_repository_needs_no_corpus() {
    let corpus = Corpus::new();
    let task_file = corpus.path("shop.yaml");
    let output = corpus.eval_in(&corpus.path("corpus/shop"), &[task_file.to_str().unwrap(), "--verify"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(fs::read_dir(corpus.path("data/knowing/checkouts")).unwrap().count(), 1);
}

#[test]
fn usage_errors_are_explained() {
    let corpus = Corpus::new();
    corpus.write("broken.yaml", "tasks: {");
    corpus.write("shop-commits.yaml", "tasks: [{id: shop-1, task: pay, ground_truth: [charge]}]");
    for (arguments, message) in [
        ("--corpus corpus", "TASKFILE"),
        ("absent.yaml", "can't read absent.yaml"),
        ("broken.yaml", "broken.yaml is not a task file"),
        ("shop.yaml shop-commits.yaml", "another file has the task `shop-1` too"),
        ("shop.yaml --corpus corpus --db x.db", "--databases"),
        ("shop.yaml --without nonsense", "the ranking has no component `nonsense`; it has area, "),
        ("shop.yaml --against shop.yaml", "shop.yaml is not a saved run"),
        ("shop.yaml --whole --budget 7", "cannot be used with"),
        ("compare absent.json absent.json", "can't read absent.json"),
    ] {
        let output = corpus.eval(arguments);
        assert_eq!(code(&output), 2, "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments}: {}", stderr(&output));
    }
    let output = corpus.eval("shop.yaml --corpus absent");
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("absent is not a folder"), "{}", stderr(&output));
}

#[test]
fn concepts_are_measured_by_their_targets() {
    let corpus = Corpus::new();
    let seeds = "[[class]]\nconcept = \"LIFE\"\nphrases = [\"lifetime\"]\ntargets = [\"is_expired\", \"charge\"]\nref = \"x\"\n";
    fs::create_dir_all(corpus.path("corpus/shop/.knowing/seeds")).unwrap();
    corpus.write("corpus/shop/.knowing/seeds/ours.toml", seeds);
    let tallies = corpus.json(&format!("{SHOP} --concepts --format json"));
    let ours = tallies.as_array().unwrap().iter().find(|tally| tally["layer"] == "repository").unwrap();
    let expected = serde_json::json!({"repository": "shop", "layer": "repository", "framework_use": "any", "strength": "word",
        "matches": 1, "symbols": 2, "dotted": 1, "strict": 1});
    assert_eq!(*ours, expected);
    let table = corpus.stdout_of(&format!("{SHOP} --concepts"));
    assert!(table.lines().any(|line| line.starts_with("repository  any") && line.contains("0.500")), "{table}");
    let muted = corpus.json(&format!("{SHOP} --concepts --mute repository --format json"));
    assert!(muted.as_array().unwrap().iter().all(|tally| tally["layer"] != "repository"));
    assert_eq!(code(&corpus.eval(&format!("{SHOP} --concepts --whole"))), 2);
}
