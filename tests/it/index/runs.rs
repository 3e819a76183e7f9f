//! Index runs: determinism, damaged databases and error messages.

use std::path::{Path, PathBuf};

use knowing_indexing::index::{IndexError, IndexOptions, index};
use knowing_indexing::store::{Reader, StoreError};

use super::dump::{difference, dump};
use super::incremental::{check, run, write};
use super::source::{PATHS, source};

fn checkout(root: &Path) {
    write(&root.join("go.mod"), "module example.org/repo\n");
    for (path, seed) in PATHS.iter().zip(1..) {
        write(&root.join(path), &source(path, seed));
    }
}

#[test]
fn equal_checkouts_have_equal_indexes() {
    let folder = tempfile::tempdir().unwrap();
    let databases: Vec<PathBuf> = ["one", "other/folder"]
        .iter()
        .map(|name| {
            let root = folder.path().join(name).join("repo");
            checkout(&root);
            let database = folder.path().join(name).join("graph.db");
            run(&root, &database, 2);
            database
        })
        .collect();
    assert_eq!(difference(&dump(&databases[0]), &dump(&databases[1])), Vec::<String>::new());
}

#[test]
fn the_default_database_is_in_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    checkout(&root);
    let mut engine = crate::cli::open(&root);
    let report = engine.index(false, None, &|_| {}).unwrap();
    assert!(report.database.starts_with(crate::cli::data_home(&root)) && report.database.exists());
    assert!(!root.join(".knowing").exists());
    assert_eq!(report.repository, "repo");
}

#[test]
fn force_replaces_a_damaged_database() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    checkout(&root);
    run(&root, &database, 1);
    let before = dump(&database);
    let length = std::fs::metadata(&database).unwrap().len();
    std::fs::File::options().write(true).open(&database).unwrap().set_len(length / 3).unwrap();
    let options = IndexOptions { database: Some(database.clone()), ..IndexOptions::default() };
    let refused = index(&root, &options, &|_| {}).unwrap_err();
    assert!(matches!(refused, IndexError::Store(StoreError::Damaged { .. })), "{refused}");
    let report = index(&root, &IndexOptions { force: true, ..options }, &|_| {}).unwrap();
    assert!(!report.notes.is_empty());
    assert_eq!(difference(&before, &dump(&database)), Vec::<String>::new());
}

#[test]
fn force_rebuilds_the_same_index() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    checkout(&root);
    run(&root, &database, 1);
    let before = dump(&database);
    let options = IndexOptions { database: Some(database.clone()), force: true, ..IndexOptions::default() };
    index(&root, &options, &|_| {}).unwrap();
    assert_eq!(difference(&before, &dump(&database)), Vec::<String>::new());
}

#[test]
fn a_repository_without_source_has_an_empty_index() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("README.md"), "nothing here");
    run(&root, &database, 1);
    let reader = Reader::open(&database).unwrap();
    assert_eq!((reader.stats().unwrap().symbol_count(), reader.all_edges().unwrap()), (0, Vec::new()));
}

#[test]
fn a_missing_folder_is_reported() {
    let options = IndexOptions::default();
    let error = index(Path::new("/no/such/folder"), &options, &|_| {}).unwrap_err();
    assert!(error.to_string().contains("/no/such/folder"));
}

/// Each pair of definitions once had the same qualified name in two files, and so the same identity.
#[test]
fn equal_qualified_names_have_distinct_identities() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("a.py"), "class b:\n    class py:\n        class T:\n            pass\n");
    write(&root.join("a.py.b.py"), "class T:\n    pass\n");
    write(&root.join("p/a.go"), "package p\n\ntype q struct{ a struct{ b int } }\n");
    write(&root.join("p.q/a.go"), "package q\n\ntype a struct{ b int }\n");
    let report = run(&root, &database, 1);
    assert_eq!(report.parsed_files, 4);
    let symbols = knowing_indexing::store::Reader::open(&database).unwrap().all_symbols().unwrap();
    let named = |name: &str| symbols.iter().filter(|symbol| symbol.qualified_name == name).count();
    assert_eq!(named("repo://a.py.b.py.T"), 2, "both have the same qualified name");
    check(&root, &database, 1, "nothing");
}

/// Resolving such a module once led back to the same module without end.
#[test]
fn a_module_of_a_library_that_tests_include_is_resolved() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let helper = "RSpec.configure do |config|\n  config.include Factory::Syntax\n  config.include Absent\nend\n";
    write(&root.join("spec/spec_helper.rb"), helper);
    let spec = "RSpec.describe 'till' do\n  it 'opens' do\n    Absent.open\n    build(:till)\n  end\nend\n";
    write(&root.join("spec/till_spec.rb"), spec);
    assert!(run(&root, &database, 1).notes.is_empty());
    check(&root, &database, 1, "a module that no file defines");
}
