//! Digests of tables: the number of rows and the sum of their checksums, stored in `digests`.
//!
//! # Why
//!
//! SQLite reports a malformed page, but not a row that is missing or has other values. Every whole table that a
//! ranking loads is compared with its digest, and `fsck` compares all of them.
//!
//! A writer adds the new checksums of the rows that it changed, and subtracts the old ones. A digest is computed from
//! all rows only after a complete build. So a damaged row is still detected after later updates.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::hooks::Action;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::checksum::RowHasher;
use super::error::{SqlContext, StoreError};
use super::open;
use super::read::{Reader, query_optional};

/// A table with the values that its digest covers.
pub(super) struct Table {
    pub(super) name: &'static str,
    values: &'static str,
    keyed_by: Key,
}

/// The key of a table's rows.
#[derive(Clone, Copy)]
enum Key {
    /// The number of the row.
    Row,
    /// Another key, with the table on whose changes this one depends; empty if it can change at any time.
    Other(&'static str),
}

/// Returns a table with numbered rows.
const fn table(name: &'static str, values: &'static str) -> Table {
    Table { name, values, keyed_by: Key::Row }
}

/// Returns a table without numbered rows, which is small or changes with another one.
const fn keyed(name: &'static str, values: &'static str, depends: &'static str) -> Table {
    Table { name, values, keyed_by: Key::Other(depends) }
}

/// The tables of the index. The last bytes of packed rows are their checksum.
pub(super) const INDEX: &[Table] = &[
    keyed("meta", "key, value", ""),
    table("files", "id, path, language, size, mtime_ns, content_hash"),
    keyed("skips", "path, reason, size, mtime_ns", ""),
    keyed("manifests", "path, content_hash", ""),
    table("outlines", "file, substr(data, -4)"),
    table("codes", "file, substr(data, -4)"),
    table("texts", "file, substr(data, -4)"),
    table("file_nodes", "file, substr(data, -4)"),
    table("resolutions", "file, substr(data, -4)"),
    table("targets", "file, hash"),
    table("symbols", "block, substr(data, -4)"),
    table("fileless", "node, file"),
    table("symbol_names", "id, first, substr(data, -4)"),
    table("edges", "slot, substr(data, -4)"),
    table("node_meta", "file, substr(data, -4)"),
    table("node_blocks", "block, substr(data, -4)"),
    table("node_sums", "block, substr(data, -4)"),
    table("unresolved_names", "number, substr(data, -4)"),
    table("file_names", "number, substr(data, -4)"),
    table("commits", "id, hash, time, author, subject"),
    table("history_paths", "id, path"),
    keyed("commit_files", "path, commit_id", "commits"),
    table("node_history", "node, last_time, last_author, commit_count, own_commits"),
    table("packages", "number, name, root"),
    table("snapshots", "id, root, commit_hash, parent, created_at"),
    table("search_data", "id, block"),
    keyed("search_idx", "segid, term, pgno", "search_data"),
    table("search_docsize", "id, sz, origin"),
    keyed("search_config", "k, v", ""),
    table("documents", "id, path, size, mtime_ns, content_hash, sections, substr(data, -4)"),
    table("section_search_data", "id, block"),
    keyed("section_search_idx", "segid, term, pgno", "section_search_data"),
    table("section_search_docsize", "id, sz, origin"),
    keyed("section_search_config", "k, v", ""),
];

/// The tables of the journal.
pub(super) const JOURNAL: &[Table] = &[
    table("events", "id, checksum"),
    table("feedback", "id, event, checksum"),
    table("learned_terms", "id, event, checksum"),
];

/// The tables that a ranking reads in parts. They are compared as a whole while the rest is loaded.
const READ_IN_PARTS: &[&str] = &["search_idx", "node_history"];

/// The largest table, of which a ranking reads few rows. Each of them has its checksum in `search_checks`.
pub(super) const SEARCH_DATA: &str = "search_data";

/// Number of rows and sum of their checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) rows: i64,
    sum: i64,
}

impl Tally {
    /// Adds a row.
    pub(super) fn add(&mut self, checksum: u64) {
        *self = self.plus(Tally { rows: 1, sum: checksum as i64 });
    }

    fn plus(self, other: Tally) -> Tally {
        Tally { rows: self.rows.wrapping_add(other.rows), sum: self.sum.wrapping_add(other.sum) }
    }

    fn minus(self, other: Tally) -> Tally {
        Tally { rows: self.rows.wrapping_sub(other.rows), sum: self.sum.wrapping_sub(other.sum) }
    }
}

