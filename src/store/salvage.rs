//! Saves what the user taught from a database that can't be used any more.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::read::Reader;

/// A user table: how its rows are read from the old database, whatever columns they have there, and how the columns
/// that this program knows are written to the new one.
struct Table {
    name: &'static str,
    select: &'static str,
    /// In the order of the parameters of `insert`.
    columns: &'static [&'static str],
    insert: &'static str,
}

const TABLES: &[Table] = &[
    Table {
        name: "sessions",
        select: sql!("salvage_sessions"),
        columns: &["id", "started_at", "last_at", "shown"],
        insert: sql!("restore_sessions"),
    },
    Table {
        name: "acts",
        select: sql!("salvage_acts"),
        columns: &["id", "batch", "at", "session", "kind", "task", "cluster", "keywords", "undone", "revision"],
        insert: sql!("restore_acts"),
    },
    Table {
        name: "feedback",
        select: sql!("salvage_feedback"),
        columns: &["id", "act", "symbol", "qualified_name", "vote", "package", "package_root"],
        insert: sql!("restore_feedback"),
    },
    Table {
        name: "vocabulary",
        select: sql!("salvage_vocabulary"),
        columns: &["id", "act", "keyword", "symbol", "qualified_name", "observations", "package", "package_root"],
        insert: sql!("restore_vocabulary"),
    },
];

/// Copies every readable row of the user's tables from the database at `old`. Says what could not be copied; without a
/// word nothing is lost.
pub(super) fn copy_user_tables(old: &Path, new: &Reader) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = match Connection::open_with_flags(old, flags) {
        Ok(connection) => connection,
        Err(error) => return vec![format!("nothing that was taught could be read: {error}")],
    };
    let mut lost = Vec::new();
    for table in TABLES {
        match copy(table, &old, &new.connection) {
            Ok(0) => {}
            Ok(rows) => lost.push(format!("{rows} rows of `{}` could not be copied", table.name)),
            Err(error) => lost.push(format!("`{}` could not be read to its end: {error}", table.name)),
        }
    }
    lost
}

/// Copies rows one by one, so that those before a damaged page are kept. A column that the old table lacks gets what the
/// insertion gives it. Tells how many rows the new table refused.
fn copy(table: &Table, old: &Connection, new: &Connection) -> rusqlite::Result<usize> {
    let mut select = old.prepare(table.select)?;
    let places: Vec<Option<usize>> = table.columns.iter().map(|name| select.column_index(name).ok()).collect();
    let mut insert = new.prepare(table.insert)?;
    let mut rows = select.query([])?;
    let mut refused = 0;
    while let Some(row) = rows.next()? {
        let value = |place: &Option<usize>| place.map_or(Ok(Value::Null), |place| row.get(place));
        let values = places.iter().map(value).collect::<rusqlite::Result<Vec<Value>>>()?;
        let inserted = insert.execute(params_from_iter(values));
        refused += usize::from(!inserted.is_ok_and(|count| count > 0));
    }
    Ok(refused)
}
