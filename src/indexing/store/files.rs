//! Files: indexed, skipped, and the stored facts of each.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Row;
use serde::de::DeserializeOwned;

use super::blob::{decode, encode};
use super::checksum::{RowHasher, unseal};
use super::digest::Tally;
use super::error::StoreError;
use super::read::{Reader, bad_column};
use super::rows::{FileRow, SkipRow};
use super::symbols::MAX_NODES;
use crate::facts::{Bounds, Code, Outline};
use crate::lang::packages::definition_unit;
use crate::model::{FileId, NodeId, Symbol};

/// A stored value, still encoded so that callers can decode many in parallel.
#[derive(Debug, Clone)]
pub struct Blob {
    /// The file whose value this is.
    pub file: FileId,
    bytes: Vec<u8>,
    database: Arc<Path>,
}

impl Blob {
    /// Wraps the encoded value of a file of the store at `database`.
    pub fn new(file: FileId, bytes: Vec<u8>, database: &Path) -> Blob {
        Blob { file, bytes, database: database.into() }
    }

    /// Returns the encoded value.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the error for a value that decodes but is invalid.
    pub fn invalid(&self, detail: &str) -> StoreError {
        StoreError::Facts { path: self.database.to_path_buf(), detail: detail.to_owned() }
    }

    /// Verifies the checksum of a stored value.
    fn from_row(table: &str, file: FileId, sealed: Vec<u8>, database: &Arc<Path>) -> Result<Blob, StoreError> {
        let blob = Blob { file, bytes: Vec::new(), database: database.clone() };
        match unseal(table, file.get().into(), sealed) {
            Some(bytes) => Ok(Blob { bytes, ..blob }),
            None => Err(blob.invalid(&format!("a checksum in table {table} does not match"))),
        }
    }

    /// Decodes the outline of a file, and checks that its indexes are in range.
    ///
    /// # Errors
    /// When the bytes can't be decoded, or are no outline that extraction makes.
    pub fn outline(&self) -> Result<(Outline, Bounds), StoreError> {
        let outline: Outline = self.unpack()?;
        let bounds = outline.bounds().map_err(|error| self.invalid(&error.to_string()))?;
        Ok((outline, bounds))
    }

    /// Decodes the code of the file whose outline has these bounds, and checks that its indexes are in range.
    ///
    /// # Errors
    /// When the bytes can't be decoded, or do not belong to the outline.
    pub fn code(&self, bounds: &Bounds) -> Result<Code, StoreError> {
        let code: Code = self.unpack()?;
        code.check(bounds).map_err(|error| self.invalid(&error.to_string()))?;
        Ok(code)
    }

    /// Decodes the value.
    ///
    /// # Errors
    /// When the bytes can't be decoded.
    pub fn unpack<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        decode(&self.bytes).map_err(|error| self.invalid(&error.to_string()))
    }
}

/// Encodes the node ids of a file's symbols, its own and then those of its definitions, as differences. Most are 1 and compress
/// well.
pub fn pack_node_ids(nodes: &[NodeId]) -> Vec<u8> {
    let mut last = 0_i64;
    let differences: Vec<i64> = nodes
        .iter()
        .map(|&node| {
            let difference = i64::from(node.get()) - last;
            last = i64::from(node.get());
            difference
        })
        .collect();
    encode(&differences)
}

/// Decodes node ids that [`pack_node_ids`] encoded. Rejects ids that no index reaches, since arrays are sized by the largest id.
///
/// # Errors
/// When they can't be decoded.
pub fn unpack_node_ids(blob: &Blob) -> Result<Vec<NodeId>, StoreError> {
    let differences: Vec<i64> = blob.unpack()?;
    let mut last = 0_i64;
    let node_id = |difference: i64| {
        last = last.checked_add(difference)?;
        u32::try_from(last).ok().filter(|node| *node < MAX_NODES).map(NodeId::new)
    };
    let nodes: Option<Vec<NodeId>> = differences.into_iter().map(node_id).collect();
    nodes.ok_or_else(|| blob.invalid("a node id is out of range"))
}

fn file_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        id: row.get(0)?,
        path: row.get(1)?,
        language: row.get(2)?,
        size: row.get::<_, i64>(3)? as u64,
        mtime_ns: row.get(4)?,
        content_hash: row.get(5)?,
    })
}

