//! Walks over small directory trees, including hostile ones.

use std::fs;

use super::*;
use crate::scan::read::DEFAULT_MAX_FILE_BYTES;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn paths(found: &Discovery) -> Vec<&str> {
    found.files.iter().map(|file| file.path.as_str()).collect()
}

fn skips(found: &Discovery) -> Vec<(&str, SkipReason)> {
    found.skips.iter().map(|skip| (skip.path.as_str(), skip.reason)).collect()
}

#[test]
fn finds_sources_and_manifests_in_order() {
    let folder = tree(&[
        ("b/x.go", "package b"),
        ("a.py", "x = 1"),
        ("b.rs", ""),
        ("README.md", ""),
        (".hidden/x.py", ""),
        (".x.py", ""),
        ("package.json", "{}"),
        ("web/tsconfig.base.json", "{}"),
    ]);
    let found = discover(folder.path());
    assert_eq!(paths(&found), ["a.py", "b.rs", "b/x.go", "package.json"]);
    let manifests: Vec<&str> = found.manifests.iter().map(|manifest| manifest.path.as_str()).collect();
    assert_eq!(manifests, ["package.json", "web/tsconfig.base.json"]);
    assert_eq!(skips(&found), []);
    assert_eq!(found.files[0].size, 5);
    assert_eq!(found.files[0].language.name, "python");
}

#[test]
fn tracked_files_are_found_although_a_rule_matches_them() {
    let folder = tree(&[
        (".gitignore", "**/dlv\nbuild/\n*.gen.py\n"),
        ("cmd/dlv/main.go", "package main"),
        ("cmd/dlv/local.go", "package main"),
        ("build/out/x.py", ""),
        ("a.gen.py", ""),
        ("b.gen.py", ""),
        ("b.py", ""),
    ]);
    let git = git2::Repository::init(folder.path()).unwrap();
    let mut index = git.index().unwrap();
    for path in ["cmd/dlv/main.go", "a.gen.py"] {
        index.add_path(std::path::Path::new(path)).unwrap();
    }
    assert_eq!(paths(&discover(folder.path())), ["b.py"], "nothing is tracked yet");
    index.write().unwrap();
    assert_eq!(paths(&discover(folder.path())), ["a.gen.py", "b.py", "cmd/dlv/main.go"]);
    fs::write(folder.path().join(".git/index"), "damaged").unwrap();
    assert_eq!(paths(&discover(folder.path())), ["b.py"]);
}

#[test]
fn tracked_files_are_found_although_the_repository_can_not_be_opened() {
    let folder = tree(&[(".gitignore", "*.gen.py\n"), ("a.gen.py", ""), ("b.gen.py", "")]);
    let git = git2::Repository::init(folder.path()).unwrap();
    let mut index = git.index().unwrap();
    index.add_path(std::path::Path::new("a.gen.py")).unwrap();
    index.write().unwrap();
    let unknown = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tnever-heard-of = true\n";
    for configuration in [unknown, "[core"] {
        fs::write(folder.path().join(".git/config"), configuration).unwrap();
        assert_eq!(paths(&discover(folder.path())), ["a.gen.py"], "{configuration}");
    }
}

#[test]
fn innermost_gitignore_decides_without_git() {
    let folder = tree(&[
        (".gitignore", "*.gen.py\nout/\n/only_root.py\n"),
        ("a.gen.py", ""),
        ("only_root.py", ""),
        ("sub/only_root.py", ""),
        ("sub/.gitignore", "!keep.gen.py\n"),
        ("sub/keep.gen.py", ""),
        ("sub/other.gen.py", ""),
        ("out/x.py", ""),
        ("sub/out/x.py", ""),
    ]);
    assert_eq!(paths(&discover(folder.path())), ["sub/keep.gen.py", "sub/only_root.py"]);
}

