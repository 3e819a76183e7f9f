//! Random walk with restart (Tong, Faloutsos and Pan, ICDM 2006) over the edges in both directions: the stationary
//! probability of each node.

use std::collections::HashMap;

use crate::graph::adjacency::{Adjacency, Neighbor, Neighborhoods};
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
    /// Distance of every node of the graph, [`FAR`] for one out of reach; empty if `nodes` has all that were reached.
    distances: Vec<u8>,
    pub iterations: usize,
}

/// A reached node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkedNode {
    pub node: NodeId,
    /// Probability, scaled so that the best node has 1.
    pub score: f64,
    /// Hops from the nearest seed; 0 for a seed.
    pub distance: u32,
}

impl Walk {
    /// Returns a walk that reached these nodes, which are sorted by number.
    pub fn of_nodes(nodes: Vec<WalkedNode>, iterations: usize) -> Walk {
        Walk { nodes, distances: Vec::new(), iterations }
    }

    /// Returns a reached node.
    pub fn get(&self, node: NodeId) -> Option<WalkedNode> {
        match self.nodes.binary_search_by_key(&node, |walked| walked.node) {
            Ok(index) => Some(self.nodes[index]),
            Err(_) => {
                let distance = *self.distances.get(node.index()).filter(|distance| **distance != FAR)?;
                Some(WalkedNode { node, score: 0.0, distance: distance.into() })
            }
        }
    }

    /// Returns every reached node, by number.
    pub fn reached(&self) -> impl Iterator<Item = WalkedNode> {
        let listed: &[WalkedNode] = if self.distances.is_empty() { &self.nodes } else { &[] };
        let mut walked = self.nodes.iter().copied().peekable();
        let with_distance = NodeId::sequence().zip(&self.distances).filter(|(_, distance)| **distance != FAR);
        let others = with_distance.map(move |(node, distance)| {
            let without = WalkedNode { node, score: 0.0, distance: (*distance).into() };
            walked.next_if(|walked| walked.node == node).unwrap_or(without)
        });
        listed.iter().copied().chain(others)
    }
}

