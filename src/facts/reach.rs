//! Hashes of all that can be reached from each node of a graph.
//!
//! Nodes that reach each other reach the same, so the graph falls into strongly connected components (Tarjan 1972,
//! "Depth-first search and linear graph algorithms"), each of which gets one hash: of its own nodes and of the
//! components that it leads to. Linear in nodes and edges but for sorting; walks with a stack of its own, for chains
//! are as long as files.

use xxhash_rust::xxh3::Xxh3;

/// Nodes, each with a hash of its own, and where they lead.
#[derive(Default)]
pub(super) struct Graph {
    own: Vec<u64>,
    /// Where the links of each node end.
    ends: Vec<u32>,
    links: Vec<u32>,
}

impl Graph {
    /// Adds the next node.
    pub fn node(&mut self, own: u64, successors: impl Iterator<Item = u32>) {
        self.own.push(own);
        self.links.extend(successors);
        self.ends.push(self.links.len() as u32);
    }

    fn successors(&self, node: usize) -> &[u32] {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.links[start as usize..self.ends[node] as usize]
    }
}

/// For each node the hash of its component.
pub(super) fn reachable_hashes(graph: &Graph) -> Vec<u64> {
    let count = graph.own.len();
    let mut walk = Walk {
        graph,
        order: vec![UNSEEN; count],
        low: vec![0; count],
        hashes: vec![0; count],
        open: Vec::new(),
        is_open: vec![false; count],
        seen: 0,
    };
    for node in 0..count as u32 {
        if walk.order[node as usize] == UNSEEN {
            walk.walk_from(node);
        }
    }
    walk.hashes
}

const UNSEEN: u32 = u32::MAX;

struct Walk<'a> {
    graph: &'a Graph,
    /// When each node was first seen.
    order: Vec<u32>,
    /// The first seen of the open nodes that each one leads to.
    low: Vec<u32>,
    hashes: Vec<u64>,
    /// Nodes whose component is not complete.
    open: Vec<u32>,
    is_open: Vec<bool>,
    seen: u32,
}

impl Walk<'_> {
    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.seen;
        self.low[node as usize] = self.seen;
        self.seen += 1;
        self.open.push(node);
        self.is_open[node as usize] = true;
    }

    fn walk_from(&mut self, start: u32) {
        let mut path: Vec<(u32, usize)> = vec![(start, 0)];
        self.enter(start);
        while let Some((node, next)) = path.last_mut() {
            let (own, place) = (*node as usize, *next);
            *next += 1;
            match self.graph.successors(own).get(place) {
                Some(&other) if self.order[other as usize] == UNSEEN => {
                    self.enter(other);
                    path.push((other, 0));
                }
                Some(&other) if self.is_open[other as usize] => {
                    self.low[own] = self.low[own].min(self.order[other as usize]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((outer, _)) = path.last() {
                        self.low[*outer as usize] = self.low[*outer as usize].min(self.low[own]);
                    }
                    if self.low[own] == self.order[own] {
                        self.complete(own as u32);
                    }
                }
            }
        }
    }

    /// Hashes the component that began with `root`.
    fn complete(&mut self, root: u32) {
        let start = self.open.iter().rposition(|node| *node == root).unwrap_or(0);
        let component = self.open.split_off(start);
        let mut inside: Vec<u64> = component.iter().map(|node| self.graph.own[*node as usize]).collect();
        inside.sort_unstable();
        let mut beyond = Vec::new();
        component.iter().for_each(|node| self.is_open[*node as usize] = false);
        for node in &component {
            // Nodes of this component have no hash yet; all others that it leads to are complete.
            let hashes = self.graph.successors(*node as usize).iter().map(|other| self.hashes[*other as usize]);
            beyond.extend(hashes.filter(|hash| *hash != 0));
        }
        beyond.sort_unstable();
        beyond.dedup();
        let mut hash = Xxh3::new();
        hash.update(&(inside.len() as u64).to_le_bytes());
        inside.iter().chain(&beyond).for_each(|part| hash.update(&part.to_le_bytes()));
        let hash = hash.digest().max(1);
        component.iter().for_each(|node| self.hashes[*node as usize] = hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(nodes: &[(u64, &[u32])]) -> Vec<u64> {
        let mut graph = Graph::default();
        nodes.iter().for_each(|(own, successors)| graph.node(*own, successors.iter().copied()));
        reachable_hashes(&graph)
    }

    #[test]
    fn a_change_is_seen_from_wherever_it_can_be_reached() {
        // 0 -> 1 <-> 2 -> 3, and 4 on its own.
        let before = hashes(&[(1, &[1]), (2, &[2]), (3, &[1, 3]), (4, &[]), (5, &[])]);
        let after = hashes(&[(1, &[1]), (2, &[2]), (3, &[1, 3]), (9, &[]), (5, &[])]);
        let changed: Vec<usize> = (0..5).filter(|node| before[*node] != after[*node]).collect();
        assert_eq!(changed, [0, 1, 2, 3]);
        assert_eq!(before[1], before[2]);
        let cut = hashes(&[(1, &[1]), (2, &[2]), (3, &[1]), (4, &[]), (5, &[])]);
        assert_ne!(before[0], cut[0]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let mut graph = Graph::default();
        (0..200_000).for_each(|node| graph.node(u64::from(node), [(node + 1) % 200_000].into_iter()));
        let hashes = reachable_hashes(&graph);
        assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    }
}
