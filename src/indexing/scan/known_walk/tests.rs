//! A known walk before and after each kind of change on which a walk depends.

use std::fs;
use std::time::Duration;

use super::*;
use crate::scan::{discover, surroundings};

/// A time after everything that a test writes, so that nothing is too recent.
const LATER: i64 = i64::MAX;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Makes a git repository with files of each kind, of which `out/kept.py` is tracked although it is ignored.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("a.py", "x = 1\n"),
        ("deep/er/b.py", "x = 1\n"),
        ("empty/of/source/notes.bin", ""),
        ("README.md", "# Title\n"),
        ("package.json", "{}"),
        ("run", "#!/bin/sh\necho\n"),
        ("data", "1 2 3\n"),
        (".gitignore", "out/\n*.log.py\n"),
        ("deep/.ignore", "*.gen.py\n"),
        ("out/kept.py", "x = 1\n"),
        ("build/x.py", "x = 1\n"),
        (".hidden/x.py", "x = 1\n"),
    ] {
        write(folder.path(), path, text);
    }
    let git = git2::Repository::init(folder.path()).unwrap();
    let mut index = git.index().unwrap();
    index.add_path(Path::new("out/kept.py")).unwrap();
    index.write().unwrap();
    folder
}

fn add_to_index(root: &Path, path: &str) {
    let git = git2::Repository::open(root).unwrap();
    let mut index = git.index().unwrap();
    index.add_path(Path::new(path)).unwrap();
    index.write().unwrap();
}

