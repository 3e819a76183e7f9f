//! SCIP indexes, made with the `scip` crate: edges, their fallback after edits, and their import.

use std::path::Path;

use knowing_indexing::index::{IndexOptions, index};
use knowing_indexing::store::Reader;
use protobuf::Message;
use scip::types::{Document, Index, Occurrence, Relationship, SymbolInformation, SymbolRole};

use super::incremental::{check, run, write};
use crate::cli::{code, run_in, stderr};

const STORE: &str = "class Base:\n    def get(self):\n        pass\n\nclass Store:\n    def get(self):\n        pass\n\n    \
                     def fetch(self):\n        pass\n";
const USER: &str = "def use(thing):\n    é = 'ü𝄞'; return thing.get()\n\ndef load(other):\n    other.fetch()\n";

/// Returns an occurrence of `symbol` at the `number`-th place of `name` in `text`, with columns in UTF-16.
fn occurrence(text: &str, (name, number): (&str, usize), symbol: &str, is_definition: bool) -> Occurrence {
    let at = text.match_indices(name).nth(number).unwrap().0;
    let start = text[..at].rfind('\n').map_or(0, |line_break| line_break + 1);
    let line = text[..at].matches('\n').count() as i32;
    let column = text[start..at].encode_utf16().count() as i32;
    let mut occurrence = Occurrence::new();
    occurrence.range = vec![line, column, column + name.len() as i32];
    occurrence.symbol = format!("scip-test pip shop 1.0 {symbol}");
    occurrence.symbol_roles = if is_definition { SymbolRole::Definition as i32 } else { 0 };
    occurrence
}

fn document(path: &str, occurrences: Vec<Occurrence>) -> Document {
    let mut document = Document::new();
    document.relative_path = path.to_owned();
    document.occurrences = occurrences;
    document
}

/// Returns the bytes of an index of both files: `thing` is a `Store` that implements `Base`, and `other` is of another
/// package.
fn shop() -> Vec<u8> {
    let definition = |name, symbol| occurrence(STORE, name, symbol, true);
    let mut store = document(
        "store.py",
        vec![
            definition(("Base", 0), "`store`/Base#"),
            definition(("get", 0), "`store`/Base#get()."),
            definition(("Store", 0), "`store`/Store#"),
            definition(("get", 1), "`store`/Store#get()."),
            definition(("fetch", 0), "`store`/Store#fetch()."),
        ],
    );
    let mut information = SymbolInformation::new();
    information.symbol = "scip-test pip shop 1.0 `store`/Store#".to_owned();
    let mut relationship = Relationship::new();
    relationship.symbol = "scip-test pip shop 1.0 `store`/Base#".to_owned();
    relationship.is_implementation = true;
    information.relationships = vec![relationship];
    store.symbols = vec![information];
    let user = document(
        "user.py",
        vec![
            occurrence(USER, ("use", 0), "`user`/use().", true),
            occurrence(USER, ("get", 0), "`store`/Store#get().", false),
            occurrence(USER, ("fetch", 0), "`requests`/Session#fetch().", false),
        ],
    );
    let mut index = Index::new();
    index.documents = vec![store, user];
    index.write_to_bytes().unwrap()
}

fn sources(root: &Path) {
    write(&root.join("store.py"), STORE);
    write(&root.join("user.py"), USER);
}

/// Returns calls and bases of the index as `source type target (provenance)`.
fn edges(database: &Path) -> Vec<String> {
    let reader = Reader::open(database).unwrap();
    let symbols = reader.all_symbols().unwrap();
    let name = |node| symbols.iter().find(|symbol| symbol.node == node).unwrap().short_name().to_owned();
    let edges = reader.all_edges().unwrap();
    let shown = edges.iter().filter(|edge| ["calls", "extends"].contains(&edge.edge_type.name()));
    let line = |edge: &knowing_analysis::model::Edge| {
        let (source, target) = (name(edge.source), name(edge.target));
        format!("{source} {} {target} ({})", edge.edge_type.name(), edge.provenance.name())
    };
    let mut lines: Vec<String> = shown.map(line).collect();
    lines.sort();
    lines
}

const COMPILED: [&str; 2] =
    ["store.py.Store extends store.py.Base (scip)", "user.py.use calls store.py.Store.get (scip)"];
