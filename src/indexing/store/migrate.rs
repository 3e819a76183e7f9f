//! Schema migrations, applied in order, each in its own transaction.

use std::path::Path;

use rusqlite::Connection;

use super::error::{SqlContext, StoreError};
use super::{checksum, digest};

/// SQLite application id of our databases ("know" in ASCII).
pub(super) const APPLICATION_ID: i64 = 0x6b6e_6f77;

pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_initial.sql"),
    include_str!("../../../migrations/0002_packed.sql"),
    include_str!("../../../migrations/0003_no_identity_index.sql"),
    include_str!("../../../migrations/0004_journal.sql"),
    include_str!("../../../migrations/0005_field_terms.sql"),
    include_str!("../../../migrations/0006_checksums.sql"),
];
const CREATE_INDEXES: &str = include_str!("../../../migrations/indexes_create.sql");
const DROP_INDEXES: &str = include_str!("../../../migrations/indexes_drop.sql");

/// The schema version that this program writes.
pub const CURRENT: i64 = MIGRATIONS.len() as i64;

/// Upgrades the schema to [`CURRENT`].
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let found = version(connection).at(path)?;
    checksum::register(connection).at(path)?;
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(found as usize) {
        let transaction = connection.transaction().at(path)?;
        transaction.execute_batch(migration).at(path)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID).at(path)?;
        transaction.pragma_update(None, "user_version", index as i64 + 1).at(path)?;
        if index as i64 + 1 == CURRENT {
            digest::write(&transaction, path, digest::JOURNAL)?;
        }
        transaction.commit().at(path)?;
    }
    Ok(())
}

/// Creates the missing indexes.
pub(super) fn create_indexes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(CREATE_INDEXES)
}

/// Drops the indexes that a bulk load creates afterwards.
pub(super) fn drop_indexes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(DROP_INDEXES)
}

/// Rejects databases of other programs and of newer versions. An empty database (version and application id 0, no
/// tables) passes.
pub(super) fn check_ownership(connection: &Connection, path: &Path) -> Result<(), StoreError> {
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
    Ok(())
}

/// Returns the schema version of the database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
