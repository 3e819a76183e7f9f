//! implements, for Go: types whose method sets hold all methods of an interface of the repository.
//!
//! Other languages declare it, and resolution has found those edges already.

use std::collections::HashMap;

use super::hierarchy::Hierarchy;
use crate::graph::view::{GraphView, package_of};
use crate::model::{Edge, EdgeType, Provenance, SymbolKind};

const LANGUAGE: &str = "go";

/// Most implementors that one interface is given: beyond, its methods are too common to mean anything.
const MAX_IMPLEMENTORS: usize = 200;

/// A method set: name and shape, sorted by name; the first of two with one name, which is the nearest, counts.
type MethodSet<'a> = Vec<(&'a str, u64)>;

/// Edges from types to the interfaces that they satisfy. An interface without methods is satisfied by all and gets none.
pub fn satisfied(view: &GraphView<'_>, hierarchy: &Hierarchy) -> Vec<Edge> {
    let mut interfaces: Vec<(u32, MethodSet<'_>)> = Vec::new();
    let mut types: Vec<(u32, MethodSet<'_>)> = Vec::new();
    for position in view.positions() {
        let kind = view.node(position).kind;
        if !kind.is_type() || view.language(position) != LANGUAGE {
            continue;
        }
        let methods = method_set(view, hierarchy, position);
        if !methods.is_empty() {
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
    for (interface, wanted) in &interfaces {
        // Only the holders of the rarest method can have them all.
        let Some(candidates) = wanted
            .iter()
            .map(|(name, _)| holders.get(name).map_or(&[][..], Vec::as_slice))
            .min_by_key(|list| list.len())
        else {
            continue;
        };
        let satisfying = candidates.iter().map(|&index| &types[index]).filter(|(implementor, methods)| {
            holds_all(methods, wanted) && sees_private(view, *implementor, *interface, wanted)
        });
        edges.extend(satisfying.take(MAX_IMPLEMENTORS).map(|&(implementor, _)| Edge {
            source: implementor,
            target: *interface,
            edge_type: EdgeType::Implements,
            provenance: Provenance::AstResolved,
            confidence: Provenance::AstResolved.confidence(),
        }));
    }
    edges
}

/// Own methods and those of embedded types, the nearest of each name.
fn method_set<'a>(view: &GraphView<'a>, hierarchy: &Hierarchy, position: u32) -> MethodSet<'a> {
    let mut set: MethodSet<'a> = Vec::new();
    let ancestors = if hierarchy.bases(position).is_empty() { Vec::new() } else { hierarchy.ancestors(position) };
    for holder in [position].into_iter().chain(ancestors.into_iter().map(|(ancestor, _)| ancestor)) {
        set.extend(hierarchy.methods(holder).iter().map(|&method| (view.node(method).name, view.node(method).shape)));
    }
    // The sort is stable, so the nearest stays first.
    set.sort_by_key(|&(name, _)| name);
    set.dedup_by_key(|(name, _)| *name);
    set
}

/// Both are sorted by name.
fn holds_all(methods: &MethodSet<'_>, wanted: &MethodSet<'_>) -> bool {
    let mut rest = methods.iter();
    wanted.iter().all(|(name, shape)| {
        rest.by_ref()
            .find(|(own, _)| own >= name)
            .is_some_and(|(own, own_shape)| own == name && (own_shape == shape || *own_shape == 0 || *shape == 0))
    })
}

/// A method whose name is private to a package can only be provided within it.
fn sees_private(view: &GraphView<'_>, implementor: u32, interface: u32, wanted: &MethodSet<'_>) -> bool {
    let is_private = |name: &str| name.chars().next().is_some_and(|first| !first.is_uppercase());
    if !wanted.iter().any(|(name, _)| is_private(name)) {
        return true;
    }
    let package = |position: u32| {
        let file = &view.files[view.node(position).file as usize];
        package_of(file.path, file.language)
    };
    package(implementor) == package(interface)
}
