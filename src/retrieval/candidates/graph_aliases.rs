//! Concepts of the `graph` layer, generated for one task: the name of a caller or callee of a symbol is its alias.

use std::collections::HashSet;

use super::{ConceptHit, Graph};
use crate::concepts::Layer;
use crate::model::{EdgeType, NodeId};
use crate::rank::tuning;
use crate::store::{Reader, ScopedName, StoreError};
use crate::text::{split_identifier, stem};

/// Returns hits on the best of `tiered` that have a caller or callee whose name contains one of `phrases`, the bigrams
/// of the task. Reads at most [`tuning::ALIAS_NEIGHBORS`] names for each.
///
/// # Errors
/// When the store can't be read.
pub fn graph_aliases(
    reader: &Reader,
    graph: &Graph,
    tiered: &[NodeId],
    phrases: &[(String, String)],
) -> Result<Vec<ConceptHit>, StoreError> {
    let of_task: HashSet<(String, String)> =
        phrases.iter().map(|(one, two)| (stem(one).into_owned(), stem(two).into_owned())).collect();
    let mut hits = Vec::new();
    if of_task.is_empty() {
        return Ok(hits);
    }
    let name_of = |node: NodeId| reader.scoped_name(node);
    for &node in tiered.iter().take(tuning::ALIAS_HITS) {
        let Some(ScopedName { name: target, .. }) = name_of(node)? else { continue };
        let own = bigrams(&target);
        for neighbor in callers_and_callees(graph, node) {
            let Some(ScopedName { name, .. }) = name_of(neighbor)? else { continue };
            let new = bigrams(&name).into_iter().find(|pair| of_task.contains(pair) && !own.contains(pair));
            if let Some((one, two)) = new {
                hits.push(ConceptHit {
                    node,
                    concept: name,
                    layer: Layer::Graph,
                    phrase: format!("{one} {two}"),
                    target,
                    value: Layer::Graph.weight(),
                    leads: false,
                    muted: false,
                });
                break;
            }
        }
    }
    Ok(hits)
}

/// Returns the first callers and callees of a symbol, in the order of the graph's rows.
fn callers_and_callees(graph: &Graph, node: NodeId) -> impl Iterator<Item = NodeId> {
    let rows = graph.incoming(node).iter().chain(graph.outgoing(node));
    let calls = rows.filter(|neighbor| neighbor.edge_type == EdgeType::Calls).map(|neighbor| neighbor.node);
    calls.filter(|other| graph.meta(*other).is_some_and(|meta| meta.file.is_some())).take(tuning::ALIAS_NEIGHBORS)
}

/// Returns the bigrams of an identifier: the stems of each two adjacent words.
fn bigrams(identifier: &str) -> Vec<(String, String)> {
    let stems: Vec<String> = split_identifier(identifier).iter().map(|word| stem(word).into_owned()).collect();
    stems.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::bigrams;

    #[test]
    fn bigrams_are_adjacent_stems() {
        let pair = |one: &str, two: &str| (one.to_owned(), two.to_owned());
        assert_eq!(bigrams("validateEmailAddress"), [pair("valid", "email"), pair("email", "address")]);
        assert!(bigrams("run").is_empty());
    }
}
