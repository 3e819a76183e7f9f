//! Foreign, damaged and older databases: they are refused, upgraded or rebuilt, and their feedback is kept.

use super::*;
use crate::feedback::{Cluster, EventKind, FeedbackEvent, Subject, SymbolVote, TermObservation, Vote};

#[test]
fn foreign_files_are_refused_then_replaced() {
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
    assert!(lock::sibling_path(&fixture.path, "replaced").exists(), "the other program's file is kept");
}

#[test]
fn a_backup_never_overwrites_an_earlier_one() {
    let fixture = fixture();
    let read = |suffix: &str| std::fs::read_to_string(lock::sibling_path(&fixture.path, suffix)).unwrap();
    std::fs::write(lock::sibling_path(&fixture.path, "replaced"), "first").unwrap();
    std::fs::write(&fixture.path, "second").unwrap();
    drop(Writer::rebuild(&fixture.path).unwrap());
    assert_eq!(std::fs::read_to_string(&fixture.path).unwrap(), "second", "an unfinished run must not move files");
    rebuild(&fixture);
    assert_eq!((read("replaced").as_str(), read("replaced-2").as_str()), ("first", "second"));
}

#[test]
fn a_file_with_unreadable_feedback_is_backed_up() {
    let fixture = filled();
    add_learned_term(&fixture);
    let old = Connection::open(&fixture.path).unwrap();
    // Another version may have other columns, or other tables.
    let changes = "ALTER TABLE learned_terms DROP COLUMN package_root; ALTER TABLE learned_terms ADD COLUMN more TEXT; \
                   DROP TABLE feedback; PRAGMA user_version = 99";
    old.execute_batch(changes).unwrap();
    drop(old);
    let writer = Writer::rebuild(&fixture.path).unwrap();
    let notes = writer.notes().join("\n");
    assert!(notes.contains("1 of 1 votes could not be read") && notes.contains("graph.db-replaced"), "{notes}");
    drop(writer);
    rebuild(&fixture);
    assert_eq!(learned_term_count(&fixture), 1, "readable rows are copied");
    let backup = Connection::open(lock::sibling_path(&fixture.path, "replaced")).unwrap();
    assert_eq!(backup.query_row("SELECT count(*) FROM learned_terms", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

/// A damaged page can show a row of which only a part is there.
#[test]
fn a_row_that_has_lost_its_checksum_is_told_as_lost() {
    let fixture = filled();
    add_learned_term(&fixture);
    add_learned_term(&fixture);
    let connection = Connection::open(&fixture.path).unwrap();
    connection.execute_batch("UPDATE events SET checksum = NULL WHERE id = 1; DROP INDEX events_by_batch").unwrap();
    drop(connection);
    let writer = Writer::rebuild(&fixture.path).unwrap();
    let notes = writer.notes().join("\n");
    assert!(notes.contains("1 of 2 feedback events could not be read") && notes.contains("-replaced"), "{notes}");
}

#[test]
fn a_newer_schema_is_refused_and_feedback_kept() {
    let fixture = filled();
    add_learned_term(&fixture);
    Connection::open(&fixture.path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Newer { found: 99, .. })));
    rebuild(&fixture);
    assert_eq!(learned_term_count(&fixture), 1);
    assert!(!lock::sibling_path(&fixture.path, "replaced").exists(), "everything was copied");
}

#[test]
fn a_negative_schema_version_is_refused_and_feedback_kept() {
    let fixture = filled();
    add_learned_term(&fixture);
    Connection::open(&fixture.path).unwrap().pragma_update(None, "user_version", i32::MIN + 6).unwrap();
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Damaged { .. })));
    assert!(matches!(Writer::open(&fixture.path), Err(StoreError::Damaged { .. })));
    rebuild(&fixture);
    assert_eq!(learned_term_count(&fixture), 1);
}

/// An upgrade is one transaction, after which the schema must be that of this version.
#[test]
fn an_older_database_with_more_than_its_tables_is_refused_and_not_changed() {
    let fixture = schema_4(&filled());
    let connection = Connection::open(&fixture.path).unwrap();
    connection.execute_batch("CREATE TRIGGER t AFTER UPDATE ON acts BEGIN DELETE FROM acts; END").unwrap();
    let schema = || -> (i64, i64) {
        let count = "SELECT count(*) FROM sqlite_schema";
        let version = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        (version, connection.query_row(count, [], |row| row.get(0)).unwrap())
    };
    let before = schema();
    let message = Writer::open(&fixture.path).unwrap_err().to_string();
    assert!(message.contains("trigger t") && message.contains("--force"), "{message}");
    assert_eq!(schema(), before);
}

#[test]
fn a_truncated_database_is_refused_and_rebuilt() {
    let fixture = filled();
    add_learned_term(&fixture);
    let length = std::fs::metadata(&fixture.path).unwrap().len();
    std::fs::File::options().write(true).open(&fixture.path).unwrap().set_len(length / 2).unwrap();
    let message = Reader::open(&fixture.path).unwrap_err().to_string();
    assert!(message.contains("damaged") && message.contains("--force"), "{message}");
    rebuild(&fixture);
}

