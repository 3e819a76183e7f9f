//! Errors of shares. Messages name the share and the remedy.

use std::path::PathBuf;

use thiserror::Error;

use crate::catalog::CatalogError;
use crate::scan::changes::ChangesError;
use crate::scan::history::HistoryError;
use crate::store::StoreError;
use crate::text::display::bytes;

/// Remedy for a share without space.
pub(super) const FULL: &str = "the share is full; free space with `knowing index share gc URL --keep N`";

/// An error of publishing or fetching an index.
#[derive(Debug, Error)]
pub enum ShareError {
    /// The text does not name a share.
    #[error("`{url}` is not a share: {reason}; name a folder such as /srv/indexes, or s3://, gs://, az:// or https://")]
    Url { url: String, reason: String },
    /// The share can't be read or written.
    #[error("can't {action} the share {url}: {cause}")]
    Access { action: &'static str, url: String, cause: String },
    /// The share can't be read or written, for a reason with a remedy.
    #[error("can't {action} the share {url}: {cause}; {remedy}")]
    Known { action: &'static str, url: String, cause: String, remedy: &'static str },
    /// A web server's objects can't be listed or written.
    #[error("the share {url} is a web server, which can only be fetched from; {action} the folder or bucket behind it")]
    Web { action: &'static str, url: String },
    /// The store refused the credentials.
    #[error("the share {url} refused to {action}: {cause}; check its permissions and your credentials")]
    Refused { action: &'static str, url: String, cause: String },
    /// A published index is not as it was written.
    #[error("the share {url} has a damaged index ({detail}); publish it again")]
    Damaged { url: String, detail: String },
    /// There is too little space for a published index.
    #[error(
        "the index of {commit} in the share {url} needs {} in {folder}, where {} are free", bytes(*needed), bytes(*free)
    )]
    Space { url: String, commit: String, folder: PathBuf, needed: u64, free: u64 },
    /// A copy on this machine is not as it was written.
    #[error("the index {path} is damaged ({detail}), so it was not copied")]
    DamagedCopy { path: PathBuf, detail: String },
    /// A file of the user's is not as it was written.
    #[error("{path} is damaged ({detail}); {remedy}")]
    DamagedFile { path: PathBuf, detail: String, remedy: &'static str },
    /// The index to be published is not as it was written.
    #[error(
        "the index {path} is damaged ({detail}), so it was not published; rebuild it with `knowing index --force`, then publish"
    )]
    Unpublishable { path: PathBuf, detail: String },
    /// Only commits are published.
    #[error("{path} has no commit to publish the index of; commit first")]
    NoCommit { path: PathBuf },
    /// The index contains what is not committed.
    #[error("{count} files differ from the commit, such as {example}; commit or stash them, then publish")]
    Uncommitted { count: usize, example: String },
    /// A file of this machine can't be read or written.
    #[error("can't {action} {path}: {cause}")]
    Io { action: &'static str, path: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Changes(#[from] ChangesError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
