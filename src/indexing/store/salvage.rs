//! Copies feedback out of a database that can't be used any more.
//!
//! A table was copied as a whole only if the copied rows give the digest that the database has of it. In every other case
//! a message says how many rows were lost, or that it is unknown.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::digest::{self, Tally};
use super::open;
use super::read::Reader;
use crate::text::display;

/// A user table, with the statements that read rows from the old database and insert them into the new one.
struct Table {
    name: &'static str,
    /// Name of the rows for the user, in the plural.
    rows: &'static str,
    select: &'static str,
    /// Names of the columns in the order of the parameters of `insert`.
    columns: &'static [&'static str],
    insert: &'static str,
    /// Deletes the rows that do not match their checksum, for tables that have checksums.
    delete_damaged: Option<&'static str>,
    /// Whether the rows are numbered.
    has_number: bool,
}

/// Maximum number of ids that are looked up one by one.
const MAX_LOOKUPS: i64 = 100_000;

const TABLES: &[Table] = &[
    Table {
        name: "sessions",
        rows: "sessions",
        select: sql!("salvage_sessions"),
        columns: &["id", "started_at", "last_at", "last_answer"],
        insert: sql!("restore_sessions"),
        delete_damaged: None,
        has_number: false,
    },
    Table {
        name: "events",
        rows: "feedback events",
        select: sql!("salvage_events"),
        columns: &[
            "id", "batch", "at", "session", "kind", "task", "cluster", "keywords", "undone", "revision", "checksum",
        ],
        insert: sql!("restore_events"),
        delete_damaged: Some(sql!("delete_damaged_events")),
        has_number: true,
    },
    Table {
        name: "feedback",
        rows: "votes",
        select: sql!("salvage_feedback"),
        columns: &["id", "event", "symbol", "qualified_name", "vote", "package", "package_root", "checksum"],
        insert: sql!("restore_feedback"),
        delete_damaged: Some(sql!("delete_damaged_feedback")),
        has_number: true,
    },
    Table {
        name: "learned_terms",
        rows: "learned terms",
        select: sql!("salvage_learned_terms"),
        columns: &[
            "id",
            "event",
            "term",
            "symbol",
            "qualified_name",
            "observations",
            "package",
            "package_root",
            "checksum",
        ],
        insert: sql!("restore_learned_terms"),
        delete_damaged: Some(sql!("delete_damaged_learned_terms")),
        has_number: true,
    },
];

/// Returns whether a file that names another program as its owner is a database of this one.
pub(super) fn is_ours(file: &Path) -> bool {
    open::to_salvage(file).is_ok_and(|old| old.query_row(sql!("digest"), ["events"], |_| Ok(())).is_ok())
}

/// The result of copying a table.
struct Copied {
    /// Whether the copied rows give the digest of the table, or, for a table without one, no error was found.
    is_whole: bool,
    /// The number of rows that the table had, if that is known.
    expected: Option<i64>,
    kept: i64,
    /// The first error of reading.
    problem: Option<String>,
}

/// Copies every readable and undamaged row of the user tables from the database at `old`. Returns one message per table
/// that was not copied completely; empty on success.
pub(super) fn copy_user_tables(old: &Path, new: &Reader) -> Vec<String> {
    let unreadable = |problem: String| vec![format!("no feedback could be read: {problem}")];
    let old = match open::to_salvage(old) {
        Ok(connection) => connection,
        Err(error) => return unreadable(error.detail()),
    };
    let path = new.path();
    let new = &new.connection;
    let mut problems = Vec::new();
    for table in TABLES {
        match copy(table, &old, (new, path)) {
            Ok(copied) => problems.extend(copied.message(table.rows)),
            Err(error) => problems.push(format!("no {} could be read: {}", table.rows, safe(&error))),
        }
    }
    if let Err(error) = new.execute_batch(sql!("seal_journal")) {
        return unreadable(safe(&error));
    }
    problems
}

