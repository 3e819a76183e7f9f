//! The imported SCIP index, a file beside the database.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns the path of the imported SCIP index of a database.
pub fn scip_beside(database: &Path) -> PathBuf {
    database.with_extension("scip")
}

/// Replaces the imported SCIP index of a database, as a whole or not at all.
///
/// # Errors
/// When the folder can't be written.
pub fn write_scip(database: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = scip_beside(database);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}
