//! Random walk with restart (Tong, Faloutsos and Pan, ICDM 2006): how much of a walker's time each node gets when the
//! walker follows edges in both directions and keeps returning to the seeds.

use std::collections::HashMap;

use crate::graph::adjacency::{Adjacency, Neighbor};

/// How the walk runs. Every field is given by the caller; the values live in `retrieve::tuning`.
#[derive(Debug, Clone, Copy)]
pub struct WalkConfig {
    /// Probability of returning to the seeds at each step.
    pub restart: f64,
    pub max_iterations: usize,
    /// The walk ends when the sum of all changes in a step falls below this.
    pub convergence: f64,
    /// It also ends when this many best nodes, and those that equal the last of them, stay the same in two steps running.
    pub stable_top: usize,
    /// Nodes farther than this from every seed are not walked.
    pub max_hops: u32,
    /// A node whose mass is less than this for each unit of its edges' weight passes nothing on; what it would have passed
    /// returns to the seeds. A hub that hardly any of the walk comes to would else cost most and change nothing
    /// (the threshold of Andersen, Chung and Lang, FOCS 2006).
    pub push_threshold: f64,
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

/// Walks from the seeds (node, restart weight). Cost: the edges within reach once, then for each iteration the nodes of the
/// graph and the edges of those that pass mass on, whose weights sum to at most `1 / push_threshold`. Seeds outside the graph
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
    let reach = Reach::new(graph, &seeds, config.max_hops);
    let restart: Vec<(u32, f64)> = seeds.iter().map(|(node, weight)| (*node, weight / total)).collect();
    // Once into the pool, instead of once for each iteration.
    let ((mass, iterations), ()) = rayon::join(|| iterate(graph, &reach, &restart, config), || ());
    let best = mass.iter().copied().fold(0.0, f64::max);
    let scale = if best > 0.0 { 1.0 / best } else { 0.0 };
    let reached = (0_u32..).zip(mass.iter().zip(&reach.distances)).filter(|(_, (_, distance))| **distance != FAR);
    let nodes = reached.map(|(node, (mass, distance))| WalkedNode { node, score: mass * scale, distance: *distance });
    Walk { nodes: nodes.collect(), iterations }
}

/// Brings a share of the walker to a multiple of 2^-50. Sums of such numbers up to 4 are exact, and so do not depend on
/// the order of their parts: the walk gives the same bits however nodes happen to be numbered.
#[inline]
fn exact(share: f64) -> f64 {
    // From 4 to 8 neighboring numbers lie 2^-50 apart, so this rounds without a call.
    const UNIT: f64 = 6.0;
    (share + UNIT) - UNIT
}

/// Stands for a node out of reach.
const FAR: u32 = u32::MAX;

/// From this share of all nodes on, those that are left look for the ones that were reached.
const MANY_REACHED: usize = 32;

/// The nodes that those of the last level lead to and that no level had.
fn next_level(graph: &Adjacency, distances: &mut [u32], distance: u32, last: &[u32]) -> Vec<u32> {
    let mut new = Vec::new();
    for row in last.iter().flat_map(|&node| graph.rows(node)) {
        for neighbor in row {
            let known = &mut distances[neighbor.node as usize];
            if *known == FAR && neighbor.link_weight() > 0.0 {
                *known = distance;
                new.push(neighbor.node);
            }
        }
    }
    new
}

/// The same, taken from the nodes that are `left`: an edge weighs as much in either direction.
fn join_level(graph: &Adjacency, distances: &mut [u32], distance: u32, left: &mut Vec<u32>) -> Vec<u32> {
    let mut new = Vec::new();
    left.retain(|&node| {
        let is_last =
            |neighbor: &Neighbor| distances[neighbor.node as usize] < distance && neighbor.link_weight() > 0.0;
        let is_reached = graph.rows(node).into_iter().any(|row| row.iter().any(is_last));
        if is_reached {
            new.push(node);
        }
        !is_reached
    });
    new.iter().for_each(|&node| distances[node as usize] = distance);
    new
}

/// The part of the graph within reach of the seeds.
struct Reach {
    /// Of every node of the graph; [`FAR`] out of reach.
    distances: Vec<u32>,
    max_hops: u32,
}

impl Reach {
    /// Level by level (Beamer, Asanovic and Patterson, SC 2012): while few nodes were reached last, these look for new ones;
    /// once they are many, the nodes that are left look for one of them, and most find it among their first neighbors.
    fn new(graph: &Adjacency, seeds: &[(u32, f64)], max_hops: u32) -> Reach {
        let mut distances = vec![FAR; graph.nodes()];
        let mut last: Vec<u32> = seeds.iter().map(|(node, _)| *node).collect();
        last.iter().for_each(|&node| distances[node as usize] = 0);
        let mut left: Option<Vec<u32>> = None;
        for distance in 1..=max_hops {
            if left.is_none() && last.len() > graph.nodes() / MANY_REACHED {
                left = Some((0..graph.nodes() as u32).filter(|node| distances[*node as usize] == FAR).collect());
            }
            last = match &mut left {
                Some(left) => join_level(graph, &mut distances, distance, left),
                None => next_level(graph, &mut distances, distance, &last),
            };
            if last.is_empty() {
                break;
            }
        }
        Reach { distances, max_hops }
    }

