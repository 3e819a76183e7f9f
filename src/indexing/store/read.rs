//! A read-only view of a store.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::error::{SqlContext, StoreError};
use super::open;
use super::routes::KeptRoutes;
use super::symbol_blocks::KeptBlocks;
use super::symbols::KeptFiles;

/// Key of the state's name in `meta`.
pub(super) const STATE: &str = "state";

/// A snapshot of a store: the last complete index when it was opened, unaffected by later writes. Node ids are valid
/// only within one state.
#[derive(Debug)]
pub struct Reader {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    repository: String,
    /// Whether it reads a committed state, which agrees with the digests of its tables.
    pub(super) is_snapshot: bool,
    pub(super) kept_blocks: RefCell<KeptBlocks>,
    pub(super) kept_files: RefCell<KeptFiles>,
    pub(super) kept_routes: RefCell<KeptRoutes>,
}

impl Reader {
    /// Opens the store at `path`.
    ///
    /// # Errors
    /// When there is no complete index, or the file is foreign, damaged or of another schema version.
    pub fn open(path: &Path) -> Result<Reader, StoreError> {
        let mut reader = Reader::from_connection(open::read_only(path)?, path)?;
        if reader.meta("complete")?.is_none() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        reader.begin_read()?;
        reader.is_snapshot = true;
        reader.check_tables(&["meta"])?;
        Ok(reader)
    }

    /// Wraps an open connection.
    pub(super) fn from_connection(connection: Connection, path: &Path) -> Result<Reader, StoreError> {
        let mut reader = Reader {
            connection,
            path: path.to_owned(),
            repository: String::new(),
            is_snapshot: false,
            kept_blocks: RefCell::default(),
            kept_files: RefCell::default(),
            kept_routes: RefCell::default(),
        };
        reader.repository = reader.meta("repository")?.unwrap_or_default();
        Ok(reader)
    }

    /// Returns the repository's id, such as `github.com/pallets/flask`.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    pub(super) fn set_repository(&mut self, repository: &str) {
        repository.clone_into(&mut self.repository);
    }

    /// Returns the path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a value of the index's metadata.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.query_optional(sql!("meta_value"), [key], |row| row.get(0))
    }

    /// Returns the name of the index's state, which changes with every run that affects ranking. `None` in stores
    /// written before states had names.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn state(&self) -> Result<Option<String>, StoreError> {
        self.meta(STATE)
    }

    /// Moves the snapshot to the latest commit. When no index run has happened, this shows writes beside the index,
    /// such as cached values.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn refresh(&self) -> Result<(), StoreError> {
        self.forget();
        self.connection.execute_batch(sql!("commit")).at(&self.path)?;
        self.begin_read()
    }

    /// Forgets what was kept of rows that may change.
    pub(super) fn forget(&self) {
        self.kept_blocks.borrow_mut().clear();
        self.kept_files.borrow_mut().clear();
        self.kept_routes.borrow_mut().clear();
    }

    /// Begins a read transaction on the present state.
    fn begin_read(&self) -> Result<(), StoreError> {
        self.connection.execute_batch(sql!("begin_read")).at(&self.path)?;
        // SQLite takes the snapshot at the first read.
        self.meta("complete").map(|_| ())
    }

    /// Returns every row of a query.
    pub(super) fn query_all<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        query_all(&self.connection, &self.path, sql, params, read)
    }

    /// Returns the first row of a query, if any.
    pub(super) fn query_optional<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        query_optional(&self.connection, &self.path, sql, params, read)
    }

    /// Returns the only row of a query.
    pub(super) fn query_one<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).at(&self.path)?;
        statement.query_row(params, read).at(&self.path)
    }
}

/// Returns every row of a query of the store at `path`.
pub(super) fn query_all<T>(
    connection: &Connection,
    path: &Path,
    sql: &'static str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).at(path)?;
    let rows = statement.query_map(params, read).at(path)?;
    rows.collect::<rusqlite::Result<Vec<T>>>().at(path)
}

/// Returns the first row of a query of the store at `path`, if any.
pub(super) fn query_optional<T>(
    connection: &Connection,
    path: &Path,
    sql: &'static str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).at(path)?;
    statement.query_row(params, read).optional().at(path)
}

/// Returns the error for a column value that this program never writes.
pub(super) fn bad_column(column: usize, detail: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Integer, detail.into())
}
