//! Features of the query's terms in the path of a candidate's file. Unlike the `path` feature, a term counts by its rarity
//! among files instead of symbols.

use std::collections::HashMap;

use super::{Feature, FeatureContext, feature};
use crate::model::{FileId, NodeId};
use crate::store::SearchColumn;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 2] = ["path_rarity", "path_rarity_share"];

/// Computes the features of the candidates. Linear in the postings.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let shares = shares(context);
    let share =
        |node: NodeId| context.graph.meta(node).and_then(|meta| shares.get(&meta.file?)).copied().unwrap_or(0.0);
    let best = candidates.iter().map(|node| share(*node)).fold(0.0, f64::max);
    vec![
        feature("path_rarity", candidates, share),
        feature("path_rarity_share", candidates, |node| if best > 0.0 { share(node) / best } else { 0.0 }),
    ]
}

/// Returns the share of the query's terms in the path of each file that has one, weighted by their inverse frequency
/// among paths.
fn shares(context: &FeatureContext<'_>) -> HashMap<FileId, f64> {
    let (graph, column) = (context.graph, SearchColumn::Concepts as usize);
    let mut shares: HashMap<FileId, f64> = HashMap::new();
    let mut total = 0.0;
    for term in context.terms {
        let with_term = term.postings.iter().filter(|posting| posting.frequencies[column] > 0);
        let mut files: Vec<FileId> = with_term.filter_map(|posting| graph.meta(posting.document)?.file).collect();
        files.sort_unstable();
        files.dedup();
        if files.is_empty() {
            continue;
        }
        let importance = term.weight * (1.0 + graph.files().len() as f64 / (1.0 + files.len() as f64)).ln();
        total += importance;
        files.into_iter().for_each(|file| *shares.entry(file).or_default() += importance);
    }
    shares.values_mut().for_each(|share| *share /= total);
    shares
}
