//! SCIP indexes, made with the `scip` crate: edges, their fallback after edits, and their import.

use std::path::Path;

use knowing_indexing::index::{IndexOptions, index};
use knowing_indexing::store::{Reader, ScipAnswer, write_scip_answer};
use protobuf::Message;
use scip::types::{Document, Index, Occurrence, Relationship, SymbolInformation, SymbolRole};

use super::incremental::{check, run, write};
use crate::cli::{code, run_in, stderr, stdout};

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

/// Answers that the repository's own index is used.
fn agree(database: &Path) {
    write_scip_answer(database, ScipAnswer::Use).unwrap();
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
    agree(&database);
    run(&root, &database, 2);
    assert_eq!(edges(&database), [GUESSED]);
    std::fs::write(root.join("index.scip"), shop()).unwrap();
    let report = run(&root, &database, 2);
    assert_eq!(report.scip.line().unwrap(), "references of the SCIP index: 1 added, 1 instead of guesses");
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
    agree(&database);
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
    agree(&database);
    let mut index = Index::parse_from_bytes(&shop()).unwrap();
    index.metadata.mut_or_insert_default().project_root = format!("file://{}", root.join("packages/shop").display());
    std::fs::write(root.join("index.scip"), index.write_to_bytes().unwrap()).unwrap();
    run(&root, &database, 1);
    assert_eq!(edges(&database).len(), 2);
}

#[test]
fn a_file_that_is_not_a_scip_index_is_named() {
    let folder = tempfile::tempdir().unwrap();
    sources(folder.path());
    std::fs::write(folder.path().join("bad.scip"), "no index").unwrap();
    for (file, cause) in [("bad.scip", "not a SCIP index"), ("none.scip", "can't be read")] {
        let output = run_in(folder.path(), &["index", "--scip", file]);
        assert!(code(&output) > 1 && stderr(&output).contains(file), "{}", stderr(&output));
        assert!(stderr(&output).contains(cause), "{}", stderr(&output));
    }
    let own = folder.path().join("index.scip");
    std::fs::write(&own, shop()).unwrap();
    assert_eq!(code(&run_in(folder.path(), &["index", "--scip", "index.scip"])), 0);
    let mut long = shop();
    // A length beyond the file, a file that ends too early, and a document without a path.
    long.extend([0x12, 0xff, 0xff, 0x7f, 0x0a, 0x00]);
    let cut = shop()[..shop().len() - 3].to_vec();
    for junk in
        [&b"no index"[..], &[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], &[0x12, 0], &long, &cut]
    {
        std::fs::write(&own, junk).unwrap();
        let output = run_in(folder.path(), &["index"]);
        assert!(code(&output) == 0 && stderr(&output).contains("index.scip is left out"), "{}", stderr(&output));
        assert_ne!(code(&run_in(folder.path(), &["index", "--scip", "index.scip"])), 0, "{junk:?}");
    }
}

/// Returns the callers of a method as the program prints them.
fn callers(root: &Path, method: &str) -> String {
    stdout(&run_in(root, &["callers", method]))
}

#[test]
fn an_index_that_comes_with_the_repository_needs_consent() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sources(root);
    std::fs::write(root.join("index.scip"), shop()).unwrap();
    for arguments in [&["index"][..], &["index"], &["query", "fetch"]] {
        let output = run_in(root, arguments);
        assert!(
            stderr(&output).contains("index.scip comes with the repository and is not used"),
            "{}",
            stderr(&output)
        );
        assert!(stderr(&output).contains("--scip"), "{}", stderr(&output));
        assert!(!callers(root, "Store.get").contains("\n  use "), "{}", callers(root, "Store.get"));
    }
    let output = run_in(root, &["index", "--scip", "index.scip"]);
    assert!(code(&output) == 0 && !stderr(&output).contains("not used"), "{}", stderr(&output));
    assert!(callers(root, "Store.get").contains("\n  use "), "{}", callers(root, "Store.get"));
    // It is read again when it changes, without another question, and nothing is left of it when it is gone.
    std::fs::remove_file(root.join("index.scip")).unwrap();
    assert!(!callers(root, "Store.get").contains("\n  use "), "{}", callers(root, "Store.get"));
    std::fs::write(root.join("index.scip"), shop()).unwrap();
    let output = run_in(root, &["index", "--force"]);
    assert!(!stderr(&output).contains("not used"), "{}", stderr(&output));
    assert!(callers(root, "Store.get").contains("\n  use "), "{}", callers(root, "Store.get"));
}

#[test]
fn yes_answers_the_question_about_an_index_of_the_repository() {
    let folder = tempfile::tempdir().unwrap();
    sources(folder.path());
    std::fs::write(folder.path().join("index.scip"), shop()).unwrap();
    assert_eq!(code(&run_in(folder.path(), &["--yes", "index"])), 0);
    let output = run_in(folder.path(), &["index"]);
    assert!(!stderr(&output).contains("not used"), "{}", stderr(&output));
    assert!(callers(folder.path(), "Store.get").contains("\n  use "));
}

/// Returns the steps of indexing one file with a SCIP index of one document, and the number of compiled edges.
fn steps(text: &str, document: Document) -> (u64, usize) {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("a.py"), text);
    agree(&database);
    let mut index = Index::new();
    index.documents = vec![document];
    std::fs::write(root.join("index.scip"), index.write_to_bytes().unwrap()).unwrap();
    let report = run(&root, &database, 2);
    (report.resolution_steps, edges(&database).iter().filter(|edge| edge.ends_with("(scip)")).count())
}

/// A document whose symbol has `n` descriptors.
fn long_symbol(n: usize) -> (String, Document) {
    let (text, symbol) = ("def x():\n    pass\n", format!("{}x().", "a/".repeat(n)));
    (text.to_owned(), document("a.py", vec![occurrence(text, ("x", 0), &symbol, true)]))
}

/// A document with `n` methods of one name in as many classes, each used once where extraction sees no receiver.
fn methods_of_one_name(n: usize) -> (String, Document) {
    let class = |i: usize| format!("class A{i}:\n    def run(self):\n        pass\n\ndef use{i}(x):\n    x.run()\n\n");
    let mut occurrences = Vec::new();
    let mut at = |line: usize, columns: [usize; 2], symbol: String, is_definition: bool| {
        let mut occurrence = Occurrence::new();
        occurrence.range = [line, columns[0], columns[1]].map(|number| number as i32).to_vec();
        occurrence.symbol = format!("scip-test pip shop 1.0 {symbol}");
        occurrence.symbol_roles = if is_definition { SymbolRole::Definition as i32 } else { 0 };
        occurrences.push(occurrence);
    };
    for i in 0..n {
        at(7 * i + 1, [8, 11], format!("`a`/A{i}#run()."), true);
        at(7 * i + 5, [6, 9], format!("`a`/A{i}#run()."), false);
    }
    ((0..n).map(class).collect(), document("a.py", occurrences))
}

#[test]
fn steps_of_a_scip_index_grow_linearly_in_every_shape() {
    type Shape = (fn(usize) -> (String, Document), fn(usize) -> usize);
    let shapes: [Shape; 2] = [(long_symbol, |_| 0), (methods_of_one_name, |n| n)];
    for (shape, expected) in shapes {
        let [small, large] = [50, 400].map(|n| {
            let (text, document) = shape(n);
            let (steps, edges) = steps(&text, document);
            assert!(edges >= expected(n), "{edges} edges of {n}");
            steps
        });
        assert!(large <= small * 10, "{small} and {large}");
    }
}
