//! Hostile checkouts, from indexing to an answer.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use knowing_analysis::model::Task;
use knowing_retrieval::engine::Engine;
use knowing_retrieval::render::renderer_named;

use super::write;

/// Indexes the folder, with the database inside it.
fn indexed(root: &Path) -> Engine {
    let mut engine = Engine::open(root, Some(&root.join("graph.db"))).unwrap();
    engine.index(false, Some(2), &|_| {}).unwrap();
    for finding in engine.fsck().unwrap() {
        assert_eq!(finding.problems, Vec::<String>::new(), "{}", finding.check);
    }
    assert!(engine.index(false, Some(2), &|_| {}).unwrap().is_unchanged, "a second run must find no change");
    engine
}

fn names(engine: &Engine) -> Vec<String> {
    let symbols = engine.reader().unwrap().all_symbols().unwrap();
    let mut names: Vec<String> = symbols.into_iter().map(|symbol| symbol.name).collect();
    names.sort();
    names
}

fn first_answer(engine: &Engine, task: &str) -> Option<String> {
    let renderer = renderer_named("json").unwrap();
    let pack = engine.ranker().unwrap().pack(&Task::from_text(task), renderer, true, &|| false).unwrap().unwrap();
    pack.symbols.first().map(|packed| packed.symbol.qualified_name.clone())
}

#[test]
fn readable_files_are_indexed_and_others_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let deep = |open: &str, close: &str| [open.repeat(10_000), "x".to_owned(), close.repeat(10_000)].concat();
    write(root, "good.py", b"def keep_going(bread):\n    \"\"\"Bakes.\"\"\"\n    return bread\n");
    write(root, "nul.py", b"def with_nul(): return '\0'\n");
    write(root, "latin.go", b"package a\n// caf\xe9\nfunc latin() {}\n");
    write(root, "noise.py", &b"\x7fELF\x01\0\0\0".repeat(50));
    write(root, "line.js", format!("x = '{}'\n", "y".repeat(5_000_000)).as_bytes());
    write(root, "long.js", format!("x = '{}'\n", "y".repeat(500_000)).as_bytes());
    write(root, "deep.py", deep("(\n", ")").as_bytes());
    write(root, "deep.rs", format!("fn f() {{ {} }}", deep("{\n", "}")).as_bytes());
    write(root, "deep.ts", deep("[\n", "]").as_bytes());
    write(root, "deep.go", format!("package a\nvar x = {}", deep("(\n", ")")).as_bytes());
    write(root, "broken.py", b"def whole(): return 1\ndef ((( class :::\n  }}\ndef after(): return whole()\n");
    write(root, "broken.rs", b"fn rusty() {}\nimpl { fn fn }} struct");
    write(root, "broken.ts", b"export function typed() { return <<<<<<< HEAD\n=======\n}");
    write(root, "empty.go", b"");
    fs::File::create(root.join("huge.rs")).unwrap().set_len(50 << 20).unwrap();
    let engine = indexed(root);
    let skips = engine.reader().unwrap().skips().unwrap();
    let reasons: BTreeMap<&str, &str> = skips.iter().map(|skip| (skip.path.as_str(), skip.reason.as_str())).collect();
    let expected =
        [("huge.rs", "too_large"), ("line.js", "too_large"), ("long.js", "minified"), ("noise.py", "binary")];
    assert_eq!(reasons, BTreeMap::from(expected));
    let names = names(&engine);
    for name in ["keep_going", "whole", "rusty", "typed", "with_nul", "latin"] {
        assert!(names.iter().any(|known| known == name), "{name} of {names:?}");
    }
    assert!(first_answer(&engine, "bakes bread").is_some_and(|name| name.ends_with("keep_going")));
}

#[test]
fn of_what_is_nested_too_deep_only_a_part_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let many = |count: usize, part: &str| (0..count).map(|number| part.replace('#', &number.to_string())).collect();
    let union: String = many(1_500, "\n  | \"x#\"");
    write(
        root,
        "a.ts",
        format!("export function before() {{}}\nexport type Union ={union};\nfunction after() {{ before(); }}\n")
            .as_bytes(),
    );
    let sum: String = many(1_500, " +\n    \"x#\"");
    let chain: String = many(800, "\n    .with#(1)");
    let ladder: String = many(700, " else if (x == #) {\n    x = 1;\n  }");
    let java = format!(
        "class A {{\n  void first() {{}}\n  String text = \"\"{sum};\n  Object built = new B(){chain};\n  \
         void choose(int x) {{\n  if (x < 0) {{}}{ladder}\n  }}\n  void last() {{ first(); }}\n}}\n"
    );
    write(root, "A.java", java.as_bytes());
    let engine = indexed(root);
    assert_eq!(engine.reader().unwrap().skips().unwrap(), []);
    let names = names(&engine);
    for name in ["before", "Union", "after", "first", "text", "built", "choose", "last"] {
        assert!(names.iter().any(|known| known == name), "{name} of {names:?}");
    }
    let calls = engine.reader().unwrap().all_edges().unwrap();
    let calls = calls.iter().filter(|edge| edge.edge_type == knowing_analysis::model::EdgeType::Calls).count();
    assert!(calls >= 2, "the functions after it still call those before");
}

