//! Words of the task that name a folder or file lead to the types there (SPEC §6.2).

use std::collections::HashSet;

use crate::rank::keywords::Keywords;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning;

/// Types of the places that the task names: those with the most members that match first (`matches` tells), then by
/// number of members.
pub fn path(graph: &Graph, keywords: &Keywords, matches: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut seen = HashSet::new();
    let mut found: Vec<(usize, usize, usize, u32)> = Vec::new();
    for (order, term) in keywords.path_terms.iter().enumerate() {
        for node in graph.in_path(term) {
            let is_type = graph.head(node).is_some_and(|head| head.kind.is_type() && !head.is_test);
            if is_type && seen.insert(node) {
                let members: Vec<u32> = graph.members(node).collect();
                let matching = members.iter().filter(|member| matches(**member)).count();
                found.push((matching, members.len(), order, node));
            }
        }
    }
    found.sort_by_key(|&(matching, members, order, node)| {
        (std::cmp::Reverse(matching.min(tuning::MEMBERS_COUNTED)), order, std::cmp::Reverse(members), graph.tie(node))
    });
    found.into_iter().map(|(.., node)| node).take(tuning::PATH_CHANNEL).collect()
}
