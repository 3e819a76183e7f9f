//! Compares the schema of a database with the one that the migrations make.
//!
//! A trigger, a view or another table can change what the program's statements do. So a database is used only if it has
//! the objects of this version, each with the same text, and no other.

use std::path::Path;

use rusqlite::{Connection, Row};

use super::error::{SqlContext, StoreError};
use super::migrate;
use crate::text::display;

/// Maximum length of a name that is passed on.
const MAX_NAME_LETTERS: usize = 80;

/// A table, index, view or trigger.
#[derive(Debug, PartialEq, Eq)]
struct Object<'a> {
    kind: &'a str,
    name: &'a str,
    table: &'a str,
    /// The statement that creates it; empty for SQLite's own indexes.
    sql: &'a str,
}

impl<'a> Object<'a> {
    /// Reads a row of `schema.sql`.
    fn read(row: &'a Row<'_>) -> rusqlite::Result<Object<'a>> {
        let text = |column: usize| Ok::<&str, rusqlite::Error>(row.get_ref(column)?.as_str()?);
        Ok(Object { kind: text(0)?, name: text(1)?, table: text(2)?, sql: text(3)? })
    }

    /// Reads an object of [`migrate::SCHEMA`].
    fn parse(block: &'a str) -> Object<'a> {
        let (head, sql) = block.split_once('\n').unwrap_or((block, ""));
        let mut words = head.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        Object { kind: word(), name: word(), table: word(), sql }
    }

    /// Returns whether a database without it is as good. A writer makes it.
    fn is_optional(&self) -> bool {
        self.kind == "index" && migrate::is_bulk_index(self.name)
    }
}

/// Compares the objects of a database with those of this version.
///
/// # Errors
/// When one is missing, has another text, or is not of this version.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let mut expected = migrate::SCHEMA.trim_end().split("\n\n").map(Object::parse);
    let mut statement = connection.prepare(sql!("schema")).at(path)?;
    let mut rows = statement.query([]).at(path)?;
    while let Some(row) = rows.next().at(path)? {
        let found = Object::read(row).at(path)?;
        // Both are sorted. An optional object can be missing.
        let next = expected.find(|object| *object == found || !object.is_optional());
        if next.as_ref() != Some(&found) {
            let is_missing = |next: &Object<'_>| (next.kind, next.name) < (found.kind, found.name);
            return Err(match next.filter(is_missing) {
                Some(missing) => refused(path, &missing, "is missing"),
                None => refused(path, &found, "is not of this version"),
            });
        }
    }
    match expected.find(|object| !object.is_optional()) {
        None => Ok(()),
        Some(missing) => Err(refused(path, &missing, "is missing")),
    }
}

fn refused(path: &Path, object: &Object<'_>, problem: &str) -> StoreError {
    let kind = ["table", "index", "view", "trigger"].into_iter().find(|kind| *kind == object.kind).unwrap_or("object");
    let name: String = display::safe(object.name).chars().take(MAX_NAME_LETTERS).collect();
    let detail = format!("its tables are not those of this version: {kind} {name} {problem}");
    StoreError::Damaged { path: path.to_owned(), detail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::checksum;

    /// Returns a database as the migrations make it.
    fn migrated() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        let path = Path::new("graph.db");
        checksum::register(&connection).unwrap();
        migrate::migrate(&mut connection, path).unwrap();
        migrate::create_indexes(&connection).unwrap();
        connection
    }

    fn refusal(sql: &str) -> String {
        let connection = migrated();
        connection.execute_batch(sql).unwrap();
        check(&connection, Path::new("graph.db")).unwrap_err().to_string()
    }

    /// `migrations/schema.txt` is the text that this test prints when it fails. SQLite writes parts of it.
    #[test]
    fn the_recorded_schema_is_that_of_the_migrations() {
        let connection = Connection::open_in_memory().unwrap();
        checksum::register(&connection).unwrap();
        migrate::MIGRATIONS.iter().for_each(|migration| connection.execute_batch(migration).unwrap());
        migrate::create_indexes(&connection).unwrap();
        let mut statement = connection.prepare(sql!("schema")).unwrap();
        let mut rows = statement.query([]).unwrap();
        let mut blocks = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            let Object { kind, name, table, sql } = Object::read(row).unwrap();
            let block = format!("{kind} {name} {table}\n{sql}");
            assert!(!sql.contains("\n\n") && !name.contains(' '), "{block}");
            blocks.push(block.trim_end().to_owned());
        }
        assert_eq!(format!("{}\n", blocks.join("\n\n")), migrate::SCHEMA);
    }

    #[test]
    fn a_database_with_another_schema_is_refused_by_the_name_of_the_object() {
        for (sql, name) in [
            ("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END", "trigger t"),
            ("CREATE VIEW zz AS SELECT 1", "view zz"),
            ("CREATE VIEW a AS SELECT 1", "view a"),
            ("DROP TABLE cache; CREATE VIEW cache AS SELECT 1 AS key", "cache"),
            ("CREATE TABLE aa (x)", "table aa"),
            ("CREATE TABLE zz (x)", "table zz"),
            ("CREATE VIRTUAL TABLE more USING fts5 (x)", "more"),
            ("CREATE INDEX more ON files (language)", "index more"),
            (
                "DROP INDEX commit_files_by_commit; CREATE INDEX commit_files_by_commit ON commit_files (path)",
                "index commit_files_by_commit",
            ),
            ("ALTER TABLE files ADD COLUMN x TEXT", "table files"),
            ("DROP INDEX events_by_batch", "events"),
            ("DROP TABLE texts", "texts"),
        ] {
            let message = refusal(sql);
            assert!(message.contains(name) && message.contains("knowing index --force"), "{sql}: {message}");
        }
        assert!(check(&migrated(), Path::new("graph.db")).is_ok());
    }

    #[test]
    fn indexes_that_a_writer_makes_can_be_missing() {
        let connection = migrated();
        migrate::drop_indexes(&connection).unwrap();
        assert!(check(&connection, Path::new("graph.db")).is_ok());
        connection.execute_batch("DROP TABLE texts").unwrap();
        assert!(check(&connection, Path::new("graph.db")).is_err());
    }

    #[test]
    fn a_name_of_a_foreign_object_is_safe_to_print() {
        let message = refusal("CREATE TABLE \"a\u{1b}[2Jb\" (x)");
        assert!(message.contains("table") && !message.contains('\u{1b}'), "{message}");
    }
}
