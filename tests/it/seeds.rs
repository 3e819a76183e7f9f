//! `knowing seeds`: classes of the program, of a user and of a repository, end to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use knowing::engine::Engine;
use knowing::model::{Options, Task};
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
    let symbols = ours["symbols"].as_array().unwrap();
    let mut names: Vec<&str> = symbols.iter().map(|symbol| symbol["symbol"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["shop/cart.py.Cart.checkout", "shop/payment.py.charge"]);
    let ranks: Vec<u64> = symbols.iter().map(|symbol| symbol["rank"].as_u64().unwrap()).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
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
    assert!(stderr(&output).contains("no concept matches"));
    assert_eq!(code(&checkout.run(&["seeds", "match", "--task", " "])), 2);
}

const TILL_TASK: &str = "who works at the till";

#[test]
fn a_muted_class_counts_for_nothing() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/ours.toml", OURS);
    let why = |more: &[&str]| {
        let arguments = ["why", "--task", TILL_TASK, "--symbol", "Cart.checkout", "--format", "json"];
        let output = checkout.run(&[&arguments[..], more].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let heard = why(&[]);
    let class = &heard["classes"][0];
    assert_eq!(
        (&class["concept"], &class["layer"], &class["phrase"], &class["target"]),
        (&"OURS_TILL".into(), &"repository".into(), &"till".into(), &"Cart.checkout".into())
    );
    assert!(class["contribution"].as_f64().unwrap() > 0.0);
    for name in ["OURS_TILL", "repository", ".knowing/seeds/ours.toml"] {
        let muted = why(&["--mute", name]);
        assert_eq!(muted["classes"], serde_json::json!([]), "{name}");
        assert_eq!(muted["rank"], Value::Null, "{name}: only the class led there");
    }
    assert_eq!(why(&["--mute", "CACHING"]), heard);
    let output = checkout.run(&["context", "--task", TILL_TASK, "--mute", "NO_SUCH"]);
    assert!(stderr(&output).contains("no concept, layer or seed file is called `NO_SUCH`"), "{}", stderr(&output));
}

#[test]
fn the_explorer_gets_what_fired_in_the_order_of_the_ranking() {
    let checkout = Checkout::new();
    checkout.add(".knowing/seeds/ours.toml", OURS);
    let mut engine = Engine::open(&checkout.root(), None).unwrap();
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let fired = |muted: &[&str]| {
        let options =
            Options { muted_classes: muted.iter().map(|name| (*name).to_owned()).collect(), ..Options::default() };
        let task = Task { options, ..Task::words(TILL_TASK) };
        let ranking = ranker.rank(&task, &|| false).unwrap().unwrap();
        ranker.fired(&task, &ranking).unwrap().into_iter().find(|class| class.concept == "OURS_TILL").unwrap()
    };
    let heard = fired(&[]);
    assert!(!heard.muted && heard.symbols.len() == 2, "{heard:?}");
    assert!(heard.symbols.iter().is_sorted_by_key(|symbol| symbol.place.unwrap()));
    assert!(heard.symbols.iter().all(|symbol| symbol.contribution > 0.0 && symbol.value > 0.0));
    let muted = fired(&["OURS_TILL"]);
    assert!(muted.muted && muted.symbols.len() == 2);
    assert!(muted.symbols.iter().all(|symbol| symbol.contribution == 0.0 && symbol.value > 0.0));
}

#[test]
fn a_frameworks_classes_are_held_against_any_index() {
    let checkout = Checkout::new();
    let output = checkout.run(&["seeds", "check", "--framework", "click", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let flaws: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(flaws.iter().any(|flaw| flaw["rule"] == "dead"));
    assert!(flaws.iter().all(|flaw| flaw["file"] == "frameworks/click.toml"), "{flaws:?}");
    assert_eq!(code(&checkout.run(&["seeds", "check", "--framework", "no framework"])), 2);
}

/// What a class of the user's leads to, for a task.
fn led_to(checkout: &Checkout, task: &str) -> Vec<String> {
    let fired = checkout.json(&["seeds", "match", "--task", task, "--format", "json"]);
    let ours = fired.iter().find(|class| class["concept"] == "OURS_TILL").unwrap();
    let symbols = ours["symbols"].as_array().unwrap().iter();
    symbols.map(|symbol| symbol["symbol"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_class_for_any_repository_needs_the_support_of_the_tasks_other_words() {
    let checkout = Checkout::new();
    checkout.add("config/knowing/seeds/mine.toml", OURS);
    assert_eq!(led_to(&checkout, "ring up").len(), 2, "there are no others");
    assert_eq!(led_to(&checkout, "ring up the parrot in the morning"), Vec::<String>::new());
    assert_eq!(led_to(&checkout, "ring up the parrot for so many cents"), ["shop/payment.py.charge"]);
    checkout.add(".knowing/seeds/ours.toml", OURS);
    assert_eq!(led_to(&checkout, "ring up the parrot in the morning").len(), 2, "said of this very repository");
}
