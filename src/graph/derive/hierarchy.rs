//! The types' bases and members, looked up by several passes.

use std::collections::HashMap;

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
    /// The methods of each type once more, as places in `in_order`.
    by_name: Rows,
    /// All methods, by name and position.
    in_order: Vec<u32>,
    /// For each node a number that equal names of methods share.
    names: Vec<u32>,
    distinct_names: usize,
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
        let mut methods = Vec::new();
        let mut names = vec![0; count];
        let mut known: HashMap<&str, u32> = HashMap::new();
        for position in view.positions() {
            let node = view.node(position);
            if let Some(container) = node.container
                && matches!(node.kind, SymbolKind::Method | SymbolKind::Function)
            {
                methods.push((container, position));
                let next = known.len() as u32;
                names[position as usize] = *known.entry(node.name).or_insert(next);
            }
        }
        let mut in_order: Vec<u32> = methods.iter().map(|&(_, method)| method).collect();
        in_order.sort_unstable_by_key(|&method| (names[method as usize], method));
        let mut place = vec![0; count];
        (0..).zip(&in_order).for_each(|(number, &method)| place[method as usize] = number);
        let places = methods.iter().map(|&(container, method)| (container, place[method as usize])).collect();
        Hierarchy {
            by_name: Rows::new(count, places),
            in_order,
            bases: Rows::new(count, ends(EdgeType::Extends)),
            interfaces: Rows::new(count, ends(EdgeType::Implements)),
            methods: Rows::new(count, methods),
            distinct_names: known.len(),
            names,
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

    /// Calls `found` with every pair of a method of `one` and a method of `two` that have the same name. Takes time linear
    /// in both types' methods and the pairs.
    pub fn namesakes(&self, one: u32, two: u32, mut found: impl FnMut(u32, u32)) {
        let method = |place: &u32| self.in_order[*place as usize];
        let mut others = self.by_name.of(two);
        for own in self.by_name.of(one).iter().map(method) {
            let name = self.name(own);
            let before = others.iter().take_while(|place| self.name(method(place)) < name).count();
            others = &others[before..];
            let alike = others.iter().map(method).take_while(|&other| self.name(other) == name);
            alike.for_each(|other| found(own, other));
        }
    }

    /// A number below [`Hierarchy::distinct_names`] that only methods of one name share.
    pub fn name(&self, method: u32) -> u32 {
        self.names[method as usize]
    }

    /// How many different names methods have.
    pub fn distinct_names(&self) -> usize {
        self.distinct_names
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
