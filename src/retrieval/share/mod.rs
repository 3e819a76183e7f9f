//! Shares: folders and object stores where finished indexes are published, and from which they are fetched.
//!
//! A published index is a compressed copy of the database, named by the hash of its bytes, and a manifest, named by the
//! tree and the commit that it is of. Both are written once and never changed, so that any number of machines can
//! publish at the same time. [`publish()`] writes them, [`fetch()`] selects, loads and checks one; the caller updates it by
//! the contents of files, so a fetched index never decides what the files contain.
//! [`collect`] deletes old ones. [`configured_share`] is the one that the user has chosen.
//!
//! [`shared_catalogs`] fetches the catalogs of all repositories. [`Experience`] exchanges votes. On one machine [`copy_of_worktree`] and [`Cache`] need no share.
//!
//! A share is untrusted: names, sizes and contents are checked before use.

#[cfg(feature = "cloud")]
mod bucket;
mod catalogs;
mod error;
mod experience;
#[cfg(feature = "cloud")]
mod failure;
mod fetch;
mod folder;
mod local;
mod manifest;
mod publish;
mod remote;
mod retention;
mod settings;
mod target;

pub use catalogs::{SharedCatalogs, shared_catalogs};
pub use error::ShareError;
pub use experience::{Experience, SyncOptions, SyncReport, WriterSummary};
pub use fetch::{Fetched, Origin, fetch};
pub use local::{Cache, CachedIndex, LocalCopy, MAX_CACHE_BYTES, copy_of_worktree};
pub use publish::{Outline, PublishReport, outline, publish};
pub use remote::Share;
pub use retention::{Collected, PublishedIndex, collect, published_indexes};
pub use settings::{SHARE_VARIABLE, configured_share, configured_sync};
