//! What follows from the resolved edges: derived edges, adjacency, the Merkle snapshot.

pub mod adjacency;
pub mod derive;
pub mod merkle;
pub mod view;

pub use view::{FileNode, GraphView, Node};
