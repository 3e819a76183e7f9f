//! Tests of the store through its public interface.

mod postings;
mod upgrade;

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::facts::FactsBuilder;
use crate::model::{EdgeType, FileId, NodeId, Provenance, Span, SymbolId, SymbolKind};

struct Fixture {
    _folder: TempDir,
    path: PathBuf,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.db");
    Fixture { _folder: folder, path }
}

fn node(id: u32, name: &str, scope: &str, file: Option<u32>) -> NodeRow {
    let kind = if file.is_some() { SymbolKind::Function } else { SymbolKind::External };
    NodeRow {
        id: NodeId::new(id),
        file: file.map(FileId::new),
        kind,
        name: name.into(),
        scope: scope.into(),
        signature: format!("def {name}()"),
        doc: String::new(),
        span: Span { start_byte: id * 10, end_byte: id * 10 + 5, start_line: id, end_line: id + 1, name_line: id },
        is_test: false,
        ordinal: 0,
    }
}

fn node_ids(nodes: &[u32]) -> Vec<u8> {
    pack_node_ids(&nodes.iter().map(|node| NodeId::new(*node)).collect::<Vec<NodeId>>())
}

fn search_row(node: u32, name: &str, body: &str) -> SearchRow {
    let mut columns: [String; SEARCH_COLUMNS] = Default::default();
    columns[SearchColumn::SymbolName as usize] = name.into();
    columns[SearchColumn::Body as usize] = body.into();
    SearchRow { node: NodeId::new(node), columns }
}

fn edge(source: u32, target: u32) -> EdgeRow {
    let (source, target) = (NodeId::new(source), NodeId::new(target));
    let confidence = stored_confidence(0.9);
    EdgeRow { source, edge_type: EdgeType::Calls, target, provenance: Provenance::AstResolved, confidence, layer: 0 }
}

/// Writes two files, three definitions and an external.
fn fill(writer: &mut Writer) {
    writer.begin().unwrap();
    writer.clear().unwrap();
    writer.set_repository("example.org/team/repo").unwrap();
    for (id, path, language) in [(1, "src/app/views.py", "python"), (2, "pkg/store/db.go", "go")] {
        let id = FileId::new(id);
        let file =
            FileRow { id, path: path.into(), language: language.into(), size: 10, mtime_ns: 5, content_hash: [7; 32] };
        writer.put_file(&file).unwrap();
        let facts = FactsBuilder::new().finish();
        writer.put_facts(id, &encode(&facts.outline), &encode(&facts.code), &encode(&3)).unwrap();
        writer.put_resolution(id, &encode(&4)).unwrap();
        let nodes: &[u32] = if id.get() == 1 { &[0, 1] } else { &[2] };
        writer.put_file_nodes(id, &node_ids(nodes)).unwrap();
    }
    for row in [
        node(0, "getUser", "Views", Some(1)),
        node(1, "GetUserName", "", Some(1)),
        node(2, "Open", "DB", Some(2)),
        node(3, "join", "os.path", None),
    ] {
        writer.put_node(row).unwrap();
    }
    writer.put_search(&search_row(0, "getUser get user", "session lookup")).unwrap();
    writer.put_search(&search_row(1, "GetUserName get user name", "don't panic")).unwrap();
    writer.put_search(&search_row(2, "Open open", "connection_pool größe")).unwrap();
    let bytes = pack_edges(&[edge(0, 2), edge(1, 3)]);
    writer.put_edges(&PackedEdges { slot: Slot { file: FileId::new(1), layer: 0 }, bytes }).unwrap();
}

fn filled() -> Fixture {
    let fixture = fixture();
    let mut writer = Writer::open(&fixture.path).unwrap();
    fill(&mut writer);
    writer.commit().unwrap();
    fixture
}

fn names(symbols: &[crate::model::Symbol]) -> Vec<&str> {
    symbols.iter().map(|symbol| symbol.short_name()).collect()
}

