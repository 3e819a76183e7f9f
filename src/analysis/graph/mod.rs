//! The graph of all files: derived edges, adjacency lists and the Merkle snapshot. The module is pure: values in,
//! values out. It does not depend on the store.

pub mod adjacency;
pub mod derive;
pub mod merkle;
pub mod reach;
pub mod view;

pub use view::{FileNode, GraphView, Node};
