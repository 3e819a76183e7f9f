//! Commit subjects that share the task's words lead to the symbols of the files that they touched (SPEC §6.2).

use super::lexical::Lexical;
use crate::retrieve::candidates::is_candidate;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning;

/// The definitions of the files whose histories say most, each with its file's share times its own lexical score, best
/// first.
pub fn history(graph: &Graph, lexical: &Lexical) -> Vec<(u32, f64)> {
    let mut files: Vec<(u32, f64)> = lexical.histories.iter().map(|(file, share)| (*file, *share)).collect();
    let path = |file: u32| graph.file_path(file);
    files.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| path(a.0).cmp(&path(b.0))));
    files.truncate(tuning::HISTORY_FILES);
    let symbols = files.iter().flat_map(|(file, share)| graph.of_file(*file).iter().map(move |node| (*node, *share)));
    let valued = symbols.map(|(node, share)| (node, share * lexical.scores.get(node).score));
    let mut found: Vec<(u32, f64)> =
        valued.filter(|(node, value)| *value > 0.0 && is_candidate(graph, *node)).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(graph.tie(a.0).cmp(&graph.tie(b.0))));
    found.truncate(tuning::HISTORY_CHANNEL);
    found
}