/// Walks from seeds with restart weights. Complexity: the edges within reach once, then in each iteration the nodes with
/// mass and the edges of the propagating nodes, whose weights sum to at most `1 / push_threshold`. Seeds outside
/// the graph or without positive weight are ignored; without seeds the walk is empty. The mass of a node whose edges
/// have no weight returns to the seeds, so no result is NaN.
pub fn random_walk(graph: &Adjacency, seeds: &[(NodeId, f64)], config: &WalkConfig) -> Walk {
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
    // Enters the thread pool once instead of in each iteration.
    let (masses, ()) = rayon::join(|| iterate(graph, &reach, &restart, config), || ());
    let Masses { mass, nodes: with_mass, iterations } = masses;
    let best = with_mass.iter().map(|node| mass[node.index()]).fold(0.0, f64::max);
    let scale = if best > 0.0 { 1.0 / best } else { 0.0 };
    let distances = reach.distances;
    let walked = |node: &NodeId| {
        let (score, distance) = (mass[node.index()] * scale, distances[node.index()]);
        (distance != FAR).then_some(WalkedNode { node: *node, score, distance: distance.into() })
    };
    Walk { nodes: with_mass.iter().filter_map(walked).collect(), distances, iterations }
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

/// Share of all nodes, as a divisor, from which the search runs bottom-up.
const BOTTOM_UP_SHARE: usize = 32;

/// Returns the next level of a breadth-first search, top-down: the unreached neighbors of the last level.
fn top_down_step(graph: &Adjacency, distances: &mut [u8], distance: u8, last: &[NodeId]) -> Vec<NodeId> {
    let mut new = Vec::new();
    for row in last.iter().flat_map(|&node| graph.rows(node)) {
        for neighbor in row {
            let known = &mut distances[neighbor.node.index()];
            if *known == FAR && neighbor.link_weight() > 0.0 {
                *known = distance;
                new.push(neighbor.node);
            }
        }
    }
    new
}

/// Returns the next level bottom-up: the nodes of `unreached` with a neighbor in the last level. Edges have the same
/// weight in both directions.
fn bottom_up_step(graph: &Adjacency, distances: &mut [u8], distance: u8, unreached: &mut Vec<NodeId>) -> Vec<NodeId> {
    let mut new = Vec::new();
    unreached.retain(|&node| {
        let is_last = |neighbor: &Neighbor| distances[neighbor.node.index()] < distance && neighbor.link_weight() > 0.0;
        let is_reached = graph.rows(node).into_iter().any(|row| row.iter().any(is_last));
        if is_reached {
            new.push(node);
        }
        !is_reached
    });
    new.iter().for_each(|&node| distances[node.index()] = distance);
    new
}

/// The nodes within reach of the seeds.
struct Reach {
    /// Distance of every node; [`FAR`] out of reach.
    distances: Vec<u8>,
    max_hops: u8,
}

impl Reach {
    /// Finds the reachable nodes with a direction-optimizing breadth-first search (Beamer, Asanovic and Patterson, SC
    /// 2012): top-down while the last level is small, then bottom-up, where most nodes have a reached neighbor among
    /// their first.
    fn new(graph: &Adjacency, seeds: &[(NodeId, f64)], max_hops: u32) -> Reach {
        let max_hops = max_hops.min(u32::from(FAR) - 1) as u8;
        let mut distances = vec![FAR; graph.nodes()];
        let mut last: Vec<NodeId> = seeds.iter().map(|(node, _)| *node).collect();
        last.iter().for_each(|&node| distances[node.index()] = 0);
        let mut unreached: Option<Vec<NodeId>> = None;
        for distance in 1..=max_hops {
            if unreached.is_none() && last.len() > graph.nodes() / BOTTOM_UP_SHARE {
                unreached = Some(
                    NodeId::sequence().take(graph.nodes()).filter(|node| distances[node.index()] == FAR).collect(),
                );
            }
            last = match &mut unreached {
                Some(unreached) => bottom_up_step(graph, &mut distances, distance, unreached),
                None => top_down_step(graph, &mut distances, distance, &last),
            };
            if last.is_empty() {
                break;
            }
        }
        Reach { distances, max_hops }
    }

    #[inline]
    fn contains(&self, node: NodeId) -> bool {
        self.distances[node.index()] != FAR
    }

    /// Returns whether every neighbor of a reached node is within reach.
    #[inline]
    fn is_inner(&self, node: NodeId) -> bool {
        self.distances[node.index()] < self.max_hops
    }

    /// Returns the sum of the weights of a node's edges to neighbors within reach.
    fn flow(&self, graph: &Adjacency, node: NodeId) -> f64 {
        if self.is_inner(node) {
            return graph.weighted_degree(node);
        }
        let inside = graph.neighbors(node).filter(|neighbor| self.contains(neighbor.node));
        inside.map(|neighbor| f64::from(neighbor.link_weight())).sum()
    }
}

/// The mass that a node propagates in an iteration.
#[derive(Debug, Clone, Copy)]
struct Flow {
    node: NodeId,
    /// Mass per unit of weight.
    unit: f64,
}

/// Mass that was added to nodes, and which nodes these are. Memory is used only where something is added.
struct Sums {
    mass: Vec<f64>,
    /// One bit a node.
    nodes: Vec<u64>,
}

impl Sums {
    fn new(nodes: usize) -> Sums {
        Sums { mass: vec![0.0; nodes], nodes: vec![0; nodes.div_ceil(64)] }
    }

    #[inline]
    fn add(&mut self, node: NodeId, mass: f64) {
        self.mass[node.index()] += mass;
        self.mark(node);
    }

    #[inline]
    fn mark(&mut self, node: NodeId) {
        self.nodes[node.index() / 64] |= 1 << (node.index() % 64);
    }
}

/// Adds the mass that each flow propagates to its node's neighbors.
fn spread<'a>(graph: &Adjacency, reach: &Reach, flows: impl Iterator<Item = &'a Flow>, next: &mut Sums) {
    for &Flow { node, unit } in flows {
        let is_inner = reach.is_inner(node);
        for row in graph.rows(node) {
            for neighbor in row {
                if is_inner || reach.contains(neighbor.node) {
                    next.add(neighbor.node, exact(unit * f64::from(neighbor.link_weight())));
                }
            }
        }
    }
}

/// Number of flows from which two threads propagate them.
const PARALLEL_FLOWS: usize = 1_024;

/// Propagates all flows to `next` and `other_half`. The sum of the halves equals the whole, since the sums are exact.
fn spread_all(graph: &Adjacency, reach: &Reach, flows: &[Flow], next: &mut Sums, other_half: &mut Sums) {
    if flows.len() < PARALLEL_FLOWS {
        return spread(graph, reach, flows.iter(), next);
    }
    // Adjacent flows are of similar size, so that the halves are balanced.
    let (even, odd) = (flows.iter().step_by(2), flows.iter().skip(1).step_by(2));
    rayon::join(|| spread(graph, reach, even, next), || spread(graph, reach, odd, other_half));
}

