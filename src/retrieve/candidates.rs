//! Which symbols are scored in full.

use crate::model::SymbolKind;
use crate::rank::bm25f::Scores;
use crate::rank::walk::Walk;
use crate::retrieve::graph::Graph;

/// Kinds that a pack is made of.
pub fn is_definition(kind: SymbolKind) -> bool {
    use SymbolKind::{Const, Field, Function, Interface, Macro, Method, Type, Var};
    matches!(kind, Function | Method | Type | Interface | Const | Var | Field | Macro)
}

/// A definition in the repository.
pub fn is_candidate(graph: &Graph, node: u32) -> bool {
    graph.head(node).is_some_and(|head| head.file.is_some() && is_definition(head.kind))
}

/// The `count` definitions with the best lexical scores, best first; of the score of a test `test_factor` counts.
pub fn by_words(graph: &Graph, lexical: &Scores, count: usize, test_factor: f64) -> Vec<u32> {
    let is_test = |node: u32| graph.head(node).is_some_and(|head| head.is_test);
    let tie = |node: u32| graph.tie(node);
    let mut best = lexical.best(count, |node| is_candidate(graph, node), tie);
    let fair = |node: u32| lexical.get(node).score * if is_test(node) { test_factor } else { 1.0 };
    best.sort_by(|a, b| fair(*b).total_cmp(&fair(*a)).then(tie(*a).cmp(&tie(*b))));
    best
}

/// Those that words found, the types of these, what the task names, and the best that the walk reached, in the order of
/// their numbers.
pub fn candidates(
    graph: &Graph,
    by_words: &[u32],
    named: impl Iterator<Item = u32>,
    walk: &Walk,
    walk_floor: f64,
    walked: usize,
) -> Vec<u32> {
    let mut all = by_words.to_vec();
    all.extend(by_words.iter().filter_map(|node| graph.container(*node)));
    all.extend(named);
    let mut reached: Vec<(f64, u32)> = (walk.nodes.iter())
        .filter(|walked| walked.score >= walk_floor && is_candidate(graph, walked.node))
        .map(|walked| (walked.score, walked.node))
        .collect();
    reached.sort_by(|a, b| b.0.total_cmp(&a.0).then(graph.tie(a.1).cmp(&graph.tie(b.1))));
    all.extend(reached.into_iter().take(walked).map(|(_, node)| node));
    all.retain(|node| is_candidate(graph, *node));
    all.sort_unstable();
    all.dedup();
    all
}
