//! Copies of an index for other machines, and their adoption.
//!
//! A copy has no feedback, no cached values, no times of files and no names of authors. It is untrusted where it is
//! adopted, so it is checked as a whole before.

use std::path::Path;

use super::error::{SqlContext, StoreError};
use super::fsck::{Finding, fsck};
use super::read::Reader;
use super::write::Writer;
use super::{digest, open};
use crate::model::CommitId;

/// Key in `meta` of a copy whose authors are commits instead of names.
const PUBLISHED: &str = "published";

/// Writes a copy of the last complete index at `database` to the new file `target`.
///
/// # Errors
/// When there is no complete index, or the copy can't be written.
pub fn export_copy(database: &Path, target: &Path) -> Result<(), StoreError> {
    copy_rows(database, target)?;
    let copy = open::fresh(target)?;
    let strip = || -> Result<(), StoreError> {
        copy.execute_batch(sql!("begin")).at(target)?;
        copy.execute_batch(sql!("strip_copy")).at(target)?;
        digest::write(&copy, target, digest::INDEX)?;
        digest::write(&copy, target, digest::JOURNAL)?;
        copy.execute_batch(sql!("commit")).at(target)?;
        // Free pages have the deleted rows.
        copy.execute_batch(sql!("vacuum")).at(target)
    };
    strip()?;
    copy.close().map_err(|(_, error)| StoreError::from_sql(target, error))
}

/// Writes a copy of the last complete index at `database` to the new file `target`, for the same user: without feedback,
/// but with names of authors.
///
/// # Errors
/// When there is no complete index, or the copy can't be written.
pub fn export_local_copy(database: &Path, target: &Path) -> Result<(), StoreError> {
    copy_rows(database, target)?;
    let copy = open::fresh(target)?;
    // Overwrites what is deleted.
    copy.pragma_update(None, "secure_delete", true).at(target)?;
    copy.execute_batch(sql!("begin")).at(target)?;
    copy.execute_batch(sql!("strip_local_copy")).at(target)?;
    digest::write(&copy, target, digest::INDEX)?;
    digest::write(&copy, target, digest::JOURNAL)?;
    copy.execute_batch(sql!("commit")).at(target)?;
    copy.close().map_err(|(_, error)| StoreError::from_sql(target, error))
}

/// Copies the rows of the last complete index, feedback included, to a new file.
fn copy_rows(database: &Path, target: &Path) -> Result<(), StoreError> {
    // Checks that the index is complete.
    drop(Reader::open(database)?);
    let source = open::read_only(database)?;
    source.pragma_update(None, "query_only", false).at(database)?;
    let path = target.to_str().ok_or_else(|| {
        let cause = std::io::Error::new(std::io::ErrorKind::InvalidInput, "the path is not UTF-8");
        StoreError::from_io("write", target, cause)
    })?;
    source.execute(sql!("vacuum_into"), [path]).at(target)?;
    Ok(())
}

/// Checks a copy from another machine, of which nothing is known: its schema, SQLite's structure, all checksums and all
/// stored indexes. Returns the first problem.
pub fn check_copy(copy: &Path) -> Option<String> {
    match fsck(copy) {
        Ok(findings) => findings.into_iter().find_map(|Finding { check, problems }| {
            problems.into_iter().next().map(|problem| format!("{check}: {problem}"))
        }),
        Err(error) => Some(error.detail()),
    }
}

impl Reader {
    /// Returns whether this is a copy whose authors are not known yet.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn has_pseudonyms(&self) -> Result<bool, StoreError> {
        Ok(self.meta(PUBLISHED)?.is_some())
    }

    /// Returns the stored commits with their authors.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn commit_authors(&self) -> Result<Vec<(CommitId, String)>, StoreError> {
        self.query_all(sql!("commit_authors"), [], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

impl Writer {
    /// Replaces the pseudonyms of a copy by names. Those without a name stay.
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn set_authors(&mut self, names: &[(String, String)]) -> Result<(), StoreError> {
        self.batch(sql!("begin_names"))?;
        names.iter().try_for_each(|(pseudonym, author)| self.run(sql!("put_name"), (pseudonym, author)))?;
        self.batch(sql!("apply_names"))
    }
}
