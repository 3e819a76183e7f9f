//! owned_by: a file and the people or teams that CODEOWNERS names for it.

use super::structural;
use crate::model::{Edge, EdgeType, NodeId};

/// Edges from file symbols to owner symbols, given as such pairs.
pub fn edges(owners: &[(NodeId, NodeId)]) -> Vec<Edge> {
    owners.iter().map(|&(file, owner)| structural(file, owner, EdgeType::OwnedBy)).collect()
}
