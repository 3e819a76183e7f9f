//! A ranking: every scored symbol with its components, best first, and all that led there. `why`, `debug` and the
//! explorer read this; there is no second implementation for explanations.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use crate::model::{Component, Intent, Preset};
use crate::rank::hits::HubAuthority;
use crate::rank::keywords::Keywords;
use crate::rank::score::{self, Part};
use crate::rank::walk::Walk;
use crate::retrieve::classes::ClassHit;
use crate::retrieve::evidence::{Column, TAUGHT};
use crate::retrieve::graph::Graph;
use crate::retrieve::lessons::Lessons;
use crate::retrieve::tuning;
use crate::retrieve::weights::{Circumstances, Weights};

/// A ranked symbol.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub node: u32,
    pub score: f64,
    /// They sum to the score.
    pub components: Vec<Component>,
    /// Hops from the nearest seed.
    pub distance: u32,
    /// Share of the walk, from 0 to 1.
    pub walk: f64,
    /// How the symbol entered: the first channel that found it, or `walk`.
    pub provenance: &'static str,
}

/// A term that the lexical channel looked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    pub text: String,
    pub weight: f64,
    /// Symbols that have it; none when too many do for it to tell anything.
    pub symbols: usize,
}

/// What one channel found, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    pub name: &'static str,
    /// In the fusion.
    pub weight: f64,
    /// Each with the channel's own score.
    pub found: Vec<(u32, f64)>,
}

/// What the pipeline found out about a task on its way.
#[derive(Debug, Default)]
pub struct Ranking {
    pub preset: Preset,
    pub keywords: Keywords,
    /// How far the task names code, from 0 to 1: it moves the weights.
    pub names_code: f64,
    /// What kind of task its words make it: that moves the weights, too. None where the request is not in words.
    pub kind: Option<Intent>,
    pub terms: Vec<Term>,
    pub channels: Vec<Channel>,
    /// What the vocabulary led to: class, phrase, layer, target, value.
    pub classes: Vec<ClassHit>,
    /// What was taught that speaks of the task.
    pub lessons: Lessons,
    /// Best first, with the fused score.
    pub fused: Vec<(u32, f64)>,
    /// Fused candidates that may not start the walk, and by which rule.
    pub noise: Vec<(u32, &'static str)>,
    /// Restart weights of the walk's seeds, strongest first.
    pub seeds: Vec<(u32, f64)>,
    pub walk: Arc<Walk>,
    /// What the walk must reach for a symbol to be a candidate on its account.
    pub walk_floor: f64,
    /// How many symbols are scored on account of their words; none where only the walk counts.
    pub scored: usize,
    pub hits: Arc<HashMap<u32, HubAuthority>>,
    /// Best first.
    pub symbols: Vec<Ranked>,
}

/// Scores candidates from their columns. The order is total: score, then identity.
pub fn rank(
    graph: &Graph,
    candidates: &[u32],
    columns: &[Column],
    weights: &Weights,
    test_factor: f64,
    ranking: &Ranking,
    provenance: &dyn Fn(u32) -> &'static str,
) -> Vec<Ranked> {
    let Ranking { names_code, kind, .. } = *ranking;
    let circumstances = Circumstances { names_code, kind, has_hits: !ranking.hits.is_empty() };
    let weights: Vec<f64> = columns.iter().map(|column| weights.of(column.name, circumstances)).collect();
    let mut ranked: Vec<Ranked> = candidates
        .iter()
        .enumerate()
        .map(|(place, &node)| {
            let parts = columns.iter().zip(&weights);
            let parts = parts.map(|(column, weight)| (column.name, *weight, column.values[place]));
            let (taught, found): (Vec<Part>, Vec<Part>) =
                parts.partition(|(name, ..)| TAUGHT.iter().any(|(taught, _)| name == taught));
            let is_test = graph.head(node).is_some_and(|head| head.is_test);
            let test_factor = (is_test && test_factor < 1.0).then_some(test_factor);
            let (score, components) = score::score(&found, &taught, test_factor);
            let walked = ranking.walk.get(node);
            Ranked {
                node,
                score,
                components,
                distance: walked.map_or(tuning::WALK.most_hops + 1, |walked| walked.distance),
                walk: walked.map_or(0.0, |walked| walked.score),
                provenance: provenance(node),
            }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(graph.tie(a.node).cmp(&graph.tie(b.node))));
    ranked
}
