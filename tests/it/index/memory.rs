//! The index is the same whatever limit of memory is given.

use std::path::{Path, PathBuf};

use knowing_indexing::index::{IndexOptions, IndexReport, index};
use knowing_indexing::store::Reader;

use super::batches::{change, texts};
use super::dump::{difference, dump};

/// Returns one line for each row of the index, and those that have node ids.
fn all_rows(database: &Path) -> Vec<String> {
    let reader = Reader::open(database).unwrap();
    let nodes = reader.all_symbols().unwrap().into_iter().map(|symbol| format!("{:?} {:?}", symbol.node, symbol.id));
    let edges = reader.all_edges().unwrap().into_iter().map(|edge| format!("{edge:?}"));
    nodes.chain(edges).chain(dump(database)).collect()
}

fn run(root: &Path, database: &Path, memory: Option<u64>) -> IndexReport {
    let options = IndexOptions { database: Some(database.to_owned()), memory, ..IndexOptions::default() };
    index(root, &options, &|_| {}).unwrap()
}

#[test]
fn builds_and_updates_are_the_same_with_hardly_any_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (root, plain, scarce) =
        (folder.path().join("repo"), folder.path().join("plain.db"), folder.path().join("scarce.db"));
    let original = texts(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"));
    let mut current = Default::default();
    let mut next = original.clone();
    for step in 0..3 {
        change(&root, &mut current, next.clone());
        let (report, limited) = (run(&root, &plain, None), run(&root, &scarce, Some(1)));
        assert_eq!(report.resolved_files, limited.resolved_files);
        assert!(report.notes.is_empty() && limited.notes.len() == 1, "{:?} {:?}", report.notes, limited.notes);
        assert_eq!(difference(&all_rows(&plain), &all_rows(&scarce)), Vec::<String>::new(), "step {step}");
        // Texts of every third file come from another one of its language, then files are gone.
        let paths: Vec<PathBuf> = next.keys().cloned().collect();
        for (number, path) in paths.iter().enumerate().filter(|(number, _)| number % 3 == step) {
            let other = paths[number..].iter().skip(1).find(|other| other.extension() == path.extension());
            match other.filter(|_| step == 0) {
                Some(other) => _ = next.insert(path.clone(), original[other].clone()),
                None => _ = next.remove(path),
            }
        }
    }
}
