//! The sentence about the index that an index began from, in a file beside the database.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Result};
use std::path::Path;
use std::time::SystemTime;

use super::sibling_path;
use crate::scan::read::open_regular;

/// Suffix of the file.
pub const SUFFIX: &str = "origin";
/// Limit of the file's size in bytes. A longer one is not from this program.
const MAX_BYTES: u64 = 1_000;

/// Reads the sentence and when it was written. `None` if there is none, or the file is not readable as one.
pub fn read_origin(database: &Path) -> Option<(String, SystemTime)> {
    let path = sibling_path(database, SUFFIX);
    // A link or pipe in the folder may be of the repository's author.
    let file = open_regular(&path, OpenOptions::new().read(true)).ok()?;
    let written = file.metadata().ok()?.modified().ok()?;
    let mut sentence = String::new();
    file.take(MAX_BYTES).read_to_string(&mut sentence).ok()?;
    Some((sentence, written))
}

/// Writes the sentence, or removes the file.
///
/// # Errors
/// When the file can't be written or removed.
pub fn write_origin(database: &Path, sentence: Option<&str>) -> Result<()> {
    let path = sibling_path(database, SUFFIX);
    match sentence {
        Some(sentence) => fs::write(path, sentence),
        None => match fs::remove_file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_read_again_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        assert_eq!(read_origin(&database), None);
        write_origin(&database, Some("started from the cached index")).unwrap();
        assert_eq!(read_origin(&database).unwrap().0, "started from the cached index");
        for _ in 0..2 {
            write_origin(&database, None).unwrap();
            assert_eq!(read_origin(&database), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        fs::write(folder.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), sibling_path(&database, SUFFIX)).unwrap();
        assert_eq!(read_origin(&database), None);
    }
}
