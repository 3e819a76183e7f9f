//! Bases and methods of types, shared by several passes.

use std::collections::HashMap;

use crate::graph::derive::rows::Rows;
use crate::graph::view::GraphView;
use crate::model::{EdgeType, NodeId, SymbolKind};

/// Maximum height of a class hierarchy. Real ones stay below 15; the limit also ends cycles.
const MAX_HEIGHT: usize = 32;
/// Maximum number of ancestors of one type.
const MAX_ANCESTORS: usize = 256;

/// Number shared by methods of the same name.
type NameId = u32;

/// Bases, interfaces and methods of every type.
#[derive(Debug)]
pub struct Hierarchy {
    bases: Rows,
    interfaces: Rows,
    methods: Rows,
    /// The methods of each type as indices into `in_order`.
    by_name: Rows<u32>,
    /// All methods by name and position.
    in_order: Vec<NodeId>,
    /// The name of each method.
    names: Vec<NameId>,
    distinct_names: usize,
}

impl Hierarchy {
    /// Builds the hierarchy from the extends and implements edges and the containers.
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
                names[position.index()] = *name_ids.entry(view.name(position)).or_insert(next);
            }
        }
        let mut in_order: Vec<NodeId> = methods.iter().map(|&(_, method)| method).collect();
        in_order.sort_unstable_by_key(|&method| (names[method.index()], method));
        let mut ordinal = vec![0; count];
        (0..).zip(&in_order).for_each(|(number, &method)| ordinal[method.index()] = number);
        let ordinals = methods.iter().map(|&(container, method)| (container, ordinal[method.index()])).collect();
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

    /// Returns the direct bases of a type.
    pub fn bases(&self, ty: NodeId) -> &[NodeId] {
        self.bases.row(ty)
    }

    /// Returns the interfaces that a type declares to implement.
    pub fn interfaces(&self, ty: NodeId) -> &[NodeId] {
        self.interfaces.row(ty)
    }

    /// Returns the methods in a type's body and in blocks that extend it.
    pub fn methods(&self, ty: NodeId) -> &[NodeId] {
        self.methods.row(ty)
    }

    /// Calls `visit` with every pair of methods of `one` and `two` that have the same name. Linear in the methods of
    /// both types and the pairs.
    pub fn same_name_methods(&self, one: NodeId, two: NodeId, mut visit: impl FnMut(NodeId, NodeId)) {
        let method = |index: &u32| self.in_order[*index as usize];
        let mut others = self.by_name.row(two);
        for own in self.by_name.row(one).iter().map(method) {
            let name = self.name(own);
            let before = others.iter().take_while(|index| self.name(method(index)) < name).count();
            others = &others[before..];
            let alike = others.iter().map(method).take_while(|&other| self.name(other) == name);
            alike.for_each(|other| visit(own, other));
        }
    }

    /// Returns the number of a method's name, below [`Hierarchy::distinct_names`].
    pub fn name(&self, method: NodeId) -> NameId {
        self.names[method.index()]
    }

    /// Returns the number of distinct method names.
    pub fn distinct_names(&self) -> usize {
        self.distinct_names
    }

    /// Returns the transitive bases of a type, nearest first, each with its distance (from 1). The type itself is not
    /// included.
    pub fn ancestors(&self, ty: NodeId) -> Vec<(NodeId, usize)> {
        let mut ancestors: Vec<(NodeId, usize)> = Vec::new();
        let mut next = 0;
        let (mut at, mut distance) = (ty, 0);
        loop {
            if distance < MAX_HEIGHT {
                for &base in self.bases(at) {
                    if base != ty
                        && ancestors.len() < MAX_ANCESTORS
                        && !ancestors.iter().any(|&(known, _)| known == base)
                    {
                        ancestors.push((base, distance + 1));
                    }
                }
            }
            let Some(&(ancestor, its_distance)) = ancestors.get(next) else { return ancestors };
            (at, distance) = (ancestor, its_distance);
            next += 1;
        }
    }
}
