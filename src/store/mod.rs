//! All SQL: the SQLite store, its files and its locks.
//!
//! A [`Reader`] sees the last complete index; a [`Writer`] replaces it in one transaction, or in a new file that is
//! renamed into place, so that readers and a crash never meet half an index. SQL is static and lies in `sql/`, each
//! file named after the function that binds it, and in `migrations/`.

/// The text of `sql/<name>.sql`.
macro_rules! sql {
    ($name:literal) => {
        include_str!(concat!("sql/", $name, ".sql"))
    };
}

mod blob;
mod edges;
mod error;
mod files;
mod fsck;
mod heads;
mod history;
mod journal;
mod lock;
mod migrate;
mod notes;
mod open;
mod packed;
pub mod place;
mod postings;
mod read;
mod rows;
mod salvage;
mod stats;
mod symbols;
mod varint;
mod watch;
mod write;

pub use blob::{decode, encode};
pub use edges::{Degree, PackedEdges, Slot, edges_by_file, most_edges};
pub use error::StoreError;
pub use files::Blob;
pub use fsck::{Finding, fsck};
pub use heads::HeadRow;
pub use journal::{Journal, LastSession};
pub use notes::put_note;
pub use packed::pack_edges;
pub use read::Reader;
pub use rows::{
    CommitRow, EdgeRow, FileRow, Layer, NodeHistory, NodeKey, NodeRow, SEARCH_COLUMNS, SearchColumn, SearchRow,
    SkipRow, SnapshotRow, TailRow, read_confidence, stored_confidence,
};
pub use stats::Stats;
pub use symbols::{MOST_NODES, NodeHead};
pub use watch::{Seen, Watch};
pub use write::Writer;

#[cfg(test)]
mod tests;
