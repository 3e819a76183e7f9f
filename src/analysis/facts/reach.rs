//! Reachability hashes of a graph.
//!
//! Nodes of a strongly connected component reach the same nodes, so each component has one hash: over its own nodes and
//! the components that it leads to. Components are found by Tarjan's algorithm ("Depth-first search and linear graph
//! algorithms", 1972), in time linear in nodes and edges except for sorting. The stack is explicit, because chains can
//! be as long as files.

use xxhash_rust::xxh3::Xxh3;

/// Nodes with their own hashes and successors.
#[derive(Default)]
pub(crate) struct Graph {
    own: Vec<u64>,
    /// End of each node's successors in `links`.
    ends: Vec<u32>,
    links: Vec<u32>,
}

impl Graph {
    /// Adds a node.
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

/// Returns for each node the hash of its component.
pub(crate) fn reachable_hashes(graph: &Graph) -> Vec<u64> {
    let count = graph.own.len();
    let mut tarjan = Tarjan {
        graph,
        index: vec![UNVISITED; count],
        lowlink: vec![0; count],
        hashes: vec![0; count],
        stack: Vec::new(),
        on_stack: vec![false; count],
        next_index: 0,
    };
    for node in 0..count as u32 {
        if tarjan.index[node as usize] == UNVISITED {
            tarjan.strong_connect(node);
        }
    }
    tarjan.hashes
}

const UNVISITED: u32 = u32::MAX;

struct Tarjan<'a> {
    graph: &'a Graph,
    /// Visiting order of each node.
    index: Vec<u32>,
    /// Lowest index on the stack that is reachable from each node.
    lowlink: Vec<u32>,
    hashes: Vec<u64>,
    /// Visited nodes whose component is not complete.
    stack: Vec<u32>,
    on_stack: Vec<bool>,
    next_index: u32,
}

impl Tarjan<'_> {
    fn visit(&mut self, node: u32) {
        self.index[node as usize] = self.next_index;
        self.lowlink[node as usize] = self.next_index;
        self.next_index += 1;
        self.stack.push(node);
        self.on_stack[node as usize] = true;
    }

    fn strong_connect(&mut self, start: u32) {
        let mut path: Vec<(u32, usize)> = vec![(start, 0)];
        self.visit(start);
        while let Some((node, next)) = path.last_mut() {
            let (own, edge) = (*node as usize, *next);
            *next += 1;
            match self.graph.successors(own).get(edge) {
                Some(&other) if self.index[other as usize] == UNVISITED => {
                    self.visit(other);
                    path.push((other, 0));
                }
                Some(&other) if self.on_stack[other as usize] => {
                    self.lowlink[own] = self.lowlink[own].min(self.index[other as usize]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((outer, _)) = path.last() {
                        self.lowlink[*outer as usize] = self.lowlink[*outer as usize].min(self.lowlink[own]);
                    }
                    if self.lowlink[own] == self.index[own] {
                        self.pop_component(own as u32);
                    }
                }
            }
        }
    }

    /// Pops the component of `root` and hashes it.
    fn pop_component(&mut self, root: u32) {
        let start = self.stack.iter().rposition(|node| *node == root).unwrap_or(0);
        let component = self.stack.split_off(start);
        let mut inside: Vec<u64> = component.iter().map(|node| self.graph.own[*node as usize]).collect();
        inside.sort_unstable();
        let mut beyond = Vec::new();
        component.iter().for_each(|node| self.on_stack[*node as usize] = false);
        for node in &component {
            // Nodes of this component have no hash yet; all other successors are complete.
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
    fn change_affects_all_nodes_that_reach_it() {
        // 0 -> 1 <-> 2 -> 3; 4 is isolated.
        let before = hashes(&[(1, &[1]), (2, &[2]), (3, &[1, 3]), (4, &[]), (5, &[])]);
        let after = hashes(&[(1, &[1]), (2, &[2]), (3, &[1, 3]), (9, &[]), (5, &[])]);
        let changed: Vec<usize> = (0..5).filter(|node| before[*node] != after[*node]).collect();
        assert_eq!(changed, [0, 1, 2, 3]);
        assert_eq!(before[1], before[2]);
        let cut = hashes(&[(1, &[1]), (2, &[2]), (3, &[1]), (4, &[]), (5, &[])]);
        assert_ne!(before[0], cut[0]);
    }

    #[test]
    fn long_cycles_do_not_overflow_the_stack() {
        let mut graph = Graph::default();
        (0..200_000).for_each(|node| graph.node(u64::from(node), [(node + 1) % 200_000].into_iter()));
        let hashes = reachable_hashes(&graph);
        assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    }
}
