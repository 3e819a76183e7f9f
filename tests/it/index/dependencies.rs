//! Edges from packages to those that their manifests require.

use std::path::Path;

use knowing_analysis::model::EdgeType;
use knowing_indexing::store::Reader;

use super::incremental::{check, run, write};

/// Returns the edges of this type as `source -> target`, with qualified names without the repository.
fn edges(database: &Path, edge_type: EdgeType) -> Vec<String> {
    let reader = Reader::open(database).unwrap();
    let symbols = reader.all_symbols().unwrap();
    let name = |node| symbols.iter().find(|symbol| symbol.node == node).unwrap().short_name().to_owned();
    let edges = reader.all_edges().unwrap();
    let mut lines: Vec<String> = (edges.iter().filter(|edge| edge.edge_type == edge_type))
        .map(|edge| format!("{} -> {} ({})", name(edge.source), name(edge.target), edge.provenance.name()))
        .collect();
    lines.sort();
    lines
}

#[test]
fn packages_depend_on_those_in_their_manifests() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("Cargo.toml"), "[package]\nname = \"shop\"\n[dependencies]\nserde = \"1\"\ncart = \"1\"\n");
    write(&root.join("src/lib.rs"), "pub fn open() {}\n");
    write(&root.join("crates/cart/Cargo.toml"), "[package]\nname = \"cart\"\n");
    write(&root.join("crates/cart/src/lib.rs"), "pub fn add() {}\n");
    write(&root.join("web/package.json"), r#"{"name": "@shop/web", "dependencies": {"react": "19"}}"#);
    write(&root.join("go/go.mod"), "module example.org/shop\n\nrequire go.uber.org/zap v1.27.0\n");
    write(&root.join("go/main.go"), "package main\n\nfunc main() {}\n");
    run(&root, &database, 2);
    let expected = [
        " -> crates/cart (structural)",
        " -> serde (structural)",
        "go -> go.uber.org/zap (structural)",
        "web -> react (structural)",
    ];
    assert_eq!(edges(&database, EdgeType::DependsOn), expected);
    let symbols = Reader::open(&database).unwrap().all_symbols().unwrap();
    let named = |name: &str| symbols.iter().filter(|symbol| symbol.name == name).count();
    for package in ["shop", "cart", "web", "main"] {
        assert!(named(package) > 0, "{package}");
    }
    check(&root, &database, 1, "nothing");
}

#[test]
fn edited_manifests_change_dependencies_as_a_rebuild_does() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let manifest = |dependencies: &str| {
        write(&root.join("Cargo.toml"), &format!("[package]\nname = \"shop\"\n[dependencies]\n{dependencies}"));
    };
    write(&root.join("crates/cart/Cargo.toml"), "[package]\nname = \"cart\"\n");
    write(&root.join("src/lib.rs"), "pub fn open() {}\n");
    for dependencies in ["", "serde = \"1\"\n", "cart = \"1\"\nserde = \"1\"\n", "cart = \"1\"\n", ""] {
        manifest(dependencies);
        run(&root, &database, 2);
        assert_eq!(edges(&database, EdgeType::DependsOn).len(), dependencies.lines().count());
        check(&root, &database, 1, dependencies);
    }
    write(&root.join("src/lib.rs"), "pub fn open() { close() }\npub fn close() {}\n");
    run(&root, &database, 1);
    check(&root, &database, 1, "an edit of source");
}

#[test]
fn a_changed_manifest_resolves_the_files_whose_modules_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    for (path, text) in [
        ("Makefile", "all:\n\tcc lib.c\n"),
        ("lib.c", "int add(int a) { return a; }\nint twice(int a) { return add(add(a)); }\n"),
        ("pom.xml", "<project><groupId>g</groupId><artifactId>shop</artifactId></project>\n"),
        ("A.java", "class A { int a() { return b(); } int b() { return 1; } }\n"),
        ("go.mod", "module example.org/shop\n"),
        ("main.go", "package main\n\nimport \"example.org/shop/util\"\n\nfunc main() { util.Run() }\n"),
        ("util/util.go", "package util\n\nfunc Run() {}\n"),
        ("web/tsconfig.json", r#"{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}"#),
        ("web/a.ts", "import { run } from '@/b';\nexport function start() { run(); }\n"),
        ("web/lib/b.ts", "export function run() {}\n"),
        ("web/other/b.ts", "export function run() {}\n"),
    ] {
        write(&root.join(path), text);
    }
    run(&root, &database, 2);
    let calls = |line: &str| edges(&database, EdgeType::Calls).iter().any(|edge| edge.starts_with(line));
    assert!(calls("main -> util.Run") && calls("web/a.ts.start -> web/lib/b.ts.run"));
    for (path, text, parsed, resolved) in [
        ("Makefile", "# all of it\nall:\n\tcc lib.c\n", 1, 0),
        ("sub/Makefile", "all:\n\tcc lib.c\n", 1, 2),
        ("pom.xml", "<project><groupId>g</groupId><artifactId>cart</artifactId></project>\n", 0, 0),
        ("go.mod", "module example.org/cart\n", 0, 2),
        ("web/tsconfig.json", r#"{"compilerOptions": {"paths": {"@/*": ["./other/*"]}}}"#, 0, 3),
    ] {
        write(&root.join(path), text);
        let report = run(&root, &database, 2);
        assert_eq!((report.parsed_files, report.resolved_files), (parsed, resolved), "{path}");
        check(&root, &database, 1, path);
    }
    assert!(!calls("main -> util.Run") && calls("web/a.ts.start -> web/other/b.ts.run"));
}
