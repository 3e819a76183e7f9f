//! Why a symbol stands where it does for a task: read off the ranking and the pack that users get, nothing computed anew.

use serde::Serialize;

use super::classes::CLASS_COMPONENTS;
use super::{EngineError, Ranker};
use crate::model::{Component, ContextPack, Intent, Omission, PackedSymbol, Preset, Symbol, SymbolKind, Task};
use crate::rank::best_path::best_path;
use crate::rank::keywords::Keywords;
use crate::rank::walk::Walk;
use crate::render::Renderer;
use crate::retrieve::{Lesson, Ranking, is_definition, tuning};
use crate::store::SearchColumn;

/// All that is known about one symbol and one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    /// The symbol's name without the repository.
    pub symbol: String,
    pub kind: &'static str,
    pub file: String,
    pub line: u32,
    /// What the symbols were ranked with.
    pub preset: Preset,
    /// How many symbols are scored on account of their words; none where only the walk counts.
    pub scored: usize,
    pub keywords: Keywords,
    /// How far the task names code, from 0 to 1: it moves the weights.
    pub names_code: f64,
    /// What kind of task its words make it: that moves the weights, too.
    pub kind_of_task: Option<Intent>,
    pub terms: Vec<TermMatch>,
    pub channels: Vec<ChannelPlace>,
    /// The classes that led to the symbol, the one that says most first.
    pub classes: Vec<ClassPlace>,
    /// What was taught of the symbol that speaks of the task.
    pub taught: Option<Lesson>,
    /// Votes and learned words that would speak of the task, if the packages of their symbols were what they were.
    pub expired: usize,
    /// Among the fused candidates.
    pub fused: Option<Place>,
    /// Among the seeds; the value is the restart weight.
    pub seed: Option<Place>,
    /// The rule by which the symbol, though fused, may not start the walk.
    pub noise: Option<&'static str>,
    pub walk: Option<WalkPlace>,
    pub hub: Option<f64>,
    pub authority: Option<f64>,
    pub rank: Option<RankPlace>,
    pub pack: PackPlace,
    /// What the symbol lacks, in words; empty for one in the pack that nothing is wrong with.
    pub missing: Vec<String>,
}

/// A term that was looked for, and where the symbol has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermMatch {
    pub term: String,
    pub weight: f64,
    /// How many symbols have it; 0 when none has, or too many for it to tell anything.
    pub symbols: usize,
    /// Columns of the search index.
    pub found_in: Vec<&'static str>,
}

/// A place in a list, from 1, with what the list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Place {
    pub place: usize,
    pub of: usize,
    pub value: f64,
}

/// What one channel found of the symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelPlace {
    pub channel: &'static str,
    pub weight: f64,
    /// Nothing when the channel did not find it; the value is the channel's own score.
    pub found: Option<Place>,
    /// What this place adds to the fused score.
    pub fusion: f64,
}

/// A class that led to the symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassPlace {
    pub concept: String,
    pub layer: &'static str,
    /// The phrase of the task, as the class has it.
    pub phrase: String,
    /// The name by which the class means the symbol.
    pub target: String,
    /// How much that says, from 0 to 1.
    pub value: f64,
    /// What it adds to the score: only the class that says most counts, so the others add nothing.
    pub contribution: f64,
}

/// What the walk found of the symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkPlace {
    /// Scaled so that the best node has 1.
    pub score: f64,
    /// Below this the walk alone makes no candidate.
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
    /// True when the edge leads `from` -> `to`, false when the walk went against it.
    pub forward: bool,
    pub to: String,
}

/// The symbol's score and place before packing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankPlace {
    pub place: usize,
    pub of: usize,
    pub score: f64,
    /// They sum to the score.
    pub components: Vec<Component>,
    pub provenance: &'static str,
}

/// The symbol's place after packing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum PackPlace {
    Packed {
        place: usize,
        of: usize,
        tokens: usize,
        budget_tokens: usize,
    },
    Omitted {
        reason: &'static str,
        tokens: usize,
        left_tokens: usize,
        budget_tokens: usize,
    },
    /// It was never offered to the pack.
    NotOffered,
}

