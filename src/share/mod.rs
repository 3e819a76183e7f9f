//! Shares: folders and object stores where finished indexes are published, and from which they are fetched.
//!
//! A published index is a compressed copy of the database, named by the hash of its bytes, and a manifest, named by the
//! tree and the commit that it is of. Both are written once and never changed, so that any number of machines can
//! publish at the same time. [`publish()`] writes them, [`fetch()`] selects, loads and checks one; the caller updates it by
//! the contents of files, so a fetched index never decides what the files contain.
//! [`collect`] deletes old ones.
//!
//! A share is untrusted: names, sizes and contents are checked before use.

mod error;
mod fetch;
mod manifest;
mod publish;
mod remote;
mod retention;

pub use error::ShareError;
pub use fetch::{Fetched, Origin, fetch};
pub use publish::{Outline, PublishReport, outline, publish};
pub use remote::Share;
pub use retention::{Collected, PublishedIndex, collect, published_indexes};
