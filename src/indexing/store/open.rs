//! Opens databases with the right flags. Rejects files that are not stores of this program.
//!
//! Every database is checked before it is believed, wherever it comes from: what kind of file it is, its size, its
//! application id, and that its schema is exactly that of this version. What is in its rows is checked where they are
//! read, and the journal also before a change of it is committed.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::error::{SqlContext, StoreError};
use super::lock::sibling_path;
use super::{limit, migrate};

/// Maximum time to wait for another connection's transaction.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens an existing store for reading.
pub(super) fn read_only(path: &Path) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing { path: path.to_owned() });
    }
    let connection = open_checked(path, OpenFlags::SQLITE_OPEN_READ_ONLY).or_else(|error| match error {
        // The shared memory file can't be created in a read-only folder or on a full disk, so the database is read
        // without it.
        StoreError::ReadOnly { .. } | StoreError::Device { .. } => open_immutable(path),
        error => Err(error),
    })?;
    connection.pragma_update(None, "query_only", true).at(path)?;
    let found = migrate::version(&connection).at(path)?;
    if found == 0 {
        return Err(StoreError::Missing { path: path.to_owned() });
    }
    if found < migrate::CURRENT {
        return Err(StoreError::Older { path: path.to_owned(), found, supported: migrate::CURRENT });
    }
    Ok(connection)
}

/// Opens a store for writing. Creates or upgrades it as needed.
pub(super) fn read_write(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = open_checked(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    use_wal(&connection, path)?;
    connection.pragma_update(None, "foreign_keys", true).at(path)?;
    migrate::migrate(&mut connection, path)?;
    migrate::create_indexes(&connection).at(path)?;
    Ok(connection)
}

fn use_wal(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    // SQLite does not write a file whose header has a later format version, and gives no other reason than that of a file
    // without permission.
    if connection.is_readonly("main").at(path)? && is_writable(path) {
        let detail = "the format version in its header is unknown".to_owned();
        return Err(StoreError::Damaged { path: path.to_owned(), detail });
    }
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).at(path)?;
    connection.pragma_update(None, "synchronous", "NORMAL").at(path)
}

/// Returns whether the user may write the file. It is not opened: closing it would release SQLite's locks of this process.
#[cfg(unix)]
fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.permissions().readonly())
}

/// Maximum time that an [`open_nowait`] connection waits for an indexer.
const NOWAIT_TIMEOUT: Duration = Duration::from_millis(50);

/// Opens an existing store of the current schema version for writing beside an indexer. Never creates or upgrades one.
pub(super) fn open_nowait(path: &Path) -> Result<Connection, StoreError> {
    let connection = open_checked(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(NOWAIT_TIMEOUT).at(path)?;
    let found = migrate::version(&connection).at(path)?;
    if found < migrate::CURRENT {
        return Err(StoreError::Older { path: path.to_owned(), found, supported: migrate::CURRENT });
    }
    use_wal(&connection, path)?;
    Ok(connection)
}

/// Opens a new file that is renamed when complete. Until then it is invisible to other processes, so it needs neither
/// WAL nor syncing.
pub(super) fn fresh(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = open_checked(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    connection.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(())).at(path)?;
    connection.pragma_update(None, "synchronous", "OFF").at(path)?;
    connection.pragma_update(None, "foreign_keys", false).at(path)?;
    // A small database stays in the page cache until it is complete, so each page is written once. Of a large one only the
    // last pages of each table change.
    connection.pragma_update(None, "cache_size", -64 * 1024).at(path)?;
    // Free pages can be given back without copying the database.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").at(path)?;
    migrate::migrate(&mut connection, path)?;
    Ok(connection)
}

/// Opens a file that may be damaged, foreign or forged, to copy what can be read.
pub(super) fn to_salvage(path: &Path) -> Result<Connection, StoreError> {
    check_file(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).at(path)?;
    harden(&connection).at(path)?;
    limit::start(&mut connection, limit::of_whole(path)).at(path)?;
    Ok(connection)
}

/// Size of the SQLite header in bytes. SQLite treats a shorter file as an empty database.
const HEADER_BYTES: u64 = 100;
/// Maximum size of a database: a hundred times that of the largest open repositories.
pub const MAX_BYTES: u64 = 16 << 30;
/// Maximum length of a statement, also of one in the schema of a file.
const MAX_STATEMENT_BYTES: i32 = 1 << 20;

fn open_checked(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    check_file(path)?;
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).at(path)?;
    prepare(connection, path)
}

fn open_immutable(path: &Path) -> Result<Connection, StoreError> {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags).at(path)?;
    prepare(connection, path)
}

/// Rejects what is not a file, which could block, and sizes that no database of this program has.
fn check_file(path: &Path) -> Result<(), StoreError> {
    let foreign = |detail: String| Err(StoreError::Foreign { path: path.to_owned(), detail });
    for (suffix, file) in ["wal", "shm", "journal"].map(|suffix| (suffix, sibling_path(path, suffix))) {
        if std::fs::metadata(&file).is_ok_and(|metadata| !metadata.is_file()) {
            return foreign(format!("the {suffix} file beside it is not a regular file"));
        }
    }
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => foreign("it is not a regular file".to_owned()),
        Ok(metadata) if (1..HEADER_BYTES).contains(&metadata.len()) => {
            foreign("it is shorter than a SQLite header".to_owned())
        }
        Ok(metadata) if metadata.len() > MAX_BYTES => foreign("it is larger than 16 GiB".to_owned()),
        _ => Ok(()),
    }
}

/// Takes from the file the means to run or hide anything: triggers, views, functions in its schema, and changes of
/// internal tables.
fn harden(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_BYTES)?;
    connection.pragma_update(None, "trusted_schema", false)
}

fn prepare(mut connection: Connection, path: &Path) -> Result<Connection, StoreError> {
    connection.busy_timeout(BUSY_TIMEOUT).at(path)?;
    harden(&connection).at(path)?;
    // Without QPSG a statement with a bound LIMIT is prepared again for each run.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).at(path)?;
    connection.set_prepared_statement_cache_capacity(128);
    limit::start(&mut connection, limit::OPEN).at(path)?;
    migrate::check(&connection, path)?;
    limit::stop(&mut connection).at(path)?;
    connection.pragma_update(None, "temp_store", "MEMORY").at(path)?;
    Ok(connection)
}