impl Ranker {
    /// Explains `symbol`'s place in the pack of `task` in `renderer`'s format.
    ///
    /// # Errors
    /// Those of [`Ranker::pack`].
    pub fn why(&self, task: &Task, renderer: &dyn Renderer, symbol: &Symbol) -> Result<Why, EngineError> {
        let ranking = self.rank(task, &|| false)?.unwrap_or_default();
        let pack = self.pack_ranked(task, &ranking, renderer, false)?;
        self.explain(&ranking, &pack, symbol)
    }

    /// Explains `symbol`'s place in a ranking and the pack that was made of it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn explain(&self, ranking: &Ranking, pack: &ContextPack, symbol: &Symbol) -> Result<Why, EngineError> {
        let node = symbol.node;
        let mut why = Why {
            symbol: symbol.short_name().to_owned(),
            kind: symbol.kind.name(),
            file: symbol.file.clone(),
            line: symbol.span.name_line,
            preset: ranking.preset,
            scored: ranking.scored,
            keywords: ranking.keywords.clone(),
            names_code: ranking.names_code,
            kind_of_task: ranking.kind,
            terms: self.terms(ranking, node)?,
            channels: channels(ranking, node),
            classes: classes(ranking, node),
            taught: ranking.lessons.of.get(&node).cloned(),
            expired: ranking.lessons.expired,
            fused: place(&ranking.fused, node),
            seed: place(&ranking.seeds, node),
            noise: ranking.noise.iter().find(|(noisy, _)| *noisy == node).map(|(_, rule)| *rule),
            walk: self.walked(ranking, node)?,
            hub: ranking.hits.get(&node).map(|hits| hits.hub),
            authority: ranking.hits.get(&node).map(|hits| hits.authority),
            rank: rank_place(ranking, node),
            pack: pack_place(pack, node),
            missing: Vec::new(),
        };
        why.missing = missing(&why, symbol.kind);
        Ok(why)
    }

    /// The terms that were looked for; which of them the symbol has is asked of the same index.
    fn terms(&self, ranking: &Ranking, node: u32) -> Result<Vec<TermMatch>, EngineError> {
        let texts: Vec<String> = ranking.terms.iter().map(|term| term.text.clone()).collect();
        let mut terms = Vec::new();
        for (term, postings) in ranking.terms.iter().zip(self.graph().postings(self.reader(), &texts)?) {
            let place = postings.binary_search_by_key(&node, |posting| posting.document).ok();
            let posting = place.and_then(|place| postings.get(place));
            let has = |column: &SearchColumn| posting.is_some_and(|posting| posting.frequencies[*column as usize] > 0);
            let found_in = SearchColumn::ALL.into_iter().filter(has).map(SearchColumn::name).collect();
            let (term, weight, symbols) = (term.text.clone(), term.weight, term.symbols);
            terms.push(TermMatch { term, weight, symbols, found_in });
        }
        Ok(terms)
    }

    fn walked(&self, ranking: &Ranking, node: u32) -> Result<Option<WalkPlace>, EngineError> {
        let Some(walked) = ranking.walk.get(node) else { return Ok(None) };
        let path = self.path(&ranking.walk, node)?;
        Ok(Some(WalkPlace { score: walked.score, floor: ranking.walk_floor, hops: walked.distance, path }))
    }

    /// The best path of the walk to a node.
    pub(super) fn path(&self, walk: &Walk, node: u32) -> Result<Vec<PathStep>, EngineError> {
        let graph = self.graph();
        let steps = best_path(&graph.adjacency, walk, node, |node| graph.tie(node)).into_iter();
        let named = steps.map(|step| {
            Ok(PathStep {
                from: self.name(step.from)?,
                edge_type: step.edge.edge_type.name(),
                forward: step.edge.is_outgoing(),
                to: self.name(step.edge.node)?,
            })
        });
        named.collect()
    }

    /// A node's name without the repository.
    pub(super) fn name(&self, node: u32) -> Result<String, EngineError> {
        Ok(self.reader().symbol(node)?.map_or_else(String::new, |symbol| symbol.short_name().to_owned()))
    }
}

fn place(list: &[(u32, f64)], node: u32) -> Option<Place> {
    let index = list.iter().position(|(listed, _)| *listed == node)?;
    Some(Place { place: index + 1, of: list.len(), value: list[index].1 })
}

