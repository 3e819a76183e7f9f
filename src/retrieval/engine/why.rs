//! Explanation of one symbol's rank for a task, from the trace of the ranking and from its pack; nothing is recomputed.

use serde::{Serialize, Serializer};

use super::missing::{self, MissingReason, missing};
use super::questions::part;
use super::reason::FirstRanks;
use super::words::{WordMatch, words};
use super::{EngineError, Ranker, Ranking};
use crate::features::CONCEPT_FEATURES;
use crate::feedback::SymbolFeedback;
use crate::model::{
    Component, ContextPack, EdgeType, Intent, NodeId, Omission, PackedSymbol, Reason, Symbol, SymbolId, Task,
};
use crate::query::Keywords;
use crate::rank::best_path::best_path;
use crate::rank::tuning;
use crate::rank::walk::Walk;
use crate::render::Renderer;
use crate::store::SearchColumn;

/// The explanation of one symbol's rank for a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    /// Without the repository.
    pub symbol: String,
    pub kind: &'static str,
    pub file: String,
    pub line: u32,
    /// Its strongest evidence, in a sentence.
    pub reason: Reason,
    /// Number of symbols scored because of their lexical score; 0 if only the walk counts.
    pub scored: usize,
    pub keywords: Keywords,
    /// Intent of the task; it selects the model.
    pub intent: Option<Intent>,
    /// The words of the task that were searched, in its order.
    pub words: Vec<WordMatch>,
    pub terms: Vec<TermMatch>,
    pub channels: Vec<ChannelRank>,
    /// Concepts that lead to the symbol, best first.
    pub concepts: Vec<ConceptContribution>,
    /// Feedback on the symbol that applies to the task.
    pub feedback: Option<SymbolFeedback>,
    /// Number of votes and learned terms that do not apply because their packages have changed.
    pub expired: usize,
    /// Rank among the fused candidates; the value is the fused score.
    pub fused: Option<ListRank>,
    /// Rank among the seeds; the value is the restart weight.
    pub seed: Option<ListRank>,
    /// The rule that excludes the fused symbol from the seeds.
    pub noise: Option<&'static str>,
    pub walk: Option<WalkReach>,
    pub hub: Option<f64>,
    pub authority: Option<f64>,
    pub rank: Option<RankedScore>,
    pub pack: PackStatus,
    /// Reasons that keep the symbol from a better rank.
    pub missing: Vec<MissingReason>,
    /// The symbol's part in the answer, for a task that the graph answers.
    pub answer: Option<String>,
}

/// A searched term, and the columns of the symbol that contain it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermMatch {
    pub term: String,
    pub weight: f64,
    /// Number of symbols that contain it; 0 also when they are too many for the term to be searched.
    pub symbols: usize,
    /// Columns of the search index.
    pub found_in: Vec<&'static str>,
}

/// A rank in a list, from 1, with the value that orders the list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ListRank {
    pub rank: usize,
    pub of: usize,
    pub value: f64,
}

/// The symbol's rank in one channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelRank {
    pub channel: &'static str,
    pub weight: f64,
    /// `None` if the channel did not find it; the value is the channel's own score.
    pub found: Option<ListRank>,
    /// Contribution of this rank to the fused score.
    pub fusion: f64,
}

/// The contribution of one concept to the symbol's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConceptContribution {
    pub concept: String,
    pub layer: &'static str,
    /// The phrase of the task, as the concept has it.
    pub phrase: String,
    /// The target that names the symbol.
    pub target: String,
    /// Value of the hit, from 0 to 1.
    pub value: f64,
    /// Contribution to the score; only the best concept has one.
    pub contribution: f64,
}

/// The symbol in the walk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkReach {
    /// Scaled so that the best node has 1.
    pub score: f64,
    /// Minimum score for a candidate that only the walk found.
    pub floor: f64,
    pub hops: u32,
    /// From a seed to the symbol; empty for a seed.
    pub path: Vec<PathStep>,
}

/// One edge of the path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathStep {
    pub from: String,
    #[serde(rename = "type")]
    pub edge_type: &'static str,
    /// Whether the edge points from `from` to `to`; otherwise the walk traversed it backwards.
    pub forward: bool,
    pub to: String,
    /// The symbols' names with their containers, and the type of the edge.
    #[serde(skip)]
    pub names: [String; 2],
    #[serde(skip)]
    pub edge: EdgeType,
}

