//! Git history in the index, and its updates when the repository changes.

use std::path::{Path, PathBuf};

use knowing_analysis::model::{EdgeType, NodeId};
use knowing_indexing::store::{Reader, SearchColumn};
use tempfile::TempDir;

use super::incremental::{check, run, write};

/// Commits the whole working tree.
pub fn commit(repository: &git2::Repository, message: &str, time: i64) {
    let mut index = repository.index().unwrap();
    index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
    index.update_all(["*"], None).unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::new("Ada", "ada@example.org", &git2::Time::new(time, 0)).unwrap();
    let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
    let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
    repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents).unwrap();
}

/// Checks out the first commit, or the tip of the branch.
pub fn check_out(repository: &git2::Repository, first: bool) {
    let mut commit = repository.head().unwrap().peel_to_commit().unwrap();
    if first {
        while let Ok(parent) = commit.parent(0) {
            commit = parent;
        }
        repository.set_head_detached(commit.id()).unwrap();
    } else {
        let branches = repository.branches(Some(git2::BranchType::Local)).unwrap();
        let branch = branches.map(|branch| branch.unwrap().0.into_reference()).next().unwrap();
        repository.set_head(branch.name().unwrap()).unwrap();
    }
    repository.checkout_head(Some(git2::build::CheckoutBuilder::new().force())).unwrap();
}

#[test]
fn history_and_owners_are_updated() {
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
        let rows = reader.postings(word, usize::MAX).unwrap();
        let found = rows.iter().filter(|posting| posting.frequencies[SearchColumn::History as usize] > 0);
        let mut files: Vec<String> =
            found.map(|posting| reader.symbol(posting.document).unwrap().unwrap().file).collect();
        files.sort();
        files
    };
    assert_eq!(find("violet"), ["a.py"]);
    assert_eq!(find("zeppelin"), ["a.py", "b.py"]);
    assert_eq!(times(&database), [("f".to_owned(), 100, 1), ("g".to_owned(), 200, 2), ("h".to_owned(), 100, 1)]);
    let owned = reader.all_edges().unwrap().iter().filter(|edge| edge.edge_type == EdgeType::OwnedBy).count();
    assert_eq!(owned, 2);
    check(&root, &database, 1, "a commit");
    assert!(run(&root, &database, 1).is_unchanged);
}

/// Returns name, time of the last commit and number of commits of each symbol with a history, sorted.
fn times(database: &Path) -> Vec<(String, i64, u32)> {
    let reader = Reader::open(database).unwrap();
    let name = |node: NodeId| reader.symbol(node).unwrap().unwrap().name;
    let rows = reader.node_histories().unwrap();
    let mut times: Vec<(String, i64, u32)> =
        rows.into_iter().map(|row| (name(row.node), row.last_time, row.commit_count)).collect();
    times.sort();
    times
}

/// Creates and indexes a repository of two commits, which add `f` and `g`.
fn indexed() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let git = git2::Repository::init(&root).unwrap();
    write(&root.join("a.py"), "def f():\n    return 1\n");
    commit(&git, "First", 100);
    write(&root.join("b.py"), "def g():\n    return 1\n");
    commit(&git, "Second", 200);
    run(&root, &database, 1);
    assert_eq!(times(&database), [("f".to_owned(), 100, 1), ("g".to_owned(), 200, 1)]);
    (folder, root, database)
}

#[test]
fn an_unreadable_history_is_kept_and_reported() {
    let (_folder, root, database) = indexed();
    let before = times(&database);
    let head = std::fs::read(root.join(".git/HEAD")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "\u{fffd} no reference").unwrap();
    write(&root.join("b.py"), "def g():\n    return 2\n\n\ndef h():\n    return 1\n");
    let report = run(&root, &database, 1);
    assert!(report.notes.iter().any(|note| note.contains("cannot read the git history")), "{:?}", report.notes);
    assert_eq!(times(&database), before);
    assert!(run(&root, &database, 1).is_unchanged, "the history is not read again");
    std::fs::write(root.join(".git/HEAD"), head).unwrap();
    run(&root, &database, 1);
    check(&root, &database, 1, "git came back");
}

#[test]
fn without_git_symbols_have_no_history() {
    let (_folder, root, database) = indexed();
    std::fs::remove_dir_all(root.join(".git")).unwrap();
    run(&root, &database, 1);
    assert_eq!(times(&database), []);
    check(&root, &database, 1, "git is gone");
}

#[test]
fn unshallowing_a_clone_restores_history() {
    let (_folder, root, database) = indexed();
    let git = git2::Repository::open(&root).unwrap();
    std::fs::write(root.join(".git/shallow"), format!("{}\n", git.head().unwrap().target().unwrap())).unwrap();
    run(&root, &database, 1);
    assert_eq!(times(&database), [], "the only commit has no parent to compare with");
    check(&root, &database, 1, "the history was cut");
    std::fs::remove_file(root.join(".git/shallow")).unwrap();
    run(&root, &database, 1);
    assert_eq!(times(&database).len(), 2);
    check(&root, &database, 1, "the history was completed");
}

#[test]
fn equal_names_of_a_package_keep_their_histories() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let git = git2::Repository::init(&root).unwrap();
    write(&root.join("p/a.go"), "package p\n\nfunc init() {}\n");
    commit(&git, "First", 100);
    write(&root.join("p/b.go"), "package p\n\nfunc init() { println() }\n");
    commit(&git, "Second", 200);
    run(&root, &database, 1);
    // Deleting the file turns the second `init` into the first.
    std::fs::remove_file(root.join("p/a.go")).unwrap();
    run(&root, &database, 1);
    assert_eq!(times(&database), [("init".to_owned(), 200, 1)]);
    check(&root, &database, 1, "the first of two equal names was deleted");
}
