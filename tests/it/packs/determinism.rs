//! Determinism: the same task gives the same bytes with any number of threads.

use knowing_retrieval::render::RENDERERS;

use crate::cli::{Shop, code, program, stderr};

const TASKS: [&[&str]; 4] = [
    &["--task", "sessions expire too early"],
    &["--task", "charge the card at checkout", "--bodies", "--budget", "900"],
    &["--files", "shop/session.py,shop/payment.py"],
    &["--pr", "base"],
];

/// Commits everything with the tag `base`, then edits a file.
fn with_history(shop: &Shop) {
    let repository = git2::Repository::init(shop.root()).unwrap();
    let mut index = repository.index().unwrap();
    index.add_all(["*.py"], git2::IndexAddOption::DEFAULT, None).unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let who = git2::Signature::new("a", "a@example.invalid", &git2::Time::new(1_700_000_000, 0)).unwrap();
    let commit = repository.commit(Some("HEAD"), &who, &who, "base", &tree, &[]).unwrap();
    repository.tag_lightweight("base", &repository.find_object(commit, None).unwrap(), false).unwrap();
    let path = shop.root().join("shop/payment.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text + "\n\ndef refund(amount):\n    return -amount\n").unwrap();
}

fn answers(shop: &Shop, threads: &str) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    let database = format!("../graph-{threads}.db");
    for task in TASKS {
        for renderer in RENDERERS {
            let more = ["--no-learn", "--format", renderer.name()];
            let arguments = [&["--db", &database, "context"][..], task, &more].concat();
            let output = program(&shop.root(), &arguments).env("RAYON_NUM_THREADS", threads).output().unwrap();
            assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
            answers.push(output.stdout);
        }
    }
    answers
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let shop = Shop::new();
    with_history(&shop);
    let unknown = shop.run(&["context", "--pr", "nowhere"]);
    assert!(code(&unknown) == 2 && stderr(&unknown).contains("`nowhere` is not a branch"), "{}", stderr(&unknown));
    let pack = shop.json(&["context", "--no-learn", "--format", "json", "--pr", "base"]);
    let mut first = pack["symbols"].as_array().unwrap().iter().take(3);
    assert!(
        first.any(|symbol| symbol["qualified_name"] == "shop/payment.py.refund"),
        "the changed symbol is not at the top: {pack}"
    );
    let first = answers(&shop, "1");
    for threads in ["1", "2", "4", "4"] {
        for (index, (one, two)) in first.iter().zip(answers(&shop, threads)).enumerate() {
            assert!(*one == two, "answer {index} differs with {threads} threads");
        }
    }
    // Nor on the number of threads that built the index.
    for jobs in ["1", "3"] {
        let database = "../graph-2.db";
        let output = shop.run(&["--db", database, "index", "--force", "--jobs", jobs]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(answers(&shop, "2") == first, "an index built by {jobs} threads gives other answers");
    }
}
