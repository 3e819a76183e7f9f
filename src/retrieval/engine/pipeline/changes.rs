//! Rankings of requests that name changed files or a base revision instead of a task.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::walks::SeededWalk;
use super::{EntryPoint, Pipeline, Ranked, Ranking, tuning};
use crate::candidates::{CandidateSets, Channel};
use crate::engine::EngineError;
use crate::engine::removed::BaseComparison;
use crate::lang::language_of;
use crate::model::{EdgeType, NodeId, Symbol, SymbolKind};
use crate::query::Keywords;
use crate::rank::walk::{Walk, WalkedNode};
use crate::store::StoreError;

/// Score of a caller of a changed symbol; the symbol itself has 1.
const CALLER_SCORE: f64 = 0.5;

/// Walk scores that a direct user of a changed symbol has at least, and a test that is one: a reviewer relies on seeing all of
/// them, however many other ways lead the walk elsewhere, and before what only is in the same files.
const USER_SCORE: f64 = 0.9;
const TEST_SCORE: f64 = 0.75;

/// Restart weight of a symbol of a changed file without a changed line.
const UNTOUCHED_WEIGHT: f64 = 0.05;
/// Walk score that such a symbol has at most, unless it uses what changed.
const UNTOUCHED_SCORE: f64 = 0.1;
/// Factor on the restart weight of a symbol of a file that is not a program, such as a workflow.
const OTHER: f64 = 0.2;

