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
fn a_schema_version_that_no_release_had_is_refused_and_feedback_kept() {
    for version in [i32::MIN + 6, -1, 4, 14] {
        let fixture = filled();
        add_learned_term(&fixture);
        Connection::open(&fixture.path).unwrap().pragma_update(None, "user_version", version).unwrap();
        let refused = [Reader::open(&fixture.path).err(), Writer::open(&fixture.path).err()];
        assert!(
            refused.iter().all(|error| matches!(error, Some(StoreError::Damaged { .. }))),
            "{version}: {refused:?}"
        );
        rebuild(&fixture);
        assert_eq!(learned_term_count(&fixture), 1, "{version}");
    }
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
