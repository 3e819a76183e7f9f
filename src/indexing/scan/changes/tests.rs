//! Tests of the comparison with a base commit.

use super::*;
use std::fs;

fn commit(repository: &git2::Repository, message: &str) {
    let mut index = repository.index().unwrap();
    index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let who = git2::Signature::now("a", "a@example.invalid").unwrap();
    let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
    repository.commit(Some("HEAD"), &who, &who, message, &tree, parent.iter().collect::<Vec<_>>().as_slice()).unwrap();
}

/// Returns the paths of the deleted files, and whether there may be more.
fn deleted(root: &Path, base: &str) -> (Vec<String>, bool) {
    let difference = difference(root, base).unwrap();
    (difference.deleted.into_iter().map(|file| file.path).collect(), difference.is_cut)
}

fn ranges(file: &ChangedFile) -> Vec<(u32, u32)> {
    file.hunks.iter().map(Hunk::range).collect()
}

#[test]
fn lists_committed_and_working_changes_and_deletions_apart() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    for name in ["kept.py", "edited.py", "gone.py"] {
        fs::write(folder.path().join(name), "x = 1\n").unwrap();
    }
    commit(&repository, "base");
    repository
        .tag_lightweight("base", &repository.head().unwrap().peel(git2::ObjectType::Commit).unwrap(), false)
        .unwrap();
    fs::write(folder.path().join("later.py"), "y = 1\n").unwrap();
    commit(&repository, "later");
    fs::write(folder.path().join("edited.py"), "x = 2\n").unwrap();
    fs::write(folder.path().join("new.py"), "z = 2\n").unwrap();
    fs::remove_file(folder.path().join("gone.py")).unwrap();
    let changed = changed_files(folder.path(), "base").unwrap();
    let paths: Vec<&str> = changed.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["edited.py", "later.py", "new.py"]);
    assert!(changed.iter().all(|file| ranges(file) == [(1, 1)]), "{changed:?}");
    assert_eq!(deleted(folder.path(), "base"), (vec!["gone.py".to_owned()], false));
}

#[test]
fn changed_lines_refer_to_the_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    let path = folder.path().join("a.py");
    let lines = |range: std::ops::Range<u32>| range.map(|line| format!("line {line}\n")).collect::<String>();
    fs::write(&path, lines(1..21)).unwrap();
    commit(&repository, "base");
    // Inserts two lines after the third, removes the tenth, changes the fifteenth.
    let text = lines(1..4) + "x\ny\n" + &lines(4..10) + &lines(11..15) + "z\n" + &lines(16..21);
    fs::write(&path, text).unwrap();
    let changed = changed_files(folder.path(), "HEAD").unwrap();
    assert_eq!(ranges(&changed[0]), [(4, 5), (12, 11), (16, 16)]);
    let hunks: Vec<_> = changed[0].hunks.iter().map(|hunk| (hunk.start, hunk.lines, hunk.removed.join(","))).collect();
    assert_eq!(hunks, [(4, 2, String::new()), (12, 0, "line 10".into()), (16, 1, "line 15".into())]);
}

#[test]
fn a_tree_bomb_is_not_visited() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
    let blob = repository.blob(b"y = 1\n").unwrap();
    let mut builder = repository.treebuilder(None).unwrap();
    builder.insert("a.py", blob, 0o100_644).unwrap();
    let mut tree = builder.write().unwrap();
    // 10^20 entries.
    for _ in 0..20 {
        let mut builder = repository.treebuilder(None).unwrap();
        (0..10).for_each(|name| drop(builder.insert(format!("d{name}"), tree, 0o040_000).unwrap()));
        builder.insert("a.py", blob, 0o100_644).unwrap();
        tree = builder.write().unwrap();
    }
    let who = git2::Signature::now("a", "a@example.invalid").unwrap();
    let tree = repository.find_tree(tree).unwrap();
    repository.commit(Some("HEAD"), &who, &who, "bomb", &tree, &[]).unwrap();
    let changed = changed_files(folder.path(), "HEAD").unwrap();
    let hunks = vec![Hunk { start: 1, lines: 1, removed: vec!["y = 1".into()] }];
    assert_eq!(changed, [ChangedFile { path: "a.py".into(), hunks, ..ChangedFile::default() }]);
    let (deleted, is_cut) = deleted(folder.path(), "HEAD");
    assert!(is_cut && deleted.contains(&"d9/a.py".to_owned()), "{} files", deleted.len());
}