impl Pipeline<'_> {
    /// Ranks the symbols of changed files at distance 0 and their callers at distance 1.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn rank_files(&self, files: &[String]) -> Result<Ranking, StoreError> {
        let found = self.symbols_of(files)?;
        let mut reached: HashMap<NodeId, (f64, u8)> = found.iter().map(|&(node, _)| (node, (1.0, 0))).collect();
        for &(node, _) in &found {
            for neighbor in self.index.graph.incoming(node) {
                if neighbor.edge_type == EdgeType::Calls {
                    reached.entry(neighbor.node).or_insert((CALLER_SCORE, 1));
                }
            }
        }
        let walked = |(node, (score, distance))| (WalkedNode { node, score }, distance);
        let walk = self.with_hits(Walk::of_nodes(reached.into_iter().map(walked).collect()));
        self.rank_walk(EntryPoint::Files, &walk, found, 0.0)
    }

    /// Ranks for a pull request: the symbols of its changed files are the seeds of the walk, those around changed lines
    /// with a far greater weight.
    ///
    /// # Errors
    /// When the revision is unknown, or git or the store can't be read.
    pub fn rank_pull_request(&self, root: &Path, base: &str) -> Result<Ranking, EngineError> {
        let (mut found, mut others) = (Vec::new(), HashSet::new());
        let compared = BaseComparison::new(root, self.index.reader, base, |file, symbols, lines| {
            let touched = are_touched(symbols, lines);
            let weight = |is_touched: bool| if is_touched { 1.0 } else { UNTOUCHED_WEIGHT };
            found.extend(symbols.iter().zip(touched).map(|(symbol, is_touched)| (symbol.node, weight(is_touched))));
            if !language_of(&file.path).is_some_and(|language| language.is_program) {
                others.extend(symbols.iter().map(|symbol| symbol.node));
            }
            Ok(())
        })?;
        // What changed first, then by file and position, which an index made again has too.
        found.sort_by(|one, other| other.1.total_cmp(&one.1));
        // A walk stays where no edge leads away: without this, jobs of a workflow would come before the code.
        let start =
            |&(node, weight): &(NodeId, f64)| (node, if others.contains(&node) { weight * OTHER } else { weight });
        let starts: Vec<(NodeId, f64)> = found.iter().map(start).collect();
        let walk = self.with_users(&self.walk_from(&by_node(&starts)), &found);
        let near = untouched(&found);
        let mut ranking = self.rank_walk(EntryPoint::PullRequest, &walk, found, tuning::PULL_REQUEST_WALK_FLOOR)?;
        ranking.compared = Some(Arc::new(compared));
        // The walk begins there, too, but what changed is elsewhere in the file.
        let is_near = |ranked: &&mut Ranked| near.contains(&ranked.node);
        ranking.symbols.iter_mut().filter(is_near).for_each(|ranked| ranked.distance = ranked.distance.max(1));
        Ok(ranking)
    }

    /// Lowers what is only in a changed file, and raises what calls a changed symbol to the score that it has at least.
    fn with_users(&self, walk: &SeededWalk, found: &[(NodeId, f64)]) -> SeededWalk {
        let graph = self.index.graph;
        let mut scores: BTreeMap<NodeId, f64> = BTreeMap::new();
        for (node, _) in found.iter().filter(|(_, weight)| *weight > UNTOUCHED_WEIGHT) {
            for user in graph.incoming(*node) {
                let is_test = graph.meta(user.node).is_some_and(|meta| meta.is_test);
                if !(user.edge_type.is_call() || is_test && user.edge_type == EdgeType::Tests) {
                    continue;
                }
                let least = if is_test { TEST_SCORE } else { USER_SCORE } * f64::from(user.confidence());
                let score = scores.entry(user.node).or_default();
                *score = score.max(least);
            }
        }
        let lowered = walk.walk.lowered(&untouched(found), UNTOUCHED_SCORE);
        SeededWalk { walk: Arc::new(lowered.raised(graph, &scores)), hits: Arc::clone(&walk.hits) }
    }

    /// Ranks the changed symbols, given in the order of their channel, and those that the walk reached from them,
    /// without a query.
    fn rank_walk(
        &self,
        entry: EntryPoint,
        walk: &SeededWalk,
        found: Vec<(NodeId, f64)>,
        walk_floor: f64,
    ) -> Result<Ranking, StoreError> {
        let keywords = Keywords { about_tests: true, ..Keywords::default() };
        let seeds = by_node(&found);
        let changed = Channel { name: "changed", weight: 1.0, found };
        let (walk, hits, channels) = (Arc::clone(&walk.walk), Arc::clone(&walk.hits), vec![changed]);
        let sets = CandidateSets { keywords: keywords.clone(), ..CandidateSets::default() };
        let mut ranking = Ranking { keywords, channels, seeds, walk, walk_floor, hits, ..Ranking::default() };
        self.score(&mut ranking, entry, &sets)?;
        Ok(ranking)
    }

    fn symbols_of(&self, files: &[String]) -> Result<Vec<(NodeId, f64)>, StoreError> {
        let mut found = Vec::new();
        for file in files.iter().collect::<BTreeSet<&String>>() {
            found.extend(self.index.reader.symbols_of_file(file)?.into_iter().map(|symbol| (symbol.node, 1.0)));
        }
        Ok(found)
    }
}

/// Returns the symbols of changed files without a changed line.
fn untouched(found: &[(NodeId, f64)]) -> HashSet<NodeId> {
    found.iter().filter(|(_, weight)| *weight <= UNTOUCHED_WEIGHT).map(|(node, _)| *node).collect()
}

fn by_node(found: &[(NodeId, f64)]) -> Vec<(NodeId, f64)> {
    let mut seeds = found.to_vec();
    seeds.sort_unstable_by_key(|(node, _)| *node);
    seeds
}

/// Returns whether each symbol of a file contains a changed line that no definition inside it contains: a changed line of a
/// method touches the method, not its class. A function changes with what is defined in it, such as a field that it sets. With
/// a class that was added, or renamed, the line of its name changed, too.
pub fn are_touched(symbols: &[Symbol], lines: &[(u32, u32)]) -> Vec<bool> {
    // A route is a line of the definition around it or of its handler, which changes with it.
    let span = |symbol: &Symbol| match symbol.kind {
        SymbolKind::RouteHandler => (0, 0),
        _ => (symbol.span.start_line, symbol.span.end_line),
    };
    let spans: Vec<(u32, u32)> = symbols.iter().map(span).collect();
    let has_name = |symbol: &Symbol| {
        let is_named = !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package);
        is_named && lines.iter().any(|(first, last)| (*first..=*last).contains(&symbol.span.name_line))
    };
    let is_around = |symbol: &Symbol, (start, end): (u32, u32)| {
        symbol.kind.is_callable() && lines.iter().any(|(first, last)| start <= *last && *first <= end)
    };
    let innermost = innermost(&spans, lines);
    (symbols.iter().zip(&spans).zip(innermost))
        .map(|((symbol, span), is_innermost)| is_innermost || has_name(symbol) || is_around(symbol, *span))
        .collect()
}

