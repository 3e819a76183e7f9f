//! The objects of a share, read and written one request at a time.

use std::ops::Range;

use super::error::ShareError;
use super::target;
use crate::text::display::thousands;

/// A folder or object store that indexes are published to.
#[derive(Debug)]
pub struct Share {
    url: String,
    objects: Box<dyn Objects>,
}

/// An object in a folder of a share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) size: u64,
    /// When it was written, in milliseconds since 1970 by the store's clock.
    pub(super) modified: i64,
    /// Identifies the content; empty where the store has no tags.
    pub(super) tag: String,
}

/// The objects and the folders in a folder of a share.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) objects: Vec<Listed>,
    /// Names of the folders in it.
    pub(super) folders: Vec<String>,
}

/// The requests that are different for each kind of share.
pub(super) trait Objects: std::fmt::Debug + Send + Sync {
    /// Returns whether objects can be listed and written; a web server's can only be read by name.
    fn is_listed(&self) -> bool {
        true
    }

    /// Returns the number of files that listings left out because of their names.
    fn unnamed(&self) -> usize {
        0
    }

    /// Returns what is in a folder; nothing if there is none.
    fn list(&self, folder: &str) -> Result<Entries, ShareError>;

    /// Returns the description of an object; `None` if there is none.
    fn head(&self, key: &str) -> Result<Option<Listed>, ShareError>;

    /// Deletes an object, unless another process has deleted it.
    fn delete(&self, key: &str) -> Result<(), ShareError>;

    /// Returns the bytes of many objects, several requests at a time: `None` of one that is missing, none of one that is
    /// larger than `limit`.
    fn read_all(&self, keys: &[String], limit: u64) -> Vec<Result<Option<Vec<u8>>, ShareError>>;

    /// Returns a range of an object's bytes, fewer at its end.
    fn read(&self, key: &str, range: Range<u64>) -> Result<Vec<u8>, ShareError>;

    /// Writes a new object. Returns whether there was none of that name; an existing one is not changed.
    fn put_new(&self, key: &str, bytes: Vec<u8>) -> Result<bool, ShareError>;

    /// Writes an object, instead of a damaged one of that name. It is visible when all of it is written.
    fn replace(&self, key: &str, bytes: Vec<u8>) -> Result<(), ShareError>;
}

impl Share {
    /// Opens the share at a URL or folder, and creates the folder.
    ///
    /// # Errors
    /// When the text names no share, or the folder can't be created.
    pub fn open_or_create(url: &str) -> Result<Share, ShareError> {
        Share::new(url, true)
    }

    /// Opens the share at a URL or folder. Connects to nothing yet.
    ///
    /// # Errors
    /// When the text names no share, or the folder can't be opened.
    pub fn open(url: &str) -> Result<Share, ShareError> {
        Share::new(url, false)
    }

    fn new(url: &str, create: bool) -> Result<Share, ShareError> {
        Ok(Share { objects: target::open(url, create)?, url: target::shown(url) })
    }

    /// Returns whether objects can be listed and written; a web server's can only be read by name.
    pub(super) fn is_listed(&self) -> bool {
        self.objects.is_listed()
    }

    /// Returns the URL, safe to display.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns a sentence about the files that listings left out because of their names; `None` if there were none.
    pub fn note(&self) -> Option<String> {
        let count = self.unnamed();
        let reason = "have control characters or are not UTF-8";
        (count > 0).then(|| format!("skipped {} files of {} whose names {reason}", thousands(count), self.url))
    }

    /// Returns the number of files that listings left out because of their names.
    pub(super) fn unnamed(&self) -> usize {
        self.objects.unnamed()
    }

    /// Checks that objects can be listed and written.
    pub(super) fn require_listed(&self, action: &'static str) -> Result<(), ShareError> {
        if self.is_listed() { Ok(()) } else { Err(ShareError::Web { action, url: self.url.clone() }) }
    }

    /// Returns the objects in a folder.
    pub(super) fn list(&self, folder: &str) -> Result<Vec<Listed>, ShareError> {
        Ok(self.objects.list(folder)?.objects)
    }

    /// Returns the names of the folders in a folder, sorted.
    pub(super) fn folders(&self, folder: &str) -> Result<Vec<String>, ShareError> {
        let mut names = self.objects.list(folder)?.folders;
        names.sort();
        Ok(names)
    }

    /// Deletes an object, unless another process has deleted it.
    pub(super) fn delete(&self, key: &str) -> Result<(), ShareError> {
        self.objects.delete(key)
    }

    /// Deletes an object unless it was written again since it was listed. Returns whether it did.
    pub(super) fn delete_unchanged(&self, key: &str, listed: &Listed) -> Result<bool, ShareError> {
        // Object stores list milliseconds, but the answer about one object has seconds.
        let is_unchanged = self.modified(key)?.is_some_and(|modified| modified / 1_000 <= listed.modified / 1_000);
        if is_unchanged {
            self.delete(key)?;
        }
        Ok(is_unchanged)
    }

    /// Returns the size of an object; `None` if there is none.
    pub(super) fn size(&self, key: &str) -> Result<Option<u64>, ShareError> {
        Ok(self.objects.head(key)?.map(|object| object.size))
    }

    /// Returns when an object was written, in milliseconds since 1970 by the store's clock; `None` if there is none.
    pub(super) fn modified(&self, key: &str) -> Result<Option<i64>, ShareError> {
        Ok(self.objects.head(key)?.map(|object| object.modified))
    }

    /// Returns the bytes of an object; none if it is larger than `limit`, missing, or in a folder no regular file.
    pub(super) fn read_whole(&self, key: &str, limit: u64) -> Result<Vec<u8>, ShareError> {
        let read = self.objects.read_all(&[key.to_owned()], limit).pop().transpose()?;
        Ok(read.flatten().unwrap_or_default())
    }

    /// Returns the bytes of many objects, several requests at a time: `None` of one that is missing, none of one that is
    /// larger than `limit` or in a folder no regular file.
    pub(super) fn read_all(&self, keys: &[String], limit: u64) -> Vec<Result<Option<Vec<u8>>, ShareError>> {
        self.objects.read_all(keys, limit)
    }

    /// Returns a range of an object's bytes, fewer at its end.
    pub(super) fn read(&self, key: &str, range: Range<u64>) -> Result<Vec<u8>, ShareError> {
        self.objects.read(key, range)
    }

    /// Writes a new object. Returns whether there was none of that name; an existing one is not changed.
    pub(super) fn put_new(&self, key: &str, bytes: Vec<u8>) -> Result<bool, ShareError> {
        self.objects.put_new(key, bytes)
    }

    /// Writes an object, instead of a damaged one of that name. It is visible when all of it is written.
    pub(super) fn replace(&self, key: &str, bytes: Vec<u8>) -> Result<(), ShareError> {
        self.objects.replace(key, bytes)
    }

    /// Returns the error for an object that is not as it was published.
    pub(super) fn damaged(&self, detail: String) -> ShareError {
        ShareError::Damaged { url: self.url.clone(), detail }
    }
}