fn channels(ranking: &Ranking, node: u32) -> Vec<ChannelPlace> {
    let channels = ranking.channels.iter().map(|channel| {
        let found = place(&channel.found, node);
        let fusion = found.map_or(0.0, |found| channel.weight / (tuning::FUSION_K + found.place as f64));
        ChannelPlace { channel: channel.name, weight: channel.weight, found, fusion }
    });
    channels.collect()
}

fn classes(ranking: &Ranking, node: u32) -> Vec<ClassPlace> {
    let components = ranking.symbols.iter().find(|ranked| ranked.node == node).map(|ranked| &ranked.components);
    let parts = components.into_iter().flatten().filter(|component| CLASS_COMPONENTS.contains(&component.name));
    let mut left = parts.map(|component| component.contribution).sum();
    // Hits come best first.
    let hits = ranking.classes.iter().filter(|hit| hit.node == node && !hit.muted);
    hits.map(|hit| ClassPlace {
        concept: hit.concept.clone(),
        layer: hit.layer.name(),
        phrase: hit.phrase.clone(),
        target: hit.target.clone(),
        value: hit.value,
        contribution: std::mem::take(&mut left),
    })
    .collect()
}

fn rank_place(ranking: &Ranking, node: u32) -> Option<RankPlace> {
    let index = ranking.symbols.iter().position(|ranked| ranked.node == node)?;
    let ranked = &ranking.symbols[index];
    Some(RankPlace {
        place: index + 1,
        of: ranking.symbols.len(),
        score: ranked.score,
        components: ranked.components.clone(),
        provenance: ranked.provenance,
    })
}

fn pack_place(pack: &ContextPack, node: u32) -> PackPlace {
    let budget_tokens = pack.budget_tokens;
    let at = |symbols: &[PackedSymbol]| symbols.iter().position(|packed| packed.symbol.node == node);
    if let Some(index) = at(&pack.symbols) {
        let tokens = pack.symbols[index].tokens;
        return PackPlace::Packed { place: index + 1, of: pack.symbols.len(), tokens, budget_tokens };
    }
    match at(&pack.omitted).map(|index| &pack.omitted[index]) {
        Some(omitted) => {
            let reason = match pack.omission(omitted) {
                Omission::TooLarge => "too large for what was left",
                Omission::Below => "below every symbol of the pack",
            };
            let (tokens, left_tokens) = (omitted.tokens, pack.left_tokens);
            PackPlace::Omitted { reason, tokens, left_tokens, budget_tokens }
        }
        None => PackPlace::NotOffered,
    }
}

/// What keeps a symbol out, or would have helped it.
fn missing(why: &Why, kind: SymbolKind) -> Vec<String> {
    let mut missing = Vec::new();
    let has_term = why.terms.iter().any(|term| !term.found_in.is_empty());
    if !has_term {
        missing.push("it has none of the task's terms".to_owned());
    }
    if why.channels.iter().all(|channel| channel.found.is_none()) {
        missing.push("no channel counts it among its best".to_owned());
    } else if why.fused.is_none() {
        missing.push(format!("it is not among the {} fused candidates", tuning::FUSED_CANDIDATES));
    }
    if let Some(rule) = why.noise {
        missing.push(format!("it may not start the walk: {rule}"));
    }
    match &why.walk {
        None => missing.push(format!("the walk did not reach it within {} hops", tuning::WALK.most_hops)),
        Some(walk) if walk.score < walk.floor => {
            missing.push(format!("the walk left {:.4} on it, below its floor of {}", walk.score, walk.floor));
        }
        Some(_) => (),
    }
    match (&why.rank, &why.pack) {
        (None, _) if !is_definition(kind) => missing.push(format!("{} symbols are not ranked", kind.name())),
        (None, _) if has_term && why.scored > 0 => {
            missing.push(format!("it is not among the {} symbols with the best words", why.scored));
        }
        (None, _) => missing.push("so it is not ranked".to_owned()),
        (Some(_), PackPlace::NotOffered) => {
            missing.push(format!("only the first {} ranked symbols are offered to a pack", tuning::OFFERED));
        }
        (Some(_), PackPlace::Omitted { reason, tokens, left_tokens, .. }) => {
            missing.push(format!("over budget: {reason}; it takes {tokens} tokens and {left_tokens} were left"));
        }
        (Some(_), PackPlace::Packed { .. }) => (),
    }
    missing
}