/// Returns whether each definition, by first and last line, is the innermost around a change. Definitions are ordered by start,
/// outer ones first.
fn innermost(spans: &[(u32, u32)], lines: &[(u32, u32)]) -> Vec<bool> {
    let mut touched = vec![false; spans.len()];
    let overlaps = |(start, end): (u32, u32), (first, last): (u32, u32)| start <= last && first <= end;
    for change in lines {
        // Definitions nest, so the definitions inside one follow it directly.
        let mut next: Option<(&(u32, u32), bool)> = None;
        for (index, span) in spans.iter().enumerate().rev().filter(|(_, span)| overlaps(**span, *change)) {
            let has_inner = next.is_some_and(|(inner, has_inner)| match inner == span {
                true => has_inner,
                false => span.0 <= inner.0 && inner.1 <= span.1,
            });
            touched[index] |= !has_inner;
            next = Some((span, has_inner));
        }
    }
    touched
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Span, SymbolId};

    #[test]
    fn the_innermost_definitions_are_found() {
        // A file, a class, two methods, a function.
        let spans = [(1, 40), (3, 20), (4, 8), (10, 18), (22, 30)];
        assert_eq!(innermost(&spans, &[(5, 5)]), [false, false, true, false, false]);
        assert_eq!(innermost(&spans, &[(3, 3)]), [false, true, false, false, false]);
        assert_eq!(innermost(&spans, &[(7, 24)]), [false, false, true, true, true]);
        assert_eq!(innermost(&spans, &[(35, 36)]), [true, false, false, false, false]);
        assert_eq!(innermost(&spans, &[(12, 12), (23, 25)]), [false, false, false, true, true]);
        assert_eq!(innermost(&[(1, 9), (1, 9), (2, 3)], &[(2, 2)]), [false, false, true]);
        assert_eq!(innermost(&spans, &[]), [false; 5]);
        assert_eq!(innermost(&[], &[(1, 2)]), [false; 0]);
    }

    #[test]
    fn an_added_class_is_touched_with_its_methods() {
        let symbol = |kind, start_line, end_line| Symbol {
            id: SymbolId([0; 16]),
            node: NodeId::from_index(0),
            kind,
            name: String::new(),
            scope: String::new(),
            qualified_name: String::new(),
            file: String::new(),
            signature: String::new(),
            doc: String::new(),
            span: Span { start_line, end_line, name_line: start_line, ..Span::default() },
            is_test: false,
            ordinal: 0,
        };
        let symbols = [
            symbol(SymbolKind::File, 1, 40),
            symbol(SymbolKind::Type, 3, 20),
            symbol(SymbolKind::Method, 4, 8),
            symbol(SymbolKind::Method, 10, 18),
        ];
        assert_eq!(are_touched(&symbols, &[(1, 40)]), [false, true, true, true]);
        assert_eq!(are_touched(&symbols, &[(9, 18)]), [false, false, false, true], "a method is added to a class");
        assert_eq!(are_touched(&symbols, &[(1, 2)]), [true, false, false, false]);
        let inside = [
            symbol(SymbolKind::Type, 3, 20),
            symbol(SymbolKind::Method, 4, 8),
            symbol(SymbolKind::Field, 6, 6),
            symbol(SymbolKind::Method, 10, 18),
            symbol(SymbolKind::Function, 12, 13),
        ];
        assert_eq!(are_touched(&inside, &[(6, 6)]), [false, true, true, false, false], "a field is set in a method");
        assert_eq!(are_touched(&inside, &[(13, 13)]), [false, false, false, true, true], "a function is in a method");
    }
}