#[test]
fn a_rule_of_the_root_that_matches_everything_needs_git() {
    for pattern in ["/*", "*", "**", "/**"] {
        let rules = format!("*.gen.py\n{pattern}\n!/debian/\n");
        let files = [
            (".gitignore", &*rules),
            ("debian/patch.py", ""),
            ("net/tcp.c", ""),
            ("a.gen.py", ""),
            ("venv2/.gitignore", "*\n"),
            ("venv2/x.py", ""),
        ];
        let package = tree(&files);
        assert_eq!(paths(&discover(package.path())), ["debian/patch.py", "net/tcp.c"], "{pattern}");
        git2::Repository::init(package.path()).unwrap();
        assert!(!paths(&discover(package.path())).contains(&"net/tcp.c"), "{pattern}");
    }
    let package = tree(&[(".ignore", "/*\n"), ("net/tcp.c", "")]);
    assert!(paths(&discover(package.path())).is_empty());
}

#[test]
fn excluded_files_have_skip_reasons() {
    let large = "x".repeat(DEFAULT_MAX_FILE_BYTES as usize + 1);
    let folder = tree(&[
        ("vendor/a.go", ""),
        ("web/node_modules/x/index.js", ""),
        ("api.pb.go", ""),
        ("jquery.min.js", ""),
        ("large.py", &large),
        ("venv/pyvenv.cfg", ""),
        ("venv/lib/x.py", ""),
        ("env/mine.py", ""),
    ]);
    let found = discover(folder.path());
    assert_eq!(paths(&found), ["env/mine.py"]);
    assert_eq!(
        skips(&found),
        [
            ("api.pb.go", SkipReason::Generated),
            ("jquery.min.js", SkipReason::Minified),
            ("large.py", SkipReason::TooLarge),
            ("vendor/", SkipReason::Vendored),
            ("venv/", SkipReason::Vendored),
            ("web/node_modules/", SkipReason::Vendored),
        ]
    );
}

#[test]
fn source_without_a_grammar_is_counted_by_extension() {
    let folder = tree(&[
        (".gitignore", "build/\n"),
        ("a.py", ""),
        ("lib/a.nim", ""),
        ("lib/b.nim", ""),
        ("ios/App.swiftinterface", ""),
        ("build/c.nim", ""),
        ("node_modules/d.nim", ""),
        ("pubspec.yaml", ""),
        ("data.json", ""),
    ]);
    let found = discover(folder.path());
    assert_eq!(paths(&found), ["a.py"]);
    assert_eq!(found.without_grammar, [("nim".to_owned(), 2)].into());
}

#[test]
fn the_first_rule_of_a_file_with_a_byte_order_mark_applies() {
    let mark = '\u{feff}';
    let folder = tree(&[
        (".gitignore", &format!("{mark}build/\nout/\n")),
        ("lib/.ignore", &format!("{mark}b.py\n")),
        ("a.py", ""),
        ("build/b.py", ""),
        ("out/b.py", ""),
        ("lib/b.py", ""),
        ("package.json", &format!("{mark}{{}}")),
    ]);
    let found = discover(folder.path());
    assert_eq!(paths(&found), ["a.py", "package.json"]);
    let (manifests, skipped) = crate::scan::read_manifests(folder.path(), &found.manifests);
    let texts: Vec<&str> = manifests.iter().map(|manifest| manifest.text.as_str()).collect();
    assert_eq!((texts, skipped), (vec!["{}"], vec![]));
}

#[test]
fn folder_depth_is_limited() {
    let folder = tree(&[("a.py", "")]);
    let deep: PathBuf = std::iter::repeat_n("d", MAX_FOLDER_DEPTH + 5).collect();
    fs::create_dir_all(folder.path().join(&deep)).unwrap();
    fs::write(folder.path().join(&deep).join("x.py"), "").unwrap();
    let found = discover(folder.path());
    assert_eq!(paths(&found), ["a.py"]);
    assert_eq!(found.skips.len(), 1);
    assert_eq!(found.skips[0].reason, SkipReason::TooDeep);
}