#[test]
fn a_rebuild_in_place_keeps_feedback() {
    let fixture = filled();
    add_learned_term(&fixture);
    rebuild(&fixture);
    assert_eq!(learned_term_count(&fixture), 1);
}

#[test]
fn feedback_survives_an_upgrade_from_schema_3() {
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
    let events = Journal::open(&fixture.path).unwrap().events().unwrap();
    let [vote, import] = &events[..] else { panic!("{events:?}") };
    assert_eq!((vote.session.as_str(), vote.at, vote.votes[0].vote), ("s", 10, crate::feedback::Vote::NotUseful));
    assert_eq!((vote.votes[0].subject.package.as_str(), vote.cluster.words().len()), ("a", 1));
    assert_eq!((import.terms[0].keyword.as_str(), import.terms[0].observations), ("login", 2));
}

#[test]
fn an_upgrade_from_schema_4_keeps_every_row() {
    let fixture = schema_4(&filled());
    let rows = |path: &std::path::Path, sql: &str| -> Vec<String> {
        let connection = Connection::open(path).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let row =
            |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column)).collect();
        let rows = statement.query_map([], row).unwrap();
        rows.map(|row: rusqlite::Result<Vec<_>>| format!("{:?}", row.unwrap())).collect()
    };
    let tables = [
        ("heads", "node_meta"),
        ("placements", "file_nodes"),
        ("acts", "events"),
        ("feedback", "feedback"),
        ("vocabulary", "learned_terms"),
        ("sessions", "sessions"),
        ("edges", "edges"),
    ];
    let before = tables.map(|(old, _)| rows(&fixture.path, &format!("SELECT * FROM {old}")));
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Older { found: 4, .. })));
    drop(Writer::open(&fixture.path).unwrap());
    for ((_, table), before) in tables.iter().zip(&before) {
        let after = rows(&fixture.path, &format!("SELECT * FROM {table}"));
        // Some tables have more columns.
        let is_same = |(before, after): (&String, &String)| after.starts_with(before.trim_end_matches(']'));
        assert!(before.len() == after.len() && before.iter().zip(&after).all(is_same), "{table}: {after:?}");
    }
    assert!(before.iter().all(|rows| !rows.is_empty()), "every table has a row");
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Missing { .. })), "the index must be made again");
    let events = Journal::open(&fixture.path).unwrap().events().unwrap();
    assert_eq!((events.len(), events[0].votes.len(), events[0].terms.len()), (1, 1, 1));
    assert_eq!(Journal::open(&fixture.path).unwrap().last_session(0).unwrap().as_deref(), Some("s"));
}

#[test]
fn feedback_is_salvaged_from_schema_4() {
    let fixture = schema_4(&filled());
    let problem = StoreError::Damaged { path: fixture.path.clone(), detail: String::new() };
    let mut writer = Writer::replace(&fixture.path, &problem).unwrap();
    assert_eq!(writer.notes().len(), 1, "{:?}", writer.notes());
    fill(&mut writer);
    writer.commit().unwrap();
    let events = Journal::open(&fixture.path).unwrap().events().unwrap();
    assert_eq!((events.len(), events[0].votes.len(), events[0].terms.len()), (1, 1, 1));
    assert_eq!(Journal::open(&fixture.path).unwrap().last_session(0).unwrap().as_deref(), Some("s"));
}

/// A copy of the index in schema version 4, with feedback and a cached value.
fn schema_4(current: &Fixture) -> Fixture {
    let old = fixture();
    std::fs::copy(&current.path, &old.path).unwrap();
    let connection = Connection::open(&old.path).unwrap();
    let downgrade = "ALTER TABLE node_meta RENAME TO heads; ALTER TABLE file_nodes RENAME TO placements; \
                     ALTER TABLE cache RENAME TO graph_notes; DROP TABLE symbols; DROP TABLE fileless; \
                     DROP TABLE symbol_names; DROP TABLE node_history; \
                     CREATE TABLE nodes (id INTEGER PRIMARY KEY, \
                     identity BLOB NOT NULL CHECK (length(identity) = 16), \
                     file INTEGER REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, \
                     kind INTEGER NOT NULL, name TEXT NOT NULL, scope TEXT NOT NULL, signature TEXT NOT NULL, \
                     doc TEXT NOT NULL, start_byte INTEGER NOT NULL, byte_length INTEGER NOT NULL, \
                     start_line INTEGER NOT NULL, line_count INTEGER NOT NULL, name_line INTEGER NOT NULL, \
                     is_test INTEGER NOT NULL, ordinal INTEGER NOT NULL) STRICT; \
                     CREATE TABLE node_history (node INTEGER PRIMARY KEY \
                     REFERENCES nodes (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, \
                     last_time INTEGER NOT NULL, last_author TEXT NOT NULL, commit_count INTEGER NOT NULL) STRICT; \
                     CREATE INDEX nodes_outside ON nodes (kind) WHERE file IS NULL OR kind = 9; \
                     ALTER TABLE events RENAME TO acts; ALTER TABLE feedback RENAME COLUMN event TO act; \
                     ALTER TABLE learned_terms RENAME TO vocabulary; \
                     ALTER TABLE vocabulary RENAME COLUMN event TO act; \
                     ALTER TABLE vocabulary RENAME COLUMN term TO keyword; \
                     ALTER TABLE sessions RENAME COLUMN last_answer TO shown; DROP TABLE digests; \
                     DROP INDEX events_by_batch; DROP INDEX events_by_revision; \
                     ALTER TABLE acts DROP COLUMN checksum; ALTER TABLE feedback DROP COLUMN checksum; \
                     ALTER TABLE vocabulary DROP COLUMN checksum; DROP TABLE documents; DROP TABLE search_checks; \
                     DROP TABLE node_blocks; DROP TABLE node_sums; DROP TABLE defined_names; DROP TABLE unresolved_names; \
                     DROP TABLE section_search; PRAGMA user_version = 4;";
    connection.execute_batch(downgrade).unwrap();
    let rows = "INSERT INTO acts VALUES (1, 1, 10, 's', 'vote', 'fix login', 'c', 'login', 0, 1); \
                INSERT INTO feedback VALUES (1, 1, x'00112233445566778899aabbccddeeff', 'r://a.f', 1, 'a', \
                zeroblob(32)); \
                INSERT INTO vocabulary VALUES (1, 1, 'login', x'00112233445566778899aabbccddeeff', 'r://a.f', 2, 'a', \
                zeroblob(32)); INSERT INTO sessions VALUES ('s', 1, 2, '{}'); \
                INSERT INTO graph_notes VALUES (x'01', 'pack', x'02', 1);";
    connection.execute_batch(rows).unwrap();
    old
}