impl Copied {
    fn message(self, rows: &str) -> Option<String> {
        let Copied { is_whole, expected, kept, problem } = self;
        match expected {
            _ if is_whole => None,
            Some(expected) if expected > kept => {
                Some(format!("{} of {expected} {rows} could not be read", expected - kept))
            }
            _ => {
                let problem = problem.unwrap_or_else(|| "their checksum can't be read or does not match".to_owned());
                Some(format!("{kept} {rows} were kept; how many were lost is unknown: {problem}"))
            }
        }
    }
}

/// Returns the text of an error, which can have text of the file.
fn safe(error: &rusqlite::Error) -> String {
    display::safe(&error.to_string()).chars().take(200).collect()
}

/// Copies rows one by one from the first and from the last one, so that rows before and after a damaged page are kept,
/// and then those in between by their ids. Columns that the old table does not have are bound as NULL.
fn copy(table: &Table, old: &Connection, (new, path): (&Connection, &Path)) -> rusqlite::Result<Copied> {
    let count = |sql: &str| new.query_row(sql, [], |row| row.get::<_, i64>(0));
    let count_rows = format!("SELECT count(*) FROM {}", table.name);
    let mut rejected = 0;
    let mut copy_rows = |order: &str| copy_rows(table, old, new, &format!("{} {order}", table.select), &mut rejected);
    let mut problem = copy_rows("").err();
    if problem.is_some() && table.has_number {
        // Copies the rows after the damage, from the last one backwards. It ends with the same error.
        let _same = copy_rows("ORDER BY id DESC");
        let (first, last): (i64, i64) = new.query_row(
            &format!("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM {}", table.name),
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        for id in first..=last.min(first.saturating_add(MAX_LOOKUPS)) {
            if count(&format!("{count_rows} WHERE id = {id}"))? == 0 {
                let _unreadable = copy_rows(&format!("WHERE id = {id}"));
            }
        }
    }
    if rejected > 0 && problem.is_none() {
        problem = Some(rusqlite::Error::IntegralValueOutOfRange(0, rejected));
    }
    let before = count(&count_rows)?;
    if let Some(delete) = table.delete_damaged {
        new.execute(delete, [])?;
    }
    let kept = count(&count_rows)?;
    let stored = digest::stored(old, path, table.name).ok().flatten();
    let is_whole = match (digest::JOURNAL.iter().find(|covered| covered.name == table.name), stored) {
        (Some(covered), Some(stored)) => digest::compute(new, path, covered).is_ok_and(|copied| copied == stored),
        (Some(_), None) => false,
        (None, _) => problem.is_none(),
    };
    let is_damaged = kept < before || rejected > 0;
    let stored = stored.map(|Tally { rows, .. }| rows).filter(|rows| *rows >= kept);
    let expected = stored.or(is_damaged.then_some(before + rejected));
    Ok(Copied { is_whole, expected, kept, problem: problem.map(|error| safe(&error)) })
}

/// Copies the rows of a query. Counts the rows that the new table rejects for their values.
fn copy_rows(
    table: &Table,
    old: &Connection,
    new: &Connection,
    select: &str,
    rejected: &mut i64,
) -> rusqlite::Result<()> {
    let mut select = old.prepare(select)?;
    let mut indexes: Vec<Option<usize>> = table.columns.iter().map(|name| select.column_index(name).ok()).collect();
    if indexes.contains(&None) {
        // A table of another version: its checksums cover other columns.
        indexes.pop();
        indexes.push(None);
    }
    // A row without a checksum is not a row of a table that has them: nothing shows that it is whole.
    let has_checksums = table.delete_damaged.is_some() && matches!(indexes.last(), Some(Some(_)));
    let mut insert = new.prepare(table.insert)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let value = |index: &Option<usize>| index.map_or(Ok(Value::Null), |index| row.get(index));
        // A text that is not UTF-8 is damaged.
        let values = indexes.iter().map(value).collect::<rusqlite::Result<Vec<Value>>>();
        match values {
            Ok(values) if !has_checksums || values.last() != Some(&Value::Null) => {
                *rejected += i64::from(insert.execute(params_from_iter(values)).is_err());
            }
            _ => *rejected += 1,
        }
    }
    Ok(())
}
