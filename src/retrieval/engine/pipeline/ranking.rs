//! A ranking: every scored symbol with its components, and the trace of the stages, from which `why`, `debug` and the
//! terminal UI explain it.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::{Channel, ConceptHit, FeedbackByNode, FramePlace, Graph, Term};
use crate::engine::removed::BaseComparison;
use crate::features::{EXACT_FEATURE, FEEDBACK_FEATURES, Feature, LOCATION_FEATURE, PRINTED_FEATURE};
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

impl Ranked {
    /// Adds to a component of the score, which has at least this value then.
    fn add(&mut self, name: &'static str, value: f64, contribution: f64) {
        match self.components.iter_mut().find(|component| component.name == name) {
            Some(component) => {
                component.contribution += contribution;
                component.value = component.value.max(value);
            }
            None => self.components.push(Component { name, value, contribution }),
        }
        self.score = self.components.iter().map(|component| component.contribution).sum();
    }
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
    /// The functions of the frames of the task's traces.
    pub frames: HashMap<NodeId, FramePlace>,
    /// The comparison with a revision, if the request is about what changed since it.
    pub compared: Option<Arc<BaseComparison>>,
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
    /// The reason why a question has no answer: no symbol has the name that it asks about.
    pub unknown_name: Option<String>,
    /// Notes on what of the request has no part in the ranking: files that are not indexed.
    pub notes: Vec<String>,
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
            Ranked {
                node,
                score,
                components,
                distance: ranking.walk.distance(graph, node).unwrap_or(tuning::WALK.max_hops + 1),
                walk: ranking.walk.score(node),
                provenance: provenance(node),
            }
        })
        .collect();
    sort(graph, &mut ranked);
    ranked
}

/// Orders by score, then identity.
fn sort(graph: &Graph, ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(graph.id_prefix(a.node).cmp(&graph.id_prefix(b.node))));
}

/// Puts the definitions of a task's only name before all others, in this order: whoever types a name expects what has it,
/// and no other evidence of one word outweighs that.
pub fn put_first(graph: &Graph, ranked: &mut [Ranked], sole: &[NodeId]) {
    let others = ranked.iter().filter(|one| !sole.contains(&one.node)).map(|one| one.score);
    let mut bar = others.fold(0.0, f64::max);
    for node in sole.iter().rev() {
        let Some(one) = ranked.iter_mut().find(|one| one.node == *node) else { continue };
        bar = one.score.max(bar + LEAD_STEP);
        let missing = bar - one.score;
        one.add(EXACT_FEATURE, 1.0, missing);
    }
    sort(graph, ranked);
}

/// Evidence that leads a few symbols among the first, and nothing further.
///
/// # Why
///
/// Two votes make a learned term. Whoever gave them expects to see what they said; as a summand of the score alone it would
/// need a weight that outranks every other evidence elsewhere. Likewise what prints a message of the task: it must be seen,
/// and is often not what has to change. Here no other symbol loses more than a few ranks.
#[derive(Debug)]
pub struct Lead {
    /// The component that grows by what is missing.
    pub component: &'static str,
    /// The rank to which it leads at least.
    pub rank: usize,
    /// Limit of the symbols that it leads there.
    pub count: usize,
}

/// Leads the symbols with the best `values` by one kind of evidence.
pub fn lead(graph: &Graph, ranked: &mut [Ranked], values: &HashMap<NodeId, f64>, lead: &Lead) {
    let mut led: Vec<(f64, usize)> = (ranked.iter().enumerate())
        .filter_map(|(index, one)| Some((*values.get(&one.node)?, index)))
        .filter(|(value, _)| *value > 0.0)
        .collect();
    led.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    led.truncate(lead.count);
    led.retain(|(_, index)| *index >= lead.rank);
    let Some(bar) = ranked.get(lead.rank - led.len()).map(|one| one.score).filter(|_| !led.is_empty()) else {
        return;
    };
    for (order, (_, index)) in led.iter().rev().enumerate() {
        let one = &mut ranked[*index];
        let missing = bar + LEAD_STEP * (order + 1) as f64 - one.score;
        one.add(lead.component, 0.0, missing);
    }
    sort(graph, ranked);
}

/// Learned terms. One that led to more symbols leads to none.
pub const LEARNED: Lead = Lead { component: FEEDBACK_FEATURES[1], rank: 10, count: 2 };
/// Messages of the task.
pub const PRINTED: Lead = Lead { component: PRINTED_FEATURE, rank: 6, count: 2 };
/// Distance of the scores of these symbols from the one behind them, and from each other.
const LEAD_STEP: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(count: u32) -> Vec<Ranked> {
        let one = |number: u32| {
            let score = 1.0 - f64::from(number) / 100.0;
            let components = vec![
                Component { name: "lexical", value: score, contribution: score },
                Component { name: LEARNED.component, value: 0.0, contribution: 0.0 },
            ];
            Ranked { node: NodeId::new(number), score, components, distance: 0, walk: 0.0, provenance: "bm25" }
        };
        (0..count).map(one).collect()
    }

    /// Returns the ranks from 1 of these symbols, when learned terms lead to them with these values.
    fn ranks(count: u32, values: &[(u32, f64)]) -> Vec<usize> {
        let mut ranked = ranked(count);
        let by_node = values.iter().map(|(node, value)| (NodeId::new(*node), *value)).collect();
        lead(&Graph::default(), &mut ranked, &by_node, &LEARNED);
        for one in &ranked {
            let sum: f64 = one.components.iter().map(|component| component.contribution).sum();
            assert!((sum - one.score).abs() < 1e-12, "{one:?}");
        }
        let rank = |node: u32| ranked.iter().position(|one| one.node == NodeId::new(node)).unwrap() + 1;
        values.iter().map(|(node, _)| rank(*node)).collect()
    }

    #[test]
    fn the_definitions_of_a_name_are_first_in_their_order() {
        let mut ranked = ranked(9);
        put_first(&Graph::default(), &mut ranked, &[7, 0, 4].map(NodeId::new));
        let order: Vec<u32> = ranked.iter().map(|one| one.node.get()).collect();
        assert_eq!(order, [7, 0, 4, 1, 2, 3, 5, 6, 8]);
        for one in &ranked {
            let sum: f64 = one.components.iter().map(|component| component.contribution).sum();
            assert!((sum - one.score).abs() < 1e-12, "{one:?}");
        }
    }

    #[test]
    fn learned_terms_lead_among_the_first_ten() {
        assert_eq!(ranks(80, &[(70, 0.3)]), [10]);
        assert_eq!(ranks(80, &[(70, 0.3), (60, 0.8)]), [10, 9]);
        assert_eq!(ranks(80, &[(70, 0.3), (60, 0.8), (50, 0.5)]), [71, 9, 10], "no more than two");
        assert_eq!(ranks(80, &[(3, 0.9), (70, 0.3)]), [4, 10]);
        assert_eq!(ranks(80, &[(70, 0.0)]), [71]);
        assert_eq!(ranks(5, &[(4, 0.3)]), [5]);
    }
}
