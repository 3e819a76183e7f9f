//! depends_on: from a package to a package that its manifest requires.

use super::structural;
use crate::model::{Edge, EdgeType, NodeId};

/// Returns edges for pairs of a package and a required package. A package does not depend on itself.
pub fn edges(required: &[(NodeId, NodeId)]) -> Vec<Edge> {
    let others = required.iter().filter(|(package, other)| package != other);
    others.map(|&(package, other)| structural(package, other, EdgeType::DependsOn)).collect()
}
