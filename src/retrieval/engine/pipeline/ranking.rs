//! A ranking: every scored symbol with its components, and the trace of the stages, from which `why`, `debug` and the
//! terminal UI explain it.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::{Channel, ConceptHit, FeedbackByNode, Graph, Term};
use crate::features::{FEEDBACK_FEATURES, Feature, LOCATION_FEATURE};
use crate::model::{Answer, Component, Intent, NodeId};
use crate::query::Keywords;
use crate::rank::hits::HubAuthority;
use crate::rank::scoring::{self, BASE, Contribution, Model};
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
    pub keywords: Keywords,
    /// Intent of the task, which selects the model. `None` for a request without a text.
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
    /// The answer of the graph, for a task that is a structural question; `symbols` are those of the answer.
    pub answer: Option<Arc<Answer>>,
}

/// Scores candidates from their features. The order is total: score, then identity.
pub fn rank(
    graph: &Graph,
    candidates: &[NodeId],
    features: &[Feature],
    model: &Model,
    test_factor: f64,
    ranking: &Ranking,
    provenance: &(dyn Fn(NodeId) -> &'static str + Sync),
) -> Vec<Ranked> {
    let intent = ranking.intent;
    let contribution = |feature: &Feature| model.get(feature.name, intent).unwrap_or(Contribution::Weight(0.0));
    let contributions: Vec<Contribution<'_>> = features.iter().map(contribution).collect();
    let base = model.base(intent).map(|base| Contribution::Weight(base).component(BASE, 1.0));
    // Without a shape for tests, their scores are reduced as a whole.
    let is_reduced = test_factor < 1.0 && !matches!(model.get("test", intent), Some(Contribution::Shape(_)));
    let mut ranked: Vec<Ranked> = candidates
        .par_iter()
        .enumerate()
        .map(|(index, &node)| {
            let components = (features.iter().zip(&contributions))
                .map(|(feature, contribution)| contribution.component(feature.name, feature.values[index]));
            let mut others: Vec<Component> = Vec::with_capacity(features.len() + 1);
            let mut feedback = Vec::new();
            for component in base.iter().cloned().chain(components) {
                // A test that the task names by its location is not less relevant than other code.
                let is_kept = FEEDBACK_FEATURES.contains(&component.name) || component.name == LOCATION_FEATURE;
                if is_kept { feedback.push(component) } else { others.push(component) }
            }
            let is_test = graph.meta(node).is_some_and(|meta| meta.is_test);
            let test_factor = (is_test && is_reduced).then_some(test_factor);
            let (score, components) = scoring::score(others, feedback, test_factor);
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
