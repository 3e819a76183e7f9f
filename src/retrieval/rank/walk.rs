//! Random walk with restart (Tong, Faloutsos and Pan, ICDM 2006) over the edges in both directions: the stationary
//! probability of each node.

use std::collections::{BTreeMap, HashSet};

use rustc_hash::FxHashMap;

use crate::graph::adjacency::Neighborhoods;
use crate::model::NodeId;

/// Parameters of a walk. The values of the pipeline are in [`tuning`](super::tuning).
#[derive(Debug, Clone, Copy)]
pub struct WalkConfig {
    /// Restart probability of each step.
    pub restart: f64,
    pub max_iterations: usize,
    /// L1 change of an iteration below which the walk ends.
    pub convergence: f64,
    /// Number of best nodes, with ties, whose order ends the walk when it is the same in two iterations; 0 to disable.
    pub stable_top: usize,
    /// Distance from the seeds beyond which nodes are not reached.
    pub max_hops: u32,
    /// Push threshold (Andersen, Chung and Lang, FOCS 2006): nodes with mass/degree below it do not propagate, and
    /// their mass returns to the seeds. Hubs with little mass are the most costly nodes and change the least.
    pub push_threshold: f64,
}

/// The result of a walk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walk {
    /// Nodes with a probability, by number.
    pub nodes: Vec<WalkedNode>,
    reach: Reach,
    pub iterations: usize,
}

/// A node with a probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkedNode {
    pub node: NodeId,
    /// Probability, scaled so that the best node has 1.
    pub score: f64,
}

impl Walk {
    /// Returns a walk that reached these nodes, each with its distance, and no others.
    pub fn of_nodes(mut reached: Vec<(WalkedNode, u8)>) -> Walk {
        reached.sort_unstable_by_key(|(walked, _)| walked.node);
        let mut reach = Reach::default();
        for (walked, distance) in &reached {
            reach.distances.resize(walked.node.index(), FAR);
            reach.distances.push(*distance);
        }
        Walk { nodes: reached.into_iter().map(|(walked, _)| walked).collect(), reach, iterations: 0 }
    }

    /// Returns the walk with scores that are at least these. A node that was out of reach counts as one hop from a seed.
    pub fn raised(&self, graph: &impl Neighborhoods, least: &BTreeMap<NodeId, f64>) -> Walk {
        let mut scores: BTreeMap<NodeId, f64> = self.nodes.iter().map(|walked| (walked.node, walked.score)).collect();
        let mut reach = self.reach.clone();
        for (&node, least) in least {
            let score = scores.entry(node).or_default();
            *score = score.max(*least);
            if reach.distance(graph, node).is_none()
                && let Some(distance) = reach.distances.get_mut(node.index())
            {
                *distance = 1;
            }
        }
        let nodes = scores.into_iter().map(|(node, score)| WalkedNode { node, score }).collect();
        Walk { nodes, reach, iterations: self.iterations }
    }

    /// Returns the walk with scores of these nodes that are at most `most`.
    pub fn lowered(&self, nodes: &HashSet<NodeId>, most: f64) -> Walk {
        let lower = |walked: &WalkedNode| match nodes.contains(&walked.node) {
            true => WalkedNode { score: walked.score.min(most), ..*walked },
            false => *walked,
        };
        Walk { nodes: self.nodes.iter().map(lower).collect(), reach: self.reach.clone(), iterations: self.iterations }
    }

    /// Returns the score of a node; 0 if it has no probability, and may be out of reach.
    pub fn score(&self, node: NodeId) -> f64 {
        self.nodes.binary_search_by_key(&node, |walked| walked.node).map_or(0.0, |index| self.nodes[index].score)
    }

    /// Returns the hops to a node from the nearest seed, 0 for a seed; `None` for one out of reach. `graph` is that of the walk.
    pub fn distance(&self, graph: &impl Neighborhoods, node: NodeId) -> Option<u32> {
        self.reach.distance(graph, node).map(u32::from)
    }

