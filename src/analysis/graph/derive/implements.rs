//! implements, for languages with implicit interfaces: types whose method sets satisfy an interface of the repository.
//!
//! In other languages the relation is declared, and resolution finds it. Where methods only suggest it, so do the edges.

use std::collections::HashMap;

use super::hierarchy::Hierarchy;
use crate::graph::view::GraphView;
use crate::lang::packages::{has_implicit_interfaces, is_private_method, satisfies_for_certain, standard_interface};
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};

/// Maximum number of implementors of an interface. With more, its methods are too common to be significant, and it has
/// no edges at all.
const MAX_IMPLEMENTORS: usize = 200;

/// Maximum number of implementors where they are inferred.
const MAX_INFERRED: usize = 32;

/// Names and shapes of methods, sorted by name. Of several methods of one name only the nearest is included.
type MethodSet<'a> = Vec<(&'a str, u64)>;

/// Returns edges from types to the interfaces that they satisfy. Interfaces without methods, which every type
/// satisfies, have no edges, nor have those that embed an unknown external interface.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy) -> Vec<Edge> {
    let is_interface = |position: &NodeId| {
        let is_implicit = has_implicit_interfaces(view.language(*position));
        view.node(*position).kind == SymbolKind::Interface && is_implicit
    };
    if !view.positions().any(|position| is_interface(&position)) {
        return Vec::new();
    }
    let external = external_bases(view);
    let mut interfaces: Vec<(NodeId, MethodSet<'_>)> = Vec::new();
    let mut types: Vec<(NodeId, MethodSet<'_>)> = Vec::new();
    for position in view.positions() {
        let kind = view.node(position).kind;
        if !kind.is_type() || !has_implicit_interfaces(view.language(position)) {
            continue;
        }
        let (methods, is_complete) = method_set(view, hierarchy, &external, position);
        if !methods.is_empty() && (is_complete || kind != SymbolKind::Interface) {
            let list = if kind == SymbolKind::Interface { &mut interfaces } else { &mut types };
            list.push((position, methods));
        }
    }
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, (_, methods)) in types.iter().enumerate() {
        for &(name, _) in methods {
            holders.entry(name).or_default().push(index);
        }
    }
    let mut edges = Vec::new();
    for (interface, required) in &interfaces {
        // A type that has all methods has the rarest one.
        let Some(candidates) = required
            .iter()
            .map(|(name, _)| holders.get(name).map_or(&[][..], Vec::as_slice))
            .min_by_key(|list| list.len())
        else {
            continue;
        };
        let language = view.language(*interface);
        let (provenance, most) = match satisfies_for_certain(language) {
            true => (Provenance::AstResolved, MAX_IMPLEMENTORS),
            false => (Provenance::AstInferred, MAX_INFERRED),
        };
        let is_declared = |implementor: NodeId| {
            provenance == Provenance::AstInferred
                && hierarchy.ancestors(implementor).iter().any(|(ancestor, _)| ancestor == interface)
        };
        let satisfying = candidates.iter().map(|&index| &types[index]).filter(|(implementor, methods)| {
            satisfies(methods, required)
                && view.language(*implementor) == language
                && can_see_private_methods(view, *implementor, *interface, required)
                && !is_declared(*implementor)
        });
        let implementors: Vec<NodeId> = satisfying.map(|&(implementor, _)| implementor).take(most + 1).collect();
        if implementors.len() > most {
            continue;
        }
        edges.extend(implementors.into_iter().map(|implementor| Edge {
            source: implementor,
            target: *interface,
            edge_type: EdgeType::Implements,
            provenance,
            confidence: provenance.confidence(),
        }));
    }
    edges
}

/// Returns the external types that each type embeds, by dotted name.
fn external_bases<'a>(view: &GraphView<'a>) -> HashMap<NodeId, Vec<&'a str>> {
    let mut external: HashMap<NodeId, Vec<&str>> = HashMap::new();
    for edge in view.edges.iter().filter(|edge| edge.edge_type == EdgeType::Extends) {
        if view.node(edge.target).kind == SymbolKind::External && has_implicit_interfaces(view.language(edge.source)) {
            external.entry(edge.source).or_default().push(view.name(edge.target));
        }
    }
    external
}

/// Returns the methods of a type and of its embedded types, the nearest of each name, and whether the set is complete.
fn method_set<'a>(
    view: &GraphView<'a>,
    hierarchy: &Hierarchy,
    external: &HashMap<NodeId, Vec<&'a str>>,
    position: NodeId,
) -> (MethodSet<'a>, bool) {
    let mut set: MethodSet<'a> = Vec::new();
    let mut is_complete = true;
    let ancestors = if hierarchy.bases(position).is_empty() { Vec::new() } else { hierarchy.ancestors(position) };
    for holder in [position].into_iter().chain(ancestors.into_iter().map(|(ancestor, _)| ancestor)) {
        set.extend(hierarchy.methods(holder).iter().map(|&method| (view.name(method), view.node(method).shape)));
        for name in external.get(&holder).into_iter().flatten() {
            match standard_interface(view.language(holder), name) {
                Some(methods) => set.extend(methods.into_iter().map(|method| (method, 0))),
                None => is_complete = false,
            }
        }
    }
    // The sort is stable, so the nearest stays first.
    set.sort_by_key(|&(name, _)| name);
    set.dedup_by_key(|(name, _)| *name);
    (set, is_complete)
}

/// Returns whether a method set contains all required methods. Both are sorted by name.
fn satisfies(methods: &MethodSet<'_>, required: &MethodSet<'_>) -> bool {
    let mut rest = methods.iter();
    required.iter().all(|(name, shape)| {
        rest.by_ref()
            .find(|(own, _)| own >= name)
            .is_some_and(|(own, own_shape)| own == name && (own_shape == shape || *own_shape == 0 || *shape == 0))
    })
}

/// Returns whether a type can have the interface's private methods, which requires the same package.
fn can_see_private_methods(
    view: &GraphView<'_>,
    implementor: NodeId,
    interface: NodeId,
    required: &MethodSet<'_>,
) -> bool {
    let language = view.language(interface);
    if !required.iter().any(|(name, _)| is_private_method(language, name)) {
        return true;
    }
    let package = |position: NodeId| view.files[view.node(position).file.index()].package();
    package(implementor) == package(interface)
}