    #[inline]
    fn contains(&self, node: u32) -> bool {
        self.distances[node as usize] != FAR
    }

    /// Whether every neighbor of a node within reach is within reach too.
    #[inline]
    fn is_inner(&self, node: u32) -> bool {
        self.distances[node as usize] < self.max_hops
    }

    /// Sum of the walk weights of a node's neighbors within reach.
    fn flow(&self, graph: &Adjacency, node: u32) -> f64 {
        if self.is_inner(node) {
            return graph.flow(node);
        }
        let inside = graph.neighbors(node).filter(|neighbor| self.contains(neighbor.node));
        inside.map(|neighbor| f64::from(neighbor.link_weight())).sum()
    }
}

/// What a node passes on in a step.
#[derive(Debug, Clone, Copy)]
struct Flow {
    node: u32,
    /// Mass for each unit of weight.
    unit: f64,
}

/// Sends each flow to its node's neighbors.
fn spread<'a>(graph: &Adjacency, reach: &Reach, flows: impl Iterator<Item = &'a Flow>, next: &mut [f64]) {
    next.fill(0.0);
    for &Flow { node, unit } in flows {
        let is_inner = reach.is_inner(node);
        for row in graph.rows(node) {
            for neighbor in row {
                if is_inner || reach.contains(neighbor.node) {
                    next[neighbor.node as usize] += exact(unit * f64::from(neighbor.link_weight()));
                }
            }
        }
    }
}

/// From so many flows on, two threads share them.
const MANY_FLOWS: usize = 1_024;

/// Sends all flows. Two halves that are added up give the same as the whole, since the sums are exact.
fn spread_all(graph: &Adjacency, reach: &Reach, flows: &[Flow], next: &mut [f64], beside: &mut [f64]) {
    if flows.len() < MANY_FLOWS {
        return spread(graph, reach, flows.iter(), next);
    }
    // Neighboring flows are of like size.
    let (even, odd) = (flows.iter().step_by(2), flows.iter().skip(1).step_by(2));
    rayon::join(|| spread(graph, reach, even, next), || spread(graph, reach, odd, beside));
    next.iter_mut().zip(&*beside).for_each(|(all, half)| *all += half);
}

/// Masses by node, and the iterations it took.
fn iterate(graph: &Adjacency, reach: &Reach, restart: &[(u32, f64)], config: &WalkConfig) -> (Vec<f64>, usize) {
    let mut mass = vec![0.0; graph.nodes()];
    restart.iter().for_each(|&(node, share)| mass[node as usize] += exact(share));
    let mut next = vec![0.0; graph.nodes()];
    let mut beside = vec![0.0; graph.nodes()];
    // Of the nodes on the rim, whose neighbors are not all within reach.
    let mut rim_flows: HashMap<u32, f64> = HashMap::new();
    let mut flows = Vec::new();
    let mut last_top = Vec::new();
    for iteration in 1..=config.max_iterations {
        flows.clear();
        let mut at_seeds = exact(config.restart);
        for (node, &share) in (0_u32..).zip(&mass).filter(|(_, share)| **share > 0.0) {
            let leaving = exact(share * (1.0 - config.restart));
            // Without the rim: a node has no more flow than that, and most nodes are done with here.
            let is_little = leaving < config.push_threshold * graph.flow(node);
            let flow = match reach.is_inner(node) {
                _ if is_little => 0.0,
                true => graph.flow(node),
                false => *rim_flows.entry(node).or_insert_with(|| reach.flow(graph, node)),
            };
            if flow > 0.0 {
                flows.push(Flow { node, unit: leaving / flow });
            } else {
                at_seeds += leaving;
            }
        }
        spread_all(graph, reach, &flows, &mut next, &mut beside);
        restart.iter().for_each(|&(node, share)| next[node as usize] += exact(at_seeds * share));
        let change: f64 = next.iter().zip(&mass).map(|(new, old)| (new - old).abs()).sum();
        std::mem::swap(&mut mass, &mut next);
        let top = if config.stable_top > 0 { best(&mass, config.stable_top) } else { Vec::new() };
        if change < config.convergence || (config.stable_top > 0 && top == last_top) {
            return (mass, iteration);
        }
        last_top = top;
    }
    (mass, config.max_iterations)
}