impl Reader {
    /// Returns every indexed file, sorted by path.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        self.query_all(sql!("files"), [], file_row)
    }

    /// Returns an indexed file.
    pub fn file(&self, file: FileId) -> Result<Option<FileRow>, StoreError> {
        self.query_optional(sql!("file_row"), [file], file_row)
    }

    /// Returns id and path of every indexed file, sorted by id. Every file has a symbol, so file ids are bounded like
    /// node ids.
    pub fn file_paths(&self) -> Result<Vec<(FileId, String)>, StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new("files"));
        let paths = self.query_all(sql!("file_paths"), [], |row| {
            (0..6).try_for_each(|column| row.get_ref(column).map(|value| hasher.add(value)))?;
            tally.add(hasher.finish());
            match row.get(0)? {
                file @ 0..MAX_NODES => Ok((FileId::new(file), row.get(1)?)),
                _ => Err(bad_column(0, "a file id is out of range")),
            }
        })?;
        self.check_loaded("files", tally)?;
        Ok(paths)
    }

    /// Returns the id of the file at a path.
    pub fn file_id(&self, path: &str) -> Result<Option<FileId>, StoreError> {
        self.query_optional(sql!("file_id"), [path], |row| row.get(0))
    }

    /// Returns the path of a file.
    pub fn file_path(&self, file: FileId) -> Result<Option<String>, StoreError> {
        self.query_optional(sql!("file_path"), [file], |row| row.get(0))
    }

    /// Returns the BLAKE3 hash of a file's content when it was indexed.
    pub fn content_hash(&self, path: &str) -> Result<Option<[u8; 32]>, StoreError> {
        self.query_optional(sql!("content_hash"), [path], |row| row.get(0))
    }

    /// Returns whether any file is indexed.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn has_files(&self) -> Result<bool, StoreError> {
        self.query_one(sql!("has_files"), [], |row| row.get(0))
    }

    /// Returns an unused file id.
    pub fn next_file_id(&self) -> Result<FileId, StoreError> {
        self.query_one(sql!("next_file_id"), [], |row| row.get(0))
    }

    /// Returns every skipped file, sorted by path.
    pub fn skips(&self) -> Result<Vec<SkipRow>, StoreError> {
        self.query_all(sql!("skips"), [], |row| {
            Ok(SkipRow {
                path: row.get(0)?,
                reason: row.get(1)?,
                size: row.get::<_, i64>(2)? as u64,
                mtime_ns: row.get(3)?,
            })
        })
    }

    /// Returns the hashes of the manifests that resolution read, sorted by path.
    pub fn manifests(&self) -> Result<Vec<(String, [u8; 32])>, StoreError> {
        self.query_all(sql!("manifests"), [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns the outline of every file, sorted by file id.
    pub fn outline_blobs(&self) -> Result<Vec<Blob>, StoreError> {
        self.blobs("outlines", sql!("outline_blobs"))
    }

    /// Returns the resolution dependencies of every file, sorted by file id.
    pub fn resolution_blobs(&self) -> Result<Vec<Blob>, StoreError> {
        self.blobs("resolutions", sql!("resolution_blobs"))
    }

    /// Returns the hash of what the extension blocks and globs of each file that has any lead to.
    pub fn targets(&self) -> Result<HashMap<FileId, u64>, StoreError> {
        let rows = self.query_all(sql!("targets"), [], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.into_iter().collect())
    }

    /// Returns the node ids of every file's definitions, sorted by file id.
    pub fn file_nodes_blobs(&self) -> Result<Vec<Blob>, StoreError> {
        self.blobs("file_nodes", sql!("file_nodes_blobs"))
    }

    /// Returns the outline of a file.
    pub fn outline_blob(&self, file: FileId) -> Result<Option<Blob>, StoreError> {
        self.blob("outlines", sql!("outline_blob"), file)
    }

    /// Returns the node ids of a file's definitions.
    pub fn file_nodes_blob(&self, file: FileId) -> Result<Option<Blob>, StoreError> {
        self.blob("file_nodes", sql!("file_nodes_blob"), file)
    }

    /// Returns the resolution dependencies of a file.
    pub fn resolution_blob(&self, file: FileId) -> Result<Option<Blob>, StoreError> {
        self.blob("resolutions", sql!("resolution_blob"), file)
    }

    /// Returns the code of a file.
    pub fn code_blob(&self, file: FileId) -> Result<Option<Blob>, StoreError> {
        self.blob("codes", sql!("code_blob"), file)
    }

    /// Returns the texts of a file.
    pub fn texts_blob(&self, file: FileId) -> Result<Option<Blob>, StoreError> {
        self.blob("texts", sql!("texts_blob"), file)
    }

    /// Reports facts that can't be decoded or have indexes out of range.
    pub(super) fn check_blobs(&self) -> Result<Vec<String>, StoreError> {
        let mut problems = Vec::new();
        for (file, path) in self.file_paths()? {
            let checked = self.check_facts(file);
            problems.extend(checked.err().map(|error| format!("{path}: {}", error.detail())));
        }
        Ok(problems)
    }

    fn check_facts(&self, file: FileId) -> Result<(), StoreError> {
        if let (Some(outline), Some(code)) = (self.outline_blob(file)?, self.code_blob(file)?) {
            code.code(&outline.outline()?.1)?;
        }
        self.texts_blob(file)?;
        self.file_nodes_blob(file)?;
        self.resolution_blob(file).map(drop)
    }

    fn blobs(&self, table: &str, sql: &'static str) -> Result<Vec<Blob>, StoreError> {
        let database: Arc<Path> = self.path().into();
        let rows: Vec<(FileId, Vec<u8>)> = self.query_all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.into_iter().map(|(file, bytes)| Blob::from_row(table, file, bytes, &database)).collect()
    }

    fn blob(&self, table: &str, sql: &'static str, file: FileId) -> Result<Option<Blob>, StoreError> {
        let bytes: Option<Vec<u8>> = self.query_optional(sql, [file], |row| row.get(0))?;
        bytes.map(|bytes| Blob::from_row(table, file, bytes, &self.path().into())).transpose()
    }
}

impl Reader {
    /// Returns a hash of a package's source; `None` when it has no files. A package is a file, or the Go files of a
    /// folder.
    ///
    /// # Why
    ///
    /// The package's Merkle root covers its edges too. They change when another package adds a test, or when a new
    /// version of the program resolves more, but feedback stays valid as long as the source is unchanged.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn package_hash(&self, package: &str) -> Result<Option<[u8; 32]>, StoreError> {
        let files = self.source_files(package)?;
        let mut hasher = blake3::Hasher::new();
        for (path, _, content) in &files {
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path.as_bytes());
            hasher.update(content);
        }
        Ok((!files.is_empty()).then(|| *hasher.finalize().as_bytes()))
    }

    /// Returns the paths and languages of a package's files.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn files_of_package(&self, package: &str) -> Result<Vec<(String, String)>, StoreError> {
        Ok(self.source_files(package)?.into_iter().map(|(path, language, _)| (path, language)).collect())
    }

    /// Returns path, language and content hash of a package's files, by path.
    fn source_files(&self, package: &str) -> Result<Vec<(String, String, [u8; 32])>, StoreError> {
        // Paths in a folder sort between `folder/` and `folder0`, since `0` follows `/`.
        let (lower_bound, upper_bound) = match package {
            "" => (String::new(), char::MAX.to_string()),
            _ => (format!("{package}/"), format!("{package}0")),
        };
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, [u8; 32]>(2)?));
        let mut files = self.query_all(sql!("source_files"), [package, &lower_bound, &upper_bound], read)?;
        files.retain(|(path, language, _)| definition_unit(language, path) == package);
        Ok(files)
    }

    /// Returns the package of a symbol and the hash of its source; zeros for a symbol without a file.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn package_of_symbol(&self, symbol: &Symbol) -> Result<(String, [u8; 32]), StoreError> {
        if symbol.file.is_empty() {
            return Ok((String::new(), [0; 32]));
        }
        let language: Option<String> =
            self.query_optional(sql!("language_of_file"), [&symbol.file], |row| row.get(0))?;
        let package = definition_unit(language.as_deref().unwrap_or_default(), &symbol.file).to_owned();
        let root = self.package_hash(&package)?.unwrap_or_default();
        Ok((package, root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ids_round_trip_and_large_ones_are_rejected() {
        let blob = |nodes: &[NodeId]| Blob::new(FileId::new(1), pack_node_ids(nodes), Path::new("graph.db"));
        let nodes = [7, 3, 4, 900].map(NodeId::new);
        assert_eq!(unpack_node_ids(&blob(&nodes)).unwrap(), nodes);
        assert!(matches!(unpack_node_ids(&blob(&[NodeId::new(4_294_967_290)])), Err(StoreError::Facts { .. })));
    }
}
