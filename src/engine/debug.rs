//! The stages of a ranking with names in place of numbers: what `debug` prints of the trace that ranking leaves.

use serde::Serialize;

use super::why::{PathStep, Place};
use super::{EngineError, Ranker};
use crate::model::Intent;
use crate::rank::keywords::Keywords;
use crate::retrieve::{Ranking, Term};

/// What the task's words became.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeywordStage {
    #[serde(flatten)]
    pub keywords: Keywords,
    /// How far the task names code, from 0 to 1: it moves the weights.
    pub names_code: f64,
    /// What kind of task its words make it: that moves the weights, too.
    pub kind_of_task: Option<Intent>,
    pub terms: Vec<Term>,
}

/// What the channels found, and what fusion made of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelStage {
    pub channels: Vec<ChannelList>,
    pub fused: Vec<FusedSymbol>,
}

/// One channel's best symbols.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelList {
    pub channel: &'static str,
    pub weight: f64,
    /// How many it found.
    pub found: usize,
    pub symbols: Vec<NamedPlace>,
}

/// A symbol in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedPlace {
    pub symbol: String,
    #[serde(flatten)]
    pub place: Place,
}

/// A fused candidate, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FusedSymbol {
    #[serde(flatten)]
    pub named: NamedPlace,
    /// Its restart weight, if it became a seed.
    pub restart: Option<f64>,
    /// The rule that kept it from that.
    pub noise: Option<&'static str>,
}

/// The walk from its seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkStage {
    pub iterations: usize,
    /// How many symbols the walk reached, and how many of them with as much as its floor.
    pub reached: usize,
    pub floor: f64,
    pub above_floor: usize,
    /// Each with its restart weight.
    pub seeds: Vec<NamedPlace>,
    pub symbols: Vec<WalkedSymbol>,
}

/// A symbol that the walk reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkedSymbol {
    #[serde(flatten)]
    pub named: NamedPlace,
    pub hops: u32,
    pub hub: Option<f64>,
    pub authority: Option<f64>,
    /// From a seed; empty for one.
    pub path: Vec<PathStep>,
}

impl KeywordStage {
    /// The stage in `ranking`.
    pub fn of(ranking: &Ranking) -> KeywordStage {
        KeywordStage {
            keywords: ranking.keywords.clone(),
            names_code: ranking.names_code,
            kind_of_task: ranking.kind,
            terms: ranking.terms.clone(),
        }
    }
}

impl Ranker {
    /// The first `limit` symbols of each channel and of the fused list.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn channel_stage(&self, ranking: &Ranking, limit: usize) -> Result<ChannelStage, EngineError> {
        let mut channels = Vec::new();
        for channel in &ranking.channels {
            let symbols = self.named(&channel.found, limit)?;
            let (channel, weight, found) = (channel.name, channel.weight, channel.found.len());
            channels.push(ChannelList { channel, weight, found, symbols });
        }
        let named = self.named(&ranking.fused, limit)?;
        let fate = |(named, (node, _)): (NamedPlace, &(u32, f64))| FusedSymbol {
            named,
            restart: ranking.seeds.iter().find(|(seed, _)| seed == node).map(|(_, weight)| *weight),
            noise: ranking.noise.iter().find(|(noisy, _)| noisy == node).map(|(_, rule)| *rule),
        };
        Ok(ChannelStage { channels, fused: named.into_iter().zip(&ranking.fused).map(fate).collect() })
    }

    /// The seeds, and the `limit` symbols on which the walk left most.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn walk_stage(&self, ranking: &Ranking, limit: usize) -> Result<WalkStage, EngineError> {
        let walk = &ranking.walk;
        let tie = |node: u32| self.graph().tie(node);
        let mut best: Vec<(u32, f64)> = walk.nodes.iter().map(|walked| (walked.node, walked.score)).collect();
        best.sort_by(|one, two| two.1.total_cmp(&one.1).then_with(|| tie(one.0).cmp(&tie(two.0))));
        let mut symbols = Vec::new();
        for (named, (node, _)) in self.named(&best, limit)?.into_iter().zip(&best) {
            let hits = ranking.hits.get(node);
            symbols.push(WalkedSymbol {
                named,
                hops: walk.get(*node).map_or(0, |walked| walked.distance),
                hub: hits.map(|hits| hits.hub),
                authority: hits.map(|hits| hits.authority),
                path: self.path(walk, *node)?,
            });
        }
        Ok(WalkStage {
            iterations: walk.iterations,
            reached: walk.nodes.len(),
            floor: ranking.walk_floor,
            above_floor: walk.nodes.iter().filter(|walked| walked.score >= ranking.walk_floor).count(),
            seeds: self.named(&ranking.seeds, ranking.seeds.len())?,
            symbols,
        })
    }

    fn named(&self, list: &[(u32, f64)], limit: usize) -> Result<Vec<NamedPlace>, EngineError> {
        let named = list.iter().enumerate().take(limit).map(|(index, (node, value))| {
            let place = Place { place: index + 1, of: list.len(), value: *value };
            Ok(NamedPlace { symbol: self.name(*node)?, place })
        });
        named.collect()
    }
}
