//! Files: what is indexed, what was left out, and what each file says.

use serde::de::DeserializeOwned;

use super::blob::decode;
use super::error::StoreError;
use super::read::Reader;
use super::rows::{FileRow, SkipRow};

/// A stored value of each file, still packed, by file id.
pub type FileBlobs = Vec<(u32, Vec<u8>)>;

impl Reader {
    /// Every indexed file, by path.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here.
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        self.rows(sql!("files"), [], |row| {
            Ok(FileRow {
                id: row.get(0)?,
                path: row.get(1)?,
                language: row.get(2)?,
                size: row.get::<_, i64>(3)? as u64,
                mtime_ns: row.get(4)?,
                content_hash: row.get(5)?,
            })
        })
    }

    /// Every file that was left out, by path.
    pub fn skips(&self) -> Result<Vec<SkipRow>, StoreError> {
        self.rows(sql!("skips"), [], |row| {
            Ok(SkipRow {
                path: row.get(0)?,
                reason: row.get(1)?,
                size: row.get::<_, i64>(2)? as u64,
                mtime_ns: row.get(3)?,
            })
        })
    }

    /// Hashes of the manifests that resolution read, by path.
    pub fn manifests(&self) -> Result<Vec<(String, [u8; 32])>, StoreError> {
        self.rows(sql!("manifests"), [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The packed outline of every file. They are unpacked with [`decode`], which callers do in parallel.
    pub fn outline_blobs(&self) -> Result<FileBlobs, StoreError> {
        self.rows(sql!("outline_blobs"), [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// What every file's resolution depended on, packed.
    pub fn resolution_blobs(&self) -> Result<FileBlobs, StoreError> {
        self.rows(sql!("resolution_blobs"), [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The stored outline of one file.
    pub fn outline<T: DeserializeOwned>(&self, file: u32) -> Result<Option<T>, StoreError> {
        let bytes = self.maybe(sql!("outline"), [file], |row| row.get(0))?;
        self.unpack(bytes)
    }

    /// The stored code of one file.
    pub fn code<T: DeserializeOwned>(&self, file: u32) -> Result<Option<T>, StoreError> {
        let bytes = self.maybe(sql!("code"), [file], |row| row.get(0))?;
        self.unpack(bytes)
    }

    /// The stored texts of one file.
    pub fn texts<T: DeserializeOwned>(&self, file: u32) -> Result<Option<T>, StoreError> {
        let bytes = self.maybe(sql!("texts"), [file], |row| row.get(0))?;
        self.unpack(bytes)
    }

    fn unpack<T: DeserializeOwned>(&self, bytes: Option<Vec<u8>>) -> Result<Option<T>, StoreError> {
        let Some(bytes) = bytes else { return Ok(None) };
        match decode(&bytes) {
            Ok(value) => Ok(Some(value)),
            Err(detail) => Err(StoreError::Facts { path: self.path.clone(), detail }),
        }
    }
}
