//! What the subjects of a file's commits say of its symbols.

use std::collections::HashMap;

use super::{Column, Groups, Sources};
use crate::model::SymbolKind;
use crate::rank::bm25f::{QueryTerm, rarity};
use crate::retrieve::graph::Graph;
use crate::store::SearchColumn;

/// Occurrences of a word at which it counts half, before the length of the history is seen.
const HALF: f64 = 2.0;
/// Words of history that cost a word as much as one missing occurrence.
const LONG_HISTORY: f64 = 90.0;

/// Share of the task's words, by rarity among histories, that the subjects of each file's commits say, from 0 to 1.
pub fn histories(graph: &Graph, groups: &Groups, terms: &[QueryTerm]) -> HashMap<u32, f64> {
    let field = SearchColumn::History as usize;
    let length = |node: u32| graph.lengths.get(node as usize).map_or(0, |lengths| lengths[field]);
    let mut shares: HashMap<u32, f64> = HashMap::new();
    let mut total = 0.0;
    for term in terms {
        let said: Vec<(u32, f64)> = term
            .postings
            .iter()
            .filter(|posting| posting.frequencies[field] > 0)
            .filter_map(|posting| {
                let head = graph.head(posting.document).filter(|head| head.kind == SymbolKind::File)?;
                let count = f64::from(posting.frequencies[field]);
                let long = f64::from(length(posting.document)) / LONG_HISTORY;
                Some((head.file?, count / (count + HALF + long)))
            })
            .collect();
        if said.is_empty() {
            continue;
        }
        let importance = term.weight * rarity(groups.files_with_history(), said.len());
        total += importance;
        said.into_iter().for_each(|(file, share)| *shares.entry(file).or_default() += importance * share);
    }
    shares.values_mut().for_each(|share| *share /= total);
    shares
}

/// What the history of the candidate's file says of the task, from 0 to 1.
pub(super) fn column(sources: &Sources<'_>, candidates: &[u32]) -> Column {
    let share = |node: u32| sources.histories.get(&sources.graph.head(node)?.file?).copied();
    super::column("history", candidates, |node| share(node).unwrap_or(0.0))
}