#[test]
fn staged_converted_and_ignored_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let repository = git2::Repository::init(root).unwrap();
    fs::create_dir_all(root.join("a/b")).unwrap();
    for path in ["a/b/same.py", "a/b/staged.py", "a/both.py", "a/ends.py"] {
        fs::write(root.join(path), "x = 1\ny = 2\n").unwrap();
    }
    commit(&repository, "base");
    fs::write(root.join("a/ends.py"), "x = 1\r\ny = 2\r\n").unwrap();
    fs::write(root.join("a/both.py"), "x = 1\r\ny = 4\r\n").unwrap();
    fs::write(root.join("a/b/staged.py"), "x = 1\ny = 3\n").unwrap();
    let mut index = repository.index().unwrap();
    index.add_path(Path::new("a/b/staged.py")).unwrap();
    index.write().unwrap();
    fs::write(root.join(".gitignore"), "ignored.py\n").unwrap();
    fs::write(root.join("ignored.py"), "x = 1\n").unwrap();
    let changed = changed_files(root, "HEAD").unwrap();
    let second_line = |path: &str| ChangedFile {
        path: path.into(),
        hunks: vec![Hunk { start: 2, lines: 1, removed: vec!["y = 2".into()] }],
        ..ChangedFile::default()
    };
    assert_eq!(changed, [second_line("a/b/staged.py"), second_line("a/both.py")]);
}

/// Sockets are used instead of pipes, because a failing test would block.
#[cfg(unix)]
#[test]
fn special_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    fs::write(folder.path().join("a.py"), "").unwrap();
    commit(&repository, "one");
    for path in ["refs/heads/pipe", "objects/pack/pack-1.idx", "objects/ab"] {
        let path = folder.path().join(".git").join(path);
        drop(fs::remove_dir_all(&path));
        let socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let error = changed_files(folder.path(), "HEAD").unwrap_err();
        assert!(matches!(error, ChangesError::Git(GitError::Special { .. })), "{error}");
        drop(socket);
        fs::remove_file(&path).unwrap();
    }
    let _ignored = std::os::unix::net::UnixListener::bind(folder.path().join(".gitignore")).unwrap();
    let _attributes = std::os::unix::net::UnixListener::bind(folder.path().join(".gitattributes")).unwrap();
    assert_eq!(changed_files(folder.path(), "HEAD").unwrap(), []);
}

#[test]
fn errors_name_the_missing_item() {
    let folder = tempfile::tempdir().unwrap();
    let error = changed_files(folder.path(), "main").unwrap_err().to_string();
    assert!(error.contains("not in a git repository"), "{error}");
    let repository = git2::Repository::init(folder.path()).unwrap();
    let config = fs::read(folder.path().join(".git/config")).unwrap();
    fs::write(folder.path().join(".git/config"), "[core\n").unwrap();
    let error = changed_files(folder.path(), "main").unwrap_err().to_string();
    assert!(error.contains("cannot read"), "{error}");
    fs::write(folder.path().join(".git/config"), config).unwrap();
    fs::write(folder.path().join("a.py"), "").unwrap();
    commit(&repository, "one");
    let error = changed_files(folder.path(), "nowhere").unwrap_err().to_string();
    assert!(error.contains("`nowhere`"), "{error}");
}

#[test]
fn errors_of_cut_damaged_and_moved_repositories_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("one");
    let repository = git2::Repository::init(&root).unwrap();
    fs::write(root.join("a.py"), "").unwrap();
    commit(&repository, "one");
    let error = |root: &Path| changed_files(root, "HEAD~1").unwrap_err().to_string();
    assert!(error(&root).contains("git branch -a"), "{}", error(&root));
    let id = repository.head().unwrap().target().unwrap();
    fs::write(root.join(".git/shallow"), format!("{id}\n")).unwrap();
    assert!(error(&root).contains("git fetch --unshallow"), "{}", error(&root));
    let branch = repository.head().unwrap().name().unwrap().to_owned();
    for text in ["", "garbage"] {
        fs::write(root.join(".git").join(&branch), text).unwrap();
        let error = error(&root);
        assert!(error.contains(&branch) && error.contains("is empty or damaged"), "{error}");
    }
    let worktree = folder.path().join("two");
    fs::create_dir_all(worktree.join("src")).unwrap();
    fs::write(worktree.join(".git"), "gitdir: /gone/.git/worktrees/two\n").unwrap();
    for root in [worktree.join("src"), worktree] {
        let error = error(&root);
        assert!(error.contains("/gone/.git/worktrees/two, which does not exist"), "{error}");
    }
}

