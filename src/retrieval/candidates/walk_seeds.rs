//! The seeds of the walk: its restart distribution over the fused candidates, without noise such as mocks and fixtures.

use std::collections::HashSet;

use super::Graph;
use crate::lang::language_of;
use crate::model::{EdgeType, NodeId, SymbolKind};
use crate::rank::tuning::{self, Tuning};
use crate::store::ScopedName;

/// Returns the seeds with their restart weights, strongest first. Those of `paths` that are no seeds yet follow with
/// [`Tuning::path_restart`].
pub fn seeds(
    graph: &Graph,
    fused: &[NodeId],
    paths: &[NodeId],
    noise: &[(NodeId, &'static str)],
    tuning: &Tuning,
) -> Vec<(NodeId, f64)> {
    let is_noise = |node: &NodeId| noise.iter().any(|(other, _)| other == node);
    let mut candidates: Vec<NodeId> = fused.iter().copied().filter(|node| !is_noise(node)).collect();
    add_implementors(graph, &mut candidates);
    let (_, count) = tuning::SEED_COUNTS
        .into_iter()
        .find(|(max_symbols, _)| graph.symbols() <= *max_symbols)
        .unwrap_or(tuning::SEED_COUNTS[tuning::SEED_COUNTS.len() - 1]);
    let weight = |rank: usize| 1.0 / (1.0 + tuning::SEED_SLOPE * rank as f64);
    let mut seeds: Vec<(NodeId, f64)> =
        candidates.into_iter().take(count).enumerate().map(|(rank, node)| (node, weight(rank))).collect();
    let known: HashSet<NodeId> = seeds.iter().map(|(node, _)| *node).collect();
    let new = paths.iter().filter(|node| !known.contains(node) && !is_noise(node));
    seeds.extend(new.map(|node| (*node, tuning.path_restart)));
    seeds
}

/// Appends the implementors of the interfaces among the candidates.
fn add_implementors(graph: &Graph, candidates: &mut Vec<NodeId>) {
    for interface in candidates.clone() {
        if graph.meta(interface).is_none_or(|meta| meta.kind != SymbolKind::Interface) {
            continue;
        }
        let incoming = graph.incoming(interface).iter();
        let mut implementors: Vec<NodeId> = incoming
            .filter(|neighbor| neighbor.edge_type == EdgeType::Implements)
            .map(|neighbor| neighbor.node)
            .filter(|node| !candidates.contains(node))
            .collect();
        implementors.sort_unstable_by_key(|node| graph.id_prefix(*node));
        implementors.dedup();
        candidates.extend(implementors);
    }
}

/// Returns the rule that excludes a symbol from the seeds, as text for users; `None` for a symbol that may be a seed.
pub fn noise(graph: &Graph, node: NodeId, name: Option<&ScopedName>) -> Option<&'static str> {
    let meta = graph.meta(node)?;
    if matches!(meta.kind, SymbolKind::External | SymbolKind::EnvVar | SymbolKind::Process | SymbolKind::Style) {
        return Some("outside the repository");
    }
    let Some(ScopedName { name, .. }) = name else { return Some("without a name") };
    if name.chars().count() <= 2 && !["ID", "OK", "DB", "IP", "IO", "Go", "Do"].contains(&name.as_str()) {
        return Some("a name of one or two letters");
    }
    if graph.path(node).is_some_and(is_noisy_path) {
        return Some("built, vendored or made for tests");
    }
    (meta.kind.is_type() && is_test_double(name)).then_some("a mock, fake or stub")
}

fn is_noisy_path(file: &str) -> bool {
    const FOLDERS: [&str; 9] =
        ["dist", "build", "vendor", "node_modules", "testdata", "fixtures", "testutil", "testutils", "testhelpers"];
    let name = file.rsplit('/').next().unwrap_or(file);
    let folders = &file[..file.len() - name.len()];
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || language_of(file).is_some_and(|language| language.test_support_files.contains(&name))
        || name.contains(".min.")
}

fn is_test_double(name: &str) -> bool {
    crate::text::split_identifier(name).iter().any(|word| ["mock", "fake", "stub"].contains(&word.as_str()))
}