#[test]
fn an_empty_repository_has_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(first_answer(&indexed(folder.path()), "bread"), None);
    let folder = tempfile::tempdir().unwrap();
    git2::Repository::init(folder.path()).unwrap();
    assert_eq!(first_answer(&indexed(folder.path()), "bread"), None);
}

#[test]
fn an_invalid_git_folder_is_tolerated() {
    for (path, bytes) in [
        (".git/HEAD", &b"\xff\xfe\0 no reference"[..]),
        (".git/HEAD", b"ref: refs/heads/../../../../etc/passwd\n"),
        (".git/config", b"[remote \"origin\"\nurl = \x1b[2J"),
        (".git/refs/heads/main", b"0123"),
        (".git/index", b"DIRC\xff\xff\xff\xff\xff\xff\xff\xff"),
        (".git/objects/pack/pack-1.idx", b"\xfftOc\0\0\0\x02"),
        (".git/packed-refs", b"^^^^\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        git2::Repository::init(folder.path()).unwrap();
        write(folder.path(), path, bytes);
        write(folder.path(), "good.py", b"def bake(): pass\n");
        assert!(names(&indexed(folder.path())).contains(&"bake".to_owned()), "{path}");
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".git", b"gitdir: /dev/zero\n");
    write(folder.path(), "good.py", b"def bake(): pass\n");
    assert!(names(&indexed(folder.path())).contains(&"bake".to_owned()));
}

#[test]
fn invalid_manifests_are_tolerated() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let nested = "[".repeat(100_000);
    for path in ["Cargo.toml", "package.json", "tsconfig.json", "pyproject.toml", "web/package.json", "a/Cargo.toml"] {
        write(root, path, nested.as_bytes());
    }
    write(root, "web/tsconfig.json", br#"{"extends": "./tsconfig.json", "compilerOptions": {"baseUrl": "../../../..", "paths": {"*": ["*"], "": []}}}"#);
    write(root, "a/Cargo.toml", b"[workspace]\nmembers = [\"../*\", \"**/**\", \"\"]\n[package]\nname = 7\n");
    write(root, "go.mod", b"module\nmodule \xff\nreplace => ../../..\nmodule a/../../b\n");
    write(root, ".github/CODEOWNERS", "* @a\n[[[ @b\n**/**/** \u{1b}[2J\n".repeat(500).as_bytes());
    write(root, "web/a.ts", b"import { b } from '../../../../etc/passwd'; export const a = b;\n");
    write(root, "a/src/lib.rs", b"#[path = \"/etc/passwd\"] mod b; mod c; fn rusty() {}\n");
    write(root, "b/main.go", b"package main\nimport \"a/../../b\"\nfunc gopher() {}\n");
    let names = names(&indexed(root));
    assert!(["rusty", "gopher", "a"].iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
}

#[test]
fn cyclic_module_declarations_terminate() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "alone.rs", b"mod alone; use crate::alone::x; fn x() { crate::x(); super::super::x() }\n");
    write(root, "a/one.rs", b"mod two; mod one; use crate::two::*; pub fn f() { crate::f() }\n");
    write(root, "a/two.rs", b"mod one; mod three; use crate::one::*; pub fn g() { crate::one::two::one::f() }\n");
    write(root, "a/three.rs", b"#[path = \"one.rs\"] mod four; use super::*; fn h() { f(); crate::three::h() }\n");
    write(root, "src/lib.rs", b"mod main; pub fn bake() { crate::main::main() }\n");
    write(root, "src/main.rs", b"mod lib; fn main() { crate::lib::bake() }\n");
    write(root, "Cargo.toml", b"[package]\nname = \"shop\"\n");
    write(root, "p/__init__.py", b"from . import p\nfrom .p import *\nfrom p.p import x\n");
    write(root, "p/p.py", b"from . import *\nfrom p import p as x\nx.x.x()\n");
    write(root, "web/a.ts", b"export * from './b'; import { x } from './a'; x();\n");
    write(root, "web/b.ts", b"export * from './a'; export { x } from './a';\n");
    assert!(names(&indexed(root)).contains(&"bake".to_owned()));
}

#[cfg(unix)]
#[test]
fn symlinks_are_neither_read_nor_written_through() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = folder.path();
    write(outside.path(), "secret.py", b"def password(): pass\n");
    write(root, "good.py", b"def bake(): pass\n");
    std::os::unix::fs::symlink(root, root.join("round")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.join("out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.py"), root.join("inner.py")).unwrap();
    let engine = indexed(root);
    assert_eq!(names(&engine).iter().filter(|name| *name == "password").count(), 0);
    assert!(engine.source("inner.py").is_err() && engine.source("out/secret.py").is_err());
    assert!(engine.source("../secret.py").is_err() && engine.source("/etc/passwd").is_err());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}
