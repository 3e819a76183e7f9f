//! Selection of the candidates that are scored in full.

use super::Graph;
use crate::model::{NodeId, SymbolKind};
use crate::rank::bm25f::Scores;
use crate::rank::walk::Walk;

/// Returns whether symbols of this kind are definitions, which are ranked and packed.
pub fn is_definition(kind: SymbolKind) -> bool {
    use SymbolKind::{Const, Field, Function, Interface, Macro, Method, Type, Var};
    matches!(kind, Function | Method | Type | Interface | Const | Var | Field | Macro)
}

/// Returns whether a symbol is a definition of the repository. What only declares another one is not: both are one
/// subject, and the definition has the code.
pub fn is_candidate(graph: &Graph, node: NodeId) -> bool {
    graph.meta(node).is_some_and(|meta| meta.file.is_some() && is_definition(meta.kind))
        && graph.declared(node).is_none()
}

/// Returns the `count` definitions with the best lexical scores, best first; the scores of tests are multiplied by
/// `test_factor`.
pub fn by_words(graph: &Graph, lexical: &Scores, count: usize, test_factor: f64) -> Vec<NodeId> {
    let id_prefix = |node: NodeId| graph.id_prefix(node);
    let mut best = lexical.best(count, |node| is_candidate(graph, node), id_prefix);
    let score = |node: NodeId| lexical.get(node).score * graph.factor(node, test_factor);
    best.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(id_prefix(*a).cmp(&id_prefix(*b))));
    best
}

/// Returns the union of the lexical candidates, the types that contain them, `named`, and the best `max_walked` nodes
/// of the walk with a score of at least `walk_floor`; in the order of their ids.
pub fn candidates(
    graph: &Graph,
    by_words: &[NodeId],
    named: impl Iterator<Item = NodeId>,
    walk: &Walk,
    walk_floor: f64,
    max_walked: usize,
) -> Vec<NodeId> {
    let mut all = by_words.to_vec();
    all.extend(by_words.iter().filter_map(|node| graph.container(*node)));
    all.extend(named);
    let mut reached: Vec<(f64, NodeId)> = (walk.nodes.iter())
        .filter(|walked| walked.score >= walk_floor && is_candidate(graph, walked.node))
        .map(|walked| (walked.score, walked.node))
        .collect();
    reached.sort_by(|a, b| b.0.total_cmp(&a.0).then(graph.id_prefix(a.1).cmp(&graph.id_prefix(b.1))));
    all.extend(reached.into_iter().take(max_walked).map(|(_, node)| node));
    all.iter_mut().for_each(|node| *node = graph.declared(*node).unwrap_or(*node));
    all.retain(|node| is_candidate(graph, *node));
    all.sort_unstable();
    all.dedup();
    all
}
