//! The types' bases and members, looked up by several passes.

use std::collections::HashMap;

use crate::graph::derive::rows::Rows;
use crate::graph::view::GraphView;
use crate::model::{EdgeType, NodeId, SymbolKind};

/// Longest chain of bases that is climbed. Real ones stay below 15; cycles end here at the latest.
const MAX_HEIGHT: usize = 32;
/// Most ancestors that one type is given.
const MAX_ANCESTORS: usize = 256;

/// Number that methods of one name share.
pub type NameId = u32;

/// Bases and members of every type.
#[derive(Debug)]
pub struct Hierarchy {
    bases: Rows,
    interfaces: Rows,
    methods: Rows,
    /// The methods of each type once more, as places in `in_order`.
    by_name: Rows,
    /// All methods, by name and position.
    in_order: Vec<NodeId>,
    /// For each node a number that equal names of methods share.
    names: Vec<NameId>,
    distinct_names: usize,
}

impl Hierarchy {
    /// Reads the extends and implements edges and the containers.
    pub fn new(view: &GraphView<'_>) -> Hierarchy {
        let count = view.nodes.len();
        let endpoints = |edge_type: EdgeType| {
            let both_types =
                |source: NodeId, target: NodeId| view.node(source).kind.is_type() && view.node(target).kind.is_type();
            let matching = view.edges.iter().filter(move |edge| edge.edge_type == edge_type);
            matching
                .map(|edge| (edge.source, edge.target))
                .filter(move |&(source, target)| both_types(source, target))
                .collect()
        };
        let mut methods = Vec::new();
        let mut names = vec![0; count];
        let mut name_ids: HashMap<&str, NameId> = HashMap::new();
        for position in view.positions() {
            let node = view.node(position);
            if let Some(container) = node.container
                && matches!(node.kind, SymbolKind::Method | SymbolKind::Function)
            {
                methods.push((container, position));
                let next = name_ids.len() as NameId;
                names[position as usize] = *name_ids.entry(node.name).or_insert(next);
            }
        }
        let mut in_order: Vec<NodeId> = methods.iter().map(|&(_, method)| method).collect();
        in_order.sort_unstable_by_key(|&method| (names[method as usize], method));
        let mut ordinal = vec![0; count];
        (0..).zip(&in_order).for_each(|(number, &method)| ordinal[method as usize] = number);
        let ordinals = methods.iter().map(|&(container, method)| (container, ordinal[method as usize])).collect();
        Hierarchy {
            by_name: Rows::new(count, ordinals),
            in_order,
            bases: Rows::new(count, endpoints(EdgeType::Extends)),
            interfaces: Rows::new(count, endpoints(EdgeType::Implements)),
            methods: Rows::new(count, methods),
            distinct_names: name_ids.len(),
            names,
        }
    }

    /// Direct bases of a type.
    pub fn bases(&self, ty: NodeId) -> &[NodeId] {
        self.bases.row(ty)
    }

    /// Interfaces that a type declares to implement.
    pub fn interfaces(&self, ty: NodeId) -> &[NodeId] {
        self.interfaces.row(ty)
    }

    /// Methods that stand in a type or in blocks that extend it.
    pub fn methods(&self, ty: NodeId) -> &[NodeId] {
        self.methods.row(ty)
    }

    /// Calls `found` with every pair of a method of `one` and a method of `two` that have the same name. Takes time linear
    /// in both types' methods and the pairs.
    pub fn same_name_methods(&self, one: NodeId, two: NodeId, mut found: impl FnMut(NodeId, NodeId)) {
        let method = |index: &u32| self.in_order[*index as usize];
        let mut others = self.by_name.row(two);
        for own in self.by_name.row(one).iter().map(method) {
            let name = self.name(own);
            let before = others.iter().take_while(|index| self.name(method(index)) < name).count();
            others = &others[before..];
            let alike = others.iter().map(method).take_while(|&other| self.name(other) == name);
            alike.for_each(|other| found(own, other));
        }
    }

    /// A number below [`Hierarchy::distinct_names`] that only methods of one name share.
    pub fn name(&self, method: NodeId) -> NameId {
        self.names[method as usize]
    }

    /// How many different names methods have.
    pub fn distinct_names(&self) -> usize {
        self.distinct_names
    }

    /// The bases of a type, their bases and so on, nearest first, each with its distance from 1; never the type itself.
    pub fn ancestors(&self, ty: NodeId) -> Vec<(NodeId, usize)> {
        let mut found: Vec<(NodeId, usize)> = Vec::new();
        let mut next = 0;
        let (mut at, mut distance) = (ty, 0);
        loop {
            if distance < MAX_HEIGHT {
                for &base in self.bases(at) {
                    if base != ty && found.len() < MAX_ANCESTORS && !found.iter().any(|&(known, _)| known == base) {
                        found.push((base, distance + 1));
                    }
                }
            }
            let Some(&(ancestor, its_distance)) = found.get(next) else { return found };
            (at, distance) = (ancestor, its_distance);
            next += 1;
        }
    }
}
