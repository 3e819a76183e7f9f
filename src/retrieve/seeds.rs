//! From fused candidates to the walk's restart distribution (SPEC §6.3).

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::model::{EdgeType, SymbolKind};
use crate::retrieve::evidence::Name;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning::{self, Tuning};

/// The seeds (node, restart weight), strongest first. Those of `places` that are no seeds yet
/// follow with little weight.
pub fn seeds(
    graph: &Graph,
    fused: &[u32],
    places: &[u32],
    noise: &[(u32, &'static str)],
    tuning: &Tuning,
) -> Vec<(u32, f64)> {
    let is_noise = |node: &u32| noise.iter().any(|(other, _)| other == node);
    let mut candidates: Vec<u32> = fused.iter().copied().filter(|node| !is_noise(node)).collect();
    add_implementors(graph, &mut candidates);
    if graph.symbols() > tuning.types_first_above {
        candidates.sort_by_key(|node| !graph.head(*node).is_some_and(|head| head.kind.is_type()));
    }
    if tuning.largest_group_first {
        largest_group_first(graph, &mut candidates);
    }
    let (_, count) = tuning::SEED_COUNTS
        .into_iter()
        .find(|(most, _)| graph.symbols() <= *most)
        .unwrap_or(tuning::SEED_COUNTS[tuning::SEED_COUNTS.len() - 1]);
    let weight = |rank: usize| 1.0 / (1.0 + tuning::SEED_SLOPE * rank as f64);
    let mut seeds: Vec<(u32, f64)> =
        candidates.into_iter().take(count).enumerate().map(|(rank, node)| (node, weight(rank))).collect();
    let known: HashSet<u32> = seeds.iter().map(|(node, _)| *node).collect();
    let new = places.iter().filter(|node| !known.contains(node) && !is_noise(node));
    seeds.extend(new.map(|node| (*node, tuning.path_restart)));
    seeds
}

/// The folder that most candidates lie in is probably what the task is about: its candidates move to the front.
fn largest_group_first(graph: &Graph, candidates: &mut [u32]) {
    let folder = |node: u32| graph.path(node).map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder));
    // Size, and the place of the first candidate, which breaks ties.
    let mut groups: HashMap<&str, (usize, usize)> = HashMap::new();
    for (place, node) in candidates.iter().enumerate() {
        if let Some(folder) = folder(*node) {
            groups.entry(folder).or_insert((0, place)).0 += 1;
        }
    }
    let largest = groups.into_iter().max_by_key(|&(_, (size, first))| (size, Reverse(first)));
    if let Some((largest, _)) = largest {
        candidates.sort_by_key(|node| folder(*node) != Some(largest));
    }
}

/// Implementors of matched interfaces join behind what was matched.
fn add_implementors(graph: &Graph, candidates: &mut Vec<u32>) {
    for interface in candidates.clone() {
        if graph.head(interface).is_none_or(|head| head.kind != SymbolKind::Interface) {
            continue;
        }
        let implementing = graph.adjacency.incoming(interface).iter();
        let mut implementors: Vec<u32> = implementing
            .filter(|neighbor| neighbor.edge_type == EdgeType::Implements)
            .map(|neighbor| neighbor.node)
            .filter(|node| !candidates.contains(node))
            .collect();
        implementors.sort_unstable_by_key(|node| graph.tie(*node));
        implementors.dedup();
        candidates.extend(implementors);
    }
}

/// The rule by which a symbol would lead the walk astray: outside the repository, built, generated or made for tests.
/// Nothing for one that may start it.
pub fn noise(graph: &Graph, node: u32, name: Option<&Name>) -> Option<&'static str> {
    let head = graph.head(node)?;
    if matches!(head.kind, SymbolKind::External | SymbolKind::EnvVar | SymbolKind::Process) {
        return Some("outside the repository");
    }
    let Some(Name { name, file, .. }) = name else { return Some("without a name") };
    if name.chars().count() <= 2 && !["ID", "OK", "DB", "IP", "IO", "Go", "Do"].contains(&name.as_str()) {
        return Some("a name of one or two letters");
    }
    if is_noisy_path(file) {
        return Some("built, vendored or made for tests");
    }
    (head.kind.is_type() && is_stand_in(name)).then_some("a mock, fake or stub")
}

fn is_noisy_path(file: &str) -> bool {
    const FOLDERS: [&str; 9] =
        ["dist", "build", "vendor", "node_modules", "testdata", "fixtures", "testutil", "testutils", "testhelpers"];
    const FILES: [&str; 2] = ["conftest.py", "fixtures.py"];
    let name = file.rsplit('/').next().unwrap_or(file);
    let folders = &file[..file.len() - name.len()];
    folders.split('/').any(|folder| FOLDERS.contains(&folder)) || FILES.contains(&name) || name.contains(".min.")
}

fn is_stand_in(name: &str) -> bool {
    crate::text::split_identifier(name).iter().any(|word| ["mock", "fake", "stub"].contains(&word.as_str()))
}
