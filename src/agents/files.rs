//! Files that users own: read whole, written atomically, never through a link out of the repository.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::atomic_file;

/// Limit of a configuration file in bytes.
const MAX_FILE_LEN: u64 = 16 << 20;

/// A file can't be read or changed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    pub path: PathBuf,
    pub problem: String,
}

impl FileError {
    pub(super) fn new(path: &Path, problem: impl ToString) -> FileError {
        FileError { path: path.to_owned(), problem: problem.to_string() }
    }
}

/// Reads a file; `None` if it does not exist.
///
/// # Errors
/// When it is not a regular file, too large, not UTF-8, or can't be read.
pub fn read(path: &Path) -> Result<Option<String>, FileError> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        // A broken link is not replaced by a file.
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => return Ok(None),
        Err(error) => return Err(FileError::new(path, error)),
    };
    if !metadata.is_file() {
        return Err(FileError::new(path, "not a regular file"));
    }
    if metadata.len() > MAX_FILE_LEN {
        return Err(FileError::new(path, "larger than 16 MiB"));
    }
    fs::read_to_string(path).map(Some).map_err(|error| FileError::new(path, error))
}

/// Returns the path of the file that `path` refers to after links are followed.
///
/// # Errors
/// When it is outside `root`.
pub fn resolved(path: &Path, root: Option<&Path>) -> Result<PathBuf, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    // The deepest existing folder decides; what does not exist has no links.
    let mut existing = path;
    let mut missing = Vec::new();
    while !existing.exists() && !existing.is_symlink() {
        let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else { break };
        missing.push(name);
        existing = parent;
    }
    let mut real = existing.canonicalize().map_err(failed)?;
    real.extend(missing.into_iter().rev());
    if let Some(root) = root
        && !real.starts_with(root.canonicalize().map_err(failed)?)
    {
        return Err(FileError::new(path, "a link leads out of the repository"));
    }
    Ok(real)
}

/// Writes a file atomically with the permissions that it has, and creates its folders.
///
/// # Errors
/// When it can't be written. The file is unchanged.
pub fn write(path: &Path, text: &str) -> Result<(), FileError> {
    write_with_mode(path, text, 0o644)
}

/// Writes a file atomically, for the current user only.
///
/// # Errors
/// Those of [`write()`].
pub fn write_private(path: &Path, text: &str) -> Result<(), FileError> {
    write_with_mode(path, text, atomic_file::PRIVATE)
}

fn write_with_mode(path: &Path, text: &str, mode: u32) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let unfinished = unfinished(path);
    discard(&unfinished)?;
    let mut builder = tempfile::Builder::new();
    let permissions = fs::metadata(path).ok().map(|metadata| metadata.permissions());
    #[cfg(unix)]
    let permissions = permissions.or_else(|| Some(std::os::unix::fs::PermissionsExt::from_mode(mode)));
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let name = unfinished.file_name().unwrap_or_default();
    let mut file = builder.prefix(name).rand_bytes(0).tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    atomic_file::finish(file, path).map_err(failed)
}

/// Returns the file in which a new text of `path` is written before it replaces the old one. Only a run that was killed
/// leaves it behind, and the name tells the next run where it is.
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = OsString::from(".knowing-");
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    path.with_file_name(name)
}

/// Removes a file that may be missing.
///
/// # Errors
/// When it can't be removed.
pub fn discard(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(FileError::new(path, error)),
        _ => Ok(()),
    }
}

/// Removes a file, then those of `folders` that are empty.
///
/// # Errors
/// When the file can't be removed.
pub fn remove(path: &Path, folders: &[PathBuf]) -> Result<(), FileError> {
    discard(path)?;
    remove_empty(folders);
    Ok(())
}

/// Removes folders, the deepest first, up to the first one that has other files.
pub fn remove_empty(folders: &[PathBuf]) {
    for folder in folders {
        match fs::remove_dir(folder) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(_) => break,
        }
    }
}

/// Returns the folders of a file that do not exist yet, the deepest first.
pub fn missing_folders(path: &Path) -> Vec<PathBuf> {
    path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned).collect()
}