    /// Returns whether a node is this number of hops from the nearest seed.
    pub fn is_at(&self, graph: &impl Neighborhoods, node: NodeId, distance: u32) -> bool {
        match self.reach.near(node) {
            Some(near) => u32::from(near) == distance,
            None => distance > u32::from(NEAR_HOPS) && self.distance(graph, node) == Some(distance),
        }
    }

    /// Returns every reached node, by number. Reads all edges within reach.
    pub fn reached(&self, graph: &impl Neighborhoods) -> Vec<WalkedNode> {
        let distances = self.reach.all(graph);
        let reached = NodeId::sequence().zip(distances).filter(|(_, distance)| *distance != FAR);
        reached.map(|(node, _)| WalkedNode { node, score: self.score(node) }).collect()
    }
}

/// Walks from seeds with restart weights. Complexity: the edges of the seeds and of their neighbors, then in each iteration the
/// nodes with mass and the edges of the propagating nodes, whose weights sum to at most `1 / push_threshold`. Seeds outside
/// the graph or without positive weight are ignored; without seeds the walk is empty. The mass of a node whose edges
/// have no weight returns to the seeds, so no result is NaN.
pub fn random_walk(graph: &impl Neighborhoods, seeds: &[(NodeId, f64)], config: &WalkConfig) -> Walk {
    let seeds: Vec<(NodeId, f64)> = seeds
        .iter()
        .copied()
        .filter(|(node, weight)| node.index() < graph.nodes() && weight.is_finite() && *weight > 0.0)
        .collect();
    let total: f64 = seeds.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return Walk::default();
    }
    let reach = Reach::new(graph, &seeds, config.max_hops);
    let restart: Vec<(NodeId, f64)> = seeds.iter().map(|(node, weight)| (*node, weight / total)).collect();
    let Masses { mut nodes, iterations, .. } = iterate(graph, &reach, &restart, config);
    nodes.retain(|node| node.mass > 0.0);
    nodes.sort_unstable_by_key(|node| node.node);
    let best = nodes.iter().map(|node| node.mass).fold(0.0, f64::max);
    let scale = if best > 0.0 { 1.0 / best } else { 0.0 };
    let walked = |node: &Massive| WalkedNode { node: node.node, score: node.mass * scale };
    Walk { nodes: nodes.iter().map(walked).collect(), reach, iterations }
}

/// Rounds a probability to a multiple of 2^-50. Sums of such numbers up to 4 are exact, so they do not depend on the
/// order of the terms, and the walk is bit-identical under any numbering of the nodes.
#[inline]
fn exact(share: f64) -> f64 {
    // Between 4 and 8, adjacent floating-point numbers differ by 2^-50, so the addition rounds.
    const UNIT: f64 = 6.0;
    (share + UNIT) - UNIT
}

/// Distance of a node out of reach.
const FAR: u8 = u8::MAX;

/// The hops from the seeds within which all nodes are found. Most of a graph is one hop further, so that the distance of another
/// node is told by its neighbors.
const NEAR_HOPS: u8 = 2;

/// Returns the next level of a breadth-first search: the unreached neighbors of the last level.
fn step(graph: &impl Neighborhoods, distances: &mut [u8], distance: u8, last: &[NodeId]) -> Vec<NodeId> {
    let mut new = Vec::new();
    for neighbor in last.iter().flat_map(|&node| graph.neighbors(node)) {
        let known = &mut distances[neighbor.node.index()];
        if *known == FAR && neighbor.link_weight() > 0.0 {
            *known = distance;
            new.push(neighbor.node);
        }
    }
    new
}

/// The nodes within reach of the seeds.
#[derive(Debug, Clone, Default, PartialEq)]
struct Reach {
    /// Distance of every node up to [`NEAR_HOPS`]; [`FAR`] for others.
    distances: Vec<u8>,
    /// 0 if no other node is within reach.
    max_hops: u8,
}

