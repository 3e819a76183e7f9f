//! implements_rpc and consumes_rpc: from types that implement or are made of a service to its procedures.
//!
//! The relation is in names, see [`crate::resolve::services`], which also has the calls of clients.

use std::collections::{BTreeSet, HashMap};

use super::hierarchy::Hierarchy;
use crate::graph::view::GraphView;
use crate::lang::packages::has_services;
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};
use crate::resolve::services::{Candidate, Side, generated_from, nearest, plain, procedures};

/// Services by their plain names.
type Services<'a> = HashMap<String, Vec<Candidate<'a, NodeId>>>;

/// Returns edges from methods to the procedures that they implement or call, and from types to the services that they
/// implement. `satisfied` are the derived implements edges.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy, satisfied: &[Edge]) -> Vec<Edge> {
    let mut services = Services::new();
    let interfaces = view.positions().filter(|position| view.node(*position).kind == SymbolKind::Interface);
    for service in interfaces.filter(|position| has_services(view.language(*position))) {
        let file = view.files[view.node(service).file.index()].path;
        services.entry(plain(view.name(service))).or_default().push(Candidate {
            definition: service,
            file,
            package: package(view, service),
        });
    }
    if services.is_empty() {
        return Vec::new();
    }
    let mut edges = Vec::new();
    let mut implemented: HashMap<NodeId, BTreeSet<NodeId>> = HashMap::new();
    for edge in view.edges.iter().filter(|edge| edge.edge_type == EdgeType::ImplementsRpc) {
        match (view.node(edge.source).container, view.node(edge.target).container) {
            (Some(ty), Some(service)) => edges.push(between(ty, service, EdgeType::ImplementsRpc)),
            _ => _ = implemented.entry(edge.source).or_default().insert(edge.target),
        }
    }
    let is_base = |edge: &&Edge| matches!(edge.edge_type, EdgeType::Extends | EdgeType::Implements);
    for edge in view.edges.iter().filter(is_base).chain(satisfied) {
        let found = generated_for(view, &services, edge.target, Side::Server).into_iter();
        let found = found.chain(named_as(view, &services, edge.target));
        implemented.entry(edge.source).or_default().extend(found);
    }
    for ty in view.positions().filter(|position| view.node(*position).kind.is_type()) {
        if has_services(view.language(ty)) {
            continue;
        }
        let mut served = generated_for(view, &services, ty, Side::Server);
        let ancestors = if hierarchy.bases(ty).is_empty() { Vec::new() } else { hierarchy.ancestors(ty) };
        for holder in std::iter::once(ty).chain(ancestors.into_iter().map(|(ancestor, _)| ancestor)) {
            served.extend(implemented.get(&holder).into_iter().flatten());
        }
        for service in served {
            let before = edges.len();
            add_methods(view, hierarchy, (ty, service), EdgeType::ImplementsRpc, &mut edges);
            if edges.len() > before {
                edges.push(between(ty, service, EdgeType::ImplementsRpc));
            }
        }
        for service in generated_for(view, &services, ty, Side::Client) {
            add_methods(view, hierarchy, (ty, service), EdgeType::ConsumesRpc, &mut edges);
        }
    }
    edges
}

/// Returns the package that the file of a service declares.
fn package<'a>(view: &GraphView<'a>, service: NodeId) -> &'a str {
    let outline = view.defined(service).map(|(outline, _)| outline);
    outline.and_then(|outline| Some(outline.names.get(outline.package?))).unwrap_or_default()
}

/// Returns the services of which a generator makes a type for this side.
fn generated_for(view: &GraphView<'_>, services: &Services<'_>, ty: NodeId, side: Side) -> BTreeSet<NodeId> {
    let path = path(view, ty);
    let names = generated_from(&path).into_iter().filter(|(own, _)| *own == side);
    names.filter_map(|(_, service)| services.get(&plain(service))).flat_map(|found| nearest(found, &path)).collect()
}

/// Returns the service, and its copies, of the same name as a base: Rust's traits and Twirp's interfaces have it.
fn named_as(view: &GraphView<'_>, services: &Services<'_>, base: NodeId) -> Vec<NodeId> {
    let path = path(view, base);
    let last = path.rsplit('.').next().unwrap_or(&path);
    let mut found = services.get(&plain(last)).map_or(Vec::new(), |found| nearest(found, &path));
    found.retain(|service| *service != base);
    found
}

/// Returns the dotted name of an external type, or the file and the name of one in the repository.
fn path(view: &GraphView<'_>, ty: NodeId) -> String {
    match view.files.get(view.node(ty).file.index()) {
        Some(file) => format!("{}.{}", file.path, view.name(ty)),
        None => view.name(ty).to_owned(),
    }
}

/// Adds edges from a type's methods to the procedures of a service that they stand for.
fn add_methods(
    view: &GraphView<'_>,
    hierarchy: &Hierarchy,
    (ty, service): (NodeId, NodeId),
    edge_type: EdgeType,
    edges: &mut Vec<Edge>,
) {
    let known: HashMap<String, NodeId> =
        hierarchy.methods(service).iter().map(|&procedure| (plain(view.name(procedure)), procedure)).collect();
    for &method in hierarchy.methods(ty) {
        let procedure = procedures(view.name(method)).find_map(|name| known.get(&name));
        edges.extend(procedure.map(|&procedure| between(method, procedure, edge_type)));
    }
}

fn between(source: NodeId, target: NodeId, edge_type: EdgeType) -> Edge {
    let provenance = Provenance::AstInferred;
    Edge { source, target, edge_type, provenance, confidence: provenance.confidence() }
}
