//! The folder or object store that a URL names.

use std::path::Path;

#[cfg(feature = "cloud")]
use super::bucket::Bucket;
use super::error::ShareError;
use super::folder::Folder;
use super::remote::Objects;
use crate::text::display;

/// Returns the objects that a URL or path names. A folder is created first if `create` says so. Connects to nothing.
///
/// # Errors
/// When the text names no share, or the folder can't be opened.
pub(super) fn open(url: &str, create: bool) -> Result<Box<dyn Objects>, ShareError> {
    let invalid = |reason: String| ShareError::Url { url: shown(url), reason };
    let folder = match url.split_once("://") {
        Some(("file", path)) if path.starts_with('/') => Path::new(path),
        Some(("file", _)) => return Err(invalid("a file URL has an absolute path".to_owned())),
        Some((scheme, rest)) => return bucket(scheme, rest, url).map_err(invalid),
        None if url.is_empty() => return Err(invalid("it is empty".to_owned())),
        None => Path::new(url),
    };
    let folder = Folder::open(folder, shown(url), create).map_err(|error| invalid(error.to_string()))?;
    Ok(Box::new(folder))
}

/// Returns a URL as messages show it: without a user name and password.
pub(super) fn shown(url: &str) -> String {
    let hidden = url.split_once("://").and_then(|(scheme, rest)| {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        // In `az://CONTAINER@ACCOUNT` the part before `@` is not a secret.
        let (_, host) = authority.rsplit_once('@').filter(|_| scheme.starts_with("http"))?;
        Some(format!("{scheme}://{host}/{path}"))
    });
    display::safe(hidden.as_deref().unwrap_or(url)).into_owned()
}

#[cfg(feature = "cloud")]
fn bucket(scheme: &str, rest: &str, url: &str) -> Result<Box<dyn Objects>, String> {
    Ok(Box::new(Bucket::open(scheme, rest, shown(url))?))
}

#[cfg(not(feature = "cloud"))]
fn bucket(scheme: &str, _rest: &str, _url: &str) -> Result<Box<dyn Objects>, String> {
    let scheme = display::safe(scheme);
    Err(format!(
        "this program was built without {scheme}:// shares: install it with --features cloud, or share a folder"
    ))
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
            let message = open(url, false).unwrap_err().to_string();
            assert!(message.contains(reason) || cfg!(not(feature = "cloud")), "{url}: {message}");
        }
    }
}
