//! Source text of indexed files, read from the working tree.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Component, Path};

use crate::lang::highlight::tokens;
pub use crate::lang::highlight::{Token, TokenClass};
use crate::model::Symbol;
use crate::scan::Content;
use crate::scan::read::{MAX_FILE_BYTES, read_small};

/// Returns whether a file has the name of a file of an indexed language.
pub fn is_source(path: &str) -> bool {
    crate::lang::language_of(path).is_some()
}

/// Returns the tokens of a text for syntax highlighting, by the language of `file`; none if it is unknown.
pub fn highlight(file: &str, text: &str) -> Vec<Token> {
    crate::lang::language_of(file).map(|language| tokens(language, file, text)).unwrap_or_default()
}

/// An error in reading a source file.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{file} was deleted or moved")]
    Gone { file: String },
    #[error("{file} is outside the repository")]
    Outside { file: String },
    #[error("{file} can't be read: {reason}")]
    Unreadable { file: String, reason: String },
}

/// A file of the working tree with its indexed definitions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceFile {
    /// Its decoded text, which the positions of definitions refer to.
    pub text: String,
    /// Indexed definitions in source order; none without an index.
    pub definitions: Vec<Symbol>,
    /// Whether the file has changed since it was indexed, so that definitions may be at other lines.
    pub changed: bool,
}

/// Reads and decodes a file of the repository, as indexing does. Rejects `..` and symlinks to files outside it.
///
/// # Errors
/// When the file is missing, too large, not text, or outside.
pub fn read(root: &Path, file: &str) -> Result<Content, SourceError> {
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
    let content = read_small(&path, MAX_FILE_BYTES).and_then(Content::new);
    content.map_err(|reason| unreadable(&format!("it {}", reason.description())))
}
