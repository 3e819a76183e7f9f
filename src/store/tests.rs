//! Tests of the store as others use it.

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::model::{EdgeType, Provenance, Span, SymbolId, SymbolKind, SymbolName};

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
        id,
        identity: SymbolId::new("r", SymbolName { place: "", scope: "", name }, kind, id),
        file,
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

fn search_row(node: u32, name: &str, body: &str) -> SearchRow {
    let mut columns: [String; SEARCH_COLUMNS] = Default::default();
    columns[SearchColumn::SymbolName as usize] = name.into();
    columns[SearchColumn::Body as usize] = body.into();
    SearchRow { node, columns }
}

fn edge(source: u32, target: u32) -> EdgeRow {
    let confidence = stored_confidence(0.9);
    EdgeRow { source, edge_type: EdgeType::Calls, target, provenance: Provenance::AstResolved, confidence, layer: 0 }
}

/// A small index: two files, three symbols, an external.
fn fill(writer: &mut Writer) {
    writer.begin().unwrap();
    writer.clear().unwrap();
    writer.set_repository("example.org/team/repo").unwrap();
    for (id, path, language) in [(1, "src/app/views.py", "python"), (2, "pkg/store/db.go", "go")] {
        let file =
            FileRow { id, path: path.into(), language: language.into(), size: 10, mtime_ns: 5, content_hash: [7; 32] };
        writer.put_file(&file).unwrap();
        writer.put_facts(id, &encode(&1), &encode(&2), &encode(&3)).unwrap();
        writer.put_resolution(id, &encode(&4)).unwrap();
    }
    for row in [
        node(0, "getUser", "Views", Some(1)),
        node(1, "GetUserName", "", Some(1)),
        node(2, "Open", "DB", Some(2)),
        node(3, "join", "os.path", None),
    ] {
        writer.put_node(&row).unwrap();
    }
    writer.put_search(&search_row(0, "getUser get user", "session lookup")).unwrap();
    writer.put_search(&search_row(1, "GetUserName get user name", "don't panic")).unwrap();
    writer.put_search(&search_row(2, "Open open", "connection_pool")).unwrap();
    let bytes = pack_edges(&[edge(0, 2), edge(1, 3)]);
    writer.put_edges(&PackedEdges { slot: Slot { file: 1, layer: 0 }, bytes }).unwrap();
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
    let numbered = |nodes: Vec<u32>| reader.symbols(&nodes).unwrap();
    assert_eq!(names(&numbered(reader.nodes_with_prefix("getu", 5).unwrap())), both);
    assert_eq!(names(&numbered(reader.nodes_containing("userna", 5).unwrap())), ["src/app/views.py.GetUserName"]);
    assert_eq!(names(&reader.symbols_of_file("pkg/store/db.go").unwrap()), ["pkg/store.DB.Open"]);
    assert_eq!(names(&reader.symbols(&[3, 9, 2]).unwrap()), ["os.path.join", "pkg/store.DB.Open"]);
    assert_eq!(reader.symbols_named("join", 5).unwrap(), [], "what lies outside the repository is no answer");
    assert_eq!(reader.node_capacity().unwrap(), 4);
    assert_eq!(reader.all_symbols().unwrap().len(), 4);
}

#[test]
fn edges_and_counts_come_back() {
    let fixture = filled();
    let reader = Reader::open(&fixture.path).unwrap();
    let edges = reader.all_edges().unwrap();
    assert_eq!(edges.iter().map(|edge| (edge.source, edge.target)).collect::<Vec<_>>(), [(0, 2), (1, 3)]);
    assert_eq!(edges[0].confidence, 0.9);
    assert_eq!(reader.degrees().unwrap()[2], Degree { incoming: 1, outgoing: 0 });
    let stats = reader.stats().unwrap();
    assert_eq!((stats.file_count(), stats.symbol_count(), stats.edge_count(), stats.source_bytes()), (2, 4, 2, 20));
    assert_all_well(&fixture.path);
}

