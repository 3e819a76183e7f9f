//! What follows from the resolved edges: derived edges, adjacency, the Merkle snapshot.

pub mod adjacency;
