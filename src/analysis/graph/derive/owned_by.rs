//! owned_by: from a file to its owners in CODEOWNERS.

use super::structural;
use crate::model::{Edge, EdgeType, NodeId};

/// Returns edges for pairs of a file symbol and an owner symbol.
pub fn edges(owners: &[(NodeId, NodeId)]) -> Vec<Edge> {
    owners.iter().map(|&(file, owner)| structural(file, owner, EdgeType::OwnedBy)).collect()
}