#[track_caller]
fn assert_all_well(path: &std::path::Path) {
    let problems: Vec<Finding> =
        fsck(path).unwrap().into_iter().filter(|finding| !finding.problems.is_empty()).collect();
    assert_eq!(problems, []);
}

#[test]
fn heads_and_edges_are_checked_against_the_rows() {
    for sql in
        ["UPDATE nodes SET is_test = 1 WHERE id = 1", "UPDATE edges SET slot = 8", "DELETE FROM nodes WHERE id = 3"]
    {
        let fixture = filled();
        Connection::open(&fixture.path).unwrap().execute_batch(sql).unwrap();
        assert!(fsck(&fixture.path).unwrap().iter().any(|finding| !finding.problems.is_empty()), "{sql}");
    }
}

#[test]
fn terms_are_found_where_they_stand() {
    let fixture = filled();
    let reader = Reader::open(&fixture.path).unwrap();
    let find = |term: &str| -> Vec<u32> {
        reader.postings(term, 10).unwrap().iter().map(|posting| posting.document).collect()
    };
    assert_eq!(find("getusername"), [1]);
    assert_eq!(find("get"), [0, 1]);
    assert_eq!(find("connection"), [0_u32; 0], "an underscore does not end a word");
    assert_eq!(find("connection_pool"), [2]);
    assert_eq!(reader.postings("get", 1).unwrap(), [], "a term of too many symbols says nothing");
    let posting = reader.postings("lookup", 10).unwrap()[0];
    assert_eq!(posting.frequencies[SearchColumn::Body as usize], 1);
    assert_eq!(posting.frequencies.iter().sum::<u16>(), 1);
    for hostile in ["", "\"", "'", "NEAR(", "*", "a:b", "\0", "\u{202e}", ";DROP", "\r\n"] {
        assert_eq!(find(hostile), [0_u32; 0], "{hostile:?}");
    }
}

#[test]
fn a_dropped_writer_leaves_the_last_index() {
    let fixture = filled();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer.clear().unwrap();
    let reader = Reader::open(&fixture.path).unwrap();
    assert_eq!(reader.stats().unwrap().symbol_count(), 4, "readers see nothing of an unfinished run");
    drop(writer);
    assert_eq!(reader.stats().unwrap().symbol_count(), 4);
}

#[test]
fn a_first_build_that_stops_leaves_no_index() {
    let fixture = fixture();
    let mut writer = Writer::open(&fixture.path).unwrap();
    fill(&mut writer);
    drop(writer);
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Missing { .. })));
}

#[test]
fn one_writer_at_a_time() {
    let fixture = filled();
    let _first = Writer::open(&fixture.path).unwrap();
    let message = Writer::open(&fixture.path).unwrap_err().to_string();
    assert!(message.contains("another indexer is at work"), "{message}");
}

#[test]
fn a_reader_sees_one_state() {
    let fixture = filled();
    let before = Reader::open(&fixture.path).unwrap();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer.put_edges(&PackedEdges { slot: Slot { file: 1, layer: 0 }, bytes: pack_edges(&[edge(0, 2)]) }).unwrap();
    writer.delete_node(3).unwrap();
    writer.commit().unwrap();
    let after = Reader::open(&fixture.path).unwrap();
    assert_eq!((before.node_capacity().unwrap(), after.node_capacity().unwrap()), (4, 3));
    let heads = |reader: &Reader| {
        let mut count = 0;
        reader.each_head(|_| count += 1).unwrap();
        count
    };
    assert_eq!((heads(&before), heads(&after)), (4, 3));
    assert_all_well(&fixture.path);
}