#[test]
fn symbols_are_found_by_name_path_and_file() {
    let fixture = filled();
    let reader = Reader::open(&fixture.path).unwrap();
    assert_eq!(reader.repository(), "example.org/team/repo");
    assert_eq!(names(&reader.symbols_named("GETUSER", 5).unwrap()), ["src/app/views.py.Views.getUser"]);
    let both = ["src/app/views.py.Views.getUser", "src/app/views.py.GetUserName"];
    let numbered = |nodes: Vec<NodeId>| reader.symbols(&nodes).unwrap();
    assert_eq!(names(&numbered(reader.nodes_with_prefix("getu", 5).unwrap())), both);
    assert_eq!(names(&numbered(reader.nodes_containing("userna", 5).unwrap())), ["src/app/views.py.GetUserName"]);
    assert_eq!(reader.nodes_containing("user%", 5).unwrap(), [], "letters of patterns are letters");
    assert_eq!(reader.nodes_containing("user_", 5).unwrap(), []);
    assert_eq!(names(&reader.symbols_of_file("pkg/store/db.go").unwrap()), ["pkg/store.DB.Open"]);
    assert_eq!(names(&reader.symbols(&[3, 9, 2].map(NodeId::new)).unwrap()), ["os.path.join", "pkg/store.DB.Open"]);
    assert_eq!(reader.symbols_named("join", 5).unwrap(), [], "externals are not found by name");
    assert_eq!(reader.node_capacity().unwrap(), 4);
    assert_eq!(reader.all_symbols().unwrap().len(), 4);
}

#[test]
fn edges_and_counts_round_trip() {
    let fixture = filled();
    let reader = Reader::open(&fixture.path).unwrap();
    let edges = reader.all_edges().unwrap();
    assert_eq!(edges.iter().map(|edge| (edge.source.get(), edge.target.get())).collect::<Vec<_>>(), [(0, 2), (1, 3)]);
    assert_eq!(edges[0].confidence, 0.9);
    let degrees = reader.degrees().unwrap();
    assert_eq!(degrees[2], Degree { incoming: 1, outgoing: 0 });
    let some = reader.degrees_of(&[0, 1, 2, 3].map(NodeId::new)).unwrap();
    assert_eq!([0, 1, 2, 3].map(|node| some[&NodeId::new(node)]), degrees[..]);
    let stats = reader.stats().unwrap();
    assert_eq!((stats.file_count(), stats.symbol_count(), stats.edge_count(), stats.source_bytes()), (2, 4, 2, 20));
    assert_fsck_clean(&fixture.path);
}

#[track_caller]
fn assert_fsck_clean(path: &std::path::Path) {
    let problems: Vec<Finding> =
        fsck(path).unwrap().into_iter().filter(|finding| !finding.problems.is_empty()).collect();
    assert_eq!(problems, []);
}

#[test]
fn fsck_detects_changed_rows() {
    for sql in [
        "UPDATE symbols SET data = CAST(x'01' || substr(data, 2) AS BLOB)",
        "UPDATE symbol_names SET data = CAST(substr(data, 1, 9) || x'5a' || substr(data, 11) AS BLOB)",
        "UPDATE symbol_names SET first = 'x'",
        "DELETE FROM symbol_names",
        "DELETE FROM fileless",
        "UPDATE fileless SET file = 2",
        "UPDATE edges SET slot = 8",
        "DELETE FROM symbols",
        "UPDATE search_data SET block = block || x'00' WHERE id > 10",
        "UPDATE files SET size = 11 WHERE id = 1",
        "DELETE FROM edges",
        "UPDATE codes SET data = (SELECT data FROM codes WHERE file = 2) WHERE file = 1",
        "UPDATE meta SET value = 'x' WHERE key = 'repository'",
        "DELETE FROM digests WHERE name = 'texts'",
    ] {
        let fixture = filled();
        Connection::open(&fixture.path).unwrap().execute_batch(sql).unwrap();
        let is_finding = |findings: Vec<Finding>| findings.iter().any(|finding| !finding.problems.is_empty());
        assert!(fsck(&fixture.path).map_or(true, is_finding), "{sql}");
    }
}