impl Reach {
    fn new(graph: &impl Neighborhoods, seeds: &[(NodeId, f64)], max_hops: u32) -> Reach {
        let max_hops = max_hops.min(u32::from(FAR) - 1) as u8;
        let mut distances = vec![FAR; graph.nodes()];
        let mut last: Vec<NodeId> = seeds.iter().map(|(node, _)| *node).collect();
        last.iter().for_each(|&node| distances[node.index()] = 0);
        for distance in 1..=max_hops.min(NEAR_HOPS) {
            last = step(graph, &mut distances, distance, &last);
        }
        Reach { distances, max_hops }
    }

    /// Returns the distance of a node within [`NEAR_HOPS`].
    #[inline]
    fn near(&self, node: NodeId) -> Option<u8> {
        self.distances.get(node.index()).copied().filter(|distance| *distance != FAR)
    }

    /// Returns the distance of a node; `None` out of reach.
    fn distance(&self, graph: &impl Neighborhoods, node: NodeId) -> Option<u8> {
        if let Some(distance) = self.near(node) {
            return Some(distance);
        }
        let (mut seen, mut last) = (HashSet::from([node]), vec![node]);
        for distance in NEAR_HOPS + 1..=self.max_hops {
            let mut next = Vec::new();
            for neighbor in last.iter().flat_map(|&node| graph.neighbors(node)) {
                if neighbor.link_weight() > 0.0 {
                    // Nearer ones are not neighbors of a node that is not near.
                    if self.near(neighbor.node).is_some() {
                        return Some(distance);
                    }
                    next.push(neighbor.node);
                }
            }
            next.retain(|node| seen.insert(*node));
            last = next;
        }
        None
    }

    /// Returns the distance of every node.
    fn all(&self, graph: &impl Neighborhoods) -> Vec<u8> {
        let mut distances = self.distances.clone();
        let mut last: Vec<NodeId> =
            NodeId::sequence().zip(&distances).filter(|(_, near)| **near == NEAR_HOPS).map(|(node, _)| node).collect();
        for distance in NEAR_HOPS + 1..=self.max_hops {
            last = step(graph, &mut distances, distance, &last);
        }
        distances
    }

    /// Returns the edges over which a node propagates mass: all but those that lead out of reach.
    fn edges(&self, graph: &impl Neighborhoods, node: NodeId) -> Edges {
        match self.distance(graph, node) {
            Some(distance) if distance < self.max_hops => Edges::All,
            _ => {
                let neighbors = graph.neighbors(node);
                let inside = neighbors.filter(|neighbor| self.distance(graph, neighbor.node).is_some());
                Edges::Some(inside.map(|neighbor| (neighbor.node, neighbor.link_weight())).collect())
            }
        }
    }
}

/// The edges over which a node propagates mass.
enum Edges {
    All,
    /// Neighbors and weights.
    Some(Vec<(NodeId, f32)>),
}

/// The edges of the nodes that have propagated mass so far.
#[derive(Default)]
struct Outflow {
    push_threshold: f64,
    degrees: FxHashMap<NodeId, f64>,
    edges: FxHashMap<NodeId, Edges>,
}

impl Outflow {
    /// Adds the mass that leaves a node to its neighbors within reach; returns false for a node without any, and for one with too
    /// little mass.
    fn spread(
        &mut self,
        graph: &impl Neighborhoods,
        reach: &Reach,
        masses: &mut Masses,
        (node, leaving): (NodeId, f64),
    ) -> bool {
        let degree = *self.degrees.entry(node).or_insert_with(|| graph.weighted_degree(node));
        if leaving < self.push_threshold * degree {
            return false;
        }
        match self.edges.entry(node).or_insert_with(|| reach.edges(graph, node)) {
            Edges::All if degree > 0.0 => {
                let unit = leaving / degree;
                for neighbor in graph.neighbors(node) {
                    masses.add(neighbor.node, exact(unit * f64::from(neighbor.link_weight())));
                }
            }
            Edges::Some(inside) if inside.iter().any(|(_, weight)| *weight > 0.0) => {
                let unit = leaving / inside.iter().map(|(_, weight)| f64::from(*weight)).sum::<f64>();
                for (neighbor, weight) in inside {
                    masses.add(*neighbor, exact(unit * f64::from(*weight)));
                }
            }
            Edges::All | Edges::Some(_) => return false,
        }
        true
    }
}

