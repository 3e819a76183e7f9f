//! What the resolver is given.

use crate::facts::{Code, Outline};

/// One file of the repository.
#[derive(Debug, Clone, Copy)]
pub struct FileInput<'a> {
    /// Path relative to the repository's root, with forward slashes.
    pub path: &'a str,
    /// Name of its language in the registry.
    pub language: &'a str,
    pub outline: &'a Outline,
}

/// A file that says how modules are named and found: `go.mod`, `Cargo.toml`, `package.json`, `tsconfig.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Path relative to the repository's root, with forward slashes.
    pub path: String,
    pub text: String,
}

/// Gives a file's code when something in it is evaluated. Most files of an incremental update never are, so their code
/// need not be loaded. Implementations load once and keep.
pub trait CodeSource: Sync {
    /// Code of the `file`-th [`FileInput`].
    fn code(&self, file: u32) -> &Code;
}