#[test]
fn missing_root_is_a_skip() {
    let folder = tree(&[]);
    assert_eq!(skips(&discover(&folder.path().join("nowhere"))), [("", SkipReason::Unreadable)]);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::scan::read;

    #[test]
    fn links_are_never_followed() {
        let outside = tree(&[("secret.py", "password = 1"), ("sub/more.py", "")]);
        let folder = tree(&[("a.py", "")]);
        symlink(outside.path().join("secret.py"), folder.path().join("b.py")).unwrap();
        symlink(outside.path().join("sub"), folder.path().join("sub")).unwrap();
        symlink(folder.path(), folder.path().join("loop")).unwrap();
        symlink("/dev/zero", folder.path().join(".gitignore")).unwrap();
        let found = discover(folder.path());
        assert_eq!(paths(&found), ["a.py"]);
        let expected = ["b.py", "loop", "sub"].map(|path| (path, SkipReason::Symlink));
        assert_eq!(skips(&found), expected);
        assert_eq!(read(folder.path(), "b.py"), Err(SkipReason::Symlink));
        assert_eq!(read(folder.path(), "sub/more.py"), Err(SkipReason::Symlink));
        assert_eq!(read(folder.path(), "../secret.py"), Err(SkipReason::Unreadable));
        assert_eq!(read(folder.path(), "/etc/passwd"), Err(SkipReason::Unreadable));
    }

    #[test]
    fn unusual_names_are_found_or_skipped() {
        let folder = tree(&[("a\u{202e}b.py", ""), ("c\x1b[31m\n.py", "")]);
        fs::write(folder.path().join(OsStr::from_bytes(b"\xff.py")), "").unwrap();
        let found = discover(folder.path());
        assert_eq!(paths(&found), ["a\u{202e}b.py", "c\x1b[31m\n.py"]);
        assert_eq!(skips(&found), [("\u{fffd}.py", SkipReason::PathNotUtf8)]);
    }
}

#[cfg(unix)]
#[test]
fn an_executable_file_without_an_extension_has_the_language_of_its_first_line() {
    use std::os::unix::fs::PermissionsExt;
    let scripts = [
        ("bin/a", "#!/bin/sh\n"),
        ("bin/b", "#!/usr/bin/env -S A=1 python3.11 -u\n"),
        ("bin/c", "#! /usr/local/bin/node\n"),
        ("bin/d", "#!/usr/bin/env\n"),
        ("bin/e", "#!/usr/bin/perl\n"),
        ("bin/f", "\u{7f}ELF"),
        ("bin/g.txt", "#!/bin/sh\n"),
        ("bin/h", "#!/bin/sh\n"),
        ("Gemfile", ""),
    ];
    let folder = tree(&scripts);
    for (path, _) in &scripts[..7] {
        fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let found = discover(folder.path());
    let languages: Vec<(&str, &str)> =
        found.files.iter().map(|file| (file.path.as_str(), file.language.name)).collect();
    assert_eq!(languages, [("Gemfile", "ruby"), ("bin/a", "bash"), ("bin/b", "python"), ("bin/c", "typescript")]);
}

#[test]
fn a_file_with_a_shared_extension_has_the_language_of_its_first_line_or_looks_like_c() {
    let folder = tree(&[
        ("a.inc", "<?php\nfunction f() {}\n"),
        ("b.module", "\u{feff}<?php // x\n"),
        ("c.inc", "{ 1, 2 },\n"),
        ("d.inc", "<?xml version=\"1.0\"?>\n"),
        ("e.txt", "<?php\n"),
        ("f.inc", "\n<?php\n"),
    ]);
    let found = discover(folder.path());
    let languages: Vec<(&str, &str)> =
        found.files.iter().map(|file| (file.path.as_str(), file.language.name)).collect();
    assert_eq!(languages, [("a.inc", "php"), ("b.module", "php"), ("c.inc", "c")]);
}
