//! A ranking: every scored symbol with its components, and the trace of the stages, from which `why`, `debug` and the
//! terminal UI explain it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::candidates::{Channel, ConceptHit, FeedbackByNode, Graph, Term};
use crate::features::{FEEDBACK_FEATURES, Feature, LOCATION_FEATURE};
use crate::model::{Component, Intent, NodeId, Preset};
use crate::query::Keywords;
use crate::rank::hits::HubAuthority;
use crate::rank::scoring::{self, WeightContext, WeightedFeature, Weights};
use crate::rank::tuning;
use crate::rank::walk::Walk;

/// A ranked symbol.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub node: NodeId,
    pub score: f64,
    /// Components, which sum to the score.
    pub components: Vec<Component>,
    /// Hops from the nearest seed; one more than the walk's maximum if it is not reached.
    pub distance: u32,
    /// Score in the walk, from 0 to 1.
    pub walk: f64,
    /// The first channel that found the symbol, or else `bm25`, `feedback` or `walk`.
    pub provenance: &'static str,
}

/// The ranking of a request and its trace.
#[derive(Debug, Default)]
pub struct Ranking {
    pub preset: Preset,
    pub keywords: Keywords,
    /// Identifier density of the task, from 0 to 1; the weights depend on it.
    pub identifier_density: f64,
    /// Intent of the task; the weights depend on it. `None` for a request without a text.
    pub intent: Option<Intent>,
    pub terms: Vec<Term>,
    pub channels: Vec<Channel>,
    /// Hits of the task's concepts, best first.
    pub concepts: Vec<ConceptHit>,
    /// Feedback that applies to the task.
    pub feedback: FeedbackByNode,
    /// Fused candidates with their scores, best first.
    pub fused: Vec<(NodeId, f64)>,
    /// Fused candidates excluded from the seeds, each with the rule.
    pub noise: Vec<(NodeId, &'static str)>,
    /// Restart weights of the walk's seeds, strongest first.
    pub seeds: Vec<(NodeId, f64)>,
    pub walk: Arc<Walk>,
    /// Minimum score in the walk for a candidate that only the walk found.
    pub walk_floor: f64,
    /// Number of symbols scored because of their lexical score; 0 if only the walk counts.
    pub scored: usize,
    pub hits: Arc<HashMap<NodeId, HubAuthority>>,
    /// Best first.
    pub symbols: Vec<Ranked>,
}

/// Scores candidates from their features. The order is total: score, then identity.
pub fn rank(
    graph: &Graph,
    candidates: &[NodeId],
    features: &[Feature],
    weights: &Weights,
    test_factor: f64,
    ranking: &Ranking,
    provenance: &dyn Fn(NodeId) -> &'static str,
) -> Vec<Ranked> {
    let Ranking { identifier_density, intent, .. } = *ranking;
    let context = WeightContext { identifier_density, intent, has_hits: !ranking.hits.is_empty() };
    let weights: Vec<f64> = features.iter().map(|feature| weights.get(feature.name, context)).collect();
    let mut ranked: Vec<Ranked> = candidates
        .iter()
        .enumerate()
        .map(|(index, &node)| {
            let weighted = features.iter().zip(&weights);
            let weighted = weighted.map(|(feature, weight)| (feature.name, *weight, feature.values[index]));
            // A test that the task names by its location is not less relevant than other code.
            let (feedback, others): (Vec<WeightedFeature>, Vec<WeightedFeature>) =
                weighted.partition(|(name, ..)| FEEDBACK_FEATURES.contains(name) || *name == LOCATION_FEATURE);
            let is_test = graph.meta(node).is_some_and(|meta| meta.is_test);
            let test_factor = (is_test && test_factor < 1.0).then_some(test_factor);
            let (score, components) = scoring::score(&others, &feedback, test_factor);
            let walked = ranking.walk.get(node);
            Ranked {
                node,
                score,
                components,
                distance: walked.map_or(tuning::WALK.max_hops + 1, |walked| walked.distance),
                walk: walked.map_or(0.0, |walked| walked.score),
                provenance: provenance(node),
            }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(graph.id_prefix(a.node).cmp(&graph.id_prefix(b.node))));
    ranked
}