/// The `count` nodes with the most mass and all that have as much as the last of them, each with how many have more: the same
/// however nodes happen to be numbered, but for the numbers. `count` is at least 1.
fn best(mass: &[f64], count: usize) -> Vec<(usize, u32)> {
    // The largest, ascending; few nodes have more than the least of them.
    let mut largest = vec![0.0; count];
    for &share in mass {
        if share > largest[0] {
            let place = largest.partition_point(|other| *other < share);
            largest[..place].rotate_left(1);
            largest[place - 1] = share;
        }
    }
    let is_best = |share: f64| share > 0.0 && share >= largest[0];
    let mut all: Vec<(f64, u32)> = mass.iter().copied().zip(0_u32..).filter(|(share, _)| is_best(*share)).collect();
    all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.iter().map(|(share, node)| (all.partition_point(|(other, _)| other > share), *node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edge, EdgeType, Provenance};

    const CONFIG: WalkConfig = WalkConfig {
        restart: 0.2,
        max_iterations: 200,
        convergence: 1e-12,
        stable_top: 0,
        max_hops: 4,
        push_threshold: 0.0,
    };

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
        for max_hops in [0, 1, 4] {
            let seeds = [(0, 1.0), (4, 0.5)];
            let reach = Reach::new(&graph, &seeds, max_hops);
            let (mass, _) = iterate(&graph, &reach, &[(0, 2.0 / 3.0), (4, 1.0 / 3.0)], &CONFIG);
            assert!((mass.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{max_hops} hops");
        }
    }

    #[test]
    fn a_hub_that_little_mass_comes_to_passes_nothing_on() {
        let chain = (0..5).map(|node| (node, node + 1, EdgeType::Calls));
        let leaves = (6..2_000).map(|leaf| (leaf, 5, EdgeType::Calls));
        let graph = graph(2_000, &chain.chain(leaves).collect::<Vec<_>>());
        let masses = |push_threshold| {
            let config = WalkConfig { push_threshold, max_hops: 6, ..CONFIG };
            let reach = Reach::new(&graph, &[(0, 1.0)], config.max_hops);
            let (mass, _) = iterate(&graph, &reach, &[(0, 1.0)], &config);
            assert!((mass.iter().sum::<f64>() - 1.0).abs() < 1e-9, "nothing is lost");
            mass
        };
        let (some, all) = (masses(1e-4), masses(0.0));
        assert!(some[1_000] == 0.0 && all[1_000] > 0.0, "{} {}", some[1_000], all[1_000]);
        assert!(
            (0..5).all(|node| (some[node] - all[node]).abs() < 0.1 * all[node]),
            "{:?} {:?}",
            &some[..6],
            &all[..6]
        );
    }

    #[test]
    fn numbering_changes_no_bit() {
        let types = [EdgeType::Calls, EdgeType::Imports, EdgeType::Contains, EdgeType::References];
        let edges: Vec<(u32, u32, EdgeType)> = (0..400_u32)
            .map(|place| (place * 7 % 59, place * place % 61, types[place as usize % 4]))
            .filter(|(source, target, _)| source != target)
            .collect();
        let renumbered = |node: u32| (node * 17 + 5) % 61;
        let turned: Vec<_> =
            edges.iter().rev().map(|&(source, target, kind)| (renumbered(source), renumbered(target), kind)).collect();
        let seeds = [(3, 1.0), (11, 0.7), (40, 0.1)];
        let one = random_walk(&graph(61, &edges), &seeds, &CONFIG);
        let two = random_walk(&graph(61, &turned), &seeds.map(|(node, weight)| (renumbered(node), weight)), &CONFIG);
        for walked in &one.nodes {
            let other = two.get(renumbered(walked.node)).unwrap();
            assert_eq!(walked.score.to_bits(), other.score.to_bits(), "{}", walked.node);
        }
    }

    #[test]
    fn numbering_does_not_decide_when_a_walk_ends() {
        let config = WalkConfig { stable_top: 10, convergence: 1e-9, ..CONFIG };
        let walk = |one: u32, other: u32| {
            let star = (1..13).map(|leaf| (0, leaf, EdgeType::Calls));
            let graph = graph(13, &star.chain([(one, other, EdgeType::Calls)]).collect::<Vec<_>>());
            let walk = random_walk(&graph, &[(0, 1.0)], &config);
            let mut scores: Vec<u64> = walk.nodes.iter().map(|walked| walked.score.to_bits()).collect();
            scores.sort_unstable();
            (walk.iterations, scores)
        };
        assert_eq!(walk(1, 2), walk(11, 12));
    }

    #[test]
    fn no_seed_no_walk() {
        let graph = graph(1, &[]);
        assert_eq!(random_walk(&graph, &[], &CONFIG), Walk::default());
        assert_eq!(random_walk(&graph, &[(7, 1.0), (0, f64::NAN)], &CONFIG), Walk::default());
    }
}
