//! The types' bases and members, looked up by several passes.

use crate::graph::rows::Rows;
use crate::graph::view::GraphView;
use crate::model::{EdgeType, SymbolKind};

/// Longest chain of bases that is climbed. Real ones stay below 15; cycles end here at the latest.
const MAX_HEIGHT: usize = 32;
/// Most ancestors that one type is given.
const MAX_ANCESTORS: usize = 256;

/// Bases and members of every type.
#[derive(Debug)]
pub struct Hierarchy {
    bases: Rows,
    interfaces: Rows,
    methods: Rows,
}

impl Hierarchy {
    /// Reads the extends and implements edges and the containers.
    pub fn new(view: &GraphView<'_>) -> Hierarchy {
        let count = view.nodes.len();
        let ends = |edge_type: EdgeType| {
            let both_types =
                |source: u32, target: u32| view.node(source).kind.is_type() && view.node(target).kind.is_type();
            let matching = view.edges.iter().filter(move |edge| edge.edge_type == edge_type);
            matching
                .map(|edge| (edge.source, edge.target))
                .filter(move |&(source, target)| both_types(source, target))
                .collect()
        };
        let methods = view.positions().filter_map(|position| {
            let node = view.node(position);
            let container = node.container.filter(|&container| (container as usize) < count)?;
            (node.kind == SymbolKind::Method || node.kind == SymbolKind::Function).then_some((container, position))
        });
        Hierarchy {
            bases: Rows::new(count, ends(EdgeType::Extends)),
            interfaces: Rows::new(count, ends(EdgeType::Implements)),
            methods: Rows::new(count, methods.collect()),
        }
    }

    /// Direct bases of a type.
    pub fn bases(&self, of: u32) -> &[u32] {
        self.bases.of(of)
    }

    /// Interfaces that a type declares to implement.
    pub fn interfaces(&self, of: u32) -> &[u32] {
        self.interfaces.of(of)
    }

    /// Methods that stand in a type or in blocks that extend it.
    pub fn methods(&self, of: u32) -> &[u32] {
        self.methods.of(of)
    }

    /// The bases of a type, their bases and so on, nearest first, each with its distance from 1; never the type itself.
    pub fn ancestors(&self, of: u32) -> Vec<(u32, usize)> {
        let mut found: Vec<(u32, usize)> = Vec::new();
        let mut next = 0;
        let (mut at, mut distance) = (of, 0);
        loop {
            if distance < MAX_HEIGHT {
                for &base in self.bases(at) {
                    if base != of && found.len() < MAX_ANCESTORS && !found.iter().any(|&(known, _)| known == base) {
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
