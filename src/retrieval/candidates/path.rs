//! The `path` channel: types in the folders and files that words of the query name.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::Graph;
use crate::model::NodeId;
use crate::query::Keywords;
use crate::rank::tuning;

/// Returns the types in the files that the query names, ordered by the number of their members that match (at most
/// [`tuning::MEMBERS_COUNTED`]), then by the term of the query, then by the number of members.
pub fn path(graph: &Graph, keywords: &Keywords, matches: &dyn Fn(NodeId) -> bool) -> Vec<NodeId> {
    let mut seen = HashSet::new();
    let mut found: Vec<(usize, usize, usize, NodeId)> = Vec::new();
    for (order, term) in keywords.path_terms.iter().enumerate() {
        for node in graph.in_path_unordered(term) {
            let is_type = graph.meta(node).is_some_and(|meta| meta.kind.is_type() && !meta.is_test);
            if is_type && seen.insert(node) {
                let members: Vec<NodeId> = graph.members(node).collect();
                let matching = members.iter().filter(|member| matches(**member)).count();
                found.push((matching, members.len(), order, node));
            }
        }
    }
    found.sort_by_key(|&(matching, members, order, node)| {
        (Reverse(matching.min(tuning::MEMBERS_COUNTED)), order, Reverse(members), graph.id_prefix(node))
    });
    found.into_iter().map(|(.., node)| node).take(tuning::PATH_CHANNEL).collect()
}
