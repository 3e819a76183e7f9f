//! Random walk with restart (Tong, Faloutsos and Pan, ICDM 2006): how much of a walker's time each node gets when the
//! walker follows edges in both directions and keeps returning to the seeds.

use std::collections::HashMap;

use crate::graph::adjacency::Adjacency;

/// How the walk runs. Every field is given by the caller; the values live in `retrieve::tuning`.
#[derive(Debug, Clone, Copy)]
pub struct WalkConfig {
    /// Probability of returning to the seeds at each step.
    pub restart: f64,
    pub most_iterations: usize,
    /// The walk ends when the sum of all changes in a step falls below this.
    pub convergence: f64,
    /// It also ends when this many best nodes stay the same in two steps running.
    pub stable_top: usize,
    /// Nodes farther than this from every seed are not walked.
    pub most_hops: u32,
}

/// What the walk found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walk {
    /// Reached nodes in order of their number.
    pub nodes: Vec<WalkedNode>,
    pub iterations: usize,
}

/// A node that the walk reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkedNode {
    pub node: u32,
    /// Share of the walker's time, scaled so that the best node has 1.
    pub score: f64,
    /// Hops from the nearest seed; 0 for a seed.
    pub distance: u32,
}

impl Walk {
    /// A reached node.
    pub fn get(&self, node: u32) -> Option<&WalkedNode> {
        self.nodes.binary_search_by_key(&node, |walked| walked.node).ok().map(|index| &self.nodes[index])
    }
}

/// Walks from the seeds (node, restart weight). Cost: iterations times the edges within reach. Seeds outside the graph
/// or without positive weight are left out; without any seed the walk is empty. No result is NaN: a node
/// whose edges all weigh nothing is a dead end, and dead ends return to the seeds.
pub fn random_walk(graph: &Adjacency, seeds: &[(u32, f64)], config: &WalkConfig) -> Walk {
    let seeds: Vec<(u32, f64)> = seeds
        .iter()
        .copied()
        .filter(|(node, weight)| (*node as usize) < graph.nodes() && weight.is_finite() && *weight > 0.0)
        .collect();
    let total: f64 = seeds.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return Walk::default();
    }
    let reach = Reach::new(graph, &seeds, config.most_hops);
    let mut restart = vec![0.0; reach.nodes.len()];
    for (node, weight) in &seeds {
        restart[reach.index[node]] += weight / total;
    }
    let (mass, iterations) = iterate(&reach, &restart, config);
    let best = mass.iter().copied().fold(0.0, f64::max);
    let mut nodes: Vec<WalkedNode> = (0..reach.nodes.len())
        .map(|index| WalkedNode {
            node: reach.nodes[index],
            score: if best > 0.0 { mass[index] / best } else { 0.0 },
            distance: reach.distances[index],
        })
        .collect();
    nodes.sort_unstable_by_key(|walked| walked.node);
    Walk { nodes, iterations }
}

/// The part of the graph within reach, renumbered, with transition probabilities.
struct Reach {
    nodes: Vec<u32>,
    distances: Vec<u32>,
    index: HashMap<u32, usize>,
    starts: Vec<usize>,
    /// Neighbour within reach and the share of flow that goes there.
    flows: Vec<(usize, f64)>,
}

impl Reach {
    fn new(graph: &Adjacency, seeds: &[(u32, f64)], most_hops: u32) -> Reach {
        let mut reach = Reach {
            nodes: Vec::new(),
            distances: Vec::new(),
            index: HashMap::new(),
            starts: vec![0],
            flows: Vec::new(),
        };
        for (node, _) in seeds {
            reach.enter(*node, 0);
        }
        let mut next = 0;
        while next < reach.nodes.len() {
            let (node, distance) = (reach.nodes[next], reach.distances[next]);
            if distance < most_hops {
                for neighbour in graph.neighbours(node).iter().filter(|neighbour| neighbour.walk_weight() > 0.0) {
                    reach.enter(neighbour.node, distance + 1);
                }
            }
            next += 1;
        }
        for index in 0..reach.nodes.len() {
            reach.add_flows(graph, index);
        }
        reach
    }

