//! A ranker that lives long, while others index and write beside it.

use std::path::Path;

use knowing::engine::{Engine, Ranker};
use knowing::model::Task;
use knowing::render::gcf::Gcf;
use tempfile::TempDir;

use crate::cli::{code, copy, run_in, stderr};

/// A small repository with an index.
fn indexed() -> (TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), folder.path());
    let mut engine = Engine::open(folder.path(), None).unwrap();
    engine.index(false, None, &|_| ()).unwrap();
    (folder, engine)
}

/// Whether a task for `fold_parcels` finds it.
fn finds(ranker: &Ranker) -> bool {
    let pack = ranker.pack(&Task::words("why does `fold_parcels` fail"), &Gcf, false, &|| false).unwrap().unwrap();
    pack.symbols.iter().any(|packed| packed.symbol.name == "fold_parcels")
}

fn add_parcels(root: &Path) {
    std::fs::write(root.join("parcels.py"), "def fold_parcels(count):\n    return count\n").unwrap();
}

#[test]
fn a_ranker_goes_over_to_what_another_process_indexed() {
    let (folder, engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    assert!(!ranker.refresh().unwrap() && !finds(&ranker));
    add_parcels(folder.path());
    assert!(!ranker.refresh().unwrap(), "nobody has indexed yet");
    let output = run_in(folder.path(), &["index"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!finds(&ranker), "one state until it is renewed");
    assert!(ranker.refresh().unwrap() && finds(&ranker));
    assert!(!ranker.refresh().unwrap() && finds(&ranker));
}

#[test]
fn a_ranker_follows_a_build_from_nothing_into_another_file() {
    let (folder, mut engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    ranker.refresh().unwrap();
    std::fs::remove_dir_all(folder.path().join(".knowing")).unwrap();
    add_parcels(folder.path());
    engine.index(true, None, &|_| ()).unwrap();
    assert!(ranker.refresh().unwrap() && finds(&ranker));
}

#[test]
fn what_is_written_beside_the_index_loads_nothing_anew() {
    let (folder, engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    ranker.refresh().unwrap();
    let output = run_in(folder.path(), &["context", "--task", "charge the visitor"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!ranker.refresh().unwrap(), "only a pack was remembered");
}

#[test]
fn a_ranker_without_an_index_keeps_what_it_has() {
    let (folder, engine) = indexed();
    let mut ranker = engine.ranker().unwrap();
    ranker.refresh().unwrap();
    std::fs::remove_dir_all(folder.path().join(".knowing")).unwrap();
    assert!(ranker.refresh().is_err());
    let pack = ranker.pack(&Task::words("charge the visitor"), &Gcf, false, &|| false).unwrap().unwrap();
    assert!(!pack.symbols.is_empty());
}
