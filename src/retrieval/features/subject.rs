//! Features of the terms in the task's subject alone: its first line says most exactly what it is about.

use super::{Feature, FeatureContext, feature, reciprocal_ranks};
use crate::model::NodeId;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 3] = ["subject", "subject_coverage", "subject_rank"];

/// Computes the features of the candidates. For a task of one line they equal those of all its terms.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let scores = context.subject.unwrap_or(context.lexical);
    let max_score = if scores.importance() > 0.0 { scores.importance() } else { 1.0 };
    let ranked: Vec<f64> = candidates.iter().map(|node| context.factor(*node) * scores.get(*node).score).collect();
    vec![
        feature("subject", candidates, |node| scores.get(node).score / max_score),
        feature("subject_coverage", candidates, |node| scores.get(node).coverage),
        Feature { name: "subject_rank", values: reciprocal_ranks(&ranked) },
    ]
}
