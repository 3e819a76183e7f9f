//! A read-only view of a store.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::error::{SqlContext, StoreError};
use super::open;

/// Under this name the store keeps the name of the index's state.
pub(super) const STATE: &str = "state";

/// Reads a store: one state of it, which was the last complete index when this was opened, whatever others write
/// meanwhile. Node numbers mean something only within one state.
#[derive(Debug)]
pub struct Reader {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    repository: String,
}

impl Reader {
    /// Opens the store at `path`.
    ///
    /// # Errors
    /// When there is no complete index, or the file is foreign, damaged or of another schema version.
    pub fn open(path: &Path) -> Result<Reader, StoreError> {
        let reader = Reader::over(open::read_only(path)?, path)?;
        if reader.meta("complete")?.is_none() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        reader.hold()?;
        Ok(reader)
    }

    /// A view through a connection that is open already.
    pub(super) fn over(connection: Connection, path: &Path) -> Result<Reader, StoreError> {
        let mut reader = Reader { connection, path: path.to_owned(), repository: String::new() };
        reader.repository = reader.meta("repository")?.unwrap_or_default();
        Ok(reader)
    }

    /// The repository's id, such as `github.com/pallets/flask`.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    pub(super) fn set_repository(&mut self, repository: &str) {
        repository.clone_into(&mut self.repository);
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A single fact about the index, by its name.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.maybe(sql!("meta_value"), [key], |row| row.get(0))
    }

    /// Names the state of the index that this shows: another one after every run that changed what is ranked. `None` in a
    /// store that was last written before states had names.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn state(&self) -> Result<Option<String>, StoreError> {
        self.meta(STATE)
    }

    /// Goes over to the newest state that can be read: that of the index when nobody has indexed, with what was written beside
    /// it.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn refresh(&self) -> Result<(), StoreError> {
        self.connection.execute_batch(sql!("release")).at(&self.path)?;
        self.hold()
    }

    /// From now on shows the present state of the index.
    fn hold(&self) -> Result<(), StoreError> {
        self.connection.execute_batch(sql!("hold")).at(&self.path)?;
        // The state is fixed by the first read.
        self.meta("complete").map(|_| ())
    }

    /// Every row of a query.
    pub(super) fn rows<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        rows(&self.connection, &self.path, sql, params, read)
    }

    /// The first row of a query, if any.
    pub(super) fn maybe<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        maybe(&self.connection, &self.path, sql, params, read)
    }

    /// The only row of a query.
    pub(super) fn one<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).at(&self.path)?;
        statement.query_row(params, read).at(&self.path)
    }
}

/// Every row of a query of the store at `path`.
pub(super) fn rows<T>(
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

/// The first row of a query of the store at `path`, if any.
pub(super) fn maybe<T>(
    connection: &Connection,
    path: &Path,
    sql: &'static str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).at(path)?;
    statement.query_row(params, read).optional().at(path)
}

/// A value that the program never writes was found in a column.
pub(super) fn bad_column(column: usize, detail: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Integer, detail.into())
}
