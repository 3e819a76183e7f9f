//! A long-lived ranker beside other processes that index and write.

use std::path::Path;

use knowing_analysis::model::Task;
use knowing_retrieval::engine::{Engine, Ranker};
use knowing_retrieval::render::gcf::Gcf;
use tempfile::TempDir;

use crate::cli::{code, copy, run_in, stderr};

/// Creates a small repository with an index.
fn indexed() -> (TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), folder.path());
    let mut engine = crate::cli::open(folder.path());
    engine.index(false, None, &|_| ()).unwrap();
    (folder, engine)
}

/// Returns whether a task for `fold_parcels` finds it.
fn finds(ranker: &Ranker) -> bool {
    let pack = ranker.pack(&Task::from_text("why does `fold_parcels` fail"), &Gcf, false, &|| false).unwrap().unwrap();
    pack.symbols.iter().any(|packed| packed.symbol.name == "fold_parcels")
}

fn add_parcels(root: &Path) {
    std::fs::write(root.join("parcels.py"), "def fold_parcels(count):\n    return count\n").unwrap();
}

#[test]
fn refresh_loads_the_index_of_another_process() {
    let (folder, engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    assert!(!ranker.refresh().unwrap() && !finds(&ranker));
    add_parcels(folder.path());
    assert!(!ranker.refresh().unwrap(), "not indexed yet");
    let output = run_in(folder.path(), &["index"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!finds(&ranker), "one state until the refresh");
    assert!(ranker.refresh().unwrap() && finds(&ranker));
    assert!(!ranker.refresh().unwrap() && finds(&ranker));
}

#[test]
fn refresh_follows_a_rebuilt_database() {
    let (folder, mut engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    ranker.refresh().unwrap();
    crate::cli::remove_state(folder.path());
    add_parcels(folder.path());
    engine.index(true, None, &|_| ()).unwrap();
    assert!(ranker.refresh().unwrap() && finds(&ranker));
}

#[test]
fn refresh_ignores_other_writes() {
    let (folder, engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    ranker.refresh().unwrap();
    let output = run_in(folder.path(), &["context", "--task", "charge the visitor"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!ranker.refresh().unwrap(), "only a manifest was stored");
}

#[test]
fn ranker_without_an_index_keeps_its_state() {
    let (folder, engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    ranker.refresh().unwrap();
    crate::cli::remove_state(folder.path());
    assert!(ranker.refresh().is_err());
    let pack = ranker.pack(&Task::from_text("charge the visitor"), &Gcf, false, &|| false).unwrap().unwrap();
    assert!(!pack.symbols.is_empty());
}
