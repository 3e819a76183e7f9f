//! Dispatch: which of the methods that override a called one a call can run, by the type of its receiver.

use std::collections::HashSet;

use super::Questions;
use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::model::{EdgeType, NodeId};

/// Maximum number of types that are looked at above or below one; real hierarchies are smaller.
const MAX_TYPES: usize = 2_000;

impl Questions<'_> {
    /// Returns whether a caller's calls of `method` may run `overrider`, which overrides it. Not if all of them are on types
    /// that have no value of the overrider's type.
    pub(super) fn may_dispatch(&self, caller: NodeId, method: NodeId, overrider: NodeId) -> bool {
        let on_types = self.joined.outgoing(caller).iter().filter(|edge| edge.edge_type == EdgeType::CallsOn);
        let (Some(owner), Some(other)) = (self.type_of(method), self.type_of(overrider)) else { return true };
        let mut receivers = on_types.map(|edge| edge.node).filter(|ty| self.above(*ty).contains(&owner)).peekable();
        receivers.peek().is_none() || receivers.any(|ty| ty == owner || self.share_values(ty, other))
    }

    /// Returns the type that a method belongs to.
    fn type_of(&self, method: NodeId) -> Option<NodeId> {
        let owners = self.joined.outgoing(method).iter().filter(|edge| edge.edge_type == EdgeType::MemberOf);
        owners.map(|edge| edge.node).find(|owner| self.meta(*owner).is_some_and(|meta| meta.kind.is_type()))
    }

    /// Returns whether a value can be of both types: one is below the other, or a third type is below both.
    fn share_values(&self, one: NodeId, other: NodeId) -> bool {
        let [one, other] = [one, other].map(|ty| self.around(ty, |edge| !edge.is_outgoing()));
        one.len() >= MAX_TYPES || other.len() >= MAX_TYPES || !one.is_disjoint(&other)
    }

    /// Returns a type and those that it extends or implements.
    fn above(&self, ty: NodeId) -> HashSet<NodeId> {
        self.around(ty, Neighbor::is_outgoing)
    }

    fn around(&self, ty: NodeId, is_followed: impl Fn(&Neighbor) -> bool) -> HashSet<NodeId> {
        let (mut found, mut next) = (HashSet::from([ty]), vec![ty]);
        while let Some(ty) = next.pop() {
            for edge in self.joined.neighbors(ty) {
                let is_base = matches!(edge.edge_type, EdgeType::Extends | EdgeType::Implements);
                if is_base && is_followed(edge) && found.len() < MAX_TYPES && found.insert(edge.node) {
                    next.push(edge.node);
                }
            }
        }
        found
    }
}
