//! The two ways in that start from changed files instead of words.

use std::collections::HashMap;
use std::sync::Arc;

use super::channels::lexical::Lexical;
use super::walks::Walked;
use super::{Channel, Entry, Ranking, Retriever, tuning};
use crate::model::EdgeType;
use crate::rank::keywords::Keywords;
use crate::rank::walk::{Walk, WalkedNode};
use crate::scan::changes::ChangedFile;
use crate::store::StoreError;

/// How much a caller of a changed symbol counts beside the symbol itself.
const CALLER_SCORE: f64 = 0.5;

/// Restart weight of a symbol of a changed file that has no changed line.
const UNTOUCHED_WEIGHT: f64 = 0.05;

impl Retriever<'_> {
    /// Changed files: their symbols at distance 0, callers at 1 (SPEC §6).
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn files(&self, files: &[String]) -> Result<Ranking, StoreError> {
        let seeds = self.symbols_of(files)?;
        let mut reached: HashMap<u32, (f64, u32)> = seeds.iter().map(|&(node, _)| (node, (1.0, 0))).collect();
        for &(node, _) in &seeds {
            for neighbor in self.graph.adjacency.incoming(node) {
                if neighbor.edge_type == EdgeType::Calls {
                    reached.entry(neighbor.node).or_insert((CALLER_SCORE, 1));
                }
            }
        }
        let mut nodes: Vec<WalkedNode> =
            reached.into_iter().map(|(node, (score, distance))| WalkedNode { node, score, distance }).collect();
        nodes.sort_unstable_by_key(|walked| walked.node);
        let walked = self.with_authorities(Walk { nodes, iterations: 0 });
        self.by_walk(Entry::Files, &walked, seeds, 0.0)
    }

    /// A pull request: the symbols of its changed files seed the walk (SPEC §6), those around changed lines far more than
    /// their neighbors.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn pull_request(&self, files: &[ChangedFile]) -> Result<Ranking, StoreError> {
        let mut seeds = Vec::new();
        for file in files {
            let symbols = self.reader.symbols_of_file(&file.path)?;
            let spans: Vec<(u32, u32)> =
                symbols.iter().map(|symbol| (symbol.span.start_line, symbol.span.end_line)).collect();
            let touched = touched(&spans, &file.lines);
            let weight = |is_touched: bool| if is_touched { 1.0 } else { UNTOUCHED_WEIGHT };
            seeds.extend(symbols.iter().zip(touched).map(|(symbol, is_touched)| (symbol.node, weight(is_touched))));
        }
        seeds.sort_unstable_by_key(|(node, _)| *node);
        let walked = self.walked(&seeds);
        self.by_walk(Entry::PullRequest, &walked, seeds, tuning::PULL_REQUEST_WALK_FLOOR)
    }

    /// Changed symbols come first, then what they reach; words play no part.
    fn by_walk(
        &self,
        entry: Entry,
        walked: &Walked,
        seeds: Vec<(u32, f64)>,
        walk_floor: f64,
    ) -> Result<Ranking, StoreError> {
        let keywords = Keywords { about_tests: true, ..Keywords::default() };
        let changed = Channel { name: "changed", weight: 1.0, found: seeds.clone() };
        let preset = self.setup.preset;
        let hits = if self.setup.tuning.hits_for_changes { Arc::clone(&walked.hits) } else { Arc::default() };
        let (walk, channels) = (Arc::clone(&walked.walk), vec![changed]);
        let mut ranking = Ranking { preset, keywords, channels, seeds, walk, walk_floor, hits, ..Ranking::default() };
        self.score(&mut ranking, entry, &Lexical::default(), &[], &HashMap::new())?;
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

/// Which of these definitions, by first and last line, hold a changed line that no definition inside them holds: of a
/// changed method the method, not its class. Definitions come in the order of their starts, outer ones first.
fn touched(spans: &[(u32, u32)], lines: &[(u32, u32)]) -> Vec<bool> {
    let mut touched = vec![false; spans.len()];
    let meets = |(start, end): (u32, u32), (first, last): (u32, u32)| start <= last && first <= end;
    for change in lines {
        // Definitions nest, so what lies inside one follows right behind it.
        let mut next: Option<(&(u32, u32), bool)> = None;
        for (place, span) in spans.iter().enumerate().rev().filter(|(_, span)| meets(**span, *change)) {
            let has_inner = next.is_some_and(|(inner, has_inner)| match inner == span {
                true => has_inner,
                false => span.0 <= inner.0 && inner.1 <= span.1,
            });
            touched[place] |= !has_inner;
            next = Some((span, has_inner));
        }
    }
    touched
}

#[cfg(test)]
mod tests {
    use super::touched;

    #[test]
    fn the_innermost_definitions_are_touched() {
        // A file, a class, two methods, a function.
        let spans = [(1, 40), (3, 20), (4, 8), (10, 18), (22, 30)];
        assert_eq!(touched(&spans, &[(5, 5)]), [false, false, true, false, false]);
        assert_eq!(touched(&spans, &[(3, 3)]), [false, true, false, false, false]);
        assert_eq!(touched(&spans, &[(7, 24)]), [false, false, true, true, true]);
        assert_eq!(touched(&spans, &[(35, 36)]), [true, false, false, false, false]);
        assert_eq!(touched(&spans, &[(12, 12), (23, 25)]), [false, false, false, true, true]);
        assert_eq!(touched(&[(1, 9), (1, 9), (2, 3)], &[(2, 2)]), [false, false, true]);
        assert_eq!(touched(&spans, &[]), [false; 5]);
        assert_eq!(touched(&[], &[(1, 2)]), [false; 0]);
    }
}
