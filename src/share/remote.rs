//! The objects of a share, read and written one request at a time.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::{Builder, Runtime};

use super::error::ShareError;
use crate::text::display;

/// Maximum length of a store's message.
const MAX_CAUSE_LETTERS: usize = 300;

/// A folder or object store that indexes are published to.
#[derive(Debug)]
pub struct Share {
    url: String,
    store: Arc<dyn ObjectStore>,
    runtime: Runtime,
}

/// An object in a folder of a share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) size: u64,
    /// When it was written, in milliseconds since 1970 by the store's clock.
    pub(super) modified: i64,
}

impl Share {
    /// Opens the share at a URL or folder, and creates the folder.
    ///
    /// # Errors
    /// When the text names no share, or the folder can't be created.
    pub fn open_or_create(url: &str) -> Result<Share, ShareError> {
        let invalid =
            |error: std::io::Error| ShareError::Url { url: display::safe(url).into_owned(), reason: error.to_string() };
        std::fs::create_dir_all(folder_of(url)?).map_err(invalid)?;
        Share::open(url)
    }

    /// Opens the share at a URL or folder. Connects to nothing yet.
    ///
    /// # Errors
    /// When the text names no share, or the folder can't be opened.
    pub fn open(url: &str) -> Result<Share, ShareError> {
        let invalid = |reason: String| ShareError::Url { url: display::safe(url).into_owned(), reason };
        let runtime = Builder::new_current_thread().build().map_err(|error| invalid(error.to_string()))?;
        let store = LocalFileSystem::new_with_prefix(folder_of(url)?).map_err(|error| invalid(cause(&error)))?;
        Ok(Share { url: display::safe(url).into_owned(), store: Arc::new(store.with_fsync(true)), runtime })
    }

    /// Returns the URL, safe to display.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the objects in a folder.
    pub(super) fn list(&self, folder: &str) -> Result<Vec<Listed>, ShareError> {
        let folder = Key::from(folder);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&folder)));
        let listed = listed.map_err(|error| self.error("list", &error))?;
        let object = |object: ObjectMeta| {
            let name = object.location.filename()?.to_owned();
            Some(Listed { name, size: object.size, modified: object.last_modified.timestamp_millis() })
        };
        Ok(listed.objects.into_iter().filter_map(object).collect())
    }

    /// Returns the names of the folders in a folder, sorted.
    pub(super) fn folders(&self, folder: &str) -> Result<Vec<String>, ShareError> {
        let folder = Key::from(folder);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&folder)));
        let listed = listed.map_err(|error| self.error("list", &error))?;
        let mut names: Vec<String> =
            listed.common_prefixes.iter().filter_map(|folder| folder.filename().map(str::to_owned)).collect();
        names.sort();
        Ok(names)
    }

    /// Deletes an object, unless another process has deleted it.
    pub(super) fn delete(&self, key: &str) -> Result<(), ShareError> {
        match self.runtime.block_on(self.store.delete(&Key::from(key))) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("delete from", &error)),
        }
    }

    /// Returns the size of an object; `None` if there is none.
    pub(super) fn size(&self, key: &str) -> Result<Option<u64>, ShareError> {
        match self.runtime.block_on(self.store.head(&Key::from(key))) {
            Ok(object) => Ok(Some(object.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error("read", &error)),
        }
    }

    /// Returns the bytes of an object; none if it is larger than `limit`.
    pub(super) fn read_whole(&self, key: &str, limit: u64) -> Result<Vec<u8>, ShareError> {
        let key = Key::from(key);
        let read = async {
            let found = self.store.get_opts(&key, GetOptions::default()).await?;
            if found.meta.size > limit { Ok(Default::default()) } else { found.bytes().await }
        };
        Ok(self.runtime.block_on(read).map_err(|error| self.error("read", &error))?.to_vec())
    }

    /// Returns a range of an object's bytes, fewer at its end.
    pub(super) fn read(&self, key: &str, range: Range<u64>) -> Result<Vec<u8>, ShareError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let read = async { self.store.get_opts(&Key::from(key), options).await?.bytes().await };
        let bytes = self.runtime.block_on(read).map_err(|error| self.error("read", &error))?;
        Ok(bytes.to_vec())
    }

    /// Writes a new object. Returns whether there was none of that name; an existing one is not changed.
    pub(super) fn put_new(&self, key: &str, bytes: Vec<u8>) -> Result<bool, ShareError> {
        self.put(key, bytes, PutMode::Create)
    }

    /// Writes an object, in place of a damaged one of that name.
    pub(super) fn replace(&self, key: &str, bytes: Vec<u8>) -> Result<(), ShareError> {
        self.put(key, bytes, PutMode::Overwrite).map(drop)
    }

    fn put(&self, key: &str, bytes: Vec<u8>, mode: PutMode) -> Result<bool, ShareError> {
        let key = Key::from(key);
        match self.runtime.block_on(self.store.put_opts(&key, PutPayload::from(bytes), mode.into())) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(self.error("write", &error)),
        }
    }

    /// Returns the error for an object that is not as it was published.
    pub(super) fn damaged(&self, detail: String) -> ShareError {
        ShareError::Damaged { url: self.url.clone(), detail }
    }

    fn error(&self, action: &'static str, error: &Error) -> ShareError {
        let (url, cause) = (self.url.clone(), cause(error));
        match error {
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                ShareError::Refused { action, url, cause }
            }
            _ => ShareError::Access { action, url, cause },
        }
    }
}

/// Returns the folder that a share's URL names.
fn folder_of(url: &str) -> Result<&Path, ShareError> {
    let invalid = |reason: String| ShareError::Url { url: display::safe(url).into_owned(), reason };
    match url.split_once("://") {
        Some(("file", path)) if path.starts_with('/') => Ok(Path::new(path)),
        Some(("file", _)) => Err(invalid("a file URL has an absolute path".to_owned())),
        Some((scheme, _)) => Err(invalid(format!("the scheme `{}` is not supported", display::safe(scheme)))),
        None if url.is_empty() => Err(invalid("it is empty".to_owned())),
        None => Ok(Path::new(url)),
    }
}

/// Returns the innermost message of an error, which can have text of the store.
fn cause(error: &dyn std::error::Error) -> String {
    let innermost = std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error);
    display::safe(&innermost.to_string()).chars().take(MAX_CAUSE_LETTERS).collect()
}
