//! Numbers that stand in for rows: small, dense and valid only within one state of the index.

/// Number of a symbol in the store and in the graph in memory; dense from 0.
pub type NodeId = u32;
/// Number of a file in the store.
pub type FileId = u32;
/// Number of a definition within the facts of its file.
pub type DefId = u32;