pub(super) fn rebuild(fixture: &Fixture) {
    let mut writer = Writer::rebuild(&fixture.path).unwrap();
    fill(&mut writer);
    writer.commit().unwrap();
    assert_eq!(Reader::open(&fixture.path).unwrap().stats().unwrap().symbol_count(), 4);
    assert_fsck_clean(&fixture.path);
}

fn add_learned_term(fixture: &Fixture) {
    let subject = || Subject {
        id: SymbolId([7; 16]),
        qualified_name: "r://a.f".into(),
        package: "a".into(),
        package_root: [0; 32],
    };
    let event = FeedbackEvent {
        id: 0,
        batch: 0,
        at: 1,
        session: "s".into(),
        kind: EventKind::Vote,
        task: "fix login".into(),
        cluster: Cluster::new(["login".to_owned()].into_iter()),
        undone: false,
        votes: vec![SymbolVote { subject: subject(), vote: Vote::Useful }],
        terms: vec![TermObservation { keyword: "login".into(), subject: subject(), observations: 2 }],
    };
    Journal::open_to_write(&fixture.path).unwrap().append(vec![event]).unwrap();
}

fn learned_term_count(fixture: &Fixture) -> i64 {
    let connection = Connection::open(&fixture.path).unwrap();
    connection.query_row("SELECT count(*) FROM learned_terms", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_changed_or_lost_vote_is_reported() {
    let changes = [
        ("UPDATE feedback SET vote = -1", "1 of 1 votes could not be read"),
        ("UPDATE events SET task = 'fix logoff'", "1 of 1 feedback events could not be read"),
        ("DELETE FROM feedback", "1 of 1 votes could not be read"),
        ("DELETE FROM events", "1 of 1 feedback events could not be read"),
    ];
    for (sql, message) in changes {
        let fixture = filled();
        add_learned_term(&fixture);
        Connection::open(&fixture.path).unwrap().execute_batch(sql).unwrap();
        let events = Journal::open(&fixture.path).unwrap().events();
        assert!(matches!(events, Err(StoreError::Damaged { .. })), "{sql}: {events:?}");
        let findings = fsck(&fixture.path).unwrap();
        assert!(findings.iter().any(|finding| finding.check == "feedback" && !finding.problems.is_empty()), "{sql}");
        let notes = Writer::rebuild(&fixture.path).unwrap().notes().join("\n");
        assert!(notes.contains(message), "{sql}: {notes}");
        rebuild(&fixture);
        Journal::open(&fixture.path).unwrap().events().unwrap();
    }
}

#[test]
fn undo_and_redo_keep_the_journal_valid() {
    let fixture = filled();
    add_learned_term(&fixture);
    add_learned_term(&fixture);
    let mut journal = Journal::open_to_write(&fixture.path).unwrap();
    for undone in [true, false, true] {
        journal.set_undone(1, undone).unwrap();
        assert_eq!(journal.events().unwrap()[0].undone, undone);
    }
    assert_fsck_clean(&fixture.path);
}

#[test]
fn a_database_with_a_damaged_owner_keeps_its_feedback() {
    let fixture = filled();
    add_learned_term(&fixture);
    Connection::open(&fixture.path).unwrap().pragma_update(None, "application_id", 77).unwrap();
    assert!(matches!(Reader::open(&fixture.path), Err(StoreError::Foreign { .. })));
    rebuild(&fixture);
    assert_eq!(learned_term_count(&fixture), 1);
}