#[test]
fn the_newest_notes_are_kept() {
    let fixture = filled();
    let reader = || Reader::open(&fixture.path).unwrap();
    for number in [1, 2, 3, 1, 4] {
        put_note(&fixture.path, "number", &number.to_string(), &format!("note {number}"), 3).unwrap();
    }
    put_note(&fixture.path, "other", "1 of another kind", &0, 1).unwrap();
    let kept = |key: &str| reader().note::<String>("number", key).unwrap();
    assert_eq!([kept("1"), kept("2"), kept("3")], [Some("note 1".into()), None, Some("note 3".into())]);
    assert_eq!(kept("1 of another kind"), None);
    assert_eq!(reader().note::<Vec<Vec<u64>>>("number", "1").unwrap(), None, "of another form");

    let other = Connection::open(&fixture.path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = put_note(&fixture.path, "number", "5", &"note 5", 3);
    assert!(matches!(refused, Err(StoreError::Busy { .. })), "{refused:?}");
    assert!(put_note(&fixture.path.with_extension("none"), "number", "5", &"note 5", 3).is_err());
    assert!(!fixture.path.with_extension("none").exists());
}

#[test]
fn a_number_out_of_range_takes_no_memory() {
    let fixture = filled();
    Connection::open(&fixture.path).unwrap().execute_batch("UPDATE nodes SET id = 4294967290 WHERE id = 3").unwrap();
    let reader = Reader::open(&fixture.path).unwrap();
    assert!(matches!(reader.node_capacity(), Err(StoreError::Damaged { .. })));
}

#[test]
fn foreign_files_are_refused_and_replaced() {
    for content in ["this is not a database, and long enough for a header of 100 bytes".repeat(4), "x".into()] {
        let fixture = fixture();
        std::fs::write(&fixture.path, content).unwrap();
        let message = Reader::open(&fixture.path).unwrap_err().to_string();
        assert!(message.contains("graph.db") && message.contains("--force"), "{message}");
        assert!(Writer::open(&fixture.path).is_err());
        rebuild(&fixture);
    }
}

#[test]
fn a_database_of_another_program_is_refused() {
    let fixture = fixture();
    Connection::open(&fixture.path).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Foreign { .. })));
    assert!(matches!(Writer::open(&fixture.path), Err(StoreError::Foreign { .. })));
    rebuild(&fixture);
    assert!(lock::beside(&fixture.path, "replaced").exists(), "the other program's file is kept");
}

#[test]
fn a_kept_file_is_never_overwritten_and_stays_where_it_is_until_the_end() {
    let fixture = fixture();
    let read = |suffix: &str| std::fs::read_to_string(lock::beside(&fixture.path, suffix)).unwrap();
    std::fs::write(lock::beside(&fixture.path, "replaced"), "first").unwrap();
    std::fs::write(&fixture.path, "second").unwrap();
    drop(Writer::rebuild(&fixture.path).unwrap());
    assert_eq!(std::fs::read_to_string(&fixture.path).unwrap(), "second", "a run that did not end moves nothing");
    rebuild(&fixture);
    assert_eq!((read("replaced").as_str(), read("replaced-2").as_str()), ("first", "second"));
}