#[test]
fn bases_are_branches_and_recent_commits() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    for message in ["one", "two", "three"] {
        fs::write(folder.path().join("a.py"), message).unwrap();
        commit(&repository, message);
    }
    let head = repository.head().unwrap().peel_to_commit().unwrap();
    repository.branch("topic", &head.parent(0).unwrap(), true).unwrap();
    let bases = bases(folder.path()).unwrap();
    let named = |name: &str| bases.iter().find(|base| base.name == name).map(|base| base.subject.as_str());
    assert_eq!((bases[0].name.as_str(), bases[0].subject.as_str()), ("HEAD", "three"));
    assert_eq!([named("topic"), named("HEAD~1"), named("HEAD~2")], [Some("two"), Some("two"), Some("one")]);
    assert_eq!(named("HEAD~3"), None);
}

#[test]
fn changes_of_a_commit_alone_are_at_their_present_lines() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.py", "one\ntwo\nthree\n");
    write("gone.py", "x\n");
    commit(&repository, "base");
    write("a.py", "one\n2\nthree\n");
    write("b.py", "new\n");
    write("README.md", "new\n");
    fs::remove_file(folder.path().join("gone.py")).unwrap();
    let mut index = repository.index().unwrap();
    index.remove_path(Path::new("gone.py")).unwrap();
    index.write().unwrap();
    commit(&repository, "the change");
    let id = repository.head().unwrap().peel_to_commit().unwrap().id().to_string();
    write("a.py", "zero\nzero\none\n2\nthree\nfour\n");
    commit(&repository, "later");
    write("a.py", "zero\nzero\none\n2\nthree\nfour\nfive\n");
    let changed = changed_files(folder.path(), &changes_of_commit(&id)).unwrap();
    let of = |path: &str| changed.iter().find(|file| file.path == path).unwrap();
    assert_eq!(of("a.py").hunks, [Hunk { start: 4, lines: 1, removed: vec!["two".to_owned()] }]);
    assert_eq!((ranges(of("b.py")), changed.len()), (vec![(1, 1)], 2));
    assert_eq!(deleted(folder.path(), "HEAD~1^!").0, ["gone.py"]);
    let unknown = changed_files(folder.path(), "nothing^!").unwrap_err();
    assert!(matches!(unknown, ChangesError::UnknownBase { .. }), "{unknown}");
}

#[test]
fn a_range_is_what_its_end_has_since_it_branched_off() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.py", "one\ntwo\nthree\n");
    commit(&repository, "base");
    write("a.py", "one\n2\nthree\n");
    write("CHANGES.md", "new\n");
    commit(&repository, "first");
    write("b.py", "new\n");
    commit(&repository, "second");
    write("a.py", "zero\none\n2\nthree\nfour\n");
    commit(&repository, "later");
    let changed = |range: &str| -> Vec<(String, Vec<(u32, u32)>)> {
        let files = changed_files(folder.path(), range).unwrap().into_iter();
        files.map(|file| (file.path.clone(), ranges(&file))).collect()
    };
    let first = ("a.py".to_owned(), vec![(3, 3)]);
    assert_eq!(changed("HEAD~3..HEAD~2"), std::slice::from_ref(&first), "at its present line");
    assert_eq!(changed("HEAD~3...HEAD~1"), [first, ("b.py".to_owned(), vec![(1, 1)])]);
    assert_eq!(changed("HEAD~1.."), [("a.py".to_owned(), vec![(1, 1), (5, 5)])]);
    assert_eq!(changed_paths(folder.path(), "HEAD~3..HEAD~1").unwrap(), ["CHANGES.md", "a.py", "b.py"]);
    fs::remove_file(folder.path().join("b.py")).unwrap();
    assert_eq!(deleted(folder.path(), "HEAD~3..HEAD~1").0, ["b.py"]);
    let unknown = changed_files(folder.path(), "HEAD..nothing").unwrap_err();
    assert!(unknown.to_string().starts_with("`nothing` is not a branch"), "{unknown}");
}

