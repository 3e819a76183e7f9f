//! The pack of a ranking: its candidates, and what the format adds to it.

use std::collections::HashMap;

use super::bodies::Bodies;
use super::fitting::list_budget;
use super::pipeline::Ranking;
use super::questions::relations;
use super::ranker::packed;
use super::{EngineError, Ranker};
use crate::model::{ContextPack, MissingSource, NodeId, PackEdge, PackedSymbol, Request, Task};
use crate::rank::pack::{Candidate, PackInput, pack};
use crate::rank::tuning;
use crate::render::question::heading;
use crate::render::{Renderer, TokenCounter};

impl Ranker {
    /// Packs a ranking of [`Ranker::rank`].
    ///
    /// # Errors
    /// When the store can't be read, or the budget can't hold even an empty pack.
    pub fn pack_ranked(
        &self,
        task: &Task,
        ranking: &Ranking,
        renderer: &dyn Renderer,
        bodies: bool,
    ) -> Result<ContextPack, EngineError> {
        let (mut input, mut missing_sources) = self.pack_input(task, ranking, bodies)?;
        let measure = TokenCounter::new(renderer, &self.cache.counts);
        let adds_sources = renderer.has_fitting_sources() && !bodies;
        if adds_sources {
            input.budget_tokens = list_budget(task.budget_tokens);
        }
        let mut pack = pack(input, &measure)?;
        if adds_sources {
            missing_sources = self.add_sources(&mut pack, task.budget_tokens, &measure)?;
        }
        missing_sources.retain(|missing| pack.symbols.iter().any(|packed| packed.symbol.file == missing.file));
        if renderer.has_columns() {
            let mut sources = Bodies::new(&self.reader, &self.root);
            for PackedSymbol { symbol, .. } in &pack.symbols {
                pack.columns.extend(sources.column(symbol)?.map(|column| (symbol.id, column)));
            }
        }
        let unmatched_words = match &task.request {
            Request::Task(text) if ranking.answer.is_none() => self.unmatched_words(text, ranking)?,
            _ => Vec::new(),
        };
        let answer = ranking.answer.as_ref().map(|answer| heading(answer));
        let relations = ranking.answer.as_ref().map(|answer| relations(answer)).unwrap_or_default();
        Ok(ContextPack { missing_sources, unmatched_words, answer, relations, ..pack })
    }

    /// Returns the input of packing, and the files whose source is missing.
    fn pack_input(
        &self,
        task: &Task,
        ranking: &Ranking,
        bodies: bool,
    ) -> Result<(PackInput, Vec<MissingSource>), EngineError> {
        let mut sources = Bodies::new(&self.reader, &self.root);
        let mut indexes = HashMap::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let pinned = self.nodes_of(&task.options.pinned)?;
        let (first, others) = ranking.symbols.split_at(ranking.symbols.len().min(tuning::PACK_CANDIDATES));
        for ranked in first.iter().chain(others.iter().filter(|ranked| pinned.contains(&ranked.node))) {
            let Some(symbol) = self.reader.symbol(ranked.node)? else { continue };
            let body = if bodies { sources.body(&symbol)? } else { None };
            let symbol = packed(symbol, ranked.score, ranked.components.clone(), ranked.distance, ranked.provenance);
            indexes.insert(ranked.node, candidates.len());
            candidates.push(Candidate { symbol: PackedSymbol { body, ..symbol }, walk: ranked.walk });
        }
        for node in pinned.into_iter().filter(|node| !indexes.contains_key(node)).collect::<Vec<NodeId>>() {
            let Some(symbol) = self.reader.symbol(node)? else { continue };
            let body = if bodies { sources.body(&symbol)? } else { None };
            let symbol = packed(symbol, 0.0, Vec::new(), tuning::WALK.max_hops + 1, "pinned");
            indexes.insert(node, candidates.len());
            candidates.push(Candidate { symbol: PackedSymbol { body, ..symbol }, walk: 0.0 });
        }
        let edges = self.edges(&candidates, &indexes);
        let input = PackInput {
            task: describe(&task.request),
            repository: self.reader.repository().to_owned(),
            budget_tokens: task.budget_tokens,
            candidates,
            edges,
            pinned: task.options.pinned.clone(),
            dropped: task.options.dropped.clone(),
            packs_negative: !matches!(task.request, Request::Task(_)),
            phantom_ratio: self.graph.phantom_ratio(),
        };
        Ok((input, sources.missing()))
    }

    fn edges(&self, candidates: &[Candidate], indexes: &HashMap<NodeId, usize>) -> Vec<PackEdge> {
        let mut edges = Vec::new();
        for (source, candidate) in candidates.iter().enumerate() {
            for neighbor in self.graph.adjacency.outgoing(candidate.symbol.symbol.node) {
                if let Some(&target) = indexes.get(&neighbor.node) {
                    let (edge_type, provenance) = (neighbor.edge_type, neighbor.provenance);
                    edges.push(PackEdge { source, target, edge_type, provenance, confidence: neighbor.confidence() });
                }
            }
        }
        edges
    }
}

/// Returns the title of a request's pack.
fn describe(request: &Request) -> String {
    match request {
        Request::Task(text) => text.clone(),
        Request::Files(files) => format!("changed files: {}", files.join(", ")),
        Request::PullRequest(base) => format!("changes since {base}"),
    }
}
