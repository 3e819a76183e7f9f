//! Saves what the user taught from a database that can't be used any more.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::read::Reader;

/// A user table: its name, how its rows are read from the old database and how they are written to the new one.
struct Table {
    name: &'static str,
    select: &'static str,
    insert: &'static str,
}

const TABLES: &[Table] = &[
    Table { name: "sessions", select: sql!("salvage_sessions"), insert: sql!("restore_sessions") },
    Table { name: "session_stamps", select: sql!("salvage_session_stamps"), insert: sql!("restore_session_stamps") },
    Table { name: "feedback", select: sql!("salvage_feedback"), insert: sql!("restore_feedback") },
    Table { name: "vocabulary", select: sql!("salvage_vocabulary"), insert: sql!("restore_vocabulary") },
];

/// Copies every readable row of the user's tables from the database at `old`. Says which tables could not be read to
/// their end.
pub(super) fn copy_user_tables(old: &Path, new: &Reader) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = match Connection::open_with_flags(old, flags) {
        Ok(connection) => connection,
        Err(error) => return vec![format!("nothing that was taught could be read: {error}")],
    };
    let mut lost = Vec::new();
    for table in TABLES {
        if let Err(error) = copy(table, &old, &new.connection) {
            lost.push(format!("`{}` could not be read to its end: {error}", table.name));
        }
    }
    lost
}

/// Copies rows one by one, so that those before a damaged page are kept.
fn copy(table: &Table, old: &Connection, new: &Connection) -> rusqlite::Result<()> {
    let mut select = old.prepare(table.select)?;
    let width = select.column_count();
    let mut insert = new.prepare(table.insert)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let values = (0..width).map(|column| row.get(column)).collect::<rusqlite::Result<Vec<Value>>>()?;
        insert.execute(params_from_iter(values))?;
    }
    Ok(())
}