#[test]
fn a_file_with_lessons_that_can_not_be_copied_is_kept() {
    let fixture = filled();
    teach(&fixture);
    let old = Connection::open(&fixture.path).unwrap();
    // Another version may know other columns, or another table altogether.
    let changes = "ALTER TABLE vocabulary DROP COLUMN package_root; ALTER TABLE vocabulary ADD COLUMN more TEXT; \
                   DROP TABLE feedback; PRAGMA user_version = 99";
    old.execute_batch(changes).unwrap();
    drop(old);
    let writer = Writer::rebuild(&fixture.path).unwrap();
    let notes = writer.notes().join("\n");
    assert!(notes.contains("`feedback` could not be read") && notes.contains("graph.db-replaced"), "{notes}");
    drop(writer);
    rebuild(&fixture);
    assert_eq!(taught(&fixture), 1, "what is there comes along");
    let kept = Connection::open(lock::beside(&fixture.path, "replaced")).unwrap();
    assert_eq!(kept.query_row("SELECT count(*) FROM vocabulary", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

#[test]
fn a_newer_schema_is_refused_and_what_was_taught_is_kept() {
    let fixture = filled();
    teach(&fixture);
    Connection::open(&fixture.path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Newer { found: 99, .. })));
    rebuild(&fixture);
    assert_eq!(taught(&fixture), 1);
    assert!(!lock::beside(&fixture.path, "replaced").exists(), "everything was copied");
}

#[test]
fn a_truncated_database_is_refused_and_rebuilt() {
    let fixture = filled();
    teach(&fixture);
    let length = std::fs::metadata(&fixture.path).unwrap().len();
    std::fs::File::options().write(true).open(&fixture.path).unwrap().set_len(length / 2).unwrap();
    let message = Reader::open(&fixture.path).unwrap_err().to_string();
    assert!(message.contains("damaged") && message.contains("--force"), "{message}");
    rebuild(&fixture);
}

#[test]
fn a_rebuild_in_place_keeps_what_was_taught() {
    let fixture = filled();
    teach(&fixture);
    rebuild(&fixture);
    assert_eq!(taught(&fixture), 1);
}

#[test]
fn what_was_taught_survives_a_schema_upgrade() {
    let fixture = fixture();
    let connection = Connection::open(&fixture.path).unwrap();
    for migration in &migrate::MIGRATIONS[..3] {
        connection.execute_batch(migration).unwrap();
    }
    let rows = "INSERT INTO feedback VALUES (5, 10, 's', 'c', 'login', x'00112233445566778899aabbccddeeff', 'r://a.f', \
                -1, 1.0, 0, 'a', zeroblob(32)); \
                INSERT INTO vocabulary VALUES (1, 'login', x'00112233445566778899aabbccddeeff', 'r://a.f', 2, 1, 2, 'a', \
                zeroblob(32)); PRAGMA user_version = 3;";
    connection.execute_batch(rows).unwrap();
    connection.pragma_update(None, "application_id", migrate::APPLICATION_ID).unwrap();
    drop(connection);
    rebuild(&fixture);
    let acts = Journal::open(&fixture.path).unwrap().acts().unwrap();
    let [vote, word] = &acts[..] else { panic!("{acts:?}") };
    assert_eq!((vote.session.as_str(), vote.at, vote.votes[0].vote), ("s", 10, crate::feedback::Vote::NotUseful));
    assert_eq!((vote.votes[0].subject.package.as_str(), vote.cluster.words().len()), ("a", 1));
    assert_eq!((word.terms[0].keyword.as_str(), word.terms[0].observations), ("login", 2));
}

fn rebuild(fixture: &Fixture) {
    let mut writer = Writer::rebuild(&fixture.path).unwrap();
    fill(&mut writer);
    writer.commit().unwrap();
    assert_eq!(Reader::open(&fixture.path).unwrap().stats().unwrap().symbol_count(), 4);
    assert_all_well(&fixture.path);
}

fn teach(fixture: &Fixture) {
    let connection = Connection::open(&fixture.path).unwrap();
    let sql = "INSERT INTO vocabulary VALUES (1, 1, 'login', x'00', 'r://a.f', 2, 'a', x'00')";
    connection.execute_batch(sql).unwrap();
}

fn taught(fixture: &Fixture) -> i64 {
    let connection = Connection::open(&fixture.path).unwrap();
    connection.query_row("SELECT count(*) FROM vocabulary", [], |row| row.get(0)).unwrap()
}

#[test]
fn every_statement_prepares_on_a_fresh_database() {
    let fixture = filled();
    let connection = Connection::open(&fixture.path).unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let sources: String = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    for entry in std::fs::read_dir(folder.join("sql")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        for statement in text.split_inclusive(";\n") {
            connection.prepare(statement).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert!(sources.contains(&format!("sql!(\"{name}\")")), "{name} is not used");
    }
}

#[test]
fn dropped_indexes_are_all_made_again() {
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
