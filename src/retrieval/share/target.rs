//! The folder or object store that a URL names.

use std::path::Path;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;

use super::error::ShareError;
use super::failure::cause;
use crate::text::display;

/// The kind of a share, which determines what can be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    /// S3 and compatible stores, Google Cloud Storage, Azure Blob Storage.
    #[cfg(feature = "cloud")]
    Bucket,
    /// A web server: its objects can be read by name, but neither listed nor written.
    #[cfg(feature = "cloud")]
    Web,
}

/// Returns the store that a URL or path names. A folder is created first if `create` says so. Connects to nothing.
///
/// # Errors
/// When the text names no share, or the folder can't be opened.
pub(super) fn open(url: &str, create: bool) -> Result<(Arc<dyn ObjectStore>, Kind), ShareError> {
    let invalid = |reason: String| ShareError::Url { url: shown(url), reason };
    let folder = match url.split_once("://") {
        Some(("file", path)) if path.starts_with('/') => Path::new(path),
        Some(("file", _)) => return Err(invalid("a file URL has an absolute path".to_owned())),
        Some((scheme, rest)) => return bucket(scheme, rest).map_err(invalid),
        None if url.is_empty() => return Err(invalid("it is empty".to_owned())),
        None => Path::new(url),
    };
    if create {
        std::fs::create_dir_all(folder).map_err(|error| invalid(error.to_string()))?;
    }
    let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| invalid(cause(&error)))?;
    Ok((Arc::new(store.with_fsync(true)), Kind::Folder))
}

/// Returns a URL as messages show it: without a user name and password.
pub(super) fn shown(url: &str) -> String {
    let hidden = url.split_once("://").and_then(|(scheme, rest)| {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        // In `az://CONTAINER@ACCOUNT` the part before `@` is no secret.
        let (_, host) = authority.rsplit_once('@').filter(|_| scheme.starts_with("http"))?;
        Some(format!("{scheme}://{host}/{path}"))
    });
    display::safe(hidden.as_deref().unwrap_or(url)).into_owned()
}

#[cfg(not(feature = "cloud"))]
fn bucket(scheme: &str, _rest: &str) -> Result<(Arc<dyn ObjectStore>, Kind), String> {
    Err(format!("this program was built without `{}` shares (its feature `cloud`)", display::safe(scheme)))
}

#[cfg(feature = "cloud")]
use cloud::bucket;

#[cfg(feature = "cloud")]
mod cloud {
    use std::time::Duration;

    use object_store::aws::AmazonS3Builder;
    use object_store::azure::MicrosoftAzureBuilder;
    use object_store::gcp::GoogleCloudStorageBuilder;
    use object_store::http::HttpBuilder;
    use object_store::path::Path as Key;
    use object_store::prefix::PrefixStore;
    use object_store::{BackoffConfig, RetryConfig};

    use super::{Arc, Kind, ObjectStore, cause, display};

    /// Time to connect, and to transfer one part of an object.
    const CONNECT: &str = "5 seconds";
    const TRANSFER: &str = "120 seconds";
    /// Requests that fail for a passing reason are repeated this often, within this time: a person waits for them.
    const MAX_RETRIES: usize = 3;
    const MAX_RETRY_TIME: Duration = Duration::from_secs(15);

    /// Returns an object store, with credentials and options from the environment, such as `AWS_ACCESS_KEY_ID`.
    pub fn bucket(scheme: &str, rest: &str) -> Result<(Arc<dyn ObjectStore>, Kind), String> {
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
        let reason = |error: object_store::Error| cause(&error);
        // Set one by one, which keeps the other options of the environment, such as `AWS_ALLOW_HTTP`.
        use object_store::ClientConfigKey::{AllowHttp, ConnectTimeout, Timeout};
        Ok(match scheme {
            "s3" => {
                use object_store::aws::AmazonS3ConfigKey::Client;
                let builder = AmazonS3Builder::from_env().with_url(root).with_retry(retry);
                let builder =
                    builder.with_config(Client(ConnectTimeout), CONNECT).with_config(Client(Timeout), TRANSFER);
                (beneath(builder.build().map_err(reason)?, prefix), Kind::Bucket)
            }
            "gs" => {
                use object_store::gcp::GoogleConfigKey::Client;
                let builder = GoogleCloudStorageBuilder::from_env().with_url(root).with_retry(retry);
                let builder =
                    builder.with_config(Client(ConnectTimeout), CONNECT).with_config(Client(Timeout), TRANSFER);
                (beneath(builder.build().map_err(reason)?, prefix), Kind::Bucket)
            }
            "az" => {
                use object_store::azure::AzureConfigKey::Client;
                let builder = MicrosoftAzureBuilder::from_env().with_url(root).with_retry(retry);
                let builder =
                    builder.with_config(Client(ConnectTimeout), CONNECT).with_config(Client(Timeout), TRANSFER);
                (beneath(builder.build().map_err(reason)?, prefix), Kind::Bucket)
            }
            "http" | "https" => {
                let builder = HttpBuilder::new().with_url(root).with_retry(retry).with_config(AllowHttp, "true");
                let builder = builder.with_config(ConnectTimeout, CONNECT).with_config(Timeout, TRANSFER);
                (beneath(builder.build().map_err(reason)?, prefix), Kind::Web)
            }
            scheme => return Err(format!("the scheme `{}` is not supported", display::safe(scheme))),
        })
    }

    fn beneath(store: impl ObjectStore, prefix: Key) -> Arc<dyn ObjectStore> {
        Arc::new(PrefixStore::new(store, prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(shown("https://ada:secret@example.org/x/y"), "https://example.org/x/y");
        assert_eq!(shown("https://ada:s@cret@example.org"), "https://example.org/");
        for same in ["s3://bucket/x@y", "az://container@account/x", "/srv/a@b", "https://example.org/@x"] {
            assert_eq!(shown(same), same);
        }
    }

    #[test]
    fn texts_without_a_store_are_refused_with_a_reason() {
        for (url, reason) in [
            ("", "it is empty"),
            ("file://relative", "a file URL has an absolute path"),
            ("ftp://example.org/x", "the scheme `ftp` is not supported"),
            ("s3:///prefix", "it has no bucket"),
            ("https://", "it has no host"),
        ] {
            let message = open(url, false).map(|(_, kind)| kind).unwrap_err().to_string();
            assert!(message.contains(reason) || cfg!(not(feature = "cloud")), "{url}: {message}");
        }
    }
}
