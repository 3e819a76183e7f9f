//! Whole runs: what a user meets beside the rows.

use std::path::{Path, PathBuf};

use knowing::index::{IndexError, IndexOptions, index};
use knowing::model::EdgeType;
use knowing::store::{MatchQuery, Reader, SEARCH_COLUMNS, SearchColumn, StoreError};

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
fn two_checkouts_have_the_same_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let databases: Vec<PathBuf> = ["one", "other/place"]
        .iter()
        .map(|place| {
            let root = folder.path().join(place).join("repo");
            checkout(&root);
            let database = folder.path().join(place).join("graph.db");
            run(&root, &database, 2);
            database
        })
        .collect();
    assert_eq!(difference(&dump(&databases[0]), &dump(&databases[1])), Vec::<String>::new());
}

#[test]
fn the_default_place_is_in_the_repository_and_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    checkout(&root);
    let report = index(&root, &IndexOptions::default(), &|_| {}).unwrap();
    assert_eq!(report.database, root.canonicalize().unwrap().join(".knowing/graph.db"));
    assert!(root.join(".knowing/.gitignore").exists());
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
fn force_on_a_sound_database_gives_the_same_index() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    checkout(&root);
    run(&root, &database, 1);
    let before = dump(&database);
    let options = IndexOptions { database: Some(database.clone()), force: true, jobs: None };
    index(&root, &options, &|_| {}).unwrap();
    assert_eq!(difference(&before, &dump(&database)), Vec::<String>::new());
}

#[test]
fn a_repository_without_source_gives_an_empty_index() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("README.md"), "nothing here");
    assert_eq!(run(&root, &database, 1).stats.symbol_count(), 0);
    assert_eq!(Reader::open(&database).unwrap().all_edges().unwrap(), []);
}

#[test]
fn a_missing_folder_is_told() {
    let options = IndexOptions::default();
    let error = index(Path::new("/no/such/folder"), &options, &|_| {}).unwrap_err();
    assert!(error.to_string().contains("/no/such/folder"));
}

fn commit(repository: &git2::Repository, message: &str, time: i64) {
    let mut index = repository.index().unwrap();
    index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::new("Ada", "ada@example.org", &git2::Time::new(time, 0)).unwrap();
    let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
    let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
    repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents).unwrap();
}

#[test]
fn history_and_owners_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("a.py"), "def f():\n    return 1\n\n\ndef g():\n    return 2\n");
    write(&root.join("b.py"), "def h():\n    pass\n");
    write(&root.join("CODEOWNERS"), "*.py @example/team\n");
    let repository = git2::Repository::init(&root).unwrap();
    commit(&repository, "Bring the zeppelin", 100);
    run(&root, &database, 1);
    write(&root.join("a.py"), "def f():\n    return 1\n\n\ndef g():\n    return 3\n");
    commit(&repository, "Paint it violet", 200);
    run(&root, &database, 1);

    let reader = Reader::open(&database).unwrap();
    let find = |word: &str| -> Vec<String> {
        let hits = reader.search(&MatchQuery::new().term_in(&[SearchColumn::History], word), [1.0; SEARCH_COLUMNS], 9);
        let mut files: Vec<String> =
            hits.unwrap().iter().map(|hit| reader.symbol(hit.node).unwrap().unwrap().file).collect();
        files.sort();
        files
    };
    assert_eq!(find("violet"), ["a.py"]);
    assert_eq!(find("zeppelin"), ["a.py", "b.py"]);
    let mut times: Vec<(String, i64, u32)> = reader
        .node_histories()
        .unwrap()
        .into_iter()
        .map(|row| (reader.symbol(row.node).unwrap().unwrap().name, row.last_time, row.commit_count))
        .collect();
    times.sort();
    assert_eq!(times, [("f".to_owned(), 100, 1), ("g".to_owned(), 200, 2), ("h".to_owned(), 100, 1)]);
    let owned = reader.all_edges().unwrap().iter().filter(|edge| edge.edge_type == EdgeType::OwnedBy).count();
    assert_eq!(owned, 2);
    check(&root, &database, 1, "a commit");
    assert!(run(&root, &database, 1).is_unchanged);
}

/// Each pair of definitions had one qualified name in two files, and so one identity.
#[test]
fn names_that_look_alike_when_joined_are_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("a.py"), "class b:\n    class py:\n        class T:\n            pass\n");
    write(&root.join("a.py.b.py"), "class T:\n    pass\n");
    write(&root.join("p/a.go"), "package p\n\ntype q struct{ a struct{ b int } }\n");
    write(&root.join("p.q/a.go"), "package q\n\ntype a struct{ b int }\n");
    let report = run(&root, &database, 1);
    assert_eq!(report.parsed_files, 4);
    let symbols = knowing::store::Reader::open(&database).unwrap().all_symbols().unwrap();
    let named = |name: &str| symbols.iter().filter(|symbol| symbol.qualified_name == name).count();
    assert_eq!(named("repo://a.py.b.py.T"), 2, "people read the same name");
    check(&root, &database, 1, "nothing");
}
