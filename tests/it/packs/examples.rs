//! Example tasks of a repository.

use knowing_retrieval::engine::ExampleSearch;

use crate::index::history::commit;

/// Returns the example tasks of an indexed repository.
fn examples(root: &std::path::Path) -> Vec<String> {
    let mut engine = crate::cli::open(root);
    engine.index(true, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let mut search = ExampleSearch::default();
    while !search.step(&ranker).unwrap() {}
    search.tasks()
}

#[test]
fn examples_are_commits_that_the_ranking_finds() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    let repository = git2::Repository::init(&root).unwrap();
    let body = |name: &str, line: &str| format!("def {name}(value):\n    {line}\n    return value\n");
    let mut time = 0;
    let mut change = |file: &str, text: &str, subject: &str| {
        std::fs::write(root.join(file), text).unwrap();
        time += 100;
        commit(&repository, subject, time);
    };
    change("invoice.py", &body("round_invoice_total", "value = round(value)"), "Initial import");
    change("upload.py", &body("retry_upload", "value = value + 1"), "fix(net): Retry uploads that time out (#12)");
    change("notes.py", &body("unrelated", "value = 0"), "Handle quantum entanglement of zebras");
    change(
        "invoice.py",
        &body("round_invoice_total", "value = 2"),
        "Fixed #3 -- Prevented wrong rounding of invoice total",
    );
    change("invoice.py", &body("round_invoice_total", "value = 3"), "Bump version of the invoice module");
    change("test_upload.py", &body("test_upload", "value = 3"), "Add checks for the upload of invoices");
    assert_eq!(examples(&root), ["prevent wrong rounding of invoice total", "retry uploads that time out"]);
}

#[test]
fn without_history_examples_are_comments_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a.py"), "def open_till():\n    \"\"\"Opens the till of the shop for the day.\"\"\"\n")
        .unwrap();
    assert_eq!(examples(&root), ["open the till of the shop for the day"]);
    std::fs::write(root.join("a.py"), "def open_till():\n    \"\"\"Meta is for internal use.\"\"\"\n").unwrap();
    assert_eq!(examples(&root), [""; 0]);
}
