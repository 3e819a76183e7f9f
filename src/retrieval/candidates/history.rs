//! The `history` channel: symbols of the files whose commit subjects share the query's terms.

use std::collections::HashMap;

use super::lexical::Lexical;
use super::select::is_candidate;
use super::{Graph, Groups};
use crate::model::{FileId, NodeId, SymbolKind};
use crate::rank::bm25f::{QueryTerm, idf};
use crate::rank::tuning;
use crate::store::SearchColumn;

/// The parameter k1 of BM25 for a history of length 0.
const HALF: f64 = 2.0;
/// Length of a history, in terms, that increases k1 by 1: the length normalization.
const LONG_HISTORY: f64 = 90.0;

/// Returns the share of the query's terms in the commit subjects of each file, from 0 to 1, weighted by the inverse
/// document frequency among histories.
pub fn file_scores(graph: &Graph, groups: &Groups, terms: &[QueryTerm]) -> HashMap<FileId, f64> {
    let field = SearchColumn::History as usize;
    let length = |node: NodeId| graph.lengths().get(node)[field];
    let mut shares: HashMap<FileId, f64> = HashMap::new();
    let mut total = 0.0;
    for term in terms {
        let matches: Vec<(FileId, f64)> = term
            .postings
            .iter()
            .filter(|posting| posting.frequencies[field] > 0)
            .filter_map(|posting| {
                let meta = graph.meta(posting.document).filter(|meta| meta.kind == SymbolKind::File)?;
                let count = f64::from(posting.frequencies[field]);
                let long = f64::from(length(posting.document)) / LONG_HISTORY;
                Some((meta.file?, count / (count + HALF + long)))
            })
            .collect();
        if matches.is_empty() {
            continue;
        }
        let importance = term.weight * idf(groups.files_with_history(), matches.len());
        total += importance;
        matches.into_iter().for_each(|(file, share)| *shares.entry(file).or_default() += importance * share);
    }
    shares.values_mut().for_each(|share| *share /= total);
    shares
}

/// Returns the definitions of the files with the best histories, each with its file's share times its own lexical
/// score, best first.
pub fn history(graph: &Graph, lexical: &Lexical) -> Vec<(NodeId, f64)> {
    let mut files: Vec<(FileId, f64)> = lexical.histories.iter().map(|(file, share)| (*file, *share)).collect();
    let path = |file: FileId| graph.file_path(file);
    files.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| path(a.0).cmp(&path(b.0))));
    files.truncate(tuning::HISTORY_FILES);
    let symbols =
        files.iter().flat_map(|(file, share)| graph.nodes_in_file(*file).iter().map(move |node| (*node, *share)));
    let scored = symbols.map(|(node, share)| (node, share * lexical.scores.get(node).score));
    let mut found: Vec<(NodeId, f64)> =
        scored.filter(|(node, score)| *score > 0.0 && is_candidate(graph, *node)).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(graph.id_prefix(a.0).cmp(&graph.id_prefix(b.0))));
    found.truncate(tuning::HISTORY_CHANNEL);
    found
}