/// Records which rows of tables change on one connection.
///
/// # Why not triggers
///
/// A statement with triggers needs a savepoint, and at each savepoint the search index writes what it has collected.
#[derive(Debug)]
pub(super) struct Tracker {
    tables: &'static [Table],
    /// Index of the table, and number of the row.
    rows: Arc<Mutex<BTreeSet<(usize, i64)>>>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Tracker {
    /// Begins to record.
    pub(super) fn start(connection: &mut Connection, tables: &'static [Table]) -> rusqlite::Result<Tracker> {
        let rows = Arc::new(Mutex::new(BTreeSet::new()));
        let changed = rows.clone();
        connection.update_hook(Some(move |_: Action, database: &str, name: &str, row: i64| {
            if let (Some(index), "main") = (tables.iter().position(|table| table.name == name), database) {
                changed.lock().insert((index, row));
            }
        }))?;
        Ok(Tracker { tables, rows })
    }

    /// Stops recording, before all rows are written again.
    pub(super) fn stop(self, connection: &mut Connection) -> rusqlite::Result<()> {
        connection.update_hook(None::<fn(Action, &str, &str, i64)>)
    }

    /// Forgets the changes of a transaction that is not committed.
    pub(super) fn reset(&self) {
        self.rows.lock().clear();
    }

    /// Adds the differences of the changed rows to the stored digests, as the last change of a transaction. `path` has
    /// the rows as they were.
    pub(super) fn write(&self, connection: &Connection, path: &Path) -> Result<(), StoreError> {
        let rows = std::mem::take(&mut *self.rows.lock());
        let before = open::read_only(path)?;
        for (index, table) in self.tables.iter().enumerate() {
            let changed = || rows.range((index, i64::MIN)..=(index, i64::MAX)).map(|(_, row)| *row);
            let difference = match table.keyed_by {
                Key::Row => {
                    let mut checks = Vec::new();
                    let old = table.tally_rows(&before, path, changed(), |_, _| ())?;
                    let new =
                        table.tally_rows(connection, path, changed(), |row, checksum| checks.push((row, checksum)))?;
                    if table.name == SEARCH_DATA {
                        checks
                            .into_iter()
                            .try_for_each(|(row, checksum)| put_check(connection, path, row, checksum))?;
                    }
                    new.minus(old)
                }
                // Such a table has no numbered rows, so that its changes are not recorded.
                Key::Other(depends) => {
                    let is_other = |(other, _): &(usize, i64)| self.tables[*other].name == depends;
                    match depends.is_empty() || rows.iter().any(is_other) {
                        true => compute(connection, path, table)?.minus(compute(&before, path, table)?),
                        false => Tally::default(),
                    }
                }
            };
            if difference != Tally::default() {
                // Without it, a digest of the changed rows alone would hide that the others are lost.
                let stored = stored(connection, path, table.name)?.ok_or_else(|| absent(path, table.name))?;
                store(connection, path, table.name, stored.plus(difference))?;
            }
        }
        // Storing a digest changes no table that has one.
        Ok(())
    }
}

impl Table {
    /// Returns the digest of some rows; those that do not exist count nothing. Calls `visit` with each row and its
    /// checksum.
    fn tally_rows(
        &self,
        connection: &Connection,
        path: &Path,
        rows: impl Iterator<Item = i64>,
        mut visit: impl FnMut(i64, Option<u64>),
    ) -> Result<Tally, StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(self.name));
        let select = format!("SELECT {} FROM {} WHERE rowid = ?1", self.values, self.name);
        let mut statement = connection.prepare(&select).at(path)?;
        let columns = statement.column_count();
        for number in rows {
            let mut found = statement.query([number]).at(path)?;
            let checksum = match found.next().at(path)? {
                Some(row) => {
                    (0..columns).try_for_each(|column| row.get_ref(column).map(|value| hasher.add(value))).at(path)?;
                    Some(hasher.finish())
                }
                None => None,
            };
            checksum.into_iter().for_each(|checksum| tally.add(checksum));
            visit(number, checksum);
        }
        Ok(tally)
    }
}

/// Computes and stores the digests of tables.
pub(super) fn write(connection: &Connection, path: &Path, tables: &[Table]) -> Result<(), StoreError> {
    for table in tables {
        let tally = match table.name {
            SEARCH_DATA => {
                connection.execute(sql!("clear_search_checks"), []).at(path)?;
                compute_rows(connection, path, table, |row, checksum| {
                    put_check(connection, path, row.get(0).at(path)?, Some(checksum))
                })?
            }
            _ => compute(connection, path, table)?,
        };
        store(connection, path, table.name, tally)?;
    }
    Ok(())
}

