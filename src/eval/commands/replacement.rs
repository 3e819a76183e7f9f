//! A file that a command of the evaluation writes as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use knowing::cli::exit::CliError;
use knowing_indexing::atomic_file;

/// A file that replaces the one at its path when it is finished.
///
/// A device or a pipe is written at once and stays what it is: a rename over `/dev/null` would put a file in its place.
pub struct Replacement<'a> {
    sink: Sink,
    path: &'a Path,
}

enum Sink {
    Replaces(NamedTempFile),
    InPlace(File),
}

impl Replacement<'_> {
    /// Begins the file: a temporary one in the folder of `path`, unless `path` is a device or a pipe.
    ///
    /// # Errors
    /// When the folder, device or pipe can't be written.
    pub fn create(path: &Path) -> Result<Replacement<'_>, CliError> {
        let failed = |error| unwritable(path, &error);
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Replacement { sink: Sink::InPlace(file), path });
        }
        let file = atomic_file::begin(path, atomic_file::SHARED).map_err(failed)?;
        Ok(Replacement { sink: Sink::Replaces(file), path })
    }

    /// Moves the file to its path.
    ///
    /// # Errors
    /// When the path can't be written.
    pub fn finish(self) -> Result<(), CliError> {
        if let Sink::Replaces(file) = self.sink {
            atomic_file::finish(file, self.path).map_err(|error| unwritable(self.path, &error))?;
        }
        Ok(())
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Replaces(file) => file.write(bytes),
            Sink::InPlace(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Replaces(file) => file.flush(),
            Sink::InPlace(file) => file.flush(),
        }
    }
}

/// Returns the error of a file that can't be written.
pub(super) fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> CliError {
    CliError::Unusable(anyhow::anyhow!("can't write {}: {error}", path.display()))
}
