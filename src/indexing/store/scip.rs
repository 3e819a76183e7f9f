//! The imported SCIP index, and the user's answer about the one that comes with the repository: files beside the database.

use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::atomic_file::{PRIVATE, replace};
use crate::scan::read::read_small;

/// Extension of the file with the answer. Like that of the index it is the same for the database that a rebuild writes.
const ANSWER: &str = "scip-answer";
/// Limit of its size in bytes. A longer one is not from this program.
const MAX_ANSWER_BYTES: u64 = 100;

/// The user's answer to the question whether the repository's own SCIP index is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScipAnswer {
    Use,
    Ignore,
}

impl ScipAnswer {
    fn text(self) -> &'static str {
        match self {
            ScipAnswer::Use => "use\n",
            ScipAnswer::Ignore => "ignore\n",
        }
    }
}

/// Returns the user's answer for the repository of a database; `None` without one that can be read.
pub fn scip_answer(database: &Path) -> Option<ScipAnswer> {
    let text = read_small(&database.with_extension(ANSWER), MAX_ANSWER_BYTES).ok()?;
    [ScipAnswer::Use, ScipAnswer::Ignore].into_iter().find(|answer| answer.text().as_bytes() == text)
}

/// Records the user's answer.
///
/// # Errors
/// When the folder can't be written.
pub fn write_scip_answer(database: &Path, answer: ScipAnswer) -> std::result::Result<(), StoreError> {
    let path = database.with_extension(ANSWER);
    replace(&path, answer.text().as_bytes(), PRIVATE).map_err(|error| StoreError::from_io("write", &path, error))
}

/// Returns the path of the imported SCIP index of a database.
pub fn scip_beside(database: &Path) -> PathBuf {
    database.with_extension("scip")
}

/// Replaces the imported SCIP index of a database, as a whole or not at all.
///
/// # Errors
/// When the folder can't be written.
pub fn write_scip(database: &Path, bytes: &[u8]) -> Result<()> {
    replace(&scip_beside(database), bytes, PRIVATE)
}

/// Removes the imported SCIP index of a database, if there is one.
///
/// # Errors
/// When the folder can't be written.
pub fn remove_scip(database: &Path) -> Result<()> {
    match std::fs::remove_file(scip_beside(database)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_and_anything_else_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        assert_eq!(scip_answer(&database), None);
        for answer in [ScipAnswer::Ignore, ScipAnswer::Use] {
            write_scip_answer(&database, answer).unwrap();
            assert_eq!(scip_answer(&database), Some(answer));
        }
        for text in ["", "use", "use\nuse\n", "Use\n"] {
            std::fs::write(database.with_extension(ANSWER), text).unwrap();
            assert_eq!(scip_answer(&database), None, "{text}");
        }
    }
}
