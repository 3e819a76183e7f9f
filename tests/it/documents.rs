//! Documents: sections that answer a task are listed beside the ranked code, and change nothing about it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{code, run_in, stderr, stdout};

const CODE: &str = "def create_app(port):\n    '''Creates the shop.'''\n    return serve(port)\n\n\ndef serve(port):\n    \
                    return port\n\n\ndef production_prices():\n    return []\n";
const DEPLOYING: &str = "# Deploying\n\nAll about servers.\n\n## To production\n\nDeploy the shop to production behind a \
                         proxy. Call `create_app`.\n\n## Elsewhere\n\nNothing else.\n";
const TASK: &str = "how do I deploy to production?";

fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "shop/app.py", CODE);
    files.iter().for_each(|(path, text)| write(folder.path(), path, text));
    folder
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn run(root: &Path, arguments: &[&str]) -> String {
    let output = run_in(root, arguments);
    assert!(code(&output) <= 1, "{}", stderr(&output));
    stdout(&output)
}

fn pack(root: &Path, task: &str) -> Value {
    serde_json::from_str(&run(root, &["context", task, "--format", "json"])).unwrap()
}

/// Returns the headings of the listed sections.
fn sections(root: &Path, task: &str) -> Vec<String> {
    let pack = pack(root, task);
    pack["documents"].as_array().unwrap().iter().map(|one| one["heading"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn sections_that_answer_are_listed_with_what_they_say_and_cite() {
    let folder = repository(&[("docs/deploy.md", DEPLOYING)]);
    let text = run(folder.path(), &["context", TASK, "--format", "text"]);
    let line = "docs/deploy.md:5-8 section Deploying > To production — Deploy the shop to production behind a proxy.; \
                cites create_app";
    assert!(text.contains(&format!("documents:\n{line}\n")), "{text}");
    assert!(text.find("production_prices") < text.find("documents:"), "code comes first: {text}");
    let text = run(folder.path(), &["context", TASK, "--docs", "--format", "text"]);
    assert!(text.find("production_prices") > text.find("documents:"), "documents come first: {text}");
    let refused = run_in(folder.path(), &["context", TASK, "--docs", "--format", "gcf"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("--docs works with json, markdown, text, not with gcf"), "{}", stderr(&refused));
    let one = &pack(folder.path(), TASK)["documents"][0];
    assert_eq!(
        (one["file"].as_str(), one["line"].as_u64(), one["end_line"].as_u64()),
        (Some("docs/deploy.md"), Some(5), Some(8))
    );
    assert_eq!(sections(folder.path(), "change what production prices returns"), [""; 0], "one word is no answer");
    let data = repository(&[("tests/data/deploy.md", DEPLOYING)]);
    assert_eq!(sections(data.path(), TASK), [""; 0], "data of tests is no answer");
}

#[test]
fn a_word_that_no_document_has_weighs_less_than_one_that_some_have() {
    let folder = repository(&[("docs/deploy.md", DEPLOYING)]);
    let found = sections(folder.path(), "how do I deploy this project?");
    assert!(found.first().is_some_and(|first| first.starts_with("Deploying")), "{found:?}");
    assert_eq!(
        sections(folder.path(), "how do I deploy this project of a warehouse?"),
        [""; 0],
        "most of it is missing"
    );
}

#[test]
fn documents_change_nothing_about_code() {
    let with = repository(&[("docs/deploy.md", DEPLOYING), ("README.md", "# Shop\n\nSells `serve`, production.\n")]);
    let without = repository(&[]);
    let symbols = |folder: &TempDir| {
        let pack = pack(folder.path(), TASK);
        let symbols = pack["symbols"].as_array().unwrap().iter();
        symbols.map(|one| (one["kind"].clone(), one["line"].clone(), one["score"].clone())).collect::<Vec<_>>()
    };
    assert!(!symbols(&without).is_empty());
    assert_eq!(symbols(&with), symbols(&without));
}

#[test]
fn an_update_reads_what_changed() {
    let folder =
        repository(&[("docs/deploy.md", DEPLOYING), ("docs/old.rst", "Deploy\n======\n\nTo production, once.\n")]);
    let root = folder.path();
    assert_eq!(sections(root, TASK), ["Deploy", "Deploying > To production"]);
    write(root, "docs/deploy.md", &DEPLOYING.replace("## To production", "## To the world"));
    write(root, "docs/new.adoc", "= Servers\n\nDeploy this to production.\n");
    fs::remove_file(root.join("docs/old.rst")).unwrap();
    let updated = pack(root, TASK);
    assert_eq!(sections(root, TASK), ["Servers", "Deploying > To the world"]);
    run(root, &["index", "--force"]);
    let rebuilt = pack(root, TASK);
    assert_eq!(updated["documents"], rebuilt["documents"]);
    fs::remove_dir_all(root.join("docs")).unwrap();
    assert_eq!(sections(root, TASK), [""; 0]);
}

/// The lines of a notebook are those of its file.
#[test]
fn a_notebook_is_code_and_document() {
    let notebook = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz/sample.ipynb"));
    let folder = repository(&[("prices.ipynb", &notebook.unwrap())]);
    let found = pack(folder.path(), "read_prices");
    let symbol = &found["symbols"][0];
    assert_eq!((symbol["file"].as_str(), symbol["line"].as_u64()), (Some("prices.ipynb"), Some(21)), "{found}");
    assert_eq!(sections(folder.path(), "how are prices read?"), ["Prices"]);
    let callers = run(folder.path(), &["callers", "read_prices"]);
    assert!(callers.contains("Chart.draw"), "{callers}");
}

#[test]
fn documents_without_code_are_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "docs/deploy.md", DEPLOYING);
    write(folder.path(), "hello.cob", "       IDENTIFICATION DIVISION.\n");
    let output = run_in(folder.path(), &["context", TASK, "--format", "text"]);
    assert!(stdout(&output).contains("docs/deploy.md:5-8 section"), "{}", stdout(&output));
    assert_eq!(code(&output), 0);
    let notes = stderr(&output);
    assert!(notes.contains("(`knowing help languages` lists the ") && notes.ends_with("1 .cob (Cobol)\n"), "{notes}");
    let nothing = run_in(folder.path(), &["context", "roman numerals", "--format", "text"]);
    assert_eq!(code(&nothing), 1);
}
