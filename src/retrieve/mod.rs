//! The recipe from a task to a ranking: a table of contents of SPEC §6. No formula lives here.

mod channels;
mod entries;
mod graph;
mod long;
mod ranking;
mod seeds;
mod targets;
pub mod tuning;

use std::collections::{HashMap, HashSet};

use crate::rank::bm25f::Scores;
use crate::rank::fuse::{RankedList, fuse};
use crate::rank::keywords::{Keywords, WordLists, keywords};
use crate::rank::walk::random_walk;
use crate::store::{Reader, StoreError};

pub use graph::Graph;
pub use ranking::Ranked;
use ranking::Signals;
pub use targets::definitions;

/// What the pipeline found out about a task on its way, for explanation.
#[derive(Debug, Default)]
pub struct Ranking {
    pub keywords: Keywords,
    /// Restart weights of the walk's seeds.
    pub seeds: Vec<(u32, f64)>,
    /// Best first.
    pub symbols: Vec<Ranked>,
}

/// Ranks tasks against one state of the index.
pub struct Retriever<'a> {
    reader: &'a Reader,
    graph: &'a Graph,
    lists: &'a WordLists,
}

impl<'a> Retriever<'a> {
    /// A retriever over a store and its loaded graph.
    pub fn new(reader: &'a Reader, graph: &'a Graph, lists: &'a WordLists) -> Retriever<'a> {
        Retriever { reader, graph, lists }
    }

    /// Ranks symbols for a task in plain words; `None` when `cancelled` said so on the way.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn task(&self, task: &str, cancelled: &dyn Fn() -> bool) -> Result<Option<Ranking>, StoreError> {
        let keywords = keywords(&long::shortened(self.reader, task)?, self.lists);
        let lexical = channels::lexical::lexical(self.reader, self.graph, &keywords)?;
        if cancelled() {
            return Ok(None);
        }
        let tiered = channels::tiered::tiered(self.reader, self.graph, &keywords)?;
        let matches = |node: u32| lexical.get(node).coverage > 0.0;
        let path = channels::path::path(self.graph, &keywords, &matches);
        let by_words = self.best_by_words(&lexical, tuning::LEXICAL_CHANNEL);
        if cancelled() {
            return Ok(None);
        }
        let fused: Vec<u32> = fuse(
            &[
                RankedList { weight: tuning::TIERED_WEIGHT, nodes: &tiered.nodes },
                RankedList { weight: tuning::LEXICAL_WEIGHT, nodes: &by_words },
                RankedList { weight: tuning::PATH_WEIGHT, nodes: &path },
            ],
            tuning::FUSION_K,
            |node| self.graph.tie(node),
        )
        .into_iter()
        .map(|(node, _)| node)
        .take(tuning::FUSED_CANDIDATES)
        .collect();
        let mut names = HashMap::new();
        for &node in &fused {
            if let Some(name) = self.reader.file_and_name(node)? {
                names.insert(node, name);
            }
        }
        let seeds = seeds::seeds(self.graph, &fused, &|node| names.get(&node).cloned());
        let walk = random_walk(&self.graph.adjacency, &seeds, &tuning::WALK);
        if cancelled() {
            return Ok(None);
        }
        let signals = Signals {
            graph: self.graph,
            lexical: &lexical,
            named: &tiered.named,
            walk: &walk,
            walk_floor: tuning::WALK_FLOOR,
            about_tests: keywords.about_tests,
            unreached: tuning::WALK.most_hops + 1,
        };
        let tiers: HashSet<u32> = tiered.nodes.iter().copied().collect();
        let provenance = |node: u32| match () {
            () if tiers.contains(&node) => "tiered",
            () if lexical.get(node).score > 0.0 => "bm25",
            () if path.contains(&node) => "path",
            () => "walk",
        };
        Ok(Some(Ranking { symbols: signals.rank(&provenance), keywords, seeds }))
    }

    /// Matches by words alone, best first: what a user sees while the whole pipeline still runs.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn words(&self, task: &str, limit: usize) -> Result<Vec<(u32, f64)>, StoreError> {
        let keywords = keywords(&long::shortened(self.reader, task)?, self.lists);
        let lexical = channels::lexical::lexical(self.reader, self.graph, &keywords)?;
        let best = self.best_by_words(&lexical, limit);
        Ok(best.into_iter().map(|node| (node, lexical.get(node).score)).collect())
    }

    fn best_by_words(&self, lexical: &Scores, count: usize) -> Vec<u32> {
        let in_repository = |node| self.graph.head(node).is_some_and(|head| head.file.is_some());
        lexical.best(count, in_repository, |node| self.graph.tie(node))
    }
}