/// A change of the checkout, and what it does.
type Change = (&'static str, fn(&Path));

/// Changes on which a walk depends.
const CHANGES: &[Change] = &[
    ("an edit of the same size", |root| write(root, "a.py", "x = 2\n")),
    ("an edit of a document", |root| write(root, "README.md", "# Other\n")),
    ("an edit of a manifest", |root| write(root, "package.json", "[]")),
    ("a new file", |root| write(root, "deep/er/c.py", "")),
    ("a new file in a folder without source", |root| write(root, "empty/of/source/c.py", "")),
    ("a new folder", |root| write(root, "deep/est/c.py", "")),
    ("a deleted file", |root| fs::remove_file(root.join("deep/er/b.py")).unwrap()),
    ("a renamed file", |root| fs::rename(root.join("a.py"), root.join("b.py")).unwrap()),
    ("a renamed folder", |root| fs::rename(root.join("deep/er"), root.join("deep/r")).unwrap()),
    ("an edit of ignore rules", |root| write(root, ".gitignore", "out/\na.py\n")),
    ("an edit of ignore rules below", |root| write(root, "deep/.ignore", "b.py\n")),
    ("new ignore rules", |root| write(root, "deep/er/.gitignore", "b.py\n")),
    ("a script's first line", |root| write(root, "run", "#!/usr/bin/env python3\n")),
    ("an ignored file that becomes tracked", |root| {
        write(root, "out/new.py", "");
        add_to_index(root, "out/new.py");
    }),
    ("a marker of a build folder", |root| write(root, "build/CMakeCache.txt", "")),
    ("an exclusion of the checkout", |root| write(root, ".git/info/exclude", "a.py\n")),
    ("an excludes file", |root| {
        write(root, ".git/own-rules", "a.py\n");
        let git = git2::Repository::open(root).unwrap();
        git.config().unwrap().set_str("core.excludesFile", root.join(".git/own-rules").to_str().unwrap()).unwrap();
    }),
    ("settings", |root| write(root, ".knowing/settings.toml", "exclude = [\"a.py\"]\n")),
    ("a line of settings", |root| write(root, ".knowing/settings.toml", "\n")),
    ("a problem of settings", |root| write(root, ".knowing/settings.toml", "excluded = [\"a.py\"]\n")),
    ("owners", |root| write(root, ".github/CODEOWNERS", "* @us\n")),
    ("no git", |root| fs::rename(root.join(".git"), root.join(".other")).unwrap()),
    #[cfg(unix)]
    ("a file that becomes executable", |root| {
        use std::os::unix::fs::PermissionsExt;
        write(root, "data", "#!/bin/sh\n");
        let data = root.join("data");
        let times = fs::metadata(&data).unwrap().modified().unwrap();
        fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
        fs::File::options().write(true).open(&data).unwrap().set_modified(times).unwrap();
    }),
    #[cfg(unix)]
    ("a file replaced under an old date", |root| {
        let date = fs::metadata(root.join("a.py")).unwrap().modified().unwrap();
        write(root, "a.py", "x = 3\n");
        fs::File::options().write(true).open(root.join("a.py")).unwrap().set_modified(date).unwrap();
    }),
    #[cfg(unix)]
    ("a link in the place of a folder", |root| {
        fs::rename(root.join("deep/er"), root.join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(root.join("elsewhere"), root.join("deep/er")).unwrap();
    }),
];

#[test]
fn every_change_on_which_a_walk_depends_is_seen() {
    for (name, change) in CHANGES {
        let folder = checkout();
        let root = folder.path().canonicalize().unwrap();
        let before = surroundings(&root);
        let known = || KnownWalk::of(&discover(&root), LATER).unwrap();
        let walked = known().again(&root).unwrap();
        assert!(walked.is_same && surroundings(&root) == before, "{name}: nothing has changed yet");
        let known = known();
        // File systems' clocks stand still for some milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        change(&root);
        if surroundings(&root) != before {
            continue;
        }
        if let Some(walked) = known.again(&root) {
            assert!(!walked.is_same, "{name} is not seen");
            let (again, walk) = (walked.discovery, discover(&root));
            assert_eq!(
                KnownWalk::of(&again, LATER),
                KnownWalk::of(&walk, LATER),
                "{name}: another walk finds the same"
            );
            assert!(name.starts_with("an edit") || name.contains("replaced"), "{name} can lead to other files");
        }
    }
}

#[test]
fn what_does_not_matter_is_not_looked_at() {
    let folder = checkout();
    let root = folder.path().canonicalize().unwrap();
    let known = KnownWalk::of(&discover(&root), LATER).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    write(&root, "empty/of/source/notes.bin", "1");
    write(&root, ".hidden/x.py", "x = 2\n");
    write(&root, ".git/COMMIT_EDITMSG", "message\n");
    assert!(known.again(&root).unwrap().is_same);
}

#[test]
fn a_walk_that_saw_too_little_is_not_known() {
    let folder = checkout();
    let root = folder.path().canonicalize().unwrap();
    let discovery = discover(&root);
    let folders = discovery.looked_at.iter().filter_map(|(_, stamp)| *stamp).map(|stamp| stamp.time_ns).max().unwrap();
    assert_eq!(KnownWalk::of(&discovery, folders), None, "a folder may change again at the same time");
    std::thread::sleep(Duration::from_millis(50));
    write(&root, "a.py", "x = 2\n");
    let edited = discover(&root);
    let last = edited.files.iter().map(|file| file.mtime_ns).max().unwrap();
    let is_same = |started_ns| KnownWalk::of(&edited, started_ns).unwrap().again(&root).unwrap().is_same;
    assert!(!is_same(last + 1) && is_same(last + RACY_NS + 1), "a file may change again at the same time");
    let mut unreadable = discovery.clone();
    unreadable.skips.push(crate::scan::Skip { path: "deep/".to_owned(), reason: SkipReason::Unreadable });
    assert_eq!(KnownWalk::of(&unreadable, LATER), None);
    for (pointer, is_known) in [("gitdir: ../nowhere\n", false), ("gitdir: ../../.git\n", true)] {
        write(&root, "deep/er/.git", pointer);
        let known = KnownWalk::of(&discover(&root), LATER);
        assert_eq!(known.is_some(), is_known, "{pointer} may become a worktree");
    }
    let whole_second =
        Discovery { git_index: Some(Some(Stamp { size: 1, time_ns: 5_000_000_000 })), ..Discovery::default() };
    assert!(KnownWalk::of(&whole_second, 7_000_000_000).is_none());
    assert!(KnownWalk::of(&whole_second, 7_000_000_001).is_some());
}

#[test]
fn what_grows_too_large_is_found_by_another_walk() {
    let folder = checkout();
    let root = folder.path().canonicalize().unwrap();
    write(&root, ".knowing/settings.toml", "max_file_size = 1024\n");
    let known = || KnownWalk::of(&discover(&root), LATER).unwrap();
    let (one, other) = (known(), known());
    std::thread::sleep(Duration::from_millis(20));
    write(&root, "a.py", &"x = 1\n".repeat(100));
    assert!(!one.again(&root).unwrap().is_same);
    write(&root, "a.py", &"x = 1\n".repeat(200));
    assert!(other.again(&root).is_none());
}

#[test]
fn paths_are_coded_by_what_they_share() {
    let paths = ["", "a", "a/b", "aß", "aá", "b"];
    assert_eq!(FrontCoded::new(paths.into_iter()).paths(6).unwrap(), paths);
    let coded = |lengths: &[(u32, u32)], rests: &str| {
        FrontCoded { lengths: lengths.to_vec(), rests: rests.to_owned() }.paths(lengths.len())
    };
    assert_eq!(coded(&[(1, 0)], ""), None);
    assert_eq!(coded(&[(0, 2), (1, 0)], "ß"), None);
    assert_eq!(coded(&[(0, 2)], "a"), None);
    assert_eq!(FrontCoded::new(["a"].into_iter()).paths(2), None);
}