/// Stores the checksum of a row of the search index, or deletes that of a row that does not exist.
fn put_check(connection: &Connection, path: &Path, row: i64, checksum: Option<u64>) -> Result<(), StoreError> {
    let sql = if checksum.is_some() { sql!("put_search_check") } else { sql!("delete_search_check") };
    let mut statement = connection.prepare_cached(sql).at(path)?;
    let changed = match checksum {
        Some(checksum) => statement.execute((row, checksum as i64)),
        None => statement.execute([row]),
    };
    changed.at(path).map(drop)
}

/// Returns the checksum of a row of the search index.
pub(super) fn checksum_of_block(id: i64, block: &[u8]) -> i64 {
    let mut hasher = RowHasher::new(SEARCH_DATA);
    hasher.add_integer(id);
    hasher.add(ValueRef::Blob(block));
    hasher.finish() as i64
}

/// Computes the digest of a table from its rows.
pub(super) fn compute(connection: &Connection, path: &Path, table: &Table) -> Result<Tally, StoreError> {
    compute_rows(connection, path, table, |_, _| Ok(()))
}

/// Computes the digest of a table, and calls `visit` with each row and its checksum.
fn compute_rows(
    connection: &Connection,
    path: &Path,
    table: &Table,
    mut visit: impl FnMut(&Row<'_>, u64) -> Result<(), StoreError>,
) -> Result<Tally, StoreError> {
    let select = format!("SELECT {} FROM {}", table.values, table.name);
    let mut statement = connection.prepare(&select).at(path)?;
    let columns = statement.column_count();
    let mut rows = statement.query([]).at(path)?;
    let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(table.name));
    while let Some(row) = rows.next().at(path)? {
        for column in 0..columns {
            hasher.add(row.get_ref(column).at(path)?);
        }
        let checksum = hasher.finish();
        tally.add(checksum);
        visit(row, checksum)?;
    }
    Ok(tally)
}

/// Returns the stored digest of a table.
pub(super) fn stored(connection: &Connection, path: &Path, name: &str) -> Result<Option<Tally>, StoreError> {
    query_optional(connection, path, sql!("digest"), [name], |row| Ok(Tally { rows: row.get(0)?, sum: row.get(1)? }))
}

fn store(connection: &Connection, path: &Path, name: &str, tally: Tally) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql!("put_digest")).at(path)?;
    statement.execute((name, tally.rows, tally.sum)).at(path).map(drop)
}

fn absent(path: &Path, name: &str) -> StoreError {
    StoreError::Damaged { path: path.to_owned(), detail: format!("table {name} has no checksum") }
}

/// Compares a table with its digest.
///
/// # Errors
/// When they differ, or the database can't be read.
pub(super) fn check(connection: &Connection, path: &Path, table: &Table) -> Result<(), StoreError> {
    compare(connection, path, table.name, compute(connection, path, table)?)
}

/// Compares the tally of a loaded table with its digest.
pub(super) fn compare(connection: &Connection, path: &Path, name: &str, found: Tally) -> Result<(), StoreError> {
    let stored = stored(connection, path, name)?;
    if stored == Some(found) {
        return Ok(());
    }
    let detail = match stored {
        None => return Err(absent(path, name)),
        Some(stored) if stored.rows != found.rows => {
            format!("table {name} has {} rows instead of {}", found.rows, stored.rows)
        }
        Some(_) => format!("a row of table {name} changed"),
    };
    Err(StoreError::Damaged { path: path.to_owned(), detail })
}

impl Reader {
    /// Compares tables of the index with their digests.
    pub(super) fn check_tables(&self, names: &[&str]) -> Result<(), StoreError> {
        INDEX
            .iter()
            .filter(|table| names.contains(&table.name))
            .try_for_each(|table| check(&self.connection, &self.path, table))
    }

    /// Compares the tables with their digests that a ranking reads in parts. The rows of the largest one are compared when they
    /// are read.
    ///
    /// # Errors
    /// When a table is damaged.
    pub fn check_parts(&self) -> Result<(), StoreError> {
        self.check_tables(READ_IN_PARTS)
    }

    /// Reports every table of the index that differs from its digest.
    pub(super) fn check_digests(&self) -> Vec<String> {
        let checks = INDEX.iter().map(|table| check(&self.connection, &self.path, table));
        checks.filter_map(|checked| checked.err().map(|error| error.detail())).collect()
    }

    /// Compares a table that was loaded row by row with its digest. The digest lags behind inside a transaction.
    pub(super) fn check_loaded(&self, name: &str, found: Tally) -> Result<(), StoreError> {
        match self.is_snapshot {
            true => compare(&self.connection, &self.path, name, found),
            false => Ok(()),
        }
    }
}
