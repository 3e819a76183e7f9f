//! The SQLite store: all SQL of the program, its files and its locks.
//!
//! A [`Reader`] sees the last complete index. A [`Writer`] replaces it in one transaction, or writes a new file and
//! renames it, so neither readers nor a crash ever see an incomplete index. SQL is static: `sql/` has one file per
//! statement, named after the function that binds it, and `migrations/` the schema. The module does not depend on
//! parsing, resolution or ranking.

/// Includes `sql/<name>.sql`.
macro_rules! sql {
    ($name:literal) => {
        include_str!(concat!("sql/", $name, ".sql"))
    };
}

mod backup;
mod blob;
mod cache;
mod change_detector;
mod checkouts;
mod checksum;
mod digest;
mod documents;
mod edge_codec;
mod edges;
mod error;
mod file_names;
mod files;
mod fsck;
mod fts5;
mod history;
mod journal;
mod limit;
pub mod location;
mod lock;
mod migrate;
mod names;
mod node_blocks;
mod node_meta;
mod node_runs;
mod node_sums;
mod open;
mod origin;
mod postings;
mod published;
mod read;
mod routes;
mod rows;
mod salvage;
mod schema;
mod scip;
mod search_text;
mod stats;
mod symbol_blocks;
mod symbols;
mod untrusted;
mod varint;
mod write;

pub use blob::encode;
pub use cache::cache_put;
pub use change_detector::{ChangeDetector, StoreChange};
pub use documents::{DocumentRow, SectionId};
pub use edge_codec::pack_edges;
pub use edges::{Degree, PackedEdges, Slot};
pub use error::StoreError;
pub use file_names::{DEFINED, FileName, LOOKED_UP, MENTIONED, NameLists};
pub use files::{Blob, pack_node_ids, unpack_node_ids};
pub use fsck::{Finding, fsck};
pub use journal::Journal;
pub use lock::{is_being_written, sibling_path};
pub use migrate::CURRENT as SCHEMA_VERSION;
pub use node_blocks::NodeBlock;
pub use node_meta::{FileMeta, NodeMetaRow};
pub use node_sums::{Sums, SumsBlock, WEIGHT_UNITS};
pub use open::MAX_BYTES;
pub use origin::{read_origin, write_origin};
pub use published::{check_copy, export_copy, export_local_copy};
pub use read::Reader;
pub use rows::{
    CommitRow, EdgeRow, FileRow, FilelessNodeRow, Layer, NodeHistory, NodeKey, NodeRow, SEARCH_COLUMNS, SearchColumn,
    SearchRow, SkipRow, SnapshotRow, around_name, read_confidence, stored_confidence,
};
pub use scip::{ScipAnswer, remove_scip, scip_answer, scip_beside, write_scip, write_scip_answer};
pub use stats::Stats;
pub use symbols::{MAX_NODES, NodeSummary, ScopedName};
pub use untrusted::{is_database, untrusted_events};
pub use write::Writer;

#[cfg(test)]
mod tests;
