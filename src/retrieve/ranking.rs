//! A ranking: every scored symbol with its components, best first.

use std::collections::HashMap;

use crate::model::{Component, SymbolKind};
use crate::rank::bm25f::Scores;
use crate::rank::hits::{HubAuthority, hits};
use crate::rank::score::{self, Part};
use crate::rank::walk::Walk;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning;

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

/// What scoring reads.
pub struct Signals<'a> {
    pub graph: &'a Graph,
    pub lexical: &'a Scores,
    /// Symbols whose name the task writes or spells out, and how much that says, from 0 to 1.
    pub named: &'a HashMap<u32, f64>,
    pub walk: &'a Walk,
    /// What counts as reached by the walk.
    pub walk_floor: f64,
    pub about_tests: bool,
    /// Distance of a symbol the walk never reached.
    pub unreached: u32,
}

impl Signals<'_> {
    /// Scores every candidate. The order is total: score, then file and number.
    pub fn rank(&self, provenance: &dyn Fn(u32) -> &'static str) -> Vec<Ranked> {
        let best = self.lexical.found().iter().map(|node| self.lexical.get(*node).score).fold(0.0, f64::max);
        let scale = if best > 0.0 { 1.0 / best } else { 0.0 };
        let own = |node: u32| self.lexical.get(node).score * scale;
        let authorities = self.authorities();
        let cohesion = self.cohesion(&own);
        let mut ranked: Vec<Ranked> = self
            .candidates()
            .into_iter()
            .filter_map(|node| self.ranked(node, &own, &authorities, &cohesion, provenance(node)))
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(self.graph.tie(a.node).cmp(&self.graph.tie(b.node))));
        ranked
    }

    /// Whatever has lexical evidence, the types of what has, what the walk reached, what the task names.
    fn candidates(&self) -> Vec<u32> {
        let by_words = self.lexical.best(tuning::SCORED, |node| self.is_candidate(node), |node| self.graph.tie(node));
        let containers: Vec<u32> = by_words.iter().filter_map(|node| self.graph.container(*node)).collect();
        let walked = self.walk.nodes.iter().filter(|walked| walked.score >= self.walk_floor).map(|walked| walked.node);
        let mut all: Vec<u32> = by_words;
        all.extend(containers);
        all.extend(walked);
        all.extend(self.named.keys().copied());
        all.retain(|node| self.is_candidate(*node));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn is_candidate(&self, node: u32) -> bool {
        use SymbolKind::{Const, Field, Function, Interface, Macro, Method, Type, Var};
        let kinds = [Function, Method, Type, Interface, Const, Var, Field, Macro];
        self.graph.head(node).is_some_and(|head| kinds.contains(&head.kind))
    }

    fn authorities(&self) -> HashMap<u32, HubAuthority> {
        let mut best: Vec<(u32, f64)> = self.walk.nodes.iter().map(|walked| (walked.node, walked.score)).collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(self.graph.tie(a.0).cmp(&self.graph.tie(b.0))));
        best.truncate(tuning::HITS_NODES);
        let nodes: Vec<u32> = best.into_iter().map(|(node, _)| node).collect();
        let scores = hits(&self.graph.adjacency, &nodes, tuning::HITS_ITERATIONS);
        nodes.into_iter().zip(scores).collect()
    }

    /// For each file the mean of its three best lexical scores.
    fn cohesion(&self, own: &dyn Fn(u32) -> f64) -> HashMap<u32, f64> {
        let mut best: HashMap<u32, [f64; 3]> = HashMap::new();
        for &node in self.lexical.found() {
            let Some(file) = self.graph.head(node).and_then(|head| head.file) else { continue };
            if self.is_candidate(node) {
                let slots = best.entry(file).or_default();
                let mut value = own(node);
                for slot in slots.iter_mut() {
                    if value > *slot {
                        std::mem::swap(slot, &mut value);
                    }
                }
            }
        }
        best.into_iter().map(|(file, top)| (file, top.iter().sum::<f64>() / 3.0)).collect()
    }

    fn ranked(
        &self,
        node: u32,
        own: &dyn Fn(u32) -> f64,
        authorities: &HashMap<u32, HubAuthority>,
        cohesion: &HashMap<u32, f64>,
        provenance: &'static str,
    ) -> Option<Ranked> {
        let head = self.graph.head(node)?;
        let walked = self.walk.get(node);
        let walk = walked.map_or(0.0, |walked| walked.score);
        let mut members: Vec<f64> = self.graph.members(node).map(own).collect();
        members.sort_by(|a, b| b.total_cmp(a));
        let members: f64 = members.iter().take(tuning::MEMBERS_COUNTED).sum::<f64>() / tuning::MEMBERS_COUNTED as f64;
        let container = self.graph.container(node).map_or(0.0, own);
        let parts: [Part; 10] = [
            ("lexical", tuning::WEIGHT_LEXICAL, own(node)),
            ("coverage", tuning::WEIGHT_COVERAGE, self.lexical.get(node).coverage),
            ("named", tuning::WEIGHT_NAMED, self.named.get(&node).copied().unwrap_or(0.0)),
            ("members", tuning::WEIGHT_MEMBERS, members),
            ("container", tuning::WEIGHT_CONTAINER, container),
            ("walk", tuning::WEIGHT_WALK, walk),
            ("authority", tuning::WEIGHT_AUTHORITY, authorities.get(&node).map_or(0.0, |scores| scores.authority)),
            ("popularity", tuning::WEIGHT_POPULARITY, self.popularity(node)),
            (
                "cohesion",
                tuning::WEIGHT_COHESION,
                head.file.and_then(|file| cohesion.get(&file).copied()).unwrap_or(0.0),
            ),
            ("kind", tuning::WEIGHT_KIND, kind_prior(head.kind)),
        ];
        let test_factor = (head.is_test && !self.about_tests).then_some(tuning::TEST_FACTOR);
        let (score, components) = score::score(&parts, test_factor);
        let distance = walked.map_or(self.unreached, |walked| walked.distance);
        Some(Ranked { node, score, components, distance, walk, provenance })
    }

    fn popularity(&self, node: u32) -> f64 {
        score::popularity(self.graph.popularity(node), tuning::POPULARITY_FULL)
    }
}

/// Trivial fields and variables otherwise crowd out what they belong to.
fn kind_prior(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Field | SymbolKind::Var => -1.0,
        SymbolKind::Const => -0.5,
        _ => 0.0,
    }
}
