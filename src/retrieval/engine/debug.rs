//! The stages of a ranking with symbol names, for `knowing why --stage`.

use serde::Serialize;

use super::why::{ListRank, PathStep};
use super::{EngineError, Ranker, Ranking};
use crate::candidates::Term;
use crate::model::{Intent, NodeId};
use crate::query::parts::{Block, blocks};
use crate::query::{Keywords, Part};

/// A line of the task, or a paragraph of prose, with its part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartLine {
    /// Number of the first line, from 1.
    pub line: usize,
    pub part: Part,
    /// Weight of the words of the part, from 0 to 1.
    pub worth: f64,
    pub text: String,
}

/// The result of query analysis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeywordStage {
    pub parts: Vec<PartLine>,
    #[serde(flatten)]
    pub keywords: Keywords,
    /// Intent of the task; it selects the model.
    pub intent: Option<Intent>,
    pub terms: Vec<Term>,
}

/// The channels and their fusion.
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
    /// Number of symbols that it found.
    pub found: usize,
    pub symbols: Vec<NamedRank>,
}

/// A symbol with its rank in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedRank {
    pub symbol: String,
    #[serde(flatten)]
    pub entry: ListRank,
}

/// A fused candidate, as a seed or excluded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FusedSymbol {
    #[serde(flatten)]
    pub named: NamedRank,
    /// Its restart weight if it is a seed.
    pub restart: Option<f64>,
    /// The rule that excludes it from the seeds.
    pub noise: Option<&'static str>,
}

/// The walk from its seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkStage {
    pub iterations: usize,
    /// Number of symbols that the walk reached.
    pub reached: usize,
    pub floor: f64,
    /// Number of symbols with a score of at least `floor`.
    pub above_floor: usize,
    /// Seeds with their restart weights.
    pub seeds: Vec<NamedRank>,
    pub symbols: Vec<WalkedSymbol>,
}

/// A symbol that the walk reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkedSymbol {
    #[serde(flatten)]
    pub named: NamedRank,
    pub hops: u32,
    pub hub: Option<f64>,
    pub authority: Option<f64>,
    /// Path from a seed; empty for a seed.
    pub path: Vec<PathStep>,
}

impl KeywordStage {
    /// Returns the query analysis of a task's ranking.
    pub fn new(task: &str, ranking: &Ranking) -> KeywordStage {
        let line = |Block { part, line, text }| PartLine { line, part, worth: part.worth(), text: text.to_owned() };
        KeywordStage {
            parts: blocks(task).into_iter().map(line).collect(),
            keywords: ranking.keywords.clone(),
            intent: ranking.intent,
            terms: ranking.terms.clone(),
        }
    }
}

impl Ranker {
    /// Returns the first `limit` symbols of each channel and of the fused list.
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
        let fused = |(named, (node, _)): (NamedRank, &(NodeId, f64))| FusedSymbol {
            named,
            restart: ranking.seeds.iter().find(|(seed, _)| seed == node).map(|(_, weight)| *weight),
            noise: ranking.noise.iter().find(|(noisy, _)| noisy == node).map(|(_, rule)| *rule),
        };
        Ok(ChannelStage { channels, fused: named.into_iter().zip(&ranking.fused).map(fused).collect() })
    }

    /// Returns the seeds, and the `limit` symbols with the best scores of the walk.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn walk_stage(&self, ranking: &Ranking, limit: usize) -> Result<WalkStage, EngineError> {
        let walk = &ranking.walk;
        let id_prefix = |node: NodeId| self.graph.id_prefix(node);
        let mut best: Vec<(NodeId, f64)> =
            walk.reached(&self.graph).into_iter().map(|walked| (walked.node, walked.score)).collect();
        best.sort_by(|one, two| two.1.total_cmp(&one.1).then_with(|| id_prefix(one.0).cmp(&id_prefix(two.0))));
        let mut symbols = Vec::new();
        for (named, (node, _)) in self.named(&best, limit)?.into_iter().zip(&best) {
            let hits = ranking.hits.get(node);
            symbols.push(WalkedSymbol {
                named,
                hops: walk.distance(&self.graph, *node).unwrap_or_default(),
                hub: hits.map(|hits| hits.hub),
                authority: hits.map(|hits| hits.authority),
                path: self.path(walk, *node)?,
            });
        }
        Ok(WalkStage {
            iterations: walk.iterations,
            reached: best.len(),
            floor: ranking.walk_floor,
            above_floor: walk.nodes.iter().filter(|walked| walked.score >= ranking.walk_floor).count(),
            seeds: self.named(&ranking.seeds, ranking.seeds.len())?,
            symbols,
        })
    }

    fn named(&self, list: &[(NodeId, f64)], limit: usize) -> Result<Vec<NamedRank>, EngineError> {
        let named = list.iter().enumerate().take(limit).map(|(index, (node, value))| {
            let entry = ListRank { rank: index + 1, of: list.len(), value: *value };
            Ok(NamedRank { symbol: self.name(*node)?, entry })
        });
        named.collect()
    }
}