/// The symbol's score and rank before packing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankedScore {
    pub rank: usize,
    pub of: usize,
    pub score: f64,
    /// Components, which sum to the score.
    pub components: Vec<Component>,
    pub provenance: &'static str,
}

/// The symbol's state after packing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum PackStatus {
    Packed {
        rank: usize,
        of: usize,
        tokens: usize,
        budget_tokens: usize,
    },
    Omitted {
        #[serde(serialize_with = "serialize_omission")]
        reason: Omission,
        tokens: usize,
        left_tokens: usize,
        budget_tokens: usize,
    },
    /// Not among the ranked symbols that are candidates for the pack.
    NotOffered,
}

fn serialize_omission<S: Serializer>(reason: &Omission, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(missing::omission(*reason))
}

impl Ranker {
    /// Explains a symbol's rank in the pack of `task` in `renderer`'s format.
    ///
    /// # Errors
    /// Those of [`Ranker::pack`].
    pub fn why(&self, task: &Task, renderer: &dyn Renderer, symbol: &Symbol) -> Result<Why, EngineError> {
        let ranking = self.rank(task, &|| false)?.unwrap_or_default();
        let pack = self.pack_ranked(task, &ranking, renderer, false)?;
        self.explain(&ranking, &pack, symbol)
    }

    /// Explains a symbol's rank in a ranking and its pack.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn explain(&self, ranking: &Ranking, pack: &ContextPack, symbol: &Symbol) -> Result<Why, EngineError> {
        let node = symbol.node;
        let terms = self.terms(ranking, node)?;
        let words = words(&pack.task, &ranking.keywords, &terms);
        let reason = self.reasons(ranking, &pack.task, FirstRanks::in_ranking(ranking)).with_words(symbol, &words)?;
        let mut why = Why {
            symbol: symbol.short_name().to_owned(),
            kind: symbol.kind.name(),
            file: symbol.file.clone(),
            line: symbol.span.name_line,
            reason,
            scored: ranking.scored,
            keywords: ranking.keywords.clone(),
            intent: ranking.intent,
            words,
            terms,
            channels: channels(ranking, node),
            concepts: concepts(ranking, node),
            feedback: ranking.feedback.nodes.get(&node).cloned(),
            expired: ranking.feedback.expired,
            fused: list_rank(&ranking.fused, node),
            seed: list_rank(&ranking.seeds, node),
            noise: ranking.noise.iter().find(|(noisy, _)| *noisy == node).map(|(_, rule)| *rule),
            walk: self.walked(ranking, node)?,
            hub: ranking.hits.get(&node).map(|hits| hits.hub),
            authority: ranking.hits.get(&node).map(|hits| hits.authority),
            rank: ranked_score(ranking, node),
            pack: pack_status(pack, symbol.id),
            missing: Vec::new(),
            answer: ranking.answer.as_ref().map(|answer| part(answer, symbol)),
        };
        if why.answer.is_none() {
            why.missing = missing(&why, symbol.kind);
        }
        Ok(why)
    }

    /// Returns the searched terms with the symbol's columns that contain them.
    pub(super) fn terms(&self, ranking: &Ranking, node: NodeId) -> Result<Vec<TermMatch>, EngineError> {
        let mut terms = Vec::new();
        for term in &ranking.terms {
            let postings = self.cache.postings.get(self.reader(), &self.graph, term)?;
            let index = postings.binary_search_by_key(&node, |posting| posting.document).ok();
            let posting = index.and_then(|index| postings.get(index));
            let has = |column: &SearchColumn| posting.is_some_and(|posting| posting.frequencies[*column as usize] > 0);
            let found_in = SearchColumn::ALL.into_iter().filter(has).map(SearchColumn::name).collect();
            let (term, weight, symbols) = (term.text.clone(), term.weight, term.symbols);
            terms.push(TermMatch { term, weight, symbols, found_in });
        }
        Ok(terms)
    }

    fn walked(&self, ranking: &Ranking, node: NodeId) -> Result<Option<WalkReach>, EngineError> {
        let Some(hops) = ranking.walk.distance(&self.graph, node) else { return Ok(None) };
        let path = self.path(&ranking.walk, node)?;
        Ok(Some(WalkReach { score: ranking.walk.score(node), floor: ranking.walk_floor, hops, path }))
    }

    /// Returns the best path of the walk to a node.
    pub(super) fn path(&self, walk: &Walk, node: NodeId) -> Result<Vec<PathStep>, EngineError> {
        let graph = &self.graph;
        let steps = best_path(graph, walk, node, |node| graph.id_prefix(node)).into_iter();
        graph.check()?;
        let named = steps.map(|step| {
            let edge = step.edge.edge_type;
            let (from, from_name) = self.names(step.from)?;
            let (to, to_name) = self.names(step.edge.node)?;
            let (edge_type, forward, names) = (edge.name(), step.edge.is_outgoing(), [from_name, to_name]);
            Ok(PathStep { from, edge_type, forward, to, names, edge })
        });
        named.collect()
    }

    /// Returns a node's qualified name without the repository, and its name with its container.
    fn names(&self, node: NodeId) -> Result<(String, String), EngineError> {
        let Some(symbol) = self.reader().symbol(node)? else { return Ok(Default::default()) };
        let name = match symbol.scope.as_str() {
            "" => symbol.name.clone(),
            scope => format!("{scope}.{}", symbol.name),
        };
        Ok((symbol.short_name().to_owned(), name))
    }

    /// Returns a node's name without the repository.
    pub(super) fn name(&self, node: NodeId) -> Result<String, EngineError> {
        Ok(self.reader().symbol(node)?.map_or_else(String::new, |symbol| symbol.short_name().to_owned()))
    }
}

