//! Source text of indexed files, read from the working tree.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Component, Path};

use crate::model::Symbol;
use crate::scan::read::{MAX_FILE_BYTES, read_small};

/// True for files of a language that is indexed, by their names.
pub fn is_source(path: &str) -> bool {
    crate::lang::language_of(path).is_some()
}

/// Why a file's text can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{file} is gone: it was deleted or moved")]
    Gone { file: String },
    #[error("{file} lies outside the repository")]
    Outside { file: String },
    #[error("{file} can't be read: {reason}")]
    Unreadable { file: String, reason: String },
}

/// A file as it is now and as the index knows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceFile {
    pub bytes: Vec<u8>,
    /// The indexed definitions in the order of the source; none without an index.
    pub definitions: Vec<Symbol>,
    /// True when the file is not what was indexed: definitions may stand at other lines now.
    pub changed: bool,
}

/// The bytes of a file inside the repository. Neither `..` nor a symlink leads out of it.
///
/// # Errors
/// When the file is gone, too large, or lies outside.
pub fn read(root: &Path, file: &str) -> Result<Vec<u8>, SourceError> {
    let outside = || SourceError::Outside { file: file.to_owned() };
    let unreadable =
        |reason: &dyn Display| SourceError::Unreadable { file: file.to_owned(), reason: reason.to_string() };
    if !Path::new(file).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(outside());
    }
    let path = root.join(file).canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound => SourceError::Gone { file: file.to_owned() },
        _ => unreadable(&error),
    })?;
    if !path.starts_with(root) {
        return Err(outside());
    }
    read_small(&path, MAX_FILE_BYTES).map_err(|reason| unreadable(&reason.name()))
}
