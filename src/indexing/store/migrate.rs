//! Schema migrations, applied in order, in one transaction.

use std::path::Path;

use rusqlite::Connection;

use super::error::{SqlContext, StoreError};
use super::{checksum, digest, schema};

/// SQLite application id of our databases ("know" in ASCII).
pub(super) const APPLICATION_ID: i64 = 0x6b6e_6f77;

/// The version that the first migration makes. Databases of earlier ones, which no release had, are made again.
const FIRST: i64 = 17;
pub(super) const MIGRATIONS: &[&str] = &[include_str!("../../../migrations/0017_initial.sql")];
const CREATE_INDEXES: &str = include_str!("../../../migrations/indexes_create.sql");
const DROP_INDEXES: &str = include_str!("../../../migrations/indexes_drop.sql");

/// The objects that the migrations make, in blocks: kind, name and table, then the statement as SQLite stores it.
pub(super) const SCHEMA: &str = include_str!("../../../migrations/schema.txt");

/// The schema version that this program writes.
pub const CURRENT: i64 = FIRST + MIGRATIONS.len() as i64 - 1;

/// Upgrades the schema to [`CURRENT`]. The database stays as it is if its schema is not that of an earlier version.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let found = version(connection).at(path)?;
    checksum::register(connection).at(path)?;
    if found == CURRENT {
        return Ok(());
    }
    let transaction = connection.transaction().at(path)?;
    for migration in MIGRATIONS.iter().skip((found + 1).saturating_sub(FIRST).max(0) as usize) {
        transaction.execute_batch(migration).at(path)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).at(path)?;
    transaction.pragma_update(None, "user_version", CURRENT).at(path)?;
    digest::write(&transaction, path, digest::JOURNAL)?;
    schema::check(&transaction, path)?;
    transaction.commit().at(path)
}

/// Creates the missing indexes.
pub(super) fn create_indexes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(CREATE_INDEXES)
}

/// Drops the indexes that a bulk load creates afterwards.
pub(super) fn drop_indexes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(DROP_INDEXES)
}

/// Returns whether a bulk load drops and creates the index.
pub(super) fn is_bulk_index(name: &str) -> bool {
    DROP_INDEXES.split([' ', ';', '\n']).any(|word| word == name)
}

/// Rejects databases of other programs and of newer versions, and those of this version with another schema. An empty
/// database (version and application id 0, no tables) passes. A reader refuses an older one, and an upgrade checks it.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).at(path)?;
    let found = version(connection).at(path)?;
    let objects: i64 = connection.query_row(sql!("check_ownership"), [], |row| row.get(0)).at(path)?;
    if application != APPLICATION_ID && !(application == 0 && found == 0 && objects == 0) {
        let detail = format!("its SQLite application id is {application:#x}");
        return Err(StoreError::Foreign { path: path.to_owned(), detail });
    }
    if found > CURRENT {
        return Err(StoreError::Newer { path: path.to_owned(), found, supported: CURRENT });
    }
    match found {
        CURRENT => schema::check(connection, path),
        0 | FIRST.. => Ok(()),
        _ => Err(StoreError::Damaged { path: path.to_owned(), detail: format!("its schema version is {found}") }),
    }
}

/// Returns the schema version of the database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
