//! Classes made for one task (layer 5 of SPEC §7): what the callers and callees of a symbol are called is a way to speak
//! of the symbol itself.

use std::collections::HashSet;

use crate::model::EdgeType;
use crate::retrieve::classes::ClassHit;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning;
use crate::store::{Reader, StoreError};
use crate::text::{split_identifier, stem};
use crate::vocab::Layer;

/// Hits of the best of `tiered` (best first) around which something bears two neighboring words of the task as
/// neighboring words of its name; `phrases` are the task's. Reads at most a few names for each.
///
/// # Errors
/// When the store can't be read.
pub fn aliases(
    reader: &Reader,
    graph: &Graph,
    tiered: &[u32],
    phrases: &[(String, String)],
) -> Result<Vec<ClassHit>, StoreError> {
    let said: HashSet<(String, String)> =
        phrases.iter().map(|(one, two)| (stem(one).into_owned(), stem(two).into_owned())).collect();
    let mut hits = Vec::new();
    if said.is_empty() {
        return Ok(hits);
    }
    for &node in tiered.iter().take(tuning::ALIAS_HITS) {
        let Some((.., target)) = reader.scoped_name(node)? else { continue };
        let own = bigrams(&target);
        for neighbor in callers_and_callees(graph, node) {
            let Some((.., name)) = reader.scoped_name(neighbor)? else { continue };
            let new = bigrams(&name).into_iter().find(|pair| said.contains(pair) && !own.contains(pair));
            if let Some((one, two)) = new {
                let (concept, phrase) = (name, format!("{one} {two}"));
                let value = Layer::Graph.weight();
                hits.push(ClassHit {
                    node,
                    concept,
                    layer: Layer::Graph,
                    phrase,
                    target,
                    value,
                    leads: false,
                    muted: false,
                });
                break;
            }
        }
    }
    Ok(hits)
}

/// The first few symbols that call this one or that it calls, in the order of the graph's rows.
fn callers_and_callees(graph: &Graph, node: u32) -> impl Iterator<Item = u32> {
    let rows = graph.adjacency.incoming(node).iter().chain(graph.adjacency.outgoing(node));
    let calls = rows.filter(|neighbor| neighbor.edge_type == EdgeType::Calls).map(|neighbor| neighbor.node);
    calls.filter(|other| graph.head(*other).is_some_and(|head| head.file.is_some())).take(tuning::ALIAS_NEIGHBORS)
}

/// Stems of each two neighboring words of an identifier.
fn bigrams(identifier: &str) -> Vec<(String, String)> {
    let stems: Vec<String> = split_identifier(identifier).iter().map(|word| stem(word).into_owned()).collect();
    stems.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::bigrams;

    #[test]
    fn names_are_their_neighboring_words() {
        let pair = |one: &str, two: &str| (one.to_owned(), two.to_owned());
        assert_eq!(bigrams("validateEmailAddress"), [pair("valid", "email"), pair("email", "address")]);
        assert!(bigrams("run").is_empty());
    }
}
