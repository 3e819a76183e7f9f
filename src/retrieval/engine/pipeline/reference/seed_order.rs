//! The order of the seeds: the folder with the most candidates first; within that order, types first in large graphs.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::candidates::Graph;
use crate::model::NodeId;
use crate::text::parent_dir;

/// Number of symbols above which types come first.
const TYPES_FIRST_ABOVE: usize = 40_000;

/// Reorders the fused candidates before the best become seeds.
pub fn reorder(graph: &Graph, candidates: &mut [NodeId]) {
    if graph.symbols() > TYPES_FIRST_ABOVE {
        candidates.sort_by_key(|node| !graph.meta(*node).is_some_and(|meta| meta.kind.is_type()));
    }
    largest_folder_first(graph, candidates);
}

/// Moves the candidates of the folder with the most candidates to the front: it is probably the task's subject.
fn largest_folder_first(graph: &Graph, candidates: &mut [NodeId]) {
    let folder = |node: NodeId| graph.path(node).map(parent_dir);
    // Size and rank of the first candidate, which breaks ties.
    let mut folders: HashMap<&str, (usize, usize)> = HashMap::new();
    for (rank, node) in candidates.iter().enumerate() {
        if let Some(folder) = folder(*node) {
            folders.entry(folder).or_insert((0, rank)).0 += 1;
        }
    }
    let largest = folders.into_iter().max_by_key(|&(_, (size, first))| (size, Reverse(first)));
    if let Some((largest, _)) = largest {
        candidates.sort_by_key(|node| folder(*node) != Some(largest));
    }
}
