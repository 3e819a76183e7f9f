//! Shares in object stores and on web servers.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path as Key;
use object_store::prefix::PrefixStore;
use object_store::{
    BackoffConfig, Error, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload,
    RetryConfig,
};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::error::ShareError;
use super::failure::{cause, classify, is_refused};
use super::remote::{Entries, Listed, Objects};
use crate::text::display;

/// Size of the parts in which larger objects are written.
const PART_BYTES: usize = 16 << 20;
/// Number of objects that are read at a time.
const MAX_REQUESTS: usize = 16;
/// Time to connect, and to transfer one part of an object.
const CONNECT: &str = "5 seconds";
const TRANSFER: &str = "120 seconds";
/// Requests that fail for a passing reason are repeated this often, within this time: a person waits for them.
const MAX_RETRIES: usize = 3;
const MAX_RETRY_TIME: Duration = Duration::from_secs(15);

/// The objects of S3 and compatible stores, Google Cloud Storage, Azure Blob Storage, or a web server.
#[derive(Debug)]
pub(super) struct Bucket {
    url: String,
    store: Arc<dyn ObjectStore>,
    /// Whether it is a web server: its objects can be read by name, but neither listed nor written.
    is_web: bool,
    runtime: Runtime,
}

impl Bucket {
    /// Opens an object store, with credentials and options from the environment, such as `AWS_ACCESS_KEY_ID`. Connects to
    /// nothing.
    ///
    /// # Errors
    /// The reason why the text names no object store.
    pub(super) fn open(scheme: &str, rest: &str, url: String) -> Result<Bucket, String> {
        let (store, is_web) = store(scheme, rest)?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        Ok(Bucket { url, store, is_web, runtime })
    }

    fn put(&self, key: &str, bytes: Vec<u8>, mode: PutMode) -> Result<bool, ShareError> {
        let key = Key::from(key);
        match self.runtime.block_on(self.store.put_opts(&key, PutPayload::from(bytes), mode.into())) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(self.error("write", &error)),
        }
    }

    fn error(&self, action: &'static str, error: &Error) -> ShareError {
        classify(action, &self.url, error)
    }
}

impl Objects for Bucket {
    fn is_listed(&self) -> bool {
        !self.is_web
    }

    fn list(&self, folder: &str) -> Result<Entries, ShareError> {
        let folder = Key::from(folder);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&folder)));
        let listed = listed.map_err(|error| self.error("list", &error))?;
        let name = |folder: &Key| folder.filename().map(str::to_owned);
        Ok(Entries {
            folders: listed.common_prefixes.iter().filter_map(name).collect(),
            objects: listed.objects.into_iter().filter_map(object).collect(),
        })
    }

    fn head(&self, key: &str) -> Result<Option<Listed>, ShareError> {
        match self.runtime.block_on(self.store.head(&Key::from(key))) {
            Ok(found) => Ok(object(found)),
            Err(Error::NotFound { .. }) => Ok(None),
            // The answer to a HEAD request has no text; the answer to another says what is wrong.
            Err(error) if is_refused(&error) => Err(self.read(key, 0..1).err().unwrap_or(self.error("read", &error))),
            Err(error) => Err(self.error("read", &error)),
        }
    }

    fn delete(&self, key: &str) -> Result<(), ShareError> {
        match self.runtime.block_on(self.store.delete(&Key::from(key))) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error("delete from", &error)),
        }
    }

    fn read_all(&self, keys: &[String], limit: u64) -> Vec<Result<Option<Vec<u8>>, ShareError>> {
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

    fn read(&self, key: &str, range: Range<u64>) -> Result<Vec<u8>, ShareError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let read = async { self.store.get_opts(&Key::from(key), options).await?.bytes().await };
        let bytes = self.runtime.block_on(read).map_err(|error| self.error("read", &error))?;
        Ok(bytes.to_vec())
    }

    fn put_new(&self, key: &str, bytes: Vec<u8>) -> Result<bool, ShareError> {
        self.put(key, bytes, PutMode::Create)
    }

    fn replace(&self, key: &str, bytes: Vec<u8>) -> Result<(), ShareError> {
        if bytes.len() <= PART_BYTES {
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
}

fn object(object: ObjectMeta) -> Option<Listed> {
    let name = object.location.filename()?.to_owned();
    let (size, modified) = (object.size, object.last_modified.timestamp_millis());
    Some(Listed { name, size, modified, tag: object.e_tag.unwrap_or_default() })
}

/// Returns the bytes of an object; none if it is larger than `limit`.
async fn whole(store: Arc<dyn ObjectStore>, key: Key, limit: u64) -> object_store::Result<Vec<u8>> {
    let found = store.get_opts(&key, GetOptions::default()).await?;
    if found.meta.size > limit { Ok(Vec::new()) } else { Ok(found.bytes().await?.to_vec()) }
}

/// Returns the store that a URL names, and whether it is a web server.
fn store(scheme: &str, rest: &str) -> Result<(Arc<dyn ObjectStore>, bool), String> {
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if host.is_empty() {
        return Err(format!("it has no {}", if scheme.starts_with("http") { "host" } else { "bucket" }));
    }
    let prefix = Key::from_url_path(path).map_err(|error| error.to_string())?;
    // Fails if a provider is installed already, which is then used.
    drop(rustls::crypto::ring::default_provider().install_default());
    let root = format!("{scheme}://{host}");
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
    let retry = RetryConfig { backoff, max_retries: MAX_RETRIES, retry_timeout: MAX_RETRY_TIME };
    let reason = |error: Error| cause(&error);
    // Set one by one, which keeps the other options of the environment, such as `AWS_ALLOW_HTTP`.
    use object_store::ClientConfigKey::{AllowHttp, ConnectTimeout, Timeout};
    Ok(match scheme {
        "s3" => {
            use object_store::aws::AmazonS3ConfigKey::Client;
            let builder = AmazonS3Builder::from_env().with_url(root).with_retry(retry);
            let builder = builder.with_config(Client(ConnectTimeout), CONNECT).with_config(Client(Timeout), TRANSFER);
            (beneath(builder.build().map_err(reason)?, prefix), false)
        }
        "gs" => {
            use object_store::gcp::GoogleConfigKey::Client;
            let builder = GoogleCloudStorageBuilder::from_env().with_url(root).with_retry(retry);
            let builder = builder.with_config(Client(ConnectTimeout), CONNECT).with_config(Client(Timeout), TRANSFER);
            (beneath(builder.build().map_err(reason)?, prefix), false)
        }
        "az" => {
            use object_store::azure::AzureConfigKey::Client;
            let builder = MicrosoftAzureBuilder::from_env().with_url(root).with_retry(retry);
            let builder = builder.with_config(Client(ConnectTimeout), CONNECT).with_config(Client(Timeout), TRANSFER);
            (beneath(builder.build().map_err(reason)?, prefix), false)
        }
        "http" | "https" => {
            let builder = HttpBuilder::new().with_url(root).with_retry(retry).with_config(AllowHttp, "true");
            let builder = builder.with_config(ConnectTimeout, CONNECT).with_config(Timeout, TRANSFER);
            (beneath(builder.build().map_err(reason)?, prefix), true)
        }
        scheme => return Err(format!("the scheme `{}` is not supported", display::safe(scheme))),
    })
}

fn beneath(store: impl ObjectStore, prefix: Key) -> Arc<dyn ObjectStore> {
    Arc::new(PrefixStore::new(store, prefix))
}
