//! The graph of all files: derived edges, adjacency lists and the Merkle snapshot. This module takes values and returns
//! values; it must not know the store.

pub mod adjacency;
pub mod derive;
pub mod merkle;
pub mod view;

pub use view::{FileNode, GraphView, Node};
