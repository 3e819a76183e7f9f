//! Files that are replaced as a whole: others see the old bytes or the new ones, also after a crash or a power failure.

use std::fs::File;
use std::io::{Error, ErrorKind, Result, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Mode of a file that only the current user may read.
pub const PRIVATE: u32 = 0o600;
/// Mode of a file that others may read as far as the user's mask allows.
pub const SHARED: u32 = 0o666;

/// Replaces a file in an existing folder, or creates it.
///
/// # Errors
/// When the folder can't be written. The old file is as it was.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let mut file = begin(path, mode)?;
    file.write_all(bytes)?;
    finish(file, path)
}

/// Creates a file in an existing folder unless there is one; returns whether it did.
///
/// # Errors
/// When the folder can't be written.
pub fn create(path: &Path, bytes: &[u8], mode: u32) -> Result<bool> {
    let mut file = begin(path, mode)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
        Ok(_) => sync_folder(path).map(|()| true),
    }
}

/// Begins a new text of a file: a temporary one in its folder, with a name of its own, as another process may do the same.
///
/// # Errors
/// When the folder can't be written.
pub fn begin(path: &Path, mode: u32) -> Result<NamedTempFile> {
    let mut builder = Builder::new();
    set_mode(&mut builder, mode);
    builder.prefix(".new-").tempfile_in(folder(path))
}

/// Puts a temporary file of the same folder in the place of the file at `path`.
///
/// # Errors
/// When the folder can't be written.
pub fn finish(file: NamedTempFile, path: &Path) -> Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(path)
}

/// Returns the folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names in the folder of a file outlast a power failure, too.
///
/// # Errors
/// When the folder can't be read.
pub fn sync_folder(path: &Path) -> Result<()> {
    let folder = folder(path);
    let synced = if cfg!(unix) { File::open(folder).and_then(|open| open.sync_all()) } else { Ok(()) };
    match synced {
        // Some file systems can't sync folders.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced.map_err(|error| Error::new(error.kind(), format!("{}: {error}", folder.display()))),
    }
}

#[cfg(unix)]
fn set_mode(builder: &mut Builder<'_, '_>, mode: u32) {
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
}

#[cfg(not(unix))]
fn set_mode(_: &mut Builder<'_, '_>, _: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
        let is_alone = || fs::read_dir(folder.path()).unwrap().count() == 1;
        replace(&file, b"old", SHARED).unwrap();
        assert_eq!(mode(&file) & 0o600, 0o600);
        replace(&file, b"new", PRIVATE).unwrap();
        assert_eq!((fs::read(&file).unwrap().as_slice(), mode(&file)), (&b"new"[..], 0o600));
        assert!(!create(&file, b"other", PRIVATE).unwrap() && is_alone());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_file(&file).unwrap();
        assert!(create(&file, b"other", PRIVATE).unwrap() && is_alone());
        assert!(replace(&folder.path().join("none/a.txt"), b"", PRIVATE).is_err());
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(replace(&file, b"", PRIVATE).is_err() && is_alone(), "a temporary file is not left behind");
    }
}
