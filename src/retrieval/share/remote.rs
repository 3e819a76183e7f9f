//! The objects of a share, read and written one request at a time.

use std::ops::Range;
use std::sync::Arc;

use object_store::path::Path as Key;
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::error::ShareError;
use super::failure::{classify, is_refused};
use super::target::{self, Kind};

/// Size of the parts in which larger objects are written to an object store.
const PART_BYTES: usize = 16 << 20;
/// Number of objects that are read at a time.
const MAX_REQUESTS: usize = 16;

/// A folder or object store that indexes are published to.
#[derive(Debug)]
pub struct Share {
    url: String,
    store: Arc<dyn ObjectStore>,
    kind: Kind,
    runtime: Runtime,
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
        let (store, kind) = target::open(url, create)?;
        let url = target::shown(url);
        match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => Ok(Share { url, store, kind, runtime }),
            Err(error) => Err(ShareError::Url { url, reason: error.to_string() }),
        }
    }

    /// Returns whether objects can be listed and written; a web server's can only be read by name.
    pub(super) fn is_listed(&self) -> bool {
        #[cfg(feature = "cloud")]
        return self.kind != Kind::Web;
        #[cfg(not(feature = "cloud"))]
        true
    }

    /// Returns the URL, safe to display.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Checks that objects can be listed and written.
    pub(super) fn require_listed(&self, action: &'static str) -> Result<(), ShareError> {
        if self.is_listed() { Ok(()) } else { Err(ShareError::Web { action, url: self.url.clone() }) }
    }

    /// Returns the objects in a folder.
    pub(super) fn list(&self, folder: &str) -> Result<Vec<Listed>, ShareError> {
        let folder = Key::from(folder);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&folder)));
        let listed = listed.map_err(|error| self.error("list", &error))?;
        let object = |object: ObjectMeta| {
            let name = object.location.filename()?.to_owned();
            let (size, modified) = (object.size, object.last_modified.timestamp_millis());
            Some(Listed { name, size, modified, tag: object.e_tag.unwrap_or_default() })
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
        Ok(self.head(key)?.map(|object| object.size))
    }

    /// Returns when an object was written, in milliseconds since 1970 by the store's clock; `None` if there is none.
    pub(super) fn modified(&self, key: &str) -> Result<Option<i64>, ShareError> {
        Ok(self.head(key)?.map(|object| object.last_modified.timestamp_millis()))
    }

    fn head(&self, key: &str) -> Result<Option<ObjectMeta>, ShareError> {
        match self.runtime.block_on(self.store.head(&Key::from(key))) {
            Ok(object) => Ok(Some(object)),
            Err(Error::NotFound { .. }) => Ok(None),
            // The answer to a HEAD request has no text; the answer to another says what is wrong.
            Err(error) if is_refused(&error) => Err(self.read(key, 0..1).err().unwrap_or(self.error("read", &error))),
            Err(error) => Err(self.error("read", &error)),
        }
    }

    /// Returns the bytes of an object; none if it is larger than `limit`.
    pub(super) fn read_whole(&self, key: &str, limit: u64) -> Result<Vec<u8>, ShareError> {
        let read = self.runtime.block_on(whole(Arc::clone(&self.store), Key::from(key), limit));
        read.map_err(|error| self.error("read", &error))
    }

    /// Returns the bytes of many objects, several requests at a time: `None` of one that is missing, none of one that is
    /// larger than `limit`.
    pub(super) fn read_all(&self, keys: &[String], limit: u64) -> Vec<Result<Option<Vec<u8>>, ShareError>> {
        let mut read: Vec<Result<Option<Vec<u8>>, ShareError>> = keys.iter().map(|_| Ok(None)).collect();
        let mut waiting = keys.iter().enumerate();
        self.runtime.block_on(async {
            let mut requests = JoinSet::new();
            loop {
                for (index, key) in waiting.by_ref().take(MAX_REQUESTS - requests.len()) {
                    let request = whole(Arc::clone(&self.store), Key::from(key.as_str()), limit);
                    requests.spawn(async move { (index, request.await) });
                }
                match requests.join_next().await {
                    None => break,
                    Some(Ok((index, Ok(bytes)))) => read[index] = Ok(Some(bytes)),
                    Some(Ok((_, Err(Error::NotFound { .. })))) => {}
                    Some(Ok((index, Err(error)))) => read[index] = Err(self.error("read", &error)),
                    Some(Err(stopped)) => std::panic::resume_unwind(stopped.into_panic()),
                }
            }
        });
        read
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

    /// Writes an object, in place of a damaged one of that name. It is visible when all of it is written.
    pub(super) fn replace(&self, key: &str, bytes: Vec<u8>) -> Result<(), ShareError> {
        if self.kind == Kind::Folder || bytes.len() <= PART_BYTES {
            return self.put(key, bytes, PutMode::Overwrite).map(drop);
        }
        let key = Key::from(key);
        let bytes = PutPayload::from(bytes);
        let whole = async {
            let mut upload = self.store.put_multipart(&key).await?;
            let written = async {
                for part in bytes.iter().flat_map(|bytes| bytes.chunks(PART_BYTES).map(|part| bytes.slice_ref(part))) {
                    upload.put_part(PutPayload::from(part)).await?;
                }
                upload.complete().await
            };
            let written = written.await;
            if written.is_err() {
                // The store removes what is left of an upload that could not be aborted either.
                upload.abort().await.unwrap_or_default();
            }
            written
        };
        self.runtime.block_on(whole).map(drop).map_err(|error| self.error("write", &error))
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
        classify(action, &self.url, error)
    }
}

/// Returns the bytes of an object; none if it is larger than `limit`.
async fn whole(store: Arc<dyn ObjectStore>, key: Key, limit: u64) -> object_store::Result<Vec<u8>> {
    let found = store.get_opts(&key, GetOptions::default()).await?;
    if found.meta.size > limit { Ok(Vec::new()) } else { Ok(found.bytes().await?.to_vec()) }
}
