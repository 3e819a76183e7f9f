//! Features of the query's terms in a symbol's own text: over all fields, field by field, and as reciprocal ranks.

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;
use crate::rank::bm25f::by_field;
use crate::rank::tuning;
use crate::store::SearchColumn;

/// Features of single fields of the search index. The signature has none, because it did not improve any measure.
const FIELDS: [(&str, SearchColumn); 5] = [
    ("name", SearchColumn::SymbolName),
    ("path", SearchColumn::Concepts),
    ("scope", SearchColumn::QualifiedName),
    ("doc", SearchColumn::Doc),
    ("body", SearchColumn::Body),
];

/// Features that are the reciprocal rank of another feature, with its name.
const RANKS: [(&str, &str); 2] = [("name_rank", "lexical"), ("body_rank", "body")];

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 9] =
    ["lexical", "coverage", "name", "path", "scope", "doc", "body", "name_rank", "body_rank"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let graph = context.graph;
    let lengths = |node: NodeId| graph.lengths.get(node.index()).copied().unwrap_or_default();
    let shares =
        by_field(context.terms, graph.symbols(), &tuning::DEFAULT.lexical, &tuning::FIELD_K1, candidates, lengths);
    let max_score = if context.lexical.importance() > 0.0 { context.lexical.importance() } else { 1.0 };
    let mut features = vec![
        feature("lexical", candidates, |node| context.lexical.get(node).score / max_score),
        feature("coverage", candidates, |node| context.lexical.get(node).coverage),
    ];
    for (name, field) in FIELDS {
        features.push(Feature { name, values: shares.iter().map(|shares| shares[field as usize]).collect() });
    }
    for (name, ranked) in RANKS {
        let values = features.iter().find(|feature| feature.name == ranked);
        let values = values.map(|feature| reciprocal_ranks(&feature.values));
        features.push(Feature { name, values: values.unwrap_or_default() });
    }
    features
}

/// Returns the reciprocal rank `k / (k + rank)` of each value with `k` = [`tuning::RECIPROCAL_RANK_K`] and 0-based
/// ranks; equal values share a rank, and 0 remains 0. Unlike the values, it separates the first ranks however close the
/// values are.
fn reciprocal_ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|one, two| two.total_cmp(one));
    let rank = |value: f64| sorted.partition_point(|other| *other > value) as f64;
    let reciprocal = |value: f64| tuning::RECIPROCAL_RANK_K / (tuning::RECIPROCAL_RANK_K + rank(value));
    values.iter().map(|value| if *value > 0.0 { reciprocal(*value) } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_reciprocal_rank() {
        assert_eq!(tuning::RECIPROCAL_RANK_K, 5.0);
        assert_eq!(reciprocal_ranks(&[0.2, 0.9, 0.0, 0.2]), [5.0 / 6.0, 1.0, 0.0, 5.0 / 6.0]);
        assert!(reciprocal_ranks(&[]).is_empty());
    }
}
