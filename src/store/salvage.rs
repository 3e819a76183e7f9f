//! Copies feedback out of a database that can't be used any more.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::read::Reader;

/// A user table, with the statements that read rows from the old database and insert them into the new one.
struct Table {
    name: &'static str,
    /// Statements for the table's current and earlier names; the first that prepares is used.
    selects: &'static [&'static str],
    /// Names of each column, the current one first, in the order of the parameters of `insert`.
    columns: &'static [&'static [&'static str]],
    insert: &'static str,
}

const TABLES: &[Table] = &[
    Table {
        name: "sessions",
        selects: &[sql!("salvage_sessions")],
        columns: &[&["id"], &["started_at"], &["last_at"], &["last_answer", "shown"]],
        insert: sql!("restore_sessions"),
    },
    Table {
        name: "events",
        selects: &[sql!("salvage_events"), sql!("before_0005/salvage_acts")],
        columns: &[
            &["id"],
            &["batch"],
            &["at"],
            &["session"],
            &["kind"],
            &["task"],
            &["cluster"],
            &["keywords"],
            &["undone"],
            &["revision"],
        ],
        insert: sql!("restore_events"),
    },
    Table {
        name: "feedback",
        selects: &[sql!("salvage_feedback")],
        columns: &[
            &["id"],
            &["event", "act"],
            &["symbol"],
            &["qualified_name"],
            &["vote"],
            &["package"],
            &["package_root"],
        ],
        insert: sql!("restore_feedback"),
    },
    Table {
        name: "learned_terms",
        selects: &[sql!("salvage_learned_terms"), sql!("before_0005/salvage_vocabulary")],
        columns: &[
            &["id"],
            &["event", "act"],
            &["term", "keyword"],
            &["symbol"],
            &["qualified_name"],
            &["observations"],
            &["package"],
            &["package_root"],
        ],
        insert: sql!("restore_learned_terms"),
    },
];

/// Copies every readable row of the user tables from the database at `old`. Returns one message per table not fully
/// copied; empty on success.
pub(super) fn copy_user_tables(old: &Path, new: &Reader) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = match Connection::open_with_flags(old, flags) {
        Ok(connection) => connection,
        Err(error) => return vec![format!("no feedback could be read: {error}")],
    };
    let mut problems = Vec::new();
    for table in TABLES {
        match copy(table, &old, &new.connection) {
            Ok(0) => {}
            Ok(rows) => problems.push(format!("{rows} rows of `{}` could not be copied", table.name)),
            Err(error) => problems.push(format!("`{}` could not be read to its end: {error}", table.name)),
        }
    }
    problems
}

/// Copies rows one by one, so that rows before a damaged page are kept. Columns that the old table does not have are
/// bound as NULL. Returns the number of rows that the new table rejected.
fn copy(table: &Table, old: &Connection, new: &Connection) -> rusqlite::Result<usize> {
    let mut prepared = table.selects.iter().map(|select| old.prepare(select));
    let mut select = match prepared.find(Result::is_ok) {
        Some(select) => select?,
        None => old.prepare(table.selects[0])?,
    };
    let index = |names: &&[&str]| names.iter().find_map(|name| select.column_index(name).ok());
    let indexes: Vec<Option<usize>> = table.columns.iter().map(index).collect();
    let mut insert = new.prepare(table.insert)?;
    let mut rows = select.query([])?;
    let mut rejected = 0;
    while let Some(row) = rows.next()? {
        let value = |index: &Option<usize>| index.map_or(Ok(Value::Null), |index| row.get(index));
        let values = indexes.iter().map(value).collect::<rusqlite::Result<Vec<Value>>>()?;
        let inserted = insert.execute(params_from_iter(values));
        rejected += usize::from(!inserted.is_ok_and(|count| count > 0));
    }
    Ok(rejected)
}
