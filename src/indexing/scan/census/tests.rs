//! Checkouts of which nothing is indexed.

use std::fs;

use super::*;
use crate::scan::discover;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn census(folder: &tempfile::TempDir) -> Census {
    Census::take(folder.path(), &discover(folder.path()))
}

/// Commits every file and returns the repository.
fn committed(folder: &tempfile::TempDir) -> git2::Repository {
    let git = git2::Repository::init(folder.path()).unwrap();
    let mut index = git.index().unwrap();
    index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::new("a", "a@example.org", &git2::Time::new(0, 0)).unwrap();
    git.commit(Some("HEAD"), &author, &author, "x", &tree, &[]).unwrap();
    drop(tree);
    git
}

#[test]
fn files_are_counted_by_the_rule_that_leaves_them_out() {
    let folder = tree(&[
        (".gitignore", "# generated\n*.py\nbuild/\nempty/\n"),
        (".knowing/settings.toml", "exclude = [\"docs/\"]\n"),
        ("a.py", ""),
        ("b/c.py", ""),
        ("build/out/x.rs", ""),
        ("build/y.go", ""),
        ("build/z.go", ""),
        ("empty/data.json", ""),
        ("docs/conf.rb", ""),
        ("vendor/x/a.go", ""),
        (".ci/run.py", ""),
        ("notes.md", ""),
        ("LICENSE", ""),
    ]);
    let census = census(&folder);
    let rules: Vec<(String, u64)> = census.rules.iter().map(|(_, rule, files)| (rule.to_string(), *files)).collect();
    let expected = [
        ("`.gitignore` line 3 (`build/`)", 3),
        ("`.gitignore` line 2 (`*.py`)", 2),
        ("`.knowing/settings.toml` line 1 (`docs/`)", 1),
    ];
    assert_eq!(rules, expected.map(|(rule, files)| (rule.to_owned(), files)));
    assert_eq!((census.vendored, census.hidden, census.missing, census.state), (1, 1, 0, None));
    assert_eq!(census.extensions, [("".to_owned(), 1), ("md".to_owned(), 1)].into());
}

#[test]
fn the_state_of_a_checkout_is_recognized() {
    let empty = tree(&[]);
    assert_eq!(census(&empty).state, Some(CheckoutState::Empty));
    git2::Repository::init(empty.path()).unwrap();
    assert_eq!(census(&empty).state, Some(CheckoutState::Empty), "no commit");
    let bare = tree(&[]);
    git2::Repository::init_bare(bare.path()).unwrap();
    assert_eq!(census(&bare).state, Some(CheckoutState::Bare));

    let folder = tree(&[("a.py", ""), ("b/c.rs", ""), ("README.md", "")]);
    committed(&folder);
    for path in ["a.py", "b/c.rs"] {
        fs::remove_file(folder.path().join(path)).unwrap();
    }
    let deleted = census(&folder);
    assert_eq!((deleted.state, deleted.missing), (None, 2));
    fs::write(folder.path().join(".git/info/sparse-checkout"), "/*\n!/*/\n").unwrap();
    let sparse = census(&folder);
    assert_eq!((sparse.state, sparse.missing), (Some(CheckoutState::Sparse), 2));
    fs::remove_file(folder.path().join(".git/info/sparse-checkout")).unwrap();
    fs::remove_file(folder.path().join(".git/index")).unwrap();
    assert_eq!(census(&folder).state, Some(CheckoutState::NotCheckedOut));
}