#[test]
fn an_update_keeps_digests_and_damage_shows_after_it() {
    let update = |fixture: &Fixture| {
        let mut writer = Writer::open(&fixture.path).unwrap();
        writer.begin().unwrap();
        writer.delete_node(NodeId::new(1)).unwrap();
        writer.put_node(node(2, "Opened", "DB", Some(2))).unwrap();
        writer.delete_search(NodeId::new(2)).unwrap();
        writer.put_search(&search_row(2, "Opened opened", "pool")).unwrap();
        writer.put_node(node(4, "Close", "DB", Some(2))).unwrap();
        writer.put_file_nodes(FileId::new(1), &node_ids(&[0])).unwrap();
        writer.put_file_nodes(FileId::new(2), &node_ids(&[2, 4])).unwrap();
        writer.delete_search(NodeId::new(4)).unwrap();
        writer.put_search(&search_row(4, "Close close", "pool")).unwrap();
        let bytes = pack_edges(&[edge(0, 2)]);
        writer.put_edges(&PackedEdges { slot: Slot { file: FileId::new(1), layer: 0 }, bytes }).unwrap();
        writer.renew_state().unwrap();
        writer.commit().unwrap();
    };
    let fixture = filled();
    update(&fixture);
    update(&fixture);
    let problems = Reader::open(&fixture.path).unwrap().check_digests();
    assert_eq!(problems, Vec::<String>::new());
    let connection = Connection::open(&fixture.path).unwrap();
    connection.execute_batch("UPDATE search_docsize SET sz = x'00' WHERE id = 0").unwrap();
    drop(connection);
    update(&fixture);
    assert_eq!(Reader::open(&fixture.path).unwrap().check_digests(), ["a row of table search_docsize changed"]);
}

#[test]
fn postings_have_documents_and_columns() {
    let fixture = filled();
    let reader = Reader::open(&fixture.path).unwrap();
    let find = |term: &str| -> Vec<u32> {
        reader.postings(term, 10).unwrap().iter().map(|posting| posting.document.get()).collect()
    };
    assert_eq!(find("getusername"), [1]);
    assert_eq!(find("get"), [0, 1]);
    assert_eq!(find("connection"), [0_u32; 0], "an underscore does not split a token");
    assert_eq!(find("connection_pool"), [2]);
    assert_eq!(find("größe"), [2], "letters keep their accents, as in tasks");
    assert_eq!(reader.postings("get", 1).unwrap(), [], "a term above the limit has no postings");
    let posting = reader.postings("lookup", 10).unwrap()[0];
    assert_eq!(posting.frequencies[SearchColumn::Body as usize], 1);
    assert_eq!(posting.frequencies.iter().sum::<u16>(), 1);
    for hostile in ["", "\"", "'", "NEAR(", "*", "a:b", "\0", "\u{202e}", ";DROP", "\r\n"] {
        assert_eq!(find(hostile), [0_u32; 0], "{hostile:?}");
    }
}

#[test]
fn a_dropped_writer_keeps_the_last_index() {
    let fixture = filled();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer.clear().unwrap();
    let reader = Reader::open(&fixture.path).unwrap();
    assert_eq!(reader.stats().unwrap().symbol_count(), 4, "readers must not see an uncommitted run");
    drop(writer);
    assert_eq!(reader.stats().unwrap().symbol_count(), 4);
}

#[test]
fn an_uncommitted_first_build_leaves_no_index() {
    let fixture = fixture();
    let mut writer = Writer::open(&fixture.path).unwrap();
    fill(&mut writer);
    drop(writer);
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Missing { .. })));
}

#[test]
fn a_second_writer_is_refused() {
    let fixture = filled();
    let _first = Writer::open(&fixture.path).unwrap();
    let message = Writer::open(&fixture.path).unwrap_err().to_string();
    assert!(message.contains("another process is indexing"), "{message}");
}

#[test]
fn a_reader_sees_one_snapshot() {
    let fixture = filled();
    let before = Reader::open(&fixture.path).unwrap();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer
        .put_edges(&PackedEdges { slot: Slot { file: FileId::new(1), layer: 0 }, bytes: pack_edges(&[edge(0, 2)]) })
        .unwrap();
    writer.delete_node(NodeId::new(3)).unwrap();
    writer.commit().unwrap();
    let after = Reader::open(&fixture.path).unwrap();
    assert_eq!((before.node_capacity().unwrap(), after.node_capacity().unwrap()), (4, 3));
    let meta_count = |reader: &Reader| {
        let mut count = 0;
        reader.for_each_node_meta(|_| count += 1).unwrap();
        count
    };
    assert_eq!((meta_count(&before), meta_count(&after)), (4, 3));
    assert_fsck_clean(&fixture.path);
}