#[test]
fn paths_of_files_that_are_not_indexed_are_among_the_changed_ones() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for name in ["a.py", "README.md", "same.toml", "gone.txt"] {
        write(name, "x = 1\n");
    }
    commit(&repository, "base");
    write("README.md", "committed\n");
    commit(&repository, "later");
    write("a.py", "x = 22\n");
    write("ci.yml", "new: 1\n");
    commit(&repository, "last");
    write("ci.yml", "new: 22\n");
    fs::remove_file(folder.path().join("gone.txt")).unwrap();
    assert_eq!(changed_paths(folder.path(), "HEAD~2").unwrap(), ["README.md", "a.py", "ci.yml"]);
    assert_eq!(changed_paths(folder.path(), "HEAD").unwrap(), ["ci.yml"]);
    fs::create_dir(folder.path().join("data")).unwrap();
    write("data/new.yaml", "x: 1\n");
    assert_eq!(changed_paths(folder.path(), "HEAD").unwrap(), ["ci.yml"], "git does not track it");
    let mut index = repository.index().unwrap();
    index.add_path(Path::new("data/new.yaml")).unwrap();
    index.write().unwrap();
    assert_eq!(changed_paths(folder.path(), "HEAD").unwrap(), ["ci.yml", "data/new.yaml"], "before it is committed");
}

#[test]
fn a_renamed_file_is_compared_with_what_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let repository = git2::Repository::init(root).unwrap();
    let lines = |from: u32, to: u32| (from..to).map(|line| format!("line {line}\n")).collect::<String>();
    for (name, text) in [("moved.py", lines(0, 9)), ("edited.py", lines(10, 30)), ("gone.py", "x = 1\n".to_owned())] {
        fs::write(root.join(name), text).unwrap();
    }
    commit(&repository, "base");
    let check = |base: &str| {
        let Difference { changed, deleted, .. } = difference(root, base).unwrap();
        let shown = changed.iter().map(|file| (file.path.as_str(), file.renamed_from.as_deref(), ranges(file)));
        let expected = [
            ("app/moved.py", Some("moved.py"), Vec::new()),
            ("later.py", Some("edited.py"), vec![(3, 3)]),
            ("new.py", None, vec![(1, 1)]),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{base}");
        let deleted: Vec<(&str, &str)> = deleted.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        assert_eq!(deleted, [("gone.py", "x = 1\n")], "{base}");
    };
    fs::create_dir(root.join("app")).unwrap();
    fs::rename(root.join("moved.py"), root.join("app/moved.py")).unwrap();
    fs::rename(root.join("edited.py"), root.join("later.py")).unwrap();
    fs::write(root.join("later.py"), lines(10, 12) + "changed\n" + &lines(13, 30)).unwrap();
    fs::write(root.join("new.py"), "def other(): pass\n").unwrap();
    fs::remove_file(root.join("gone.py")).unwrap();
    check("HEAD");
    let mut index = repository.index().unwrap();
    index.update_all(["*"], None).unwrap();
    index.write().unwrap();
    commit(&repository, "moves");
    check("HEAD~1");
    check("HEAD^!");
}

#[test]
fn the_marks_of_a_merge_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
    fs::write(folder.path().join("b.py"), "x = 1\n").unwrap();
    commit(&repository, "base");
    let text = "<<<<<<< HEAD\nx = 2\n=======\nx = 3\n>>>>>>> other\n";
    fs::write(folder.path().join("a.py"), text).unwrap();
    fs::write(folder.path().join("b.py"), "x = 2\n=======\ny = 3\nz = 4\n").unwrap();
    let changed = changed_files(folder.path(), "HEAD").unwrap();
    let marked: Vec<bool> = changed.iter().map(|file| file.has_conflicts).collect();
    assert_eq!(marked, [true, false]);
}

