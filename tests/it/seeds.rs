//! `knowing concepts`: concepts of the program, of a user and of a repository, end to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use knowing_analysis::model::{Options, Task};
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{code, copy, run_in, stderr, stdout};

const SEED_FILE: &str = r#"[[class]]
concept = "OURS_TILL"
phrases = ["ring up", "till"]
targets = ["Cart.checkout", "charge"]
ref = "our handbook"
"#;

struct Checkout {
    folder: TempDir,
}

impl Checkout {
    fn new() -> Checkout {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), &folder.path().join("shop"));
        Checkout { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn add(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run_in(&self.root(), arguments)
    }

    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.run(arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[test]
fn list_has_every_layer() {
    let checkout = Checkout::new();
    let all = checkout.json(&["concepts", "list", "--format", "json"]);
    for layer in ["universal", "domain", "language"] {
        let some = checkout.json(&["concepts", "list", "--layer", layer, "--format", "json"]);
        assert!(some.len() >= 31 && some.iter().all(|concept| concept["layer"] == layer && concept["ref"] != ""));
        assert!(all.len() > some.len());
    }
    assert_eq!(code(&checkout.run(&["concepts", "list", "--layer", "none"])), 2);
    assert_eq!(code(&checkout.run(&["concepts", "list", "--layer", "repository"])), 1);
}

#[test]
fn repository_adds_concepts() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/ours.toml", SEED_FILE);
    let fired = checkout.json(&["concepts", "match", "--task", "Who rings up a customer?", "--format", "json"]);
    let ours = &fired[0];
    assert_eq!(
        (&ours["concept"], &ours["layer"], &ours["strong"]),
        (&"OURS_TILL".into(), &"repository".into(), &true.into())
    );
    assert_eq!(ours["phrases"][0], serde_json::json!({"phrase": "ring up", "start": 4, "end": 12}));
    let symbols = ours["symbols"].as_array().unwrap();
    let mut names: Vec<&str> = symbols.iter().map(|symbol| symbol["symbol"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["shop/cart.py.Cart.checkout", "shop/payment.py.charge"]);
    let ranks: Vec<u64> = symbols.iter().map(|symbol| symbol["rank"].as_u64().unwrap()).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    let text = stdout(&checkout.run(&["concepts", "match", "--task", "the till"]));
    assert!(
        text.contains("OURS_TILL") && text.contains("Cart.checkout") && text.contains("shop/payment.py:"),
        "{text}"
    );
    assert_eq!(code(&checkout.run(&["concepts", "check"])), 0);
}

#[test]
fn user_adds_concepts() {
    let checkout = Checkout::new();
    checkout.add("config/knowing/seeds/mine.toml", SEED_FILE);
    let fired = checkout.json(&["concepts", "match", "--task", "ring up", "--format", "json"]);
    assert_eq!((&fired[0]["concept"], &fired[0]["layer"]), (&"OURS_TILL".into(), &"universal".into()));
}

#[test]
fn diagnostics_have_a_location() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/a.toml", "[[class]]\nconcept = \"A\"\nphrases = [\n");
    checkout.add(
        ".knowing/seeds/b.toml",
        "[[class]]\nconcept = \"B\"\nphrases = [\"till\"]\ntargets = [\"Gone\\u001b\"]\n",
    );
    checkout.add(
        ".knowing/seeds/c.toml",
        &SEED_FILE.replace("\"charge\"", "\"charge_twice\", \"run\"").replace("ref =", "# ref ="),
    );
    let output = checkout.run(&["concepts", "check", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let diagnostics: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<String> = (diagnostics.iter())
        .map(|diagnostic| {
            format!(
                "{} {}:{}",
                diagnostic["rule"].as_str().unwrap(),
                diagnostic["file"].as_str().unwrap(),
                diagnostic["line"]
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "unusable .knowing/seeds/a.toml:3",
            "unusable .knowing/seeds/b.toml:2",
            "dead .knowing/seeds/c.toml:2",
            "generic .knowing/seeds/c.toml:2",
            "reference .knowing/seeds/c.toml:2",
        ]
    );
    let output = checkout.run(&["concepts", "match", "--task", "the till"]);
    assert!(stdout(&output).contains("OURS_TILL"));
    let notes = stderr(&output);
    assert!(notes.contains("seeds: .knowing/seeds/a.toml:3: ") && !notes.contains('\u{1b}'), "{notes}");
}

#[test]
fn task_without_concepts_is_reported() {
    let checkout = Checkout::new();
    let output = checkout.run(&["concepts", "match", "--task", "xyzzy"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("no concept matches"));
    assert_eq!(code(&checkout.run(&["concepts", "match", "--task", " "])), 2);
}

const TILL_TASK: &str = "who works at the till";

#[test]
fn muted_concept_contributes_nothing() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/ours.toml", SEED_FILE);
    let why = |more: &[&str]| {
        let arguments = ["why", "--task", TILL_TASK, "--symbol", "Cart.checkout", "--format", "json"];
        let output = checkout.run(&[&arguments[..], more].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let plain = why(&[]);
    let concept = &plain["concepts"][0];
    assert_eq!(
        (&concept["concept"], &concept["layer"], &concept["phrase"], &concept["target"]),
        (&"OURS_TILL".into(), &"repository".into(), &"till".into(), &"Cart.checkout".into())
    );
    assert!(concept["contribution"].as_f64().unwrap() > 0.0);
    for name in ["OURS_TILL", "repository", ".knowing/seeds/ours.toml"] {
        let muted = why(&["--mute", name]);
        assert_eq!(muted["concepts"], serde_json::json!([]), "{name}");
        assert_eq!(muted["rank"], Value::Null, "{name}: only the concept led there");
    }
    assert_eq!(why(&["--mute", "CACHING"]), plain);
    let output = checkout.run(&["context", "--task", TILL_TASK, "--mute", "NO_SUCH"]);
    assert!(stderr(&output).contains("no concept, layer or seed file is called `NO_SUCH`"), "{}", stderr(&output));
}

#[test]
fn matched_concepts_are_ordered_by_rank() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/ours.toml", SEED_FILE);
    let mut engine = crate::cli::open(&checkout.root());
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let fired = |muted: &[&str]| {
        let options =
            Options { muted_concepts: muted.iter().map(|name| (*name).to_owned()).collect(), ..Options::default() };
        let task = Task { options, ..Task::from_text(TILL_TASK) };
        let ranking = ranker.rank(&task, &|| false).unwrap().unwrap();
        ranker
            .matched_concepts(&task, &ranking)
            .unwrap()
            .into_iter()
            .find(|concept| concept.concept == "OURS_TILL")
            .unwrap()
    };
    let plain = fired(&[]);
    assert!(!plain.muted && plain.symbols.len() == 2, "{plain:?}");
    assert!(plain.symbols.iter().is_sorted_by_key(|symbol| symbol.rank.unwrap()));
    assert!(plain.symbols.iter().all(|symbol| symbol.contribution > 0.0 && symbol.value > 0.0));
    let muted = fired(&["OURS_TILL"]);
    assert!(muted.muted && muted.symbols.len() == 2);
    assert!(muted.symbols.iter().all(|symbol| symbol.contribution == 0.0 && symbol.value > 0.0));
}

#[test]
fn framework_concepts_are_checked_against_any_index() {
    let checkout = Checkout::new();
    let output = checkout.run(&["concepts", "check", "--framework", "click", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let diagnostics: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(diagnostics.iter().any(|diagnostic| diagnostic["rule"] == "dead"));
    assert!(diagnostics.iter().all(|diagnostic| diagnostic["file"] == "frameworks/click.toml"), "{diagnostics:?}");
    assert_eq!(code(&checkout.run(&["concepts", "check", "--framework", "no framework"])), 2);
}

/// Returns the symbols that the user's concept leads to.
fn concept_targets(checkout: &Checkout, task: &str) -> Vec<String> {
    let fired = checkout.json(&["concepts", "match", "--task", task, "--format", "json"]);
    let ours = fired.iter().find(|concept| concept["concept"] == "OURS_TILL").unwrap();
    let symbols = ours["symbols"].as_array().unwrap().iter();
    symbols.map(|symbol| symbol["symbol"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn universal_concept_needs_support_of_other_terms() {
    let checkout = Checkout::new();
    checkout.add("config/knowing/seeds/mine.toml", SEED_FILE);
    assert_eq!(concept_targets(&checkout, "ring up").len(), 2, "there are no others");
    assert_eq!(concept_targets(&checkout, "ring up the parrot in the morning"), Vec::<String>::new());
    assert_eq!(concept_targets(&checkout, "ring up the parrot for so many cents"), ["shop/payment.py.charge"]);
    checkout.add(".knowing/seeds/ours.toml", SEED_FILE);
    assert_eq!(
        concept_targets(&checkout, "ring up the parrot in the morning").len(),
        2,
        "it belongs to this repository"
    );
}