const GUESSED: &str = "user.py.load calls store.py.Store.fetch (ast_inferred)";

#[test]
fn edges_of_a_scip_index_replace_guesses() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    sources(&root);
    run(&root, &database, 2);
    assert_eq!(edges(&database), [GUESSED]);
    std::fs::write(root.join("index.scip"), shop()).unwrap();
    let report = run(&root, &database, 2);
    assert_eq!(report.scip.line().unwrap(), "references of the SCIP index: 1 added, 1 in place of guesses");
    assert_eq!(edges(&database), COMPILED);
    assert!(run(&root, &database, 2).is_unchanged);
    check(&root, &database, 1, "a SCIP index");
    std::fs::remove_file(root.join("index.scip")).unwrap();
    run(&root, &database, 2);
    assert_eq!(edges(&database), [GUESSED]);
}

#[test]
fn edges_of_edited_files_fall_back() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    sources(&root);
    std::fs::write(root.join("index.scip"), shop()).unwrap();
    run(&root, &database, 2);
    assert_eq!(edges(&database), COMPILED);
    // The definitions of an edited file are still those that others refer to.
    let edits = [
        ("store.py", format!("# moved\n{STORE}"), &COMPILED[1..]),
        ("store.py", STORE.to_owned(), &COMPILED[..]),
        ("user.py", format!("# moved\n{USER}"), &[COMPILED[0], GUESSED][..]),
        ("user.py", USER.to_owned(), &COMPILED[..]),
        ("user.py", format!("{USER}# at the end\n"), &COMPILED[..]),
        ("store.py", STORE.replace("class Store", "class Other"), &[][..]),
    ];
    for (path, text, expected) in edits {
        write(&root.join(path), &text);
        run(&root, &database, 2);
        assert_eq!(edges(&database), expected, "{path}: {text}");
        check(&root, &database, 1, path);
    }
}

#[test]
fn an_imported_index_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    sources(&root);
    let (one, other) = (folder.path().join("one.scip"), folder.path().join("other.scip"));
    let mut whole = Index::parse_from_bytes(&shop()).unwrap();
    let mut user = Index::new();
    user.documents = whole.documents.split_off(1);
    std::fs::write(&one, whole.write_to_bytes().unwrap()).unwrap();
    std::fs::write(&other, user.write_to_bytes().unwrap()).unwrap();
    let options = IndexOptions { database: Some(database.clone()), ..IndexOptions::default() };
    let import = IndexOptions { scip: vec![one.clone(), other.clone()], ..options.clone() };
    index(&root, &import, &|_| {}).unwrap();
    assert_eq!(edges(&database), COMPILED);
    std::fs::remove_file(one).unwrap();
    std::fs::remove_file(other).unwrap();
    index(&root, &IndexOptions { force: true, ..options }, &|_| {}).unwrap();
    assert_eq!(edges(&database), COMPILED);
}

#[test]
fn a_project_in_a_folder_is_found_by_its_root() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().canonicalize().unwrap().join("repo"), folder.path().join("graph.db"));
    sources(&root.join("packages/shop"));
    let mut index = Index::parse_from_bytes(&shop()).unwrap();
    index.metadata.mut_or_insert_default().project_root = format!("file://{}", root.join("packages/shop").display());
    std::fs::write(root.join("index.scip"), index.write_to_bytes().unwrap()).unwrap();
    run(&root, &database, 1);
    assert_eq!(edges(&database).len(), 2);
}

#[test]
fn a_file_that_is_no_scip_index_is_named() {
    let folder = tempfile::tempdir().unwrap();
    sources(folder.path());
    std::fs::write(folder.path().join("bad.scip"), "no index").unwrap();
    for (file, cause) in [("bad.scip", "not a SCIP index"), ("none.scip", "can't be read")] {
        let output = run_in(folder.path(), &["index", "--scip", file]);
        assert!(code(&output) > 1 && stderr(&output).contains(file), "{}", stderr(&output));
        assert!(stderr(&output).contains(cause), "{}", stderr(&output));
    }
    std::fs::rename(folder.path().join("bad.scip"), folder.path().join("index.scip")).unwrap();
    let output = run_in(folder.path(), &["index"]);
    assert!(code(&output) == 0 && stderr(&output).contains("index.scip is left out"), "{}", stderr(&output));
}