/// On systems whose names of files can be any bytes.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_text_is_not_deleted() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"lat\xe9in.py");
    fs::write(folder.path().join(name), "x = 1\n").unwrap();
    let blob = repository.blob(b"x = 1\n").unwrap();
    let mut tree = repository.treebuilder(None).unwrap();
    tree.insert(name.as_bytes(), blob, 0o100_644).unwrap();
    let tree = repository.find_tree(tree.write().unwrap()).unwrap();
    let who = git2::Signature::now("a", "a@example.invalid").unwrap();
    repository.commit(Some("HEAD"), &who, &who, "base", &tree, &[]).unwrap();
    assert_eq!(deleted(folder.path(), "HEAD"), (Vec::new(), false));
}

#[test]
fn a_submodule_is_compared_with_its_commit() {
    let folder = tempfile::tempdir().unwrap();
    let (root, inner) = (folder.path(), folder.path().join("vend"));
    let repository = git2::Repository::init(root).unwrap();
    fs::write(root.join("a.py"), "x = 1\n").unwrap();
    commit(&repository, "first");
    let submodule = git2::Repository::init(&inner).unwrap();
    fs::write(inner.join("b.py"), "one\n").unwrap();
    fs::write(inner.join("gone.py"), "x = 1\n").unwrap();
    commit(&submodule, "inner");
    // The library adds no submodule without its settings, but a tree can name its commit.
    let first = repository.head().unwrap().peel_to_commit().unwrap();
    let mut tree = repository.treebuilder(Some(&first.tree().unwrap())).unwrap();
    let inside = submodule.head().unwrap().target().unwrap();
    tree.insert("vend", inside, 0o160_000).unwrap();
    let tree = repository.find_tree(tree.write().unwrap()).unwrap();
    let who = git2::Signature::now("a", "a@example.invalid").unwrap();
    repository.commit(Some("HEAD"), &who, &who, "base", &tree, &[&first]).unwrap();
    assert_eq!(difference(root, "HEAD").unwrap(), Difference::default());
    fs::write(inner.join("b.py"), "one\ntwo\n").unwrap();
    commit(&submodule, "later");
    fs::write(inner.join("b.py"), "zero\none\ntwo\n").unwrap();
    fs::remove_file(inner.join("gone.py")).unwrap();
    let Difference { changed, deleted, unknown, .. } = difference(root, "HEAD").unwrap();
    let changed: Vec<_> = changed.iter().map(|file| (file.path.as_str(), ranges(file))).collect();
    assert_eq!(changed, [("vend/b.py", vec![(1, 1), (3, 3)])]);
    assert_eq!((deleted[0].path.as_str(), deleted.len(), unknown.len()), ("vend/gone.py", 1, 0));
}

#[test]
fn a_file_that_git_converts_is_unchanged_if_git_knows_it() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    fs::write(folder.path().join(".gitattributes"), "*.py ident\n").unwrap();
    fs::write(folder.path().join("a.py"), "# $Id: 0123 $\nx = 1\n").unwrap();
    // Times of files are told apart by the tick of the system.
    std::thread::sleep(std::time::Duration::from_millis(20));
    commit(&repository, "base");
    assert_eq!(changed_files(folder.path(), "HEAD").unwrap(), []);
    fs::write(folder.path().join("a.py"), "# $Id: 0123 $\nx = 2\n").unwrap();
    assert_eq!(changed_files(folder.path(), "HEAD").unwrap().len(), 1);
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(folder.path()).unwrap();
    for name in ["a.py", "lib/b.py", "gone.py"] {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), "x = 1\n").unwrap();
    }
    commit(&repository, "base");
    let mut index = repository.index().unwrap();
    let mut entry = index.get_path(Path::new("lib/b.py"), 0).unwrap();
    entry.flags |= git2::IndexEntryFlag::EXTENDED.bits();
    entry.flags_extended |= git2::IndexEntryExtendedFlag::SKIP_WORKTREE.bits();
    index.add(&entry).unwrap();
    index.write().unwrap();
    for name in ["lib/b.py", "gone.py"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    // A copy of it is new, and not a renamed file.
    fs::write(folder.path().join("copy.py"), "x = 1\n# a copy\n").unwrap();
    assert_eq!(deleted(folder.path(), "HEAD").0, ["gone.py"]);
    fs::write(folder.path().join("gone.py"), "x = 1\n").unwrap();
    let changed = changed_files(folder.path(), "HEAD").unwrap();
    let changed: Vec<_> = changed.iter().map(|file| (file.path.as_str(), file.renamed_from.as_deref())).collect();
    assert_eq!(changed, [("copy.py", None)]);
}
