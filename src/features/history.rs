//! Features of a file's commit subjects.

use std::collections::HashMap;

use super::{Feature, FeatureContext};
use crate::candidates::Graph;
use crate::model::{FileId, NodeId, SymbolKind};
use crate::store::SearchColumn;

/// Terms in the commit subjects of a file at which `churn` is 1.
const MUCH_HISTORY: f64 = 1_000.0;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 2] = ["history", "churn"];

/// Returns the share of the query's terms in the history of each candidate's file, from 0 to 1, and the logarithm of the
/// history's length: files that changed often are changed again.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let graph = context.graph;
    let share = |node: NodeId| context.histories.get(&graph.meta(node)?.file?).copied();
    let mut lengths: HashMap<FileId, f64> = HashMap::new();
    let mut length = |node: NodeId| {
        let Some(file) = graph.meta(node).and_then(|meta| meta.file) else { return 0.0 };
        *lengths.entry(file).or_insert_with(|| f64::from(history_length(graph, file)))
    };
    let churn = candidates.iter().map(|node| (length(*node).ln_1p() / MUCH_HISTORY.ln_1p()).min(1.0)).collect();
    vec![
        super::feature("history", candidates, |node| share(node).unwrap_or(0.0)),
        Feature { name: "churn", values: churn },
    ]
}

/// Returns the number of terms in the commit subjects of a file.
fn history_length(graph: &Graph, file: FileId) -> u32 {
    let is_file = |node: &&NodeId| graph.meta(**node).is_some_and(|meta| meta.kind == SymbolKind::File);
    let node = graph.nodes_in_file(file).iter().find(is_file);
    node.and_then(|node| graph.lengths.get(node.index())).map_or(0, |lengths| lengths[SearchColumn::History as usize])
}
