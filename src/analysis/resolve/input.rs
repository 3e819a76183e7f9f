//! Input of the resolver.

use crate::facts::{Code, Outline};
pub use crate::model::FileIndex;

/// One file of the repository.
#[derive(Debug, Clone, Copy)]
pub struct FileInput<'a> {
    /// Path relative to the repository's root, with forward slashes.
    pub path: &'a str,
    /// Name of its language in the registry.
    pub language: &'a str,
    pub outline: &'a Outline,
}

/// A file that determines how modules are named and found: `go.mod`, `Cargo.toml`, `package.json`, `tsconfig.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Path relative to the repository's root, with forward slashes.
    pub path: String,
    pub text: String,
}

/// Loads a file's code when an expression in it is evaluated. An incremental update evaluates few files, so the others
/// need not be loaded. Implementations cache.
pub trait CodeSource: Sync {
    /// Returns the code of the `file`-th [`FileInput`].
    fn code(&self, file: FileIndex) -> &Code;
}