/// The mass of every node after a number of iterations.
struct Masses {
    mass: Vec<f64>,
    /// Those with mass, by number.
    nodes: Vec<NodeId>,
    iterations: usize,
}

impl Masses {
    /// Replaces the mass by the sums of both halves, and clears the halves; returns the L1 change.
    fn settle(&mut self, next: &mut Sums, other_half: &mut Sums) -> f64 {
        self.nodes.drain(..).for_each(|node| next.mark(node));
        let mut change = 0.0;
        for (index, (one, other)) in next.nodes.iter_mut().zip(&mut other_half.nodes).enumerate() {
            let mut bits = std::mem::take(one) | std::mem::take(other);
            while bits != 0 {
                let node = NodeId::from_index(index * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                let halves = [next.mass[node.index()], other_half.mass[node.index()]];
                let (new, mass) = (halves[0] + halves[1], &mut self.mass[node.index()]);
                change += (new - *mass).abs();
                *mass = new;
                if halves[0] != 0.0 {
                    next.mass[node.index()] = 0.0;
                }
                if halves[1] != 0.0 {
                    other_half.mass[node.index()] = 0.0;
                }
                if new > 0.0 {
                    self.nodes.push(node);
                }
            }
        }
        change
    }
}

/// Returns the mass of every node and the number of iterations.
fn iterate(graph: &Adjacency, reach: &Reach, restart: &[(NodeId, f64)], config: &WalkConfig) -> Masses {
    let mut masses = Masses { mass: vec![0.0; graph.nodes()], nodes: Vec::new(), iterations: config.max_iterations };
    restart.iter().for_each(|&(node, share)| masses.mass[node.index()] += exact(share));
    let (mut next, mut other_half) = (Sums::new(graph.nodes()), Sums::new(graph.nodes()));
    // Weighted degrees of the nodes that had mass so far; 0 for others.
    let mut degrees = vec![0.0; graph.nodes()];
    // Weights of the nodes at the maximum distance, whose neighbors are not all within reach.
    let mut rim_flows: HashMap<NodeId, f64> = HashMap::new();
    let (mut flows, mut last_top) = (Vec::new(), Vec::new());
    masses.nodes.extend(restart.iter().map(|(node, _)| *node));
    masses.nodes.sort_unstable();
    masses.nodes.dedup();
    for iteration in 1..=config.max_iterations {
        flows.clear();
        let mut at_seeds = exact(config.restart);
        for &node in &masses.nodes {
            let share = masses.mass[node.index()];
            let leaving = exact(share * (1.0 - config.restart));
            let degree = &mut degrees[node.index()];
            if *degree == 0.0 {
                *degree = graph.weighted_degree(node);
            }
            // An upper bound of the weight within reach, which excludes most nodes.
            let is_below_threshold = leaving < config.push_threshold * *degree;
            let flow = match reach.is_inner(node) {
                _ if is_below_threshold => 0.0,
                true => *degree,
                false => *rim_flows.entry(node).or_insert_with(|| reach.flow(graph, node)),
            };
            if flow > 0.0 {
                flows.push(Flow { node, unit: leaving / flow });
            } else {
                at_seeds += leaving;
            }
        }
        spread_all(graph, reach, &flows, &mut next, &mut other_half);
        restart.iter().for_each(|&(node, share)| next.add(node, exact(at_seeds * share)));
        let change = masses.settle(&mut next, &mut other_half);
        let top = if config.stable_top > 0 { best(&masses.mass, &masses.nodes, config.stable_top) } else { Vec::new() };
        if change < config.convergence || (config.stable_top > 0 && top == last_top) {
            masses.iterations = iteration;
            return masses;
        }
        last_top = top;
    }
    masses
}

/// Returns the `count` nodes with the greatest mass, all of them in `with_mass`, ties included, each after the number of nodes with greater mass.
/// Independent of the numbering of the nodes. `count` is at least 1.
fn best(mass: &[f64], with_mass: &[NodeId], count: usize) -> Vec<(usize, u32)> {
    // The largest masses, ascending; few nodes exceed the least of them.
    let mut largest = vec![0.0; count];
    for node in with_mass {
        let share = mass[node.index()];
        if share > largest[0] {
            let index = largest.partition_point(|other| *other < share);
            largest[..index].rotate_left(1);
            largest[index - 1] = share;
        }
    }
    let shares = with_mass.iter().map(|node| (mass[node.index()], node.get()));
    let mut all: Vec<(f64, u32)> = shares.filter(|(share, _)| *share >= largest[0]).collect();
    all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.iter().map(|(share, node)| (all.partition_point(|(other, _)| other > share), *node)).collect()
}

#[cfg(test)]
mod tests;
