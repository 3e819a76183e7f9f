//! The `path` channel: types in the folders and files that words of the query name.

use std::cmp::Reverse;

use super::Graph;
use crate::model::NodeId;
use crate::query::Keywords;
use crate::rank::node_set::NodeSet;
use crate::rank::tuning;

/// A type in a file that the query names.
struct Found {
    node: NodeId,
    /// The term of the query.
    order: usize,
    matching: usize,
    members: usize,
}

/// Returns the types in the files that the query names, ordered by the number of their members that match (at most
/// [`tuning::MEMBERS_COUNTED`]), then by the term of the query, then by the number of members.
pub fn path(graph: &Graph, keywords: &Keywords, matches: &dyn Fn(NodeId) -> bool) -> Vec<NodeId> {
    let mut found: Vec<Found> = Vec::new();
    let is_type = |node: NodeId| graph.meta(node).is_some_and(|meta| meta.kind.is_type() && !meta.is_test);
    for (order, term) in keywords.path_terms.iter().enumerate() {
        let types = graph.in_path_unordered(term).filter(|node| is_type(*node));
        found.extend(types.map(|node| Found { node, order, matching: 0, members: 0 }));
    }
    found.sort_by_key(|found| (found.node, found.order));
    found.dedup_by_key(|found| found.node);
    if !found.is_empty() {
        let types: NodeSet = found.iter().map(|found| found.node).collect();
        graph.for_each_member(|member, owner| {
            if let Some(found) = types.index_of(owner).map(|index| &mut found[index]) {
                found.members += 1;
                found.matching += usize::from(matches(member));
            }
        });
    }
    found.sort_by_key(|found| {
        let Found { node, order, matching, members } = *found;
        (Reverse(matching.min(tuning::MEMBERS_COUNTED)), order, Reverse(members), graph.id_prefix(node))
    });
    found.into_iter().map(|found| found.node).take(tuning::PATH_CHANNEL).collect()
}
