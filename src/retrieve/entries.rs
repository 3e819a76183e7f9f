//! The two ways in that start from changed files instead of words.

use std::collections::HashMap;

use super::channels::lexical::Lexical;
use super::{Channel, Ranking, Retriever, tuning};
use crate::model::EdgeType;
use crate::rank::keywords::Keywords;
use crate::rank::walk::{Walk, WalkedNode, random_walk};
use crate::store::StoreError;

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
        self.by_walk(Walk { nodes, iterations: 0 }, seeds, 0.0)
    }

    /// A pull request: the symbols of its changed files seed the walk (SPEC §6).
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn pull_request(&self, files: &[String]) -> Result<Ranking, StoreError> {
        let seeds = self.symbols_of(files)?;
        let walk = random_walk(&self.graph.adjacency, &seeds, &tuning::WALK);
        self.by_walk(walk, seeds, tuning::PULL_REQUEST_WALK_FLOOR)
    }

    /// Changed symbols come first, then what they reach; words play no part.
    fn by_walk(&self, walk: Walk, seeds: Vec<(u32, f64)>, walk_floor: f64) -> Result<Ranking, StoreError> {
        let keywords = Keywords { about_tests: true, ..Keywords::default() };
        let changed = Channel { name: "changed", weight: 1.0, found: seeds.clone() };
        let mut ranking = Ranking { keywords, channels: vec![changed], seeds, walk, walk_floor, ..Ranking::default() };
        self.score(&mut ranking, &Lexical::default(), &[], &HashMap::new(), usize::MAX)?;
        Ok(ranking)
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
