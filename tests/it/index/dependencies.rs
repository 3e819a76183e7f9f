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
