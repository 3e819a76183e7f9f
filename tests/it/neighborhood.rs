//! The neighborhood of a symbol and the definitions of a file, from a real index.

use std::path::Path;

use knowing_analysis::model::{Symbol, Task};
use knowing_retrieval::engine::inspect::{NameLookup, lookup_name};
use knowing_retrieval::engine::{EgoRequest, Engine, Ranker, Relation};
use tempfile::TempDir;

use crate::cli::copy;

fn shop() -> (TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("shop");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), &root);
    let mut engine = crate::cli::open(&root);
    engine.index(false, None, &|_| ()).unwrap();
    (folder, engine)
}

fn symbol(ranker: &Ranker, name: &str) -> Symbol {
    match lookup_name(ranker.reader(), name).unwrap() {
        NameLookup::One(symbol) => *symbol,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn neighborhood_is_a_tree() {
    let (_folder, engine) = shop();
    let ranker = engine.ranker().unwrap();
    let root = symbol(&ranker, "Session.is_expired");
    let request = EgoRequest { root: root.node, hops: 2, wider: Vec::new() };
    let task = Task::from_text("sessions expire too early for signed in visitors");
    let ranking = ranker.rank(&task, &|| false).unwrap().unwrap();
    for (ranking, of_task) in [(Some(&ranking), true), (None, false)] {
        let around = ranker.neighborhood(ranking, &request).unwrap();
        assert_eq!((around.nodes[0].symbol.id, around.of_task), (root.id, of_task));
        assert!(around.nodes.len() > 5, "{}", around.nodes.len());
        for (index, node) in around.nodes.iter().enumerate().skip(1) {
            let branch = node.parent.unwrap();
            assert!(branch.index < index && around.nodes[branch.index].hops + 1 == node.hops);
            assert!((0.0..=1.0).contains(&node.mass));
            let (source, target) = if branch.outgoing { (branch.index, index) } else { (index, branch.index) };
            assert!(around.links.contains(&(source, target)), "{index}");
        }
        assert_eq!(around, ranker.neighborhood(ranking, &request).unwrap());
    }
}

#[test]
fn users_have_the_line_of_their_use() {
    let (folder, engine) = shop();
    let ranker = engine.ranker().unwrap();
    let text = |file: &str| std::fs::read_to_string(folder.path().join("shop").join(file)).unwrap();
    let mut known = 0;
    for name in ["format_receipt", "Session.is_expired", "charge"] {
        let used = symbol(&ranker, name);
        for Relation { symbol, lines, edge_type, .. } in ranker.users(used.node).unwrap() {
            assert!(lines.is_sorted());
            for line in lines {
                let source = text(&symbol.file);
                let written = source.lines().nth(line as usize - 1).unwrap();
                assert!(written.contains(&used.name), "{edge_type:?} by {}: {written}", symbol.name);
                assert!(!written.contains(&format!("def {}", used.name)), "{written}");
                known += 1;
            }
        }
    }
    assert!(known >= 4, "{known}");
    let path = folder.path().join("shop/shop/payment.py");
    let changed = format!("# One line more\n{}", std::fs::read_to_string(&path).unwrap());
    std::fs::write(&path, changed).unwrap();
    let receipt = symbol(&ranker, "format_receipt");
    let inside = ranker.users(receipt.node).unwrap().into_iter().filter(|user| user.symbol.file == receipt.file);
    assert!(inside.map(|user| user.lines).all(|lines| lines.is_empty()), "a changed file has other lines");
}

#[test]
fn uses_and_users_are_inverse() {
    let (_folder, engine) = shop();
    let ranker = engine.ranker().unwrap();
    let expired = symbol(&ranker, "Session.is_expired");
    let users = ranker.users(expired.node).unwrap();
    assert!(!users.is_empty());
    for Relation { symbol, edge_type, .. } in users {
        let uses = ranker.uses(symbol.node).unwrap();
        assert!(uses.iter().any(|used| used.symbol.id == expired.id && used.edge_type == edge_type));
    }
}

#[test]
fn changed_files_are_detected() {
    let (_folder, engine) = shop();
    let file = symbol(&engine.ranker().unwrap(), "Session.is_expired").file;
    let fresh = engine.source_file(&file).unwrap();
    assert!(!fresh.changed && fresh.definitions.len() > 1);
    assert!(fresh.definitions.is_sorted_by_key(|definition| definition.span.start_byte));
    std::fs::write(engine.root().join(&file), "x = 1\n").unwrap();
    assert!(engine.source_file(&file).unwrap().changed);
    std::fs::remove_file(engine.root().join(&file)).unwrap();
    let gone = engine.source_file(&file).unwrap_err().to_string();
    assert!(gone.contains(&file) && gone.contains("deleted"), "{gone}");
    std::fs::write(engine.root().join(&file), "x = 1\n").unwrap();
    std::fs::write(engine.database(), "damaged").unwrap();
    let damaged = engine.source_file(&file).unwrap_err().to_string();
    assert!(damaged.contains("graph.db"), "{damaged}");
    std::fs::remove_file(engine.database()).unwrap();
    assert_eq!(engine.source_file(&file).unwrap().definitions.len(), 0, "without an index the text is shown");
}

#[test]
fn definitions_of_a_word_are_those_that_its_line_uses() {
    let (folder, engine) = shop();
    let ranker = engine.ranker().unwrap();
    let used = symbol(&ranker, "Session.is_expired");
    let users = ranker.users(used.node).unwrap();
    let user = users.iter().find(|user| !user.lines.is_empty() && !user.symbol.file.is_empty()).unwrap();
    let (file, line) = (user.symbol.file.as_str(), user.lines[0]);
    let found = |word: &str, file: &str, line: u32| -> Vec<Symbol> {
        ranker.definitions(word, file, line).unwrap().into_iter().map(|relation| relation.symbol).collect()
    };
    assert_eq!(found("is_expired", file, line), std::slice::from_ref(&used), "what the line uses");
    assert_eq!(
        found("is_expired", &used.file, used.span.name_line),
        std::slice::from_ref(&used),
        "the definition itself"
    );
    assert!(found("charge", file, line).iter().all(|symbol| symbol.name == "charge"), "all of that name");
    assert!(found("no_such_name", file, line).is_empty());
    drop(folder);
}

#[test]
fn a_neighborhood_is_exported_as_a_diagram() {
    let shop = crate::cli::Shop::new();
    let mermaid = crate::cli::stdout(&shop.run(&["query", "Session.is_expired", "--format", "mermaid"]));
    assert!(mermaid.starts_with("flowchart LR\n  n0([\"Session.is_expired<br/>shop/session.py:"), "{mermaid}");
    assert!(mermaid.lines().any(|line| line.ends_with("-->|calls| n0")), "{mermaid}");
    let dot = crate::cli::stdout(&shop.run(&["query", "Session.is_expired", "--format", "dot", "--depth", "2"]));
    assert!(dot.starts_with("digraph {\n") && dot.contains("\n}\n"), "{dot}");
    assert!(dot.matches("[label=").count() > mermaid.lines().count(), "{dot}");
    let unknown = shop.run(&["query", "zzzzqqqq"]);
    assert_eq!((crate::cli::code(&unknown), crate::cli::stdout(&unknown).as_str()), (1, ""));
    assert_eq!(crate::cli::code(&shop.run(&["query", "--nodes", "--format", "dot"])), 2);
}

/// Files with local names that share theirs with other definitions.
const LOCAL: [(&str, &str); 5] = [
    ("a.py", "def save(data, count):\n    total = count + 1\n    print(data, total, sep='')\n    return data.total\n"),
    (
        "b.ts",
        "export function run(data: string[]) {\n  const count = data.length;\n  return data.map(item => item + count);\n}\n",
    ),
    (
        "c.rs",
        "fn run(data: Vec<u32>) -> u32 {\n    let item = load(data.len());\n    let total = item;\n    total + item\n}\n",
    ),
    ("d.go", "package d\n\nfunc Run(data []int) int {\n\ttotal := load(data)\n\treturn total\n}\n"),
    (
        "e.py",
        "def data():\n    return 1\ndef item():\n    return 2\ndef load():\n    return 3\nclass Total:\n    total = 3\n",
    ),
];

#[test]
fn local_names_lead_to_what_binds_them() {
    let folder = tempfile::tempdir().unwrap();
    LOCAL.iter().for_each(|(file, text)| std::fs::write(folder.path().join(file), text).unwrap());
    let mut engine = crate::cli::open(folder.path());
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let local = |name: &str, file: &str, line: u32| {
        ranker.local_name(name, file, line).unwrap().map(|local| (local.within.name, local.line))
    };
    for (name, file, line, within, bound) in [
        ("data", "a.py", 1, "save", 1),
        ("data", "a.py", 3, "save", 1),
        ("total", "a.py", 3, "save", 2),
        ("data", "b.ts", 2, "run", 1),
        ("item", "b.ts", 3, "run", 3),
        ("data", "c.rs", 2, "run", 1),
        ("item", "c.rs", 4, "run", 2),
        ("total", "c.rs", 4, "run", 3),
        ("total", "d.go", 5, "Run", 4),
    ] {
        assert_eq!(local(name, file, line), Some((within.to_owned(), bound)), "{name} in {file}:{line}");
    }
    for (name, file, line) in [
        ("sep", "a.py", 3),
        ("print", "a.py", 3),
        ("load", "c.rs", 2),
        ("load", "d.go", 4),
        ("save", "a.py", 1),
        ("data", "e.py", 1),
        ("total", "e.py", 8),
        ("data", "no.py", 1),
    ] {
        assert_eq!(local(name, file, line), None, "{name} in {file}:{line}");
    }
}