#[test]
fn the_cache_keeps_the_newest_entries() {
    let fixture = filled();
    let reader = || Reader::open(&fixture.path).unwrap();
    for number in [1, 2, 3, 1, 4] {
        cache_put(&fixture.path, "number", &number.to_string(), &format!("value {number}"), 3).unwrap();
    }
    cache_put(&fixture.path, "other", "1 of another kind", &0, 1).unwrap();
    let cached = |key: &str| reader().cache_get::<String>("number", key).unwrap();
    assert_eq!([cached("1"), cached("2"), cached("3")], [Some("value 1".into()), None, Some("value 3".into())]);
    assert_eq!(cached("1 of another kind"), None);
    assert_eq!(reader().cache_get::<Vec<Vec<u64>>>("number", "1").unwrap(), None, "another type");

    let other = Connection::open(&fixture.path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = cache_put(&fixture.path, "number", "5", &"value 5", 3);
    assert!(matches!(refused, Err(StoreError::Busy { .. })), "{refused:?}");
    assert!(cache_put(&fixture.path.with_extension("none"), "number", "5", &"value 5", 3).is_err());
    assert!(!fixture.path.with_extension("none").exists());
}

#[test]
fn an_out_of_range_node_id_is_rejected() {
    let fixture = filled();
    for block in [1, u64::from(MAX_NODES) / 128, 1 << 40] {
        let connection = Connection::open(&fixture.path).unwrap();
        connection.execute_batch(&format!("UPDATE symbols SET block = {block}")).unwrap();
        let reader = Reader::open(&fixture.path).unwrap();
        assert!(reader.node_capacity().unwrap_err().rebuild_helps(), "{block}");
        assert!(reader.node_ids().unwrap_err().rebuild_helps(), "{block}");
    }
}

#[test]
fn node_ids_in_disorder_are_rejected() {
    let fixture = filled();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer.put_node(node(300, "far", "", None)).unwrap();
    writer.commit().unwrap();
    let connection = Connection::open(&fixture.path).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap() as usize;
    let page = (number("SELECT rootpage FROM sqlite_master WHERE name = 'symbols'") - 1) * number("PRAGMA page_size");
    drop(connection);
    let mut bytes = std::fs::read(&fixture.path).unwrap();
    assert_eq!((bytes[page], bytes[page + 4]), (13, 2), "a leaf of a table, with two rows");
    // The places of its rows follow the header of the page.
    bytes[page + 8..page + 12].rotate_left(2);
    std::fs::write(&fixture.path, bytes).unwrap();
    let reader = Reader::open(&fixture.path).unwrap();
    assert!(reader.node_ids().unwrap_err().rebuild_helps());
    assert!(reader.node_keys().unwrap_err().rebuild_helps());
}

/// Rows of a name are divided and joined as names come and go.
#[test]
fn names_after_updates_are_those_of_a_new_index() {
    let name = |number: u32| format!("{}{}", ["get", "Set", "load_"][number as usize % 3], number * 7919 % 1_000);
    let put = |writer: &mut Writer, numbers: &[u32]| {
        numbers.iter().for_each(|number| writer.put_node(node(*number, &name(*number), "", None)).unwrap());
    };
    let rows = |path: &std::path::Path| -> Vec<(String, Vec<String>)> {
        let reader = Reader::open(path).unwrap();
        assert_eq!(reader.check_names().unwrap(), [""; 0]);
        let connection = Connection::open(path).unwrap();
        let mut statement = connection.prepare("SELECT first FROM symbol_names ORDER BY first").unwrap();
        let firsts: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let mut names = Vec::new();
        reader.for_each_name(|name| names.push(name.to_owned())).unwrap();
        vec![(firsts.join(" "), names)]
    };
    let numbers: Vec<u32> = (0..1_000).collect();
    let built = fixture();
    let mut writer = Writer::open(&built.path).unwrap();
    writer.begin().unwrap();
    writer.clear().unwrap();
    put(&mut writer, &numbers);
    writer.commit().unwrap();
    let expected = rows(&built.path);
    assert!(expected[0].0.split(' ').count() > 3, "there are several rows");

    let updated = fixture();
    let mut writer = Writer::open(&updated.path).unwrap();
    writer.begin().unwrap();
    writer.clear().unwrap();
    writer.commit().unwrap();
    for (start, end) in [(0, 300), (600, 1_000), (250, 700)] {
        let mut writer = Writer::open(&updated.path).unwrap();
        writer.begin().unwrap();
        (start..end.min(start + 100)).for_each(|number| writer.delete_node(NodeId::new(number)).unwrap());
        writer.write_symbols().unwrap();
        put(&mut writer, &numbers[start as usize..end as usize]);
        writer.commit().unwrap();
    }
    assert_eq!(rows(&updated.path), expected);
    let mut writer = Writer::open(&updated.path).unwrap();
    writer.begin().unwrap();
    numbers.iter().for_each(|number| writer.delete_node(NodeId::new(*number)).unwrap());
    writer.commit().unwrap();
    assert_eq!(rows(&updated.path), [(String::new(), Vec::new())]);
}

#[test]
fn every_statement_prepares_and_is_used() {
    let fixture = filled();
    let connection = Connection::open(&fixture.path).unwrap();
    checksum::register(&connection).unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("store");
    let sources: String = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    // Folders have statements for earlier schemas.
    let entries = std::fs::read_dir(folder.join("sql")).unwrap().map(|entry| entry.unwrap().path());
    let texts: Vec<(PathBuf, String)> = entries
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    // Other statements use the temporary tables.
    let creates_table = |statement: &&str| statement.contains("CREATE TEMP TABLE");
    for (_, text) in &texts {
        text.split_inclusive(";\n").filter(creates_table).for_each(|create| connection.execute_batch(create).unwrap());
    }
    for (path, text) in texts {
        let name = path.file_stem().unwrap().to_str().unwrap();
        for statement in text.split_inclusive(";\n").filter(|statement| !creates_table(statement)) {
            connection.prepare(statement).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert!(sources.contains(&format!("sql!(\"{name}\")")), "{name} is not used");
    }
}

#[test]
fn dropped_indexes_are_recreated() {
    let fixture = filled();
    let connection = Connection::open(&fixture.path).unwrap();
    let count = |connection: &Connection| -> i64 {
        connection.query_row("SELECT count(*) FROM sqlite_schema WHERE type = 'index'", [], |row| row.get(0)).unwrap()
    };
    let before = count(&connection);
    migrate::drop_indexes(&connection).unwrap();
    assert!(count(&connection) < before);
    migrate::create_indexes(&connection).unwrap();
    assert_eq!(count(&connection), before);
}

#[test]
fn a_rebuild_in_place_gives_free_pages_back() {
    let fixture = fixture();
    let pages = || -> [i64; 2] {
        let connection = Connection::open(&fixture.path).unwrap();
        ["page_count", "freelist_count"]
            .map(|name| connection.pragma_query_value(None, name, |row| row.get(0)).unwrap())
    };
    let mut writer = Writer::open(&fixture.path).unwrap();
    fill(&mut writer);
    for id in 10..2_000 {
        writer.put_node(node(id, &format!("function{id}"), "", Some(1))).unwrap();
        writer.put_search(&search_row(id, &format!("function{id}"), &format!("body{}", id % 100))).unwrap();
    }
    writer.commit().unwrap();
    let [before, free] = pages();
    assert!(before > 100 && free == 0, "{before}, {free}");
    upgrade::rebuild(&fixture);
    let [after, free] = pages();
    assert!(after < before / 2 && free == 0, "{before}, {after}, {free}");
}

#[test]
fn absent_search_rows_are_removed_without_flushing_the_search_index() {
    let fixture = fixture();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer.clear().unwrap();
    let pages = |writer: &Writer| -> u32 {
        let sql = "SELECT count(*) FROM search_data";
        writer.reader().connection.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let before = pages(&writer);
    for id in 1..50 {
        writer.put_search(&search_row(id, "name", "body")).unwrap();
        writer.delete_search(NodeId::new(id + 1)).unwrap();
    }
    // Each flush walks the table of all terms, which takes a time that grows with the square of the symbols.
    assert_eq!(pages(&writer), before);
    writer.delete_search(NodeId::new(7)).unwrap();
    writer.set_repository("r").unwrap();
    writer.renew_state().unwrap();
    writer.commit().unwrap();
    assert_eq!(Reader::open(&fixture.path).unwrap().postings("name", 100).unwrap().len(), 48);
}
