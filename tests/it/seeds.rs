//! `knowing seeds`: classes of the program, of a user and of a repository, end to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{code, copy, run_in, stderr, stdout};

const OURS: &str = r#"[[class]]
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
fn lists_every_layer() {
    let checkout = Checkout::new();
    let all = checkout.json(&["seeds", "list", "--format", "json"]);
    for layer in ["universal", "domain", "language"] {
        let some = checkout.json(&["seeds", "list", "--layer", layer, "--format", "json"]);
        assert!(some.len() >= 31 && some.iter().all(|class| class["layer"] == layer && class["ref"] != ""));
        assert!(all.len() > some.len());
    }
    assert_eq!(code(&checkout.run(&["seeds", "list", "--layer", "none"])), 2);
    assert_eq!(code(&checkout.run(&["seeds", "list", "--layer", "repository"])), 1);
}

#[test]
fn a_repository_adds_its_own_words() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/ours.toml", OURS);
    let fired = checkout.json(&["seeds", "match", "--task", "Who rings up a customer?", "--format", "json"]);
    let ours = &fired[0];
    assert_eq!(
        (&ours["concept"], &ours["layer"], &ours["strong"]),
        (&"OURS_TILL".into(), &"repository".into(), &true.into())
    );
    assert_eq!(ours["phrases"][0], serde_json::json!({"phrase": "ring up", "start": 4, "end": 12}));
    let symbols: Vec<&Value> = ours["targets"].as_array().unwrap().iter().map(|target| &target["symbols"][0]).collect();
    assert_eq!(symbols, ["shop/cart.py.Cart.checkout", "shop/payment.py.charge"]);
    let text = stdout(&checkout.run(&["seeds", "match", "--task", "the till"]));
    assert!(
        text.contains("OURS_TILL") && text.contains("Cart.checkout") && text.contains("shop/payment.py:"),
        "{text}"
    );
    assert_eq!(code(&checkout.run(&["seeds", "check"])), 0);
}

#[test]
fn users_add_theirs_too() {
    let checkout = Checkout::new();
    checkout.add("config/knowing/seeds/mine.toml", OURS);
    let fired = checkout.json(&["seeds", "match", "--task", "ring up", "--format", "json"]);
    assert_eq!((&fired[0]["concept"], &fired[0]["layer"]), (&"OURS_TILL".into(), &"universal".into()));
}

#[test]
fn flaws_have_a_place_and_the_rest_goes_on() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/a.toml", "[[class]]\nconcept = \"A\"\nphrases = [\n");
    checkout.add(
        ".knowing/seeds/b.toml",
        "[[class]]\nconcept = \"B\"\nphrases = [\"till\"]\ntargets = [\"Gone\\u001b\"]\n",
    );
    checkout.add(
        ".knowing/seeds/c.toml",
        &OURS.replace("\"charge\"", "\"charge_twice\", \"run\"").replace("ref =", "# ref ="),
    );
    let output = checkout.run(&["seeds", "check", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let flaws: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<String> = (flaws.iter())
        .map(|flaw| format!("{} {}:{}", flaw["rule"].as_str().unwrap(), flaw["file"].as_str().unwrap(), flaw["line"]))
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
    let output = checkout.run(&["seeds", "match", "--task", "the till"]);
    assert!(stdout(&output).contains("OURS_TILL"));
    let notes = stderr(&output);
    assert!(notes.contains("seeds: .knowing/seeds/a.toml:3: ") && !notes.contains('\u{1b}'), "{notes}");
}

#[test]
fn what_fires_nothing_says_so() {
    let checkout = Checkout::new();
    let output = checkout.run(&["seeds", "match", "--task", "xyzzy"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("no phrase of a class"));
    assert_eq!(code(&checkout.run(&["seeds", "match", "--task", " "])), 2);
}
