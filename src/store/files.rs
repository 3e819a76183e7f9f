//! Files: what is indexed, what was left out, and what each file says.

use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::blob::decode;
use super::error::StoreError;
use super::read::{Reader, bad_column};
use super::rows::{FileRow, SkipRow};
use super::symbols::MOST_NODES;

/// A stored value, still packed: callers unpack many of them in parallel.
#[derive(Debug, Clone)]
pub struct Blob {
    /// The file that it belongs to.
    pub file: u32,
    bytes: Vec<u8>,
    database: Arc<Path>,
}

impl Blob {
    /// A packed value of a file of the store at `database`.
    pub fn new(file: u32, bytes: Vec<u8>, database: &Path) -> Blob {
        Blob { file, bytes, database: database.into() }
    }

    /// The error for a value that can be unpacked but makes no sense.
    pub fn refused(&self, detail: &str) -> StoreError {
        StoreError::Facts { path: self.database.to_path_buf(), detail: detail.to_owned() }
    }

    /// The value.
    ///
    /// # Errors
    /// When the bytes are not what was once stored.
    pub fn unpack<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        decode(&self.bytes).map_err(|detail| StoreError::Facts { path: self.database.to_path_buf(), detail })
    }
}

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

    /// Id and path of every indexed file, by id. Every file has a symbol, so its id is no greater than a node can be.
    pub fn file_paths(&self) -> Result<Vec<(u32, String)>, StoreError> {
        self.rows(sql!("file_paths"), [], |row| match row.get(0)? {
            file @ 0..MOST_NODES => Ok((file, row.get(1)?)),
            _ => Err(bad_column(0, "the number of a file is out of range")),
        })
    }

    /// BLAKE3 of the content that a file had when it was indexed.
    pub fn content_hash(&self, path: &str) -> Result<Option<[u8; 32]>, StoreError> {
        self.maybe(sql!("content_hash"), [path], |row| row.get(0))
    }

    /// An id that no file has.
    pub fn next_file_id(&self) -> Result<u32, StoreError> {
        self.one(sql!("next_file_id"), [], |row| row.get(0))
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

    /// The outline of every file, by file id.
    pub fn outline_blobs(&self) -> Result<Vec<Blob>, StoreError> {
        self.blobs(sql!("outline_blobs"))
    }

    /// What every file's resolution depended on, by file id.
    pub fn resolution_blobs(&self) -> Result<Vec<Blob>, StoreError> {
        self.blobs(sql!("resolution_blobs"))
    }

    /// The node numbers of every file's definitions, by file id.
    pub fn placement_blobs(&self) -> Result<Vec<Blob>, StoreError> {
        self.blobs(sql!("placement_blobs"))
    }

    /// The outline of one file.
    pub fn outline_blob(&self, file: u32) -> Result<Option<Blob>, StoreError> {
        self.blob(sql!("outline_blob"), file)
    }

    /// The node numbers of one file's definitions.
    pub fn placement_blob(&self, file: u32) -> Result<Option<Blob>, StoreError> {
        self.blob(sql!("placement_blob"), file)
    }

    /// What one file's resolution depended on.
    pub fn resolution_blob(&self, file: u32) -> Result<Option<Blob>, StoreError> {
        self.blob(sql!("resolution_blob"), file)
    }

    /// The code of one file.
    pub fn code_blob(&self, file: u32) -> Result<Option<Blob>, StoreError> {
        self.blob(sql!("code_blob"), file)
    }

    /// The texts of one file.
    pub fn texts_blob(&self, file: u32) -> Result<Option<Blob>, StoreError> {
        self.blob(sql!("texts_blob"), file)
    }

    fn blobs(&self, sql: &'static str) -> Result<Vec<Blob>, StoreError> {
        let database: Arc<Path> = self.path().into();
        self.rows(sql, [], |row| Ok(Blob { file: row.get(0)?, bytes: row.get(1)?, database: database.clone() }))
    }

    fn blob(&self, sql: &'static str, file: u32) -> Result<Option<Blob>, StoreError> {
        self.maybe(sql, [file], |row| Ok(Blob { file, bytes: row.get(0)?, database: self.path().into() }))
    }
}
