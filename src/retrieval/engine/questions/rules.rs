//! The edges that each question follows.

use super::Questions;
use crate::graph::adjacency::Neighbor;
use crate::graph::reach::{Follow, Reached};
use crate::model::{EdgeType, NodeId, SymbolKind};

/// Passed through on the way, certainly.
const THROUGH: Follow = Follow::Same { is_result: false, is_certain: true };
/// Passed through on the way: a call of a method may run one that overrides it.
const MAY: Follow = Follow::Same { is_result: false, is_certain: false };

/// Returns whether the source of an edge of this type runs the target.
pub(super) fn is_call(edge_type: EdgeType) -> bool {
    use EdgeType::{Calls, ConsumesEndpoint, ConsumesRpc, Decorates, UsesFixture};
    matches!(edge_type, Calls | ConsumesEndpoint | ConsumesRpc | Decorates | UsesFixture)
}

/// Returns whether the source of an edge of this type depends on the target.
pub(super) fn is_use(edge_type: EdgeType) -> bool {
    use EdgeType::{
        AccessesField, ExecutesProcess, Extends, GatedByFlag, HandlesRoute, Implements, ImplementsRpc, ReadsEnv,
        References, Throws, TypeHintOf,
    };
    is_call(edge_type)
        || matches!(
            edge_type,
            AccessesField
                | ExecutesProcess
                | Extends
                | GatedByFlag
                | HandlesRoute
                | Implements
                | ImplementsRpc
                | ReadsEnv
                | References
                | Throws
                | TypeHintOf
        )
}

impl Questions<'_> {
    /// Returns how callers are searched: against the calls, through the methods that a method overrides, the types of
    /// constructors and the routes of handlers.
    pub(super) fn toward_callers(&self, at: &Reached, edge: &Neighbor) -> Follow {
        match (edge.edge_type, edge.is_outgoing()) {
            (edge_type, false) if is_call(edge_type) => Follow::Step,
            (EdgeType::HandlesRoute | EdgeType::Declares, false) => THROUGH,
            (EdgeType::Declares, true) => THROUGH,
            _ => self.toward_dispatch(at, edge),
        }
    }

    /// Returns how callees are searched: along the calls, also to the methods that override a called one.
    pub(super) fn toward_callees(&self, at: &Reached, edge: &Neighbor) -> Follow {
        match (edge.edge_type, edge.is_outgoing()) {
            (edge_type, true) if is_call(edge_type) => Follow::Step,
            // The overriding methods of the subject itself are no callees of it.
            (EdgeType::Overrides, false) => Follow::Same { is_result: at.distance > 0, is_certain: false },
            (EdgeType::Declares, true) => Follow::Same { is_result: at.distance > 0, is_certain: true },
            _ => self.along_construction(edge),
        }
    }

    /// Returns how users are searched: against every use. A change of a method affects those that override it and the
    /// types that inherit it, and does not spread from them, as their callers are found by themselves.
    pub(super) fn toward_users(&self, at: &Reached, edge: &Neighbor) -> Follow {
        let is_file = || self.meta(edge.node).is_some_and(|meta| meta.kind == SymbolKind::File);
        match (edge.edge_type, edge.is_outgoing()) {
            // The use of a base method or of a type as such does not depend on what overrides or is constructed.
            (edge_type, false) if at.is_transit && !is_call(edge_type) && edge_type != EdgeType::References => {
                self.toward_dispatch(at, edge)
            }
            // Code of a module runs when it is loaded, and nothing calls it.
            (edge_type, false) if is_use(edge_type) => {
                if is_file() {
                    Follow::Last
                } else {
                    Follow::Step
                }
            }
            // A function runs, or registers, the functions in it.
            (EdgeType::MemberOf, true) if !at.is_transit && self.enclosing_function(at.node) == Some(edge.node) => {
                Follow::Same { is_result: true, is_certain: true }
            }
            (EdgeType::Declares, _) => THROUGH,
            (EdgeType::Overrides, false) if at.distance == 0 => Follow::Last,
            (EdgeType::Inherits, false) if !self.constructors.contains(&at.node) => Follow::Last,
            _ => self.toward_dispatch(at, edge),
        }
    }

    /// Returns how a path is searched: along every use that `is_followed`, and along calls to overriding methods.
    pub(super) fn toward_used(&self, edge: &Neighbor, is_followed: fn(EdgeType) -> bool) -> Follow {
        match (edge.edge_type, edge.is_outgoing()) {
            (edge_type, true) if is_followed(edge_type) => Follow::Step,
            (EdgeType::Overrides, false) => Follow::Same { is_result: true, is_certain: false },
            (EdgeType::Declares, true) => Follow::Same { is_result: true, is_certain: true },
            _ => self.along_construction(edge),
        }
    }

    /// Returns the function or method in which a definition is.
    pub(super) fn enclosing_function(&self, node: NodeId) -> Option<NodeId> {
        let owners = self.joined.outgoing(node).iter().filter(|edge| edge.edge_type == EdgeType::MemberOf);
        let mut owners = owners.map(|edge| edge.node);
        owners.find(|owner| self.meta(*owner).is_some_and(|meta| meta.kind.is_callable()))
    }

    /// Follows an edge to another symbol whose call runs `at`.
    fn toward_dispatch(&self, at: &Reached, edge: &Neighbor) -> Follow {
        let is_constructor = || self.constructors.contains(&at.node);
        match (edge.edge_type, edge.is_outgoing()) {
            (EdgeType::Overrides, true) if !is_constructor() => MAY,
            (EdgeType::MemberOf, true) | (EdgeType::Inherits, false) if is_constructor() => THROUGH,
            _ => Follow::No,
        }
    }

    /// Follows an edge from a type to the constructor that a call of it runs.
    fn along_construction(&self, edge: &Neighbor) -> Follow {
        let is_constructor = self.constructors.contains(&edge.node);
        match (edge.edge_type, edge.is_outgoing()) {
            (EdgeType::Contains | EdgeType::Inherits, true) if is_constructor => THROUGH,
            _ => Follow::No,
        }
    }
}
