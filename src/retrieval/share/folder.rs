//! A share that is a folder. Others write into it too, so only regular files are read, and an entry that is odd does not
//! disturb the rest.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use parking_lot::Mutex;
use rayon::prelude::*;

use super::error::{FULL, ShareError};
use super::remote::{Entries, Listed, Objects};
use crate::atomic_file;
use crate::scan::read::open_regular;
use crate::text::display;

/// The objects in a folder.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// The folder as messages show it.
    url: String,
    /// Number of entries that were left out because of their names, by their folder.
    unnamed: Mutex<BTreeMap<String, usize>>,
}

impl Folder {
    /// Opens a folder, which is created first if `create` says so.
    ///
    /// # Errors
    /// When it is not a folder, or can't be created.
    pub(super) fn open(path: &Path, url: String, create: bool) -> io::Result<Folder> {
        if create {
            fs::create_dir_all(path)?;
        }
        if !fs::metadata(path)?.is_dir() {
            return Err(io::Error::new(ErrorKind::NotADirectory, "it is not a folder"));
        }
        Ok(Folder { root: path.canonicalize()?, url, unnamed: Mutex::default() })
    }

    fn path(&self, key: &str) -> PathBuf {
        self.root.join(key)
    }

    fn error(&self, action: &'static str, error: &io::Error) -> ShareError {
        let (url, cause) = (self.url.clone(), display::safe(&error.to_string()).into_owned());
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ShareError::Known { action, url, cause, remedy: FULL },
            ErrorKind::PermissionDenied => ShareError::Refused { action, url, cause },
            _ => ShareError::Access { action, url, cause },
        }
    }

    fn entries(&self, folder: &str) -> io::Result<Entries> {
        let mut found = Entries::default();
        let mut unnamed = 0;
        let entries = match fs::read_dir(self.path(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().into_string().ok().filter(|name| !name.contains(char::is_control));
            let Some(name) = name else {
                unnamed += 1;
                continue;
            };
            match kind(&entry) {
                Ok(Kind::Folder) => found.folders.push(name),
                Ok(Kind::Object(metadata)) => found.objects.push(listed(name, &metadata)),
                // Another process has deleted it.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        self.unnamed.lock().insert(folder.to_owned(), unnamed);
        Ok(found)
    }

    fn write(&self, key: &str, bytes: &[u8], is_new: bool) -> io::Result<bool> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        match is_new {
            true => atomic_file::create(&path, bytes, atomic_file::SHARED),
            false => atomic_file::replace(&path, bytes, atomic_file::SHARED).map(|()| true),
        }
    }
}

impl Objects for Folder {
    fn list(&self, folder: &str) -> Result<Entries, ShareError> {
        self.entries(folder).map_err(|error| self.error("list", &error))
    }

    fn unnamed(&self) -> usize {
        self.unnamed.lock().values().sum()
    }

    fn head(&self, key: &str) -> Result<Option<Listed>, ShareError> {
        match fs::symlink_metadata(self.path(key)) {
            Ok(metadata) => Ok(Some(listed(key.to_owned(), &metadata))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error("read", &error)),
        }
    }

    fn delete(&self, key: &str) -> Result<(), ShareError> {
        match fs::remove_file(self.path(key)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.error("delete from", &error)),
            _ => Ok(()),
        }
    }

    fn read_all(&self, keys: &[String], limit: u64) -> Vec<Result<Option<Vec<u8>>, ShareError>> {
        let read = |key: &String| match read_regular(&self.path(key), 0..limit + 1) {
            Ok(bytes) if bytes.len() as u64 > limit => Ok(Some(Vec::new())),
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error("read", &error)),
        };
        keys.par_iter().map(read).collect()
    }

    fn read(&self, key: &str, range: Range<u64>) -> Result<Vec<u8>, ShareError> {
        read_regular(&self.path(key), range).map_err(|error| self.error("read", &error))
    }

    fn put_new(&self, key: &str, bytes: Vec<u8>) -> Result<bool, ShareError> {
        self.write(key, &bytes, true).map_err(|error| self.error("write", &error))
    }

    fn replace(&self, key: &str, bytes: Vec<u8>) -> Result<(), ShareError> {
        self.write(key, &bytes, false).map(drop).map_err(|error| self.error("write", &error))
    }
}

enum Kind {
    Folder,
    Object(Metadata),
}

/// Returns what an entry is. A link to a folder is one.
fn kind(entry: &DirEntry) -> io::Result<Kind> {
    let metadata = entry.metadata()?;
    let is_folder =
        metadata.is_dir() || metadata.is_symlink() && fs::metadata(entry.path()).is_ok_and(|to| to.is_dir());
    Ok(if is_folder { Kind::Folder } else { Kind::Object(metadata) })
}

/// Returns the description of an object. What is not a regular file is empty.
fn listed(name: String, metadata: &Metadata) -> Listed {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0;
    Listed {
        name,
        size: if metadata.is_file() { metadata.len() } else { 0 },
        modified: i64::try_from(time.as_millis()).unwrap_or(i64::MAX),
        tag: format!("{inode:x}-{:x}", time.as_nanos()),
    }
}

/// Reads a range of a regular file; nothing of what is none.
fn read_regular(path: &Path, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut file = match open_regular(path, OpenOptions::new().read(true)) {
        Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(Vec::new()),
        file => file?,
    };
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    file.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