    fn enter(&mut self, node: u32, distance: u32) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.index.entry(node) {
            entry.insert(self.nodes.len());
            self.nodes.push(node);
            self.distances.push(distance);
        }
    }

    fn add_flows(&mut self, graph: &Adjacency, index: usize) {
        let first = self.flows.len();
        let mut total = 0.0;
        for neighbour in graph.neighbours(self.nodes[index]) {
            let weight = neighbour.walk_weight();
            if weight > 0.0
                && let Some(&to) = self.index.get(&neighbour.node)
            {
                self.flows.push((to, weight));
                total += weight;
            }
        }
        for flow in &mut self.flows[first..] {
            flow.1 /= total;
        }
        self.starts.push(self.flows.len());
    }
}

fn iterate(reach: &Reach, restart: &[f64], config: &WalkConfig) -> (Vec<f64>, usize) {
    let mut mass = restart.to_vec();
    let mut last_top = Vec::new();
    for iteration in 1..=config.most_iterations {
        let mut next = vec![0.0; mass.len()];
        let mut returned = 0.0;
        for (index, &amount) in mass.iter().enumerate() {
            let flows = &reach.flows[reach.starts[index]..reach.starts[index + 1]];
            if flows.is_empty() {
                returned += amount * (1.0 - config.restart);
            }
            for &(to, share) in flows {
                next[to] += amount * share * (1.0 - config.restart);
            }
        }
        let at_seeds = config.restart + returned;
        for (amount, share) in next.iter_mut().zip(restart) {
            *amount += at_seeds * share;
        }
        let change: f64 = next.iter().zip(&mass).map(|(a, b)| (a - b).abs()).sum();
        mass = next;
        let top = best(&mass, config.stable_top);
        if change < config.convergence || (config.stable_top > 0 && top == last_top) {
            return (mass, iteration);
        }
        last_top = top;
    }
    (mass, config.most_iterations)
}

/// The places of the `count` largest values, largest first, equal ones by place.
fn best(mass: &[f64], count: usize) -> Vec<usize> {
    let mut top: Vec<usize> = Vec::with_capacity(count + 1);
    for place in 0..mass.len() {
        let at = top.partition_point(|&other| mass[other] >= mass[place]);
        if at < count {
            top.insert(at, place);
            top.truncate(count);
        }
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edge, EdgeType, Provenance};

    const CONFIG: WalkConfig =
        WalkConfig { restart: 0.2, most_iterations: 200, convergence: 1e-12, stable_top: 0, most_hops: 4 };

    fn graph(nodes: usize, edges: &[(u32, u32, EdgeType)]) -> Adjacency {
        let edges: Vec<Edge> = edges
            .iter()
            .map(|&(source, target, edge_type)| Edge {
                source,
                target,
                edge_type,
                provenance: Provenance::AstResolved,
                confidence: 0.9,
            })
            .collect();
        Adjacency::new(nodes, &edges)
    }

    #[test]
    fn nearer_nodes_get_more() {
        let graph = graph(4, &[(0, 1, EdgeType::Calls), (1, 2, EdgeType::Calls), (2, 3, EdgeType::Calls)]);
        let walk = random_walk(&graph, &[(0, 1.0)], &CONFIG);
        let score = |node| walk.get(node).map_or(0.0, |walked| walked.score);
        assert!(score(1) > score(2) && score(2) > score(3) && score(3) > 0.0);
        assert_eq!(walk.get(3).map(|walked| walked.distance), Some(3));
    }

    #[test]
    fn seeds_whose_edges_weigh_nothing_give_no_nan() {
        let graph = graph(2, &[(0, 1, EdgeType::OwnedBy)]);
        let walk = random_walk(&graph, &[(0, 1.0)], &CONFIG);
        assert_eq!(walk.nodes.len(), 1);
        assert_eq!(walk.nodes[0].score, 1.0);
    }

    #[test]
    fn mass_sums_to_one() {
        let graph = graph(5, &[(0, 1, EdgeType::Calls), (0, 2, EdgeType::Imports), (3, 0, EdgeType::Tests)]);
        let seeds = [(0, 1.0), (4, 0.5)];
        let reach = Reach::new(&graph, &seeds, 4);
        let mut restart = vec![0.0; reach.nodes.len()];
        for (node, weight) in seeds {
            restart[reach.index[&node]] += weight / 1.5;
        }
        let (mass, _) = iterate(&reach, &restart, &CONFIG);
        assert!((mass.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn no_seed_no_walk() {
        let graph = graph(1, &[]);
        assert_eq!(random_walk(&graph, &[], &CONFIG), Walk::default());
        assert_eq!(random_walk(&graph, &[(7, 1.0), (0, f64::NAN)], &CONFIG), Walk::default());
    }
}
