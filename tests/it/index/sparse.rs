//! Node ids after most of a repository is gone: they are dense again, whatever the index was before.

use std::path::Path;

use knowing_analysis::model::{NodeId, Span, SymbolKind};
use knowing_indexing::store::{NodeRow, Reader, Writer, fsck};
use knowing_retrieval::engine::Engine;

use super::dump::{difference, dump};

/// Number of functions in a large file, more than the gaps that may be.
const MANY: usize = 1_500;

fn write(root: &Path, path: &str, functions: usize) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text: String = (0..functions).map(|number| format!("def f{number}():\n    return f0()\n\n\n")).collect();
    std::fs::write(path, text).unwrap();
}

fn index(root: &Path, database: &Path) -> knowing_indexing::index::IndexReport {
    Engine::open(root, Some(database)).unwrap().index(false, Some(2), &|_| {}).unwrap()
}

fn assert_dense_and_as_rebuilt(root: &Path, database: &Path) {
    let problems: Vec<_> = fsck(database).unwrap().into_iter().filter(|finding| !finding.problems.is_empty()).collect();
    assert!(problems.is_empty(), "{problems:?}");
    let rebuilt = tempfile::tempdir().unwrap();
    let rebuilt = rebuilt.path().join("graph.db");
    index(root, &rebuilt);
    assert_eq!(difference(&dump(database), &dump(&rebuilt)), [""; 0], "updated (-) and rebuilt (+)");
}

#[test]
fn an_index_stays_dense_when_most_files_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root, "a/first.py", MANY);
    write(&root, "b/small.py", 3);
    write(&root, "c/last.py", MANY);
    index(&root, &database);
    std::fs::remove_dir_all(root.join("a")).unwrap();
    std::fs::remove_dir_all(root.join("c")).unwrap();
    let report = index(&root, &database);
    assert_eq!(report.removed_files, 2);
    assert_dense_and_as_rebuilt(&root, &database);
    assert!(index(&root, &database).is_unchanged, "the next run has nothing to do");

    write(&root, "a/first.py", MANY);
    assert_eq!(index(&root, &database).parsed_files, 1, "only the new file is parsed");
    write(&root, "a/first.py", 1);
    index(&root, &database);
    assert_dense_and_as_rebuilt(&root, &database);
}

#[test]
fn a_sparse_index_of_an_earlier_version_is_made_dense() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root, "a.py", 3);
    index(&root, &database);
    // As an earlier version left it: a node far behind the others.
    let mut writer = Writer::open(&database).unwrap();
    writer.begin().unwrap();
    writer
        .put_node(NodeRow {
            id: NodeId::new(5_000),
            file: None,
            kind: SymbolKind::EnvVar,
            name: "x".to_owned(),
            scope: String::new(),
            signature: String::new(),
            doc: String::new(),
            span: Span::default(),
            is_test: false,
            ordinal: 0,
        })
        .unwrap();
    writer.commit().unwrap();
    assert!(Reader::open(&database).unwrap().sparse_node_ids().unwrap().is_some());
    index(&root, &database);
    assert_dense_and_as_rebuilt(&root, &database);
}
