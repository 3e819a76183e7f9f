//! The two ways in that start from changed files instead of words.

use super::ranking::Signals;
use super::{Ranking, Retriever, tuning};
use crate::model::EdgeType;
use crate::rank::bm25f::Scores;
use crate::rank::walk::{Walk, WalkedNode, random_walk};
use crate::store::StoreError;
use std::collections::{HashMap, HashSet};

/// How much a caller of a changed symbol counts beside the symbol itself.
const CALLER_SCORE: f64 = 0.5;

impl Retriever<'_> {
    /// Changed files: their symbols at distance 0, callers at 1 (SPEC §6).
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn files(&self, files: &[String]) -> Result<Ranking, StoreError> {
        let seeds = self.symbols_of(files)?;
        let mut reached: HashMap<u32, (f64, u32)> = seeds.iter().map(|&(node, _)| (node, (1.0, 0))).collect();
        for &(node, _) in &seeds {
            for neighbour in self.graph.adjacency.incoming(node) {
                if neighbour.edge_type == EdgeType::Calls {
                    reached.entry(neighbour.node).or_insert((CALLER_SCORE, 1));
                }
            }
        }
        let mut nodes: Vec<WalkedNode> =
            reached.into_iter().map(|(node, (score, distance))| WalkedNode { node, score, distance }).collect();
        nodes.sort_unstable_by_key(|walked| walked.node);
        Ok(self.by_walk(Walk { nodes, iterations: 0 }, seeds, 0.0))
    }

    /// A pull request: the symbols of its changed files seed the walk (SPEC §6).
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn pull_request(&self, files: &[String]) -> Result<Ranking, StoreError> {
        let seeds = self.symbols_of(files)?;
        let walk = random_walk(&self.graph.adjacency, &seeds, &tuning::WALK);
        Ok(self.by_walk(walk, seeds, tuning::PULL_REQUEST_WALK_FLOOR))
    }

    fn by_walk(&self, walk: Walk, seeds: Vec<(u32, f64)>, walk_floor: f64) -> Ranking {
        let lexical = Scores::default();
        let named = HashMap::new();
        let signals = Signals {
            graph: self.graph,
            lexical: &lexical,
            named: &named,
            walk: &walk,
            walk_floor,
            about_tests: true,
            unreached: tuning::WALK.most_hops + 1,
        };
        let changed: HashSet<u32> = seeds.iter().map(|(node, _)| *node).collect();
        let provenance = |node: u32| if changed.contains(&node) { "changed" } else { "walk" };
        Ranking { symbols: signals.rank(&provenance), seeds, ..Ranking::default() }
    }

    fn symbols_of(&self, files: &[String]) -> Result<Vec<(u32, f64)>, StoreError> {
        let mut seeds = Vec::new();
        for file in files {
            for symbol in self.reader.symbols_of_file(file)? {
                seeds.push((symbol.node, 1.0));
            }
        }
        seeds.sort_unstable_by_key(|(node, _)| *node);
        seeds.dedup_by_key(|(node, _)| *node);
        Ok(seeds)
    }
}