fn list_rank(list: &[(NodeId, f64)], node: NodeId) -> Option<ListRank> {
    let index = list.iter().position(|(listed, _)| *listed == node)?;
    Some(ListRank { rank: index + 1, of: list.len(), value: list[index].1 })
}

fn channels(ranking: &Ranking, node: NodeId) -> Vec<ChannelRank> {
    let channels = ranking.channels.iter().map(|channel| {
        let found = list_rank(&channel.found, node);
        let fusion = found.map_or(0.0, |found| channel.weight / (tuning::FUSION_K + found.rank as f64));
        ChannelRank { channel: channel.name, weight: channel.weight, found, fusion }
    });
    channels.collect()
}

fn concepts(ranking: &Ranking, node: NodeId) -> Vec<ConceptContribution> {
    let components = ranking.symbols.iter().find(|ranked| ranked.node == node).map(|ranked| &ranked.components);
    let of_concepts = components.into_iter().flatten().filter(|component| CONCEPT_FEATURES.contains(&component.name));
    // The best hit, which is the first, has the whole contribution.
    let mut contribution = of_concepts.map(|component| component.contribution).sum();
    let hits = ranking.concepts.iter().filter(|hit| hit.node == node && !hit.muted);
    hits.map(|hit| ConceptContribution {
        concept: hit.concept.clone(),
        layer: hit.layer.name(),
        phrase: hit.phrase.clone(),
        target: hit.target.clone(),
        value: hit.value,
        contribution: std::mem::take(&mut contribution),
    })
    .collect()
}

fn ranked_score(ranking: &Ranking, node: NodeId) -> Option<RankedScore> {
    let index = ranking.symbols.iter().position(|ranked| ranked.node == node)?;
    let ranked = &ranking.symbols[index];
    Some(RankedScore {
        rank: index + 1,
        of: ranking.symbols.len(),
        score: ranked.score,
        components: ranked.components.clone(),
        provenance: ranked.provenance,
    })
}

fn pack_status(pack: &ContextPack, id: SymbolId) -> PackStatus {
    let budget_tokens = pack.budget_tokens;
    let position = |symbols: &[PackedSymbol]| symbols.iter().position(|packed| packed.symbol.id == id);
    if let Some(index) = position(&pack.symbols) {
        let tokens = pack.symbols[index].tokens;
        return PackStatus::Packed { rank: index + 1, of: pack.symbols.len(), tokens, budget_tokens };
    }
    match position(&pack.omitted).map(|index| &pack.omitted[index]) {
        Some(omitted) => {
            let reason = pack.omission(omitted);
            let (tokens, left_tokens) = (omitted.tokens, pack.left_tokens);
            PackStatus::Omitted { reason, tokens, left_tokens, budget_tokens }
        }
        None => PackStatus::NotOffered,
    }
}