/// A node that mass came to.
#[derive(Debug, Clone, Copy)]
struct Massive {
    node: NodeId,
    mass: f64,
    /// Mass that came to it in the present iteration.
    next: f64,
}

/// The mass of the nodes that any came to: of a large graph these are few.
#[derive(Default)]
struct Masses {
    nodes: Vec<Massive>,
    /// Index of each in `nodes`.
    indexes: FxHashMap<NodeId, u32>,
    iterations: usize,
}

impl Masses {
    /// Adds mass that comes to a node in the present iteration.
    #[inline]
    fn add(&mut self, node: NodeId, mass: f64) {
        let nodes = &mut self.nodes;
        let index = *self.indexes.entry(node).or_insert_with(|| {
            nodes.push(Massive { node, mass: 0.0, next: 0.0 });
            nodes.len() as u32 - 1
        });
        nodes[index as usize].next += mass;
    }

    /// Replaces the mass by what came in the present iteration; returns the L1 change. Sums are exact, in any order.
    fn settle(&mut self) -> f64 {
        let mut change = 0.0;
        for node in &mut self.nodes {
            change += (node.next - node.mass).abs();
            node.mass = std::mem::take(&mut node.next);
        }
        change
    }
}

/// Returns the mass of the nodes and the number of iterations.
fn iterate(graph: &impl Neighborhoods, reach: &Reach, restart: &[(NodeId, f64)], config: &WalkConfig) -> Masses {
    let mut masses = Masses { iterations: config.max_iterations, ..Masses::default() };
    restart.iter().for_each(|&(node, share)| masses.add(node, exact(share)));
    masses.settle();
    let mut outflow = Outflow { push_threshold: config.push_threshold, ..Outflow::default() };
    let mut last_top = Vec::new();
    for iteration in 1..=config.max_iterations {
        let mut at_seeds = exact(config.restart);
        for index in 0..masses.nodes.len() {
            let Massive { node, mass, .. } = masses.nodes[index];
            let leaving = exact(mass * (1.0 - config.restart));
            // The bound of the weight of its edges excludes most nodes. An edge out of reach counts, too.
            let is_below = leaving < config.push_threshold * graph.least_degree(node);
            if leaving > 0.0 && (is_below || !outflow.spread(graph, reach, &mut masses, (node, leaving))) {
                at_seeds += leaving;
            }
        }
        restart.iter().for_each(|&(node, share)| masses.add(node, exact(at_seeds * share)));
        let change = masses.settle();
        let top = if config.stable_top > 0 { best(&masses.nodes, config.stable_top) } else { Vec::new() };
        if change < config.convergence || (config.stable_top > 0 && top == last_top) {
            masses.iterations = iteration;
            return masses;
        }
        last_top = top;
    }
    masses
}

/// Returns the `count` nodes with the greatest mass, ties included, each after the number of nodes with greater mass.
/// Independent of the numbering of the nodes. `count` is at least 1.
fn best(nodes: &[Massive], count: usize) -> Vec<(usize, u32)> {
    // The largest masses, ascending; few nodes exceed the least of them.
    let mut largest = vec![0.0; count];
    for Massive { mass, .. } in nodes {
        if *mass > largest[0] {
            let index = largest.partition_point(|other| other < mass);
            largest[..index].rotate_left(1);
            largest[index - 1] = *mass;
        }
    }
    let is_large = |node: &&Massive| node.mass > 0.0 && node.mass >= largest[0];
    let mut all: Vec<(f64, u32)> = nodes.iter().filter(is_large).map(|node| (node.mass, node.node.get())).collect();
    all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.iter().map(|(mass, node)| (all.partition_point(|(other, _)| other > mass), *node)).collect()
}

#[cfg(test)]
mod tests;
