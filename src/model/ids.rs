//! Numbers of rows: small, dense and valid only within one state of the index.

/// Number of a symbol in the store, or its position in a graph in memory; dense from 0.
pub type NodeId = u32;
/// Number of a file in the store.
pub type FileId = u32;
/// Position of a file in the list of files that resolution or derivation works on.
pub type FileIndex = u32;
/// Number of a definition within the facts of its file.
pub type DefId = u32;
/// SHA-1 of a Git commit.
pub type CommitId = [u8; 20];
