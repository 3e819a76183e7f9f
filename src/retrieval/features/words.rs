//! Features of the query's terms in a symbol's own text: over all fields, field by field, and as ranks.

use super::{Feature, FeatureContext, feature, reciprocal_ranks};
use crate::model::NodeId;
use crate::rank::bm25f::by_field;
use crate::rank::tuning;
use crate::store::SearchColumn;

/// Features of single fields of the search index.
const FIELDS: [(&str, SearchColumn); 6] = [
    ("name", SearchColumn::SymbolName),
    ("path", SearchColumn::Concepts),
    ("scope", SearchColumn::QualifiedName),
    ("signature", SearchColumn::Signature),
    ("doc", SearchColumn::Doc),
    ("body", SearchColumn::Body),
];
/// Features that are the reciprocal rank of another feature, with its name.
const RANKS: [(&str, &str); 3] = [("lexical_rank", "lexical_share"), ("name_rank", "name"), ("body_rank", "body")];
/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 12] = [
    "lexical",
    "coverage",
    "lexical_share",
    "name",
    "path",
    "scope",
    "signature",
    "doc",
    "body",
    "lexical_rank",
    "name_rank",
    "body_rank",
];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let graph = context.graph;
    let lengths = |node: NodeId| graph.lengths().get(node);
    let shares =
        by_field(context.terms, graph.symbols(), &tuning::DEFAULT.lexical, &tuning::FIELD_K1, candidates, lengths);
    let max_score = if context.lexical.importance() > 0.0 { context.lexical.importance() } else { 1.0 };
    let mut features = vec![
        feature("lexical", candidates, |node| context.lexical.get(node).score / max_score),
        feature("coverage", candidates, |node| context.lexical.get(node).coverage),
        Feature { name: "lexical_share", values: context.lexical_shares(candidates) },
    ];
    for (name, field) in FIELDS {
        features.push(Feature { name, values: shares.iter().map(|shares| shares[field as usize]).collect() });
    }
    // A test does not take a rank from other code, unless the task is about tests.
    let factors: Vec<f64> = candidates.iter().map(|node| context.factor(*node)).collect();
    for (name, ranked) in RANKS {
        let of = features.iter().find(|feature| feature.name == ranked).map(|feature| feature.values.as_slice());
        let values: Vec<f64> = match ranked {
            "lexical_share" => of.unwrap_or_default().to_vec(),
            _ => of.unwrap_or_default().iter().zip(&factors).map(|(value, factor)| value * factor).collect(),
        };
        features.push(Feature { name, values: reciprocal_ranks(&values) });
    }
    features
}
